"""Anonymize: a table in, a release out."""

from __future__ import annotations

import html
import json
import os
from functools import cached_property
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Optional

from . import _native
from ._errors import InputError
from ._frames import PathFrame, Published, frame
from ._settings import Said, described, signature
from ._watch import Progress, Watch

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._typed import Settings


class Release:
    """A masked table, verified, with everything that is known of it.

    Made by :func:`anonymize`. It lives in memory until :meth:`publish` writes it to a folder; as long as it lives, so does the table that
    it was made from.
    """

    def __init__(self, native: Any, origin: Any, notes: list[str]) -> None:
        self._native = native
        self._frame = origin
        #: What the data holder should know; also told as warnings.
        self.notes = notes

    @cached_property
    def _documents(self) -> dict[str, str]:
        return self._native.documents()

    @cached_property
    def table(self) -> Any:
        """The published table, as the kind of table that went in.

        A pandas frame keeps its index, which is no column and is not masked: look at it before you hand the frame on. (With
        ``shuffle=True`` it is replaced.) :meth:`publish` writes columns only.
        """
        return self._frame.result(self._published)

    @cached_property
    def _published(self) -> Published:
        table = self._native.table
        own = {*self._native.masked, *self.recoding.get("identifiers", {})}
        known = set(self.recoding.get("columns") or table.column_names)
        changed = [name for name in table.column_names if name in own or name not in known]
        return Published(table, changed, self._native.origin)

    @cached_property
    def recoding(self) -> dict[str, Any]:
        """What became of every masked column: the published ``recoding.json``."""
        return json.loads(self._documents["public/recoding.json"])

    @cached_property
    def report(self) -> dict[str, Any]:
        """The full report, exact, with what the table hides: for the data holder alone."""
        return json.loads(self._documents["private/report.json"])

    @cached_property
    def public_report(self) -> dict[str, Any]:
        """The report that is published with the table."""
        return json.loads(self._documents["public/report.json"])

    @cached_property
    def trace(self) -> list[dict[str, Any]]:
        """Every step of the search: for the data holder alone."""
        return [json.loads(line) for line in self._documents["private/trace.jsonl"].splitlines()]

    @property
    def losses(self) -> dict[str, Any]:
        """What the masking cost, by several metrics: for the data holder alone."""
        return self.report["metrics"]

    @property
    def stopped(self) -> str:
        """Why the search ended: ``complete``, ``max-steps``, ``time-limit`` or ``interrupted``."""
        return self.report["stopped"]

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The published table for whatever reads Arrow streams: ``polars.DataFrame(release)``, ``duckdb.sql("from release")``."""
        return self._native.table.__arrow_c_stream__(requested_schema)

    def publish(
        self,
        folder: Any,
        *,
        force: bool = False,
        format: Optional[str] = None,
        against: Any = None,
        progress: Progress = None,
    ) -> str:
        """Writes the release into a folder, which appears complete and verified, or not at all.

        ``public/`` is what you hand out, ``private/`` is for you alone. ``format`` is ``csv``, ``parquet``, ``arrow`` or ``jsonl``; without
        one, and without the setting ``format``, a file's own format, and ``csv`` for a table from memory. ``force`` replaces an
        earlier release; ``against`` names one that recipients may compare this one with.
        """
        if format is None and not self._said_format and not isinstance(self._frame, PathFrame):
            format = "csv"
        earlier = None if against is None else os.fspath(against)
        with Watch(progress) as watch:
            self._native.publish(watch, os.fspath(folder), force, format, earlier)
        return os.fspath(folder)

    @property
    def _said_format(self) -> bool:
        return "format" in self.report["arguments"].get("output", {})

    def to_html(self, *, public: bool = False) -> str:
        """The report as a page: the full one, or the one that is published."""
        return self._documents["public/report.html" if public else "private/report.html"]

    def _repr_html_(self) -> str:
        """What a notebook shows: the public page, because notebooks are handed on."""
        page = html.escape(self.to_html(public=True), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 32em; border: 1px solid #8886" sandbox></iframe>'

    def __repr__(self) -> str:
        qids = "; ".join(
            f"{{{', '.join(qid['attributes'])}}} k={qid['k']}, smallest group {qid['anonymity']}" for qid in self.report["qids"]
        )
        return f"<Release of {self.report['records']} records: {qids}>"


def anonymize(
    data: Any, *, qid: Any = None, k: Optional[int] = None, taxonomies: Any = None, progress: Progress = None, **settings: Unpack[Settings]
) -> Release:
    spec = None
    if isinstance(data, (str, os.PathLike)) and os.fspath(data).endswith(".toml"):
        spec = os.fspath(data)
    frames = frame(data)
    said = Said(qid, k, taxonomies, **settings)
    source = None if spec else frames.source(said.settings)
    with Watch(progress) as watch:
        native = _native.anonymize(watch, source, spec, said.settings, said.given)
    return Release(native, frames, list(watch.notes))


anonymize.__doc__ = f"""Masks a table so that nobody in it can be singled out, for its purpose.

    ``data`` is a pandas, polars or pyarrow table, a DuckDB relation, anything with ``__arrow_c_stream__``, a dict of lists, the path of a file
    (CSV, Parquet, Arrow, JSON lines), or that of a spec (``release.toml``). ``qid`` says what an attacker may know together, and how many
    records must then look alike.

    >>> import cutline as cl
    >>> people = {{"age": [31, 32, 33, 64, 65, 66], "ill": ["no", "no", "no", "yes", "yes", "yes"]}}
    >>> release = cl.anonymize(people, qid={{"age": 3}}, target="ill")
    >>> release.table["age"]
    ['<64', '<64', '<64', '>=64', '>=64', '>=64']
    >>> release
    <Release of 6 records: {{age}} k=3, smallest group 3>

    Several QIDs: ``qid={{"age, sex, zip": 20, "age, job": 10}}``. ``taxonomies`` are :class:`Taxonomy` objects, nested dicts or paths of files,
    by attribute. ``progress`` shows a bar: by default in notebooks and at prompts, not in scripts. Ctrl-C during the search
    stops the search, and the release is what it has found so far; a second one gives everything up.

    All settings of the command are keywords:

