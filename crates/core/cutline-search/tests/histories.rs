//! Searches after earlier releases: every part of a group, those with one history, must satisfy the requirement.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cutline_model::recoding::{Labeler, Local, Places, Regions, SuppressHow, Unknown};
use cutline_model::{AttributeRecoding, Qid, Requirement};
use cutline_search::bottom_up::{BottomUp, Pruning};
use cutline_search::genetic::Genetic;
use cutline_search::local::{Flattened, Regional};
use cutline_search::refine::Refine;
use cutline_search::top_down::TopDown;
use cutline_search::{Control, Outcome, Problem, Search, SearchError, publishable};
use cutline_table::{Block, BlockColumn, CompressedTable, Compressor, LabelKind, Patterns, Settled};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, any_solvable_case, case, config};
use support::guarded::Guarded;
use support::{Cell, Record, naive, naive_local, refinements};

/// Pattern 0 is that of persons who are in no earlier release; the others are in one, with a label of the first attribute.
const LABELS: usize = 3;

/// A search that is asked only so often.
struct Patient<'a> {
    search: &'a dyn Search,
    left: AtomicU32,
}

impl Search for Patient<'_> {
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        assert!(self.left.fetch_sub(1, Ordering::Relaxed) > 0, "asked again with a budget that is no smaller");
        self.search.search(problem, control)
    }
}

#[derive(Clone, Debug)]
struct After {
    case: Case,
    /// The pattern of each record.
    patterns: Vec<usize>,
    /// Persons of each pattern who are not in the table.
    absent: Vec<u64>,
    limit: u64,
    how: SuppressHow,
}

impl After {
    /// Does an attribute of the QID tell the labels of the earlier release?
    fn tells(&self, qid: usize) -> bool {
        self.case.requirement.qids()[qid].attributes.contains(&self.case.sample.attributes[0].0)
    }

    /// For each QID, the history of every record.
    fn histories(&self) -> Vec<Vec<usize>> {
        let of_qid = |qid: usize| {
            let tells = self.tells(qid);
            self.patterns.iter().map(|&pattern| if tells { pattern } else { pattern.min(1) }).collect()
        };
        (0..self.case.requirement.qids().len()).map(of_qid).collect()
    }

    fn absent_with(&self, qid: usize, history: usize) -> u64 {
        if self.tells(qid) { self.absent[history] } else { self.absent[1..].iter().sum() }
    }

    fn compress(&self) -> CompressedTable {
        let persons: Vec<usize> = (0..self.patterns.len()).collect();
        self.compress_of(&persons, &[])
    }

    /// The table of records of these persons, and what else than the target is told of it.
    fn compress_of(&self, persons: &[usize], further: &[(String, LabelKind)]) -> CompressedTable {
        let sample = &self.case.sample;
        let quasi = (0..sample.attributes.len()).map(|a| sample.records.iter().map(|r| r.quasi[a].clone()).collect());
        let target =
            (sample.label != LabelKind::None).then(|| sample.records.iter().map(|r| r.target.clone()).collect());
        let of_person: BTreeMap<String, usize> =
            persons.iter().zip(&self.patterns).map(|(person, &pattern)| (person.to_string(), pattern)).collect();
        let persons = persons.iter().map(|person| Some(person.to_string())).collect();
        let columns: Vec<Vec<Cell>> = quasi.chain(target).chain([persons]).collect();
        let records = sample.records.len();
        let column = |texts: &Vec<Cell>| BlockColumn { codes: (0..records as u32).collect(), texts: texts.clone() };
        let mut compressor = Compressor::new(columns.len());
        compressor.add(&Block { records, left_out: Vec::new(), columns: columns.iter().map(column).collect() });
        let patterns = Patterns {
            told: vec![None, Some(sample.attributes[0].0.clone())],
            patterns: (0..=LABELS as u32).map(|label| [label.min(1), label].into()).collect(),
            absent: (0..=LABELS).map(|pattern| (pattern > 0).then(|| self.absent[pattern])).collect(),
            promised: Vec::new(),
        };
        let raw = compressor.finish();
        // Records of one person that agree in everything are one row.
        let pattern = |row: usize| raw.columns.last()?.text(row).map(|person| of_person[person] as u32);
        let pattern_of: Vec<Option<u32>> = (0..raw.weights.len()).map(pattern).collect();
        let raw = raw.with_history(&pattern_of, Arc::new(patterns));
        let labels = [&[("target".to_owned(), sample.label)][..], further].concat();
        cutline_table::encode(&raw, sample.attributes.clone(), &labels, Unknown::Error).unwrap()
    }

