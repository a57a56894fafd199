"""Bad input: clear exceptions that name no value, and everything that must survive survives."""

import datetime
import pickle
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import people

import cutline as cl

QID = {"age, sex": 20}


def raised(kind, match, data=None, **settings):
    with pytest.raises(kind, match=match or None) as caught:
        cl.anonymize(people() if data is None else data, **{"qid": QID, **settings})
    assert isinstance(caught.value, cl.CutlineError) and caught.value.message in str(caught.value)
    return caught.value


def test_a_wrong_column_is_named_with_the_one_that_was_meant():
    error = raised(cl.InputError, "no column `agee`", qid={"agee": 5})
    assert "did you mean `age`?" in error.hint and error.blame == "arguments"
    assert isinstance(error, ValueError)


def test_a_wrong_setting_is_named_as_a_keyword():
    error = raised(cl.SettingError, "suppress-limt", suppress_limt=0.1)
    assert error.hint == "did you mean suppress_limit?"
    error = raised(cl.SettingError, "suppress_limit: `many` is no share", suppress_limit="many")
    assert error.blame == "setting"
    raised(cl.SettingError, "a setting is no object", seed=object())
    raised(cl.SettingError, "max_steps", max_steps=-3)
    raised(cl.SettingError, "threads", threads=-1)
    raised(cl.SettingError, "a range has two bounds", range={"age": (0, 1, 2)})
    error = raised(cl.InputError, "also in a QID", target="age")
    assert "allow_target_in_qid" in error.hint and "--" not in error.hint


def test_a_qid_without_k_or_a_k_without_qid():
    assert "k=10" in raised(cl.SettingError, "has no k", qid=["age", "sex"]).hint
    raised(cl.SettingError, "no QID", qid=None, k=5)
    raised(cl.InputError, "names no QID", qid=None)
    raised(cl.InputError, "is no QID", qid={"age": "many"})
    raised(cl.SettingError, "a QID is no int", qid=5)
    raised(cl.SettingError, "names no attribute", qid=[], k=5)
    raised(cl.SettingError, "has its own k", qid={"age": 5}, k=5)
    for k in [0, -3, 2.5, True, None, object()]:
        raised(cl.SettingError, "k is a whole number of at least 1", qid={"age": k})


def test_ks_and_names_of_other_libraries_are_understood():
    frame = pd.DataFrame(people())
    for names in [("age", "sex"), {"age", "sex"}, frame.columns[:2], np.array(["age", "sex"])]:
        assert cl.anonymize(frame, qid=names, k=np.int64(20)).report["qids"][0]["k"] == 20


def test_what_is_no_table_is_refused():
    for data in [None, 7, [1, 2], pd.Series([1, 2]), object()]:
        with pytest.raises(cl.InputError, match="is no table"):
            cl.anonymize(data, qid=QID)
    with pytest.raises(cl.InputError):
        cl.anonymize("no-such-file.csv", qid=QID)
    raised(cl.InputError, "different lengths", {"age": [1], "sex": []})
    raised(cl.InputError, "the column `sex` is no list", {"age": [1], "sex": "f"})
    raised(cl.InputError, "the column `age` is no list", {"age": 31})
    assert "pandas.DataFrame makes" in raised(cl.InputError, "`ndarray` is no table", np.eye(3)).hint


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_a_table_without_records_is_refused(kind):
    raised(cl.InputError, "has no records", kind({"age": [], "sex": []}))


def test_a_table_without_columns_is_refused():
    for data in [pd.DataFrame(), pd.DataFrame(index=[1, 2]), pl.DataFrame(), {}]:
        raised(cl.InputError, "", data)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_one_record_cannot_hide(kind):
    error = raised(cl.RequirementError, "", kind({"age": [33], "sex": ["f"]}))
    assert error.blame == "requirement" and "smaller k" in error.hint
    assert not isinstance(error, ValueError)
    assert cl.anonymize(kind({"age": [33], "sex": ["f"]}), qid={"age, sex": 1}).report["records"] == 1


def test_duplicate_columns_are_refused():
    frame = pd.DataFrame([[1, 2, "f"]] * 40, columns=["age", "age", "sex"])
    raised(cl.InputError, "two columns are called `age`", frame)
    raised(cl.InputError, "two columns are called `age`", pa.table([[1], [2]], names=["age", "age"]))
    frame = pd.DataFrame([[1, 2, "f"]] * 40, columns=[1, "1", "sex"])
    raised(cl.InputError, "two columns are called `1`", frame)


def test_mixed_types_are_refused_without_a_word_of_their_values():
    frame = pd.DataFrame({"age": [1, "secret-value"] * 20, "sex": ["f", "m"] * 20})
    error = raised(cl.InputError, "`age` holds values of several types", frame)
    assert "secret" not in str(error) and error.__cause__ is None and error.__suppress_context__
    nested = pd.DataFrame({"age": [{"a": 1}] * 40, "sex": ["f"] * 40})
    assert "secret" not in str(raised(cl.InputError, "age", nested))


