use std::collections::HashMap;

use cutline_model::Kind;
use proptest::prelude::*;

use super::*;

fn block(columns: &[&[Option<&str>]]) -> Block {
    let column = |cells: &&[Option<&str>]| BlockColumn {
        codes: (0..cells.len() as u32).collect(),
        texts: cells.iter().map(|cell| cell.map(str::to_owned)).collect(),
    };
    Block { records: columns[0].len(), left_out: Vec::new(), columns: columns.iter().map(column).collect() }
}

#[test]
fn equal_records_are_counted_across_blocks() {
    let mut compressor = Compressor::new(2);
    compressor.add(&block(&[&[Some("a"), Some("b")], &[Some("1"), None]]));
    compressor.add(&block(&[&[Some("b"), Some("a")], &[None, Some("1")]]));
    let table = compressor.finish();
    assert_eq!((table.records, &table.weights[..]), (4, &[2, 2][..]));
    assert_eq!(table.columns[1].missing(), 2);
    assert_eq!(table.columns[1].first_missing(), Some(RecordNumber::new(2)));
    assert_eq!(
        table.columns[0].values().collect::<Vec<_>>(),
        [("a", RecordNumber::new(1)), ("b", RecordNumber::new(2))]
    );
}

#[test]
fn dropped_records_leave_no_trace() {
    let mut compressor = Compressor::new(2);
    let records = block(&[&[Some("a"), Some("b")], &[Some("1"), None]]);
    compressor.add(&Block { left_out: vec![false, true], ..records });
    let table = compressor.finish();
    assert_eq!((table.records, table.dropped), (1, 1));
    assert_eq!(table.columns[0].values().count(), 1);
}

#[test]
fn kinds_are_guessed_from_the_values() {
    let kind = |values: &[&str]| {
        let mut compressor = Compressor::new(1);
        let cells: Vec<_> = values.iter().copied().map(Some).collect();
        compressor.add(&block(&[&cells]));
        compressor.finish().columns[0].guess_kind()
    };
    assert_eq!(kind(&["1", "2.5", "1e3"]), Kind::Continuous);
    assert_eq!(kind(&["0", "01", "11"]), Kind::Continuous);
    assert_eq!(kind(&["0.5", "0.7"]), Kind::Continuous);
    assert_eq!(kind(&["02139", "90210"]), Kind::Categorical);
    assert_eq!(kind(&["1", "x"]), Kind::Categorical);
    assert_eq!(kind(&[]), Kind::Categorical);
}

/// What can be told of a table: rows with their texts and weights, values with the record that had each first, who lacks one first.
fn told(table: &RawTable) -> String {
    let row = |row: usize| table.columns.iter().map(|column| column.text(row)).collect::<Vec<_>>();
    let rows: Vec<_> = (0..table.weights.len()).map(|at| (row(at), table.weights[at])).collect();
    let of_column = |column: &RawColumn| {
        let values: Vec<_> = column.values().map(|(text, record)| (text.to_owned(), record)).collect();
        (values, column.first_missing(), column.missing())
    };
    let columns: Vec<_> = table.columns.iter().map(of_column).collect();
    format!("{rows:?} {columns:?} {} {}", table.records, table.dropped)
}

type Records = Vec<(Option<u8>, Option<u8>, bool)>;

/// The table of these blocks, where records take so much while they wait, and workers know some of the codes.
fn compressed(blocks: &[Records], held: usize, knows: bool) -> (RawTable, Option<Vec<Codes>>) {
    let mut compressor = Compressor::new(2).holding(held);
    let mut known: [HashMap<Option<u8>, u32>; 2] = Default::default();
    for block in blocks {
        let left_out: Vec<bool> = block.iter().map(|record| record.2).collect();
        let left_out = if left_out.contains(&true) { left_out } else { Vec::new() };
        let mut fresh: [Vec<Option<u8>>; 2] = Default::default();
        let mut columns: Vec<CodedColumn> = (0..2).map(|_| CodedColumn::default()).collect();
        for record in block {
            for (at, cell) in [record.0, record.1].into_iter().enumerate() {
                let code = known[at].get(&cell).copied().filter(|_| knows).unwrap_or_else(|| {
                    fresh[at].push(cell);
                    columns[at].fresh.push(cell.map(|cell| cell.to_string()));
                    FRESH + fresh[at].len() as u32 - 1
                });
                columns[at].codes.push(code);
            }
        }
        let told = compressor.add_coded(&mut columns, block.len(), &left_out);
        compressor.make_room();
        (0..2).for_each(|at| known[at].extend(fresh[at].iter().copied().zip(told[at].iter().copied())));
    }
    compressor.finish_with_codes()
}

proptest! {
    #[test]
    fn neither_how_many_records_wait_nor_what_is_known_changes_the_table(
        blocks in prop::collection::vec(
            prop::collection::vec((prop::option::of(0..5_u8), prop::option::of(0..3_u8), prop::bool::weighted(0.1)), 0..9),
            0..8,
        ),
    ) {
        let (table, codes) = compressed(&blocks, usize::MAX, false);
        let records: usize = blocks.iter().map(Vec::len).sum();
        prop_assert_eq!(codes.unwrap()[1].len(), records);
        for (held, knows) in [(0, false), (7, true), (40, false), (usize::MAX, true)] {
            prop_assert_eq!(told(&compressed(&blocks, held, knows).0), told(&table));
        }
        let naive: Vec<_> = blocks.concat().into_iter().filter(|record| !record.2).collect();
        prop_assert_eq!(table.records, naive.len() as u64);
        for (row, weight) in table.weights.iter().enumerate() {
            let texts = [0, 1].map(|column| table.columns[column].text(row).map(str::to_owned));
            let same = naive.iter().filter(|(a, b, _)| [a, b].map(|cell| cell.map(|cell| cell.to_string())) == texts);
            prop_assert_eq!(same.count() as u64, *weight);
        }
    }
}
