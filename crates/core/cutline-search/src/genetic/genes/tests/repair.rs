//! Repair, flips and recodings of random attributes against all valid strings of bits.

use std::collections::BTreeSet;

use cutline_measure::loss::general::code_losses;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use super::naive::{boundaries, valid_bits};
use super::*;

/// How an attribute is masked, and its cells.
type Column = (Masking, Vec<Cell>);

fn column() -> impl Strategy<Value = Column> {
    let masked = prop_oneof![3 => taxonomy(), 1 => numbers(), 1 => values()];
    (masked, any::<bool>()).prop_map(|((masking, mut cells), missing)| {
        if missing || cells.is_empty() {
            cells.push(None);
        }
        (masking, cells)
    })
}

/// Trees of any shape, with chains of only children; some leaves have no records.
fn taxonomy() -> BoxedStrategy<Column> {
    let parent = (any::<Index>(), prop::bool::weighted(0.2));
    (vec(parent, 1..=14), vec(prop::bool::weighted(0.75), 15))
        .prop_map(|(parents, present)| {
            let parent_of = |(node, (parent, chain)): (usize, &(Index, bool))| {
                if *chain { node } else { parent.index(node + 1) }
            };
            let parents: Vec<usize> = parents.iter().enumerate().map(parent_of).collect();
            let mut outline = String::new();
            write_outline(&parents, 0, 0, &mut outline);
            let taxonomy = Taxonomy::from_outline(&outline).unwrap();
            let leaves = taxonomy.leaves().zip(present).filter(|(_, present)| *present);
            let cells = leaves.map(|(leaf, _)| Some(taxonomy.label(leaf).to_owned())).collect();
            (Masking::Generalize(Arc::new(taxonomy)), cells)
        })
        .boxed()
}

/// `parents[i]` is the parent of node `i + 1`.
fn write_outline(parents: &[usize], node: usize, level: usize, outline: &mut String) {
    outline.push_str(&format!("{}n{node}\n", "  ".repeat(level)));
    for child in (1..=parents.len()).filter(|&child| parents[child - 1] == node) {
        write_outline(parents, child, level + 1, outline);
    }
}

fn numbers() -> BoxedStrategy<Column> {
    let range = prop_oneof![Just(None), Just(Some((-5.0, 30.0)))];
    (range, vec(-5i32..=30, 0..=7))
        .prop_map(|(range, numbers)| {
            (Masking::numbers(range), numbers.iter().map(|number| Some(number.to_string())).collect())
        })
        .boxed()
}

fn values() -> BoxedStrategy<Column> {
    vec("[a-j]", 0..=6).prop_map(|names| (Masking::Suppress, names.into_iter().map(Some).collect())).boxed()
}

