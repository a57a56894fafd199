//! The clusters on the report's page, and the page of a comparison.

use std::fmt::Write;

use super::plot::{Line, Plot};
use super::{Agreement, ClusterReport, Comparison, ComparisonRow};

/// What the last row of figures is about.
const RAW_AGAIN: &str = "none: the raw records, clustered from another start";
const RAW_BOTH: &str = "none: both algorithms on the raw records";

/// The section of a release's page.
pub(crate) fn section(report: &ClusterReport) -> String {
    let mut text = format!(
        "<h2>Clusters</h2>\n<p class=\"lead\">{} clusters of the raw records ({}) against those of the published ones ({}), {}.</p>\n",
        report.clusters,
        report.algorithm,
        report.recipient,
        looked_at(report.compared, report.records)
    );
    text += &figures(report);
    text += &tuned(report);
    text += "<p class=\"lead\">Records in each pair of a raw cluster C and a published cluster K:</p>\n";
    text += &contingency(&report.guided);
    let gains = report.attributes.iter().map(|attribute| {
        format!("<tr><td>{}</td>{}</tr>\n", escape(&attribute.name), number(&format!("{:.3}", attribute.gain)))
    });
    text += &table(&["attribute", "bits about the cluster"], &gains.collect::<String>());
    if let Some(comparison) = &report.comparison {
        text += "<h2>Numbers of clusters and thresholds</h2>\n";
        text += &compared(comparison);
    }
    text
}

/// The page of a comparison by itself.
pub(super) fn page(comparison: &Comparison) -> String {
    const STYLE: &str = include_str!("page.css");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Cutline comparison</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Cutline comparison</h1>\n\
         <p class=\"lead\">Masked: {}. Search: {}. No table is published yet: choose one with <code>--choose clusters=N,k=K</code>.</p>\n\
         {}</body>\n</html>\n",
        escape(&comparison.masked.join(", ")),
        comparison.search,
        compared(comparison)
    )
}

fn figures(report: &ClusterReport) -> String {
    let row = |name: &str, agreement: &Agreement| {
        format!(
            "<tr><td>{name}</td>{}{}{}</tr>\n",
            number(&format!("{:.2}", agreement.f_measure)),
            number(&format!("{:.2}", agreement.match_point)),
            number(&format!("{:.0} %", 100.0 * agreement.cost))
        )
    };
    let mut rows = row("for these clusters", &report.guided) + &row("blind to clusters", &report.blind);
    let benefit = [report.benefit.f_measure, report.benefit.match_point].map(|share| number(&percent(share)));
    let _ = writeln!(rows, "<tr><td>benefit</td>{}<td></td></tr>", benefit.concat());
    rows += &row(if report.algorithm == report.recipient { RAW_AGAIN } else { RAW_BOTH }, &report.raw);
    table(&["masking", "overall F-measure", "match point", "cost"], &rows)
}

fn tuned(report: &ClusterReport) -> String {
    report.tuned.as_ref().map_or(String::new(), |tuned| {
        let searched = if tuned.blind { "without a look at the clusters" } else { "guided by the clusters" };
        format!(
            "<p class=\"lead\">Tuned: of {} recodings and {} ways to cluster the raw records (their sums of squares are within 1 % of \
             each other), this one keeps most. It was found {searched}; left fully masked: {}.</p>\n",
            tuned.tried,
            tuned.structures,
            if tuned.left.is_empty() { "none".to_owned() } else { escape(&tuned.left.join(", ")) }
        )
    })
}

fn contingency(agreement: &Agreement) -> String {
    let masked = agreement.contingency.masked().len();
    let names: Vec<String> = (1..=masked).map(|cluster| format!("K{cluster}")).collect();
    let mut header = vec![""];
    header.extend(names.iter().map(String::as_str));
    header.extend(["F-measure", "best"]);
    let mut rows = String::new();
    let best = agreement.contingency.best_matches();
    for (raw, (counts, best)) in agreement.contingency.counts().iter().zip(best).enumerate() {
        let cells: String = counts.iter().map(|count| number(&count.to_string())).collect();
        let measure = number(&format!("{:.2}", best.f_measure));
        let _ = writeln!(
            rows,
            "<tr><td>C{}</td>{cells}{measure}{}</tr>",
            raw + 1,
            number(&format!("K{}", best.masked + 1))
        );
    }
    table(&header, &rows)
}

