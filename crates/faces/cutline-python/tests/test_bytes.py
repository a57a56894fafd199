"""The package and the command publish the same bytes."""

import pathlib
import random
import subprocess
import warnings

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import cutline as cl


def random_table(chance: random.Random) -> pa.Table:
    records = chance.randint(30, 300)
    pick = lambda values: [chance.choice(values) for _ in range(records)]  # noqa: E731
    return pa.table(
        {
            "whole": pa.array(pick([None, *range(-5, 40)]), pa.int32()),
            "real": pa.array(pick([0.5, 1.25, -3.0, 1e9, 7.0, None]), pa.float64()),
            "name": pa.array(pick(["a", "b", "c d", "e,f", 'g"h', "ä", None])),
            "group": pa.array(pick(["x", "y", "z"])).dictionary_encode(),
            "flag": pa.array(pick([True, False])),
            "day": pa.array(pick([0, 1, 400]), pa.date32()),
            "class": pa.array(pick(["yes", "no"])),
        }
    )


def random_settings(chance: random.Random) -> dict:
    names = ["whole", "real", "name", "group", "flag"]
    said = {"qid": [f"{','.join(chance.sample(names, chance.randint(1, 4)))}:{chance.randint(2, 8)}"]}
    if chance.random() < 0.5:
        said["qid"].append(f"{','.join(chance.sample(names, 2))}:{chance.randint(2, 9)}")
    if chance.random() < 0.6:
        said["target"] = "class"
    if chance.random() < 0.5:
        said["suppress_limit"] = chance.choice(["5%", "20%"])
        said["suppress_how"] = chance.choice(["mask", "drop"])
    said["algorithm"] = chance.choice(["tdr", "tds", "bottom-up", "refine"])
    said["missing"] = chance.choice(["value", "drop"])
    said["format"] = chance.choice(["csv", "parquet", "arrow", "jsonl"])
    return said


def flags(said: dict) -> list[str]:
    listed = lambda value: value if isinstance(value, list) else [value]  # noqa: E731
    return [part for name, value in said.items() for one in listed(value) for part in ("--" + name.replace("_", "-"), one)]


def files(folder: pathlib.Path) -> dict[str, bytes]:
    public = {path.name: path.read_bytes() for path in sorted((folder / "public").iterdir())}
    return {**public, "trace.jsonl": (folder / "private" / "trace.jsonl").read_bytes()}


@pytest.mark.parametrize("seed", range(12))
def test_random_tables_give_the_same_bytes_as_the_command(seed, command, tmp_path):
    chance = random.Random(seed)
    table, said = random_table(chance), random_settings(chance)
    pq.write_table(table, tmp_path / "table.parquet")
    run = [command, "anonymize", "table.parquet", "-o", "by-command", "--quiet", *flags(said)]
    ran = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cl.CutlineWarning)
        try:
            release = cl.anonymize(table, **said)
        except cl.CutlineError as error:
            assert ran.returncode == (1 if isinstance(error, cl.RequirementError) else 2), ran.stderr
            assert error.message in ran.stderr.replace("table.parquet", "the table")
            return
        assert ran.returncode == 0, ran.stderr
        release.publish(tmp_path / "by-package")
        cl.anonymize(tmp_path / "table.parquet", **said).publish(tmp_path / "from-file")
    by_command = files(tmp_path / "by-command")
    assert files(tmp_path / "from-file") == by_command
    by_package = files(tmp_path / "by-package")
    if said["format"] == "arrow":
        # Arrow files hold columns as they lie in memory, of which there are several ways.
        own, other = (pa.ipc.open_file(pa.py_buffer(found.pop("table.arrow"))).read_all() for found in (by_package, by_command))
        assert own.equals(other) and own.schema == other.schema
    assert by_package == by_command


def test_what_is_published_is_what_is_in_memory(tmp_path):
    release = cl.anonymize(random_table(random.Random(5)), qid={"whole, name": 5}, target="class")
    release.publish(tmp_path / "out", format="parquet")
    assert pq.read_table(tmp_path / "out/public/table.parquet").to_pydict() == release.table.to_pydict()
    with pytest.raises(cl.InputError, match="exists already") as caught:
        release.publish(tmp_path / "out")
    assert "force=True" in caught.value.hint
    release.publish(tmp_path / "out", force=True)
    assert (tmp_path / "out/public/table.csv").exists(), "csv is the usual format of a table from memory"
