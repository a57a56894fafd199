//! The one place where the readers of Parquet and Arrow are called.

use std::error::Error;
use std::panic::{self, AssertUnwindSafe};

use crate::VerifyError;
use crate::files::expand::TableFile;

/// Calls a reader that is not ours. Damaged files make some of them panic; that becomes an error like those that they return.
///
/// What the reader has changed is not used afterwards: an error ends the recount.
pub(super) fn call<T, E: Into<Box<dyn Error + Send + Sync>>>(
    file: &TableFile,
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T, VerifyError> {
    let unreadable = |source| VerifyError::Unreadable { file: file.path.clone(), format: file.format, source };
    match panic::catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(|error| unreadable(error.into())),
        // What it says is not told: it may quote what was read.
        Err(_) => Err(unreadable("the reader of this format has given up on it".into())),
    }
}
