"""Cutline for scikit-learn: a transformer that learns a recoding, and one that turns labels into numbers.

Needs scikit-learn 1.6 or newer.
"""

from __future__ import annotations

import inspect
import json
import sys
from inspect import Parameter
from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _native
from ._errors import InputError
from ._frames import Published, frame, of_lists
from ._labels import Column
from ._release import whole_recoding
from ._settings import Said, described, signature
from ._watch import Watch

#: What the target is called if it comes as ``y``.
_Y = "y"


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "__arrow_c_stream__") or _is_old_pandas(X)


def _is_old_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


class _ArrayFrame:
    """An array as a table: its columns are ``x0``, ``x1`` and so on."""

    def __init__(self, X: np.ndarray) -> None:
        self.names = [f"x{place}" for place in range(X.shape[1])]
        self.columns = [column.tolist() for column in X.T]

    def source(self, settings: Any = None) -> Any:
        return of_lists(self.names, self.columns, settings)

    def result(self, published: Published) -> np.ndarray:
        lists = published.table.to_pydict()
        result = np.empty((len(published.table), len(published.names)), dtype=object)
        for place, name in enumerate(published.names):
            result[:, place] = lists[name]
        return result


class _OfTables(TransformerMixin, BaseEstimator):
    """Transforms tables of text and numbers, with gaps, into another kind of columns."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


class Anonymizer(OneToOneFeatureMixin, _OfTables):
    __doc__ = f"""Learns a recoding from training data and gives every record the labels of that recoding.

    >>> import pandas as pd
    >>> from cutline import Anonymizer
    >>> train = pd.DataFrame({{"age": [31, 32, 33, 64, 65, 66], "dose": [1, 2, 1, 2, 1, 2]}})
    >>> model = Anonymizer(qid=["age"], k=3).fit(train, ["no", "no", "no", "yes", "yes", "yes"])
    >>> model.transform(pd.DataFrame({{"age": [20, 70], "dose": [5, 5]}}))["age"].tolist()
    ['<64', '>=64']

    ``qid`` names the columns that an attacker may know (all, if nothing is said) and ``k`` how many training records must then look alike; several
    QIDs are said as in :func:`cutline.anonymize`, by a dict. The masking keeps what predicts ``y``, or the column ``target`` of ``X``.

    :meth:`transform` is for models: it never leaves a record out, and does not count groups in the data that it is given, of which there
    may be a few records only. To publish a table use :func:`cutline.anonymize`.

    All settings are parameters; those not said are ``None``:

{described()}

    Attributes: ``recoding_`` (what became of each masked column), ``report_`` (of the training data), ``n_features_in_``, ``feature_names_in_``.
    """

    def __init__(self, **settings: Any) -> None:
        for name, parameter in inspect.signature(type(self)).parameters.items():
            setattr(self, name, settings.pop(name, parameter.default))
        if settings:
            raise TypeError(f"Anonymizer has no parameter {sorted(settings)[0]!r}")

    __init__.__signature__ = signature(  # type: ignore[attr-defined]
        [
            Parameter("self", Parameter.POSITIONAL_OR_KEYWORD),
            Parameter("qid", Parameter.KEYWORD_ONLY, default=None),
            Parameter("k", Parameter.KEYWORD_ONLY, default=10),
            Parameter("taxonomies", Parameter.KEYWORD_ONLY, default=None),
            Parameter("unknown", Parameter.KEYWORD_ONLY, default="root"),
        ]
    )

    def fit(self, X: Any, y: Any = None) -> "Anonymizer":
        """Learns the recoding. ``y`` is the class, or the number, that the masked table is to predict."""
        X = self._validated(X, reset=True)
        table = X if _is_frame(X) else _ArrayFrame(X)
        names = list(map(str, X.columns)) if _is_frame(X) else table.names
        settings = self._settings(names)
        if y is not None and settings.get("target") is None and settings.get("clusters") is None:
            table, settings = self._with_target(X, y, names, settings)
        adapter = table if isinstance(table, _ArrayFrame) else frame(table)
        said = Said(**settings)
        with Watch(False) as watch:
            native = _native.anonymize(watch, adapter.source(said.settings), None, said.settings, said.given)
        documents = native.documents()
        self._recoding = whole_recoding(documents)
        self._restore_private(said)
        self.recoding_ = json.loads(self._recoding)
        self.report_ = json.loads(documents["private/report.json"])
        return self

    def transform(self, X: Any) -> Any:
        """The records with the labels of the recoding, as the kind of table that they are (an array of objects for an array)."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        adapter = frame(X) if _is_frame(X) else _ArrayFrame(X)
        with Watch(False) as watch:
            source = adapter.source({"threads": self.threads})
            table = _native.label(watch, source, self._recoding, self.unknown == "root", self.threads or 0)
        return adapter.result(Published(table, list(self.recoding_["attributes"])))

    def _validated(self, X: Any, reset: bool) -> Any:
        if _is_frame(X):
            validate_data(self, X, skip_check_array=True, reset=reset)
            if len(X) == 0:
                raise InputError("the table has no records", None, "data")
            return X
        # One record cannot hide.
        fewest = 2 if reset and self.k != 1 else 1
        return validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=fewest, reset=reset)

    def _settings(self, names: list[str]) -> dict[str, Any]:
        settings = {name: value for name, value in self.get_params(deep=False).items() if value is not None}
        if self.qid is None:
            settings["qid"] = [name for name in names if name != self.target]
        if isinstance(self.qid, dict):
            # Every QID has its own k then.
            settings.pop("k", None)
        return settings

    def _with_target(self, X: Any, y: Any, names: list[str], settings: dict[str, Any]) -> Any:
        """The table with ``y`` as one more column, which the purpose is about."""
        name = _Y
        while name in names:
            name += "_"
        y = np.asarray(y)
        if y.ndim != 1:
            raise InputError("y has more than one column", "give one class or number for each record")
        is_number = type_of_target(y).startswith("continuous")
        settings = {**settings, "target": name, "purpose": "regression" if is_number else "classification"}
        classes = y.tolist() if is_number else [str(one) for one in y.tolist()]
        if not _is_frame(X):
            table = _ArrayFrame(X)
            table.names.append(name)
            table.columns.append(classes)
            return table, settings
        if hasattr(X, "with_columns"):
            import polars

            return X.with_columns(polars.Series(name, classes)), settings
        return X.assign(**{name: classes}), settings

    def _restore_private(self, said: Said) -> None:
        """Of private taxonomies the stored recoding tells nothing below the cut, but this is no publication."""
        for name, taxonomy, private in said.given:
            if private:
                self._recoding = _native.restore_taxonomy(self._recoding, name, taxonomy)


