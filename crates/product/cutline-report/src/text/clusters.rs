//! Are the clusters still there?

use std::fmt;
use std::path::Path;

use super::Aligned;
use crate::{Agreement, ClusterMasking, ClusterReport, Comparison, ComparisonRow, TableComparison};

/// A cost that is worth another try.
const DEAR: f64 = 0.1;

/// What a release did to clusters.
#[derive(Clone, Copy, Debug)]
pub struct ClusterSummary<'a> {
    /// What came of it.
    pub report: &'a ClusterReport,
    /// Where the release is.
    pub folder: &'a Path,
}

/// Several numbers of clusters and thresholds.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonSummary<'a>(pub &'a Comparison);

/// The clusters of two tables.
#[derive(Clone, Copy, Debug)]
pub struct TableComparisonSummary<'a>(pub &'a TableComparison);

impl fmt::Display for ClusterSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        writeln!(
            f,
            "\nraw clusters ({}, C) against those of the published table ({}, K), {}:\n\n{}\n\n{}",
            report.algorithm,
            report.recipient,
            looked_at(report.compared, report.records),
            report.kept().contingency,
            agreements(report)
        )?;
        let gains = report.attributes.iter().map(|attribute| format!("{} {:.2}", attribute.name, attribute.gain));
        let gains: Vec<String> = gains.collect();
        writeln!(f, "bits that an attribute tells about the cluster: {}", gains.join(", "))?;
        match &report.label_name {
            Some(name) => writeln!(
                f,
                "the raw clusters are published in the column `{name}` of the table in {}",
                self.folder.display()
            )?,
            None => writeln!(f, "the raw clusters are not published")?,
        }
        if report.published == ClusterMasking::Blind {
            writeln!(f, "published: the masking that is blind to clusters, because it keeps more of them here")?;
        }
        tuned(report, f)
    }
}

fn agreements(report: &ClusterReport) -> Aligned {
    let row = |name: &str, agreement: &Agreement| {
        let Agreement { f_measure, match_point, cost, .. } = agreement;
        vec![name.to_owned(), format!("{f_measure:.2}"), format!("{match_point:.2}"), format!("{:.0} %", 100.0 * cost)]
    };
    let benefit = &report.benefit;
    let again = if report.algorithm == report.recipient { "none, another start" } else { "none, both algorithms" };
    Aligned::new(["masking", "F-measure", "match point", "cost"])
        .numbers(&[1, 2, 3])
        .rows([row("for these clusters", &report.guided), row("blind to clusters", &report.blind)])
        .row(["benefit".to_owned(), percent(benefit.f_measure), percent(benefit.match_point), String::new()])
        .rows([row(again, &report.raw)])
}

fn tuned(report: &ClusterReport, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(tuned) = &report.tuned else {
        let dear = report.kept().cost > DEAR;
        return if dear { writeln!(f, "to look for a masking that keeps more, add --tune") } else { Ok(()) };
    };
    let left = if tuned.left.is_empty() { "none".to_owned() } else { tuned.left.join(", ") };
    writeln!(
        f,
        "tuned: {} recodings tried, {} equally good ways to cluster the raw records; left fully masked: {left}",
        tuned.tried, tuned.structures
    )
}

impl fmt::Display for ComparisonSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparison = self.0;
        writeln!(
            f,
            "clusters of the raw records ({}) against those of the masked ones ({}), {}\n",
            comparison.algorithm,
            comparison.recipient,
            looked_at(comparison.compared, comparison.records)
        )?;
        let averages = comparison.averages();
        // There is an average only over several thresholds.
        let averages = if averages.len() < comparison.rows.len() { &averages[..] } else { &[] };
        let heads = [
            "clusters",
            "k",
            "F guided",
            "F blind",
            "benefit",
            "match guided",
            "match blind",
            "benefit",
            "F raw again",
        ];
        let rows = comparison.rows.iter().map(|one| row(one, one.k.map_or("as given".to_owned(), |k| k.to_string())));
        let averages = averages.iter().map(|one| row(one, "all".to_owned()));
        let columns: Vec<usize> = (0..heads.len()).collect();
        write!(f, "{}", Aligned::new(heads).numbers(&columns).rows(rows).rows(averages))
    }
}

fn row(row: &ComparisonRow, k: String) -> Vec<String> {
    let figure = |number: f64| format!("{number:.2}");
    vec![
        row.clusters.to_string(),
        k,
        figure(row.guided.f_measure),
        figure(row.blind.f_measure),
        percent(row.benefit.f_measure),
        figure(row.guided.match_point),
        figure(row.blind.match_point),
        percent(row.benefit.match_point),
        figure(row.raw.f_measure),
    ]
}

impl fmt::Display for TableComparisonSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparison = self.0;
        let left_out = match comparison.dropped {
            0 => String::new(),
            dropped => format!(", {dropped} raw ones left out: a value is missing"),
        };
        let again = match comparison.algorithm == comparison.recipient {
            true => "the raw table, clustered from another start",
            false => "both algorithms on the raw table",
        };
        writeln!(
            f,
            "clusters of the raw table ({}, C) against those of the masked one ({}, K), {}{left_out}:\n\n{}",
            comparison.algorithm,
            comparison.recipient,
            looked_at(comparison.compared, comparison.records),
            comparison.masked.contingency
        )?;
        let raw = &comparison.raw;
        writeln!(f, "{again}: overall F-measure {:.2}, match point {:.2}", raw.f_measure, raw.match_point)
    }
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
