//! The one place where the readers of Parquet and Arrow are called.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::error::FileError;
use crate::input::Input;

thread_local! {
    /// Is a reader at work on this thread whose panics become errors?
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Calls a reader that is not ours. Damaged files make some of them panic; that becomes an error like those that they return.
///
/// What the reader has changed is not used afterwards: an error ends the pass.
pub(super) fn call<T>(input: &Input, read: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
    keep_quiet();
    let before = GUARDED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    outcome.unwrap_or_else(|_| Err(FileError::Damaged { path: input.path().into() }))
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