class LabelFeatures(_OfTables):
    """Turns labels of a masked table into numbers for models.

    >>> import pandas as pd
    >>> from cutline import LabelFeatures, Taxonomy
    >>> masked = pd.DataFrame({"age": ["[20-40)", "[40-80]", "*"], "edu": ["School", "BSc", "MSc"]})
    >>> tree = Taxonomy.from_dict({"Any": {"School": ["11th", "12th"], "University": ["BSc", "MSc"]}})
    >>> LabelFeatures("midpoint", taxonomies={"edu": tree}).fit_transform(masked).tolist()
    [[30.0, 0.5], [60.0, 2.0], [45.0, 3.0]]
    >>> LabelFeatures("one-hot", taxonomies={"edu": tree}).fit(masked).get_feature_names_out().tolist()
    ['age', 'edu_11th', 'edu_12th', 'edu_BSc', 'edu_MSc']

    ``how`` says what becomes of a label:

    - ``"midpoint"``: an interval becomes its middle (one that is open to a side, its bound; ``*``, the mean of the column), a name of a taxonomy
      the middle of its leaves in the tree's order, another name its place in the alphabet;
    - ``"ordinal"``: the place of the label among those of the column, in the order of their middles;
    - ``"one-hot"``: intervals as for ``"midpoint"``; a name is spread evenly over the leaves below it, and other names have a column each.

    Numbers stay numbers. A label that :meth:`fit` has not seen is placed where it belongs if it is an interval, a number or in the taxonomy, and
    is the mean of the column (one-hot: nothing) if not. A missing value is the mean, too.
    """

    def __init__(self, how: str = "midpoint", *, taxonomies: Any = None) -> None:
        self.how = how
        self.taxonomies = taxonomies

    def fit(self, X: Any, y: Any = None) -> "LabelFeatures":
        """Learns which labels the columns have."""
        if self.how not in ("midpoint", "ordinal", "one-hot"):
            raise InputError("there is no such encoding", 'write how="midpoint", "ordinal" or "one-hot"')
        names, columns = self._columns(X, reset=True)
        trees = dict(self.taxonomies or {})
        self.columns_ = [Column(name, self.how, trees.get(name)).learn(column) for name, column in zip(names, columns)]
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The numbers."""
        check_is_fitted(self)
        _, columns = self._columns(X, reset=False)
        parts = [one.encode(column) for one, column in zip(self.columns_, columns)]
        return np.hstack(parts) if parts else np.empty((len(X), 0))

    def get_feature_names_out(self, input_features: Optional[Any] = None) -> np.ndarray:
        """A name for every number."""
        check_is_fitted(self)
        return np.asarray([name for column in self.columns_ for name in column.names], dtype=object)

    def _columns(self, X: Any, reset: bool) -> tuple[list[str], list[list[Any]]]:
        if _is_frame(X):
            validate_data(self, X, skip_check_array=True, reset=reset)
            names = list(X.columns)
            lists = [X[name].tolist() if hasattr(X[name], "tolist") else X[name].to_list() for name in names]
            return [str(name) for name in names], lists
        X = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=reset)
        return [f"x{place}" for place in range(X.shape[1])], [column.tolist() for column in X.T]
