//! `cutline init`.

use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

use cutline::engine::Embedded;
use cutline::engine::source;
use cutline::model::Role;
use cutline::{Error, Inspection, cores, inspect, source_options};

use crate::args::InitArgs;
use crate::progress::Progress;
use crate::table::aligned;

pub(crate) fn run(args: InitArgs) -> Result<ExitCode, Error> {
    if args.output.exists() && !args.force {
        return Err(Error::Exists(args.output));
    }
    let spec = args.read.spec()?;
    let source = source::open(&args.data, &source_options(&spec)?)?;
    let engine = Embedded::new(source, &args.data, cores());
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
    println!("{}: {} records", args.data, inspection.records);
    print!("{}", proposals(&inspection));
    println!(
        "\nwrote {}: read it, correct it, then run\n  cutline anonymize {} -o published",
        args.output.display(),
        args.output.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn proposals(inspection: &Inspection) -> String {
    let mut rows = vec![["column", "distinct", "missing", "kind", "role", "because"].map(str::to_owned).to_vec()];
    for column in &inspection.columns {
        let role = match column.role {
            Role::Identifier => "identifier",
            Role::Quasi => "quasi",
            Role::Sensitive => "sensitive",
            Role::Target => "target",
            Role::Other => "other",
        };
        rows.push(vec![
            column.profile.name.clone(),
            column.profile.distinct.to_string(),
            column.profile.missing.to_string(),
            column.kind.to_string(),
            role.to_owned(),
            column.reason.to_owned(),
        ]);
    }
    aligned(&rows, &[1, 2])
}
