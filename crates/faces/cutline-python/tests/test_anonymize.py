"""Tables of every kind go in, and come back as what they were."""

import collections
import warnings

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import KINDS, columns, people

import cutline as cl

QID = {"age, sex, zip": 20}


def groups(table, *names):
    lists = columns(table)
    return collections.Counter(zip(*(lists[name] for name in names)))


def test_every_kind_of_table_is_masked_alike(kind):
    release = cl.anonymize(KINDS[kind](people()), qid=QID, target="ill")
    table = release.table
    expected = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lazy": pl.DataFrame, "dict": dict}.get(kind, pa.Table)
    assert isinstance(table, expected)
    assert min(groups(table, "age", "sex", "zip").values()) >= 20
    reference = cl.anonymize(people(), qid=QID, target="ill")
    assert columns(table) == columns(reference.table)
    assert release.recoding == reference.recoding and release.trace == reference.trace
    assert columns(table)["dose"] == people()["dose"], "what is not masked is as it was"


def test_the_ten_lines_of_the_introduction():
    df = pd.DataFrame(people())
    release = cl.anonymize(
        df,
        qid={"age, sex, zip": 20},
        target="ill",
        taxonomies={"zip": cl.Taxonomy.from_prefixes(df["zip"])},
        suppress_limit=0.01,
    )
    assert release.report["qids"][0]["anonymity"] >= 20
    assert set(release.recoding["attributes"]) == {"age", "sex", "zip"}
    assert release.recoding["private_taxonomies"] == ["zip"], "made from records, so it stays private"
    assert release.trace[0]["step"] == 1
    assert release.losses == release.report["metrics"]
    assert "<html" in release.to_html() and "<html" in release.to_html(public=True)
    assert release._repr_html_().startswith("<iframe")
    assert repr(release).startswith("<Release of 400 records")


def test_a_release_is_a_table_for_other_libraries():
    release = cl.anonymize(pd.DataFrame(people()), qid=QID)
    assert pl.DataFrame(release).to_dict(as_series=False) == columns(release.table) == pa.table(release).to_pydict()


def test_qids_are_said_in_many_ways():
    said = [
        dict(qid={"age, sex": 20}),
        dict(qid={("age", "sex"): 20}),
        dict(qid="age,sex:20"),
        dict(qid=["age,sex:20"]),
        dict(qid=["age", "sex"], k=20),
        dict(qid="age,sex", k=20),
    ]
    recodings = [cl.anonymize(people(), **one).recoding for one in said]
    assert all(recoding == recodings[0] for recoding in recodings)


def test_a_name_with_a_comma_and_a_colon_is_a_name():
    data = people()
    data["age, in years: all"] = data.pop("age")
    release = cl.anonymize(data, qid={("age, in years: all", "sex"): 20})
    assert "age, in years: all" in release.recoding["attributes"]


def test_every_setting_of_the_command_is_a_keyword():
    import inspect

    from cutline._settings import definitions

    known = inspect.signature(cl.anonymize).parameters
    for setting in definitions():
        name = setting["name"].replace("-", "_")
        assert (name in known) == (setting["reach"] == "everywhere"), name
        if name in known:
            assert f"    {name}: " in cl.anonymize.__doc__ or name == "qid"


def test_settings_take_python_types():
    import datetime
    import pathlib

    import numpy as np

    release = cl.anonymize(
        people(),
        qid={"age, zip": np.int64(20)},
        target="ill",
        range={"age": (0, 120)},
        categorical=["zip"],
        drop={"dose"},
        suppress_limit=np.float64(0.05),
        time_limit=datetime.timedelta(minutes=5),
        shuffle=False,
        threads=1,
        round_bounds=None,
    )
    assert release.recoding["attributes"]["age"]["bounds"][0] == 0
    assert "dose" not in release.table
    with pytest.raises(cl.InputError):
        cl.anonymize(people(), qid=QID, taxonomies={"zip": pathlib.Path("no-such-file.txt")})


