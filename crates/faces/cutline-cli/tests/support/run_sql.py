"""Runs a script on a table that a CSV file becomes, and writes the table that it makes.

usage: run_sql.py sqlite|duckdb TABLE.csv TYPES SCRIPT.sql RESULT.csv

TYPES has a type for every column, separated by commas. Cells that are empty and not of type TEXT are NULL. Exit status 3: the script failed.
"""

import csv
import sys

engine, table, types, script, result = sys.argv[1:]
if engine == "sqlite":
    import sqlite3

    connection = sqlite3.connect(":memory:", isolation_level=None)
else:
    import duckdb

    connection = duckdb.connect()

with open(table, newline="", encoding="utf-8") as file:
    header, *rows = csv.reader(file)
types = types.split(",")
columns = ", ".join('"' + name.replace('"', '""') + '" ' + kind for name, kind in zip(header, types))
connection.execute(f"CREATE TABLE patients ({columns})")
cells = [[None if cell == "" and kind != "TEXT" else cell for cell, kind in zip(row, types)] for row in rows]
connection.executemany(f"INSERT INTO patients VALUES ({', '.join('?' * len(header))})", cells)
try:
    with open(script, encoding="utf-8") as file:
        (connection.executescript if engine == "sqlite" else connection.execute)(file.read())
except Exception as error:
    print(error, file=sys.stderr)
    try:
        connection.execute("ROLLBACK")
    except Exception:
        pass
    tables = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name = 'patients_public'"
    ).fetchone()
    sys.exit(3 if tables[0] == 0 else "something was left")
published = connection.execute("SELECT * FROM patients_public")
with open(result, "w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(column[0] for column in published.description)
    writer.writerows(published.fetchall())