fn compared(comparison: &Comparison) -> String {
    let mut text = format!(
        "<p class=\"lead\">Clusters of the raw records ({}) against those of the masked ones ({}), {}. Guided: masked for these \
         clusters. Blind: masked without a look at them.</p>\n",
        comparison.algorithm,
        comparison.recipient,
        looked_at(comparison.compared, comparison.records)
    );
    text += &plots(comparison);
    let averages = comparison.averages();
    let averages = if averages.len() < comparison.rows.len() { averages } else { Vec::new() };
    let rows: String = comparison.rows.iter().map(|row| line(row, None)).collect();
    let rows = rows + &averages.iter().map(|row| line(row, Some("average"))).collect::<String>();
    let header =
        ["clusters", "k", "F guided", "F blind", "benefit", "match guided", "match blind", "benefit", "F raw again"];
    text += &table(&header, &rows);
    text
}

fn line(row: &ComparisonRow, k: Option<&str>) -> String {
    let figure = |figure: f64| number(&format!("{figure:.2}"));
    let k = k.map_or_else(|| row.k.map_or("–".to_owned(), |k| k.to_string()), str::to_owned);
    format!(
        "<tr><td>{}</td>{}{}{}{}{}{}{}{}</tr>\n",
        row.clusters,
        number(&k),
        figure(row.guided.f_measure),
        figure(row.blind.f_measure),
        number(&percent(row.benefit.f_measure)),
        figure(row.guided.match_point),
        figure(row.blind.match_point),
        number(&percent(row.benefit.match_point)),
        figure(row.raw.f_measure),
    )
}

/// A plot for each number of clusters and each figure over the thresholds; over the clusters, if there is one threshold only.
fn plots(comparison: &Comparison) -> String {
    let averages = comparison.averages();
    let over_k = comparison.rows.len() > averages.len();
    let groups: Vec<Vec<&ComparisonRow>> = if over_k {
        averages.iter().map(|of| comparison.rows.iter().filter(|row| row.clusters == of.clusters).collect()).collect()
    } else {
        vec![comparison.rows.iter().collect()]
    };
    let mut text = String::new();
    for (what, figure) in [("overall F-measure", 0), ("match point", 1)] {
        text += "<p>";
        for rows in &groups {
            let clusters = rows.first().map_or(0, |row| row.clusters);
            let x = |row: &ComparisonRow| if over_k { row.k.unwrap_or(0) as f64 } else { f64::from(row.clusters) };
            let points = |blind: bool| {
                let of = |row: &&ComparisonRow| if blind { row.blind } else { row.guided };
                rows.iter().map(|row| (x(row), [of(row).f_measure, of(row).match_point][figure])).collect()
            };
            let title = if over_k { format!("{what}, {clusters} clusters") } else { what.to_owned() };
            let lines = vec![
                Line { name: "guided", dashed: false, points: points(false) },
                Line { name: "blind", dashed: true, points: points(true) },
            ];
            text += &Plot { title, x: if over_k { "k" } else { "clusters" }, lines }.svg();
        }
        text += "</p>\n";
    }
    text
}

fn table(header: &[&str], rows: &str) -> String {
    let cell = |(index, name): (usize, &&str)| {
        if index == 0 { format!("<th>{name}</th>") } else { format!("<th class=\"number\">{name}</th>") }
    };
    let header: String = header.iter().enumerate().map(cell).collect();
    format!("<div class=\"scroll\"><table>\n<tr>{header}</tr>\n{rows}</table></div>\n")
}

fn number(text: &str) -> String {
    format!("<td class=\"number\">{text}</td>")
}

fn percent(share: f64) -> String {
    format!("{:+.0} %", 100.0 * share)
}

fn looked_at(compared: u64, records: u64) -> String {
    if compared == records { "all records".to_owned() } else { format!("{compared} of {records} records") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
