"""Copies a CSV table through DuckDB with two threads: the yardstick for a whole release.

    pip install duckdb
    python3 crates/lab/cutline-bench/duckdb_copy.py adult-1m.csv copy.csv
"""

import sys
import time

import duckdb

source, target = sys.argv[1:3]
for _ in range(3):
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    connection.execute("set enable_progress_bar = false")
    start = time.perf_counter()
    connection.execute(f"copy (select * from read_csv('{source}')) to '{target}' (header)")
    print(f"{time.perf_counter() - start:.3f} s")
