//! What is published: a card for every quasi attribute.

use std::fmt::Write;

use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Identifier, Recoding};
use cutline_search::Step;

use super::super::AttributeReport;
use super::text::{count, counted, escape};
use super::{Section, intervals, taxonomy};

/// Labels beyond this number are counted, not listed.
const MOST_LABELS: usize = 200;

pub(super) fn section(attributes: &[AttributeReport], recoding: &Recoding, steps: &[Step]) -> Section {
    let card = |(report, (name, attribute)): (&AttributeReport, (&String, &AttributeRecoding))| {
        card(report, name, operation(attribute, recoding.has_private_taxonomy(name)), attribute, steps)
    };
    let cards: String = attributes.iter().zip(&recoding.attributes).map(card).collect();
    let body = format!(
        "<p>These attributes are in some QID, so they are masked. The records show \
         <bdi class=\"node published\">labels like this</bdi>; <bdi class=\"node above\">labels like this</bdi> are less \
         specific than what is published, and <bdi class=\"node below\">values like this</bdi> of a public taxonomy are hidden \
         (open a label to see what it stands for). All other attributes are published as they are.</p>\n{}\
         <div class=\"cards\">\n{cards}</div>\n",
        identifiers(recoding)
    );
    Section { id: "published", title: "What is published", body }
}

fn identifiers(recoding: &Recoding) -> String {
    if recoding.identifiers.is_empty() {
        return String::new();
    }
    let one = |(name, what): (&String, &Identifier)| {
        let what = match what {
            Identifier::Drop => "left out",
            Identifier::Tokenize => "replaced by random tokens",
        };
        format!("<b>{}</b> ({what})", escape(name))
    };
    let list: Vec<String> = recoding.identifiers.iter().map(one).collect();
    format!("<p>Identifiers: {}.</p>\n", list.join(", "))
}

fn operation(recoding: &AttributeRecoding, private: bool) -> &'static str {
    match recoding {
        AttributeRecoding::Generalize { .. } if private => {
            "generalized along a private taxonomy, of which no more is told"
        }
        AttributeRecoding::Generalize { .. } => "generalized along a taxonomy",
        AttributeRecoding::Suppress { .. } => "values suppressed",
        AttributeRecoding::Discretize { .. } => "cut into intervals",
    }
}

fn card(report: &AttributeReport, name: &str, operation: &str, recoding: &AttributeRecoding, steps: &[Step]) -> String {
    format!(
        "<article class=\"card\" id=\"attribute-{}\">\n<h3>{}</h3>\n\
         <p class=\"lead\">{operation} · {} → {}</p>\n{}{}{}</article>\n",
        anchor(name),
        escape(name),
        counted(report.values as u64, "value"),
        counted(report.labels as u64, "label"),
        top(report),
        drawing(name, recoding, report.values, steps),
        missing(recoding)
    )
}

/// The name as part of an id: ids may not have blanks.
fn anchor(name: &str) -> String {
    escape(&name.replace(char::is_whitespace, "_"))
}

fn top(report: &AttributeReport) -> &'static str {
    if report.top { "<p class=\"top\">Nothing of it is told: every record has the same label.</p>\n" } else { "" }
}

fn drawing(name: &str, recoding: &AttributeRecoding, values: usize, steps: &[Step]) -> String {
    match recoding {
        AttributeRecoding::Generalize { cut, taxonomy, .. } => taxonomy::outline(taxonomy, cut).html(),
        AttributeRecoding::Suppress { disclosed, .. } => disclosures(disclosed, recoding.labels_of(values).len()),
        AttributeRecoding::Discretize { missing: Some(Missing::Masked), .. } => chips(&recoding.labels()),
        AttributeRecoding::Discretize { bounds, .. } => {
            let line = intervals::number_line(bounds).unwrap_or_default();
            let tree = intervals::split_tree(name, recoding, steps);
            line + &tree.map_or_else(|| chips(&recoding.labels()), |tree| tree.html())
        }
    }
}

fn disclosures(disclosed: &[String], labels: usize) -> String {
    if disclosed.is_empty() {
        return "<p>Every value is <bdi class=\"node published\">*</bdi>.</p>\n".to_owned();
    }
    let rest = match labels > disclosed.len() {
        true => "<p>Everything else is <bdi class=\"node published\">*</bdi>.</p>\n",
        false => "<p>These are all values: nothing had to be suppressed.</p>\n",
    };
    chips(disclosed) + rest
}

fn chips(labels: &[String]) -> String {
    let mut text = String::from("<p class=\"chips\">");
    for label in labels.iter().take(MOST_LABELS) {
        let _ = write!(text, "<bdi class=\"node published\">{}</bdi> ", escape(label));
    }
    if labels.len() > MOST_LABELS {
        let _ = write!(text, "<span class=\"more\">and {} more</span>", count((labels.len() - MOST_LABELS) as u64));
    }
    text + "</p>\n"
}

fn missing(recoding: &AttributeRecoding) -> &'static str {
    match recoding.missing() {
        None => "",
        Some(Missing::Published) => "<p class=\"lead\">Missing values are published as missing.</p>\n",
        Some(Missing::Masked) => {
            "<p class=\"lead\">Missing values have the same label as values that are hidden.</p>\n"
        }
    }
}
