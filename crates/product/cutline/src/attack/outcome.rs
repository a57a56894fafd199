//! What an attack achieved. No value of any record is in it.

use serde::Serialize;

use super::groups::Groups;
use super::persons::{Match, Persons};

/// What an adversary achieved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The columns that were compared.
    pub on: Vec<String>,
    /// Released records.
    pub records: u64,
    /// Different combinations of labels among them.
    pub groups: u64,
    /// External persons.
    pub persons: u64,
    /// Persons who match at least one record.
    pub matched: u64,
    /// The fewest records that one of those matches; 0 if there are none.
    pub fewest: u64,
    /// How many persons match how many records.
    pub matches: Vec<Matches>,
    /// The chance that the best guess at a person's record is right, if the record is in the table: one in the number of matching
    /// records, averaged over the persons who match any.
    pub expected_success: f64,
    /// The same for the person who matches the fewest records.
    pub highest_success: f64,
    /// How often guesses are right indeed, if the truth is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<TruthOutcome>,
    /// What is learned about each sensitive attribute.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inferences: Vec<Inference>,
}

/// Persons who match about so many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Matches {
    /// At least so many records.
    pub from: u64,
    /// At most so many; `None` if there is no limit.
    pub to: Option<u64>,
    /// Persons.
    pub persons: u64,
}

/// Guesses against the truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TruthOutcome {
    /// Persons who have a record in the released table.
    pub present: u64,
    /// Persons whose own record is among those that they match.
    pub among_matches: u64,
    /// The share of all persons for whom a random guess among the matching records is expected to be right.
    pub success: f64,
    /// The same for the person for whom it is highest.
    pub highest_success: f64,
}

/// What is learned about a sensitive attribute: the most frequent value among the records that a person matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inference {
    /// The attribute.
    pub attribute: String,
    /// The share of the most frequent value in the whole table: what is known of anybody without an attack.
    pub base_rate: f64,
    /// The share of the inferred value among the matching records, averaged over the persons who match any.
    pub average_confidence: f64,
    /// The same for the person for whom it is highest.
    pub highest_confidence: f64,
    /// Persons all of whose matching records have the same value: it is certain, if their record is in the table.
    pub certain: u64,
    /// How often that is right, if the external table has the attribute too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<InferenceTruth>,
}

/// Inferred values against the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct InferenceTruth {
    /// Persons who match any record.
    pub persons: u64,
    /// The share of them whose inferred value is right.
    pub right: f64,
    /// The share of them for whom the most frequent value of the whole table is right.
    pub base_right: f64,
    /// Persons whose value was certain, and is right.
    pub certain_and_right: u64,
}

/// The lower ends of the classes of [`Outcome::matches`].
const FROM: [u64; 9] = [0, 1, 2, 5, 10, 20, 50, 100, 1000];

impl Outcome {
    pub(super) fn new(on: &[String], groups: &Groups, persons: &Persons, matches: &[Match]) -> Self {
        let found = || matches.iter().zip(&persons.counts).filter(|(matched, _)| matched.records > 0);
        let matched: u64 = found().map(|(_, count)| count).sum();
        let fewest = found().map(|(matched, _)| matched.records).min().unwrap_or(0);
        let success: f64 = found().map(|(matched, &count)| count as f64 / matched.records as f64).sum();
        Outcome {
            on: on.to_vec(),
            records: groups.sizes.iter().sum(),
            groups: groups.len() as u64,
            persons: persons.kind_of.len() as u64,
            matched,
            fewest,
            matches: distribution(persons, matches),
            expected_success: if matched == 0 { 0.0 } else { success / matched as f64 },
            highest_success: if fewest == 0 { 0.0 } else { 1.0 / fewest as f64 },
            truth: None,
            inferences: Vec::new(),
        }
    }
}

fn distribution(persons: &Persons, matches: &[Match]) -> Vec<Matches> {
    let to = |class: usize| FROM.get(class + 1).map(|next| next - 1);
    let mut classes: Vec<Matches> =
        FROM.iter().enumerate().map(|(class, &from)| Matches { from, to: to(class), persons: 0 }).collect();
    for (matched, count) in matches.iter().zip(&persons.counts) {
        let class = FROM.partition_point(|&from| from <= matched.records) - 1;
        classes[class].persons += count;
    }
    classes
}
