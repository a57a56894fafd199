//! A table of the catalog that appears when it is renamed.
//!
//! The order is: the table is renamed, then the folder of reports. Between the two a crash leaves a table that is complete and was
//! verified, and no folder: nothing that is there is false.

use cutline_engine::{Audience, EngineError, Format, Place, Target, Unwatched, Written};
use cutline_remote::batches::texts;
use cutline_remote::{IfExists, MARK, Reports, ServerError};
use cutline_sql::{Dialect, TableName};
use cutline_verify::Recount;
use uuid::Uuid;

use crate::engine::Spark;
use crate::error::Failure;
use crate::proto::Operation;
use crate::rewrite::written;

const PUBLISHING: &str = "publishing the table";

/// A table that is made aside and renamed when it was verified; its reports go elsewhere.
pub struct IntoTable<'a> {
    engine: Spark,
    into: TableName,
    staging: TableName,
    if_exists: IfExists,
    reports: Reports<'a>,
    /// Is there something aside that is to be removed?
    pending: bool,
}

impl<'a> IntoTable<'a> {
    /// Starts a release that will appear as a table of the catalog; `files` takes what is said of it. What earlier runs into the same
    /// table left aside when they were killed is removed.
    ///
    /// # Errors
    /// If something is there that may not be replaced.
    pub fn new(
        engine: &Spark,
        into: &TableName,
        if_exists: IfExists,
        files: Option<Box<dyn Target + 'a>>,
    ) -> Result<Self, EngineError> {
        let prefix = format!("cutline_staging_{}_", into.last());
        let staging = into.beside(&format!("{prefix}{}", Uuid::new_v4().simple()));
        let reports = Reports::new(files);
        let target =
            IntoTable { engine: engine.clone(), into: into.clone(), staging, if_exists, reports, pending: true };
        target.check()?;
        target.remove_leftovers(&prefix)?;
        Ok(target)
    }

    fn run(&self, statement: &str) -> Result<(), EngineError> {
        self.engine.session().run(PUBLISHING, &Unwatched, Operation::statement(statement))
    }

    /// May the table appear? Says whether there is one to be replaced.
    fn check(&self) -> Result<bool, EngineError> {
        match (self.comment()?, self.if_exists) {
            (None, _) => Ok(false),
            (Some(_), IfExists::Refuse) => Err(ServerError::Exists(self.into.to_string()).into()),
            (Some(comment), IfExists::Replace) if comment == MARK => Ok(true),
            (Some(_), IfExists::Replace) => Err(ServerError::NotOurs(self.into.to_string()).into()),
        }
    }

    /// What the table says of itself; nothing if there is none.
    fn comment(&self) -> Result<Option<String>, EngineError> {
        let query = format!("DESCRIBE TABLE EXTENDED {}", quoted(&self.into)?);
        let mut comment = String::new();
        let described = self.engine.session().execute(&Unwatched, Operation::query(&query), |batch| {
            let rows = texts(&batch)?;
            let told = rows.into_iter().find(|row| row.first().and_then(Option::as_deref) == Some("Comment"));
            comment.extend(told.and_then(|row| row.into_iter().nth(1)).flatten());
            Ok(())
        });
        match described {
            Ok(()) => Ok(Some(comment)),
            Err(failure) if Failure::is_absent(&failure) => Ok(None),
            Err(failure) => Err(failure.during(PUBLISHING)),
        }
    }

    fn remove_leftovers(&self, prefix: &str) -> Result<(), EngineError> {
        let within = self.into.within().map(|schema| quoted(&schema)).transpose()?;
        let within = within.map(|schema| format!(" IN {schema}")).unwrap_or_default();
        let mut left = Vec::new();
        self.engine.session().query(PUBLISHING, &Unwatched, &format!("SHOW TABLES{within}"), |batch| {
            let names = texts(&batch)?.into_iter().filter_map(|row| row.into_iter().nth(1).flatten());
            left.extend(names.filter(|name| name.starts_with(prefix)));
            Ok(())
        })?;
        left.iter().try_for_each(|name| self.run(&format!("DROP TABLE IF EXISTS {}", quoted(&self.into.beside(name))?)))
    }

    /// Gives the table its name. One of ours that is replaced is set aside before: for a moment there is none.
    fn rename(&mut self) -> Result<(), EngineError> {
        let (into, staging) = (quoted(&self.into)?, quoted(&self.staging)?);
        let replaced = match self.check()? {
            false => None,
            true => {
                let aside = quoted(&self.staging.with_suffix("_replaced"))?;
                self.run(&format!("ALTER TABLE {into} RENAME TO {aside}"))?;
                Some(aside)
            }
        };
        if let Err(error) = self.run(&format!("ALTER TABLE {staging} RENAME TO {into}")) {
            if let Some(aside) = replaced {
                self.run(&format!("ALTER TABLE {aside} RENAME TO {into}"))?;
            }
            // Another run may have published a table of this name in the meantime.
            return Err(self.check().err().unwrap_or(error));
        }
        self.pending = false;
        replaced.map_or(Ok(()), |aside| self.run(&format!("DROP TABLE IF EXISTS {aside}")))
    }
}

fn quoted(name: &TableName) -> Result<String, ServerError> {
    Ok(name.quoted(Dialect::Spark)?)
}

impl Target for IntoTable<'_> {
    fn place(&self, _: Format) -> Result<Place, EngineError> {
        Ok(Place::Table { name: quoted(&self.staging)? })
    }

    fn recounted(&self, table: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        Ok(Box::new(self.engine.recounted_as(&written(&table.place)?)))
    }

    fn size(&self, written: &Written) -> u64 {
        written.records
    }

    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        self.reports.attach(audience, name, content)
    }

    fn publish(mut self: Box<Self>) -> Result<(), EngineError> {
        self.rename()?;
        self.reports.publish(&self.into.to_string())
    }
}

impl Drop for IntoTable<'_> {
    fn drop(&mut self) {
        if let (true, Ok(staging)) = (self.pending, quoted(&self.staging)) {
            // Where the server is gone, the next run into the same table removes it.
            let _ = self.run(&format!("DROP TABLE IF EXISTS {staging}"));
        }
    }
}
