"""The types that editors and type checkers see are made from the definitions of the settings."""

import os
import pathlib

from cutline._settings import definitions

TYPED = pathlib.Path(__file__).parents[1] / "python/cutline/_typed.py"

SHAPES = {
    "flag": "bool",
    "whole": "int",
    "wholes": "Union[int, str, Sequence[int]]",
    "number": "float",
    "share": "Union[float, str]",
    "duration": "Union[float, str, timedelta]",
    "character": "str",
    "text": "str",
    "texts": "Names",
    "names": "Names",
    "entries": "Entries",
    "per-attribute": "Entries",
}

HEAD = '''"""The settings as type checkers see them. Written by tests/test_types.py from the definitions (UPDATE=1 writes it anew)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Names = Union[str, Sequence[str]]
Entries = Union[str, Sequence[str], Mapping[Any, Any]]


class Settings(TypedDict, total=False):
    """All settings of the command, as keywords."""

'''


def typed() -> str:
    lines = []
    for setting in definitions():
        name = setting["name"].replace("-", "_")
        if setting["reach"] != "everywhere" or name == "qid":
            continue
        words = ", ".join(f'"{choice["name"]}"' for choice in setting["choices"])
        kind = f"Literal[{words}]" if words else SHAPES[setting["shape"]]
        lines.append(f"    {name}: {kind} | None\n")
    return HEAD + "".join(lines)


def test_the_types_are_those_of_the_settings():
    if os.environ.get("UPDATE"):
        TYPED.write_text(typed())
    assert TYPED.read_text() == typed(), "UPDATE=1 writes it anew"
