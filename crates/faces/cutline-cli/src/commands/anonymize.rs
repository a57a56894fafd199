//! `cutline anonymize`.

mod versions;

use std::path::Path;
use std::process::ExitCode;

use cutline::arrow::source::SourceOptions;
use cutline::engine::Statement;
use cutline::model::{Recoding, Share};
use cutline::spec::Spec;
use cutline::{After, Counts, Destination, Error, Job, Release, Report, Streamed, Table, cores};
use cutline_report::text::{ComparisonSummary, ReleaseSummary, WhatIfSummary};

use crate::args::{AfterArgs, AnonymizeArgs};
use crate::commands::verify::recoding_of;
use crate::database;
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
        let stream = args.output.as_deref().is_some_and(out::is_standard);
        check_table_alone(stream, false)?;
        return versions::run(&args, spec);
    }
    let spec = args.settings.over(spec)?;
    let (database, into) = (database::open(&spec)?, spec.output.into.clone());
    let mut job = job(&args, spec)?;
    let engine = database.as_ref().map_or_else(|| job.open(), |database| Ok(database.table()))?;
    let progress = Progress::new(args.quiet);
    if args.explain {
        return explain(&job, &engine, &progress);
    }
    let Some(output) = &args.output else { return what_if(&job, &engine, &progress) };
    let destination = Destination { path: output.clone(), force: args.force };
    if out::is_standard(output) {
        check_table_alone(job.compares(), database.is_some())?;
        return to_standard_output(&job, &engine, &args, &progress);
    }
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
        Some(database) => database::publish(database.as_ref(), into.as_deref(), &job, &destination, &progress),
        None => cutline_study::publish(&job, &engine, &destination, &progress),
    };
    progress.finish();
    let report = report?;
    if !args.quiet {
        out::print(summary(&report, output))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What would be sent to a server. Nothing is published.
fn explain(job: &Job, table: &Table, progress: &Progress) -> Result<ExitCode, Error> {
    let statements = cutline::explain(job, table, progress);
    progress.finish();
    let statements = statements?;
    if statements.is_empty() {
        out::print(
            "this process reads the records: once to count them, once to look at columns, once to write them\n",
        )?;
    }
    for (number, Statement { what, text, rows }) in (1..).zip(&statements) {
        out::print(format_args!("{number}. {what} ({rows} come back)\n   {text}\n"))?;
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

/// Standard output has room for one table.
fn check_table_alone(several: bool, in_database: bool) -> Result<(), Error> {
    let contradiction =
        |what: &str, hint: &str| Err(Error::Contradiction { what: what.to_owned(), hint: hint.to_owned() });
    match (several, in_database) {
        (true, _) => contradiction(
            "several releases are compared or published, and standard output has room for one table",
            "name a folder with ‹output›, or ask for one of them",
        ),
        (_, true) => contradiction(
            "a table that is published in a database does not go to standard output",
            "name a folder with ‹output› for the recoding and the reports",
        ),
        _ => Ok(()),
    }
}

/// The table alone, once it is verified; what is said of it goes to standard error.
fn to_standard_output(job: &Job, table: &Table, args: &AnonymizeArgs, progress: &Progress) -> Result<ExitCode, Error> {
    let published = cutline_study::draft(job, table, progress)
        .and_then(|draft| draft.publish_to(&mut std::io::stdout().lock(), progress));
    progress.finish();
    let Streamed { report, documents } = published?;
    if !args.quiet {
        let recoding = documents.iter().find(|document| document.name == "recoding.json");
        let recoding = recoding.and_then(|document| Recoding::from_json(&document.content).ok());
        let folder = Path::new("standard output");
        let summary = ReleaseSummary { report: &report, recoding: recoding.as_ref(), folder };
        out::print_beside(Path::new("-"), flags(&summary.to_string()))?;
    }
    Ok(ExitCode::SUCCESS)
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
