//! What `cutline anonymize` says about clusters, and `cutline evaluate RAW MASKED --clusters N`.

use std::path::Path;
use std::process::ExitCode;

use cutline::cluster::{
    Agreement, ClusterReport, CompareOptions, Comparison, ComparisonRow, TableComparison, compare_tables,
};
use cutline::engine::{Embedded, source};
use cutline::spec::Missing;
use cutline::{Error, cores, source_options};

use super::evaluate::{ignored, kinds};
use super::verify::{recoding_of, table_of};
use crate::args::EvaluateArgs;
use crate::progress::Progress;
use crate::table::aligned;

/// Compares the clusters of two tables.
pub(crate) fn evaluate(args: EvaluateArgs, clusters: u32) -> Result<ExitCode, Error> {
    let masked = args.masked.clone().ok_or(Error::NotSaid {
        what: "there is no table to compare with".to_owned(),
        hint: "name the masked table too: cutline evaluate RAW MASKED --clusters 6 (to mask a table, use anonymize)",
    })?;
    let (raw, json, spec) = (args.input.clone(), args.json, args.settings.spec()?);
    let method = spec.purpose.clustering.clone();
    let threads = spec.search.threads.filter(|&threads| threads > 0).unwrap_or_else(cores);
    let open = |location: &str| {
        let location = table_of(Path::new(location)).display().to_string();
        Ok::<_, Error>(Embedded::new(source::open(&location, &source_options(&spec)?)?, location, threads))
    };
    let algorithm = method.algorithm.unwrap_or_default();
    let options = CompareOptions {
        clusters,
        algorithm,
        recipient: method.recipient.unwrap_or(algorithm),
        seed: spec.search.seed.unwrap_or_default(),
        on: method.on,
        not_on: method.not_on.into_iter().chain(ignored(&spec)).collect(),
        kinds: kinds(&spec),
        nulls: spec.input.null.clone(),
        missing: spec.input.missing.unwrap_or(Missing::Value),
        recoding: recoding_of(Path::new(&masked)),
        threads,
    };
    let progress = Progress::new(json);
    let comparison = open(&raw).and_then(|raw| compare_tables(&raw, &open(&masked)?, &options, &progress));
    progress.finish();
    let comparison = comparison?;
    if json {
        // Plain data: writing it as JSON cannot fail.
        println!("{}", serde_json::to_string_pretty(&comparison).unwrap_or_default());
    } else {
        print!("{}", tables(&comparison));
    }
    Ok(ExitCode::SUCCESS)
}

fn tables(comparison: &TableComparison) -> String {
    let left_out = match comparison.dropped {
        0 => String::new(),
        dropped => format!(", {dropped} raw ones left out: a value is missing"),
    };
    let again = match comparison.algorithm == comparison.recipient {
        true => "the raw table, clustered from another start",
        false => "both algorithms on the raw table",
    };
    format!(
        "clusters of the raw table ({}, C) against those of the masked one ({}, K), {}{left_out}:\n\n{}\n\
         {again}: overall F-measure {:.2}, match point {:.2}\n",
        comparison.algorithm,
        comparison.recipient,
        looked_at(comparison.compared, comparison.records),
        comparison.masked.contingency,
        comparison.raw.f_measure,
        comparison.raw.match_point
    )
}

/// The comparison, for people.
pub(crate) fn comparison(comparison: &Comparison) -> String {
    let names =
        ["clusters", "k", "F guided", "F blind", "benefit", "match guided", "match blind", "benefit", "F raw again"];
    let mut rows = vec![names.map(str::to_owned).to_vec()];
    rows.extend(comparison.rows.iter().map(row));
    let averages = comparison.averages();
    if averages.len() < comparison.rows.len() {
        let average = |row: &ComparisonRow| {
            let mut cells = self::row(row);
            cells[1] = "all".to_owned();
            cells
        };
        rows.extend(averages.iter().map(average));
    }
    let mut text = format!(
        "clusters of the raw records ({}) against those of the masked ones ({}), {}\n\n",
        comparison.algorithm,
        comparison.recipient,
        looked_at(comparison.compared, comparison.records)
    );
    text += &aligned(&rows, &(0..names.len()).collect::<Vec<_>>());
    text
}

