//! Tables that can be recounted.

use crate::{Claim, Options, Verdict, VerifyError};

/// A published table that can be recounted where it is: written files, record batches in memory, a table on a server.
///
/// # Guarantee
///
/// The verdict is about the table as it was published, counted by code that shares nothing with what made it. An
/// implementation reads what was written (not what was meant to be written), counts every record once, and makes the verdict
/// with [`Counts`](crate::Counts), so that all tables are judged by the same rules.
pub trait Recount {
    /// Recounts the QID groups, and the sensitive values in them if there are conditions. `progress` is called on the calling
    /// thread with the number of records counted so far.
    ///
    /// # Errors
    ///
    /// A table that does not satisfy its claims is no error: ask [`Verdict::holds`]. See [`VerifyError`] for what is.
    fn recount(&self, claims: &[Claim], options: &Options, progress: &dyn Fn(u64)) -> Result<Verdict, VerifyError>;
}