    fn search(&self, search: &dyn Search) -> Outcome {
        let table = self.compress();
        let problem = Problem::new(&table, &self.case.requirement).unwrap().suppressing(self.limit, self.how);
        // With the whole budget, with half of it, and so on until none is left.
        let left = AtomicU32::new(2 + self.limit.checked_ilog2().unwrap_or(0));
        publishable(&Patient { search, left }, &problem, &Control::unlimited())
    }

    /// The labels of every record.
    fn labels(&self, recoding: &[AttributeRecoding], regions: Option<&Regions>) -> Vec<Vec<String>> {
        let Some(regions) = regions else {
            let labels = self.case.sample.masked(recoding);
            return labels.iter().map(|own| own.iter().map(|label| format!("{label:?}")).collect()).collect();
        };
        let places = Places::new(regions, recoding).unwrap();
        let labelers: Vec<Labeler> = recoding.iter().map(|own| Labeler::new(own, Unknown::Error)).collect();
        let of = |record: &Record| {
            let number = |a: usize| {
                record.quasi[a].as_ref().map_or(labelers[a].missing(), |value| labelers[a].label(value).unwrap())
            };
            let labels = places.of(places.region(number)).iter().enumerate();
            labels.map(|(a, &label)| format!("{:?}", places.labels(a)[label as usize])).collect()
        };
        self.case.sample.records.iter().map(of).collect()
    }

    /// The same with one QID that has all attributes, so that groups can be refined by themselves.
    fn with_one_qid(mut self) -> Self {
        let names = self.case.sample.attributes.iter().map(|(name, _)| name.clone()).collect();
        self.case.requirement = Requirement::new(vec![Qid::new(names, self.case.requirement.largest_k())]).unwrap();
        self
    }

    /// Local refinement, record by record: as far as the records of each history in a group are enough.
    fn check_local(&self, local: Local) -> TestCaseResult {
        let outcome = self.search(&Regional { local, unknown: Unknown::Error });
        let labels = self.labels(&outcome.recoding, outcome.regions.as_ref());
        let mut ours: BTreeMap<&Vec<String>, Vec<usize>> = BTreeMap::new();
        (0..).zip(&labels).for_each(|(record, own)| ours.entry(own).or_default().push(record));
        let guarded = Guarded {
            case: self.case.clone(),
            sensitive: Vec::new(),
            rules: vec![Vec::new()],
            limit: self.limit,
            how: self.how,
        };
        let (naive, steps) = naive_local::groups_after(&guarded, local, &self.histories()[0]);
        prop_assert_eq!(outcome.steps.len(), steps);
        // What is hidden is no group of the naive search.
        prop_assert!(naive.is_subset(&ours.values().cloned().collect()), "{naive:?} {ours:?}");
        prop_assert!(self.limit > 0 || naive.len() == ours.len());
        self.check(&outcome)
    }

    /// Those who have the same labels and the same history, in the table that would be published; and those who are not in it, with
    /// whom nobody but the persons of the same history could be mixed up.
    fn check(&self, outcome: &Outcome) -> TestCaseResult {
        let table = self.compress();
        let problem = Problem::new(&table, &self.case.requirement).unwrap();
        let Outcome { recoding, regions, .. } = outcome.clone();
        let settled = Settled::new(&table, recoding, regions, problem.qids(), self.how).unwrap();
        prop_assert!(settled.suppressed.records <= self.limit, "{} of {}", settled.suppressed.records, self.limit);
        // A row for each record, in their order.
        let gone = &settled.suppressed.rows;
        let labels = self.labels(&settled.recoding, settled.regions.as_ref());
        for ((qid, k), histories) in (0..).zip(self.case.requirement.qids().iter().map(|q| q.k)).zip(self.histories()) {
            let attributes = &self.case.requirement.qids()[qid].attributes;
            let positions = (0..self.case.sample.attributes.len())
                .filter(|&a| attributes.contains(&self.case.sample.attributes[a].0));
            let positions: Vec<usize> = positions.collect();
            let mut groups: BTreeMap<(usize, String), u64> = BTreeMap::new();
            for (record, &history) in histories.iter().enumerate() {
                let own: Vec<&String> = positions.iter().map(|&a| &labels[record][a]).collect();
                let shown = if gone[record] { "absent".to_owned() } else { format!("{own:?}") };
                *groups.entry((history, shown)).or_default() += 1;
            }
            for ((history, shown), persons) in groups {
                let others = if shown == "absent" { self.absent_with(qid, history) } else { 0 };
                let never_seen = shown == "absent" && history == 0;
                prop_assert!(never_seen || persons + others >= k, "{shown} of {history}: {persons} + {others} < {k}");
            }
        }
        Ok(())
    }
}

