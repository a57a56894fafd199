#!/bin/sh
# Makes ready what tests of servers need, under ${CUTLINE_CACHE:-$HOME/.cache/cutline}: a Python environment with DuckDB (which also has
# SQLite), and PostgreSQL. Safe to run again; tests find it there by themselves and say so loudly where it is not.
set -eu

cache="${CUTLINE_CACHE:-$HOME/.cache/cutline}"
python="$cache/python"
duckdb=2.0.0

mkdir -p "$cache"
if ! "$python/bin/python" -c "import duckdb; assert duckdb.__version__ == '$duckdb'" 2>/dev/null; then
    python3 -m venv --clear "$python"
    "$python/bin/pip" install --quiet --disable-pip-version-check "duckdb==$duckdb"
fi

# The tests start a cluster of their own; Debian's package must not make one.
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "PostgreSQL is not installed: install the package postgresql" >&2
        exit 1
    fi
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql
fi
echo "ready: DuckDB $duckdb in $python, PostgreSQL in $(ls -d /usr/lib/postgresql/*/bin | tail -1)"
