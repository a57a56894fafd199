"""How tables of every kind go in, and come back as what they were.

Whatever has ``__arrow_c_stream__`` goes in without a copy. Of a pandas, polars or pyarrow table, the columns that are published as they
are come back as the very columns that went in: dtypes, categories, index and all; only masked ones are made anew.
"""

from __future__ import annotations

import os
import sys
import uuid
from typing import Any, Optional, Sequence

from . import _native
from ._errors import CutlineError, InputError
from ._settings import reading


def frame(data: Any) -> "Frame":
    """The adapter for a table."""
    if isinstance(data, Frame):
        return data
    if isinstance(data, (str, os.PathLike)):
        return PathFrame(os.fspath(data))
    if _is(data, "pandas", "DataFrame"):
        return PandasFrame(data)
    if _is(data, "polars", "LazyFrame"):
        return PolarsFrame(data.collect())
    if _is(data, "polars", "DataFrame"):
        return PolarsFrame(data)
    if _is(data, "pyarrow", "Table") or _is(data, "pyarrow", "RecordBatch"):
        return ArrowFrame(data)
    if hasattr(data, "__arrow_c_stream__"):
        return StreamFrame(data)
    for convert in ("toArrow", "to_table"):
        # PySpark's tables, and pyarrow's data sets.
        if hasattr(data, convert):
            return StreamFrame(getattr(data, convert)())
    if isinstance(data, dict):
        return DictFrame(data)
    raise no_table(data)


def no_table(data: Any) -> InputError:
    """What is said of a thing that is none."""
    return InputError(
        f"an object of type `{type(data).__name__}` is no table",
        "give a pandas, polars or pyarrow table, a DuckDB relation, anything with __arrow_c_stream__, a dict of lists, or the path of a file; "
        "of records and arrays, pandas.DataFrame makes a table",
    )


def _is(data: Any, module: str, name: str) -> bool:
    """Is it of this class? A module that was not imported has no objects."""
    loaded = sys.modules.get(module)
    kind = getattr(loaded, name, None)
    return kind is not None and isinstance(data, kind)


class Published:
    """What became of a table, still in Arrow's memory."""

    def __init__(self, table: Any, changed: Sequence[str], origin: Any = "all") -> None:
        self.table = table
        #: Columns whose content is not that of the input.
        self.changed = list(changed)
        #: ``"all"``, ``"secret"``, or the numbers of the records.
        self.origin = origin

    @property
    def names(self) -> list[str]:
        return self.table.column_names

    @property
    def is_shuffled(self) -> bool:
        return isinstance(self.origin, str) and self.origin == "secret"

    @property
    def rows(self) -> Optional[Any]:
        """The numbers of the published records, unless they are all."""
        return None if isinstance(self.origin, str) else self.origin


class Frame:
    """A table that can go in."""

    def source(self, settings: Any = None) -> Any:
        """What the extension module reads."""
        raise NotImplementedError

    def result(self, published: Published) -> Any:
        """What was published, as the caller has tables."""
        return plain(published.table)


def plain(table: Any) -> Any:
    """A table for whoever has no kind of their own: pyarrow's where it is installed, and something that everybody reads else."""
    try:
        import pyarrow
    except ImportError:
        return table
    return pyarrow.table(table)


def _threads(settings: Any) -> Optional[int]:
    """How many threads may work; what is no number of threads is refused with the other settings."""
    threads = (settings or {}).get("threads")
    return threads if isinstance(threads, int) and threads >= 0 else None


def _of_stream(data: Any, settings: Any) -> Any:
    try:
        return _native.Source.of_stream(data, _threads(settings))
    except CutlineError:
        raise
    except (TypeError, ValueError):
        raise _unreadable(data) from None


def _unreadable(data: Any) -> InputError:
    """Of a table, the column of a type that is not known here. A stream of something else, such as a single column's, is no table."""
    names = data.columns if _is(data, "polars", "DataFrame") else data.column_names if _is(data, "pyarrow", "Table") else []
    for name in names:
        try:
            _native.Source.of_stream(data.select([name]), None)
        except (TypeError, ValueError):
            return InputError(f"the column `{name}` is of a type that cannot be read here", "give it another one, such as text", "data")
    return no_table(data)


