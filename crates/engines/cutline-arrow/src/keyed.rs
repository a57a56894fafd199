//! Several groupings by cells alone: the cells of a record are the digits of one number, and numbers are counted.
//!
//! A column whose values are all in one cell is not even read.

use arrow_array::RecordBatch;
use cutline_engine::{Coarse, CompressPlan, Counted, Watch};
use cutline_table::{BlockColumn, BlockGroups, Compressor};
use hashbrown::HashMap;

use crate::cells::{CellReader, lacking};
use crate::compress::check_most;
use crate::embedded::Embedded;
use crate::encode::{ascending, encode_column};
use crate::error::FileError;
use crate::pass::pass;

/// So many numbers have an array in a batch, and in the whole table.
const FEW_NUMBERS: u64 = 1 << 18;
const MANY_NUMBERS: u64 = 1 << 22;

/// What `compress` gives for each of the plans, if they group the same records by cells and nothing else.
pub(crate) fn compress_by_cells(
    engine: &Embedded,
    plans: &[CompressPlan],
    watch: &dyn Watch,
) -> Result<Option<Vec<Counted>>, FileError> {
    let Some(keyed) = Keyed::new(engine, plans) else { return Ok(None) };
    let mut tallies: Vec<Tally> = keyed.keys.iter().map(|key| Tally::new(key.numbers, MANY_NUMBERS)).collect();
    let most = plans.iter().filter_map(|plan| plan.most).min();
    let (mut before, mut left_out) = (0, 0);
    let add = |batch: Batch| {
        tallies.iter_mut().zip(&batch.tallies).for_each(|(tally, batch)| tally.add_all(batch, before));
        before += batch.records;
        left_out += batch.left_out;
        check_most(most, tallies.iter().map(|tally| tally.rows.len()).sum())
    };
    pass(engine, &keyed.read, |batch| keyed.count(batch), add, watch)?;
    let counted = keyed.keys.iter().zip(tallies).map(|(key, tally)| keyed.counted(key, &tally, left_out)).collect();
    Ok(Some(counted))
}

/// How records become numbers.
struct Keyed<'a> {
    engine: &'a Embedded,
    reader: CellReader,
    /// Columns to read, ascending.
    read: Vec<usize>,
    required: Vec<usize>,
    shades: Vec<Shade<'a>>,
    /// One for each plan.
    keys: Vec<Key>,
}

/// A column by cells.
struct Shade<'a> {
    column: usize,
    coarse: &'a Coarse,
    /// The cells, each by the value that stands for it.
    cells: Vec<u32>,
    /// The place among them of each value's cell.
    place_of: HashMap<Option<&'a str>, u32>,
}

impl<'a> Shade<'a> {
    fn new(column: usize, coarse: &'a Coarse) -> Self {
        let mut cells = coarse.counted_as.clone();
        cells.sort_unstable();
        cells.dedup();
        let place =
            |(value, cell): (Option<&'a str>, u32)| (value, cells.partition_point(|&other| other < cell) as u32);
        let place_of = coarse.lookup().into_iter().map(place).collect();
        Shade { column, coarse, cells, place_of }
    }
}

/// The digits of a plan's numbers.
struct Key {
    /// For each column its shade, and what a digit is worth.
    digits: Vec<(usize, u64)>,
    /// All numbers are less.
    numbers: u64,
}

impl<'a> Keyed<'a> {
    /// Nothing for plans that ask for more than cells.
    fn new(engine: &'a Embedded, plans: &'a [CompressPlan]) -> Option<Self> {
        let first = plans.first()?;
        let cells_alone = |plan: &CompressPlan| {
            plan.coarse.len() == plan.columns.len()
                && (&plan.nulls, &plan.required) == (&first.nulls, &first.required)
                && plan.cluster.is_none()
                && plan.watched.is_empty()
                && plan.persons.is_empty()
        };
        if first.columns.is_empty() || !plans.iter().all(cells_alone) {
            return None;
        }
        let (mut shades, mut keys) = (Vec::<Shade>::new(), Vec::new());
        for plan in plans {
            let mut key = Key { digits: Vec::new(), numbers: 1 };
            for (&column, coarse) in plan.columns.iter().zip(plan.coarse.values()) {
                let known = shades.iter().position(|shade| shade.column == column && shade.coarse == coarse);
                let shade = known.unwrap_or_else(|| {
                    shades.push(Shade::new(column, coarse));
                    shades.len() - 1
                });
                key.digits.push((shade, key.numbers));
                key.numbers = key.numbers.checked_mul(shades[shade].cells.len() as u64)?;
            }
            keys.push(key);
        }
        let divided = shades.iter().filter(|shade| shade.cells.len() > 1).map(|shade| shade.column);
        let (read, _) = ascending(&divided.chain(first.required.iter().copied()).collect::<Vec<_>>());
        let reader = CellReader::of(engine.source.as_ref(), &first.nulls);
        Some(Keyed { engine, reader, read, required: first.required.clone(), shades, keys })
    }

    /// Where a column is among those that are read.
    fn place(&self, column: usize) -> usize {
        self.read.partition_point(|other| *other < column)
    }

