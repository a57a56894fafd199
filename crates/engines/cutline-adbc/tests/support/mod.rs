//! Drivers that `scripts/setup-tests.sh` installed, and a database of the test's own for each.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionStatement};
use adbc_core::{Connection, Database, Driver, Optionable, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDriver};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::DataType;
use cutline_adbc::{Adbc, Source};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    DuckDb,
    Sqlite,
}

/// A driver, and a folder with a database.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) kind: Kind,
    pub(crate) library: PathBuf,
    pub(crate) folder: tempfile::TempDir,
}

/// A library below what was installed: some names on the way to it have a version or a platform in them.
fn library(steps: [&str; 5]) -> Option<PathBuf> {
    let usual = || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cache/cutline");
    let cache = std::env::var_os("CUTLINE_CACHE").map(PathBuf::from).unwrap_or_else(usual).join("adbc");
    let below = |folder: PathBuf, step: &str| {
        let entries = folder.read_dir().ok()?.flatten().map(|entry| entry.path());
        // The shortest name: there are others beside it that go on.
        entries.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(step))).min()
    };
    steps.iter().filter(|step| !step.is_empty()).try_fold(cache, |folder, step| below(folder, step))
}

impl Kind {
    fn library(self) -> Option<PathBuf> {
        match self {
            Kind::DuckDb => library(["node_modules", "@duckdb", "node-bindings-", "libduckdb.", ""]),
            Kind::Sqlite => {
                library(["lib", "python3", "site-packages", "adbc_driver_sqlite", "libadbc_driver_sqlite."])
            }
        }
    }
}

impl Server {
    /// Those that are here. In CI all must be.
    pub(crate) fn all() -> Vec<Server> {
        [Kind::DuckDb, Kind::Sqlite].into_iter().filter_map(Server::of).collect()
    }

    pub(crate) fn of(kind: Kind) -> Option<Server> {
        let library = kind.library();
        if library.is_none() {
            assert!(std::env::var_os("CI").is_none(), "the driver of {kind:?} is not here: run scripts/setup-tests.sh");
            eprintln!("SKIPPED: the driver of {kind:?} is not here; scripts/setup-tests.sh sets it up");
        }
        Some(Server { kind, library: library?, folder: tempfile::tempdir().unwrap() })
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn database(&self) -> String {
        self.path("care.db")
    }

    pub(crate) fn url(&self) -> String {
        self.url_of(&self.database())
    }

    pub(crate) fn url_of(&self, database: &str) -> String {
        format!("adbc:{}:{database}", self.library.display())
    }

    pub(crate) fn open(&self, table: &str) -> Adbc {
        self.try_open(&Source::Table(table.parse().unwrap())).unwrap()
    }

    pub(crate) fn try_open(&self, source: &Source) -> Result<Adbc, cutline::engine::EngineError> {
        cutline_adbc::open(&self.url().parse().unwrap(), source)
    }

    /// A connection of its own.
    pub(crate) fn connect(&self) -> ManagedConnection {
        let entry = (self.kind == Kind::DuckDb).then_some(&b"duckdb_adbc_init"[..]);
        let mut driver = ManagedDriver::load_dynamic_from_filename(&self.library, entry, AdbcVersion::V100).unwrap();
        let options = [(OptionDatabase::Uri, self.database().into())];
        driver.new_database_with_opts(options).unwrap().new_connection().unwrap()
    }

    /// The rows of a statement, as texts.
    pub(crate) fn sql(&self, sql: &str) -> Vec<String> {
        rows(&mut self.connect(), self.kind, sql)
    }

    /// The tables of the database.
    pub(crate) fn tables(&self) -> Vec<String> {
        match self.kind {
            Kind::DuckDb => self.sql("SELECT table_name FROM duckdb_tables() ORDER BY 1"),
            Kind::Sqlite => self.sql("SELECT name FROM sqlite_master ORDER BY 1"),
        }
    }

    /// Puts a table there; what is empty in a column that is no text is NULL.
    pub(crate) fn load(&self, table: &str, csv: &str, types: &[DataType]) {
        self.sql(&format!("DROP TABLE IF EXISTS {table}"));
        let mut connection = self.connect();
        let mut statement = connection.new_statement().unwrap();
        statement.set_option(OptionStatement::TargetTable, table.into()).unwrap();
        statement.bind(batch(csv, types)).unwrap();
        statement.execute_update().unwrap();
    }
}

fn rows(connection: &mut ManagedConnection, kind: Kind, sql: &str) -> Vec<String> {
    let mut statement = connection.new_statement().unwrap();
    if kind == Kind::Sqlite {
        let option = OptionStatement::Other("adbc.sqlite.query.batch_rows".to_owned());
        statement.set_option(option, "1000000".into()).unwrap();
    }
    statement.set_sql_query(sql).unwrap();
    let mut rows = Vec::new();
    for batch in statement.execute().unwrap() {
        let batch = batch.unwrap();
        let texts = batch.columns().iter().map(|column| arrow_cast::cast(column, &DataType::Utf8).unwrap());
        let texts: Vec<StringArray> = texts.map(|texts| StringArray::from(texts.to_data())).collect();
        for row in 0..batch.num_rows() {
            let cells = texts.iter().map(|texts| if texts.is_null(row) { "␀" } else { texts.value(row) });
            rows.push(cells.collect::<Vec<_>>().join("|"));
        }
    }
    rows
}

fn batch(csv: &str, types: &[DataType]) -> RecordBatch {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let records: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let column = |place: usize| {
        let cell = |record: &Vec<&str>| {
            let text = types[place] == DataType::Utf8 || !record[place].is_empty();
            text.then(|| record[place].to_owned())
        };
        let texts = Arc::new(records.iter().map(cell).collect::<StringArray>()) as ArrayRef;
        (names[place], arrow_cast::cast(&texts, &types[place]).unwrap(), true)
    };
    RecordBatch::try_from_iter_with_nullable((0..names.len()).map(column)).unwrap()
}