{described()}

    Raises :class:`RequirementError` if no masking satisfies the requirement, :class:`InputError` if the table or a setting is wrong.
    Things to know are told as :class:`CutlineWarning`.
    """
anonymize.__signature__ = signature(  # type: ignore[attr-defined]
    [
        Parameter("data", Parameter.POSITIONAL_OR_KEYWORD),
        Parameter("qid", Parameter.KEYWORD_ONLY, default=None),
        Parameter("k", Parameter.KEYWORD_ONLY, default=None),
        Parameter("taxonomies", Parameter.KEYWORD_ONLY, default=None),
        Parameter("progress", Parameter.KEYWORD_ONLY, default=None),
    ]
)


def apply(
    recoding: Any,
    data: Any,
    output: Any,
    *,
    keep: Any = (),
    against: Any = None,
    force: bool = False,
    progress: Progress = None,
    **settings: Any,
) -> dict[str, int]:
    """Masks another table as a release was, and writes it to a file. The new table is verified before it appears.

    ``recoding`` is a :class:`Release`, its ``recoding``, or the path of a ``recoding.json``. Columns that the release did not have must be named: in ``keep`` to
    publish them as they are, in ``drop`` to leave them out. ``qid`` asks for more than the release promised, or for another k of one of its QIDs.
    """
    import tempfile

    said = Said(**settings)
    options = {"settings": said.settings, "keep": list(keep), "force": force}
    if against is not None:
        options["against"] = os.fspath(against)
    source = frame(data).source(said.settings)
    with tempfile.TemporaryDirectory() as folder, Watch(progress) as watch:
        path = recoding
        if not isinstance(recoding, (str, os.PathLike)):
            path = os.path.join(folder, "recoding.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(_stored(recoding))
        records, suppressed = _native.apply(watch, source, os.fspath(path), os.fspath(output), options)
    return {"records": records, "suppressed": suppressed}


def whole_recoding(documents: dict[str, str]) -> str:
    """The recoding that masks other tables: the steward's, where the public one does not say into which regions records fall."""
    return documents.get("private/recoding.json", documents["public/recoding.json"])


def _stored(recoding: Any) -> str:
    """A recoding as it is stored."""
    if isinstance(recoding, Release):
        return whole_recoding(recoding._documents)
    if isinstance(recoding, dict):
        return json.dumps(recoding)
    raise InputError(f"an object of type `{type(recoding).__name__}` is no recoding", "give a Release, or the path of a recoding.json")
