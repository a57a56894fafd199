//! Random tables that are so small that all their recodings can be tried. The same ones in every run: a search that leaves things
//! to chance must not make a test fail by chance.

use std::fmt;

use cutline_model::{Masking, Requirement};
use cutline_search::Problem;
use cutline_table::LabelKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Record, Sample, exhaustive, generalize, requirement, undeclared, within};

/// A table, what must hold, and how many records may be suppressed.
#[derive(Clone)]
pub(crate) struct Tiny {
    pub(crate) sample: Sample,
    pub(crate) requirement: Requirement,
    pub(crate) limit: u64,
}

impl fmt::Debug for Tiny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.sample)?;
        self.requirement.qids().iter().try_for_each(|qid| writeln!(f, "{qid} k = {}", qid.k))?;
        writeln!(f, "at most {} suppressed", self.limit)
    }
}

/// Balanced, lopsided, with chains of only children, and flat.
const TREES: [&str; 4] = [
    "any\n  ab\n    a\n    b\n  cd\n    c\n    d\n  ef\n    e\n    f\n",
    "any\n  a\n  most\n    b\n    more\n      c\n      some\n        d\n        e\n        f\n",
    "any\n  only\n    abc\n      a\n      b\n      c\n    d\n  chain\n    link\n      e\n  f\n",
    "any\n  a\n  b\n  c\n  d\n  e\n  f\n",
];

/// The most recodings that a test tries.
const MOST: usize = 3000;

/// So many tables.
pub(crate) fn tables(count: usize) -> Vec<Tiny> {
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = tiny();
    let mut next = || strategy.new_tree(&mut runner).unwrap().current();
    let mut tables = Vec::new();
    while tables.len() < count {
        let tiny = next();
        let table = tiny.sample.compress();
        let solvable = Problem::new(&table, &tiny.requirement).is_ok();
        if solvable && (2..=MOST).contains(&exhaustive::count(&table)) {
            tables.push(tiny);
        }
    }
    tables
}

fn tiny() -> impl Strategy<Value = Tiny> {
    let k = 2u64..=4;
    let limit = prop_oneof![1 => Just(u64::MAX), 1 => 0u64..=6];
    let columns = prop_oneof![vec(column(6), 1..=2), vec(column(4), 3..=3)];
    (columns, any::<bool>(), k.clone(), k, limit).prop_flat_map(|(columns, several, k, other, limit)| {
        let width = columns.len();
        records(width).prop_map(move |rows| {
            let mut sample = Sample::new(LabelKind::Classes);
            for (name, (masking, _, _)) in ["x", "y", "z"].into_iter().zip(&columns) {
                sample = sample.attribute(name, masking.clone());
            }
            for (raw, class) in rows {
                let quasi = columns.iter().zip(&raw).map(|((_, pool, missing), &raw)| {
                    (!missing || raw % 7 > 0).then(|| pool[raw as usize % pool.len()].to_string())
                });
                let target = Some(["no", "yes", "perhaps"][class].to_owned());
                sample.records.push(Record { quasi: quasi.collect(), target });
            }
            Tiny { sample, requirement: qids(width, several, k, other), limit }
        })
    })
}

/// Quasi values and classes.
fn records(width: usize) -> impl Strategy<Value = Vec<(Vec<u8>, usize)>> {
    vec((vec(any::<u8>(), width), prop_oneof![3 => 0usize..2, 1 => 0usize..3]), 4..=20)
}

/// One QID with everything, or two that overlap.
fn qids(width: usize, several: bool, k: u64, other: u64) -> Requirement {
    let two = |first: &str, second: &str| requirement(&[&format!("{first}:{k}"), &format!("{second}:{other}")]);
    match (width, several) {
        (1, _) => requirement(&[&format!("x:{k}")]),
        (2, false) => requirement(&[&format!("x,y:{k}")]),
        (2, true) => two("x", "y"),
        (_, false) => requirement(&[&format!("x,y,z:{k}")]),
        (_, true) => two("x,y", "y,z"),
    }
}

/// How an attribute is masked, its values, and whether some are missing.
fn column(values: usize) -> impl Strategy<Value = (Masking, Vec<&'static str>, bool)> {
    const NAMES: [&str; 6] = ["a", "d", "b", "f", "c", "e"];
    const NUMBERS: [&str; 6] = ["1", "10", "2", "4", "3.5", "20"];
    let tree = (select(&TREES[..]), 1..=values).prop_map(|(tree, values)| (generalize(tree), NAMES[..values].to_vec()));
    let range = prop_oneof![Just(undeclared()), Just(within(0.0, 30.0))];
    let numbers = (range, 1..=values).prop_map(|(range, values)| (range, NUMBERS[..values].to_vec()));
    let names = (1..=values).prop_map(|values| (Masking::Suppress, NAMES[..values].to_vec()));
    let masked = prop_oneof![2 => tree, 1 => numbers, 1 => names];
    (masked, prop::bool::weighted(0.25)).prop_map(|((masking, pool), missing)| (masking, pool, missing))
}
