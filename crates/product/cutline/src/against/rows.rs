//! The records of two tables, counted by what their cells say.

use std::collections::HashMap;

use cutline_model::{parse_number, shortest};
use cutline_table::Numbering;

/// Which of two tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Before,
    After,
}

/// What a comparison tells of too few persons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) groups: u64,
    pub(super) records: u64,
}

/// Rows of both tables, in which cells that say the same have the same number.
pub(super) struct Rows {
    columns: Vec<Column>,
    /// The records of each row, before and after.
    records: Vec<[u64; 2]>,
}

#[derive(Default)]
struct Column {
    cells: Vec<u32>,
    /// Numbers by text as it is written, and by what it says.
    written: HashMap<String, u32>,
    said: HashMap<String, u32>,
}

impl Rows {
    pub(super) fn new(columns: usize) -> Self {
        Rows { columns: (0..columns).map(|_| Column::default()).collect(), records: Vec::new() }
    }

    /// Adds records with these cells; nothing is a missing one.
    pub(super) fn add<'a>(&mut self, side: Side, cells: impl Iterator<Item = Option<&'a str>>, records: u64) {
        self.columns.iter_mut().zip(cells).for_each(|(column, cell)| column.add(cell));
        self.records.push(match side {
            Side::Before => [records, 0],
            Side::After => [0, records],
        });
    }

    /// The groups of equal labels in which fewer than k records, but some, appear or vanish, if records are told apart by their labels
    /// and some other values.
    pub(super) fn told(&self, labels: &[usize], values: &[usize], k: u64) -> Told {
        let mut groups = Numbering::new(self.records.len());
        self.refine(&mut groups, labels);
        let mut kinds = groups.clone();
        self.refine(&mut kinds, values);
        let mut counts = vec![[0; 2]; kinds.len];
        for (&kind, records) in kinds.of_row.iter().zip(&self.records) {
            counts[kind as usize].iter_mut().zip(records).for_each(|(count, records)| *count += records);
        }
        // Of each group, the records that vanish and those that appear.
        let mut changes = vec![[0; 2]; groups.len];
        for ([before, after], row) in counts.into_iter().zip(kinds.first_rows()) {
            let change = &mut changes[groups.of_row[row as usize] as usize];
            change[0] += u64::saturating_sub(before, after);
            change[1] += u64::saturating_sub(after, before);
        }
        let few = changes.into_iter().map(|change| change.into_iter().filter(|&records| records < k).sum::<u64>());
        few.fold(Told::default(), |told, few| Told {
            groups: told.groups + u64::from(few > 0),
            records: told.records + few,
        })
    }

    fn refine(&self, groups: &mut Numbering, columns: &[usize]) {
        for column in columns.iter().map(|&column| &self.columns[column]) {
            groups.refine(column.cells.iter().copied(), column.said.len() + 1);
        }
    }
}

impl Column {
    /// Zero is missing.
    fn add(&mut self, cell: Option<&str>) {
        let number = cell.map_or(0, |text| self.written.get(text).copied().unwrap_or_else(|| self.number(text)));
        self.cells.push(number);
    }

    fn number(&mut self, text: &str) -> u32 {
        let next = self.said.len() as u32 + 1;
        let number = *self.said.entry(said(text)).or_insert(next);
        self.written.insert(text.to_owned(), number);
        number
    }
}

/// A number in its shortest form, other text as it is.
///
/// Numbers of up to 15 digits are told apart by floating point; of longer ones, such as codes, the text counts.
fn said(text: &str) -> String {
    const EXACT: usize = 15;
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    parse_number(text).filter(|_| digits <= EXACT).map_or_else(|| text.to_owned(), shortest)
}
