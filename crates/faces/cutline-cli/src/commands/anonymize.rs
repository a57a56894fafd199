//! `cutline anonymize`.

mod versions;

use std::path::Path;
use std::process::ExitCode;

use cutline::arrow::source::SourceOptions;
use cutline::model::Share;
use cutline::spec::Spec;
use cutline::{After, Counts, Destination, Error, Job, Release, Report, Table, cores};
use cutline_report::text::{ComparisonSummary, ReleaseSummary, WhatIfSummary};

use crate::args::{AfterArgs, AnonymizeArgs};
use crate::commands::verify::recoding_of;
use crate::database::Database;
use crate::out;
use crate::progress::Progress;
use crate::settings::flags;

pub(crate) fn run(args: AnonymizeArgs) -> Result<ExitCode, Error> {
    let is_spec = Path::new(&args.input).extension().is_some_and(|extension| extension == "toml");
    let spec = if is_spec {
        Spec::read(Path::new(&args.input))?
    } else {
        let mut spec = Spec::default();
        spec.input.path = Some(args.input.clone());
        spec
    };
    if args.publish_all || !spec.release.is_empty() {
        return versions::run(&args, spec);
    }
    let spec = args.settings.over(spec)?;
    let database = Database::of(&spec)?;
    let mut job = job(&args, spec)?;
    let engine = database.as_ref().map_or_else(|| job.open(), |database| Ok(database.table()))?;
    let progress = Progress::new(args.quiet);
    let Some(output) = &args.output else { return what_if(&job, &engine, &progress) };
    let destination = Destination { path: output.clone(), force: args.force };
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
                out::print(format_args!("see {}\n", output.join("comparison.html").display()))?;
            }
            return Ok(ExitCode::SUCCESS);
        };
        job = chosen;
    }
    let report = match &database {
        Some(database) => database.publish(&job, &destination, &progress),
        None => cutline_study::publish(&job, &engine, &destination, &progress),
    };
    progress.finish();
    let report = report?;
    if !args.quiet {
        out::print(summary(&report, output))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is asked for, with the releases that are named.
fn job(args: &AnonymizeArgs, spec: Spec) -> Result<Job, Error> {
    let mut job = Job::new(spec)?;
    if let Some(earlier) = &args.against {
        job.set_against(Release::open(earlier)?);
    }
    if let Some(after) = after(&args.after, job.source_options())? {
        job.set_after(after);
    }
    Ok(job)
}

/// The earlier releases that are named, with the tables that they were made from.
pub(crate) fn after(args: &AfterArgs, options: &SourceOptions) -> Result<Option<After>, Error> {
    let earlier = args.after.iter().map(|path| Release::open(path)).collect::<Result<Vec<_>, _>>()?;
    let open = |location: &String| Table::open(location, options, cores());
    let previous = args.previous.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let hold_back = args.hold_back.unwrap_or(Share::ALL);
    Ok((!earlier.is_empty()).then_some(After { earlier, previous, hold_back }))
}

/// What other requirements would come to. Nothing is published.
fn what_if(job: &Job, table: &Table, progress: &Progress) -> Result<ExitCode, Error> {
    let found = Counts::new(job, table, progress).and_then(|counts| counts.what_if(job, progress));
    progress.finish();
    out::print(WhatIfSummary(&found?))?;
    out::print("nothing is published; choose, and name a folder with --output\n")?;
    Ok(ExitCode::SUCCESS)
}

/// What was published, for people.
pub(crate) fn summary(report: &Report, folder: &Path) -> String {
    // The labels are read from the release itself: what is shown is what was written.
    let recoding = recoding_of(folder).ok().flatten();
    let summary = ReleaseSummary { report, recoding: recoding.as_ref(), folder };
    flags(&format!("{summary}see {}\n", folder.join("private/report.html").display()))
}
