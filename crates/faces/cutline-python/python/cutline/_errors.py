"""Exceptions, sorted by who can put them right."""

from __future__ import annotations

from typing import Optional


class CutlineError(Exception):
    """What all exceptions of Cutline are.

    ``message`` says what is wrong, ``hint`` what to do about it (or is ``None``), and ``blame`` who can put it right:
    ``"requirement"``, ``"arguments"``, ``"setting"``, ``"data"``, ``"machine"`` or ``"defect"``. No value of a record is ever in a
    message.
    """

    def __init__(self, message: str, hint: Optional[str] = None, blame: str = "arguments") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.blame = blame

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message

    def __reduce__(self):
        return (type(self), (self.message, self.hint, self.blame))


class RequirementError(CutlineError):
    """The requirement cannot be met, or does not hold. Nothing was published."""


class InputError(CutlineError, ValueError):
    """The table or what was said of it is wrong."""


class SettingError(InputError):
    """There is no such setting, or the value is not one for it."""


class MachineError(CutlineError, OSError):
    """A disk, a permission or a connection stood in the way."""

    def __init__(self, message: str, hint: Optional[str] = None, blame: str = "machine") -> None:
        CutlineError.__init__(self, message, hint, blame)


class DefectError(CutlineError):
    """A defect of Cutline itself. Please report it."""


class CutlineWarning(UserWarning):
    """Something that the data holder should know."""


_CLASSES = {
    "requirement": RequirementError,
    "setting": SettingError,
    "machine": MachineError,
    "defect": DefectError,
}


def make(blame: str, message: str, hint: Optional[str]) -> CutlineError:
    """The exception for an error of the extension module."""
    return _CLASSES.get(blame, InputError)(message, hint, blame)
