"""What does a label of a masked column stand for, as a number?"""

from __future__ import annotations

import math
import re
from typing import Any, Iterable, Optional

import numpy as np

_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_INTERVAL = re.compile(rf"\[({_NUMBER})-({_NUMBER})[\])]")
_OPEN = re.compile(rf"(<|>=)({_NUMBER})")

#: What stands for all values.
_TOP = "*"


def middle(label: Any) -> Optional[float]:
    """The middle of an interval, its one bound if it is open to a side, a number itself; nothing for everything else.

    >>> middle("[20-40)"), middle("<37"), middle("-1.5"), middle("north")
    (30.0, 37.0, -1.5, None)
    """
    text = str(label)
    if found := _INTERVAL.fullmatch(text):
        return (float(found[1]) + float(found[2])) / 2
    if found := _OPEN.fullmatch(text):
        return float(found[2])
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _is_missing(value: Any) -> bool:
    return value is None or value is not value or (isinstance(value, float) and math.isnan(value)) or str(value) in ("", "<NA>")


class Column:
    """One column of labels, and the numbers that they become."""

    def __init__(self, name: str, how: str, taxonomy: Any = None) -> None:
        self.name = name
        self.how = how
        #: The ranks of the leaves below each name; nothing for numbers.
        self._leaves: dict[str, tuple[int, int]] = {} if taxonomy is None else _leaves(taxonomy)

    def learn(self, labels: Iterable[Any]) -> "Column":
        """Finds out which labels there are. Texts that are all intervals or numbers are a continuous column."""
        labels = [str(label) for label in labels if not _is_missing(label) and str(label) != _TOP]
        told = sorted(set(labels))
        self.continuous = not self._leaves and all(middle(label) is not None for label in told)
        if not self._leaves and not self.continuous:
            self._leaves = {label: (place, place + 1) for place, label in enumerate(told)}
        places = [place for place in map(self._place, labels) if place is not None]
        self._order = sorted(set(places))
        numbers = np.searchsorted(self._order, places) if self.how == "ordinal" else places
        self.mean = float(np.mean(numbers)) if places else 0.0
        return self

    @property
    def _is_spread(self) -> bool:
        return self.how == "one-hot" and not self.continuous

    @property
    def names(self) -> list[str]:
        """The names of the numbers."""
        if not self._is_spread:
            return [self.name]
        # A node above a single leaf spans the same rank; leaves come first in the dict.
        spans = reversed(list(self._leaves.items()))
        singles = {start: label for label, (start, end) in spans if end == start + 1}
        return [f"{self.name}_{singles[place]}" for place in sorted(singles)]

    def encode(self, labels: Iterable[Any]) -> np.ndarray:
        """A row of numbers for every label. Each different label is looked at once."""
        labels = ["" if _is_missing(label) else str(label) for label in labels]
        known = {label: self._numbers(label) for label in set(labels)}
        rows = [known[label] for label in labels]
        return np.asarray(rows, dtype=float).reshape(len(labels), len(self.names))

    def _place(self, label: str) -> Optional[float]:
        if self.continuous:
            return middle(label)
        span = self._leaves.get(label)
        return None if span is None else (span[0] + span[1] - 1) / 2

    def _numbers(self, label: str) -> list[float]:
        if self._is_spread:
            start, end = self._leaves.get(label, (0, 0))
            return [1 / (end - start) if start <= place < end else 0.0 for place in range(len(self.names))]
        place = self._place(label)
        if place is None:
            return [self.mean]
        # An interval that was not seen lies between its neighbours.
        return [float(np.searchsorted(self._order, place))] if self.how == "ordinal" else [place]


def _leaves(taxonomy: Any) -> dict[str, tuple[int, int]]:
    """The ranks of the leaves below every node of a tree."""
    from ._taxonomy import Taxonomy

    tree = taxonomy if isinstance(taxonomy, Taxonomy) else Taxonomy.from_dict(taxonomy)
    spans: dict[str, tuple[int, int]] = {}

    def walk(node: dict[str, Any], start: int) -> int:
        end = start
        for child in node.get("children", []):
            end = walk(child, end)
        end = max(end, start + 1)
        spans[node["label"]] = (start, end)
        return end

    walk(tree.to_dict(), 0)
    return spans