/// Runs with the layout of an attribute and all its valid strings of bits.
fn with_column(
    (masking, cells): &Column,
    test: impl FnOnce(&CompressedTable, &Genes<'_>, Vec<Vec<bool>>) -> TestCaseResult,
) -> TestCaseResult {
    let table = single(masking.clone(), cells);
    let problem = Problem::new(&table, &requirement(vec![qid([0], 1)])).unwrap();
    let valid: BTreeSet<Vec<bool>> = valid_bits(&table.attributes[0]);
    test(&table, &Genes::new(&problem, None), valid.into_iter().collect())
}

fn distance(one: &[bool], other: &[bool]) -> usize {
    one.iter().zip(other).filter(|(one, other)| one != other).count()
}

/// The layout of several attributes, for what goes beyond one of them.
fn whole(columns: &[Column]) -> CompressedTable {
    let records = columns.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let cells = |(_, cells): &Column| (0..records).map(|record| cells[record % cells.len()].clone()).collect();
    let cells: Vec<Vec<Cell>> = columns.iter().map(cells).collect();
    table(columns.iter().map(|(masking, _)| masking.clone()).collect(), &cells, LabelKind::None)
}

/// The same labels for the same codes, whatever their numbers.
fn same_partition(one: &[u32], other: &[u32]) -> bool {
    (0..one.len()).all(|a| (0..a).all(|b| (one[a] == one[b]) == (other[a] == other[b])))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn repair_finds_the_nearest_valid_bits(column in column(), random in vec(any::<bool>(), 16)) {
        with_column(&column, |_, genes, valid| {
            prop_assert_eq!(genes.len(), valid[0].len());
            let bits = &random[..genes.len()];
            let mut repaired: Chromosome = bits.into();
            genes.repair(&mut repaired);
            prop_assert!(valid.iter().any(|valid| valid[..] == repaired[..]), "{:?} -> {:?}", bits, repaired);
            let nearest = valid.iter().map(|valid| distance(valid, bits)).min();
            prop_assert_eq!(Some(distance(&repaired, bits)), nearest, "{:?} -> {:?}", bits, repaired);
            for valid in valid {
                let mut same: Chromosome = valid.clone().into();
                genes.repair(&mut same);
                prop_assert_eq!(&valid[..], &same[..]);
            }
            Ok(())
        })?;
    }

    #[test]
    fn flips_change_the_bit_and_stay_valid(column in column(), which: Index, seed: u64) {
        with_column(&column, |table, genes, valid| {
            let before = which.get(&valid);
            // The end points of intervals may also move.
            let moves = matches!(table.attributes[0].masking, Masking::Discretize { .. });
            for at in 0..genes.len() {
                let mut after: Chromosome = before.clone().into();
                genes.flip(&mut after, at, &mut Random::new(seed));
                prop_assert!(valid.iter().any(|valid| valid[..] == after[..]), "{before:?} at {at}: {after:?}");
                prop_assert_ne!(after[at], before[at]);
                let others = valid.iter().filter(|valid| valid[at] != before[at]);
                let nearest = others.map(|valid| distance(valid, before)).min();
                let changed = distance(&after, before);
                let moved = moves && after[at] && Some(changed - 1) == nearest;
                prop_assert!(Some(changed) == nearest || moved, "{before:?} at {at}: {after:?}");
            }
            Ok(())
        })?;
    }

    /// All valid bits mean what they say, and come back from the recoding that they mean.
    #[test]
    fn recodings_give_their_bits_back(column in column()) {
        with_column(&column, |table, genes, valid| {
            for bits in valid {
                let recoding = genes.recoding(&bits);
                let masked = Masked::new(table, &recoding).unwrap();
                prop_assert_eq!(&genes.encode(&masked, &recoding)[..], &bits[..], "{:?}", recoding);
                let labels = masked.labels(AttributeId(0));
                if let AttributeRecoding::Generalize { cut, taxonomy, .. } = &recoding[0] {
                    let nodes: Vec<_> = cut.iter().map(|label| taxonomy.node(label).unwrap()).collect();
                    prop_assert!(taxonomy.is_cut(&nodes), "{:?}", cut);
                }
                if !matches!(recoding[0], AttributeRecoding::Suppress { .. }) {
                    prop_assert_eq!(boundaries(labels), bits.clone());
                }
                let mut decoded = Labellings::default();
                genes.decode(&bits, &mut decoded);
                let (label_of, loss) = (&decoded.labels[0].label_of, &decoded.loss[0]);
                prop_assert!(same_partition(label_of, labels), "{:?} {:?}", decoded, labels);
                let losses: Vec<f64> = label_of.iter().map(|&label| loss[label as usize]).collect();
                prop_assert_eq!(losses, code_losses(&table.attributes[0], &recoding[0], labels));
            }
            Ok(())
        })?;
    }

    /// Every attribute's bits are repaired by themselves, and flips leave the others alone.
    #[test]
    fn attributes_do_not_touch_each_other(
        columns in vec(column(), 2..=4),
        random in vec(any::<bool>(), 64),
        at: Index,
        seed: u64,
    ) {
        let table = whole(&columns);
        let all = requirement(vec![qid(0..columns.len(), 1)]);
        let problem = Problem::new(&table, &all).unwrap();
        let genes = Genes::new(&problem, None);
        let mut bits: Chromosome = random[..genes.len()].into();
        genes.repair(&mut bits);
        let mut flipped = bits.clone();
        let at = (genes.len() > 0).then(|| at.index(genes.len()));
        if let Some(at) = at {
            genes.flip(&mut flipped, at, &mut Random::new(seed));
        }
        let mut start = 0;
        for attribute in &table.attributes {
            let valid = valid_bits(attribute);
            let own = start..start + valid.first().map_or(0, Vec::len);
            prop_assert!(valid.contains(&bits[own.clone()]) && valid.contains(&flipped[own.clone()]));
            let changes = at.is_some_and(|at| own.contains(&at));
            prop_assert_eq!(bits[own.clone()] != flipped[own.clone()], changes);
            start = own.end;
        }
        prop_assert_eq!(start, genes.len());
        let recoding = genes.recoding(&flipped);
        let masked = Masked::new(&table, &recoding).unwrap();
        prop_assert_eq!(genes.encode(&masked, &recoding), flipped);
    }
}
