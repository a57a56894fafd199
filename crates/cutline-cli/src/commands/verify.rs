//! `cutline verify`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cutline::spec::{Input, Spec};
use cutline::verify::{Claim, Finding, Format, Options, Verdict, verify};
use cutline::{Error, Observer, Stage, source_options};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::progress::Progress;
use crate::table::{aligned, shortened};

pub(crate) fn run(args: VerifyArgs) -> Result<ExitCode, Error> {
    let claims: Vec<Claim> =
        args.qid.iter().map(|qid| Claim { attributes: qid.attributes.clone(), k: qid.k }).collect();
    let mut options = Options {
        worst: args.worst,
        keep_values: args.show_values,
        header: !args.shape.no_header,
        ..Options::default()
    };
    options.format = args.shape.input_format.as_deref().map(format).transpose()?;
    let spec = Spec { input: Input { delimiter: args.shape.delimiter, ..Input::default() }, ..Spec::default() };
    options.delimiter = source_options(&spec)?.delimiter;
    let progress = Progress::new(false);
    progress.stage(Stage::Verify, None);
    let verdict = verify(&table_of(&args.data), &claims, &options, &|_| {});
    progress.finish();
    let verdict = verdict?;
    if args.json {
        println!("{:#}", json(&verdict));
    } else {
        println!("{}: {} records", args.data.display(), verdict.records);
        print!("{}", findings(&verdict));
        verdict.findings.iter().for_each(|finding| print!("{}", worst(finding)));
    }
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The table of a release, if a release's folder is given; any other location as it is.
fn table_of(data: &Path) -> PathBuf {
    let tables = ["table.csv", "table.parquet", "table.arrow", "table.jsonl"].map(|name| data.join(name));
    let released = data.join("recoding.json").is_file();
    tables.into_iter().find(|table| released && table.is_file()).unwrap_or_else(|| data.to_owned())
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
            if finding.holds() { "holds" } else { "DOES NOT HOLD" }.to_owned(),
        ]);
    }
    aligned(&rows, &[1, 2, 3, 4, 5])
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

fn json(verdict: &Verdict) -> serde_json::Value {
    let findings = verdict.findings.iter().map(|finding| {
        let worst: Vec<_> =
            finding.worst.iter().map(|group| json!({ "size": group.size, "values": group.values })).collect();
        json!({
            "attributes": finding.attributes, "k": finding.k, "anonymity": finding.anonymity, "groups": finding.groups,
            "violating_groups": finding.violating_groups, "violating_records": finding.violating_records,
            "holds": finding.holds(), "worst": worst,
        })
    });
    json!({ "records": verdict.records, "holds": verdict.holds(), "qids": findings.collect::<Vec<_>>() })
}
