//! Tables that are no files: those of databases and clusters, as far as the program that serves the page can open them.

use cutline::spec::Spec;
use cutline::{Destination, Error, Observer, Report, Table};

/// Where tables are that are no files of this machine.
///
/// Passwords and tokens come from where the program has them (its environment, files of the user's own). An address never has one: it is
/// shown, stored and told.
pub trait Elsewhere: Send + Sync {
    /// How the addresses begin that can be opened, as in `postgresql://`.
    fn schemes(&self) -> Vec<&'static str>;

    /// Is it an address, rather than a file?
    ///
    /// # Errors
    /// If it is one that cannot be opened, because there is a secret in it, for example. The message does not repeat it.
    fn is_address(&self, location: &str) -> Result<bool, Error>;

    /// The table that a spec names; nothing if it is in files.
    ///
    /// # Errors
    /// If it cannot be opened.
    fn open(&self, spec: &Spec) -> Result<Option<Table>, Error>;

    /// Publishes a table beside the records, and what is said of it in a folder; nothing if the records are in files.
    ///
    /// # Errors
    /// Whatever goes wrong when a release is made.
    fn publish(&self, spec: &Spec, folder: &Destination, observer: &dyn Observer) -> Result<Option<Report>, Error>;
}
