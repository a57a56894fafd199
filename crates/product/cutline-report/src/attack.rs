//! What a linkage attack achieved, as data. No value of any record is in it.

use serde::Serialize;

/// What an adversary achieved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackOutcome {
    /// The columns that were compared.
    pub on: Vec<String>,
    /// Released records.
    pub records: u64,
    /// Different combinations of labels among them.
    pub groups: u64,
    /// External persons.
    pub persons: u64,
    /// Are the persons behind the released records counted, and not the records? Then "records" below are persons.
    pub counts_persons: bool,
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

/// What comparing several releases achieved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedOutcome {
    /// The columns that were compared with what is known of persons.
    pub on: Vec<String>,
    /// The columns by which records of one person are known to belong together.
    pub link: Vec<String>,
    /// External persons.
    pub persons: u64,
    /// What each release tells by itself.
    pub alone: Vec<Narrowed>,
    /// What it tells when it is compared with the others.
    pub together: Vec<Narrowed>,
}

/// What is left of the records that persons match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Narrowed {
    /// Persons for whom any are left.
    pub matched: u64,
    /// The fewest that are left for one of those.
    pub fewest: u64,
    /// Persons for whom a single one is left.
    pub found: u64,
    /// Persons whose linking values are certain: all records that are left have the same.
    pub certain: u64,
}
