"""Looks at tables: what do they tell, does their requirement hold, what did masking cost?"""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Sequence

from . import _native
from ._frames import PathFrame, frame
from ._release import Release, whole_recoding
from ._settings import Said
from ._watch import Progress, Watch


class Findings(dict):
    """What was found: a dict, shown as indented JSON."""

    def __repr__(self) -> str:
        return json.dumps(self, indent=2, ensure_ascii=False)


def _source(data: Any, settings: Any) -> Any:
    """A table, or the table of a release: one in memory, or the folder of one."""
    if isinstance(data, Release):
        from ._frames import StreamFrame

        return StreamFrame(data._native.table).source(settings)
    if isinstance(data, (str, os.PathLike)):
        return PathFrame(_table_of(os.fspath(data))).source(settings)
    return frame(data).source(settings)


def _public(path: str) -> str:
    public = os.path.join(path, "public")
    return public if os.path.isdir(public) else path


def _table_of(path: str) -> str:
    if os.path.isfile(os.path.join(_public(path), "recoding.json")):
        for extension in ("csv", "parquet", "arrow", "jsonl"):
            table = os.path.join(_public(path), f"table.{extension}")
            if os.path.isfile(table):
                return table
    return path


def _recoding_of(data: Any) -> Optional[str]:
    if isinstance(data, Release):
        return whole_recoding(data._documents)
    if not isinstance(data, (str, os.PathLike)):
        return None
    for part in (os.path.join(os.fspath(data), "private"), _public(os.fspath(data))):
        stored = os.path.join(part, "recoding.json")
        if os.path.isfile(stored):
            with open(stored, encoding="utf-8") as file:
                return file.read()
    return None


def verify(
    data: Any,
    qid: Any = None,
    *,
    k: Optional[int] = None,
    sensitive: Sequence[str] = (),
    worst: int = 5,
    show_values: bool = False,
    progress: Progress = None,
    **settings: Any,
) -> Findings:
    """Does a table, ours or not, satisfy a requirement? ``holds`` tells, the rest is why. Counted by code that shares nothing with searches.

    >>> import cutline as cl
    >>> found = cl.verify({"age": [31, 31, 40], "sex": ["f", "f", "m"]}, qid={"age, sex": 2})
    >>> found["holds"], found["qids"][0]["anonymity"]
    (False, 1)

    A :class:`Release`, or the folder of one, knows its own requirement; of any other table ``qid`` says it.
    ``condition`` and ``bound`` say what must hold of sensitive values; of ``sensitive`` columns it is told how sure an attacker can be.
    ``show_values`` names the worst groups, which are values of records.
    """
    said = Said(qid, k, **settings).settings
    stored = _recoding_of(data)
    null = json.loads(stored or "{}").get("null", [])
    said["null"] = [*_listed(said.get("null")), *null] or None
    with Watch(progress) as watch:
        source = _source(data, said)
        text = _native.verify(
            watch, source, said, recoding=stored, sensitive=_listed(sensitive), worst=worst, show_values=show_values
        )
    return Findings(json.loads(text))


def _listed(value: Any) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def screen(
    data: Any, qid: Any = None, *, k: Optional[int] = None, progress: Progress = None, **settings: Any
) -> Findings:
    """Which columns name persons, single them out, or give masked ones away? For the data holder alone.

    >>> import cutline as cl
    >>> found = cl.screen({"email": [f"p{n}@example.org" for n in range(60)], "sex": ["f", "m"] * 30})
    >>> [column["name"] for column in found["columns"] if column["identifier"]]
    ['email']

    Without a QID, some are proposed.
    """
    said = Said(qid, k, **settings).settings
    with Watch(progress) as watch:
        return Findings(json.loads(_native.screen(watch, _source(data, said), said)))


def inspect(data: Any, *, progress: Progress = None, **settings: Any) -> Findings:
    """A first look: what could each column be? ``spec`` is a commented spec to edit.

    >>> import cutline as cl
    >>> found = cl.inspect({"age": list(range(60)), "sex": ["f", "m"] * 30, "diagnosis": ["a", "b", "c"] * 20})
    >>> {column["name"]: column["role"] for column in found["columns"]}
    {'age': 'quasi', 'sex': 'quasi', 'diagnosis': 'sensitive'}
    """
    said = Said(**settings).settings
    with Watch(progress) as watch:
        return Findings(json.loads(_native.inspect(watch, _source(data, said), said)))


