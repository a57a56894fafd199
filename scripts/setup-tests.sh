#!/usr/bin/env bash
# Makes ready what tests need, under ${CUTLINE_CACHE:-$HOME/.cache/cutline}: a Python environment with DuckDB (which also has SQLite),
# one with what the tests of the Python package use, one with Spark and one with Sail, Java, PostgreSQL, ADBC drivers of DuckDB and SQLite,
# Chromium, and axe-core, which finds what is hard to use. Safe to run again, and quick then. What cannot be made ready is told in a line "SKIPPED: …", the rest is made ready
# all the same, and the status is 1.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

cache="${CUTLINE_CACHE:-$HOME/.cache/cutline}"
python="$cache/python"
duckdb=2.0.0
package="$cache/python-package"
requirements=crates/faces/cutline-python/tests/requirements.txt

# Installs Debian's packages, where that is possible without asking anyone.
packages() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "cannot install $*: needs apt-get and root" >&2
        return 1
    fi
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

has_duckdb() {
    "$python/bin/python" -c "import duckdb; assert duckdb.__version__ == '$duckdb'" 2>/dev/null
}

# An empty environment at a path. Debian has the module that makes environments in a package of its own.
environment() {
    python3 -c "import ensurepip, venv" 2>/dev/null || packages python3 python3-venv || return 1
    mkdir -p "$cache" && python3 -m venv --clear "$1"
}

setup_duckdb() {
    has_duckdb && return
    environment "$python" && "$python/bin/pip" install --quiet --disable-pip-version-check "duckdb==$duckdb" && has_duckdb && return
    # Half an environment would look like a whole one.
    rm -rf "$python"
    return 1
}

# The environment remembers what it was made from.
has_package() {
    cmp -s "$requirements" "$package/requirements.txt"
}

setup_package() {
    has_package && return
    if ! environment "$package" || ! "$package/bin/python" -c "import sys; assert sys.version_info >= (3, 9)"; then
        echo "cannot test the Python package: it needs Python 3.9 or newer" >&2
        return 1
    fi
    "$package/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" &&
        cp "$requirements" "$package/requirements.txt" && return
    rm -rf "$package"
    return 1
}

has_postgres() {
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}

# The tests start a cluster of their own; Debian's package must not make one.
setup_postgres() {
    has_postgres && return
    if [ "$(id -u)" = 0 ]; then
        mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
    fi
    packages postgresql && has_postgres
}

# Has an environment this version of a package?
has_version() {
    [ "$("$1/bin/python" -c "from importlib.metadata import version; print(version('$2'))" 2>/dev/null)" = "$3" ]
}

# An environment with one package.
setup_environment() {
    has_version "$@" && return
    environment "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check "$2==$3" && has_version "$@" && return
    rm -rf "$1"
    return 1
}

# The package has all jars, also those of the Connect server.
setup_spark() {
    java -version 2>&1 | grep -Eq 'version "(1[7-9]|2[0-9])' || packages openjdk-17-jre-headless || return 1
    setup_environment "$cache/spark" pyspark 4.3.0
}

# A server for the protocol of Spark Connect that starts in a moment. In an environment of its own: beside Spark it wants more packages.
setup_sail() {
    setup_environment "$cache/sail" pysail 0.7.2
}

# Drivers are libraries: SQLite's is in a Python package, DuckDB's own library is one and comes with its package for Node.
adbc_sqlite=1.13.0
adbc_duckdb=1.5.6-r.1

setup_adbc() {
    local machine system bindings
    machine="$(uname -m)" system="$(uname -s | tr '[:upper:]' '[:lower:]')"
    case "$machine" in x86_64) machine=x64 ;; aarch64) machine=arm64 ;; esac
    bindings="@duckdb/node-bindings-$system-$machine"
    setup_environment "$cache/adbc" adbc-driver-sqlite "$adbc_sqlite" || return 1
    grep -qs "\"version\": \"$adbc_duckdb\"" "$cache/adbc/node_modules/$bindings/package.json" && return
    command -v npm >/dev/null || packages npm || return 1
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$cache/adbc" "$bindings@$adbc_duckdb"
}

has_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
} >/dev/null

setup_browser() {
    has_browser && return
    packages chromium && has_browser
}

axe=4.14.0

setup_axe() {
    grep -qs "\"version\": \"$axe\"" "$cache/axe/node_modules/axe-core/package.json" && return
    command -v npm >/dev/null || packages npm || return 1
    mkdir -p "$cache/axe" && npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$cache/axe" "axe-core@$axe"
}

status=0
for needed in duckdb package postgres spark sail adbc browser axe; do
    if "setup_$needed"; then
        echo "ready: $needed"
    else
        echo "SKIPPED: tests of $needed, because it cannot be set up here (the reason is above)" >&2
        status=1
    fi
done
exit $status
