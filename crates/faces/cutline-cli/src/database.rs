//! Tables of databases, where this build has an engine for them.

use cutline::spec::Spec;
use cutline::{Error, Table, source_options};

#[cfg(feature = "postgres")]
pub(crate) use postgres::Database;
#[cfg(not(feature = "postgres"))]
pub(crate) use without::Database;

/// Opens a table, wherever it is.
pub(crate) fn table(location: &str, spec: &Spec, threads: usize) -> Result<Table, Error> {
    let mut named = spec.clone();
    named.input.path = Some(location.to_owned());
    match Database::of(&named)? {
        Some(database) => Ok(database.table()),
        None => Table::open(location, &source_options(spec)?, threads),
    }
}

/// Does a location name a database rather than files?
fn is_database(location: &str) -> bool {
    location.starts_with("postgresql://") || location.starts_with("postgres://")
}

/// The location of a database and what was said of it; nothing if the input are files.
fn location(spec: &Spec) -> Result<Option<&str>, Error> {
    let location = spec.input.path.as_deref().filter(|location| is_database(location));
    let said = [("table", &spec.input.table), ("query", &spec.input.query), ("into", &spec.output.into)];
    match (location, said.iter().find(|(_, said)| said.is_some())) {
        (None, Some((name, _))) => Err(Error::Contradiction {
            what: format!("‹{name}› is about a database, and the input are files"),
            hint: "name the database as postgresql://user@host/database".to_owned(),
        }),
        (location, _) => Ok(location),
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use cutline::spec::Spec;
    use cutline::{Destination, Error, Folder, Job, Observer, Report, Table};
    use cutline_postgres::{IfExists, IntoTable, Location, Postgres, PostgresError, Recounted, Source, TableName};

    /// An open table of a database.
    #[derive(Debug)]
    pub(crate) struct Database {
        engine: Postgres,
        into: Option<TableName>,
    }

    impl Database {
        /// Opens the table that a spec names, if it is one of a database.
        pub(crate) fn of(spec: &Spec) -> Result<Option<Self>, Error> {
            let Some(location) = super::location(spec)? else { return Ok(None) };
            let name = |name: &str| name.parse::<TableName>().map_err(|error| fault(error.into()));
            let source = match (&spec.input.table, &spec.input.query) {
                (Some(table), None) => Source::Table(name(table)?),
                (None, Some(query)) => Source::Query(query.clone()),
                _ => {
                    return Err(Error::NotSaid {
                        what: "of a database, either a table or a query is read".to_owned(),
                        hint: "name one of them, with ‹table› or ‹query›",
                    });
                }
            };
            let into = spec.output.into.as_deref().map(name).transpose()?;
            let location: Location = location.parse().map_err(fault)?;
            let engine = Postgres::open(&location, &source)?;
            Ok(Some(Database { engine, into }))
        }

        /// The table, for whoever asks an engine.
        pub(crate) fn table(&self) -> Table {
            Table::remote(self.engine.clone())
        }

        /// The table, for whoever recounts it.
        pub(crate) fn recounted(&self) -> Recounted<'_> {
            Recounted::of(&self.engine)
        }

        /// Publishes a table beside the records, and everything that is said of it in a folder.
        pub(crate) fn publish(
            &self,
            job: &Job,
            folder: &Destination,
            observer: &dyn Observer,
        ) -> Result<Report, Error> {
            let into = self.into.as_ref().ok_or_else(|| Error::NotSaid {
                what: "the records are in a database, and no table to publish is named".to_owned(),
                hint: "name it with ‹into›; the folder gets the recoding and the reports",
            })?;
            let if_exists = if folder.force { IfExists::Replace } else { IfExists::Refuse };
            // Asked before a search that may be long; the target asks again.
            drop(IntoTable::new(&self.engine, into, if_exists, Box::new(Folder::new(folder)?))?);
            let draft = cutline_study::draft(job, &self.table(), observer)?;
            let files = Box::new(Folder::new(folder)?);
            draft.publish(Box::new(IntoTable::new(&self.engine, into, if_exists, files)?), observer)
        }
    }

    fn fault(error: PostgresError) -> Error {
        Error::Engine(error.into())
    }
}

#[cfg(not(feature = "postgres"))]
mod without {
    use cutline::spec::Spec;
    use cutline::verify::Recount;
    use cutline::{Destination, Error, Job, Observer, Report, Table};

    /// There is none.
    #[derive(Debug)]
    pub(crate) enum Database {}

    impl Database {
        pub(crate) fn of(spec: &Spec) -> Result<Option<Self>, Error> {
            match super::location(spec)? {
                None => Ok(None),
                Some(_) => Err(Error::Contradiction {
                    what: "this build of cutline reads no databases".to_owned(),
                    hint: "build it with the feature `postgres`".to_owned(),
                }),
            }
        }

        pub(crate) fn table(&self) -> Table {
            match *self {}
        }

        pub(crate) fn recounted(&self) -> Box<dyn Recount> {
            match *self {}
        }

        pub(crate) fn publish(&self, _: &Job, _: &Destination, _: &dyn Observer) -> Result<Report, Error> {
            match *self {}
        }
    }
}
