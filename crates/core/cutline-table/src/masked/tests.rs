//! Suppression against a count of records, one by one.

use std::collections::HashMap;
use std::sync::Arc;

use cutline_model::recoding::Missing;
use cutline_model::{Bound, Taxonomy};

use super::*;
use crate::random::Random;
use crate::{Block, BlockColumn, Compressor, LabelKind, encode};

/// Rows of labels, their weights, and QIDs.
#[derive(Debug)]
struct Case {
    /// For each column, its codes and the label of each code.
    columns: Vec<(Codes, Vec<u32>)>,
    weights: Vec<u64>,
    qids: Vec<TableQid>,
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let (rows, width) = (1 + random.below(40) as usize, 1 + random.below(4) as usize);
        let column = |random: &mut Random| {
            let (codes, labels) = (1 + random.below(8), 1 + random.below(5));
            let of_row = (0..rows).map(|_| random.below(codes) as u32).collect::<Vec<_>>();
            let labels = (0..codes).map(|_| random.below(labels) as u32).collect();
            (Codes::from_codes(of_row.into_iter(), codes as usize), labels)
        };
        let qid = |random: &mut Random| {
            let chosen = 1 + random.below((1 << width) - 1);
            let attributes = (0..width).filter(|a| chosen >> a & 1 == 1).map(AttributeId).collect();
            TableQid::new(attributes, 1 + random.below(8))
        };
        Case {
            columns: (0..width).map(|_| column(random)).collect(),
            weights: (0..rows).map(|_| 1 + random.below(3)).collect(),
            qids: (0..=random.below(3)).map(|_| qid(random)).collect(),
        }
    }

    fn masked(&self) -> Masked<'_> {
        let column = |(codes, labels)| Column { codes, labels: Vec::clone(labels), distinct: 5 };
        Masked {
            regions: None,
            columns: self.columns.iter().map(|(codes, labels)| column((codes, labels))).collect(),
            members: Members { weights: &self.weights, persons: None },
            sensitive: Cow::Borrowed(&[]),
        }
    }

    fn labels(&self, row: usize, qid: &TableQid) -> Vec<u32> {
        let label = |&AttributeId(a): &AttributeId| self.columns[a].1[self.columns[a].0.get(row) as usize];
        qid.attributes.iter().map(label).collect()
    }

    /// Throws out one small group after the other, in whatever order they come.
    fn naive(&self) -> Vec<bool> {
        let mut gone = vec![false; self.weights.len()];
        while let Some((labels, qid)) = self.small_group(&gone) {
            (0..gone.len()).filter(|&row| self.labels(row, qid) == labels).for_each(|row| gone[row] = true);
        }
        gone
    }

    fn small_group(&self, gone: &[bool]) -> Option<(Vec<u32>, &TableQid)> {
        self.qids.iter().find_map(|qid| {
            let mut sizes: HashMap<Vec<u32>, u64> = HashMap::new();
            for row in (0..gone.len()).filter(|&row| !gone[row]) {
                *sizes.entry(self.labels(row, qid)).or_default() += self.weights[row];
            }
            sizes.into_iter().find(|(_, size)| *size < qid.k).map(|(labels, _)| (labels, qid))
        })
    }
}

#[test]
fn small_groups_go_until_none_is_left() {
    let mut random = Random(1);
    let (mut none, mut some, mut all, mut chained) = (0, 0, 0, 0);
    for _ in 0..4000 {
        let case = Case::new(&mut random);
        let suppressed = case.masked().suppress(&case.qids);
        assert_eq!(suppressed.rows, case.naive(), "{case:?}");
        let rows = || (0..case.weights.len()).filter(|&row| suppressed.rows[row]);
        assert_eq!(suppressed.records, rows().map(|row| case.weights[row]).sum::<u64>());
        // Some go only because others went for another QID.
        let alone = |qid: &TableQid| case.masked().suppress(std::slice::from_ref(qid)).rows;
        let by_itself: Vec<Vec<bool>> = case.qids.iter().map(alone).collect();
        chained += usize::from(rows().any(|row| by_itself.iter().all(|rows| !rows[row])));
        match rows().count() {
            0 => none += 1,
            count if count == case.weights.len() => all += 1,
            _ => some += 1,
        }
    }
    assert!(none > 100 && some > 100 && all > 100 && chained > 50, "{none} {some} {all} {chained}");
}

