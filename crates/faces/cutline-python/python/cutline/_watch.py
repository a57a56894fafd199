"""What is shown while the library works, and what it has to say."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any, Optional, Union

from ._errors import CutlineWarning

#: Work that is done sooner needs no bar.
_PATIENCE = 0.5

Progress = Union[None, bool]


def is_interactive() -> bool:
    """Is there a person who waits: a notebook, or a prompt in a terminal?"""
    shell = sys.modules.get("IPython")
    if shell is not None and shell.get_ipython() is not None:
        return True
    return hasattr(sys, "ps1") and sys.stderr.isatty()


def _tqdm() -> Optional[Any]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


class Watch:
    """Is told what happens. Used as a context, so that a bar is taken away whatever happens, and notes become warnings."""

    def __init__(self, progress: Progress = None) -> None:
        self._shown = is_interactive() if progress is None else bool(progress)
        self._began = time.monotonic()
        self._bar: Any = None
        self._stage: Optional[str] = None
        self.notes: list[str] = []

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        for note in self.notes:
            warnings.warn(note, CutlineWarning, stacklevel=_outside())

    def note(self, text: str) -> None:
        self.notes.append(text)

    def progress(self, stage: str, done: int, total: Optional[int], message: str) -> None:
        if not self._shown or time.monotonic() - self._began < _PATIENCE:
            return
        if stage != self._stage:
            self._close()
            self._stage = stage
            make = _tqdm() or _Bar
            self._bar = make(total=total, desc=stage, leave=False, unit="", unit_scale=True)
        self._bar.update(done - self._bar.n)
        if message:
            self._bar.set_postfix_str(message)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _outside() -> int:
    """The number of frames up to the first one that is not of this package, as ``warnings.warn`` counts them."""
    level = 1
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "cutline":
        level, frame = level + 1, frame.f_back
    return level


class _Bar:
    """A bar for where tqdm is not installed."""

    WIDTH = 30

    def __init__(self, total: Optional[int] = None, desc: str = "", **_: object) -> None:
        self.n = 0
        self._total = total
        self._name = desc
        self._more = ""

    def update(self, by: int) -> None:
        self.n += by
        self._write()

    def set_postfix_str(self, text: str) -> None:
        self._more = text
        self._write()

    def close(self) -> None:
        sys.stderr.write("\r" + " " * 79 + "\r")
        sys.stderr.flush()

    def _write(self) -> None:
        if self._total:
            share = min(1.0, self.n / self._total)
            full = round(share * self.WIDTH)
            text = f"{self._name:10} {share:4.0%} |{'█' * full}{' ' * (self.WIDTH - full)}| {self._more}"
        else:
            text = f"{self._name:10} {self.n} {self._more}"
        sys.stderr.write("\r" + text[:79].ljust(79))
        sys.stderr.flush()
