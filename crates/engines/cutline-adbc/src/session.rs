//! A connection with one transaction, whose statements can be watched and stopped.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use adbc_core::options::{InfoCode, IngestMode, OptionConnection, OptionStatement};
use adbc_core::{CancelHandle, Connection, Optionable, Statement};
use adbc_driver_manager::ManagedConnection;
use arrow_array::{Array, RecordBatch, UnionArray};
use arrow_schema::{ArrowError, SchemaRef};
use cutline_engine::{EngineError, Unwatched, Watch};
use cutline_remote::batches::Problem;
use cutline_remote::stoppable;
use uuid::Uuid;

use crate::AdbcError;
use crate::error::Failure;
use crate::location::Location;
use crate::product::Product;

const BEGINNING: &str = "beginning a transaction";

/// A connection in a transaction, which is taken back when it ends.
pub(crate) struct Session {
    connection: Mutex<ManagedConnection>,
    cancel: Box<dyn CancelHandle>,
    product: Product,
}

impl Session {
    /// Connects and begins the transaction. Its snapshot is taken by the first query.
    pub(crate) fn begin(location: &Location) -> Result<Self, EngineError> {
        let connection = location.connect()?;
        let vendor = vendor(&connection).map_err(|failure| failure.during(BEGINNING))?;
        let product = Product::named(&vendor).ok_or(AdbcError::Product(vendor))?;
        let cancel = connection.get_cancel_handle();
        let session = Session { connection: Mutex::new(connection), cancel, product };
        product.setting().map_or(Ok(()), |setting| session.run(BEGINNING, &Unwatched, setting))?;
        let begun = session.connection().set_option(OptionConnection::AutoCommit, false.into());
        begun.map_err(|error| Failure::from(error).during(BEGINNING))?;
        Ok(session)
    }

    pub(crate) fn product(&self) -> Product {
        self.product
    }

    fn connection(&self) -> MutexGuard<'_, ManagedConnection> {
        // A panic elsewhere does not change what the driver thinks of the connection.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something on the connection. When the watch says so, the driver is asked to stop.
    fn watched<T>(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        work: impl FnOnce(&mut ManagedConnection) -> Result<T, Failure>,
    ) -> Result<T, EngineError> {
        let stop = || drop(self.cancel.try_cancel());
        let result = stoppable(watch, stop, || work(&mut self.connection()));
        // Where a driver cannot be stopped, as that of SQLite, the statement was done all the same.
        if watch.cancelled() {
            return Err(EngineError::Interrupted);
        }
        result.map_err(|failure| failure.during(doing))
    }

    /// Runs a statement that asks for nothing.
    pub(crate) fn run(&self, doing: &'static str, watch: &dyn Watch, sql: &str) -> Result<(), EngineError> {
        self.watched(doing, watch, |connection| {
            let mut statement = connection.new_statement()?;
            statement.set_sql_query(sql)?;
            statement.execute_update()?;
            Ok(())
        })
    }

    /// Every batch of a query's rows, one after the other; gives their schema.
    pub(crate) fn query(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        sql: &str,
        mut each: impl FnMut(&RecordBatch) -> Result<(), Problem>,
    ) -> Result<SchemaRef, EngineError> {
        self.watched(doing, watch, |connection| {
            let mut statement = connection.new_statement()?;
            if let Some((option, value)) = self.product.option() {
                statement.set_option(OptionStatement::Other(option.to_owned()), value.into())?;
            }
            statement.set_sql_query(sql)?;
            let reader = statement.execute()?;
            let schema = reader.schema();
            for batch in reader {
                let batch = batch.map_err(adbc_core::error::Error::from)?;
                check(&batch)?;
                each(&batch)?;
            }
            Ok(schema)
        })
    }

    /// Puts a table there until the session ends; gives its name.
    pub(crate) fn upload(
        &self,
        doing: &'static str,
        batch: Result<RecordBatch, Problem>,
    ) -> Result<String, EngineError> {
        let name = format!("cutline_{}", Uuid::new_v4().simple());
        self.watched(doing, &Unwatched, |connection| {
            let mut statement = connection.new_statement()?;
            statement.set_option(OptionStatement::TargetTable, name.as_str().into())?;
            statement.set_option(OptionStatement::IngestMode, IngestMode::Create.into())?;
            statement.set_option(OptionStatement::Temporary, true.into())?;
            statement.bind(batch?)?;
            statement.execute_update()?;
            Ok(())
        })?;
        Ok(name)
    }

    pub(crate) fn rollback(&self, doing: &'static str) -> Result<(), EngineError> {
        self.watched(doing, &Unwatched, |connection| Ok(connection.rollback()?))
    }

    pub(crate) fn commit(&self, doing: &'static str) -> Result<(), EngineError> {
        self.watched(doing, &Unwatched, |connection| Ok(connection.commit()?))
    }
}

/// A driver may hand over anything, also texts that are none.
fn check(batch: &RecordBatch) -> Result<(), Problem> {
    let valid = batch.columns().iter().try_for_each(|column| column.to_data().validate_full());
    valid.map_err(|_: ArrowError| "a text is not UTF-8, or rows are not in Arrow's format")
}

/// The name of the database that a driver opened.
fn vendor(connection: &ManagedConnection) -> Result<String, Failure> {
    let mut told = connection.get_info(Some(HashSet::from([InfoCode::VendorName])))?;
    let batch = told.next().and_then(Result::ok).filter(|batch| batch.num_rows() > 0 && batch.num_columns() > 1);
    let batch = batch.ok_or("it tells no name of the database")?;
    check(&batch)?;
    let value = batch.column(1).as_any().downcast_ref::<UnionArray>().map(|values| values.value(0));
    let text = value.and_then(|value| cutline_arrow::text_of(&value).ok());
    let text = text.filter(|text| text.len() == 1).ok_or("it tells no name of the database")?;
    Ok(text.value(0).to_owned())
}
