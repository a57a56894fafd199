//! Why is it masked?

use cutline_search::{AttributeWhy, Bar, LabelWhy, Left, Why};
use maud::{Markup, html};

use super::Section;
use super::grid::{Grid, Head, cell};
use super::outline::label;
use crate::number::{count, counted};
use crate::why::{Way, forbidden, gain, ways};
use crate::{AttributeReport, Report};

/// A longer table is folded.
const MOST_UNFOLDED: usize = 12;

/// Labels of an attribute beyond this number are in `report.json` only.
const MOST_LABELS: usize = 200;

/// Labels of a refinement beyond this number are counted.
const MOST_PARTS: usize = 6;

pub(super) fn section(report: &Report) -> Section {
    let body = html! {
        p {
            "What is left when the search ends: for every label the refinement that gains most, and what forbids it. The suppress limit \
             is the smallest that would allow it, k the largest; an attribute is named if the refinement would be allowed without it. \
             This looks one step ahead, from where the search ended: with another requirement it may end elsewhere."
        }
        @for why in &report.why { (attribute(report, why)) }
    };
    Section { id: "why", title: "Why is it masked?", body }
}

fn attribute(report: &Report, why: &AttributeWhy) -> Markup {
    let of = report.attributes.iter().find(|attribute| attribute.name == why.attribute);
    let finest = |label: &&LabelWhy| label.why == Why::Finest;
    let single = why.labels.iter().filter(finest).count();
    let coarse: Vec<&LabelWhy> = why.labels.iter().filter(|label| !finest(label)).collect();
    let more = coarse.len().saturating_sub(MOST_LABELS);
    let grid = Grid {
        caption: "",
        heads: vec![
            Head::text("label"),
            Head::number("records"),
            Head::text("could become"),
            Head::text("gains"),
            Head::text("but leaves"),
            Head::text("allowed by any of"),
        ],
        rows: coarse.iter().take(MOST_LABELS).map(|label| Row { report, of, label }.html()).collect(),
    };
    let table = html! {
        div.why { (grid.stacking()) }
        @if more > 0 { p.more { "and " (count(more as u64)) " more: see report.json." } }
    };
    html! {
        h3 { (why.attribute) }
        @if why.missing > 0 { p.lead { (lack(why.missing)) } }
        @if single > 0 { p.lead { (told(single as u64)) } }
        @match coarse.len() {
            0 => {}
            1..=MOST_UNFOLDED => (table),
            all => details.fold { summary { "All " (counted(all as u64, "label")) } (table) },
        }
    }
}

fn lack(records: u64) -> String {
    if records == 1 {
        "1 record lacks a value.".to_owned()
    } else {
        format!("{} records lack a value.", count(records))
    }
}

/// What needs no row.
fn told(labels: u64) -> String {
    let is = if labels == 1 { "is one value" } else { "are one value each" };
    format!("{} {is}: there is nothing to refine.", counted(labels, "label"))
}

/// A label of an attribute.
struct Row<'a> {
    report: &'a Report,
    of: Option<&'a AttributeReport>,
    label: &'a LabelWhy,
}

impl Row<'_> {
    fn html(&self) -> Vec<Markup> {
        let name =
            self.label.label.as_deref().map_or_else(|| html! { i { "missing" } }, |text| label(&self.read(text)));
        let said = |left: Markup, gains: String, but: String, by: Markup| {
            vec![name.clone(), cell(count(self.label.records)), left, cell(gains), cell(but), by]
        };
        let report = self.report;
        match &self.label.why {
            Why::Finest | Why::NothingToGain => said(cell("–"), "nothing".to_owned(), "–".to_owned(), cell("–")),
            Why::Allowed(left) => {
                let but = "nothing: the search ended before it, or hides too much by it".to_owned();
                said(self.parts(left), gain(report, left), but, cell("–"))
            }
            Why::Forbidden { left, bar } => {
                said(self.parts(left), gain(report, left), forbidden(bar, &report.qids), allowed(report, bar))
            }
        }
    }

    /// A label as people read it.
    fn read(&self, text: &str) -> String {
        self.of.map_or_else(|| text.to_owned(), |attribute| attribute.read(text))
    }

    fn parts(&self, left: &Left) -> Markup {
        let more = left.into.len().saturating_sub(MOST_PARTS);
        html! {
            span {
                @for (index, part) in left.into.iter().take(MOST_PARTS).enumerate() {
                    @if index > 0 { ", " }
                    bdi { (self.read(part)) }
                }
                @if more > 0 { " and " (count(more as u64)) " more" }
            }
        }
    }
}

fn allowed(report: &Report, bar: &Bar) -> Markup {
    let way = |way: Way<'_>| match way {
        Way::Limit(limit) => format!("suppress limit {limit}"),
        Way::LeaveOut => "leaving out records that lack a value".to_owned(),
        Way::Threshold { k, qid: None } => format!("k = {}", count(k)),
        Way::Threshold { k, qid: Some(qid) } => format!("k = {} for QID {qid}", count(k)),
        Way::Without(attribute) => format!("without {attribute}"),
    };
    let ways: Vec<String> = ways(report, bar).into_iter().map(way).collect();
    cell(if ways.is_empty() { "nothing".to_owned() } else { ways.join("; ") })
}