def test_taxonomies_are_objects_dicts_or_files(tmp_path):
    tree = {"Any": {"East": {"021": ["02139", "02140"], "100": ["10001", "10002"]}, "West": ["94110"]}}
    object_ = cl.Taxonomy.from_dict(tree)
    path = tmp_path / "zip.txt"
    path.write_text(object_.to_outline())
    recodings = [cl.anonymize(people(), qid=QID, taxonomies={"zip": one}).recoding for one in (object_, tree, path, str(path))]
    assert all(recoding == recodings[0] for recoding in recodings)
    hidden = cl.anonymize(people(), qid=QID, taxonomies={"zip": tree}, private_taxonomy=["zip"])
    assert hidden.recoding["private_taxonomies"] == ["zip"]


def test_several_qids_and_conditions_hold():
    release = cl.anonymize(people(), qid={"age, sex": 30, "zip": 40}, condition=["distinct-l:ill=2"])
    found = cl.verify(release, qid={"age, sex": 30, "zip": 40}, condition=["distinct-l:ill=2"])
    assert found["holds"] and len(found["qids"]) == 2


def test_a_spec_file_is_a_table_too(tmp_path):
    pd.DataFrame(people()).to_csv(tmp_path / "people.csv", index=False)
    spec = tmp_path / "release.toml"
    spec.write_text('[input]\npath = "people.csv"\n[[qid]]\nattributes = ["age", "sex"]\nk = 20\n')
    assert cl.anonymize(spec).report["records"] == 400
    assert cl.anonymize(spec, qid={"age": 50}).report["qids"][0]["k"] == 50


def test_identifiers_are_dropped_or_tokenized(kind):
    data = {"id": [f"p{number}" for number in range(400)], "card": [number % 200 for number in range(400)], **people()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cl.CutlineWarning)
        table = cl.anonymize(KINDS[kind](data), qid=QID, drop=["id"], tokenize=["card"]).table
    table = columns(table)
    assert "id" not in table
    assert len(set(table["card"])) == 200 and all(len(token) == 32 for token in table["card"])


def test_records_that_are_left_out_are_left_out_of_every_column(kind):
    data = people()
    data["age"] = [None if number % 7 == 0 else age for number, age in enumerate(data["age"])]
    data["number"] = list(range(400))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cl.CutlineWarning)
        table = columns(cl.anonymize(KINDS[kind](data), qid=QID, missing="drop", keep="number").table)
    assert table["number"] == [number for number in range(400) if number % 7]
    assert table["dose"] == [data["dose"][number] for number in table["number"]]


def test_a_random_order_is_nobodys_business():
    data = {**people(), "number": list(range(400))}
    frame = pd.DataFrame(data, index=[f"p{number}" for number in range(400)]).astype({"ill": "category"})
    table = cl.anonymize(frame, qid=QID, shuffle=True, keep="number").table
    assert sorted(table["number"]) == data["number"] and table["number"].tolist() != data["number"]
    assert table.index.equals(pd.RangeIndex(400)), "the index would tell the order"
    assert table["ill"].dtype == "category" and table["number"].dtype == "int64"
    assert [data["dose"][number] for number in table["number"]] == table["dose"].tolist()
    other = cl.anonymize(pl.DataFrame(data), qid=QID, shuffle=True, keep="number").table
    assert sorted(other["number"]) == data["number"] and other["number"].to_list() != data["number"]


def test_a_search_can_be_stopped_by_steps():
    release = cl.anonymize(people(), qid={"age, sex, zip": 5}, max_steps=1)
    assert release.stopped == "max-steps" and len(release.trace) == 1


def test_notes_are_warnings_that_name_the_callers_line():
    data = {"id": [f"p{number:03}" for number in range(400)], **people()}
    with pytest.warns(cl.CutlineWarning) as caught:
        release = cl.anonymize(data, qid=QID, drop=["id"])
    assert caught[0].filename == __file__
    assert release.notes
