//! How likely is it that someone is found?

use cutline_verify::{PopulationRisk, Risk};
use maud::{Markup, html};

use super::Section;
use crate::number::{count, counted, percent, share};
use crate::{ConfidenceReport, QidReport};

/// Group sizes below which guidelines ask for a second look.
const SMALL: [u64; 5] = [5, 10, 20, 50, 100];

/// The re-identification risk of one QID.
#[derive(Clone, Copy, PartialEq, Debug)]
struct QidRisk {
    records: u64,
    /// The prosecutor's: one record of the smallest group.
    highest: f64,
    /// The marketer's: one record of each group.
    average: f64,
    /// Records in groups below each size of [`SMALL`].
    below: [u64; SMALL.len()],
}

impl QidRisk {
    fn of(qid: &QidReport) -> Self {
        let sizes = qid.persons.as_ref().map_or(&qid.sizes, |persons| &persons.sizes);
        let records = |below: u64| -> u64 {
            sizes.iter().filter(|(size, _)| *size < below).map(|(size, groups)| size * groups).sum()
        };
        let all = records(u64::MAX);
        let smallest = sizes.iter().map(|(size, _)| *size).min().unwrap_or(0);
        QidRisk {
            records: all,
            highest: share(u64::from(smallest > 0), smallest),
            average: share(sizes.iter().map(|(_, groups)| groups).sum(), all),
            below: SMALL.map(records),
        }
    }
}

/// How groups are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// As the report tells.
    Told,
    /// In persons, of whom it must not tell how many a group has.
    Untold,
}

/// `union` is the risk for someone who knows the attributes of all QIDs.
pub(super) fn section(qids: &[QidReport], union: Option<&Risk>, counted: Counted) -> Section {
    let body = html! {
        p {
            "What an attacker can do who knows all attributes of a QID of some person and has nothing but this table. The numbers \
             follow from the group sizes; they do not say what a group tells about its sensitive attributes."
        }
        @if qids.iter().any(|qid| qid.persons.is_some()) { p { "Groups are counted in persons, and so is all of this." } }
        @if counted == Counted::Told { (table(qids)) } @else { (bounds(qids)) }
        @if qids.iter().any(|qid| qid.population.is_some()) { (in_population(qids)) }
        @if let Some(risk) = union { (together(risk)) }
        @for qid in qids { @for told in &qid.confidences { (confidence(told, qid.groups)) } }
    };
    Section { id: "risk", title: "Re-identification risk", body }
}

/// Records say too little of the risk where a person has several.
fn bounds(qids: &[QidReport]) -> Markup {
    html! {
        p {
            "A person may have several records here, and this report does not tell how many persons a group has: at least k of its QID. So \
             the chance to find a person is at most "
            @for (index, qid) in qids.iter().enumerate() { @if index > 0 { ", " } (one_in(share(1, qid.k))) }
            "."
        }
    }
}

fn table(qids: &[QidReport]) -> Markup {
    let risks: Vec<QidRisk> = qids.iter().map(QidRisk::of).collect();
    html! {
        div.scroll {
            table.risk {
                tr { th scope="col" { "measure" } (heads(qids)) }
                (row(
                    "Highest risk",
                    "The chance to pick the right record of a person in the smallest group, if the attacker knows that the person is \
                     in the table (“prosecutor”).",
                    risks.iter().map(|risk| one_in(risk.highest)),
                ))
                (row(
                    "Average risk",
                    "The share of all records that an attacker who tries everybody is expected to match rightly (“marketer”).",
                    risks.iter().map(|risk| one_in(risk.average)),
                ))
                @for (index, size) in SMALL.iter().enumerate() {
                    (row(
                        &format!("In groups below {size}"),
                        &format!("Records whose highest risk is above 1 in {size}."),
                        risks.iter().map(|risk| part(risk.below[index], risk.records)),
                    ))
                }
            }
        }
    }
}

