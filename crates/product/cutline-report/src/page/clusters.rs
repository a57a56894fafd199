//! Are the clusters of the raw records still there? For a release, and for several combinations that are compared.

use cutline_measure::cluster::BestMatch;
use maud::{Markup, html};

use super::Section;
use super::bars::{Bar, Bars};
use super::chart::{Chart, Line};
use super::grid::{Grid, Head, cell};
use super::scale::Scale;
use crate::number::{count, figure};
use crate::{
    Agreement, AgreementFigures, AttributeGain, ClusterMasking, ClusterReport, Comparison, ComparisonRow,
    PRIVATE_NOTICE, Tuned,
};

/// The section of a release.
pub(super) fn section(report: &ClusterReport) -> Section {
    let body = html! {
        p {
            "The raw records (" (report.algorithm) ") and the published ones (" (report.recipient) ") were clustered into "
            (report.clusters) " clusters, and the two compared: " (looked_at(report.compared, report.records)) ". The overall F-measure \
             and the match point are 1 where they are the same."
        }
        (figures(report).html())
        (remarks(report))
        (contingency(report.kept()).html())
        (gains(report).html())
        @if let Some(comparison) = &report.comparison {
            h3 { "Numbers of clusters and thresholds" }
            (compared(comparison))
        }
    };
    Section { id: "clusters", title: "Clusters before and after", body }
}

/// The page of a comparison by itself.
pub(super) fn comparison(comparison: &Comparison) -> Markup {
    html! {
        header {
            h1 { "Cutline comparison" }
            p.notice role="note" { b { "Private. " } (PRIVATE_NOTICE) }
            p.lead { "Masked: " (comparison.masked.join(", ")) ". Search: " (comparison.search) "." }
            p { "No table is published yet: choose one with " code { "--choose clusters=N,k=K" } "." }
        }
        main { (compared(comparison)) }
    }
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

fn remarks(report: &ClusterReport) -> Markup {
    html! {
        p.more {
            "Benefit over blind masking: " (gain(report.benefit.f_measure)) " in the F-measure, " (gain(report.benefit.match_point))
            " in the match point. The last row is what clustering the raw records once more gives: so much of a difference is not due to \
             masking."
            @if report.published == ClusterMasking::Blind {
                " The masking that is blind to clusters keeps more of them here, so that is the one published."
            }
        }
        @if let Some(tuned) = &report.tuned { (how_tuned(tuned)) }
    }
}

fn how_tuned(tuned: &Tuned) -> Markup {
    let searched = if tuned.blind { "without a look at the clusters" } else { "guided by the clusters" };
    let left = if tuned.left.is_empty() { "none".to_owned() } else { tuned.left.join(", ") };
    html! {
        p.more {
            "Tuned: of " (tuned.tried) " recodings and " (tuned.structures) " ways to cluster the raw records that are as good as each other, \
             these keep most. The recoding was found " (searched) "; attributes left fully masked: " (left) "."
        }
    }
}

fn contingency(agreement: &Agreement) -> Grid<'static> {
    let table = &agreement.contingency;
    let mut heads = vec![Head::text("raw cluster")];
    heads.extend((1..=table.masked().len()).map(|cluster| Head::number(format!("K{cluster}"))));
    heads.extend([Head::number("F-measure"), Head::number("best match")]);
    let best = table.best_matches();
    let row = |(raw, (counts, best)): (usize, (&Vec<u64>, &BestMatch))| {
        let mut cells = vec![cell(format!("C{}", raw + 1))];
        cells.extend(counts.iter().map(|&records| cell(count(records))));
        cells.extend([cell(share(best.f_measure)), cell(format!("K{}", best.masked + 1))]);
        cells
    };
    let rows = table.counts().iter().zip(&best).enumerate().map(row).collect();
    Grid { caption: "Records in each raw cluster C and published cluster K", heads, rows }
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

fn compared(comparison: &Comparison) -> Markup {
    let averages = comparison.averages();
    // There is an average only over several thresholds.
    let averages = if averages.len() < comparison.rows.len() { averages } else { Vec::new() };
    let heads =
        ["clusters", "k", "F guided", "F blind", "benefit", "match guided", "match blind", "benefit", "F raw again"];
    let rows = comparison.rows.iter().map(|row| cells(row, row.k.map_or("as given".to_owned(), count)));
    let grid = Grid {
        caption: "All combinations",
        heads: heads
            .iter()
            .enumerate()
            .map(|(at, head)| if at == 0 { Head::text(*head) } else { Head::number(*head) })
            .collect(),
        rows: rows.chain(averages.iter().map(|row| cells(row, "average".to_owned()))).collect(),
    };
    html! {
        p {
            "Clusters of the raw records (" (comparison.algorithm) ") against those of the masked ones (" (comparison.recipient) "), "
            (looked_at(comparison.compared, comparison.records)) ". Guided: masked for these clusters. Blind: masked without a look at \
             them. Raw again: the raw records, clustered once more."
        }
        div.plots { @for chart in charts(comparison) { (chart.html()) } }
        (grid.html())
    }
}

fn cells(row: &ComparisonRow, k: String) -> Vec<Markup> {
    let cells = [
        row.clusters.to_string(),
        k,
        share(row.guided.f_measure),
        share(row.blind.f_measure),
        gain(row.benefit.f_measure),
        share(row.guided.match_point),
        share(row.blind.match_point),
        gain(row.benefit.match_point),
        share(row.raw.f_measure),
    ];
    cells.map(cell).to_vec()
}

/// One of the two figures.
type Figure = fn(&AgreementFigures) -> f64;

/// A chart for each figure and each number of clusters over the thresholds; over the clusters, if there is one threshold only.
fn charts(comparison: &Comparison) -> Vec<Chart> {
    let averages = comparison.averages();
    let over_k = comparison.rows.len() > averages.len();
    let groups: Vec<Vec<&ComparisonRow>> = if over_k {
        averages.iter().map(|of| comparison.rows.iter().filter(|row| row.clusters == of.clusters).collect()).collect()
    } else {
        vec![comparison.rows.iter().collect()]
    };
    let figures: [(&str, Figure); 2] =
        [("Overall F-measure", |figures| figures.f_measure), ("Match point", |figures| figures.match_point)];
    let mut charts = Vec::new();
    for (name, figure) in figures {
        for rows in &groups {
            let clusters = rows.first().map_or(0, |row| row.clusters);
            let title = if over_k { format!("{name}, {clusters} clusters") } else { name.to_owned() };
            charts.push(chart(title, over_k, rows, figure));
        }
    }
    charts
}

fn chart(title: String, over_k: bool, rows: &[&ComparisonRow], figure: Figure) -> Chart {
    let across = |row: &ComparisonRow| if over_k { row.k.unwrap_or(0) as f64 } else { f64::from(row.clusters) };
    let line = |name: &str, of: fn(&ComparisonRow) -> &AgreementFigures| Line {
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
