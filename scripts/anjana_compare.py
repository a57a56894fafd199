"""Does anjana's idea of anonymity agree with ours, and pycanon's? Optional, no part of the tests.

    python3 -m venv env && env/bin/pip install anjana pycanon pyarrow target/wheels/cutline-*.whl
    env/bin/python scripts/anjana_compare.py

Publishes Adult with `cutline.anonymize` and with anjana (k-anonymity by full-domain generalization and suppression), for several k. Of both
tables k is counted by pycanon and by `cutline.verify`, which must agree; times and losses stand side by side.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from anjana.anonymity import k_anonymity
from pycanon import anonymity

import cutline as cl

DATA = Path(__file__).resolve().parent.parent / "datasets"
QID = ["age", "education", "marital-status", "sex", "race"]


def hierarchies(df: pd.DataFrame) -> dict:
    """The same taxonomies for anjana: a list of values for each level. It generalizes a whole column to one level."""
    levels = {"age": {0: df["age"].to_numpy()}}
    for level, width in enumerate((5, 10, 20, 40), 1):
        low = df["age"] // width * width
        levels["age"][level] = (low.astype(str) + "-" + (low + width).astype(str)).to_numpy()
    levels["age"][5] = np.full(len(df), "*")
    for name in QID[1:]:
        rows = [line.split(";") for line in cl.Taxonomy.from_file(DATA / "taxonomies" / f"{name}.txt").to_arx().splitlines()]
        height = max(map(len, rows))
        above = {row[0]: row + [row[-1]] * (height - len(row)) for row in rows}
        levels[name] = {level: df[name].map({value: row[level] for value, row in above.items()}).to_numpy() for level in range(height)}
    return levels


def main() -> int:
    df = pd.read_csv(DATA / "adult/train.csv.gz", skipinitialspace=True, na_values="?")[[*QID, "income"]].dropna()
    taxonomies = {name: DATA / "taxonomies" / f"{name}.txt" for name in QID[1:]}
    failed = 0
    print("| k | by | seconds | records | groups | k by pycanon | k by cutline |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for k in (5, 20, 100):
        began = time.perf_counter()
        ours = cl.anonymize(df, qid=QID, k=k, target="income", taxonomies=taxonomies, suppress_limit=0.05, suppress_how="drop").table
        between = time.perf_counter()
        theirs = k_anonymity(df.copy(), [], QID, k, 5, hierarchies(df))
        ended = time.perf_counter()
        for by, table, seconds in (("cutline", ours, between - began), ("anjana", theirs, ended - between)):
            table = table.astype({name: str for name in QID}).reset_index(drop=True)
            found = cl.verify(table, qid=QID, k=k)["qids"][0]
            counted = anonymity.k_anonymity(table, QID)
            print(f"| {k} | {by} | {seconds:.2f} | {len(table)} | {found['groups']} | {counted} | {found['anonymity']} |")
            failed += counted != found["anonymity"] or counted < k
    return failed


if __name__ == "__main__":
    sys.exit(main())
