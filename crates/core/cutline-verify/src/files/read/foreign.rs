//! The one place where the readers of Parquet and Arrow are called.

use std::cell::Cell;
use std::error::Error;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::VerifyError;
use crate::files::expand::TableFile;

thread_local! {
    /// Is a reader at work on this thread whose panics become errors?
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Calls a reader that is not ours. Damaged files make some of them panic; that becomes an error like those that they return.
///
/// What the reader has changed is not used afterwards: an error ends the recount.
pub(super) fn call<T, E: Into<Box<dyn Error + Send + Sync>>>(
    file: &TableFile,
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T, VerifyError> {
    let unreadable = |source| VerifyError::Unreadable { file: file.path.clone(), format: file.format, source };
    keep_quiet();
    let before = GUARDED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    match outcome {
        Ok(read) => read.map_err(|error| unreadable(error.into())),
        // What it says is not told: it may quote what was read.
        Err(_) => Err(unreadable("the reader of this format has given up on it".into())),
    }
}

/// Nothing is said of a panic that becomes an error: its message may quote what was read. All others are told as before.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                usual(panic);
            }
        }));
    });
}
