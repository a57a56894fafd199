"""Taxonomies: trees over the values of a categorical attribute."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping, Optional, Union

from . import _native
from ._errors import InputError


class Taxonomy:
    """A tree whose leaves are the values of an attribute, and whose inner nodes are less specific values.

    >>> from cutline import Taxonomy
    >>> tree = Taxonomy.from_dict({"Any": {"Secondary": ["11th", "12th"], "University": ["Bachelors", "Masters"]}})
    >>> tree.leaves
    ['11th', '12th', 'Bachelors', 'Masters']

    One that is made from values of records is ``private``: nothing of it below the cut is published. One that was written down
    by a person is not, unless ``private_taxonomy`` says so.
    """

    def __init__(self, native: Any, private: bool = False) -> None:
        self._native = native
        self.private = private

    @classmethod
    def from_file(cls, path: Union[str, "os.PathLike[str]"]) -> "Taxonomy":
        """Reads an outline (two spaces a level), ARX CSV (``leaf;…;root``) or JSON."""
        try:
            with open(path, encoding="utf-8") as file:
                return cls.from_text(file.read())
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read the taxonomy `{os.fspath(path)}`: {type(error).__name__}") from error

    @classmethod
    def from_text(cls, text: str) -> "Taxonomy":
        """The same from a text.

        >>> from cutline import Taxonomy
        >>> Taxonomy.from_text("Any\\n  sick\\n  healthy\\n").height
        1
        """
        return cls(_native.Taxonomy.parse(text))

    @classmethod
    def from_dict(cls, tree: Mapping[str, Any]) -> "Taxonomy":
        """A nested dict: keys are nodes, lists are leaves. The one key at the top is the root."""
        hint = 'write it as in {"Any": {"North": ["A", "B"], "South": ["C"]}}'
        if not isinstance(tree, Mapping):
            raise InputError(f"an object of type `{type(tree).__name__}` is no taxonomy", hint)
        if len(tree) != 1:
            raise InputError("a taxonomy has one root", hint)
        [(root, below)] = tree.items()
        return cls(_native.Taxonomy.parse(json.dumps(_node(root, below))))

    @classmethod
    def from_prefixes(cls, values: Iterable[Any]) -> "Taxonomy":
        """Puts codes together that begin alike: ``02139`` is below ``0213*``. Private, because it tells values of records.

        >>> from cutline import Taxonomy
        >>> print(Taxonomy.from_prefixes(["02139", "02141", "10001"]).to_outline(), end="")
        Any
          021**
            02139
            02141
          10001
        """
        return cls(_native.Taxonomy.by_prefix(_distinct(values)), private=True)

    @classmethod
    def flat(cls, values: Iterable[Any]) -> "Taxonomy":
        """All values directly below the root, to be grouped by hand. Private."""
        return cls(_native.Taxonomy.flat(_distinct(values)), private=True)

    @classmethod
    def build(
        cls, data: Any, attribute: str, *, by: Optional[str] = None, target: Optional[str] = None, **settings: Any
    ) -> "Taxonomy":
        """Proposes one from a column of a table: by ``"prefix"``, by how alike the classes of a ``"target"`` are, dates by the
        ``"calendar"``, numbers by equal ``"width"`` or ``"frequency"``, or ``"values"``.

        Private. Read it, edit it, rename its groups.

        >>> import cutline
        >>> table = {"job": ["a", "b", "c", "d"] * 9, "ill": ["no", "no", "yes", "yes"] * 9}
        >>> print(cutline.Taxonomy.build(table, "job", target="ill").to_outline(), end="")
        Any
          Group 1
            a
            b
          Group 2
            c
            d
        """
        from ._frames import frame
        from ._settings import Said
        from ._watch import Watch

        said = Said(target=target, **settings).settings
        source = frame(data).source(said)
        with Watch() as watch:
            return cls(_native.build_taxonomy(watch, source, attribute, by, said), private=True)

    @property
    def leaves(self) -> list[str]:
        """The values, in the order of the tree."""
        return self._native.leaves

    @property
    def height(self) -> int:
        """Steps from the root to the deepest leaf."""
        return self._native.height

    def to_dict(self) -> dict[str, Any]:
        """The tree as ``{"label": …, "children": […]}``."""
        return json.loads(self._native.to_json())

    def to_outline(self) -> str:
        """Two spaces a level: the text to edit."""
        return self._native.to_outline()

    def to_arx(self) -> str:
        """ARX CSV: a line for each leaf."""
        return self._native.to_arx()

    def show(self, cut: Iterable[str] = ()) -> str:
        """A picture of the tree, with the nodes of a cut marked."""
        return self._native.show(list(cut))

    def __repr__(self) -> str:
        hidden = ", private" if self.private else ""
        return f"Taxonomy({len(self.leaves)} leaves, {self.height + 1} levels{hidden})"

    def __reduce__(self):
        return (_restored, (self._native.to_json(), self.private))


def _restored(text: str, private: bool) -> Taxonomy:
    return Taxonomy(_native.Taxonomy.parse(text), private)


def _node(label: Any, below: Any) -> dict[str, Any]:
    if isinstance(below, Mapping):
        children = [_node(name, more) for name, more in below.items()]
    elif isinstance(below, str) or below is None:
        raise InputError(f"below `{label}` there is no list of values and no dict", "leaves stand in a list")
    else:
        children = [{"label": str(value)} for value in below]
    return {"label": str(label), "children": children}


def _distinct(values: Iterable[Any]) -> list[str]:
    """The different values as texts, sorted, without missing ones."""
    if isinstance(values, (str, Mapping)) or hasattr(values, "columns") or not hasattr(values, "__iter__"):
        raise InputError(f"an object of type `{type(values).__name__}` is no column of values", 'give one column, as in df["zip"]')
    listed = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
    return sorted({str(value).strip() for value in listed if not _missing(value)} - {""})


def _missing(value: Any) -> bool:
    """None, NaN, NaT or pandas' NA, which is not even equal to itself."""
    try:
        return value is None or not bool(value == value)
    except (TypeError, ValueError):
        return True
