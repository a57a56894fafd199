//! What the masking cost, by formula.

use std::fmt::Write;

use cutline_measure::loss::{AttributeLoss, Losses};

use super::super::Report;
use super::bars::{Bar, Bars};
use super::text::{count, escape, figure, percent};
use super::{Section, qid_name};

pub(super) fn section(report: &Report) -> Section {
    let losses = &report.metrics;
    let mut body = String::from("<p>Lower is better for every number here.</p>\n<dl class=\"facts\">\n");
    for fact in facts(losses) {
        let _ = writeln!(
            body,
            "<div><dt>{}</dt><dd><b>{}</b> <span>{}</span></dd></div>",
            fact.name,
            escape(&fact.value),
            fact.meaning
        );
    }
    body.push_str("</dl>\n");
    body.push_str(&attributes(&losses.attributes));
    body.push_str(&groups(report));
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
        meaning: "The share of the target&#39;s variance that is within groups: what the groups do not explain.",
    });
    let median = losses.regression_median.map(|loss| Fact {
        name: "Regression, by median (RM)",
        value: percent(loss),
        meaning: "The same for the distance from the median, which a few very large values hardly change.",
    });
    variance.into_iter().chain(median)
}

fn attributes(losses: &[AttributeLoss]) -> String {
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
    format!(
        "{}<p class=\"lead\">LM: the part of its domain that an entry could be, on average. Bits lost: of the bits that it takes \
         to tell a record&#39;s value, those that its label does not tell.</p>\n",
        bars.html()
    )
}

fn groups(report: &Report) -> String {
    let mut rows = String::new();
    for (index, qid) in report.metrics.qids.iter().enumerate() {
        let known = |number: Option<f64>| number.map_or("–".to_owned(), figure);
        let name = if index < report.qids.len() { qid_name(index, &report.qids) } else { qid.attributes.join(", ") };
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            escape(&name),
            count(qid.groups),
            known(qid.average_group_size),
            known(qid.c_avg),
            count(qid.discernibility)
        );
    }
    format!(
        "<div class=\"scroll\"><table>\n<caption>Groups of each QID</caption>\n<tr><th scope=\"col\">QID</th>\
         <th scope=\"col\" class=\"number\">groups</th><th scope=\"col\" class=\"number\">average size</th>\
         <th scope=\"col\" class=\"number\">C<sub>AVG</sub></th><th scope=\"col\" class=\"number\">discernibility</th></tr>\n\
         {rows}</table></div>\n<p class=\"lead\">Average size: records in a group. C<sub>AVG</sub>: how many times as large as k \
         that is; 1 is the best there can be. Discernibility: for each record, the number of records that it cannot be told \
         from, all added up; a suppressed record counts as one that cannot be told from any.</p>\n"
    )
}
