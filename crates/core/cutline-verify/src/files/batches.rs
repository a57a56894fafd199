//! Arrow record batches in memory.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;

use super::columns::Columns;
use super::count::{self, Feed, Stop};
use super::read;
use crate::{Claim, Counts, Options, Recount, Verdict, VerifyError};

/// A table in memory, as it is handed on: nothing is written. Batches are one table and must have the same column names, in any
/// order.
#[derive(Clone, Copy)]
pub struct Batches<'a>(&'a [RecordBatch]);

/// What messages say in place of a file's path.
const PLACE: &str = "table in memory";

impl<'a> Batches<'a> {
    /// The table that has these batches.
    pub fn new(batches: &'a [RecordBatch]) -> Self {
        Batches(batches)
    }

    fn read(self, claimed: &[String], mut feed: Feed<'_>) -> Result<(), Stop> {
        let mut columns = Columns::new(claimed);
        for batch in self.0 {
            let place: Arc<Path> = Path::new(PLACE).into();
            let positions = read::locate(&place, &batch.schema(), &mut columns)?;
            let claimed: Vec<_> = positions.into_iter().map(|position| Arc::clone(batch.column(position))).collect();
            read::send_columns(&place, &claimed, batch.num_rows(), &mut feed)?;
        }
        Ok(())
    }
}

/// Without a batch there is no schema, so no column that a claim could be about.
impl Recount for Batches<'_> {
    fn recount(&self, claims: &[Claim], options: &Options, progress: &dyn Fn(u64)) -> Result<Verdict, VerifyError> {
        let counts = Counts::new(claims, options)?;
        if self.0.is_empty() {
            return Err(VerifyError::EmptyFile { file: PLACE.into() });
        }
        let tally = count::count(counts.plan(), progress, |feed| self.read(&counts.plan().columns, feed))?;
        counts.verdict_on(tally)
    }
}
