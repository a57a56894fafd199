//! `cutline init`.

use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

use cutline::spec::seen_from;
use cutline::{Error, Inspection, cores, inspect};
use cutline_report::text::Aligned;

use crate::args::InitArgs;
use crate::database;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: InitArgs) -> Result<ExitCode, Error> {
    if args.output.exists() && !args.force {
        return Err(Error::Exists(args.output));
    }
    let spec = args.read.spec()?;
    let engine = database::table(&args.data, &spec, cores())?;
    let progress = Progress::new(false);
    let inspection = inspect(&engine, &spec.input.null, &progress);
    progress.finish();
    let inspection = inspection?;
    if inspection.records == 0 {
        return Err(Error::NoRecords(args.data));
    }
    let text = inspection.spec(&seen_from(&args.output, &args.data), &spec.input);
    let write = || File::create(&args.output).and_then(|mut file| file.write_all(text.as_bytes()));
    write().map_err(|source| Error::Io { path: args.output.clone(), action: "write", source })?;
    out::print(format_args!("{}: {} records\n", args.data, inspection.records))?;
    out::print(proposals(&inspection))?;
    out::print(remarks(&inspection))?;
    out::print(format_args!(
        "\nwrote {}: read it, correct it, then run\n  cutline anonymize {} -o published\n",
        args.output.display(),
        args.output.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn proposals(inspection: &Inspection) -> Aligned {
    let mut table = Aligned::new(["column", "distinct", "missing", "kind", "role", "because"]).numbers(&[1, 2]);
    for column in &inspection.columns {
        table = table.row([
            column.profile.name.clone(),
            column.profile.distinct.to_string(),
            column.profile.missing.to_string(),
            column.kind.to_string(),
            column.role.to_string(),
            column.reason.clone(),
        ]);
    }
    table
}

/// Why numbers were taken for names, what looks like a missing value, and what columns give away.
fn remarks(inspection: &Inspection) -> String {
    let mut lines = Vec::new();
    for marker in &inspection.missing {
        lines.push(format!("`{}` looks like a missing value in {}", marker.text, marker.columns.join(", ")));
    }
    for column in &inspection.columns {
        let kind = column.kind_reason.iter().map(|reason| format!("taken for names: {reason}"));
        let remarks = kind.chain(column.findings.iter().cloned());
        lines.extend(remarks.map(|remark| format!("`{}` {remark}", column.profile.name)));
    }
    if let Some(column) = inspection.repeating() {
        let (name, distinct) = (&column.profile.name, column.profile.distinct);
        lines.push(format!(
            "`{name}` repeats: {} records have {distinct} different values; if a value is a person, let k count persons with \
             `person` in the spec",
            inspection.records
        ));
    }
    for pair in &inspection.pairs {
        let ([one, other], told) = (&pair.columns, &pair.revealed);
        lines.push(format!("`{one}` and `{other}` together give {} away: {}", told.attribute, told.how_sure()));
    }
    let lines = lines.into_iter().map(|line| format!("note: {line}\n"));
    let text: String = lines.collect();
    if text.is_empty() { text } else { format!("\n{text}") }
}
