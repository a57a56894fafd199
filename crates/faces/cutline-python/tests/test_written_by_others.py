"""Files that somebody else's program wrote, read by the command and by the package."""

import bz2
import datetime
import gzip
import json
import lzma
import subprocess

import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from conftest import people

import cutline as cl

QID = "age,sex,zip:20"


def anonymize(command, table, out, *more):
    arguments = [command, "anonymize", str(table), "--qid", QID, "--target", "ill", *more, "-o", str(out)]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out / "public"


@pytest.fixture
def expected(command, tmp_path):
    """What comes of the plainest file."""
    data = people()
    lines = [",".join(data), *(",".join(map(str, record)) for record in zip(*data.values()))]
    (tmp_path / "plain.csv").write_text("\n".join(lines) + "\n")
    return (anonymize(command, tmp_path / "plain.csv", tmp_path / "plain") / "table.csv").read_text()


def masked(text, name="table.csv"):
    """The columns that are masked: those that are not may be written otherwise by another program."""
    table = pd.read_csv(text, dtype=str) if name.endswith("csv") else pd.read_parquet(text)
    return table[["age", "sex", "zip", "ill"]].astype(str)


def pandas_excel(data, path):
    pd.DataFrame(data).to_excel(path, index=False)


def polars_csv(data, path):
    pl.DataFrame(data).write_csv(path)


def pyarrow_csv(data, path):
    pa.csv.write_csv(pa.table(data), path)


