//! Tables of databases and clusters, where this build has an engine for them.

#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "spark")]
mod spark;

use cutline::engine::Target;
use cutline::spec::Spec;
use cutline::verify::Recount;
use cutline::{Applied, Apply, Destination, Error, Folder, Job, Observer, Report, Table, apply_into, source_options};

/// An open table of a server.
pub(crate) trait Database {
    /// The table, for whoever asks an engine.
    fn table(&self) -> Table;

    /// The table, for whoever recounts it.
    fn recounted(&self) -> Box<dyn Recount + '_>;

    /// A table beside the records.
    fn target(&self, beside: Beside<'_>) -> Result<Box<dyn Target + '_>, Error>;
}

/// A table that is to appear beside the records.
pub(crate) struct Beside<'a> {
    /// Its name, as a spec has it.
    into: &'a str,
    /// Replace one of ours?
    force: bool,
    /// Where everything goes that is said of it, if anything is.
    files: Option<Box<dyn Target>>,
}

impl<'a> Beside<'a> {
    fn new(into: Option<&'a str>, force: bool) -> Result<Self, Error> {
        let into = into.ok_or_else(|| Error::NotSaid {
            what: "the records are in a database, and no table to publish is named".to_owned(),
            hint: "name it with ‹into›; the folder gets the recoding and the reports",
        })?;
        Ok(Beside { into, force, files: None })
    }

    /// The same, with its reports in a folder.
    fn told_in(self, folder: &Destination) -> Result<Self, Error> {
        Ok(Beside { files: Some(Box::new(Folder::new(folder)?)), ..self })
    }
}

/// A kind of server.
struct Kind {
    /// How its locations begin.
    schemes: &'static [&'static str],
    /// The feature that this build needs for it.
    feature: &'static str,
    /// Opens what is to be read; nothing if this build cannot.
    open: Option<Open>,
}

type Open = fn(&str, Wanted<'_>) -> Result<Box<dyn Database>, Error>;

/// What is to be read.
enum Wanted<'a> {
    Table(&'a str),
    Query(&'a str),
}

static KINDS: [Kind; 2] = [
    Kind {
        schemes: &["postgresql://", "postgres://"],
        feature: "postgres",
        #[cfg(feature = "postgres")]
        open: Some(postgres::open),
        #[cfg(not(feature = "postgres"))]
        open: None,
    },
    Kind {
        schemes: &["sc://"],
        feature: "spark",
        #[cfg(feature = "spark")]
        open: Some(spark::open),
        #[cfg(not(feature = "spark"))]
        open: None,
    },
];

/// Opens a table, wherever it is.
pub(crate) fn table(location: &str, spec: &Spec, threads: usize) -> Result<Table, Error> {
    let mut named = spec.clone();
    named.input.path = Some(location.to_owned());
    match open(&named)? {
        Some(database) => Ok(database.table()),
        None => Table::open(location, &source_options(spec)?, threads),
    }
}

/// Opens the table that a spec names, if it is one of a server.
pub(crate) fn open(spec: &Spec) -> Result<Option<Box<dyn Database>>, Error> {
    let Some((location, kind)) = kind_of(spec)? else { return Ok(None) };
    let wanted = match (&spec.input.table, &spec.input.query) {
        (Some(table), None) => Wanted::Table(table),
        (None, Some(query)) => Wanted::Query(query),
        _ => {
            return Err(Error::NotSaid {
                what: "of a database, either a table or a query is read".to_owned(),
                hint: "name one of them, with ‹table› or ‹query›",
            });
        }
    };
    match kind.open {
        Some(open) => open(location, wanted).map(Some),
        None => Err(Error::Contradiction {
            what: format!("this build of cutline reads no tables of {}", kind.schemes[0]),
            hint: format!("build it with the feature `{}`", kind.feature),
        }),
    }
}

/// The location of a server and its kind; nothing if the input are files.
fn kind_of(spec: &Spec) -> Result<Option<(&str, &'static Kind)>, Error> {
    let is = |kind: &&Kind, location: &str| kind.schemes.iter().any(|scheme| location.starts_with(scheme));
    let found = spec.input.path.as_deref().and_then(|location| {
        let kind = KINDS.iter().find(|kind| is(kind, location))?;
        Some((location, kind))
    });
    let said = [("table", &spec.input.table), ("query", &spec.input.query), ("into", &spec.output.into)];
    match (found, said.iter().find(|(_, said)| said.is_some())) {
        (None, Some((name, _))) => Err(Error::Contradiction {
            what: format!("‹{name}› is about a database, and the input are files"),
            hint: "name the database as postgresql://user@host/database, or a cluster as sc://host:port".to_owned(),
        }),
        (found, _) => Ok(found),
    }
}

/// Publishes a table beside the records, and everything that is said of it in a folder.
pub(crate) fn publish(
    database: &dyn Database,
    into: Option<&str>,
    job: &Job,
    folder: &Destination,
    observer: &dyn Observer,
) -> Result<Report, Error> {
    let target = || database.target(Beside::new(into, folder.force)?.told_in(folder)?);
    // Asked before a search that may be long; the target asks again.
    drop(target()?);
    let draft = cutline_study::draft(job, &database.table(), observer)?;
    draft.publish(target()?, observer)
}

/// Applies a recoding to a table; the result appears beside it.
pub(crate) fn apply(
    database: &dyn Database,
    into: Option<&str>,
    force: bool,
    apply: &Apply,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    apply_into(apply, &database.table(), database.target(Beside::new(into, force)?)?, observer)
}
