//! Tables of servers in the studio: opened and published as every command does.

use cutline::spec::Spec;
use cutline::{Destination, Error, Job, Observer, Report, Table};
use cutline_studio::Elsewhere;

use super::{KINDS, Kind};

/// The servers that this build knows.
pub(crate) struct Servers;

impl Elsewhere for Servers {
    fn schemes(&self) -> Vec<&'static str> {
        KINDS.iter().filter(|kind| kind.engine.is_some() && kind.is_server()).map(|kind| kind.schemes[0]).collect()
    }

    fn is_address(&self, location: &str) -> Result<bool, Error> {
        match Kind::of(location) {
            None => Ok(false),
            Some(kind) if kind.is_server() => kind.engine(location).map(|_| true),
            // The page is kept to files of one folder, and this names any file, and a library to be loaded.
            Some(kind) => Err(Error::Contradiction {
                what: format!("the page opens no tables of {}", kind.schemes[0]),
                hint: "publish it by the command, with ‹table› and ‹into›".to_owned(),
            }),
        }
    }

    fn open(&self, spec: &Spec) -> Result<Option<Table>, Error> {
        Ok(super::open(spec)?.map(|database| database.table()))
    }

    fn publish(&self, spec: &Spec, folder: &Destination, observer: &dyn Observer) -> Result<Option<Report>, Error> {
        // A connection of its own: what is looked at in the page is read in another transaction.
        let Some(database) = super::open(spec)? else { return Ok(None) };
        let job = Job::new(spec.clone())?;
        super::publish(database.as_ref(), spec.output.into.as_deref(), &job, folder, observer).map(Some)
    }
}
