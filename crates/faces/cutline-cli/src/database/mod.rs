//! Tables of databases and clusters, where this build has an engine for them.

#[cfg(feature = "adbc")]
mod adbc;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "spark")]
mod spark;
#[cfg(feature = "studio")]
mod studio;

use cutline::engine::Target;
use cutline::spec::Spec;
use cutline::verify::Recount;
use cutline::{Applied, Apply, Destination, Error, Folder, Job, Observer, Report, Table, apply_into, source_options};

#[cfg(feature = "studio")]
pub(crate) use studio::Servers;

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
#[cfg_attr(
    not(any(feature = "adbc", feature = "postgres", feature = "spark")),
    expect(dead_code, reason = "for engines")
)]
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
    /// Its engine; nothing if this build has none.
    engine: Option<Opener>,
}

/// How tables of a server are opened.
struct Opener {
    /// Refuses a location that makes no sense or has a secret in it, without connecting.
    check: fn(&str) -> Result<(), Error>,
    open: fn(&str, Wanted<'_>) -> Result<Opened, Error>,
}

/// An open table of a server.
type Opened = Box<dyn Database>;

/// What is to be read.
#[cfg_attr(
    not(any(feature = "adbc", feature = "postgres", feature = "spark")),
    expect(dead_code, reason = "for engines")
)]
enum Wanted<'a> {
    Table(&'a str),
    Query(&'a str),
}

static KINDS: [Kind; 3] = [
    Kind {
        schemes: &["postgresql://", "postgres://"],
        feature: "postgres",
        #[cfg(feature = "postgres")]
        engine: Some(Opener { check: postgres::check, open: postgres::open }),
        #[cfg(not(feature = "postgres"))]
        engine: None,
    },
    Kind {
        schemes: &["sc://"],
        feature: "spark",
        #[cfg(feature = "spark")]
        engine: Some(Opener { check: spark::check, open: spark::open }),
        #[cfg(not(feature = "spark"))]
        engine: None,
    },
    Kind {
        schemes: &["adbc:"],
        feature: "adbc",
        #[cfg(feature = "adbc")]
        engine: Some(Opener { check: adbc::check, open: adbc::open }),
        #[cfg(not(feature = "adbc"))]
        engine: None,
    },
];

impl Kind {
    /// The kind of a location; nothing if that is a file.
    fn of(location: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.schemes.iter().any(|scheme| location.starts_with(scheme)))
    }

    /// Is it a server? Other locations name a library and files of this machine.
    #[cfg(feature = "studio")]
    fn is_server(&self) -> bool {
        self.schemes[0].ends_with("://")
    }

    /// Its engine, for a location that it understands.
    fn engine(&self, location: &str) -> Result<&Opener, Error> {
        let engine = self.engine.as_ref().ok_or_else(|| Error::Contradiction {
            what: format!("this build of cutline reads no tables of {}", self.schemes[0]),
            hint: format!("build it with the feature `{}`, or `full` for all of them", self.feature),
        })?;
        (engine.check)(location)?;
        Ok(engine)
    }
}

/// Refuses tables of servers where two are compared record by record: theirs have no order, and published ones lie in a random one.
pub(crate) fn check_ordered(locations: [&str; 2]) -> Result<(), Error> {
    if locations.iter().all(|location| Kind::of(location).is_none()) {
        return Ok(());
    }
    Err(Error::Contradiction {
        what: "two tables are compared record by record, and those of a server have no order".to_owned(),
        hint: "leave out the masked table, and evaluate the raw one where it is with ‹table› and the settings that it was published \
               with; or export both tables in one order and compare the files"
            .to_owned(),
    })
}

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
    let engine = kind.engine(location)?;
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
    (engine.open)(location, wanted).map(Some)
}

/// The location of a server and its kind; nothing if the input are files.
fn kind_of(spec: &Spec) -> Result<Option<(&str, &'static Kind)>, Error> {
    let found = spec.input.path.as_deref().and_then(|location| Some((location, Kind::of(location)?)));
    let said = [("table", &spec.input.table), ("query", &spec.input.query), ("into", &spec.output.into)];
    match (found, said.iter().find(|(_, said)| said.is_some())) {
        (None, Some((name, _))) => Err(Error::Contradiction {
            what: format!("‹{name}› is about a database, and the input are files"),
            hint: "name the database as postgresql://user@host/database or adbc:driver:database, or a cluster as sc://host:port".to_owned(),
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
