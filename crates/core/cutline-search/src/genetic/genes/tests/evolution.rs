//! What evolution makes of bits.

use super::super::super::evaluator::Evaluator;
use super::super::super::objective::{Metric, Objective};
use super::super::super::{Evolution, Genetic};
use super::naive::valid_bits;
use super::*;
use crate::Control;
use cutline_model::recoding::SuppressHow;

/// A tree, numbers and values; some of each are missing.
fn mixed() -> CompressedTable {
    let maskings = vec![generalize(WORK), Masking::numbers(None), Masking::Suppress];
    let mut random = Random::new(3);
    let mut cells = |pool: &str| -> Vec<Cell> {
        let pool = words(pool);
        (0..60).map(|_| pool[random.below(pool.len())].clone()).collect()
    };
    let columns = [
        cells("incorporated not-incorporated federal state local private without-pay never-worked ?"),
        cells("1 2 3 4 5 6 7 ?"),
        cells("a b c d e ?"),
    ];
    table(maskings, &columns, LabelKind::None)
}

/// Runs with an evolution of the table that has not begun.
fn with_evolution(table: &CompressedTable, test: impl FnOnce(Evolution<'_>)) {
    let problem = Problem::new(table, &requirement(vec![qid([0, 1], 2), qid([1, 2], 3)])).unwrap();
    let problem = problem.suppressing(10, SuppressHow::Mask);
    let genes = Genes::new(&problem, None);
    let settings = Genetic { population: 60, mutation: Some(0.1), ..Genetic::default() };
    let evaluator = Evaluator::new(&problem, &genes, &Objective::new(Metric::General));
    test(Evolution::new(&settings, &genes, &evaluator));
}

/// Strangers and children, who are made of pieces of cuts, are cuts.
#[test]
fn all_candidates_are_valid() {
    let table = mixed();
    let valid: Vec<_> = table.attributes.iter().map(valid_bits).collect();
    with_evolution(&table, |mut evolution| {
        let mut distinct = std::collections::BTreeSet::new();
        for round in 0..60 {
            let brood = if round < 10 { evolution.strangers() } else { evolution.children() };
            for child in &brood {
                let mut start = 0;
                for valid in &valid {
                    let own = start..start + valid.first().map_or(0, Vec::len);
                    assert!(valid.contains(&child[own.clone()]), "round {round}: {child:?}");
                    start = own.end;
                }
                assert_eq!(start, child.len());
            }
            distinct.extend(brood.iter().cloned());
            evolution.welcome(brood, &Control::unlimited());
        }
        assert!(distinct.len() > 500, "{}", distinct.len());
    });
}

/// One run of bits changes sides, of any length and anywhere.
#[test]
fn crossing_exchanges_a_run() {
    with_evolution(&mixed(), |mut evolution| {
        let len = evolution.genes.len();
        let mut seen = vec![false; len + 1];
        let mut moved = vec![false; len];
        for _ in 0..2000 {
            let (mut one, mut other): (Chromosome, Chromosome) = (vec![false; len].into(), vec![true; len].into());
            evolution.cross(&mut one, &mut other);
            assert!(one.iter().zip(&other).all(|(one, other)| one != other));
            let runs = one.chunk_by(|a, b| a == b).filter(|run| run[0]).count();
            assert!(runs <= 1, "{one:?}");
            seen[one.iter().filter(|bit| **bit).count()] = true;
            one.iter().zip(&mut moved).for_each(|(bit, moved)| *moved |= bit);
        }
        assert!(seen.iter().all(|seen| *seen), "{seen:?}");
        assert!(moved.iter().all(|moved| *moved), "{moved:?}");
    });
}
