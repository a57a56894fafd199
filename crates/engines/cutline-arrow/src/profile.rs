//! A look at each column by itself.

use arrow_array::RecordBatch;
use cutline_model::parse_number;
use hashbrown::HashSet;

use crate::cells::{CellReader, hash_text};
use crate::distinct::ColumnCells;
use crate::embedded::Embedded;
use crate::error::FileError;
use crate::pass::pass;
use cutline_engine::{ColumnProfile, MOST_DISTINCT, Watch};

/// One pass over all columns that can be read as text.
pub(crate) fn profile(engine: &Embedded, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, FileError> {
    let schema = engine.source.schema();
    let reader = CellReader::of(engine.source.as_ref(), nulls);
    let flat: Vec<usize> = (0..engine.columns.len()).filter(|&index| engine.columns[index].has_values()).collect();
    let mut columns: Vec<Gathered> = flat.iter().map(|_| Gathered::default()).collect();
    let look = |batch: &RecordBatch| {
        (0..flat.len()).map(|place| look(engine, batch, place, &reader)).collect::<Result<Vec<_>, _>>()
    };
    let add = |looks: Vec<_>| {
        columns.iter_mut().zip(looks).for_each(|(column, look)| column.add(look));
        Ok(())
    };
    pass(engine, &flat, look, add, watch)?;
    Ok(columns.into_iter().zip(&flat).map(|(column, &index)| column.finish(schema.field(index).name())).collect())
}

/// The distinct values of one batch.
#[derive(Default)]
struct Look {
    records: u64,
    missing: u64,
    values: Vec<Value>,
}

/// What is kept of a value: not the value.
struct Value {
    hash: u64,
    number: bool,
    whole: bool,
    padded: bool,
    length: usize,
}

fn look(engine: &Embedded, batch: &RecordBatch, place: usize, reader: &CellReader) -> Result<Look, FileError> {
    let mut look = Look { records: batch.num_rows() as u64, ..Look::default() };
    let numbers = ColumnCells::of(batch, place, engine.path())?.number(|cell| {
        Ok::<_, FileError>(match cell.and_then(|cell| reader.value(cell)) {
            None => 0,
            Some(value) => {
                let number = parse_number(&value);
                look.values.push(Value {
                    hash: hash_text(&value),
                    number: number.is_some(),
                    whole: number.is_some_and(|number| number.fract() == 0.0),
                    padded: value.len() > 1 && value.starts_with('0') && !value.contains('.'),
                    length: value.len(),
                });
                1
            }
        })
    })?;
    look.missing = numbers.iter().filter(|&&present| present == 0).count() as u64;
    Ok(look)
}

#[derive(Default)]
struct Gathered {
    records: u64,
    missing: u64,
    hashes: HashSet<u64>,
    has_words: bool,
    has_fractions: bool,
    has_padding: bool,
    lengths: Option<(usize, usize)>,
}

impl Gathered {
    fn add(&mut self, look: Look) {
        self.records += look.records;
        self.missing += look.missing;
        for value in look.values {
            self.has_words |= !value.number;
            self.has_fractions |= !value.whole;
            self.has_padding |= value.padded;
            let (shortest, longest) = self.lengths.unwrap_or((value.length, value.length));
            self.lengths = Some((shortest.min(value.length), longest.max(value.length)));
            if self.hashes.len() < MOST_DISTINCT {
                self.hashes.insert(value.hash);
            }
        }
    }

    fn finish(self, name: &str) -> ColumnProfile {
        let (shortest, longest) = self.lengths.unwrap_or_default();
        ColumnProfile {
            name: name.to_owned(),
            records: self.records,
            missing: self.missing,
            distinct: self.hashes.len(),
            numeric: !self.hashes.is_empty() && !self.has_words,
            whole: !self.hashes.is_empty() && !self.has_fractions,
            padded: self.has_padding && shortest == longest,
            longest,
        }
    }
}