def test_types_that_cannot_be_masked_are_told_with_their_column():
    pairs = pl.DataFrame(people()).with_columns(pl.struct("age", "dose").alias("pair"))
    error = raised(cl.InputError, "column `pair` holds values that are not text", pairs, qid={"pair": 20})
    assert "store the values as text" in error.hint
    wide = pl.DataFrame(people()).with_columns(pl.col("age").cast(pl.Int128).alias("wide"))
    raised(cl.InputError, "the column `wide` is of a type that cannot be read", wide)


def test_uuids_are_identifiers_like_others():
    frame = pd.DataFrame(people()).assign(id=[None, *(uuid.UUID(int=number) for number in range(399))])
    raised(cl.InputError, "`id`", frame)
    assert "id" not in cl.anonymize(frame, qid=QID, drop=["id"]).table
    for shuffle in (None, True):
        kept = cl.anonymize(frame, qid=QID, keep=["id"], shuffle=shuffle).table["id"]
        assert set(kept.dropna()) == set(frame["id"].dropna()) and kept.isna().sum() == 1
    assert cl.anonymize(frame, qid={"id": 20}).report["records"] == 400


def test_sparse_columns_and_intervals_of_pandas_are_masked_and_kept():
    frame = pd.DataFrame(people()).assign(rare=pd.arrays.SparseArray([0] * 300 + [1] * 100), bin=lambda frame: pd.cut(frame["age"], 5))
    frame["span"] = pd.arrays.IntervalArray(frame["bin"].astype(object))
    untouched = cl.anonymize(frame, qid=QID, no_screen=True).table
    pd.testing.assert_frame_equal(untouched[["rare", "bin", "span"]], frame[["rare", "bin", "span"]])
    shuffled = cl.anonymize(frame, qid=QID, no_screen=True, shuffle=True).table
    for name in ["rare", "bin", "span"]:
        assert shuffled[name].dtype == frame[name].dtype
        assert sorted(map(str, shuffled[name])) == sorted(map(str, frame[name]))
    masked = cl.anonymize(frame, qid={"rare, bin": 20}, no_screen=True).table
    assert masked.groupby(["rare", "bin"]).size().min() >= 20
    assert set(masked["bin"]) <= {*map(str, frame["bin"].cat.categories), "*"}


def test_names_that_are_no_texts_come_back():
    frame = pd.DataFrame({0: people()["age"], ("a", "b"): people()["sex"], None: people()["dose"]})
    table = cl.anonymize(frame, qid={("0", "('a', 'b')"): 20}).table
    assert list(table.columns)[:2] == [0, ("a", "b")] and len(table.columns) == 3
    levels = pd.DataFrame({("who", "age"): people()["age"], ("what", "dose"): people()["dose"]})
    table = cl.anonymize(levels, qid={("('who', 'age')",): 20}).table
    assert isinstance(table.columns, pd.MultiIndex) and list(table.columns) == list(levels.columns)


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(5, 805, 2),
        pd.Index([f"row {number}" for number in range(400)], name="who"),
        pd.date_range("2020-01-01", periods=400, tz="Europe/Berlin"),
        pd.MultiIndex.from_product([range(20), range(20)], names=["a", "b"]),
        pd.Index([7] * 400),
    ],
)
def test_an_index_survives_and_is_not_published(index, tmp_path):
    frame = pd.DataFrame(people(), index=index)
    release = cl.anonymize(frame, qid=QID)
    assert release.table.index.equals(index) and release.table.index.names == index.names
    release.publish(tmp_path / "out")
    header = (tmp_path / "out/public/table.csv").read_text().splitlines()[0]
    assert header == "age,sex,zip,ill,dose"
    frame["age"] = [None, *frame["age"][1:]]
    left = cl.anonymize(frame, qid=QID, missing="drop").table
    assert left.index.equals(index[1:])


def dtypes() -> pd.DataFrame:
    frame = pd.DataFrame(people())
    days = pd.Series(pd.date_range("2020-01-01", periods=400, freq="h"))
    return frame.assign(
        category=frame["zip"].astype("category"),
        ordered=pd.Categorical(frame["sex"], categories=["m", "f", "x"], ordered=True),
        nullable=pd.array([None, 1] * 200, dtype="Int16"),
        boolean=pd.array([True, None] * 200, dtype="boolean"),
        small=np.arange(400, dtype="uint8") % 7,
        half=np.arange(400, dtype="float32"),
        zone=days.dt.tz_localize("Europe/Berlin"),
        day=days,
        span=days - days[0],
        period=days.dt.to_period("M"),
        arrow=pd.array(["x", None] * 200, dtype="string[pyarrow]"),
        empty=pd.Series([None] * 400, dtype=object),
        nan=np.nan,
    )


def test_dtypes_of_untouched_columns_survive():
    frame = dtypes()
    before = frame.copy(deep=True)
    table = cl.anonymize(frame, qid=QID, keep=["zone", "day", "span"]).table
    untouched = [name for name in frame if name not in ("age", "sex")]
    pd.testing.assert_frame_equal(table[untouched], frame[untouched])
    pd.testing.assert_frame_equal(frame, before)
    assert list(table.columns) == list(frame.columns)


