//! `cutline verify`.

mod persons;
mod several;
mod warnings;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cutline::engine::Engine;
use cutline::model::{Qid, Recoding};
use cutline::parts::{verified_format, verified_notation};
use cutline::spec::Spec;
use cutline::verify::{Absent, Claim, Options, Persons, verify};
use cutline::{Error, Observer, Release, Stage, population, read_text, source_options};
use cutline_report::text::VerdictSummary;
use cutline_report::verdict_json;

use crate::args::VerifyArgs;
use crate::database::{self, Database};
use crate::names;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: VerifyArgs) -> Result<ExitCode, Error> {
    let spec = args.settings.spec()?;
    if !args.further.is_empty() {
        return several::run(&args, &spec);
    }
    let qids = requirement(&args)?;
    let claims = qids.iter().map(|qid| claim(qid, &spec)).collect::<Result<Vec<Claim>, Error>>()?;
    let options = options(&args, &spec)?;
    let progress = Progress::new(false);
    progress.stage(Stage::Verify, None);
    if let Some(database) = server(&args, spec.clone())? {
        return in_database(&args, database.as_ref(), &claims, &options);
    }
    let table = table_of(&args.data)?;
    let verdict = verify(&table, &claims, &options, &|_| {});
    let warnings = verdict.as_ref().map_or(Ok(Vec::new()), |_| warnings::of(&args, &qids, &spec, &progress));
    progress.finish();
    let (verdict, warnings) = (verdict?, warnings?);
    if args.json {
        out::print(format_args!("{:#}\n", verdict_json(&verdict, &warnings)))?;
    } else {
        out::print(format_args!("{}: {} records\n", args.data.display(), verdict.records))?;
        out::print(VerdictSummary(&verdict))?;
        out::print(warnings::shown(&warnings))?;
    }
    persons::warn(&table, &persons::others(&args, &spec)?, &options)?;
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The table of a database that was named, if it is one.
fn server(args: &VerifyArgs, mut spec: Spec) -> Result<Option<Box<dyn Database>>, Error> {
    spec.input.path = args.data.to_str().map(str::to_owned);
    database::open(&spec)
}

/// Recounts a table where it is.
fn in_database(
    args: &VerifyArgs,
    database: &dyn Database,
    claims: &[Claim],
    options: &Options,
) -> Result<ExitCode, Error> {
    let verdict = database.recounted().recount(claims, options, &|_| {})?;
    if args.json {
        out::print(format_args!("{:#}\n", verdict_json(&verdict, &[])))?;
    } else {
        out::print(format_args!("{}: {} records\n", database.table().name(), verdict.records))?;
        out::print(VerdictSummary(&verdict))?;
    }
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What must hold: what was said, or what the release says of itself.
fn requirement(args: &VerifyArgs) -> Result<Vec<Qid>, Error> {
    let own = || Ok::<_, Error>(Release::at(&args.data)?.map(|release| release.requirement()).unwrap_or_default());
    let qids = if args.qid.is_empty() { own()? } else { args.qid.clone() };
    match qids.is_empty() {
        false => Ok(qids),
        true => Err(Error::NotSaid {
            what: "no QID is named".to_owned(),
            hint: "say what must hold, as in ‹qid age,sex,zip:10›; only the folder of a release knows its own requirement",
        }),
    }
}

/// What is claimed of a QID. The verifier has its own understanding of every condition, so it gets them as texts.
fn claim(qid: &Qid, spec: &Spec) -> Result<Claim, Error> {
    let further = spec.conditions.iter().filter(|condition| !qid.conditions.contains(condition));
    let conditions = qid.conditions.iter().chain(further).map(|condition| condition.to_string().parse());
    let conditions = conditions.collect::<Result<_, _>>()?;
    Ok(Claim { conditions, ..Claim::new(qid.attributes.clone(), qid.k) })
}

fn options(args: &VerifyArgs, spec: &Spec) -> Result<Options, Error> {
    let (source, release) = (source_options(spec)?, Release::at(&args.data)?);
    let mut nulls = spec.input.null.clone();
    nulls.extend(recoding_of(&args.data)?.into_iter().flat_map(|recoding| recoding.null));
    // The last record with the value of a release's own bound may have been left out; what is said here may be misspelled.
    let own = release.is_some() && args.qid.is_empty() && spec.conditions.is_empty();
    Ok(Options {
        format: source.format.map(verified_format).transpose()?,
        delimiter: source.delimiter.or_else(|| release.as_ref().and_then(Release::delimiter)),
        encoding: source.encoding.map(|encoding| encoding.name().to_owned()),
        absent: if own { Absent::Allow } else { Absent::Refuse },
        // It takes no names of columns, so that a first line is a header unless it is said to be none.
        header: source.header.unwrap_or(true),
        worst: args.worst,
        keep_values: args.show_values,
        sensitive: sensitive(args)?,
        persons: persons::counted(args, spec)?.map(Persons::Column),
        population: population(spec)?,
        nulls,
        notation: verified_notation(source.notation),
        union: args.union,
        ..Options::default()
    })
}

/// What is said to be sensitive, here or by a release whose own requirement is checked.
fn sensitive(args: &VerifyArgs) -> Result<Vec<String>, Error> {
    let own = Release::at(&args.data)?.filter(|_| args.qid.is_empty() && args.sensitive.is_empty());
    match own {
        Some(release) => release.sensitive(),
        None => Ok(args.sensitive.iter().flat_map(|names| names::list(names)).collect()),
    }
}

/// The table of a release, if a release's folder is given; any other location as it is.
pub(crate) fn table_of(data: &Path) -> Result<PathBuf, Error> {
    Ok(Release::at(data)?.map_or_else(|| data.to_owned(), |release| release.table().to_owned()))
}

/// The recoding of a release, if a release's folder is given: it knows what stands for a missing value.
pub(crate) fn recoding_of(data: &Path) -> Result<Option<Recoding>, Error> {
    // The table of a release in a database is there, its recoding is here.
    let stored = || Recoding::from_json(&read_text(&data.join("public/recoding.json")).ok()?).ok();
    Ok(Release::at(data)?.map(|release| release.recoding().clone()).or_else(stored))
}
