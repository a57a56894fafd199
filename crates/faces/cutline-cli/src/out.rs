//! Standard output and standard error, which may be closed or full. Everything that the command says goes through here.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use cutline::Error;

/// Prints to standard output.
///
/// # Errors
/// If it cannot be written to, as when a disk is full. A reader that went away (`| head -1`) wanted no more: that is no error, and the
/// command ends with the status that its work deserves.
pub(crate) fn print(text: impl Display) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    printed(write!(stdout, "{text}").and_then(|()| stdout.flush()))
}

/// What became of writing to standard output.
pub(crate) fn printed(result: io::Result<()>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|source| Error::Io { path: "standard output".into(), action: "write to", source }),
    }
}

/// Is an output standard output, as in `-o -`?
pub(crate) fn is_standard(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// Prints what is told beside the work itself: to standard error where standard output has the published table.
///
/// # Errors
/// As those of [`print`].
pub(crate) fn print_beside(output: &Path, text: impl Display) -> Result<(), Error> {
    if !is_standard(output) {
        return print(text);
    }
    let _ = write!(io::stderr().lock(), "{text}");
    Ok(())
}

/// Tells a line on standard error. If that is closed, nobody can be told.
pub(crate) fn tell(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
