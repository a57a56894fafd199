//! `report.html`: one self-contained page. It shows labels, counts and names, never a value that the release hides.
//!
//! | file | answers |
//! | --- | --- |
//! | `summary` | What was published, in a glance? |
//! | `requirement` | Does the requirement hold, and how large are the groups? |
//! | `attributes`, `taxonomy`, `intervals` | What is published of each attribute? |
//! | `trace`, `steps` | What did the search do? |
//! | `loss`, `error_bars` | What did it cost? |
//! | `clusters` | Are the clusters still there? Also for several combinations that are compared |
//! | `risk` | How likely is it that someone is found? |
//! | `reproduce` | How is it made again, how is it checked? |
//! | `labels` | Which labels may the page show? |
//! | `bars`, `chart`, `scale`, `outline`, `text` | How is it drawn? |
//!
//! A section is a function from a part of the report to a [`Section`]; one that may have nothing to say gives an `Option`. To add
//! one, put it into the list in [`html`].

mod attributes;
mod bars;
mod chart;
mod clusters;
mod error_bars;
mod intervals;
mod labels;
mod loss;
mod outline;
mod reproduce;
mod requirement;
mod risk;
mod scale;
mod steps;
mod summary;
mod taxonomy;
#[cfg(test)]
mod tests;
mod text;
mod trace;

use std::fmt::Write;

use cutline_model::Recoding;
use cutline_search::Step;

use super::{QidReport, Report};

pub(crate) use clusters::comparison;

const STYLE: &str = include_str!("page.css");

/// A part of the page with its own heading.
struct Section {
    /// For links to it.
    id: &'static str,
    title: &'static str,
    body: String,
}

/// The whole page. The recoding must be the one that is stored: values that it hides are not in it.
pub(crate) fn html(report: &Report, recoding: &Recoding, steps: &[Step]) -> String {
    let sections = [
        Some(requirement::section(report)),
        Some(risk::section(report)),
        Some(attributes::section(&report.attributes, recoding, steps)),
        Some(loss::section(report)),
        report.evaluation.as_ref().map(|evaluation| error_bars::section(evaluation, report.suppressed_how)),
        report.clusters.as_ref().map(clusters::section),
        Some(trace::section(report, recoding, steps)),
        Some(reproduce::section(report)),
    ];
    let (mut links, mut text) = (String::new(), String::new());
    for Section { id, title, body } in sections.into_iter().flatten() {
        let _ = writeln!(links, "<a href=\"#{id}\">{title}</a>");
        let _ = writeln!(
            text,
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n{body}</section>"
        );
    }
    let header = summary::header(report, recoding);
    page("Cutline release", &format!("{header}<nav aria-label=\"Sections\">\n{links}</nav>\n<main>\n{text}</main>\n"))
}

/// A page that needs nothing from elsewhere.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// What a QID is called: by its attributes, with its number if there are several.
fn qid_name(index: usize, qids: &[QidReport]) -> String {
    let attributes = qids[index].attributes.join(", ");
    if qids.len() == 1 { attributes } else { format!("QID {}: {attributes}", index + 1) }
}
