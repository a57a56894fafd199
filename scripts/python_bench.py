"""How long does the Python package take, and how much memory, beside the command? Optional, no part of the tests.

    cargo run --release -p cutline-bench -- generate 1000000 adult1m.csv
    python -c "import pyarrow.csv as c, pyarrow.parquet as p; p.write_table(c.read_csv('adult1m.csv'), 'adult1m.parquet')"
    pip install target/wheels/cutline-*.whl pandas polars pyarrow
    python scripts/python_bench.py adult1m.parquet target/release/cutline

Masks the papers' enlarged Adult table (1,000,000 records, a QID of all 14 attributes, k = 50) from pandas, polars and pyarrow, and by the
command from Parquet, each in a process of its own. Beside it: pandas' own `to_csv` of the same table. Peak memory is that of the whole
process; *above* is what masking added to the loaded table.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def load(kind: str, path: str):
    if kind.startswith("pandas"):
        import pandas

        return pandas.read_parquet(path)
    if kind == "polars":
        import polars

        return polars.read_parquet(path)
    import pyarrow.parquet

    return pyarrow.parquet.read_table(path)


def run(kind: str, path: str) -> dict:
    """One measurement, in this process."""
    table = load(kind, path)
    before, began = peak(), time.perf_counter()
    seconds = {}
    if kind == "pandas to_csv":
        with tempfile.TemporaryDirectory() as folder:
            table.to_csv(Path(folder) / "table.csv", index=False)
    else:
        import cutline as cl

        names = [name for name in table.columns if name != "income"] if kind != "pyarrow" else table.column_names[:-1]
        release = cl.anonymize(table, qid=list(names), k=50, target="income")
        seconds = {name: round(value, 2) for name, value in release.report["seconds"].items()}
        release.table
    return dict(kind=kind, seconds=time.perf_counter() - began, loaded=before, peak=peak(), stages=seconds)


def command(path: str, cutline: str) -> dict:
    import pyarrow.parquet

    names = [name for name in pyarrow.parquet.read_schema(path).names if name != "income"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        run = [cutline, "anonymize", path, "--qid", ",".join(names) + ":50", "--target", "income", "-q", "-o", str(out)]
        began = time.perf_counter()
        subprocess.run(run, check=True)
        seconds = time.perf_counter() - began
        report = json.loads((out / "private" / "report.json").read_text())
    stages = {name: round(value, 2) for name, value in report["seconds"].items()}
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return dict(kind="command, Parquet", seconds=seconds, loaded=0, peak=used, stages=stages)


def main() -> None:
    if sys.argv[1] == "--one":
        print(json.dumps(run(sys.argv[2], sys.argv[3])))
        return
    path, cutline = sys.argv[1:3]
    results = [command(path, cutline)]
    for kind in ("pyarrow", "polars", "pandas", "pandas to_csv"):
        ran = subprocess.run([sys.executable, __file__, "--one", kind, path], check=True, capture_output=True, text=True)
        results.append(json.loads(ran.stdout))
    print("| from | seconds | peak MB | above the loaded table MB | stages |\n| --- | ---: | ---: | ---: | --- |")
    for one in results:
        above = one["peak"] - one["loaded"]
        print(f"| {one['kind']} | {one['seconds']:.2f} | {one['peak']:.0f} | {above:.0f} | {one['stages']} |")


if __name__ == "__main__":
    main()