/// Random histories: those of fewer persons than k become that of persons in no earlier release, as if they were held back.
fn after(case: impl Strategy<Value = Case>, budget: bool) -> impl Strategy<Value = After> {
    let how = prop_oneof![Just(SuppressHow::Mask), Just(SuppressHow::Drop)];
    (case, vec(0..=LABELS, 60), vec(0..9u64, LABELS + 1), 0..30u64, how).prop_map(
        move |(case, drawn, absent, limit, how)| {
            let k = case.requirement.largest_k() as usize;
            let mut patterns: Vec<usize> = (0..case.sample.records.len()).map(|record| drawn[record % 60]).collect();
            for pattern in (0..=LABELS).rev() {
                let few = |of: usize, patterns: &[usize]| patterns.iter().filter(|&&own| own == of).count() < k;
                if pattern > 0 && few(pattern, &patterns) {
                    patterns.iter_mut().filter(|own| **own == pattern).for_each(|own| *own = 0);
                }
            }
            if patterns.iter().filter(|&&own| own == 0).count() < k {
                let other = patterns.iter().copied().find(|&own| own > 0).unwrap_or(0);
                patterns.iter_mut().filter(|own| **own == 0).for_each(|own| *own = other);
            }
            After { case, patterns, absent, limit: if budget { limit } else { 0 }, how }
        },
    )
}

/// A table after an earlier release in which persons have several records, whose histories are those of the persons.
fn with_several(case: Case, person_of: &[usize], drawn: &[usize]) -> (After, Vec<usize>) {
    let records = case.sample.records.len();
    let persons: Vec<usize> = (0..records).map(|record| person_of[record % person_of.len()] % records).collect();
    let k = case.requirement.largest_k() as usize;
    let patterns: Vec<usize> = persons.iter().map(|&person| drawn[person % drawn.len()]).collect();
    let of = |pattern: usize| {
        let own = persons.iter().zip(&patterns).filter(|(_, own)| **own == pattern);
        own.map(|(person, _)| person).collect::<BTreeSet<_>>().len()
    };
    // Where somebody would stand out however they are masked, nobody has a history.
    let enough = (0..=LABELS).all(|pattern| of(pattern) == 0 || of(pattern) >= k);
    let patterns = if enough { patterns } else { vec![0; records] };
    (After { case, patterns, absent: vec![9; LABELS + 1], limit: 0, how: SuppressHow::Mask }, persons)
}

/// At least k persons have records with the same labels and the same history.
fn check_persons(after: &After, persons: &[usize], search: &dyn Search) -> TestCaseResult {
    let table = after.compress_of(persons, &[("person".to_owned(), LabelKind::Person)]);
    let Ok(problem) = Problem::new(&table, &after.case.requirement) else {
        let all: BTreeSet<&usize> = persons.iter().collect();
        prop_assert!((all.len() as u64) < after.case.requirement.largest_k());
        return Ok(());
    };
    let outcome = publishable(search, &problem, &Control::unlimited());
    let labels = after.case.sample.masked(&outcome.recoding);
    for (qid, histories) in after.case.requirement.qids().iter().zip(after.histories()) {
        let names = after.case.sample.attributes.iter().map(|(name, _)| qid.attributes.contains(name));
        let asked: Vec<bool> = names.collect();
        let mut groups: BTreeMap<(usize, String), BTreeSet<usize>> = BTreeMap::new();
        for (record, &history) in histories.iter().enumerate() {
            let own = (0..asked.len()).filter(|&a| asked[a]).map(|a| format!("{:?}", labels[record][a]));
            groups.entry((history, own.collect())).or_default().insert(persons[record]);
        }
        for (group, persons) in groups {
            prop_assert!(persons.len() as u64 >= qid.k, "{group:?}: {} < {}", persons.len(), qid.k);
        }
    }
    Ok(())
}

