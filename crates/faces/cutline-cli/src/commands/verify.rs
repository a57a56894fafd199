//! `cutline verify`.

mod json;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cutline::model::{Qid, Recoding};
use cutline::spec::{Input, Spec};
use cutline::verify::{Claim, Format, Options, verify};
use cutline::{Error, Observer, Release, Stage, source_options};
use cutline_report::text::VerdictSummary;

use crate::args::VerifyArgs;
use crate::names;
use crate::progress::Progress;

pub(crate) fn run(args: VerifyArgs) -> Result<ExitCode, Error> {
    let claims = args.qid.iter().map(|qid| claim(qid, &args)).collect::<Result<Vec<Claim>, Error>>()?;
    let options = options(&args)?;
    let progress = Progress::new(false);
    progress.stage(Stage::Verify, None);
    let verdict = verify(&table_of(&args.data), &claims, &options, &|_| {});
    progress.finish();
    let verdict = verdict?;
    if args.json {
        println!("{:#}", json::json(&verdict));
    } else {
        println!("{}: {} records", args.data.display(), verdict.records);
        print!("{}", VerdictSummary(&verdict));
    }
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What is claimed of a QID. The verifier has its own understanding of every condition, so it gets them as texts.
fn claim(qid: &Qid, args: &VerifyArgs) -> Result<Claim, Error> {
    let conditions = args.conditions.all();
    let conditions = conditions.iter().map(|condition| condition.to_string().parse()).collect::<Result<_, _>>()?;
    Ok(Claim { conditions, ..Claim::new(qid.attributes.clone(), qid.k) })
}

fn options(args: &VerifyArgs) -> Result<Options, Error> {
    let spec = Spec { input: Input { delimiter: args.shape.delimiter, ..Input::default() }, ..Spec::default() };
    let mut nulls = args.null.clone();
    nulls.extend(recoding_of(&args.data).into_iter().flat_map(|recoding| recoding.null));
    Ok(Options {
        format: args.shape.input_format.as_deref().map(format).transpose()?,
        delimiter: source_options(&spec)?.delimiter,
        header: !args.shape.no_header,
        worst: args.worst,
        keep_values: args.show_values,
        sensitive: args.sensitive.iter().flat_map(|names| names::list(names)).collect(),
        nulls,
        union: args.union,
        ..Options::default()
    })
}

/// The table of a release, if a release's folder is given; any other location as it is.
pub(crate) fn table_of(data: &Path) -> PathBuf {
    Release::at(data).map_or_else(|| data.to_owned(), |release| release.table().to_owned())
}

/// The recoding of a release, if a release's folder is given: it knows what stands for a missing value.
pub(crate) fn recoding_of(data: &Path) -> Option<Recoding> {
    Release::at(data).map(|release| release.recoding().clone())
}

fn format(name: &str) -> Result<Format, Error> {
    match name {
        "csv" | "tsv" => Ok(Format::Csv),
        "parquet" => Ok(Format::Parquet),
        "arrow" => Ok(Format::Arrow),
        "jsonl" => Ok(Format::JsonLines),
        _ => Err(Error::NotSaid {
            what: format!("`{name}` is no format"),
            hint: "the formats are csv, parquet, arrow and jsonl",
        }),
    }
}
