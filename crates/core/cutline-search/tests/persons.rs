//! Groups that count persons: k records of one person protect nobody.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use cutline_model::AttributeRecoding;
use cutline_model::recoding::Unknown;
use cutline_search::bottom_up::BottomUp;
use cutline_search::genetic::Genetic;
use cutline_search::refine::Refine;
use cutline_search::top_down::TopDown;
use cutline_search::{Control, Outcome, Problem, Search, SearchError, Step, why};
use cutline_table::{Block, BlockColumn, CompressedTable, Compressor, LabelKind, Masked};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult};

use support::Cell;
use support::cases::config;
use support::guarded::{Guarded, Kind, any_guarded};
use support::rules::Rule;

/// A case without conditions, and the person behind each of its records.
fn with_persons(guarded: Guarded, draws: &[u8], many: bool) -> (Guarded, Vec<Cell>) {
    let records = guarded.case.sample.records.len();
    let of = if many { 2 * records } else { records.div_ceil(2) };
    let person = |draw: &u8| Some(format!("p{}", *draw as usize % of));
    let persons = draws.iter().cycle().take(records).map(person).collect();
    (guarded, persons)
}

/// The same table, in which groups count persons.
fn compress(guarded: &Guarded, persons: &[Cell]) -> CompressedTable {
    let sample = &guarded.case.sample;
    let records = &sample.records;
    let quasi = (0..sample.attributes.len()).map(|a| records.iter().map(|r| r.quasi[a].clone()).collect());
    let target = (sample.label != LabelKind::None).then(|| records.iter().map(|r| r.target.clone()).collect());
    let columns: Vec<Vec<Cell>> = quasi.chain(target).chain([persons.to_vec()]).collect();
    let codes: Vec<u32> = (0..records.len() as u32).collect();
    let column = |texts: Vec<Cell>| BlockColumn { codes: codes.clone(), texts };
    let mut compressor = Compressor::new(columns.len());
    let columns = columns.into_iter().map(column).collect();
    compressor.add(&Block { records: records.len(), left_out: Vec::new(), columns });
    let labels = [("target".to_owned(), sample.label), ("person".to_owned(), LabelKind::Person)];
    cutline_table::encode(&compressor.finish(), sample.attributes.clone(), &labels, Unknown::Error).unwrap()
}

/// The same requirement, said as a condition: k different persons in every group.
fn as_condition(guarded: &Guarded, persons: &[Cell]) -> Guarded {
    let sensitive = vec![("person".to_owned(), persons.to_vec())];
    let rule = |k: u64| vec![(0, Rule::Distinct(k as usize))];
    let rules = guarded.case.requirement.qids().iter().map(|qid| rule(qid.k)).collect();
    Guarded { sensitive, rules, ..guarded.clone() }
}

/// The fewest persons of the groups of each QID, by looking at every record; suppressed records are left out.
fn fewest(guarded: &Guarded, persons: &[Cell], recoding: &[AttributeRecoding], gone: &[bool]) -> Vec<u64> {
    let labels = guarded.labels(recoding);
    let fewest = |attributes: &[usize]| {
        let mut groups: BTreeMap<Vec<&String>, BTreeSet<&Cell>> = BTreeMap::new();
        for record in (0..persons.len()).filter(|&record| !gone[record]) {
            let key = attributes.iter().map(|&a| &labels[a][record]).collect();
            groups.entry(key).or_default().insert(&persons[record]);
        }
        groups.values().map(|persons| persons.len() as u64).min().unwrap_or(u64::MAX)
    };
    guarded.guard().qids.iter().map(|qid| fewest(&qid.attributes)).collect()
}

/// Steps without the anonymity that they say, which counts persons in one table and records in the other. Figures are rounded: the rows of
/// the two tables are others, and so is the order in which they are added up.
fn told(outcome: &Outcome) -> Vec<String> {
    let step = |step: &Step| match step {
        Step::Refinement(step) => {
            let figures = format!("{:.9} {:.9} {:.9}", step.gain, step.loss, step.score);
            format!("{} {} -> {:?}: {figures}", step.attribute, step.refined, step.into)
        }
        Step::Generalization(step) => {
            format!("{} {:?} -> {}: {:.9}", step.attribute, step.generalized, step.into, step.loss)
        }
        Step::Improvement(step) => format!("{:.9}, {} suppressed", step.loss, step.suppressed),
    };
    outcome.steps.iter().map(step).collect()
}

/// What a search does if persons are counted is what it does if that is said as a condition.
fn check(guarded: &Guarded, persons: &[Cell], search: &dyn Search) -> TestCaseResult {
    let Some(outcome) = check_promise(guarded, persons, search)? else { return Ok(()) };
    let expected = as_condition(guarded, persons).search(search);
    prop_assert_eq!(told(&outcome), told(&expected));
    prop_assert_eq!(&outcome.recoding, &expected.recoding);
    Ok(())
}

