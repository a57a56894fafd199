//! `cutline verify`.

mod json;
mod risk;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cutline::engine::source;
use cutline::model::{Qid, Recoding};
use cutline::spec::Spec;
use cutline::verify::{Claim, Finding, Format, Options, Verdict, verify};
use cutline::{Error, Observer, Stage, source_options};

use crate::args::VerifyArgs;
use crate::names;
use crate::progress::Progress;
use crate::table::{aligned, shortened};

pub(crate) fn run(args: VerifyArgs) -> Result<ExitCode, Error> {
    let spec = args.settings.spec()?;
    let claims = args.qid.iter().map(|qid| claim(qid, &spec)).collect::<Result<Vec<Claim>, Error>>()?;
    let options = options(&args, &spec)?;
    let progress = Progress::new(false);
    progress.stage(Stage::Verify, None);
    let verdict = verify(&table_of(&args.data), &claims, &options, &|_| {});
    progress.finish();
    let verdict = verdict?;
    if args.json {
        println!("{:#}", json::json(&verdict));
    } else {
        println!("{}: {} records", args.data.display(), verdict.records);
        print!("{}", findings(&verdict));
        verdict.findings.iter().for_each(|finding| print!("{}", worst(finding)));
        print!("{}", conditions(&verdict));
        print!("{}", risk::risks(&verdict));
        print!("{}", risk::confidences(&verdict));
    }
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What is claimed of a QID. The verifier has its own understanding of every condition, so it gets them as texts.
fn claim(qid: &Qid, spec: &Spec) -> Result<Claim, Error> {
    let conditions = spec.conditions.iter().map(|condition| condition.to_string().parse()).collect::<Result<_, _>>()?;
    Ok(Claim { conditions, ..Claim::new(qid.attributes.clone(), qid.k) })
}

fn options(args: &VerifyArgs, spec: &Spec) -> Result<Options, Error> {
    let source = source_options(spec)?;
    let mut nulls = spec.input.null.clone();
    nulls.extend(recoding_of(&args.data).into_iter().flat_map(|recoding| recoding.null));
    Ok(Options {
        format: source.format.map(format),
        delimiter: source.delimiter,
        header: source.header,
        worst: args.worst,
        keep_values: args.show_values,
        sensitive: args.sensitive.iter().flat_map(|names| names::list(names)).collect(),
        nulls,
        union: args.union,
    })
}

/// The table of a release, if a release's folder is given; any other location as it is.
pub(crate) fn table_of(data: &Path) -> PathBuf {
    let tables = ["table.csv", "table.parquet", "table.arrow", "table.jsonl"].map(|name| data.join(name));
    let released = data.join("recoding.json").is_file();
    tables.into_iter().find(|table| released && table.is_file()).unwrap_or_else(|| data.to_owned())
}

/// The recoding of a release, if a release's folder is given: it knows what stands for a missing value.
pub(crate) fn recoding_of(data: &Path) -> Option<Recoding> {
    let text = std::fs::read_to_string(data.join("recoding.json")).ok()?;
    Recoding::from_json(&text).ok()
}

/// The verifier has its own readers.
fn format(format: source::Format) -> Format {
    match format {
        source::Format::Csv => Format::Csv,
        source::Format::Parquet => Format::Parquet,
        source::Format::Arrow => Format::Arrow,
        source::Format::JsonLines => Format::JsonLines,
    }
}

/// A line for each QID.
pub(crate) fn findings(verdict: &Verdict) -> String {
    let header = ["QID", "k", "smallest group", "groups", "too small", "records in those", ""];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for finding in &verdict.findings {
        rows.push(vec![
            shortened(&finding.attributes.join(", "), 60),
            finding.k.to_string(),
            finding.anonymity.to_string(),
            finding.groups.to_string(),
            finding.violating_groups.to_string(),
            finding.violating_records.to_string(),
            word(finding.holds()),
        ]);
    }
    aligned(&rows, &[1, 2, 3, 4, 5])
}

fn word(holds: bool) -> String {
    if holds { "holds" } else { "DOES NOT HOLD" }.to_owned()
}

/// The smallest groups by size, and by content only if that was asked for.
fn worst(finding: &Finding) -> String {
    let mut text = format!("smallest groups of {}:", finding.attributes.join(", "));
    if finding.worst.iter().all(|group| group.values.is_none()) {
        let sizes: Vec<String> = finding.worst.iter().map(|group| group.size.to_string()).collect();
        return text + " " + &sizes.join(", ") + " records\n";
    }
    text.push('\n');
    for group in &finding.worst {
        text += &format!("  {:>8}  {}\n", group.size, group.values.as_deref().unwrap_or_default().join(" | "));
    }
    text
}

/// A line for each condition on each QID; nothing if there are none.
fn conditions(verdict: &Verdict) -> String {
    let header = ["QID", "condition", "worst group", "violating groups", "records in those", ""];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for finding in &verdict.findings {
        for condition in &finding.conditions {
            rows.push(vec![
                shortened(&finding.attributes.join(", "), 40),
                condition.condition.to_string(),
                condition.worst.map(figure).unwrap_or_default(),
                condition.violating_groups.to_string(),
                condition.violating_records.to_string(),
                word(condition.holds()),
            ]);
        }
    }
    if rows.len() == 1 { String::new() } else { format!("\n{}", aligned(&rows, &[2, 3, 4])) }
}

/// A condition's figure: a whole number, a share or a distance.
fn figure(figure: f64) -> String {
    if figure.is_infinite() {
        "∞".to_owned()
    } else if figure.fract() == 0.0 {
        figure.to_string()
    } else {
        format!("{figure:.4}")
    }
}
