//! `cutline apply`.

use std::path::Path;
use std::process::ExitCode;

use cutline::engine::{Engine, Format};
use cutline::model::Identifier;
use cutline::model::recoding::Unknown;
use cutline::spec::{IfUnknown, Spec};
use cutline::{
    Applied, Apply, Destination, Error, Release, Shuffle, Table, Tokens, cores, give_taxonomy, source_options,
};
use cutline_report::text::VerdictTable;

use crate::args::ApplyArgs;
use crate::commands::anonymize::after;
use crate::database;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: ApplyArgs) -> Result<ExitCode, Error> {
    let spec = args.settings.spec()?;
    let mut apply = stored(&args, &spec)?;
    let mut named = spec.clone();
    named.input.path = Some(args.data.clone());
    let database = database::open(&named)?;
    let progress = Progress::new(false);
    let applied = match (database, &args.output) {
        (Some(database), None) => {
            give_taxonomies(&mut apply, &args, None)?;
            let into = spec.output.into.as_deref();
            database::apply(database.as_ref(), into, args.force, &apply, &progress)
        }
        (None, Some(output)) => to_file(&args, &spec, apply, output, &progress),
        _ => Err(Error::Contradiction {
            what: "a table of a database is masked into another one beside it, a file into a file".to_owned(),
            hint: "name the one with ‹into›, the other with ‹output›".to_owned(),
        }),
    };
    progress.finish();
    let applied = applied?;
    let verdict = applied.verdict;
    let told = |records: u64, what: &str| if records > 0 { format!(", {records} {what}") } else { String::new() };
    let (dropped, suppressed) =
        (told(applied.dropped, "left out for a missing value"), told(applied.suppressed, "suppressed"));
    let held_back = told(applied.held_back, "held back");
    let records = verdict.records;
    match &args.output {
        Some(output) => {
            let name = if out::is_standard(output) { Path::new("standard output") } else { output };
            let line = format!("{}: {records} records{dropped}{suppressed}{held_back}\n", name.display());
            out::print_beside(output, format_args!("{line}{}", VerdictTable(&verdict)))?;
        }
        None => {
            let into = spec.output.into.unwrap_or_default();
            out::print(format_args!("{into}: {records} records{dropped}{suppressed}{held_back}\n"))?;
            out::print(VerdictTable(&verdict))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The stored recoding, with what was said beside it.
fn stored(args: &ApplyArgs, spec: &Spec) -> Result<Apply, Error> {
    let mut apply = Apply::read(&args.recoding)?;
    apply.qids.clone_from(&args.qid);
    apply.keep.clone_from(&args.keep);
    apply.against = args.against.as_deref().map(Release::open).transpose()?;
    let identifiers = spec.attributes.iter().filter_map(|(name, said)| Some((name.clone(), said.identifier?)));
    apply.identifiers = identifiers.collect();
    apply.shuffle = Shuffle::new(&spec.output)?;
    apply.tokens = Tokens::new(&spec.output)?;
    if spec.input.unknown == Some(IfUnknown::Root) {
        apply.unknown = Unknown::Root;
    }
    apply.recoding.null.extend(spec.input.null.iter().cloned());
    apply.after = after(&args.after, &source_options(spec)?)?;
    apply.identifiers.extend(args.person.iter().map(|name| (name.clone(), Identifier::Drop)));
    apply.person.clone_from(&args.person);
    Ok(apply)
}

/// Private taxonomies, given again; a classification needs the values of the table that it is to be a tree of.
fn give_taxonomies(apply: &mut Apply, args: &ApplyArgs, table: Option<&Table>) -> Result<(), Error> {
    let mut given = args.taxonomy.iter();
    given.try_for_each(|(name, file)| give_taxonomy(&mut apply.recoding, (name, Path::new(file)), table, apply.unknown))
}

fn to_file(
    args: &ApplyArgs,
    spec: &Spec,
    mut apply: Apply,
    output: &Path,
    progress: &Progress,
) -> Result<Applied, Error> {
    check_is_no_input(args, output)?;
    let engine = Table::open(&args.data, &source_options(spec)?, args.threads.unwrap_or_else(cores))?;
    give_taxonomies(&mut apply, args, Some(&engine))?;
    let format = format(output, spec, &engine)?;
    if out::is_standard(output) {
        return cutline::apply_to(&apply, &engine, format, &mut std::io::stdout().lock(), progress);
    }
    let destination = Destination { path: output.to_owned(), force: args.force };
    cutline::apply_after(&apply, &engine, format, &destination, progress)
}

/// Nothing that is read is replaced by what is written, whatever ‹force› allows.
fn check_is_no_input(args: &ApplyArgs, output: &Path) -> Result<(), Error> {
    let Ok(target) = output.canonicalize() else { return Ok(()) };
    let taxonomies = args.taxonomy.iter().map(|(_, file)| Path::new(file));
    let previous = args.after.previous.iter().map(Path::new);
    let mut inputs = [Path::new(&args.data), args.recoding.as_path()].into_iter().chain(taxonomies).chain(previous);
    match inputs.any(|input| input.canonicalize().is_ok_and(|input| input == target)) {
        false => Ok(()),
        true => Err(Error::Contradiction {
            what: format!("`{}` is an input, and would be replaced by the masked table", output.display()),
            hint: "name another file with ‹output›".to_owned(),
        }),
    }
}

/// The format of the masked table: what is said, what its name tells, or for standard output that of the input.
fn format(output: &Path, spec: &Spec, table: &Table) -> Result<Format, Error> {
    let name = output.to_string_lossy();
    let own = || table.format().filter(|_| out::is_standard(output));
    spec.output.format.or_else(|| Format::by_extension(&name)).or_else(own).ok_or_else(|| Error::NotSaid {
        what: format!("the format of `{}` is not clear", output.display()),
        hint: "name the output .csv, .parquet, .arrow or .jsonl",
    })
}
