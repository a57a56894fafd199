//! A connection with one transaction, whose statements can be watched and stopped.

use std::io::BufRead;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cutline_engine::{EngineError, Watch};
use cutline_remote::{ServerError, stoppable};
use postgres::types::ToSql;
use postgres::{CancelToken, Client, Row};

use crate::error::during;
use crate::location::Location;
use crate::tls::Tls;

/// What the text of values depends on, and what must not end a transaction that waits for a search. Physical order is not left to chance,
/// so that a drawn sample can be drawn again. Counting groups and sorting records by chance needs more memory than the 4 MB that a server
/// grants unless it is told otherwise; one that grants more keeps to that. Long lists of values would be compiled for longer than they are
/// used, and what workers count is less than a planner without statistics believes.
const SETTINGS: &str = "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC'; \
    SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL idle_in_transaction_session_timeout = 0; \
    SET LOCAL synchronize_seqscans = off; SET LOCAL jit = off; \
    SET LOCAL parallel_setup_cost = 100; SET LOCAL parallel_tuple_cost = 0.01; \
    SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')) / 1024, 131072) || 'kB', true)";

/// What a statement is asked with.
pub(crate) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A connection in a transaction.
pub(crate) struct Session {
    client: Mutex<Client>,
    cancel: CancelToken,
    tls: Tls,
    location: Location,
}

impl Session {
    /// Connects and begins the transaction. Its snapshot is taken by the first query.
    pub(crate) fn begin(location: &Location) -> Result<Self, EngineError> {
        let tls = Tls::new(location)?;
        let mut client = location.connect(&tls)?;
        client
            .batch_execute(&format!("BEGIN ISOLATION LEVEL REPEATABLE READ; {SETTINGS}"))
            .map_err(|error| during("beginning a transaction", &error))?;
        Ok(Session { cancel: client.cancel_token(), client: Mutex::new(client), tls, location: location.clone() })
    }

    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    fn client(&self) -> MutexGuard<'_, Client> {
        // A panic elsewhere does not change what the server thinks of the connection.
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs something on the connection. When the watch says so, the server is asked to stop.
    fn watched<T>(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        work: impl FnOnce(&mut Client) -> Result<T, Failure>,
    ) -> Result<T, EngineError> {
        // If it does not get there, the statement ends when it is done.
        let stop = || drop(self.cancel.cancel_query(self.tls.clone()));
        let result = stoppable(watch, stop, || work(&mut self.client()));
        match result {
            Ok(value) => Ok(value),
            Err(_) if watch.cancelled() => Err(EngineError::Interrupted),
            Err(Failure::Server(error)) => Err(during(doing, &error).into()),
            Err(Failure::Answer(problem)) => Err(ServerError::Answer { doing, problem }.into()),
        }
    }

    /// Runs statements that ask for nothing.
    pub(crate) fn batch(&self, doing: &'static str, watch: &dyn Watch, sql: &str) -> Result<(), EngineError> {
        self.watched(doing, watch, |client| Ok(client.batch_execute(sql)?))
    }

    /// Runs one statement: how many rows it touched.
    pub(crate) fn execute(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> Result<u64, EngineError> {
        self.watched(doing, watch, |client| Ok(client.execute(sql, parameters)?))
    }

    /// The rows of a small result.
    pub(crate) fn query(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, EngineError> {
        self.watched(doing, watch, |client| Ok(client.query(sql, parameters)?))
    }

    /// A number that a query gives.
    pub(crate) fn count(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> Result<u64, EngineError> {
        let rows = self.query(doing, watch, sql, parameters)?;
        let count =
            rows.first().and_then(|row| row.try_get::<_, i64>(0).ok()).and_then(|count| u64::try_from(count).ok());
        count.ok_or_else(|| ServerError::Answer { doing, problem: "a count is missing" }.into())
    }

    /// Every row of a query in the text format of COPY, one after the other. `each` says what is wrong with one.
    pub(crate) fn copy(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        query: &str,
        mut each: impl FnMut(&[u8]) -> Result<(), &'static str>,
    ) -> Result<(), EngineError> {
        self.watched(doing, watch, |client| {
            let mut reader = client.copy_out(&format!("COPY ({query}) TO STDOUT"))?;
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).map_err(Failure::reading)? > 0 {
                each(&line).map_err(Failure::Answer)?;
                line.clear();
            }
            Ok(())
        })
    }
}

/// Why a statement gave nothing.
enum Failure {
    Server(postgres::Error),
    Answer(&'static str),
}

impl From<postgres::Error> for Failure {
    fn from(error: postgres::Error) -> Self {
        Failure::Server(error)
    }
}

impl Failure {
    /// The driver wraps its errors while a result is read.
    fn reading(error: std::io::Error) -> Self {
        let inner = error.into_inner().and_then(|inner| inner.downcast::<postgres::Error>().ok());
        inner.map_or(Failure::Answer("it ended too early"), |inner| Failure::Server(*inner))
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({})", self.location)
    }
}
