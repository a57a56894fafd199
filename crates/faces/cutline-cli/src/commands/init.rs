//! `cutline init`.

use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

use cutline::model::Role;
use cutline::{Error, Inspection, Table, cores, inspect, source_options};
use cutline_report::text::Aligned;

use crate::args::InitArgs;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: InitArgs) -> Result<ExitCode, Error> {
    if args.output.exists() && !args.force {
        return Err(Error::Exists(args.output));
    }
    let spec = args.read.spec()?;
    let engine = Table::open(&args.data, &source_options(&spec)?, cores())?;
    let progress = Progress::new(false);
    let inspection = inspect(&engine, &spec.input.null, &progress);
    progress.finish();
    let inspection = inspection?;
    if inspection.records == 0 {
        return Err(Error::NoRecords(args.data));
    }
    let text = inspection.spec(&args.data, &spec.input);
    let write = || File::create(&args.output).and_then(|mut file| file.write_all(text.as_bytes()));
    write().map_err(|source| Error::Io { path: args.output.clone(), action: "write", source })?;
    out::print(format_args!("{}: {} records\n", args.data, inspection.records))?;
    out::print(proposals(&inspection))?;
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
        let role = match column.role {
            Role::Identifier => "identifier",
            Role::Quasi => "quasi",
            Role::Sensitive => "sensitive",
            Role::Target => "target",
            Role::Other => "other",
        };
        table = table.row([
            column.profile.name.clone(),
            column.profile.distinct.to_string(),
            column.profile.missing.to_string(),
            column.kind.to_string(),
            role.to_owned(),
            column.reason.to_owned(),
        ]);
    }
    table
}