/// Whoever rewrites the records has only these lists.
#[test]
fn the_lists_of_labels_say_which_records_go() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let case = Case::new(&mut random);
        let suppressed = case.masked().suppress(&case.qids);
        assert_eq!(suppressed.qids.len(), case.qids.len());
        let listed = |row: usize| {
            let lists = case.qids.iter().zip(&suppressed.qids);
            lists.into_iter().any(|(qid, list)| list.iter().any(|labels| labels[..] == case.labels(row, qid)))
        };
        let rows: Vec<bool> = (0..case.weights.len()).map(listed).collect();
        assert_eq!(rows, suppressed.rows, "{case:?}");
        for list in &suppressed.qids {
            let mut distinct = list.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), list.len());
        }
    }
}

/// Suppressing one record for the first QID makes a group of the second one too small.
#[test]
fn suppression_spreads_from_qid_to_qid() {
    let columns = [vec![0, 0, 1, 1, 1], vec![0, 0, 0, 1, 1]];
    let column = |codes: &Vec<u32>| (Codes::from_codes(codes.iter().copied(), 2), vec![0, 1]);
    let qid = |a: usize, k: u64| TableQid::new(vec![AttributeId(a)], k);
    let case =
        Case { columns: columns.iter().map(column).collect(), weights: vec![1; 5], qids: vec![qid(0, 3), qid(1, 2)] };
    let suppressed = case.masked().suppress(&case.qids);
    // The first two are too few for the first QID. The third is then alone in its group of the second, and without it the last
    // two are too few for the first.
    assert_eq!((suppressed.records, &suppressed.rows[..]), (5, &[true; 5][..]));
    let first = case.masked().suppress(&case.qids[..1]);
    assert_eq!((first.records, &first.qids[..]), (2, &[vec![Box::from([0u32])]][..]));
}

/// Labels are those of the recoding, for all masking operations and missing values.
#[test]
fn labels_follow_the_recoding() {
    let taxonomy = Taxonomy::from_outline("any\n  low\n    a\n    b\n  high\n    c\n").unwrap();
    let cells = |text: &str| -> Vec<Option<String>> {
        text.split_whitespace().map(|cell| (cell != "?").then(|| cell.to_owned())).collect()
    };
    let column = |text: &str| BlockColumn { codes: (0..4).collect(), texts: cells(text) };
    let columns = vec![column("c a b ?"), column("7 ? 3 5"), column("y x ? x")];
    let mut compressor = Compressor::new(3);
    compressor.add(&Block { records: 4, left_out: Vec::new(), columns });
    let maskings = [Masking::Generalize(Arc::new(taxonomy.clone())), Masking::numbers(None), Masking::Suppress];
    let attributes = ["level", "age", "city"].map(str::to_owned).into_iter().zip(maskings).collect();
    let none = [("none".to_owned(), LabelKind::None)];
    let table = encode(&compressor.finish(), attributes, &none, Unknown::Error).unwrap();
    let published = Some(Missing::Published);
    let recoding = [
        AttributeRecoding::Generalize { cut: vec!["low".into(), "high".into()], missing: published, taxonomy },
        AttributeRecoding::numbers(vec![Bound(None), Bound(Some(5.0)), Bound(None)], published),
        AttributeRecoding::Suppress { disclosed: vec!["x".into()], missing: Some(Missing::Masked) },
    ];
    let masked = Masked::new(&table, &recoding).unwrap();
    let same =
        |a: usize, one: usize, other: usize| masked.labels(AttributeId(a))[one] == masked.labels(AttributeId(a))[other];
    // a, b | c | missing
    assert!(same(0, 0, 1) && !same(0, 1, 2) && !same(0, 2, 3) && !same(0, 0, 3));
    // 3 | 5, 7 | missing
    assert!(!same(1, 0, 1) && same(1, 1, 2) && !same(1, 2, 3) && !same(1, 0, 3));
    // x | y, missing
    assert!(!same(2, 0, 1) && same(2, 1, 2));
    let all = [TableQid::new((0..3).map(AttributeId).collect(), 2)];
    assert_eq!(masked.suppress(&all).records, 4);
    let level = [TableQid::new(vec![AttributeId(0)], 2)];
    assert_eq!(masked.suppress(&level).records, 2);
}
