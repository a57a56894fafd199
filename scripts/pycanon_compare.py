"""Does `cutline verify` agree with pycanon? Optional, no part of the tests.

    python3 -m venv pycanon-env && pycanon-env/bin/pip install pycanon
    cargo build --release
    pycanon-env/bin/python scripts/pycanon_compare.py target/release/cutline

Publishes Adult, CRX and German with every algorithm and several k, and compares k, distinct and entropy l, alpha and t of every
release with what pycanon (https://pypi.org/project/pycanon) says. Conventions of pycanon that the comparison follows:

- entropy l is the largest whole number, so ours is rounded down (after a billionth is added: pycanon may fall below a whole number);
- t is the ordered distance for numbers and the equal distance for everything else;
- missing values are texts like others, and cells are read as texts, so that nothing becomes NaN (pandas leaves groups with NaN out).
"""

import hashlib
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas
from pycanon import anonymity

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "datasets"
TAXONOMIES = ["education", "marital-status", "native-country", "race", "relationship", "sex", "workclass"]

ADULT = dict(data=DATA / "adult" / "train.csv.gz", null="?", target="income", taxonomies=TAXONOMIES)
CRX = dict(data=DATA / "crx" / "crx.csv.gz", null="?", target="class", taxonomies=[])
GERMAN = dict(data=DATA / "german" / "german.csv.gz", null="?", target="class", taxonomies=[])

# The table, a QID, the sensitive attribute (is it a number?), and what else is said.
TABLES = [
    (ADULT, "age,workclass,education,marital-status,sex", ("occupation", False), "--missing complete"),
    (ADULT, "age,sex,race,native-country", ("hours-per-week", True), "--suppress-limit 1%"),
    (CRX, "A2,A9,A10,A11,A15", ("A6", False), ""),
    (GERMAN, "checking-account,duration,credit-amount,savings", ("purpose", False), "--suppress-limit 2%"),
    (GERMAN, "age,job,housing,personal-status", ("installment-rate", True), ""),
]
ALGORITHMS = ["tdr", "tds", "bottom-up", "genetic --iterations 300 --seed 1"]
KS = [3, 25]
MEASURES = ["k", "distinct l", "entropy l", "alpha", "t"]


def publish(cutline, table, qid, algorithm, k, more, out):
    taxonomies = [f"--taxonomy={name}={DATA / 'taxonomies' / name}.txt" for name in table["taxonomies"] if name in qid.split(",")]
    flags = ["--qid", f"{qid}:{k}", "--target", table["target"], "--null", table["null"], "--algorithm", *algorithm.split()]
    command = [cutline, "anonymize", str(table["data"]), *flags, *taxonomies, *more.split(), "-q", "-o", str(out)]
    subprocess.run(command, check=True)


def ours(cutline, out, qid, sensitive, numeric):
    distance = "t-close-ordered" if numeric else "t-close"
    asked = [f"distinct-l:{sensitive}=1", f"entropy-l:{sensitive}=1", f"alpha:{sensitive}=1", f"{distance}:{sensitive}=1"]
    conditions = [word for condition in asked for word in ("--condition", condition)]
    command = [cutline, "verify", str(out), "--qid", f"{qid}:1", *conditions, "--json"]
    finding = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["qids"][0]
    distinct, entropy, alpha, t = (condition["worst"] for condition in finding["conditions"])
    return [finding["anonymity"], int(distinct), math.floor(entropy + 1e-9), alpha, t]


def theirs(out, qid, sensitive, numeric):
    data = pandas.read_csv(next(out.glob("table.csv*")), dtype=str, keep_default_na=False)
    if numeric:
        data[sensitive] = pandas.to_numeric(data[sensitive])
    qi, sa = qid.split(","), [sensitive]
    return [
        anonymity.k_anonymity(data, qi),
        anonymity.l_diversity(data, qi, sa),
        anonymity.entropy_l_diversity(data, qi, sa),
        anonymity.alpha_k_anonymity(data, qi, sa)[0],
        anonymity.t_closeness(data, qi, sa),
    ]


def main():
    cutline = str(Path(sys.argv[1]).resolve())
    releases, tables, agreed = 0, set(), [0] * len(MEASURES)
    print("table  sensitive         algorithm    k |", "  ".join(MEASURES))
    with tempfile.TemporaryDirectory() as folder:
        for table, qid, (sensitive, numeric), more in TABLES:
            for algorithm in ALGORITHMS:
                for k in KS:
                    out = Path(folder) / str(releases)
                    publish(cutline, table, qid, algorithm, k, more, out)
                    we, they = ours(cutline, out, qid, sensitive, numeric), theirs(out, qid, sensitive, numeric)
                    same = [math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(we, they)]
                    releases += 1
                    tables.add(hashlib.sha256(next(out.glob("table.csv*")).read_bytes()).digest())
                    agreed = [count + equal for count, equal in zip(agreed, same)]
                    name = f"{table['data'].parent.name:6} {sensitive:16}  {algorithm.split()[0]:9} {k:4}"
                    figures = "  ".join(f"{a:.6g}" if equal else f"{a:.6g}≠{b:.6g}" for a, b, equal in zip(we, they, same))
                    print(name, "|", figures, flush=True)
    print(f"{releases} releases, {len(tables)} different tables; agreements:", ", ".join(f"{name} {count}" for name, count in zip(MEASURES, agreed)))
    return 0 if all(count == releases for count in agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
