//! Pages that need nothing from elsewhere. The public one is made from public data alone; the private one shows the steward everything.
//!
//! | file | answers |
//! | --- | --- |
//! | `summary` | What was published, in a glance? |
//! | `requirement` | Does the requirement hold, and how large are the groups? |
//! | `columns` | What is each published column, and what does it tell? |
//! | `attributes`, `taxonomy`, `intervals` | What is published of each attribute? |
//! | `regions` | Which labels has each group, where groups have labels of their own? |
//! | `why`, `what_if` | What stands in the way of telling more? What would other requirements come to? |
//! | `trace`, `steps` | What did the search do? |
//! | `loss`, `models` | What did it cost? |
//! | `clusters` | Are the clusters still there? Also for several combinations that are compared |
//! | `series` | What do several releases tell together? |
//! | `risk` | How likely is it that someone is found? |
//! | `reproduce`, `usage` | How is it made again; how is it used and checked? |
//! | `bars`, `grid`, `chart`, `scale`, `outline` | How is it drawn? |
//!
//! A section is a function from a part of the report to a `Section`; one that may have nothing to say gives an `Option`. To add
//! one, put it into the list in [`private`], or in [`public`] if all it shows is a function of the published table.
//!
//! Markup is written with [`maud`], which escapes every text that is put into it.

mod attributes;
mod bars;
mod chart;
mod clusters;
mod columns;
mod grid;
mod intervals;
mod loss;
mod models;
mod outline;
mod regions;
mod reproduce;
mod requirement;
mod risk;
mod scale;
mod series;
mod steps;
mod summary;
mod suppressed;
mod taxonomy;
#[cfg(test)]
mod tests;
mod trace;
mod usage;
mod what_if;
mod why;

use std::fmt;

use cutline_model::Recoding;
use cutline_search::Step;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::{Comparison, PublicReport, QidReport, Report};
use risk::Counted;

/// The colours of all pages, light and dark.
pub const PALETTE: &str = include_str!("palette.css");

const STYLE: &str = include_str!("page.css");

/// A whole page. Displaying it writes it.
#[derive(Clone, Debug)]
pub struct Page(String);

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A part of the page with its own heading.
struct Section {
    /// For links to it.
    id: &'static str,
    title: &'static str,
    body: Markup,
}

/// `private/report.html`. The recoding must be the one that is stored: values that it hides are not in it.
pub fn private(report: &Report, recoding: &Recoding, steps: &[Step]) -> Page {
    let known = attributes::Known { attributes: &report.attributes, steps };
    let sections = [
        Some(requirement::section(&report.qids, &report.redundant, &suppressed::paragraph(report, recoding))),
        Some(risk::section(&report.qids, report.union_risk.as_ref(), Counted::Told)),
        report.series.as_ref().map(series::section),
        Some(columns::private(&report.screened, report.records)),
        Some(attributes::section(recoding, Some(&known))),
        regions::section(recoding),
        (!report.why.is_empty()).then(|| why::section(report)),
        report.what_if.as_ref().map(what_if::section),
        Some(loss::section(report)),
        report.evaluation.as_ref().map(|evaluation| models::section(evaluation, report.suppressed_how)),
        report.clusters.as_ref().map(clusters::section),
        Some(trace::section(report, steps)),
        Some(reproduce::section(report)),
    ];
    page("Cutline release, full report", &summary::private(report, recoding), sections.into_iter().flatten())
}

/// `public/report.html`: a function of the published table, the recoding and the public part of the spec, as the report itself is.
///
/// ```
/// use cutline_report::{PublicReport, PublicSpec, page};
/// # use cutline_model::Recoding;
/// # use cutline_verify::Verdict;
/// # let recoding = Recoding::from_json(r#"{ "format": "cutline-recoding/1", "attributes": {}, "requirement": { "qids": [] } }"#)?;
/// # let verdict = Verdict { records: 34, findings: Vec::new(), union: None };
/// let spec = PublicSpec { purpose: "classification of <income>".to_owned(), ..PublicSpec::default() };
/// let report = PublicReport::new(&verdict, &recoding, &spec);
/// let page = page::public(&report, &recoding).to_string();
/// assert!(page.contains("classification of &lt;income&gt;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn public(report: &PublicReport, recoding: &Recoding) -> Page {
    let counted = if report.spec.person.is_some() { Counted::Untold } else { Counted::Told };
    let sections = [
        Some(requirement::section(&report.qids, &report.spec.redundant, &suppressed::told_apart(recoding))),
        Some(risk::section(&report.qids, report.union_risk.as_ref(), counted)),
        columns::public(&report.columns),
        Some(attributes::section(recoding, None)),
        regions::section(recoding),
        Some(usage::section(report, recoding)),
    ];
    page("Cutline release", &summary::public(report), sections.into_iter().flatten())
}

/// `comparison.html`: several numbers of clusters and thresholds.
pub fn comparison(comparison: &Comparison) -> Page {
    document("Cutline comparison", &clusters::comparison(comparison))
}

fn page(title: &str, header: &Markup, sections: impl IntoIterator<Item = Section>) -> Page {
    let sections: Vec<Section> = sections.into_iter().collect();
    let body = html! {
        (header) "\n"
        nav aria-label="Sections" {
            @for section in &sections { a href={ "#" (section.id) } { (section.title) } "\n" }
        }
        main {
            @for Section { id, title, body } in &sections {
                "\n"
                section id=(id) aria-labelledby={ (id) "-title" } {
                    h2 id={ (id) "-title" } { (title) }
                    (body)
                }
            }
        }
    };
    document(title, &body)
}

/// A page that needs nothing from elsewhere.
fn document(title: &str, body: &Markup) -> Page {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (title) }
                style { "\n" (PreEscaped(PALETTE)) (PreEscaped(STYLE)) }
            }
            "\n"
            body { (body) }
        }
        "\n"
    };
    Page(page.into_string())
}

/// What a QID is called: by its attributes, with its number if there are several.
fn qid_name(index: usize, qids: &[QidReport]) -> String {
    let attributes = qids[index].attributes.join(", ");
    if qids.len() == 1 { attributes } else { format!("QID {}: {attributes}", index + 1) }
}