    fn count(&self, batch: &RecordBatch) -> Result<Batch, FileError> {
        let required: Vec<usize> = self.required.iter().map(|&column| self.place(column)).collect();
        let left_out = lacking(batch, &required, &self.reader, self.engine.path())?;
        let kept: Vec<u32> =
            (0..batch.num_rows() as u32).filter(|&row| left_out.get(row as usize) != Some(&true)).collect();
        let encode = |place: usize| encode_column(self.engine, batch, place, &self.reader);
        let encoded = (0..self.read.len()).map(encode).collect::<Result<Vec<BlockColumn>, _>>()?;
        let mut places = Vec::with_capacity(self.shades.len());
        for shade in &self.shades {
            places.push(match shade.cells.len() {
                0 | 1 => Vec::new(),
                _ => self.places(shade, &encoded[self.place(shade.column)], &kept)?,
            });
        }
        let tally = |key: &Key| {
            let mut numbers = vec![0; kept.len()];
            for &(shade, worth) in key.digits.iter().filter(|(shade, _)| !places[*shade].is_empty()) {
                let worth: Vec<u64> = places[shade].iter().map(|&place| u64::from(place) * worth).collect();
                let codes = &encoded[self.place(self.shades[shade].column)].codes;
                numbers.iter_mut().zip(&kept).for_each(|(number, &row)| *number += worth[codes[row as usize] as usize]);
            }
            let mut tally = Tally::new(key.numbers, FEW_NUMBERS);
            numbers.iter().zip(&kept).for_each(|(&number, &row)| tally.add(number, 1, u64::from(row)));
            tally
        };
        let left_out = (batch.num_rows() - kept.len()) as u64;
        Ok(Batch { records: batch.num_rows() as u64, left_out, tallies: self.keys.iter().map(tally).collect() })
    }

    /// The place of the cell of each text of a column. A value that is in no cell was not there before, unless its record is left out.
    fn places(&self, shade: &Shade<'_>, column: &BlockColumn, kept: &[u32]) -> Result<Vec<u32>, FileError> {
        let places: Vec<Option<u32>> =
            column.texts.iter().map(|text| shade.place_of.get(&text.as_deref()).copied()).collect();
        if places.contains(&None) && kept.iter().any(|&row| places[column.codes[row as usize] as usize].is_none()) {
            return Err(self.engine.changed());
        }
        Ok(places.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// Numbers as rows of a table.
    fn counted(&self, key: &Key, tally: &Tally, left_out: u64) -> Counted {
        let column = |&(shade, worth): &(usize, u64)| {
            let Shade { cells, coarse, .. } = &self.shades[shade];
            // Cells get codes as they appear; those that no record has get none.
            let (mut code_of, mut texts) = (vec![None; cells.len()], Vec::new());
            let code = |row: &Row| {
                let place = (row.number / worth % cells.len().max(1) as u64) as usize;
                *code_of[place].get_or_insert_with(|| {
                    texts.push(coarse.values[cells[place] as usize].clone());
                    texts.len() as u32 - 1
                })
            };
            let codes = tally.rows.iter().map(code).collect();
            BlockColumn { codes, texts }
        };
        let mut compressor = Compressor::new(key.digits.len());
        compressor.add_grouped(&BlockGroups {
            columns: key.digits.iter().map(column).collect(),
            first: tally.rows.iter().map(|row| row.first).collect(),
            counts: tally.rows.iter().map(|row| row.records).collect(),
            left_out,
        });
        compressor.finish().into()
    }
}

/// The records of a batch.
struct Batch {
    records: u64,
    left_out: u64,
    /// For each plan.
    tallies: Vec<Tally>,
}

/// How many records have each number.
struct Tally {
    /// As they appear.
    rows: Vec<Row>,
    row_of: RowOf,
}

#[derive(Clone, Copy)]
struct Row {
    number: u64,
    records: u64,
    /// The first record that has it.
    first: u64,
}

/// Where the row of a number is.
enum RowOf {
    Array(Vec<u32>),
    Map(HashMap<u64, u32>),
}

/// No row has this place.
const NONE: u32 = u32::MAX;

impl Tally {
    /// Numbers below a limit; there is an array for them if they are few.
    fn new(limit: u64, few: u64) -> Self {
        let row_of = match limit <= few {
            true => RowOf::Array(vec![NONE; limit as usize]),
            false => RowOf::Map(HashMap::new()),
        };
        Tally { rows: Vec::new(), row_of }
    }

    fn add(&mut self, number: u64, records: u64, first: u64) {
        let next = self.rows.len() as u32;
        let place = match &mut self.row_of {
            RowOf::Array(places) => &mut places[number as usize],
            RowOf::Map(places) => places.entry(number).or_insert(NONE),
        };
        if *place == NONE {
            *place = next;
            self.rows.push(Row { number, records: 0, first });
        }
        self.rows[*place as usize].records += records;
    }

    /// The rows of a part of the table that comes after so many records.
    fn add_all(&mut self, part: &Tally, before: u64) {
        part.rows.iter().for_each(|row| self.add(row.number, row.records, before + row.first));
    }
}