/// Whatever a search finds has k persons in every group; nothing is found only where there are too few persons.
fn check_promise(guarded: &Guarded, persons: &[Cell], search: &dyn Search) -> Result<Option<Outcome>, TestCaseError> {
    let table = compress(guarded, persons);
    let different = persons.iter().collect::<BTreeSet<_>>().len() as u64;
    let k = guarded.case.requirement.largest_k();
    let problem = match Problem::new(&table, &guarded.case.requirement) {
        Ok(problem) => problem.suppressing(guarded.limit, guarded.how),
        Err(error) => {
            prop_assert_eq!(error, SearchError::TooFewPersons { persons: different, k });
            return Ok(None);
        }
    };
    prop_assert!(different >= k);
    let outcome = search.search(&problem, &Control::unlimited());
    check_groups(guarded, persons, &table, &problem, &outcome)?;
    // Nothing that could still be told is forbidden by less than the requirement.
    prop_assert!(why(&problem, &guarded.case.requirement, &outcome.recoding).is_ok());
    Ok(Some(outcome))
}

/// Every published group has k persons, and as many as the search says.
fn check_groups(
    guarded: &Guarded,
    persons: &[Cell],
    table: &CompressedTable,
    problem: &Problem<'_>,
    outcome: &Outcome,
) -> TestCaseResult {
    let suppressed = Masked::new(table, &outcome.recoding).unwrap().suppress_with(problem.qids(), guarded.how);
    prop_assert!(suppressed.records <= guarded.limit);
    let gone = as_condition(guarded, persons).guard().publish(&guarded.labels(&outcome.recoding)).gone;
    prop_assert_eq!(suppressed.records, gone.iter().filter(|gone| **gone).count() as u64);
    let fewest = fewest(guarded, persons, &outcome.recoding, &gone);
    for (qid, &fewest) in guarded.case.requirement.qids().iter().zip(&fewest) {
        prop_assert!(fewest >= qid.k, "{qid}: {fewest}");
    }
    if suppressed.records == 0 {
        prop_assert_eq!(&outcome.anonymity, &fewest);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn top_down_counts_persons(guarded in any_guarded(Kind::Budget), draws in vec(any::<u8>(), 60), many: bool) {
        let (guarded, persons) = with_persons(guarded, &draws, many);
        check(&guarded, &persons, &TopDown { score: guarded.case.score })?;
        check(&Guarded { limit: 0, ..guarded.clone() }, &persons, &TopDown { score: guarded.case.score })?;
    }

    #[test]
    fn our_own_search_counts_persons(guarded in any_guarded(Kind::Budget), draws in vec(any::<u8>(), 60), many: bool) {
        let (guarded, persons) = with_persons(guarded, &draws, many);
        check(&guarded, &persons, &Refine)?;
        check(&Guarded { limit: 0, ..guarded.clone() }, &persons, &Refine)?;
    }

    #[test]
    fn bottom_up_counts_persons(guarded in any_guarded(Kind::Budget), draws in vec(any::<u8>(), 60), many: bool) {
        let (guarded, persons) = with_persons(guarded, &draws, many);
        check(&guarded, &persons, &BottomUp::default())?;
        check(&Guarded { limit: 0, ..guarded.clone() }, &persons, &BottomUp::default())?;
    }

    #[test]
    fn genetic_search_counts_persons(guarded in any_guarded(Kind::Budget), draws in vec(any::<u8>(), 60), many: bool) {
        let (guarded, persons) = with_persons(guarded, &draws, many);
        // Candidates of equal loss differ in the last digit by the order of rows, and evolution goes another way from there.
        check_promise(&guarded, &persons, &Genetic { population: 10, iterations: 60, ..Genetic::default() })?;
    }

    /// A table in which every record is a person of its own.
    #[test]
    fn persons_with_one_record_each_change_nothing(guarded in any_guarded(Kind::Budget)) {
        let persons: Vec<Cell> = (0..guarded.case.sample.records.len()).map(|n| Some(n.to_string())).collect();
        let table = compress(&guarded, &persons);
        let problem = Problem::new(&table, &guarded.case.requirement).unwrap().suppressing(guarded.limit, guarded.how);
        for search in [&TopDown { score: guarded.case.score } as &dyn Search, &Refine, &BottomUp::default()] {
            let outcome = search.search(&problem, &Control::unlimited());
            let records = guarded.search(search);
            prop_assert_eq!(&outcome.recoding, &records.recoding);
            prop_assert_eq!(&outcome.anonymity, &records.anonymity);
        }
    }
}
