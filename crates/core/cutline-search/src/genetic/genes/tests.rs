//! The bits of chromosomes against naive definitions.

mod evolution;
mod fitness;
mod naive;
mod repair;

use std::sync::Arc;

use cutline_model::recoding::Unknown;
use cutline_model::{Masking, Qid, Requirement, Taxonomy};
use cutline_table::{Block, BlockColumn, CompressedTable, Compressor, LabelKind, encode};

use super::super::random::Random;
use super::*;

/// A cell; `None` is missing.
type Cell = Option<String>;

/// A table from its columns, the last one of which is the label unless there is none.
fn table(maskings: Vec<Masking>, columns: &[Vec<Cell>], label: LabelKind) -> CompressedTable {
    let records = columns[0].len();
    let column = |cells: &Vec<Cell>| BlockColumn { codes: (0..records as u32).collect(), texts: cells.clone() };
    let mut compressor = Compressor::new(columns.len());
    compressor.add(&Block { records, left_out: Vec::new(), columns: columns.iter().map(column).collect() });
    let names = (0..maskings.len()).map(name);
    let labels = [("target".to_owned(), label)];
    encode(&compressor.finish(), names.zip(maskings).collect(), &labels, Unknown::Error).unwrap()
}

fn name(attribute: usize) -> String {
    format!("a{attribute}")
}

/// A QID of some attributes.
fn qid(attributes: impl IntoIterator<Item = usize>, k: u64) -> Qid {
    Qid::new(attributes.into_iter().map(name).collect(), k)
}

/// A single attribute that is all of the table, with one record for each cell.
fn single(masking: Masking, cells: &[Cell]) -> CompressedTable {
    table(vec![masking], &[cells.to_vec()], LabelKind::None)
}

fn requirement(qids: Vec<Qid>) -> Requirement {
    Requirement::new(qids).unwrap()
}

fn words(text: &str) -> Vec<Cell> {
    text.split_whitespace().map(|word| (word != "?").then(|| word.to_owned())).collect()
}

fn generalize(outline: &str) -> Masking {
    Masking::Generalize(Arc::new(Taxonomy::from_outline(outline).unwrap()))
}

/// Figure 1 of the 2002 paper.
const WORK: &str = "any
  self-employed
    incorporated
    not-incorporated
  government
    federal
    state
    local
  private
  unemployed
    without-pay
    never-worked
";

/// The paper's string of b1 to b7 with these bits set.
fn bits(set: &[usize]) -> Chromosome {
    (1..=7).map(|bit| set.contains(&bit)).collect()
}

/// Runs with the layout of the paper's example.
fn with_work(test: impl FnOnce(&Genes<'_>)) {
    let leaves = "incorporated not-incorporated federal state local private without-pay never-worked";
    let table = single(generalize(WORK), &words(leaves));
    test(&Genes::new(&Problem::new(&table, &requirement(vec![qid([0], 1)])).unwrap(), None));
}

#[test]
fn the_papers_bit_needs_four_others() {
    with_work(|genes| {
        assert_eq!(genes.len(), 7);
        let flipped = |before: &[usize], at: usize| {
            let mut bits = bits(before);
            genes.flip(&mut bits, at - 1, &mut Random::new(0));
            bits
        };
        assert_eq!(flipped(&[], 3), bits(&[2, 3, 4, 5, 6]));
        assert_eq!(flipped(&[], 2), bits(&[2, 5, 6]));
        assert_eq!(flipped(&[1, 2, 3, 4, 5, 6], 4), bits(&[1, 2, 5, 6]));
        assert_eq!(flipped(&[1, 2, 3, 4, 5, 6], 5), bits(&[]));
    });
}

#[test]
fn repair_of_the_papers_bits_changes_the_fewest() {
    with_work(|genes| {
        let repaired = |before: &[usize]| {
            let mut bits = bits(before);
            genes.repair(&mut bits);
            bits
        };
        // Clearing b3 changes one bit, keeping it would change four.
        assert_eq!(repaired(&[3]), bits(&[]));
        assert_eq!(repaired(&[2, 3, 4, 5, 6]), bits(&[2, 3, 4, 5, 6]));
        // One bit lacks.
        assert_eq!(repaired(&[2, 3, 4, 6]), bits(&[2, 3, 4, 5, 6]));
        // Three would have to be cleared, two set.
        assert_eq!(repaired(&[1, 2, 7]), bits(&[1, 2, 5, 6, 7]));
        assert_eq!(repaired(&[1, 7]), bits(&[]));
    });
}

#[test]
fn the_papers_bits_mean_a_cut() {
    with_work(|genes| {
        let recoding = genes.recoding(&bits(&[2, 3, 4, 5, 6]));
        let cut = ["self-employed", "federal", "state", "local", "private", "unemployed"];
        assert_eq!(recoding[0].labels(), cut);
        assert_eq!(genes.recoding(&genes.top())[0].labels(), ["any"]);
    });
}

/// More values than may be disclosed: those with most records may be.
#[test]
fn rare_values_are_never_disclosed() {
    let mut cells: Vec<Cell> = (0..MOST + 50).map(|value| Some(format!("value {value}"))).collect();
    cells.extend_from_within(50..);
    let table = single(Masking::Suppress, &cells);
    let genes = Genes::new(&Problem::new(&table, &requirement(vec![qid([0], 1)])).unwrap(), None);
    assert_eq!(genes.len(), MOST);
    let disclosed = genes.recoding(&vec![true; MOST])[0].labels();
    assert_eq!(disclosed.len(), MOST + 1, "and `*`");
    assert!((0..50).all(|rare| !disclosed.contains(&format!("value {rare}"))));
}

/// More numbers than possible end points: those of the seed are possible all the same.
#[test]
fn the_seeds_end_points_are_possible() {
    let cells: Vec<Cell> = (0..1000).map(|number| Some(number.to_string())).collect();
    let table = single(Masking::numbers(None), &cells);
    let problem = Problem::new(&table, &requirement(vec![qid([0], 1)])).unwrap();
    let bound = |bound: f64| cutline_model::Bound(Some(bound));
    let bounds = vec![cutline_model::Bound(None), bound(1.0), bound(333.0), bound(999.0), cutline_model::Bound(None)];
    let seed = [AttributeRecoding::numbers(bounds, None)];
    let genes = Genes::new(&problem, Some(&seed));
    assert!(genes.len() <= MOST, "{}", genes.len());
    let bits = genes.encode(&Masked::new(&table, &seed).unwrap(), &seed);
    assert_eq!(bits.iter().filter(|bit| **bit).count(), 3);
    assert_eq!(genes.recoding(&bits), seed);
}
