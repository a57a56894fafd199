//! `cutline anonymize`.

use std::path::Path;
use std::process::ExitCode;

use cutline::model::Recoding;
use cutline::spec::Spec;
use cutline::{Destination, Error, Job, Report, publish};

use crate::args::AnonymizeArgs;
use crate::commands::{clusters, evaluate};
use crate::progress::Progress;
use crate::table::{aligned, shortened};

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
    let engine = job.open()?;
    let destination = Destination { path: args.output.clone(), force: args.force };
    let progress = Progress::new(args.quiet);
    if job.compares() {
        let comparison = cutline::cluster::compare(&job, &engine, &destination, &progress);
        progress.finish();
        let comparison = comparison?;
        if !args.quiet {
            print!("{}", clusters::comparison(&comparison));
        }
        let Some(chosen) = job.chosen(comparison)? else {
            if !args.quiet {
                println!("\nnothing is published; choose one with --choose clusters=N,k=K");
                println!("see {}", args.output.join("comparison.html").display());
            }
            return Ok(ExitCode::SUCCESS);
        };
        job = chosen;
    }
    let report = publish(&job, &engine, &destination, &progress);
    progress.finish();
    let report = report?;
    if !args.quiet {
        print!("{}", summary(&report, &args.output));
    }
    Ok(ExitCode::SUCCESS)
}

/// What was published, for people.
pub(crate) fn summary(report: &Report, output: &Path) -> String {
    let mut text = format!("{}: {} records", output.display(), report.records);
    if report.dropped > 0 {
        text += &format!(" ({} left out: a value is missing)", report.dropped);
    }
    text += &format!(", for {}\n\n", report.purpose);
    text += &requirement(report);
    text.push('\n');
    text += &attributes(report, output);
    text += &format!("\n{} with {}: {} steps ({})\n", "search", report.algorithm, report.steps, report.stopped);
    if let Some(report) = &report.clusters {
        text += &clusters::summary(report, output);
    }
    if let Some(evaluation) = &report.evaluation {
        text += &evaluate::show::release(evaluation);
    }
    text += &times(report);
    text += &format!("see {}\n", output.join("report.html").display());
    text
}

fn times(report: &Report) -> String {
    let seconds = &report.seconds;
    let evaluate = seconds.evaluate.map_or(String::new(), |seconds| format!(", evaluate {seconds:.2} s"));
    format!(
        "time: {}read {:.2} s, search {:.2} s, write {:.2} s, verify {:.2} s{evaluate}\n",
        clusters::seconds(report.clusters.as_ref()),
        seconds.read,
        seconds.search,
        seconds.write,
        seconds.verify
    )
}

fn requirement(report: &Report) -> String {
    let mut rows = vec![["QID", "k", "smallest group", "groups", ""].map(str::to_owned).to_vec()];
    for qid in &report.qids {
        let names = shortened(&qid.attributes.join(", "), 60);
        rows.push(vec![
            names,
            qid.k.to_string(),
            qid.anonymity.to_string(),
            qid.groups.to_string(),
            "holds".to_owned(),
        ]);
    }
    aligned(&rows, &[1, 2, 3])
}

fn attributes(report: &Report, output: &Path) -> String {
    // The labels are read from the release itself: what is shown is what was written.
    let stored = std::fs::read_to_string(output.join("recoding.json")).ok();
    let recoding = stored.and_then(|text| Recoding::from_json(&text).ok());
    let mut rows = vec![["attribute", "values", "labels", ""].map(str::to_owned).to_vec()];
    for attribute in &report.attributes {
        let labels = recoding
            .as_ref()
            .and_then(|recoding| recoding.attributes.get(&attribute.name))
            .map(|recoding| recoding.labels_of(attribute.values));
        let labels = shortened(&labels.unwrap_or_default().join("  "), 70);
        rows.push(vec![attribute.name.clone(), attribute.values.to_string(), attribute.labels.to_string(), labels]);
    }
    aligned(&rows, &[1, 2])
}
