//! How likely is it that someone is found?

use std::fmt::Write;

use super::super::{QidReport, Report};
use super::Section;
use super::text::{count, escape, percent, share};

/// Group sizes below which guidelines ask for a second look.
const SMALL: [u64; 5] = [5, 10, 20, 50, 100];

/// The re-identification risk of one QID.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Risk {
    records: u64,
    /// The prosecutor's: one record of the smallest group.
    highest: f64,
    /// The marketer's: one record of each group.
    average: f64,
    /// Records in groups below each size of [`SMALL`].
    below: [u64; SMALL.len()],
}

impl Risk {
    fn of(qid: &QidReport) -> Self {
        let records = |below: u64| -> u64 {
            qid.sizes.iter().filter(|(size, _)| *size < below).map(|(size, groups)| size * groups).sum()
        };
        let all = records(u64::MAX);
        let smallest = qid.sizes.iter().map(|(size, _)| *size).min().unwrap_or(0);
        Risk {
            records: all,
            highest: share(u64::from(smallest > 0), smallest),
            average: share(qid.sizes.iter().map(|(_, groups)| groups).sum(), all),
            below: SMALL.map(records),
        }
    }
}

pub(super) fn section(report: &Report) -> Section {
    let risks: Vec<Risk> = report.qids.iter().map(Risk::of).collect();
    let mut rows = row(
        "Highest risk",
        "The chance to pick the right record of a person in the smallest group, if the attacker knows that the person is in the \
         table (&ldquo;prosecutor&rdquo;).",
        risks.iter().map(|risk| one_in(risk.highest)),
    );
    rows += &row(
        "Average risk",
        "The share of all records that an attacker who tries everybody is expected to match rightly (&ldquo;marketer&rdquo;).",
        risks.iter().map(|risk| one_in(risk.average)),
    );
    for (index, size) in SMALL.iter().enumerate() {
        let below = |risk: &Risk| match risk.below[index] {
            0 => "none".to_owned(),
            records => format!("{} ({})", count(records), percent(share(records, risk.records))),
        };
        let name = format!("In groups below {size}");
        let meaning = format!("Records whose highest risk is above 1 in {size}.");
        rows += &row(&name, &meaning, risks.iter().map(below));
    }
    let body = format!(
        "<p>What an attacker can do who knows all attributes of a QID of some person and has nothing but this table. The numbers \
         follow from the group sizes; they do not say what a group tells about its sensitive attributes.</p>\n\
         <div class=\"scroll\"><table class=\"risk\">\n<tr><th scope=\"col\">measure</th>{}</tr>\n{rows}</table></div>\n{}{}",
        heads(&report.qids),
        together(report),
        told(&report.qids)
    );
    Section { id: "risk", title: "Re-identification risk", body }
}

/// The risk from someone who knows the attributes of all QIDs.
fn together(report: &Report) -> String {
    let sentence = |risk: &cutline_verify::Risk| {
        format!(
            "<p>Who knows the attributes of all QIDs together finds a record with a chance of {} at most, and of {} on average.</p>\n",
            percent(risk.prosecutor.highest),
            percent(risk.marketer)
        )
    };
    report.union_risk.as_ref().map(sentence).unwrap_or_default()
}

/// How sure of a sensitive value a group can make.
fn told(qids: &[QidReport]) -> String {
    let mut text = String::new();
    for (attribute, confidence) in qids.iter().flat_map(|qid| &qid.confidences) {
        let _ = writeln!(
            text,
            "<p>The group that tells most about <em>{}</em> points to one value with a confidence of {}.</p>",
            escape(attribute),
            percent(*confidence)
        );
    }
    text
}

fn heads(qids: &[QidReport]) -> String {
    let mut text = String::new();
    for (index, qid) in qids.iter().enumerate() {
        let name = if qids.len() == 1 { "risk".to_owned() } else { format!("QID {}", index + 1) };
        let _ = write!(
            text,
            "<th scope=\"col\" class=\"number\" title=\"{}\">{name}</th>",
            escape(&qid.attributes.join(", "))
        );
    }
    text
}

fn row(name: &str, meaning: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!("<td class=\"number\">{cell}</td>")).collect();
    format!("<tr><th scope=\"row\">{name} <small>{meaning}</small></th>{cells}</tr>\n")
}

/// `1.3 % (1 in 79)`
fn one_in(risk: f64) -> String {
    if risk == 0.0 {
        "–".to_owned()
    } else {
        format!("{} (1 in {})", percent(risk), count((1.0 / risk).round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_follow_from_group_sizes() {
        let sizes = vec![(4, 2), (12, 1), (80, 1)];
        let qid =
            QidReport { attributes: vec![], k: 4, anonymity: 4, groups: 4, sizes, risk: None, confidences: vec![] };
        let risk = Risk { records: 100, highest: 0.25, average: 0.04, below: [8, 8, 20, 20, 100] };
        assert_eq!(Risk::of(&qid), risk);
        assert_eq!(one_in(risk.highest), "25 % (1 in 4)");
    }

    #[test]
    fn an_empty_table_has_no_risk() {
        let qid = QidReport {
            attributes: vec![],
            k: 4,
            anonymity: 0,
            groups: 0,
            sizes: vec![],
            risk: None,
            confidences: vec![],
        };
        assert_eq!(Risk::of(&qid), Risk { records: 0, highest: 0.0, average: 0.0, below: [0; 5] });
    }
}