fn row(row: &ComparisonRow) -> Vec<String> {
    let figure = |number: f64| format!("{number:.2}");
    vec![
        row.clusters.to_string(),
        row.k.map_or("–".to_owned(), |k| k.to_string()),
        figure(row.guided.f_measure),
        figure(row.blind.f_measure),
        percent(row.benefit.f_measure),
        figure(row.guided.match_point),
        figure(row.blind.match_point),
        percent(row.benefit.match_point),
        figure(row.raw.f_measure),
    ]
}

fn percent(share: f64) -> String {
    format!("{:+.0} %", 100.0 * share)
}

fn looked_at(compared: u64, records: u64) -> String {
    match compared == records {
        true => "all records".to_owned(),
        false => format!("{compared} of {records} records"),
    }
}

/// What was lost, after a release.
pub(crate) fn summary(report: &ClusterReport, output: &Path) -> String {
    let ClusterReport { guided, blind, benefit, .. } = report;
    let names = ["masking", "F-measure", "match point", "cost"].map(str::to_owned).to_vec();
    let row = |name: &str, agreement: &Agreement| {
        let Agreement { f_measure, match_point, cost, .. } = agreement;
        vec![name.to_owned(), format!("{f_measure:.2}"), format!("{match_point:.2}"), format!("{:.0} %", 100.0 * cost)]
    };
    let mut rows = vec![names, row("for these clusters", guided), row("blind to clusters", blind)];
    let benefits = vec!["benefit".to_owned(), percent(benefit.f_measure), percent(benefit.match_point), String::new()];
    rows.push(benefits);
    let again = report.algorithm == report.recipient;
    rows.push(row(if again { "none, another start" } else { "none, both algorithms" }, &report.raw));
    let first: Vec<String> =
        report.attributes.iter().map(|attribute| format!("{} {:.2}", attribute.name, attribute.gain)).collect();
    format!(
        "\nraw clusters ({}, C) against those of the published table ({}, K), {}:\n\n{}\n\n{}\n\
         bits that an attribute tells about the cluster: {}\n\
         the raw clusters are {}\n{}",
        report.algorithm,
        report.recipient,
        looked_at(report.compared, report.records),
        guided.contingency,
        aligned(&rows, &[1, 2, 3]),
        first.join(", "),
        published(report, output),
        tuned(report)
    )
}

/// A cost that is worth another try.
const DEAR: f64 = 0.1;

fn tuned(report: &ClusterReport) -> String {
    let Some(tuned) = &report.tuned else {
        let dear = report.guided.cost > DEAR;
        return if dear { "to look for a masking that keeps more, add --tune\n".to_owned() } else { String::new() };
    };
    let left = if tuned.left.is_empty() { "none".to_owned() } else { tuned.left.join(", ") };
    format!(
        "tuned: {} recodings tried, {} equally good ways to cluster the raw records; left fully masked: {left}\n",
        tuned.tried, tuned.structures
    )
}

fn published(report: &ClusterReport, output: &Path) -> String {
    match &report.label_name {
        Some(name) => format!("published in the column `{name}` of the table in {}", output.display()),
        None => "not published".to_owned(),
    }
}

/// The time for clusters, before that of the passes.
pub(crate) fn seconds(report: Option<&ClusterReport>) -> String {
    let spent = report.map(|report| report.seconds);
    spent.map_or(String::new(), |spent| {
        let tune = if spent.tune > 0.0 { format!("tune {:.2} s, ", spent.tune) } else { String::new() };
        format!("label {:.2} s, {tune}evaluate {:.2} s, ", spent.label, spent.evaluate)
    })
}
