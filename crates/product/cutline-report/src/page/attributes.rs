//! What is published: a card for every quasi attribute.

use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Identifier, Recoding, Scale};
use cutline_search::Step;
use maud::{Markup, html};

use super::outline::{DrawnTree, label};
use super::taxonomy::WithCut;
use super::{Section, intervals};
use crate::AttributeReport;
use crate::number::{count, counted};

/// Labels beyond this number are counted, not listed.
const MOST_LABELS: usize = 200;

/// More labels than this are folded away.
const MOST_UNFOLDED: usize = 60;

/// What only the steward knows: the number of raw values, and how the search came to the labels.
pub(super) struct Known<'a> {
    /// In the order of the recoding.
    pub(super) attributes: &'a [AttributeReport],
    pub(super) steps: &'a [Step],
}

pub(super) fn section(recoding: &Recoding, known: Option<&Known<'_>>) -> Section {
    let body = html! {
        p {
            "These attributes are in some QID, so they are masked. The records show " bdi.node.published { "labels like this" } "; "
            bdi.node.above { "labels like this" } " are less specific than what is published, and "
            bdi.node.below { "values like this" } " of a public taxonomy are hidden (open a label to see what it stands for). All other \
             attributes are published as they are."
        }
        (identifiers(recoding))
        div.cards {
            @for (index, (name, attribute)) in recoding.attributes.iter().enumerate() {
                (Card { name, attribute, private: recoding.has_private_taxonomy(name), known, index }.html())
            }
        }
    };
    Section { id: "published", title: "What is published", body }
}

fn identifiers(recoding: &Recoding) -> Markup {
    let what = |identifier: &Identifier| match identifier {
        Identifier::Drop => "left out",
        Identifier::Tokenize => "replaced by tokens",
        Identifier::Shift => "dates moved by weeks",
    };
    html! {
        @if !recoding.identifiers.is_empty() {
            p {
                "Identifiers: "
                @for (index, (name, identifier)) in recoding.identifiers.iter().enumerate() {
                    @if index > 0 { ", " }
                    b { (name) } " (" (what(identifier)) ")"
                }
                "."
            }
        }
    }
}

/// An attribute.
struct Card<'a> {
    name: &'a str,
    attribute: &'a AttributeRecoding,
    /// Is its taxonomy private?
    private: bool,
    known: Option<&'a Known<'a>>,
    /// Its place among the attributes.
    index: usize,
}

impl Card<'_> {
    fn html(&self) -> Markup {
        html! {
            // Ids may not have blanks.
            article.card id={ "attribute-" (self.name.replace(char::is_whitespace, "_")) } {
                h3 { (self.name) }
                p.lead { (self.operation()) " · " (self.counts()) }
                @if self.attribute.is_top() { p.top { "Nothing of it is told: every record has the same label." } }
                (self.drawing())
                (self.missing())
            }
        }
    }

    fn operation(&self) -> &'static str {
        match self.attribute {
            AttributeRecoding::Generalize { .. } if self.private => {
                "generalized along a private taxonomy, of which no more is told"
            }
            AttributeRecoding::Generalize { .. } => "generalized along a taxonomy",
            AttributeRecoding::Suppress { .. } => "values suppressed",
            AttributeRecoding::Discretize { .. } => "cut into intervals",
        }
    }

    /// The number of raw values, if it is known.
    fn values(&self) -> Option<usize> {
        Some(self.report()?.values)
    }

    /// What the steward knows of it.
    fn report(&self) -> Option<&AttributeReport> {
        self.known?.attributes.get(self.index)
    }

    fn labels(&self) -> Vec<String> {
        self.values().map_or_else(|| self.attribute.labels(), |values| self.attribute.labels_of(values))
    }

    /// A label as people read it.
    fn read(&self, label: &str) -> String {
        self.report().map_or_else(|| label.to_owned(), |report| report.read(label))
    }

    fn counts(&self) -> String {
        let labels = counted(self.labels().len() as u64, "label");
        self.values().map_or(labels.clone(), |values| format!("{} → {labels}", counted(values as u64, "value")))
    }

    fn drawing(&self) -> Markup {
        match self.attribute {
            AttributeRecoding::Generalize { cut, taxonomy, .. } => WithCut::new(taxonomy, cut).html(),
            AttributeRecoding::Suppress { disclosed, .. } => disclosures(disclosed, self.labels().len()),
            AttributeRecoding::Discretize { missing: Some(Missing::Masked), .. } => chips(&self.attribute.labels()),
            AttributeRecoding::Discretize { scale: Scale::Dates { .. }, .. } => chips(&self.attribute.labels()),
            AttributeRecoding::Discretize { bounds, .. } => {
                let steps = self.known.map(|known| known.steps).unwrap_or_default();
                let tree = intervals::split_tree(self.name, self.attribute, steps);
                let chips = || chips(&self.attribute.labels().iter().map(|label| self.read(label)).collect::<Vec<_>>());
                let labels = tree.map_or_else(chips, |tree| tree.reading(|label| self.read(label)).html());
                html! { (intervals::number_line(bounds)) (labels) }
            }
        }
    }

    fn missing(&self) -> Markup {
        html! {
            @match self.attribute.missing() {
                None => {}
                Some(Missing::Published) => p.lead { "Missing values are published as missing." },
                Some(Missing::Masked) => p.lead { "Missing values have the same label as values that are hidden." },
            }
        }
    }
}

fn disclosures(disclosed: &[String], labels: usize) -> Markup {
    html! {
        @if disclosed.is_empty() {
            p { "Every value is " (label("*")) "." }
        } @else {
            (chips(disclosed))
            @if labels > disclosed.len() {
                p { "Everything else is " (label("*")) "." }
            } @else {
                p { "These are all values: nothing had to be suppressed." }
            }
        }
    }
}

fn chips(labels: &[String]) -> Markup {
    let more = labels.len().saturating_sub(MOST_LABELS);
    let chips = html! {
        p.chips {
            @for one in labels.iter().take(MOST_LABELS) { (label(one)) " " }
            @if more > 0 { span.more { "and " (count(more as u64)) " more" } }
        }
    };
    if labels.len() <= MOST_UNFOLDED {
        return chips;
    }
    html! { details.fold { summary { "All " (counted(labels.len() as u64, "label")) } (chips) } }
}
