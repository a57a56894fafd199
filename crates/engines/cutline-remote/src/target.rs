//! Which tables are ours to replace, and where does what is said of them go?

use cutline_engine::{Audience, EngineError, Target};

use crate::ServerError;

/// What a table of ours says of itself.
pub const MARK: &str = "Published by Cutline. Grants, keys and indexes are up to its owner.";

/// What to do if the table is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// Leave it alone.
    Refuse,
    /// Replace it if it is one of ours.
    Replace,
}

/// Where the reports on a table of a server go, if anywhere. They appear after the table: what is there is never false.
pub struct Reports<'a>(Option<Box<dyn Target + 'a>>);

impl<'a> Reports<'a> {
    /// Reports that another target takes.
    pub fn new(files: Option<Box<dyn Target + 'a>>) -> Self {
        Reports(files)
    }

    /// Takes a file: see [`Target::attach`].
    pub fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        self.0.as_mut().map_or(Ok(()), |files| files.attach(audience, name, content))
    }

    /// Lets them appear when the table is there.
    ///
    /// # Errors
    /// [`ServerError::Reports`] if they cannot: the table stays.
    pub fn publish(&mut self, table: &str) -> Result<(), EngineError> {
        let published = self.0.take().map_or(Ok(()), Target::publish);
        published.map_err(|error| ServerError::Reports { table: table.to_owned(), problem: error.to_string() }.into())
    }
}
