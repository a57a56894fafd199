//! `cutline apply`.

use std::path::Path;
use std::process::ExitCode;

use cutline::engine::Format;
use cutline::model::Identifier;
use cutline::model::recoding::Unknown;
use cutline::{Apply, Destination, Error, Release, Shuffle, Table, cores, give_taxonomy, source_options};
use cutline_report::text::VerdictTable;

use crate::args::ApplyArgs;
use crate::commands::anonymize::after;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: ApplyArgs) -> Result<ExitCode, Error> {
    let mut apply = Apply::read(&args.recoding)?;
    apply.qids = args.qid;
    apply.keep = args.keep;
    apply.against = args.against.as_deref().map(Release::open).transpose()?;
    let spec = args.settings.spec()?;
    let identifiers = spec.attributes.iter().filter_map(|(name, said)| Some((name.clone(), said.identifier?)));
    apply.identifiers = identifiers.collect();
    apply.shuffle = Shuffle::new(&spec.output)?;
    if spec.input.unknown == Some(cutline::spec::IfUnknown::Root) {
        apply.unknown = Unknown::Root;
    }
    for (name, file) in &args.taxonomy {
        give_taxonomy(&mut apply.recoding, name, Path::new(file), apply.unknown)?;
    }
    apply.recoding.null.extend(spec.input.null.iter().cloned());
    let engine = Table::open(&args.data, &source_options(&spec)?, args.threads.unwrap_or_else(cores))?;
    let format = Format::by_extension(&args.output.to_string_lossy()).ok_or_else(|| Error::NotSaid {
        what: format!("the format of `{}` is not clear", args.output.display()),
        hint: "name the output .csv, .parquet, .arrow or .jsonl",
    })?;
    let destination = Destination { path: args.output.clone(), force: args.force };
    let progress = Progress::new(false);
    apply.after = after(&args.after, &source_options(&spec)?)?;
    apply.identifiers.extend(args.person.iter().map(|name| (name.clone(), Identifier::Drop)));
    apply.person = args.person;
    let applied = cutline::apply_after(&apply, &engine, format, &destination, &progress);
    progress.finish();
    let applied = applied?;
    let verdict = applied.verdict;
    let told = |records: u64, what: &str| if records > 0 { format!(", {records} {what}") } else { String::new() };
    let (dropped, suppressed) =
        (told(applied.dropped, "left out for a missing value"), told(applied.suppressed, "suppressed"));
    let held_back = told(applied.held_back, "held back");
    out::print(format_args!(
        "{}: {} records{dropped}{suppressed}{held_back}\n",
        args.output.display(),
        verdict.records
    ))?;
    out::print(VerdictTable(&verdict))?;
    Ok(ExitCode::SUCCESS)
}
