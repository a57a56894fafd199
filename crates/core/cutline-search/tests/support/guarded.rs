//! Random small tables with sensitive attributes, conditions on them, and a budget of records that may be suppressed.

use std::fmt;

use cutline_model::recoding::{SuppressHow, Unknown};
use cutline_model::{AttributeRecoding, Qid, Requirement};
use cutline_search::{Control, Outcome, Problem, Search};
use cutline_table::{Block, BlockColumn, CompressedTable, Compressor, LabelKind};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::Cell;
use super::cases::{Case, any_solvable_case, case};
use super::guard::{Guard, GuardQid, written};
use super::rules::Rule;

/// A search to run.
#[derive(Clone)]
pub(crate) struct Guarded {
    pub(crate) case: Case,
    /// The name and the cells of each sensitive attribute.
    pub(crate) sensitive: Vec<(String, Vec<Cell>)>,
    /// For each QID, conditions with the positions of their attributes.
    pub(crate) rules: Vec<Vec<(usize, Rule)>>,
    pub(crate) limit: u64,
    pub(crate) how: SuppressHow,
}

impl Guarded {
    /// The requirement with its conditions.
    pub(crate) fn requirement(&self) -> Requirement {
        let conditions = |rules: &Vec<(usize, Rule)>| {
            rules.iter().map(|(at, rule)| rule.text(&self.sensitive[*at].0).parse().unwrap()).collect()
        };
        let qids = self.case.requirement.qids().iter().zip(&self.rules);
        let qids: Vec<Qid> = qids.map(|(qid, rules)| Qid { conditions: conditions(rules), ..qid.clone() }).collect();
        let requirement = Requirement::new(qids.clone()).unwrap();
        assert_eq!(requirement.qids(), qids, "conditions make no QID redundant");
        requirement
    }

    /// What a search sees of the table.
    pub(crate) fn compress(&self) -> CompressedTable {
        let sample = &self.case.sample;
        let quasi = (0..sample.attributes.len()).map(|a| sample.records.iter().map(|r| r.quasi[a].clone()).collect());
        let target =
            (sample.label != LabelKind::None).then(|| sample.records.iter().map(|r| r.target.clone()).collect());
        let sensitive = self.sensitive.iter().map(|(_, cells)| cells.clone());
        let columns: Vec<Vec<Cell>> = quasi.chain(target).chain(sensitive).collect();
        let records = sample.records.len();
        let column = |texts: &Vec<Cell>| BlockColumn { codes: (0..records as u32).collect(), texts: texts.clone() };
        let mut compressor = Compressor::new(columns.len());
        compressor.add(&Block { records, left_out: Vec::new(), columns: columns.iter().map(column).collect() });
        let mut labels = vec![("target".to_owned(), sample.label)];
        labels.extend(self.sensitive.iter().map(|(name, _)| (name.clone(), LabelKind::Sensitive)));
        cutline_table::encode(&compressor.finish(), sample.attributes.clone(), &labels, Unknown::Error).unwrap()
    }

    /// Runs a search to its end.
    pub(crate) fn search(&self, search: &dyn Search) -> Outcome {
        let table = self.compress();
        search.search(&self.problem(&table), &Control::unlimited())
    }

    pub(crate) fn problem<'a>(&self, table: &'a CompressedTable) -> Problem<'a> {
        Problem::new(table, &self.requirement()).unwrap().suppressing(self.limit, self.how)
    }

    /// The requirement for a count of records.
    pub(crate) fn guard<'a>(&'a self) -> Guard<'a> {
        let position = |name: &String| self.case.sample.attributes.iter().position(|(other, _)| other == name).unwrap();
        let rules = |rules: &'a [(usize, Rule)]| -> Vec<(&'a [Cell], &'a Rule)> {
            rules.iter().map(|(at, rule)| (&self.sensitive[*at].1[..], rule)).collect()
        };
        let qid = |(qid, of_qid): (&Qid, &'a Vec<(usize, Rule)>)| GuardQid {
            attributes: qid.attributes.iter().map(position).collect(),
            k: qid.k,
            rules: rules(of_qid),
        };
        let qids = self.case.requirement.qids().iter().zip(&self.rules).map(qid).collect();
        Guard { qids, how: self.how, records: self.case.sample.records.len() }
    }

    /// For each attribute, the labels that the records are published with.
    pub(crate) fn labels(&self, recoding: &[AttributeRecoding]) -> Vec<Vec<String>> {
        let masked = self.case.sample.masked(recoding);
        (0..recoding.len()).map(|a| masked.iter().map(|record| written(&record[a])).collect()).collect()
    }
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.case)?;
        let cell = |cell: &Cell| cell.clone().unwrap_or("?".to_owned());
        for (index, record) in self.case.sample.records.iter().enumerate() {
            let quasi: Vec<String> = record.quasi.iter().map(cell).collect();
            let sensitive: Vec<String> = self.sensitive.iter().map(|(_, cells)| cell(&cells[index])).collect();
            writeln!(f, "{} -> {} | {}", quasi.join(" "), cell(&record.target), sensitive.join(" "))?;
        }
        writeln!(f, "{:?}\nat most {} suppressed, {:?}", self.rules, self.limit, self.how)
    }
}

/// Are there conditions, and how many records may be suppressed?
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    /// Conditions, and no budget.
    Conditions,
    /// A budget, and no conditions.
    Budget,
    /// Any of both.
    Any,
}

