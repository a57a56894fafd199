//! `cutline anonymize`.

use std::path::Path;
use std::process::ExitCode;

use cutline::spec::Spec;
use cutline::{Destination, Error, Job, Release, Report};
use cutline_report::text::{ComparisonSummary, ReleaseSummary};

use crate::args::AnonymizeArgs;
use crate::commands::verify::recoding_of;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: AnonymizeArgs) -> Result<ExitCode, Error> {
    let is_spec = Path::new(&args.input).extension().is_some_and(|extension| extension == "toml");
    let spec = if is_spec {
        Spec::read(Path::new(&args.input))?
    } else {
        let mut spec = Spec::default();
        spec.input.path = Some(args.input.clone());
        spec
    };
    let mut job = Job::new(args.settings.over(spec)?)?;
    if let Some(earlier) = &args.against {
        job.set_against(Release::open(earlier)?);
    }
    let engine = job.open()?;
    let destination = Destination { path: args.output.clone(), force: args.force };
    let progress = Progress::new(args.quiet);
    if job.compares() {
        let comparison = cutline::cluster::compare(&job, &engine, &destination, &progress);
        progress.finish();
        let comparison = comparison?;
        if !args.quiet {
            out::print(ComparisonSummary(&comparison))?;
        }
        let Some(chosen) = job.chosen(comparison)? else {
            if !args.quiet {
                out::print("\nnothing is published; choose one with --choose clusters=N,k=K\n")?;
                out::print(format_args!("see {}\n", args.output.join("comparison.html").display()))?;
            }
            return Ok(ExitCode::SUCCESS);
        };
        job = chosen;
    }
    let report = cutline_study::publish(&job, &engine, &destination, &progress);
    progress.finish();
    let report = report?;
    if !args.quiet {
        out::print(summary(&report, &args.output))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What was published, for people.
pub(crate) fn summary(report: &Report, folder: &Path) -> String {
    // The labels are read from the release itself: what is shown is what was written.
    let recoding = recoding_of(folder);
    let summary = ReleaseSummary { report, recoding: recoding.as_ref(), folder };
    format!("{summary}see {}\n", folder.join("private/report.html").display())
}
