"""What all tests share: small tables as every kind of frame."""

from __future__ import annotations

import os
import pathlib
import random

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

ROOT = pathlib.Path(__file__).parents[4]


def people(records: int = 400, seed: int = 0) -> dict[str, list]:
    """Persons with an age, a zip code, a sex and an illness that follows from the age, more or less."""
    chance = random.Random(seed)
    ages = [chance.randint(18, 90) for _ in range(records)]
    return {
        "age": ages,
        "sex": [chance.choice("fm") for _ in range(records)],
        "zip": [chance.choice(["02139", "02140", "10001", "10002", "94110"]) for _ in range(records)],
        "ill": ["yes" if age + chance.randint(-20, 20) > 60 else "no" for age in ages],
        "dose": [round(chance.uniform(0, 5), 2) for _ in range(records)],
    }


KINDS = {
    "pandas": lambda data: pd.DataFrame(data),
    "polars": lambda data: pl.DataFrame(data),
    "lazy": lambda data: pl.DataFrame(data).lazy(),
    "pyarrow": lambda data: pa.table(data),
    "batch": lambda data: pa.record_batch(data),
    "reader": lambda data: pa.table(data).to_reader(),
    "duckdb": lambda data: duckdb.from_arrow(pa.table(data)),
    "dict": lambda data: data,
}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def command() -> str:
    path = os.environ.get("CUTLINE_COMMAND", "")
    assert os.path.isfile(path), "the command is not built: run scripts/test, or set CUTLINE_COMMAND"
    return path


def columns(table) -> dict[str, list]:
    """Any kind of table as lists."""
    if isinstance(table, dict):
        return table
    if isinstance(table, pd.DataFrame):
        return {name: table[name].tolist() for name in table.columns}
    if isinstance(table, pl.DataFrame):
        return table.to_dict(as_series=False)
    return pa.table(table).to_pydict()