WRITERS = {
    "pandas.csv": lambda data, path: pd.DataFrame(data).to_csv(path, index=False),
    "pandas.csv.gz": lambda data, path: pd.DataFrame(data).to_csv(path, index=False),
    "pandas.csv.xz": lambda data, path: pd.DataFrame(data).to_csv(path, index=False),
    "pandas.csv.bz2": lambda data, path: pd.DataFrame(data).to_csv(path, index=False),
    "pandas.xlsx": pandas_excel,
    "pandas.ods": pandas_excel,
    "pandas.jsonl": lambda data, path: pd.DataFrame(data).to_json(path, orient="records", lines=True),
    "pandas.parquet": lambda data, path: pd.DataFrame(data).to_parquet(path),
    "polars.csv": polars_csv,
    "polars.parquet": lambda data, path: pl.DataFrame(data).write_parquet(path),
    "polars.arrow": lambda data, path: pl.DataFrame(data).write_ipc(path),
    "polars.ndjson": lambda data, path: pl.DataFrame(data).write_ndjson(path),
    "pyarrow.csv": pyarrow_csv,
    "pyarrow.parquet": lambda data, path: pq.write_table(pa.table(data), path, compression="gzip"),
    "pyarrow.feather": lambda data, path: pa.feather.write_feather(pa.table(data), path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_s_file_is_masked_alike(name, command, tmp_path, expected):
    WRITERS[name](people(), tmp_path / name)
    public = anonymize(command, tmp_path / name, tmp_path / "out", "--format", "csv")
    (tmp_path / "expected.csv").write_text(expected)
    pd.testing.assert_frame_equal(masked(public / "table.csv"), masked(tmp_path / "expected.csv"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252", "iso-8859-15"])
def test_encodings_of_pandas(encoding, command, tmp_path):
    table = pd.DataFrame({"ort": ["Köln", "Köln", "Düren", "Düren"], "alter": [30, 31, 40, 41]})
    table.to_csv(tmp_path / "t.csv", index=False, encoding=encoding)
    said = [] if encoding.startswith("utf") else ["--encoding", encoding]
    arguments = [command, "anonymize", "t.csv", "--qid", "ort:2", *said, "-o", "out"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    published = pd.read_csv(tmp_path / "out/public/table.csv")
    assert published["ort"].tolist() == ["Köln", "Köln", "Düren", "Düren"]


def test_a_decimal_comma_of_pandas(tmp_path):
    table = pd.DataFrame({"income": [1000.5, 1000.5, 2000.75, 2000.75], "note": list("abcd")})
    table.to_csv(tmp_path / "t.csv", index=False, sep=";", decimal=",")
    release = cl.anonymize(str(tmp_path / "t.csv"), qid={"income": 2}, decimal=",")
    assert set(release.table["income"].to_pylist()) == {"<2000.75", ">=2000.75"}


def test_cells_of_a_spreadsheet_have_their_types(command, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Patients"
    sheet.append(["born", "age", "dose", "ok", "seen", "zip"])
    for day in range(1, 5):
        born = datetime.date(1980, 1 + day // 3, day)
        sheet.append([born, 30, day / 4, True, datetime.datetime(2024, 5, day, 10, 30), f"0{day}139"])
    book.create_sheet("Empty")
    book.save(tmp_path / "t.xlsx")
    arguments = [command, "anonymize", "t.xlsx", "--qid", "age:2", "--keep", "seen,born", "--format", "parquet", "-o", "out"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    table = pq.read_table(tmp_path / "out/public/table.parquet")
    types = {field.name: field.type for field in table.schema}
    assert types["born"] == pa.date32() and types["dose"] == pa.float64() and types["ok"] == pa.bool_()
    assert types["seen"] == pa.timestamp("ms") and types["zip"] == pa.string()
    assert table["born"][2].as_py() == datetime.date(1980, 2, 3)
    assert table["seen"][0].as_py() == datetime.datetime(2024, 5, 1, 10, 30)
    assert table["zip"][0].as_py() == "01139"


def test_several_sheets_are_told_apart(command, tmp_path):
    with pd.ExcelWriter(tmp_path / "t.xlsx") as writer:
        pd.DataFrame({"age": [1, 1]}).to_excel(writer, sheet_name="one", index=False)
        pd.DataFrame({"age": [2, 2, 3, 3]}).to_excel(writer, sheet_name="two", index=False)
    ask = [command, "anonymize", "t.xlsx", "--qid", "age:2", "-o"]
    done = subprocess.run([*ask, "out"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and "2 sheets" in done.stderr and "--sheet: one, two" in done.stderr
    done = subprocess.run([*ask, "out", "--sheet", "three"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and "no sheet `three`" in done.stderr
    done = subprocess.run([*ask, "-", "--sheet", "two"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.splitlines() == ["age", "<3", "<3", ">=3", ">=3"], done.stderr


def test_a_formula_that_failed_is_told_with_its_place(command, tmp_path):
    book = openpyxl.Workbook()
    for row in (["age", "rate"], [30, 0.5], [31, "#DIV/0!"], [32, "#N/A"]):
        book.active.append(row)
    book.active["B3"].data_type = book.active["B4"].data_type = "e"
    book.save(tmp_path / "t.xlsx")
    arguments = [command, "anonymize", "t.xlsx", "--qid", "age:2", "-o", "out"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "`t.xlsx` sheet `Sheet`, row 3, column `rate`: a formula has failed" in done.stderr


def test_a_damaged_spreadsheet_is_an_error_and_no_crash(command, tmp_path):
    pd.DataFrame(people(50)).to_excel(tmp_path / "t.xlsx", index=False)
    whole = (tmp_path / "t.xlsx").read_bytes()
    for name, content in {"cut": whole[: len(whole) // 2], "text": b"age\n30\n", "empty": b""}.items():
        (tmp_path / f"{name}.xlsx").write_bytes(content)
        done = subprocess.run(
            [command, "anonymize", f"{name}.xlsx", "--qid", "age:2", "-o", "out"],
            cwd=tmp_path, capture_output=True, text=True,
        )
        assert done.returncode == 2 and f"`{name}.xlsx`" in done.stderr and "panicked" not in done.stderr, done.stderr


def test_a_text_table_becomes_parquet_with_types(command, tmp_path):
    table = pd.DataFrame({
        "age": [30, 30, 40, 40],
        "visits": [1, 2, 3, 4],
        "dose": [0.5, 1.25, 2.0, 3.5],
        "smoker": [True, False, True, False],
        "day": ["2024-02-29", "2024-03-01", "2024-03-02", "2024-03-03"],
        "code": ["007", "008", "009", "010"],
        "gap": [1, None, 3, None],
        "mixed": ["1", "2", "x", "4"],
    })
    table.to_csv(tmp_path / "t.csv", index=False)
    arguments = [command, "anonymize", "t.csv", "--qid", "age:2", "--keep", "day,code", "--format", "parquet", "-o", "out"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    published = pq.read_table(tmp_path / "out/public/table.parquet")
    types = {field.name: str(field.type) for field in published.schema}
    assert types == {
        "age": "string", "visits": "int64", "dose": "double", "smoker": "bool", "day": "date32[day]", "code": "string",
        "gap": "double", "mixed": "string",
    }
    assert published["gap"].to_pylist() == [1.0, None, 3.0, None]
    assert published["code"].to_pylist() == ["007", "008", "009", "010"]


def test_descriptions_and_the_index_of_a_frame_survive_in_parquet(command, tmp_path):
    frame = pd.DataFrame({"age": [30, 30, 40, 40], "dose": [1.5, 2.5, 3.5, 4.5], "phone": list("abcd")})
    frame.index = pd.Index([11, 12, 13, 14], name="visit")
    table = pa.Table.from_pandas(frame)
    notes = {"dose": {"unit": "mg", "max": "4.5"}, "age": {"description": "completed years"}}
    fields = [field.with_metadata(notes[field.name]) if field.name in notes else field for field in table.schema]
    table = table.cast(pa.schema(fields, metadata=table.schema.metadata))
    pq.write_table(table, tmp_path / "t.parquet")
    arguments = [command, "anonymize", "t.parquet", "--qid", "age:2", "--drop", "phone", "--keep", "visit", "-o", "out"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    published = pq.read_table(tmp_path / "out/public/table.parquet")
    assert published.schema.field("dose").metadata[b"unit"] == b"mg"
    assert b"max" not in published.schema.field("dose").metadata, "it tells of the values"
    assert published.schema.field("age").metadata[b"description"] == b"completed years"
    again = pd.read_parquet(tmp_path / "out/public/table.parquet")
    assert again.index.name == "visit" and again.index.tolist() == [11, 12, 13, 14]
    assert again["age"].tolist() == ["<40", "<40", ">=40", ">=40"]
    assert b"phone" not in (tmp_path / "out/public/table.parquet").read_bytes()


def test_builtin_classifications_and_keys_are_keywords(tmp_path, command):
    codes = {"code": ["I21.4", "I21.0", "J45", "J44"], "who": ["ann", "bob", "ann", "eve"]}
    subprocess.run([command, "key", "new", str(tmp_path / "k")], check=True, capture_output=True)
    release = cl.anonymize(
        codes, qid={"code": 2}, taxonomies={"code": "builtin:icd-10"}, tokenize=["who"], token_key=str(tmp_path / "k")
    )
    assert release.table["code"] == ["I21", "I21", "J40-J47", "J40-J47"]
    again = cl.anonymize(codes, qid={"code": 2}, tokenize=["who"], token_key=str(tmp_path / "k"))
    assert release.table["who"] == again.table["who"] and len(set(again.table["who"])) == 3


def test_arff_is_read_by_its_header(tmp_path):
    # As scipy.io.arff and Weka read it; liac-arff writes such files.
    text = "@RELATION people\n\n@ATTRIBUTE age REAL\n@ATTRIBUTE grade {1, 2, 3}\n@ATTRIBUTE 'full time' {yes, no}\n\n@DATA\n"
    rows = [f"{age},{1 + age % 3},{'yes' if age % 2 else 'no'}" for age in range(20, 60)]
    (tmp_path / "t.arff").write_text(text + "\n".join(rows) + "\n%\n%\n")
    release = cl.anonymize(str(tmp_path / "t.arff"), qid={"age, grade": 10})
    attributes = release.recoding["attributes"]
    assert attributes["age"]["operation"] == "discretize" and attributes["grade"]["operation"] == "suppress"


def test_packed_by_python(command, tmp_path, expected):
    plain = (tmp_path / "plain.csv").read_bytes()
    for name, pack in {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}.items():
        (tmp_path / f"t.csv.{name}").write_bytes(pack(plain))
        public = anonymize(command, tmp_path / f"t.csv.{name}", tmp_path / name)
        assert (public / "table.csv").read_text() == expected
    done = subprocess.run(
        [command, "anonymize", "-", "--input-format", "csv", "--qid", QID, "--target", "ill", "-o", "-"],
        input=lzma.compress(plain), capture_output=True,
    )
    assert done.stdout.decode() == expected and b"holds" in done.stderr
    assert json.loads((tmp_path / "xz/public/report.json").read_text())["records"] == 400
