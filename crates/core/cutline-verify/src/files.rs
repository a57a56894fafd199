//! Tables in this process: written files, and record batches in memory.

mod batches;
mod cells;
mod columns;
mod count;
mod expand;
mod lookup;
mod open;
mod read;

use std::path::{Path, PathBuf};

pub use batches::Batches;

use crate::{Claim, Counts, Options, Recount, Verdict, VerifyError};

/// A table that was written: a file, a folder (its files sorted by name, without hidden ones) or a glob pattern. Several files
/// are one table and must have the same column names, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile(PathBuf);

impl WrittenFile {
    /// The table at a path.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        WrittenFile(path.into())
    }
}

impl Recount for WrittenFile {
    fn recount(&self, claims: &[Claim], options: &Options, progress: &dyn Fn(u64)) -> Result<Verdict, VerifyError> {
        verify(&self.0, claims, options, progress)
    }
}

/// Recounts the QID groups of a written table, and the sensitive values in them if there are conditions: see [`WrittenFile`] for
/// what `path` may be, and [`Recount::recount`] for the rest.
///
/// # Errors
///
/// A table that does not satisfy its claims is no error: ask [`Verdict::holds`]. See
/// [`VerifyError`] for what is.
pub fn verify(
    path: &Path,
    claims: &[Claim],
    options: &Options,
    progress: &dyn Fn(u64),
) -> Result<Verdict, VerifyError> {
    let counts = Counts::new(claims, options)?;
    let files = expand::expand(path, options)?;
    let mut pieces = read::FilePieces::new(&files, &counts.plan().columns, options.header);
    let tally = count::count(counts.plan(), options, &mut pieces, progress)?;
    counts.verdict_on(tally)
}
