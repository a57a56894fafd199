//! Arrow record batches in memory.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};

use super::columns::Columns;
use super::count::{self, Counter, Piece, Pieces};
use super::read;
use crate::{Claim, Counts, Options, Recount, Verdict, VerifyError};

/// What messages say in place of a file's path.
const PLACE: &str = "table in memory";

/// Records in a piece.
const RECORDS: usize = 1 << 14;

/// A table in memory, as it is handed on: nothing is written. Batches are one table and must have the same column names, in any
/// order.
#[derive(Clone, Copy)]
pub struct Batches<'a>(&'a [RecordBatch]);

impl<'a> Batches<'a> {
    /// The table that has these batches.
    pub fn new(batches: &'a [RecordBatch]) -> Self {
        Batches(batches)
    }
}

impl Recount for Batches<'_> {
    /// Without a batch there is no schema, so no column that a claim could be about: that is an error.
    fn recount(&self, claims: &[Claim], options: &Options, progress: &dyn Fn(u64)) -> Result<Verdict, VerifyError> {
        let counts = Counts::new(claims, options)?;
        if self.0.is_empty() {
            return Err(VerifyError::EmptyFile { file: PLACE.into() });
        }
        let columns = Columns::new(&counts.plan().columns);
        let mut pieces = MemoryPieces { batches: self.0.iter(), columns, open: None };
        let tally = count::count(counts.plan(), options, &mut pieces, progress)?;
        counts.verdict_on(tally)
    }
}

struct MemoryPieces<'a> {
    batches: std::slice::Iter<'a, RecordBatch>,
    columns: Columns<'a>,
    /// The claimed columns of the present batch, and how many of its records were handed out.
    open: Option<(Vec<ArrayRef>, usize, usize)>,
}

impl Pieces for MemoryPieces<'_> {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, VerifyError> {
        loop {
            if let Some((columns, start, all)) = &mut self.open
                && start < all
            {
                let records = RECORDS.min(*all - *start);
                let columns = columns.iter().map(|column| column.slice(*start, records)).collect();
                *start += records;
                return Ok(Some(Box::new(MemoryPiece { columns, records })));
            }
            let Some(batch) = self.batches.next() else { return Ok(None) };
            let positions = read::locate(Path::new(PLACE), &batch.schema(), &mut self.columns)?;
            let columns = positions.into_iter().map(|position| Arc::clone(batch.column(position))).collect();
            self.open = Some((columns, 0, batch.num_rows()));
        }
    }
}

struct MemoryPiece {
    columns: Vec<ArrayRef>,
    records: usize,
}

impl Piece for MemoryPiece {
    fn count(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError> {
        counter.columns(Path::new(PLACE), &self.columns, self.records)
    }
}