fn check_top_down(after: &After) -> TestCaseResult {
    let Case { sample, requirement, score } = &after.case;
    let ours = after.search(&TopDown { score: *score });
    let naive = naive::search_after(sample, requirement, *score, &after.histories());
    prop_assert_eq!(ours.steps.len(), naive.steps.len());
    for (ours, naive) in refinements(&ours).into_iter().zip(refinements(&naive)) {
        prop_assert_eq!((&ours.attribute, &ours.refined, &ours.into), (&naive.attribute, &naive.refined, &naive.into));
        prop_assert_eq!((ours.loss, &ours.anonymity), (naive.loss, &naive.anonymity));
    }
    prop_assert_eq!(&ours.recoding, &naive.recoding);
    prop_assert_eq!(&ours.anonymity, &naive.anonymity);
    after.check(&ours)
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn top_down_search_refines_while_every_part_of_a_group_is_large_enough(
        after in after(case(LabelKind::Classes).prop_filter("records fewer than k", Case::is_solvable), false),
    ) {
        check_top_down(&after)?;
    }

    #[test]
    fn every_search_leaves_no_part_of_a_group_too_small(after in after(any_solvable_case(), false), seed in 0..9u64) {
        for pruning in [Pruning::On, Pruning::Off] {
            after.check(&after.search(&BottomUp { pruning }))?;
        }
        after.check(&after.search(&Refine))?;
        let genetic = Genetic { population: 20, iterations: 100, seed, ..Genetic::default() };
        after.check(&after.search(&genetic))?;
    }

    #[test]
    fn every_search_counts_the_persons_of_every_part(
        case in any_solvable_case(),
        person_of in vec(0..200usize, 60),
        drawn in vec(0..=LABELS, 40),
        seed in 0..9u64,
    ) {
        let (after, persons) = with_several(case, &person_of, &drawn);
        check_persons(&after, &persons, &TopDown { score: after.case.score })?;
        check_persons(&after, &persons, &Refine)?;
        check_persons(&after, &persons, &BottomUp { pruning: Pruning::On })?;
        let genetic = Genetic { population: 20, iterations: 100, seed, ..Genetic::default() };
        check_persons(&after, &persons, &genetic)?;
    }

    #[test]
    fn groups_are_refined_by_themselves_while_every_part_is_large_enough(after in after(any_solvable_case(), false)) {
        let after = after.with_one_qid();
        after.check_local(Local::Free)?;
        after.check_local(Local::Nested)?;
        after.check(&after.search(&Flattened(Regional { local: Local::Free, unknown: Unknown::Error })))?;
    }

    #[test]
    fn with_a_budget_neither_those_who_are_told_nor_those_who_vanish_stand_out(
        after in after(any_solvable_case(), true),
        seed in 0..9u64,
    ) {
        after.check(&after.search(&TopDown { score: after.case.score }))?;
        after.check(&after.search(&BottomUp { pruning: Pruning::On }))?;
        after.check(&after.search(&Refine))?;
        let genetic = Genetic { population: 20, iterations: 100, seed, ..Genetic::default() };
        after.check(&after.search(&genetic))?;
        let after = after.with_one_qid();
        after.check(&after.search(&Regional { local: Local::Free, unknown: Unknown::Error }))?;
    }
}

#[test]
fn too_few_of_one_history_are_refused() {
    let runner = &mut proptest::test_runner::TestRunner::deterministic();
    let strategy = after(any_solvable_case(), false);
    for _ in 0..20 {
        let mut after = strategy.new_tree(runner).unwrap().current();
        if after.case.requirement.largest_k() < 2 {
            continue;
        }
        after.patterns.fill(1);
        after.patterns[0] = 0;
        let table = after.compress();
        let error = Problem::new(&table, &after.case.requirement).err();
        assert!(matches!(error, Some(SearchError::History(_))), "{error:?}");
    }
}