/// The risk from someone who does not know who of a population is in the table. It is guessed, and for the steward alone: the share that
/// was drawn need not be public.
fn in_population(qids: &[QidReport]) -> Markup {
    let cells = |told: fn(&PopulationRisk) -> String| {
        qids.iter().map(move |qid| qid.population.as_ref().map_or("–".to_owned(), told))
    };
    html! {
        p {
            "The table was drawn from a population. The same for an attacker who does not know who is in the table, by a negative binomial \
             distribution of the persons of the population who share a group; the requirement does not look at it."
        }
        div.scroll {
            table.risk {
                tr { th scope="col" { "in the population" } (heads(qids)) }
                (row("Population", "Persons, by the weights or by the share that was drawn.", cells(|risk| about(risk.population))))
                (row("Alone in the table", "Records with whom nobody shares a group.", cells(|risk| count(risk.sample_uniques))))
                (row(
                    "Alone in the population",
                    "So many of these are expected to be alone in the population, too.",
                    cells(|risk| format!("{:.1}", risk.expected_population_uniques)),
                ))
                (row("Highest risk", "The highest chance to find a record of somebody.", cells(|risk| one_in(risk.highest))))
                (row("Average risk", "The same, averaged over all records.", cells(|risk| one_in(risk.average))))
            }
        }
    }
}

fn about(persons: f64) -> String {
    format!("about {}", count(persons.round() as u64))
}

/// The risk from someone who knows the attributes of all QIDs.
fn together(risk: &Risk) -> Markup {
    html! {
        p {
            "Who knows the attributes of all QIDs together finds a record with a chance of " (percent(risk.prosecutor.highest))
            " at most, and of " (percent(risk.marketer)) " on average."
        }
    }
}

/// How sure of a sensitive value a group can make.
fn confidence(told: &ConfidenceReport, groups: u64) -> Markup {
    html! {
        p {
            "The group that tells most about " em { (told.attribute) } " points to one value with a confidence of "
            (percent(told.highest_confidence)) ". "
            @if told.homogeneous_groups > 0 {
                span.broken {
                    "In " (count(told.homogeneous_groups)) " of " (counted(groups, "group")) " ("
                    (counted(told.homogeneous_records, "record")) ") everybody has the same value, which is certain then."
                }
            } @else { "In no group has everybody the same value." }
        }
    }
}

fn heads(qids: &[QidReport]) -> Markup {
    html! {
        @for (index, qid) in qids.iter().enumerate() {
            th.number scope="col" title=(qid.attributes.join(", ")) {
                @if qids.len() == 1 { "risk" } @else { "QID " (index + 1) }
            }
        }
    }
}

fn row(name: &str, meaning: &str, cells: impl Iterator<Item = String>) -> Markup {
    html! {
        tr {
            th scope="row" { (name) " " small { (meaning) } }
            @for cell in cells { td.number { (cell) } }
        }
    }
}

fn part(records: u64, all: u64) -> String {
    match records {
        0 => "none".to_owned(),
        records => format!("{} ({})", count(records), percent(share(records, all))),
    }
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
        let qid = QidReport { k: 4, anonymity: 4, groups: 4, sizes, ..QidReport::default() };
        let risk = QidRisk { records: 100, highest: 0.25, average: 0.04, below: [8, 8, 20, 20, 100] };
        assert_eq!(QidRisk::of(&qid), risk);
        assert_eq!(one_in(risk.highest), "25 % (1 in 4)");
        // Of ten records or more of each group, all are of two persons.
        let persons = Some(crate::PersonsReport { smallest: 2, sizes: vec![(2, 4)] });
        let risk = QidRisk { records: 8, highest: 0.5, average: 0.5, below: [8; 5] };
        assert_eq!(QidRisk::of(&QidReport { persons, ..qid }), risk);
    }

    #[test]
    fn an_empty_table_has_no_risk() {
        let qid = QidReport { k: 4, ..QidReport::default() };
        assert_eq!(QidRisk::of(&qid), QidRisk { records: 0, highest: 0.0, average: 0.0, below: [0; 5] });
    }
}