def attack(
    released: Any,
    known: Any,
    on: Optional[Sequence[str]] = None,
    *,
    sensitive: Sequence[str] = (),
    truth: Optional[str] = None,
    person: Optional[str] = None,
    recoding: Any = None,
    null: Any = None,
    progress: Progress = None,
    **settings: Any,
) -> Any:
    """A linkage attack, as an adversary would run it: how many records does each person of a list with exact values match?

    ``released`` is a :class:`Release`, the folder of one, or any table; ``known`` is what the adversary has: nobody knows more than the raw
    table. ``on`` names the columns that both have; without it, every QID of the release is tried, and the answer is a list.
    ``sensitive`` are columns to infer; ``truth`` is a column that tells who is who, or ``"record"`` if the order does. With ``person``, a
    column of the released table (or, with ``truth="record"``, of the known one), persons are counted and not records.

    >>> import cutline as cl
    >>> people = {"age": [31, 32, 33, 64, 65, 66], "ill": ["no", "no", "no", "yes", "yes", "yes"]}
    >>> found = cl.attack(cl.anonymize(people, qid={"age": 3}), people, on=["age"], sensitive=["ill"])
    >>> found["persons"]
    6
    """
    stored = _recoding_of(released if recoding is None else recoding)
    said = Said(**settings).settings
    with Watch(progress) as watch:
        left, right = _source(released, said), _source(known, said)

        def run(columns: Sequence[str]) -> Findings:
            known_by = {"truth": truth, "person": person, "sensitive": list(sensitive)}
            text = _native.attack(watch, left, right, list(columns), **known_by, recoding=stored, null=_listed(null))
            return Findings(json.loads(text))

        if on is not None:
            return run([name.strip() for name in on.split(",")] if isinstance(on, str) else on)
        qids = json.loads(stored)["requirement"]["qids"] if stored else [{"attributes": []}]
        return [run(qid["attributes"]) for qid in qids]


def evaluate(
    raw: Any,
    masked: Any = None,
    *,
    qid: Any = None,
    k: Optional[int] = None,
    taxonomies: Any = None,
    holdout: Optional[float] = None,
    folds: Optional[int] = None,
    train_records: Optional[int] = None,
    classifier: Optional[str] = None,
    together: bool = False,
    progress: Progress = None,
    **settings: Any,
) -> Findings:
    """What did masking cost a model? C4.5 and Naive Bayes learn from the raw and from the masked table.

    With ``masked`` (a table, or a :class:`Release`), the two are compared. Without it the whole experiment is made: each training part is
    masked as the settings say, and its recoding is applied to the test part. ``target`` is what is predicted.

    >>> import cutline as cl
    >>> people = {"age": [31, 32, 33, 64, 65, 66] * 20, "ill": ["no", "no", "no", "yes", "yes", "yes"] * 20}
    >>> found = cl.evaluate(people, qid={"age": 10}, target="ill", folds=3)
    >>> [(measure["name"], measure["masked"]) for measure in found["measures"]]
    [('C4.5 error', 0.0), ('Naive Bayes error', 0.0)]
    """
    said = Said(qid, k, taxonomies, **settings)
    options = {
        "holdout": holdout, "folds": folds, "train_records": train_records, "classifier": classifier, "together": together,
    }
    with Watch(progress) as watch:
        source = _source(raw, said.settings)
        if masked is None:
            text = _native.evaluate(watch, source, said.settings, said.given, options)
        else:
            text = _native.evaluate_pair(watch, source, _source(masked, said.settings), said.settings, options)
    return Findings(json.loads(text))


def compare(
    data: Any,
    folder: Any,
    *,
    qid: Any = None,
    k: Optional[int] = None,
    taxonomies: Any = None,
    force: bool = False,
    progress: Progress = None,
    **settings: Any,
) -> Findings:
    """How well do clusters survive masking, for several ``clusters`` and several ks? Writes pages into a folder, and publishes nothing.

    As in ``compare(df, "folder", qid="age,sex:5..100", clusters=[2, 6, 10])``.
    """
    said = Said(qid, k, taxonomies, **settings)
    with Watch(progress) as watch:
        source = _source(data, said.settings)
        return Findings(json.loads(_native.compare(watch, source, said.settings, said.given, os.fspath(folder), force)))
