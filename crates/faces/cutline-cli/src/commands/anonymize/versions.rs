//! `cutline anonymize --publish-all`: a version for each number of clusters.

use std::process::ExitCode;

use cutline::{Destination, Error, Job, Table, Version, publish_all};
use cutline_report::text::VersionsSummary;

use crate::out;
use crate::progress::Progress;

/// Publishes all versions, or none.
pub(super) fn run(
    job: &Job,
    table: &Table,
    destination: &Destination,
    quiet: bool,
    progress: &Progress,
) -> Result<ExitCode, Error> {
    let version = |(name, job)| Version { name, job };
    let versions: Vec<Version> = job.versions()?.into_iter().map(version).collect();
    let published = publish_all(&versions, table, destination, progress);
    progress.finish();
    let published = published?;
    if !quiet {
        out::print(format_args!("{}: {} versions\n\n", destination.path.display(), published.versions.len()))?;
        out::print(VersionsSummary(&published))?;
    }
    Ok(ExitCode::SUCCESS)
}
