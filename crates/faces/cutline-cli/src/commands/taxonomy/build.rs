//! `cutline taxonomy build`.

use std::process::ExitCode;

use cutline::{By, Error, Table, TaxonomyPlan, TaxonomyProposal, build_taxonomy, cores, source_options};

use super::write;
use crate::args::{BuildArgs, TaxonomyFormat};
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: BuildArgs) -> Result<ExitCode, Error> {
    if let Some(output) = args.output.as_ref().filter(|output| output.exists() && !args.force) {
        return Err(Error::Exists(output.clone()));
    }
    let spec = args.read.spec()?;
    let engine = Table::open(&args.data, &source_options(&spec)?, cores())?;
    let plan = TaxonomyPlan {
        table: args.data.clone(),
        attribute: args.attribute.clone(),
        by: args.by.map(By::from),
        target: args.target.clone(),
        nulls: spec.input.null.clone(),
    };
    let progress = Progress::new(false);
    let proposal = build_taxonomy(&engine, &plan, &progress);
    progress.finish();
    let proposal = proposal?;
    check_format(&args, &proposal)?;
    write(&proposal.taxonomy, args.format, args.output.clone(), args.force)?;
    tell(&args, &proposal);
    Ok(ExitCode::SUCCESS)
}

/// An outline cannot hold every value. The message names the record, not its value.
fn check_format(args: &BuildArgs, proposal: &TaxonomyProposal) -> Result<(), Error> {
    match (args.format, proposal.outside_outline) {
        (TaxonomyFormat::Outline, Some(record)) => Err(Error::NotSaid {
            what: format!(
                "attribute `{}`, {record}: the value has a line break, which an outline cannot hold",
                args.attribute
            ),
            hint: "use --format json or arx",
        }),
        _ => Ok(()),
    }
}

/// What was built and what to do with it: on standard error, because standard output may be the taxonomy.
fn tell(args: &BuildArgs, proposal: &TaxonomyProposal) {
    let how = match (proposal.by, &args.target) {
        (By::Prefix, _) => "by how they begin".to_owned(),
        (By::Calendar, _) => "by the calendar".to_owned(),
        (By::Width, _) => "by equal widths".to_owned(),
        (By::Frequency, _) => "by equal frequencies".to_owned(),
        (By::Target, Some(target)) => format!("by how alike the classes of `{target}` are"),
        _ => "not grouped".to_owned(),
    };
    let taxonomy = &proposal.taxonomy;
    let groups = taxonomy.len() - taxonomy.leaves().len() - 1;
    out::tell(format_args!(
        "note: {} values of `{}`, {how}: {groups} {}, {} levels",
        taxonomy.leaves().len(),
        args.attribute,
        if groups == 1 { "group" } else { "groups" },
        taxonomy.height() + 1
    ));
    if let Some(output) = &args.output {
        out::tell(format_args!(
            "note: {file} has values of the table: do not publish it\n\
             note: read it, edit it, then use --taxonomy {name}={file} --private-taxonomy {name}",
            name = args.attribute,
            file = output.display()
        ));
    }
}
