"""How Python says settings: the same names and checks as the command, with Python's own types where they read better."""

from __future__ import annotations

import datetime
import json
import os
from functools import lru_cache
from inspect import Parameter, Signature
from typing import Any, Iterable, Mapping, Optional

from . import _native
from ._errors import InputError, SettingError
from ._taxonomy import Taxonomy


@lru_cache(maxsize=None)
def definitions() -> tuple[dict[str, Any], ...]:
    """All settings of a release, as the command has them."""
    return tuple(json.loads(_native.settings()))


def names() -> list[str]:
    """The keywords of all settings but those that an argument of its own says."""
    return [setting["name"].replace("-", "_") for setting in definitions() if setting["reach"] == "everywhere"]


def quoted(name: str) -> str:
    """A name as it stands in a list of names."""
    return f'"{name}"' if any(mark in name for mark in ',:"=') else name


def _joined(attributes: Any) -> str:
    return attributes if isinstance(attributes, str) else ",".join(quoted(str(name)) for name in attributes)


def qids(qid: Any, k: Optional[int]) -> Any:
    """QIDs as the setting takes them.

    Understood are ``"age,sex:10"``, ``["age,sex:10", "zip:5"]``, ``{"age, sex": 10}``, ``{("age", "sex"): 10}``, and with ``k``
    given: names, as in ``["age", "sex"]``.
    """
    if qid is None:
        return None
    if isinstance(qid, Mapping):
        if k is not None:
            raise SettingError("every QID of a dict has its own k", "leave k out, or give names alone: qid=[\"age\", \"sex\"], k=10", "setting")
        return {_joined(attributes): _size(size) for attributes, size in qid.items()}
    if isinstance(qid, str):
        return [qid] if k is None else {qid: _size(k)}
    try:
        listed = list(qid)
    except TypeError:
        raise SettingError(f"a QID is no {type(qid).__name__}", _QID, "setting") from None
    if not listed:
        raise SettingError("the QID names no attribute", _QID, "setting")
    if k is not None:
        return {_joined(listed): _size(k)}
    if not any(":" in str(one) for one in listed):
        raise SettingError("the QID has no k", _QID, "setting")
    return [str(one) for one in listed]


_QID = 'write it as in qid={"age, sex": 10}, or give k=10 beside the names'


def _size(k: Any) -> Any:
    """A whole number of any kind, such as numpy's, as Python's own. Texts say several to compare (``"5..100"``)."""
    if isinstance(k, str):
        return k
    index = getattr(type(k), "__index__", None)
    if index is None or isinstance(k, bool) or int(k) < 1:
        raise SettingError("k is a whole number of at least 1", _QID, "setting")
    return int(k)


def _plain(value: Any) -> Any:
    """A value with Python's own types only."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds()}s"
    if isinstance(value, Mapping):
        return {_joined(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        listed = sorted(value) if isinstance(value, (set, frozenset)) else value
        return [_plain(one) for one in listed]
    if hasattr(type(value), "__index__"):
        return int(value)
    if hasattr(type(value), "__float__"):
        return float(value)
    raise SettingError(f"a setting is no {type(value).__name__}", None, "setting")


def _range(value: Any) -> Any:
    """``{"age": (0, 120)}`` as ``{"age": "0..120"}``."""
    if not isinstance(value, Mapping):
        return _plain(value)
    return {name: _bounds(bounds) for name, bounds in value.items()}


def _bounds(bounds: Any) -> Any:
    if not isinstance(bounds, (tuple, list)):
        return _plain(bounds)
    if len(bounds) != 2:
        raise SettingError("range: a range has two bounds", 'write it as in range={"age": (0, 120)}', "setting")
    return f"{bounds[0]}..{bounds[1]}"


class Said:
    """What was said: plain settings, and taxonomies that are objects."""

    def __init__(self, qid: Any = None, k: Any = None, taxonomies: Any = None, **settings: Any) -> None:
        if isinstance(settings.get("taxonomy"), Mapping):
            taxonomies = {**settings.pop("taxonomy"), **(taxonomies or {})}
        self.settings = {name: _plain(value) for name, value in settings.items() if value is not None and name != "range"}
        if qid is not None:
            self.settings["qid"] = _plain(qids(qid, k))
        elif k is not None:
            raise SettingError("k is given, but no QID", "name the attributes, as in qid=[\"age\", \"sex\"]", "setting")
        if settings.get("range") is not None:
            self.settings["range"] = _range(settings["range"])
        self.given: list[tuple[str, Any, bool]] = []
        self._take_taxonomies(taxonomies)

    def _take_taxonomies(self, taxonomies: Any) -> None:
        if taxonomies is None:
            return
        if not isinstance(taxonomies, Mapping):
            raise InputError("taxonomies are said by attribute", "write taxonomies={\"zip\": Taxonomy.from_file(\"zip.txt\")}")
        hidden = self._private()
        files = {}
        for name, taxonomy in taxonomies.items():
            if isinstance(taxonomy, (str, os.PathLike)):
                files[name] = os.fspath(taxonomy)
            else:
                tree = taxonomy if isinstance(taxonomy, Taxonomy) else Taxonomy.from_dict(taxonomy)
                self.given.append((name, tree._native, tree.private or name in hidden))
        if files:
            self.settings["taxonomy"] = files
        self._keep_private(hidden - {name for name, _, _ in self.given})

    def _private(self) -> set[str]:
        said = self.settings.get("private_taxonomy", [])
        return set(said.split(",") if isinstance(said, str) else said)

    def _keep_private(self, names: set[str]) -> None:
        self.settings.pop("private_taxonomy", None)
        if names:
            self.settings["private_taxonomy"] = sorted(names)


def reading(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of settings, those that say how a file is read."""
    wanted = (
        "input_format", "delimiter", "no_header", "columns", "encoding", "decimal", "thousands", "sheet", "threads",
    )
    return {name: settings[name] for name in wanted if settings.get(name) is not None}


def signature(own: Iterable[Parameter]) -> Signature:
    """The signature of a function that takes its own parameters and all settings."""
    own = list(own)
    taken = {parameter.name for parameter in own}
    settings = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in names() if name not in taken]
    return Signature([*own, *settings])


def described() -> str:
    """A line for each setting, for docstrings."""
    lines = []
    for setting in definitions():
        if setting["reach"] != "everywhere":
            continue
        text = setting["help"].replace("‹", "``").replace("›", "``")
        default = f" (default: {setting['default']})" if setting["default"] else ""
        lines.append(f"    {setting['name'].replace('-', '_')}: {text}{default}")
    return "\n".join(lines)
