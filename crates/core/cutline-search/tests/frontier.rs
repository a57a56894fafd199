//! A search on counts that are taken elsewhere, as finely as it needs them, against the same search in memory.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use std::collections::BTreeMap;
use std::convert::Infallible;

use cutline_model::Requirement;
use cutline_search::top_down::{Known, Score, Tallied, Tally, TopDown, View};
use cutline_search::{Control, Problem, Search};
use cutline_table::{Attribute, Codes, CompressedTable};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, any_solvable_case, config, many_numbers};
use support::guarded::{Guarded, Kind, any_guarded};

/// Counts by looking at every row, and has room for so many.
struct Naive<'a>(&'a CompressedTable, u64);

impl Tally for Naive<'_> {
    type Error = Infallible;

    fn tally(&mut self, views: &[View]) -> Result<Vec<Tallied>, Infallible> {
        Ok(views.iter().map(|view| self.by(view)).collect())
    }

    fn tally_ahead(&mut self, views: &[View]) -> Result<Option<Vec<Tallied>>, Infallible> {
        let tallied = self.tally(views)?;
        let rows: usize = tallied.iter().map(|tallied| tallied.weights.len()).sum();
        Ok((rows as u64 <= self.1).then_some(tallied))
    }

    fn room(&self) -> u64 {
        self.1
    }
}

impl Naive<'_> {
    fn by(&self, view: &View) -> Tallied {
        let column = |&a: &usize| self.0.attributes[a].codes.iter().collect::<Vec<u32>>();
        let columns: Vec<Vec<u32>> = view.attributes.iter().map(column).collect();
        let sensitive: Vec<Vec<u32>> = self.0.sensitive.iter().map(|known| known.codes.iter().collect()).collect();
        let mut groups: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for (row, weight) in self.0.weights.iter().enumerate() {
            let cells = columns.iter().zip(&view.cells).map(|(codes, cells)| cells[codes[row] as usize]);
            let values = sensitive.iter().map(|codes| codes[row]);
            *groups.entry(cells.chain(values).collect()).or_default() += weight;
        }
        let column = |place: usize| Codes::from_codes(groups.keys().map(|group| group[place]), 1 << 20);
        let attributes = view.attributes.len();
        Tallied {
            columns: (0..attributes).map(column).collect(),
            sensitive: (attributes..attributes + sensitive.len()).map(column).collect(),
            weights: groups.values().copied().collect(),
        }
    }
}

/// The table without what it says of its attributes.
fn blind(table: &CompressedTable) -> CompressedTable {
    let mut blind = table.clone();
    for attribute in &mut blind.attributes {
        attribute.codes = Codes::from_codes(std::iter::repeat_n(0, table.weights.len()), 1);
    }
    blind
}

fn marginals(table: &CompressedTable) -> Vec<CompressedTable> {
    let alone = |attribute: &Attribute| CompressedTable { attributes: vec![attribute.clone()], ..table.clone() };
    table.attributes.iter().map(alone).collect()
}

/// Every second row, with thresholds in proportion.
fn half(table: &CompressedTable, requirement: &Requirement) -> (CompressedTable, Requirement) {
    let kept = |codes: &Codes| Codes::from_codes(codes.iter().step_by(2), 1 << 20);
    let mut half = table.clone();
    half.attributes.iter_mut().for_each(|attribute| attribute.codes = kept(&attribute.codes));
    half.sensitive.iter_mut().for_each(|sensitive| sensitive.codes = kept(&sensitive.codes));
    half.weights = table.weights.iter().copied().step_by(2).collect();
    half.records = half.weights.iter().sum();
    let mut qids = requirement.qids().to_vec();
    for qid in &mut qids {
        qid.k = (qid.k / 2).max(1);
        qid.conditions.clear();
    }
    (half, Requirement::new(qids).unwrap())
}

/// Runs both, with a look at some records first and without.
fn check(table: &CompressedTable, requirement: &Requirement, score: Score, in_memory: &Problem<'_>) -> TestCaseResult {
    let search = TopDown { score };
    let expected = search.search(in_memory, &Control::unlimited());
    let (unseen, marginals) = (blind(table), marginals(table));
    let problem = Problem::new(&unseen, requirement).unwrap().suppressing(in_memory.limit(), in_memory.how());
    let (half, thresholds) = half(table, requirement);
    let samples: Vec<Problem<'_>> = Problem::new(&half, &thresholds).into_iter().collect();
    for (samples, room) in [(&[][..], 0), (&[], 100), (&samples, 0), (&samples, 20), (&samples, u64::MAX)] {
        let known = Known { problem: &problem, marginals: &marginals, samples };
        let found = search.search_counting(known, &mut Naive(table, room), &Control::unlimited()).unwrap();
        prop_assert_eq!(&found.outcome, &expected);
        let refused = if room == u64::MAX { 0 } else { expected.steps.len() + samples.len() };
        prop_assert!(found.passes <= expected.steps.len() + 1 + refused, "{} passes", found.passes);
    }
    Ok(())
}

fn check_case(Case { sample, requirement, score }: &Case) -> TestCaseResult {
    let table = sample.compress();
    check(&table, requirement, *score, &Problem::new(&table, requirement).unwrap())
}

fn check_guarded(guarded: &Guarded) -> TestCaseResult {
    let table = guarded.compress();
    check(&table, &guarded.requirement(), guarded.case.score, &guarded.problem(&table))
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn counts_at_a_frontier_give_the_steps_of_the_search_in_memory(case in any_solvable_case()) {
        check_case(&case)?;
    }

    #[test]
    fn conditions_are_judged_as_in_memory(guarded in any_guarded(Kind::Conditions)) {
        check_guarded(&guarded)?;
    }

    #[test]
    fn a_budget_of_one_qid_is_spent_as_in_memory(guarded in any_guarded(Kind::Any)) {
        prop_assume!(guarded.limit == 0 || guarded.case.requirement.qids().len() == 1);
        check_guarded(&guarded)?;
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn intervals_are_split_as_in_memory(case in many_numbers()) {
        check_case(&case)?;
    }
}