@pytest.mark.parametrize("name", ["category", "ordered", "nullable", "boolean", "small", "half", "zone", "day", "arrow", "empty", "nan"])
def test_columns_of_every_dtype_can_be_masked(name):
    table = cl.anonymize(dtypes()[[name, "dose"]], qid={name: 100}).table
    assert table[name].value_counts(dropna=False).min() >= 100


def test_an_all_null_column_stays_null():
    table = cl.anonymize(dtypes()[["empty", "age"]], qid={"empty, age": 20}).table
    assert table["empty"].isna().all() or set(table["empty"]) == {"*"}


def test_polars_types_of_untouched_columns_survive():
    frame = pl.DataFrame(people()).with_columns(
        pl.col("zip").cast(pl.Categorical).alias("category"),
        pl.col("sex").cast(pl.Enum(["m", "f"])).alias("enum"),
        pl.lit(datetime.date(2020, 1, 1)).alias("day"),
        pl.lit(datetime.datetime(2020, 1, 1)).dt.replace_time_zone("Europe/Berlin").alias("zone"),
        pl.lit(None).alias("null"),
        pl.concat_list("age", "age").alias("list"),
    )
    table = cl.anonymize(frame, qid=QID).table
    untouched = [name for name in frame.columns if name not in ("age", "sex")]
    assert table.select(untouched).equals(frame.select(untouched)) and table.select(untouched).schema == frame.select(untouched).schema
    assert cl.anonymize(frame, qid={"category, enum, day, zone": 20}).report["records"] == 400


def test_arrow_types_of_untouched_columns_survive_and_notes_do_not():
    table = pa.table(people()).append_column("code", pa.array(people()["zip"]).dictionary_encode())
    table = table.replace_schema_metadata({"raw": "secret"})
    published = cl.anonymize(table, qid=QID).table
    assert published.schema.field("code").type == table.schema.field("code").type
    assert published["dose"].equals(table["dose"]) and published.schema.metadata is None


def test_exceptions_can_be_sent_to_another_process():
    error = raised(cl.InputError, "", qid={"agee": 5})
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.hint) == (type(error), str(error), error.hint)


def test_a_value_that_a_taxonomy_lacks_is_told_with_what_to_do():
    tree = cl.Taxonomy.from_dict({"Any": ["02139", "10001"]})
    error = raised(cl.InputError, "zip", qid={"zip": 20}, taxonomies={"zip": tree})
    assert 'unknown="root"' in error.hint
    cl.anonymize(people(), qid={"zip": 20}, taxonomies={"zip": tree}, unknown="root")
    raised(cl.InputError, "has a taxonomy, but has a range", taxonomies={"age": tree}, range={"age": (0, 120)})
    for wrong in [7, ["02139"]]:
        raised(cl.InputError, "is no taxonomy", qid={"zip": 20}, taxonomies={"zip": wrong})
    for wrong in [pd.DataFrame(people()), "02139", 7]:
        with pytest.raises(cl.InputError, match="is no column of values"):
            cl.Taxonomy.from_prefixes(wrong)


def test_taxonomies_may_be_said_in_the_singular():
    tree = {"Any": {"East": ["02139", "02140", "10001", "10002"], "West": ["94110"]}}
    one, other = (cl.anonymize(people(), qid={"zip, age": 20}, **{name: {"zip": tree}}) for name in ("taxonomy", "taxonomies"))
    assert one.recoding == other.recoding
    assert one.recoding["attributes"]["zip"]["operation"] == "generalize"


def test_a_name_with_a_comma_stands_in_quotes_or_in_a_tuple():
    frame = pd.DataFrame(people()).rename(columns={"age": "age, in years"})
    assert "double quotes" in raised(cl.InputError, "no column `age`", frame, qid={"age, in years": 20}).hint
    for qid in [{'"age, in years"': 20}, {("age, in years",): 20}]:
        assert cl.anonymize(frame, qid=qid).report["records"] == 400


def test_what_is_no_recoding_cannot_be_applied(tmp_path):
    release = cl.anonymize(people(), qid=QID)
    for recoding in [release, release.recoding]:
        assert cl.apply(recoding, people(), tmp_path / "again.csv", force=True) == {"records": 400, "suppressed": 0}
    with pytest.raises(cl.InputError, match="`int` is no recoding"):
        cl.apply(7, people(), tmp_path / "other.csv")
    with pytest.raises(cl.InputError):
        cl.apply({"a": 1}, people(), tmp_path / "other.csv")


def test_a_release_knows_its_own_requirement_and_other_tables_need_one(tmp_path):
    release = cl.anonymize(people(), qid=QID, condition="distinct-l:ill=2")
    release.publish(tmp_path / "out")
    for one in [release, tmp_path / "out"]:
        found = cl.verify(one)
        assert found["holds"] and [qid["attributes"] for qid in found["qids"]] == [["age", "sex"]]
        assert [condition["condition"] for condition in found["qids"][0]["conditions"]] == ["distinct-l:ill=2"]
    with pytest.raises(cl.InputError, match="no QID is named") as caught:
        cl.verify(people())
    assert 'qid="age,sex,zip:10"' in caught.value.hint
