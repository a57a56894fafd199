"""Runs scripts with Spark in this process, each on a table that a CSV file becomes, and writes the tables that they make.

usage: run_spark.py CASES.json RESULTS.json

A case has a `table` (CSV), `types` (one for every column, separated by commas) and a `script`; a result has the table that was `published`
(CSV), or says why it was `refused`. Cells that are empty and not of type TEXT are NULL. One process for all: starting Spark takes longest.
"""

import csv
import io
import json
import sys
import tempfile

from pyspark.sql import SparkSession

cases, results = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
builder = builder.config("spark.sql.catalogImplementation", "in-memory").config("spark.sql.shuffle.partitions", "1")
spark = builder.config("spark.sql.warehouse.dir", folder.name).config("spark.driver.host", "127.0.0.1").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
KINDS = {"TEXT": "string", "DOUBLE PRECISION": "double"}


def load(table, types):
    header, *rows = csv.reader(io.StringIO(table))

    def cell(text, kind):
        if kind == "TEXT":
            return text
        return None if text == "" else float(text)

    rows = [tuple(map(cell, row, types)) for row in rows]
    schema = ", ".join(f"`{name}` {KINDS[kind]}" for name, kind in zip(header, types))
    spark.createDataFrame(rows, schema).write.saveAsTable("patients")


def statements(script):
    lines = [line for line in script.splitlines(keepends=True) if not line.startswith("--")]
    return [statement for statement in "".join(lines).split(";\n") if statement.strip()]


def written(frame):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(frame.columns)
    writer.writerows(frame.collect())
    return text.getvalue()


def run(number, case):
    spark.sql(f"CREATE DATABASE case{number}")
    spark.sql(f"USE case{number}")
    load(case["table"], case["types"].split(","))
    try:
        for statement in statements(case["script"]):
            spark.sql(statement).collect()
        return {"published": written(spark.table("patients_public"))}
    except Exception as error:
        left = [table.name for table in spark.catalog.listTables() if table.name == "patients_public"]
        return {"refused": str(error)} if not left else {"refused": None}


with open(cases, encoding="utf-8") as file:
    found = [run(number, case) for number, case in enumerate(json.load(file))]
with open(results, "w", encoding="utf-8") as file:
    json.dump(found, file)
