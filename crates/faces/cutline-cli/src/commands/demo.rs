//! `cutline demo`.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::ExitCode;

use cutline::arrow::Embedded;
use cutline::arrow::source;
use cutline::model::{Identifier, Qid};
use cutline::spec::{IfMissing, Spec};
use cutline::{Destination, Error, Job, Table};
use cutline_report::text::Aligned;

use crate::args::DemoArgs;
use crate::builtin;
use crate::commands::anonymize::summary;
use crate::out;
use crate::progress::Progress;

/// What anybody may know of a neighbour or a colleague.
const QUASI: [&str; 7] = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"];
const K: u64 = 50;

/// What is not published, and why.
const LEFT_OUT: [(&str, &str); 4] = [
    ("fnlwgt", "a weight that hardly anybody shares"),
    ("education-num", "it says what education hides"),
    ("relationship", "a husband is a man, and married"),
    ("native-country", "others may know it, and few share it"),
];

pub(crate) fn run(args: DemoArgs) -> Result<ExitCode, Error> {
    let mut spec = Spec::default();
    spec.input.path = Some("the built-in Adult table".to_owned());
    spec.input.null = vec!["?".to_owned()];
    spec.input.missing = Some(IfMissing::Complete);
    spec.purpose.target = Some("income".to_owned());
    spec.qid = vec![Qid::new(QUASI.map(str::to_owned).to_vec(), K)];
    for (name, _) in LEFT_OUT {
        spec.attributes.entry(name.to_owned()).or_default().identifier = Some(Identifier::Drop);
    }
    spec.search.threads = args.threads;
    spec.output.evaluate = Some(true);
    let mut job = Job::new(spec)?;
    for name in QUASI {
        if let Some(taxonomy) = builtin::taxonomy(name) {
            job.set_taxonomy(name, taxonomy);
        }
    }
    out::print(format_args!(
        "The Adult table: 48,842 persons of a census, and whether they earn more than 50,000 a year.\n\
         Somebody who knows a person's {} must not find\nfewer than {K} records that fit; and the table is to train a classifier of income.\n\
         Not published:\n{}\n",
        QUASI.join(", "),
        Aligned::default().rows(LEFT_OUT.map(|(name, why)| vec![format!("  {name}"), why.to_owned()]))
    ))?;
    let source = source::open_builtin(&builtin::ADULT, job.source_options())?;
    let table = Table::embedded(Embedded::new(source, "adult", job.threads()));
    let progress = Progress::new(false);
    // The demo's own folder is replaced; any other folder is left alone, as always.
    let destination = Destination { path: args.output.clone(), force: true };
    let report = cutline_study::publish(&job, &table, &destination, &progress);
    progress.finish();
    out::print(summary(&report?, &args.output))?;
    out::print(format_args!(
        "\nThe first published records:\n\n{}\n",
        first_records(&args.output.join("public/table.csv"))
    ))?;
    out::print(format_args!("Try next:  cutline verify {}\n", args.output.display(),))?;
    Ok(ExitCode::SUCCESS)
}

/// The beginning of the published table: its masked columns and the target.
fn first_records(path: &Path) -> String {
    let Ok(file) = File::open(path) else { return String::new() };
    let lines = BufReader::new(file).lines().map_while(Result::ok).take(6);
    let rows: Vec<Vec<String>> = lines.map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let Some(header) = rows.first().cloned() else { return String::new() };
    let shown = |name: &str| QUASI.contains(&name) || name == "income";
    let pick =
        |row: Vec<String>| row.into_iter().zip(&header).filter(|(_, name)| shown(name)).map(|(cell, _)| cell).collect();
    Aligned::default().rows(rows.into_iter().map(pick)).to_string()
}
