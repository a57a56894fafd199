//! What a path stands for: a table, a spec, or a release.

use std::path::Path;

use cutline::spec::Spec;
use cutline::{Error, Release, read_text};
use serde::Deserialize;

/// What is read back of a release's full report.
#[derive(Deserialize)]
struct Arguments {
    arguments: Spec,
}

/// The spec that a path stands for: a file of its own, or what a release was made from. Nothing if it is a table.
///
/// # Errors
/// If it cannot be read, or only the public part of a release is there.
pub(crate) fn spec_at(path: &str) -> Result<Option<Spec>, Error> {
    let at = Path::new(path);
    if at.extension().is_some_and(|extension| extension == "toml") {
        return Spec::read(at).map(Some);
    }
    let release = if at.is_dir() { Release::at(at)? } else { None };
    let Some(release) = release else { return Ok(None) };
    let report = release.private_report().ok_or_else(|| Error::NotSaid {
        what: format!("`{path}` is the public part of a release: it does not say what it was made from"),
        hint: "open the table or the spec that it was made from",
    })?;
    let read: Arguments = serde_json::from_str(&read_text(&report)?)
        .map_err(|error| Error::Spec { path: report, message: error.to_string() })?;
    Ok(Some(read.arguments))
}
