//! How does a table appear? Complete and verified, with its commit.
//!
//! The order is: the table is renamed and committed, then the folder of reports is renamed. Between the two a crash leaves a table that
//! is complete and was verified, and no folder: nothing that is there is false.

use cutline_engine::{Audience, EngineError, Format, Place, Target, Unwatched, Written};
use cutline_remote::batches::texts;
use cutline_remote::{IfExists, MARK, Reports, ServerError};
use cutline_sql::TableName;
use cutline_verify::Recount;
use uuid::Uuid;

use crate::engine::Adbc;

const PUBLISHING: &str = "publishing the table";

/// A table that is made aside in the transaction that counted, and appears with its commit; its reports go elsewhere.
pub struct IntoTable<'a> {
    engine: Adbc,
    into: TableName,
    /// The name until it is published, quoted.
    staging: String,
    if_exists: IfExists,
    reports: Reports<'a>,
    committed: bool,
}

impl<'a> IntoTable<'a> {
    /// Starts a release that will appear as a table, in the database that an engine reads; `files` takes what is said of it. From now on
    /// nobody else can write to a database of SQLite.
    ///
    /// # Errors
    /// If something is there that may not be replaced, or the database cannot be written to.
    pub fn new(
        engine: &Adbc,
        into: &TableName,
        if_exists: IfExists,
        files: Option<Box<dyn Target + 'a>>,
    ) -> Result<Self, EngineError> {
        let dialect = engine.session().product().dialect();
        let staging = into.beside(&format!("cutline_staging_{}", Uuid::new_v4().simple()));
        let staging = staging.quoted(dialect).map_err(ServerError::from)?;
        let reports = Reports::new(files);
        let target =
            IntoTable { engine: engine.clone(), into: into.clone(), staging, if_exists, reports, committed: false };
        target.check()?;
        // Whether a table can be made is better known before the search than after it.
        target.run(&format!("CREATE TABLE {} (n INTEGER)", target.staging))?;
        target.run(&format!("DROP TABLE {}", target.staging))?;
        Ok(target)
    }

    fn run(&self, statement: &str) -> Result<(), EngineError> {
        self.engine.session().run(PUBLISHING, &Unwatched, statement)
    }

    /// May the table appear? Says whether there is one to be replaced.
    fn check(&self) -> Result<bool, EngineError> {
        let session = self.engine.session();
        let query = session.product().told(&self.into).map_err(ServerError::from)?;
        let mut found = None;
        session.query(PUBLISHING, &Unwatched, &query, |batch| {
            found = texts(batch)?.pop().map(|row| row.into_iter().flatten().collect::<String>()).or(found.take());
            Ok(())
        })?;
        match (found, self.if_exists) {
            (None, _) => Ok(false),
            (Some(_), IfExists::Refuse) => Err(ServerError::Exists(self.into.to_string()).into()),
            (Some(told), IfExists::Replace) if told.contains(MARK) => Ok(true),
            (Some(_), IfExists::Replace) => Err(ServerError::NotOurs(self.into.to_string()).into()),
        }
    }

    /// Gives the table its name and commits.
    fn commit(&mut self) -> Result<(), EngineError> {
        let dialect = self.engine.session().product().dialect();
        let name = dialect.quote_name(self.into.last()).map_err(ServerError::from)?;
        if self.check()? {
            self.run(&format!("DROP TABLE {}", self.into.quoted(dialect).map_err(ServerError::from)?))?;
        }
        self.run(&format!("ALTER TABLE {} RENAME TO {name}", self.staging))?;
        self.engine.session().commit(PUBLISHING)?;
        self.committed = true;
        Ok(())
    }
}

impl Target for IntoTable<'_> {
    fn place(&self, _: Format) -> Result<Place, EngineError> {
        Ok(Place::Table { name: self.staging.clone() })
    }

    fn recounted(&self, written: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        match &written.place {
            Place::Table { name } => Ok(Box::new(self.engine.recounted_as(name))),
            place => Err(place.refused("it is a table of the database")),
        }
    }

    fn size(&self, written: &Written) -> u64 {
        written.records
    }

    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        self.reports.attach(audience, name, content)
    }

    fn publish(mut self: Box<Self>) -> Result<(), EngineError> {
        if let Err(error) = self.commit() {
            // What was to be replaced may be dropped by now: nobody else may commit that.
            self.engine.session().rollback(PUBLISHING)?;
            return Err(error);
        }
        self.reports.publish(&self.into.to_string())
    }
}

impl Drop for IntoTable<'_> {
    fn drop(&mut self) {
        if !self.committed {
            // Where that fails, the end of the session takes back the whole transaction.
            let _ = self.run(&format!("DROP TABLE IF EXISTS {}", self.staging));
        }
    }
}
