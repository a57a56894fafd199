//! Where a release appears: complete, or not at all.

use cutline_verify::Recount;

use crate::{EngineError, Format, Place, Written};

/// Who may see a file that lies beside a published table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody who gets the table.
    Public,
    /// The steward alone.
    Private,
}

/// A place where a release is made aside and then appears at once.
///
/// ```text
///  place ──► Engine::rewrite ──► recounted ──► attach, attach, … ──► publish
/// ```
///
/// A folder is renamed into place, a database commits: that is the target's own business. Whatever happens before [`Target::publish`]
/// returns, nothing of the release can be seen; a target that is dropped takes everything back.
pub trait Target {
    /// Where the engine is to write the table.
    ///
    /// # Errors
    /// If the target has no place for a table of this format.
    fn place(&self, format: Format) -> Result<Place, EngineError>;

    /// What was written, as a thing that can be recounted where it is.
    fn recounted(&self, written: &Written) -> Result<Box<dyn Recount + '_>, EngineError>;

    /// The size of what was written, in the unit that progress is shown in; 0 if nobody knows.
    fn size(&self, written: &Written) -> u64;

    /// Puts a small file beside the table.
    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError>;

    /// Lets the release appear.
    fn publish(self: Box<Self>) -> Result<(), EngineError>;
}