/// Searches for a purpose. The most masked table satisfies all conditions.
pub(crate) fn guarded(label: LabelKind, kind: Kind) -> impl Strategy<Value = Guarded> {
    with_conditions(case(label).prop_filter("records fewer than k", Case::is_solvable), kind).prop_map(satisfiable)
}

/// Searches for all purposes.
pub(crate) fn any_guarded(kind: Kind) -> impl Strategy<Value = Guarded> {
    unchecked(kind).prop_map(satisfiable)
}

/// Searches that may have no solution.
pub(crate) fn unchecked(kind: Kind) -> impl Strategy<Value = Guarded> {
    with_conditions(any_solvable_case(), kind).prop_map(|guarded| retain(guarded, Rule::fits))
}

/// Leaves out the conditions that no masking could satisfy.
fn satisfiable(guarded: Guarded) -> Guarded {
    retain(guarded, |rule, whole| rule.fits(whole) && rule.holds(whole, whole))
}

/// Keeps only some conditions, by the values of all records.
fn retain(mut guarded: Guarded, keep: impl Fn(&Rule, &[&Cell]) -> bool) -> Guarded {
    let Guarded { rules, sensitive, .. } = &mut guarded;
    let whole: Vec<Vec<&Cell>> = sensitive.iter().map(|(_, cells)| cells.iter().collect()).collect();
    rules.iter_mut().for_each(|rules| rules.retain(|(at, rule)| keep(rule, &whole[*at])));
    guarded
}

/// Names, names and numbers, numbers whose order is not that of their texts.
const POOLS: [&[&str]; 4] =
    [&["flu", "HIV", "cold"], &["flu", "10", "9", "<=50K"], &["10", "9", "2.5", "100", "9.0"], &["no", "yes"]];

/// Which values a sensitive attribute has, and a draw for each record: one in two follows the first quasi attribute.
type RawSensitive = (&'static [&'static str], bool, Vec<(u8, bool)>);

fn with_conditions(case: impl Strategy<Value = Case>, kind: Kind) -> impl Strategy<Value = Guarded> {
    let sensitive = (select(&POOLS[..]), prop::bool::weighted(0.3), vec(any::<(u8, bool)>(), 60));
    let most = if kind == Kind::Budget { 0 } else { 2 };
    let least = usize::from(kind == Kind::Conditions);
    let rules = vec(vec((0usize..2, rule()), least..=most.max(least)), 3);
    let budget = prop_oneof![1 => Just(0u8), 3 => 1u8..=60, 1 => any::<u8>()];
    let how = prop_oneof![2 => Just(SuppressHow::Mask), 1 => Just(SuppressHow::Drop)];
    (case, vec(sensitive, 2), rules, budget, how).prop_map(move |(case, sensitive, mut rules, budget, how)| {
        rules.truncate(case.requirement.qids().len());
        let named = ["illness", "income"].map(str::to_owned).into_iter().zip(&sensitive);
        let sensitive: Vec<(String, Vec<Cell>)> = named.map(|(name, raw)| (name, cells(&case, raw))).collect();
        let records = case.sample.records.len() as u64;
        let limit = if kind == Kind::Conditions { 0 } else { (records * u64::from(budget)).div_ceil(256) };
        let rules = rules.into_iter().map(|rules| rules.into_iter().map(|rule| of_pool(rule, &sensitive)).collect());
        Guarded { rules: rules.collect(), case, sensitive, limit, how }
    })
}

fn cells(case: &Case, (pool, missing, draws): &RawSensitive) -> Vec<Cell> {
    let cell = |(record, &(draw, follows)): (&super::Record, &(u8, bool))| {
        let raw = if follows {
            record.quasi[0].iter().flat_map(|text| text.bytes()).fold(7u8, u8::wrapping_add)
        } else {
            draw
        };
        (!missing || draw < 224).then(|| pool[raw as usize % pool.len()].to_owned())
    };
    case.sample.records.iter().zip(draws).map(cell).collect()
}

/// A bound on a value is drawn before the values are: it names the cell of a record.
fn of_pool((at, rule): (usize, Rule), sensitive: &[(String, Vec<Cell>)]) -> (usize, Rule) {
    let cells = &sensitive[at].1;
    match rule {
        Rule::Bound(record, share) => {
            let record: usize = record.parse().unwrap();
            (at, Rule::Bound(cells[record % cells.len()].clone().unwrap_or("nobody".to_owned()), share))
        }
        other => (at, other),
    }
}

fn rule() -> impl Strategy<Value = Rule> {
    let twentieths = |range: std::ops::RangeInclusive<u8>| range.prop_map(|share| f64::from(share) / 20.0);
    prop_oneof![
        (1usize..=3).prop_map(Rule::Distinct),
        (4u8..=10).prop_map(|quarters| Rule::Entropy(f64::from(quarters) / 4.0)),
        (select(&[0.5, 1.0, 1.5, 2.0, 4.0][..]), 2usize..=3).prop_map(|(c, l)| Rule::Recursive(c, l)),
        twentieths(8..=19).prop_map(Rule::Alpha),
        (0usize..60, twentieths(4..=18)).prop_map(|(record, share)| Rule::Bound(record.to_string(), share)),
        twentieths(1..=12).prop_map(Rule::TClose),
        twentieths(1..=8).prop_map(Rule::TCloseOrdered),
    ]
}
