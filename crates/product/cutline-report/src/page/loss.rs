//! What the masking cost, by formula.

use cutline_measure::loss::{AttributeLoss, Losses, QidLoss};
use maud::{Markup, html};

use super::bars::{Bar, Bars};
use super::grid::{Grid, Head, cell};
use super::{Section, qid_name};
use crate::Report;
use crate::number::{count, figure, percent};

pub(super) fn section(report: &Report) -> Section {
    let losses = &report.metrics;
    let body = html! {
        p { "Lower is better for every number here." }
        dl.facts {
            @for fact in facts(losses) {
                div { dt { (fact.name) } dd { b { (fact.value) } " " span { (fact.meaning) } } }
            }
        }
        (attributes(&losses.attributes))
        (groups(report))
    };
    Section { id: "loss", title: "What the masking cost", body }
}

/// A number and what it means.
struct Fact {
    name: &'static str,
    value: String,
    meaning: &'static str,
}

fn facts(losses: &Losses) -> Vec<Fact> {
    let all = losses.attributes.len();
    let general = Fact {
        name: "General loss (LM)",
        value: format!("{} of {all}", figure(losses.general)),
        meaning: "The sum over the attributes of how much of its domain a published entry could be: 0 for each attribute that \
                  is published exactly, 1 for each of which nothing is told.",
    };
    let entropy = Fact {
        name: "Information lost",
        value: percent(losses.entropy),
        meaning: "The share of the bits in the masked attributes that their labels no longer tell.",
    };
    let classification = losses.classification.map(|loss| Fact {
        name: "Classification (CM)",
        value: percent(loss),
        meaning: "The share of records that are suppressed or not of the class that most of their group have: who guesses the \
                  class from the group is wrong that often.",
    });
    let cost = losses.classification_cost.map(|loss| Fact {
        name: "Classification with costs",
        value: figure(loss),
        meaning: "What it costs on average, by the given costs, to take a record for the class that most of its group have.",
    });
    let weighted = losses.weighted.map(|loss| Fact {
        name: "Several targets",
        value: figure(loss),
        meaning: "The average of the losses of all targets, by their weights.",
    });
    let target = [classification, cost, weighted].into_iter().flatten().chain(regression(losses));
    [general, entropy].into_iter().chain(target).collect()
}

fn regression(losses: &Losses) -> impl Iterator<Item = Fact> {
    let variance = losses.regression_variance.map(|loss| Fact {
        name: "Regression, by variance (RM)",
        value: percent(loss),
        meaning: "The share of the target's variance that is within groups: what the groups do not explain.",
    });
    let median = losses.regression_median.map(|loss| Fact {
        name: "Regression, by median (RM)",
        value: percent(loss),
        meaning: "The same for the distance from the median, which a few very large values hardly change.",
    });
    variance.into_iter().chain(median)
}

fn attributes(losses: &[AttributeLoss]) -> Markup {
    let bar = |loss: &AttributeLoss| Bar {
        name: loss.name.clone(),
        length: loss.general,
        cells: vec![percent(loss.general), format!("{:.2} of {:.2}", loss.entropy_bits, loss.entropy_bits_of_all)],
    };
    let bars = Bars {
        caption: "Loss of each attribute".to_owned(),
        heads: &["attribute", "LM", "bits lost"],
        rows: losses.iter().map(bar).collect(),
    };
    html! {
        (bars.html())
        p.lead {
            "LM: the part of its domain that an entry could be, on average. Bits lost: of the bits that it takes to tell a record's \
             value, those that its label does not tell."
        }
    }
}

fn groups(report: &Report) -> Markup {
    let known = |number: Option<f64>| cell(number.map_or("–".to_owned(), figure));
    let row = |(index, qid): (usize, &QidLoss)| {
        let name = if index < report.qids.len() { qid_name(index, &report.qids) } else { qid.attributes.join(", ") };
        vec![
            cell(name),
            cell(count(qid.groups)),
            known(qid.average_group_size),
            known(qid.c_avg),
            cell(count(qid.discernibility)),
        ]
    };
    let grid = Grid {
        caption: "Groups of each QID",
        heads: vec![
            Head::text("QID"),
            Head::number("groups"),
            Head::number("average size"),
            Head::number("C").sub("AVG"),
            Head::number("discernibility"),
        ],
        rows: report.metrics.qids.iter().enumerate().map(row).collect(),
    };
    html! {
        (grid.stacking())
        p.lead {
            "Average size: records in a group. C" sub { "AVG" } ": how many times as large as k that is; 1 is the best there can be. \
             Discernibility: for each record, the number of records that it cannot be told from, all added up; a suppressed record \
             counts as one that cannot be told from any."
        }
    }
}
