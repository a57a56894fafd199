//! Several versions of one table: one for each number of clusters (`--publish-all`), or for each `[[release]]` of a spec.

use std::process::ExitCode;

use cutline::spec::Spec;
use cutline::{Destination, Error, Version, publish_all};
use cutline_report::text::VersionsSummary;

use super::job;
use crate::args::AnonymizeArgs;
use crate::database;
use crate::out;
use crate::progress::Progress;

/// Publishes all versions, or none.
pub(super) fn run(args: &AnonymizeArgs, spec: Spec) -> Result<ExitCode, Error> {
    let Some(output) = &args.output else {
        return Err(Error::NotSaid {
            what: "of several releases it cannot be told what other requirements would come to".to_owned(),
            hint: "name a folder with ‹output›, or describe one release",
        });
    };
    if database::open(&args.settings.over(spec.clone())?)?.is_some() {
        return Err(Error::Contradiction {
            what: "several releases appear in one folder, all or none, and the records are in a database".to_owned(),
            hint: "publish them from a file of the table".to_owned(),
        });
    }
    let versions = versions(args, spec)?;
    let table = versions.first().map_or_else(|| Err(nothing()), |version| version.job.open())?;
    let destination = Destination { path: output.clone(), force: args.force };
    let progress = Progress::new(args.quiet);
    let published = publish_all(&versions, &table, &destination, &progress);
    progress.finish();
    let published = published?;
    if !args.quiet {
        out::print(format_args!("{}: {} versions\n\n", output.display(), published.versions.len()))?;
        out::print(VersionsSummary(&published))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is to be published. Flags win over what a release says.
fn versions(args: &AnonymizeArgs, spec: Spec) -> Result<Vec<Version>, Error> {
    let releases = spec.releases()?;
    if releases.is_empty() {
        let versions = job(args, args.settings.over(spec)?)?.versions()?;
        return Ok(versions.into_iter().map(|(name, job)| Version { name, job }).collect());
    }
    let version = |(name, spec): (String, Spec)| Ok(Version { name, job: job(args, args.settings.over(spec)?)? });
    releases.into_iter().map(version).collect()
}

fn nothing() -> Error {
    Error::NotSaid {
        what: "no release is described".to_owned(),
        hint: "say several numbers of clusters, as in ‹clusters 2,6,10›",
    }
}
