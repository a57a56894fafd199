//! Are the clusters of the raw records still there? For a release, and for several combinations that are compared.

use std::fmt::Write;

use cutline_measure::cluster::BestMatch;

use super::bars::{Bar, Bars};
use super::chart::{Chart, Line};
use super::scale::Scale;
use super::text::{count, escape, figure};
use super::{Section, page};
use crate::cluster::{Agreement, AttributeGain, ClusterReport, Comparison, ComparisonRow, Figures};

/// The section of a release.
pub(super) fn section(report: &ClusterReport) -> Section {
    let mut body = format!(
        "<p>The raw records ({}) and the published ones ({}) were clustered into {} clusters, and the two compared: {}. The overall \
         F-measure and the match point are 1 where they are the same.</p>\n",
        report.algorithm,
        report.recipient,
        report.clusters,
        looked_at(report.compared, report.records)
    );
    body += &figures(report).html();
    body += &remarks(report);
    body += &contingency(&report.guided);
    body += &gains(report).html();
    if let Some(comparison) = &report.comparison {
        body += "<h3>Numbers of clusters and thresholds</h3>\n";
        body += &compared(comparison);
    }
    Section { id: "clusters", title: "Clusters before and after", body }
}

/// The page of a comparison by itself.
pub(crate) fn comparison(comparison: &Comparison) -> String {
    let header = format!(
        "<header>\n<h1>Cutline comparison</h1>\n<p class=\"lead\">Masked: {}. Search: {}.</p>\n\
         <p>No table is published yet: choose one with <code>--choose clusters=N,k=K</code>.</p>\n</header>\n",
        escape(&comparison.masked.join(", ")),
        escape(&comparison.search)
    );
    page("Cutline comparison", &format!("{header}<main>\n{}</main>\n", compared(comparison)))
}

fn figures(report: &ClusterReport) -> Bars<'static> {
    let row = |name: &str, agreement: &Agreement| Bar {
        name: name.to_owned(),
        length: agreement.f_measure,
        cells: vec![
            share(agreement.f_measure),
            share(agreement.match_point),
            format!("{:.0} %", 100.0 * agreement.cost),
        ],
    };
    let again = match report.algorithm == report.recipient {
        true => "none: raw, another start",
        false => "none: raw, both algorithms",
    };
    Bars {
        caption: "How much the clusters agree with those of the raw records".to_owned(),
        heads: &["masking", "overall F-measure", "match point", "cost"],
        rows: vec![
            row("for these clusters", &report.guided),
            row("blind to clusters", &report.blind),
            row(again, &report.raw),
        ],
    }
}

fn remarks(report: &ClusterReport) -> String {
    let mut text = format!(
        "<p class=\"more\">Benefit over blind masking: {} in the F-measure, {} in the match point. The last row is what clustering the raw \
         records once more gives: so much of a difference is not due to masking.</p>\n",
        gain(report.benefit.f_measure),
        gain(report.benefit.match_point)
    );
    if let Some(tuned) = &report.tuned {
        let searched = if tuned.blind { "without a look at the clusters" } else { "guided by the clusters" };
        let left = if tuned.left.is_empty() { "none".to_owned() } else { escape(&tuned.left.join(", ")) };
        let _ = writeln!(
            text,
            "<p class=\"more\">Tuned: of {} recodings and {} ways to cluster the raw records that are as good as each other, these keep most. \
             The recoding was found {searched}; attributes left fully masked: {left}.</p>",
            tuned.tried, tuned.structures
        );
    }
    text
}

fn contingency(agreement: &Agreement) -> String {
    let table = &agreement.contingency;
    let mut heads = vec!["raw cluster".to_owned()];
    heads.extend((1..=table.masked().len()).map(|cluster| format!("K{cluster}")));
    heads.extend(["F-measure".to_owned(), "best match".to_owned()]);
    let best = table.best_matches();
    let row = |(raw, (counts, best)): (usize, (&Vec<u64>, &BestMatch))| {
        let mut cells = vec![format!("C{}", raw + 1)];
        cells.extend(counts.iter().map(|&records| count(records)));
        cells.extend([share(best.f_measure), format!("K{}", best.masked + 1)]);
        cells
    };
    let rows: Vec<Vec<String>> = table.counts().iter().zip(&best).enumerate().map(row).collect();
    numbers("Records in each raw cluster C and published cluster K", &heads, &rows)
}

fn gains(report: &ClusterReport) -> Bars<'static> {
    let most = report.attributes.iter().map(|attribute| attribute.gain).fold(0.0, f64::max);
    let row = |attribute: &AttributeGain| Bar {
        name: attribute.name.clone(),
        length: if most > 0.0 { attribute.gain / most } else { 0.0 },
        cells: vec![figure((attribute.gain * 1000.0).round() / 1000.0)],
    };
    Bars {
        caption: "What each attribute tells about the raw cluster".to_owned(),
        heads: &["attribute", "bits"],
        rows: report.attributes.iter().map(row).collect(),
    }
}