def _check_names(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"two columns are called `{twice[0]}`", "give every column a name of its own")


class PathFrame(Frame):
    """A file, a folder or a pattern."""

    def __init__(self, path: str) -> None:
        self.path = path

    def source(self, settings: Any = None) -> Any:
        return _native.Source.open(self.path, reading(settings or {}))


class StreamFrame(Frame):
    """Anything that hands out an Arrow stream, perhaps only once."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def source(self, settings: Any = None) -> Any:
        return _of_stream(self.data, settings)


class ArrowFrame(Frame):
    """A pyarrow table, or one batch of it."""

    def __init__(self, data: Any) -> None:
        import pyarrow

        self.data = pyarrow.Table.from_batches([data]) if isinstance(data, pyarrow.RecordBatch) else data
        _check_names(self.data.column_names)

    def source(self, settings: Any = None) -> Any:
        return _of_stream(self.data, settings)

    def result(self, published: Published) -> Any:
        import pyarrow

        if published.is_shuffled:
            return pyarrow.table(published.table)
        # What a writer noted down beside the names may tell of the raw values.
        kept = self.data.replace_schema_metadata(None)
        if published.rows is not None:
            kept = kept.take(pyarrow.table(published.rows)["row"])
        changed = pyarrow.table(published.table.select(published.changed))
        columns = {name: (changed if name in published.changed else kept)[name] for name in published.names}
        return pyarrow.table(columns)


class PolarsFrame(Frame):
    """A polars frame."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def source(self, settings: Any = None) -> Any:
        import polars

        # What polars hands out of a column without a type is not what the interface says.
        return _of_stream(self.data.cast({polars.Null: polars.String}), settings)

    def result(self, published: Published) -> Any:
        import polars

        if published.is_shuffled:
            types = {name: kind for name, kind in self.data.schema.items() if name not in published.changed}
            table = polars.DataFrame(published.table)
            return table.cast({name: kind for name, kind in types.items() if name in table.columns})
        kept = self.data
        if published.rows is not None:
            kept = kept[polars.DataFrame(published.rows)["row"]]
        changed = polars.DataFrame(published.table.select(published.changed))
        columns = [(changed if name in published.changed else kept)[name] for name in published.names]
        return polars.DataFrame(columns)


class DictFrame(Frame):
    """Lists by name, for small tables and where no other library is."""

    def __init__(self, data: dict[str, Any]) -> None:
        for name, values in data.items():
            if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
                raise InputError(f"the column `{name}` is no list", 'write it as in {"age": [31, 32], "sex": ["f", "m"]}')
        self.data = {str(name): list(values) for name, values in data.items()}
        if len({len(values) for values in self.data.values()}) > 1:
            raise InputError("the columns have different lengths")

    def source(self, settings: Any = None) -> Any:
        return of_lists(list(self.data), list(self.data.values()), settings)

    def result(self, published: Published) -> Any:
        return published.table.to_pydict()


def of_lists(names: list[str], columns: list[list[Any]], settings: Any = None) -> Any:
    """Columns of numbers, truth values or texts as a table; everything else becomes its text."""
    return _native.Source.of_columns(names, [_uniform(column) for column in columns], _threads(settings))


def _uniform(column: list[Any]) -> list[Any]:
    values = [None if value is None or value != value else value for value in column]
    known = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in known):
        return values
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in known):
        return values
    return [None if value is None else str(value) for value in values]


