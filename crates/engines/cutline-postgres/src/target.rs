//! How does a table appear? Complete and verified, with its commit.
//!
//! The order is: the table is renamed and committed, then the folder of reports is renamed. Between the two a crash leaves a table that
//! is complete and was verified, and no folder: nothing that is there is false. The other way round, a folder could tell of a table that
//! is not there.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use cutline_engine::{Audience, EngineError, Format, Place, Target, Unwatched, Written};
use cutline_remote::{IfExists, MARK, Reports, ServerError};
use cutline_sql::{Dialect, TableName};
use cutline_verify::Recount;

use crate::engine::Postgres;
use crate::error::PostgresError;

const PUBLISHING: &str = "publishing the table";

/// A table that is made aside in the transaction that counted, and appears with its commit; its reports go elsewhere.
pub struct IntoTable<'a> {
    engine: Postgres,
    into: TableName,
    /// The name until it is published, quoted.
    staging: String,
    if_exists: IfExists,
    reports: Reports<'a>,
    committed: bool,
}

impl<'a> IntoTable<'a> {
    /// Starts a release that will appear as a table, beside the table that an engine reads; `files` takes what is said of it.
    ///
    /// # Errors
    /// If something is there that may not be replaced.
    pub fn new(
        engine: &Postgres,
        into: &TableName,
        if_exists: IfExists,
        files: Option<Box<dyn Target + 'a>>,
    ) -> Result<Self, EngineError> {
        // A name that nobody else has, even without a random number: the transaction hides it.
        let number = RandomState::new().hash_one(into.last());
        let staging = into.beside(&format!("cutline_staging_{number:016x}"));
        let staging = staging.quoted(Dialect::Postgres).map_err(ServerError::from)?;
        let reports = Reports::new(files);
        let target =
            IntoTable { engine: engine.clone(), into: into.clone(), staging, if_exists, reports, committed: false };
        target.check()?;
        engine.session().batch(PUBLISHING, &Unwatched, "SAVEPOINT cutline")?;
        Ok(target)
    }

    fn quoted(&self) -> Result<String, ServerError> {
        Ok(self.into.quoted(Dialect::Postgres)?)
    }

    /// May the table appear? Says whether there is one to be replaced.
    fn check(&self) -> Result<bool, EngineError> {
        let query = "SELECT coalesce(obj_description(r.oid, 'pg_class'), '') FROM (SELECT to_regclass($1)::oid AS oid) AS r \
                     WHERE r.oid IS NOT NULL";
        let found = self.engine.session().query(PUBLISHING, &Unwatched, query, &[&self.quoted()?])?;
        match (found.first().map(|row| row.get::<_, String>(0)), self.if_exists) {
            (None, _) => Ok(false),
            (Some(_), IfExists::Refuse) => Err(ServerError::Exists(self.into.to_string()).into()),
            (Some(comment), IfExists::Replace) if comment == MARK => Ok(true),
            (Some(_), IfExists::Replace) => Err(ServerError::NotOurs(self.into.to_string()).into()),
        }
    }

    /// Gives the table its name and commits.
    fn commit(&mut self) -> Result<(), EngineError> {
        let session = self.engine.session();
        let (into, staging) = (self.quoted()?, &self.staging);
        let name = Dialect::Postgres.quote_name(self.into.last()).map_err(ServerError::from)?;
        let mark = Dialect::Postgres.quote_text(MARK).map_err(ServerError::from)?;
        let replaced = if self.check()? { format!("DROP TABLE {into}; ") } else { String::new() };
        let rename = format!(
            "DROP VIEW IF EXISTS pg_temp.cutline_source; {replaced}COMMENT ON TABLE {staging} IS {mark}; \
             ALTER TABLE {staging} RENAME TO {name}"
        );
        session.batch(PUBLISHING, &Unwatched, &rename).map_err(|error| self.raced(error))?;
        let transaction = session.count(PUBLISHING, &Unwatched, "SELECT txid_current()", &[])? as i64;
        let committed = session.batch(PUBLISHING, &Unwatched, "COMMIT");
        self.committed = true;
        // Nobody but the server knows what became of a commit whose answer was lost.
        let status = "SELECT coalesce(txid_status($1), '')";
        let status = match &committed {
            Ok(()) => session.query(PUBLISHING, &Unwatched, status, &[&transaction]),
            Err(_) => {
                let again = crate::session::Session::begin(session.location());
                again.and_then(|again| again.query(PUBLISHING, &Unwatched, status, &[&transaction]))
            }
        };
        match status.ok().and_then(|rows| rows.first().map(|row| row.get::<_, String>(0))).as_deref() {
            Some("committed") => Ok(()),
            Some("aborted") => Err(ServerError::Cut { doing: PUBLISHING }.into()),
            _ => Err(PostgresError::Unknown(self.into.to_string()).into()),
        }
    }

    /// Another run may have published a table of this name in the meantime.
    fn raced(&self, error: EngineError) -> EngineError {
        let exists = self.engine.session().batch(PUBLISHING, &Unwatched, "ROLLBACK TO SAVEPOINT cutline");
        match exists.and_then(|()| self.check()) {
            Err(EngineError::Fault(fault)) if fault.to_string().contains("exists") => EngineError::Fault(fault),
            _ => error,
        }
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
        self.commit()?;
        self.reports.publish(&self.into.to_string())
    }
}

impl Drop for IntoTable<'_> {
    fn drop(&mut self) {
        if !self.committed {
            // Where the connection is gone, the server takes everything back by itself.
            let _ = self.engine.session().batch(PUBLISHING, &Unwatched, "ROLLBACK TO SAVEPOINT cutline");
        }
    }
}