fn compared(comparison: &Comparison) -> String {
    let mut text = format!(
        "<p>Clusters of the raw records ({}) against those of the masked ones ({}), {}. Guided: masked for these clusters. Blind: masked \
         without a look at them. Raw again: the raw records, clustered once more.</p>\n",
        comparison.algorithm,
        comparison.recipient,
        looked_at(comparison.compared, comparison.records)
    );
    let _ = writeln!(text, "<div class=\"plots\">\n{}</div>", charts(comparison));
    let averages = comparison.averages();
    let averages = if averages.len() < comparison.rows.len() { averages } else { Vec::new() };
    let heads = ["clusters", "k", "F guided", "F blind", "benefit", "match guided", "match blind", "benefit"];
    let heads: Vec<String> = heads.into_iter().chain(["F raw again"]).map(str::to_owned).collect();
    let mut rows: Vec<Vec<String>> = comparison.rows.iter().map(|row| cells(row, None)).collect();
    rows.extend(averages.iter().map(|row| cells(row, Some("average"))));
    text + &numbers("All combinations", &heads, &rows)
}

fn cells(row: &ComparisonRow, k: Option<&str>) -> Vec<String> {
    vec![
        row.clusters.to_string(),
        k.map_or_else(|| row.k.map_or("–".to_owned(), count), str::to_owned),
        share(row.guided.f_measure),
        share(row.blind.f_measure),
        gain(row.benefit.f_measure),
        share(row.guided.match_point),
        share(row.blind.match_point),
        gain(row.benefit.match_point),
        share(row.raw.f_measure),
    ]
}

/// One of the two figures.
type Figure = fn(&Figures) -> f64;

/// A chart for each figure and each number of clusters over the thresholds; over the clusters, if there is one threshold only.
fn charts(comparison: &Comparison) -> String {
    let averages = comparison.averages();
    let over_k = comparison.rows.len() > averages.len();
    let groups: Vec<Vec<&ComparisonRow>> = if over_k {
        averages.iter().map(|of| comparison.rows.iter().filter(|row| row.clusters == of.clusters).collect()).collect()
    } else {
        vec![comparison.rows.iter().collect()]
    };
    let figures: [(&str, Figure); 2] =
        [("Overall F-measure", |figures| figures.f_measure), ("Match point", |figures| figures.match_point)];
    let mut text = String::new();
    for (name, figure) in figures {
        for rows in &groups {
            let clusters = rows.first().map_or(0, |row| row.clusters);
            let title = if over_k { format!("{name}, {clusters} clusters") } else { name.to_owned() };
            text += &chart(title, over_k, rows, figure).html();
        }
    }
    text
}

fn chart(title: String, over_k: bool, rows: &[&ComparisonRow], figure: Figure) -> Chart {
    let across = |row: &ComparisonRow| if over_k { row.k.unwrap_or(0) as f64 } else { f64::from(row.clusters) };
    let line = |name: &str, of: fn(&ComparisonRow) -> &Figures| Line {
        name: name.to_owned(),
        points: rows.iter().map(|row| (across(row), figure(of(row)))).collect(),
        threshold: None,
    };
    Chart {
        title,
        note: "1 is full agreement.".to_owned(),
        across: if over_k { "k" } else { "clusters" },
        scale: Scale::Share,
        lines: vec![
            line("guided", |row| &row.guided),
            line("blind", |row| &row.blind),
            line("raw again", |row| &row.raw),
        ],
    }
}

/// A table of numbers with a name in front of every row.
fn numbers(caption: &str, heads: &[String], rows: &[Vec<String>]) -> String {
    let mut text = format!("<div class=\"scroll\"><table>\n<caption>{caption}</caption>\n<tr>");
    for (index, head) in heads.iter().enumerate() {
        let class = if index == 0 { "" } else { " class=\"number\"" };
        let _ = write!(text, "<th scope=\"col\"{class}>{head}</th>");
    }
    text.push_str("</tr>\n");
    for row in rows {
        let [name, cells @ ..] = &row[..] else { continue };
        let cells: String = cells.iter().map(|cell| format!("<td class=\"number\">{cell}</td>")).collect();
        let _ = writeln!(text, "<tr><th scope=\"row\">{name}</th>{cells}</tr>");
    }
    text + "</table></div>\n"
}

fn share(number: f64) -> String {
    format!("{number:.2}")
}

fn gain(share: f64) -> String {
    format!("{:+.0} %", 100.0 * share)
}

fn looked_at(compared: u64, records: u64) -> String {
    if compared == records {
        "all records".to_owned()
    } else {
        format!("{} of {} records", count(compared), count(records))
    }
}