class PandasFrame(Frame):
    """A pandas frame, whose index and dtypes survive."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.names = [str(name) for name in data.columns]
        _check_names(self.names)

    def source(self, settings: Any = None) -> Any:
        try:
            import pyarrow
        except ImportError:
            return of_lists(self.names, [self._values(place) for place in range(len(self.names))], settings)
        # The index is no column: neither masked nor published.
        bare = self.data.set_axis(self.names, axis="columns").reset_index(drop=True)
        bare = bare.assign(**{name: made for name in self.names if (made := _readable(bare[name])) is not None})
        try:
            table = pyarrow.Table.from_pandas(bare, preserve_index=False)
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
            # Its message would tell a value.
            raise InputError(*self._mixed(pyarrow, bare), "data") from None
        return _of_stream(table, settings)

    def _values(self, place: int) -> list[Any]:
        column = self.data.iloc[:, place]
        return column.astype(object).where(column.notna(), None).tolist()

    def _mixed(self, pyarrow: Any, bare: Any) -> tuple[str, str]:
        for name in self.names:
            try:
                pyarrow.Array.from_pandas(bare[name])
            except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
                hint = f"give it one type, as in df[{name!r}].astype(str), or leave the column out"
                return f"the column `{name}` holds values of several types, or of one that tables do not have", hint
        return "the frame cannot be read as a table", "give every column one type"

    def result(self, published: Published) -> Any:
        import pandas

        changed = published.names if published.is_shuffled else published.changed
        made = _to_pandas(published.table.select(changed))
        own = dict(zip(self.names, self.data.columns))
        if published.is_shuffled:
            return self._shuffled(made, published, own)
        kept = self.data if published.rows is None else self.data.iloc[_numbers(published.rows)]
        columns = {own.get(name, name): made[name] if name in made else kept[own[name]] for name in published.names}
        columns = {name: pandas.Series(column.array, index=kept.index, copy=False) for name, column in columns.items()}
        result = pandas.DataFrame(columns, index=kept.index, copy=False)
        result.columns = _axis(self.data.columns, list(columns))
        return result

    def _shuffled(self, made: Any, published: Published, own: dict[str, Any]) -> Any:
        """In a random order the index would tell the old one."""
        for name in published.names:
            if name not in published.changed:
                made[name] = _as_it_was(made[name], self.data[own[name]])
        made.columns = _axis(self.data.columns, [own.get(name, name) for name in published.names])
        return made


def _readable(column: Any) -> Any:
    """What stands for a column that Arrow does not take or has no text for: sparse ones as dense, intervals and UUIDs as their texts."""
    import pandas

    if isinstance(column.dtype, pandas.SparseDtype):
        return column.sparse.to_dense()
    return column.map(str, na_action="ignore").astype(object) if _has_intervals(column) or _has_uuids(column) else None


def _has_uuids(column: Any) -> bool:
    if column.dtype != object:
        return False
    known = column.notna().to_numpy()
    return bool(known.any()) and isinstance(column.iloc[known.argmax()], uuid.UUID)


def _has_intervals(column: Any) -> bool:
    import pandas

    kind = column.dtype
    return isinstance(kind.categories.dtype if isinstance(kind, pandas.CategoricalDtype) else kind, pandas.IntervalDtype)


def _as_it_was(made: Any, column: Any) -> Any:
    """A column that went through Arrow, with the dtype that it had."""
    if _has_intervals(column):
        made = made.map({str(interval): interval for interval in column.dropna().unique()})
    if _has_uuids(column):
        made = made.map(uuid.UUID, na_action="ignore")
    return made.astype(column.dtype)


def _axis(old: Any, names: list[Any]) -> Any:
    """The names of columns, in the manner of the old ones."""
    import pandas

    if isinstance(old, pandas.MultiIndex) and all(isinstance(name, tuple) for name in names):
        return pandas.MultiIndex.from_tuples(names, names=old.names)
    return pandas.Index(names, name=old.name, tupleize_cols=False)


def _numbers(rows: Any) -> Any:
    try:
        import pyarrow
    except ImportError:
        return rows.to_pydict()["row"]
    return pyarrow.table(rows)["row"].to_numpy()


def _to_pandas(table: Any) -> Any:
    """Arrow's records as pandas has them, texts as the usual dtype of texts."""
    import pandas

    try:
        import pyarrow
    except ImportError:
        return pandas.DataFrame(table.to_pydict(), columns=table.column_names)
    made = pyarrow.table(table)
    views = {"string_view": pyarrow.string(), "binary_view": pyarrow.binary()}
    fields = [field.with_type(views.get(str(field.type), field.type)) for field in made.schema]
    return made.cast(pyarrow.schema(fields)).to_pandas()
