"""Publish tables about persons that stay useful for a stated purpose and satisfy a stated privacy requirement.

>>> import cutline as cl
>>> people = {"age": [31, 32, 33, 64, 65, 66], "ill": ["no", "no", "no", "yes", "yes", "yes"]}
>>> release = cl.anonymize(people, qid={"age": 3}, target="ill")
>>> release.table["age"]
['<64', '<64', '<64', '>=64', '>=64', '>=64']

:func:`anonymize` masks a table (pandas, polars, pyarrow, DuckDB, a file …) and gives a :class:`Release`. :func:`inspect` and :func:`screen` look at
a table before, :func:`verify`, :func:`attack` and :func:`evaluate` at one after. :class:`Taxonomy` is a tree over values. With scikit-learn
installed, :class:`Anonymizer` is a transformer, and :class:`LabelFeatures` turns labels into numbers for models.
"""

from ._errors import (
    CutlineError,
    CutlineWarning,
    DefectError,
    InputError,
    MachineError,
    RequirementError,
    SettingError,
)
from ._native import __version__
from ._release import Release, anonymize, apply
from ._studies import Findings, attack, compare, evaluate, inspect, screen, verify
from ._taxonomy import Taxonomy

__all__ = [
    "Anonymizer",
    "CutlineError",
    "CutlineWarning",
    "DefectError",
    "Findings",
    "InputError",
    "LabelFeatures",
    "MachineError",
    "Release",
    "RequirementError",
    "SettingError",
    "Taxonomy",
    "__version__",
    "anonymize",
    "apply",
    "attack",
    "compare",
    "evaluate",
    "inspect",
    "screen",
    "verify",
]

#: They need scikit-learn, which need not be installed for the rest.
_WITH_SKLEARN = ("Anonymizer", "LabelFeatures")


def __getattr__(name: str):
    if name in _WITH_SKLEARN:
        from . import sklearn

        return getattr(sklearn, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
