//! The counting thread: batches in, groups out.

use std::panic;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use arrow_array::ArrayRef;
use csv::ByteRecord;

use crate::VerifyError;
use crate::claim::{Grouping, Plan};
use crate::dictionary::Refused;
use crate::tally::Tally;

use super::expand::TableFile;
use super::{cells, read};

/// Batches that wait for the counting thread. More would only take memory.
const WAITING: usize = 4;

/// Some records of one file.
pub(crate) enum Batch {
    /// Rows of a CSV file, with the positions of the claimed columns.
    Rows { file: Arc<TableFile>, positions: Arc<[usize]>, rows: Rows },
    /// The claimed columns of some records of another file.
    Columns { file: Arc<Path>, columns: Vec<ArrayRef>, records: usize },
}

/// Rows whose allocations are used again and again; only the first `filled` are meant.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) records: Vec<ByteRecord>,
    pub(crate) filled: usize,
}

/// Why reading ended before the last record.
pub(crate) enum Stop {
    Error(VerifyError),
    /// The counting thread has found an error, and knows it.
    Counter,
}

impl From<VerifyError> for Stop {
    fn from(error: VerifyError) -> Self {
        Stop::Error(error)
    }
}

/// The reading side of the channel.
pub(crate) struct Feed<'a> {
    batches: SyncSender<Batch>,
    used: Receiver<Rows>,
    progress: &'a dyn Fn(u64),
    records: u64,
}

impl Feed<'_> {
    /// Hands a batch of so many records to the counting thread.
    pub(crate) fn send(&mut self, batch: Batch, records: usize) -> Result<(), Stop> {
        self.batches.send(batch).map_err(|_| Stop::Counter)?;
        self.records += records as u64;
        (self.progress)(self.records);
        Ok(())
    }

    /// These rows with room for more, preferably in the allocations of rows that were counted.
    pub(crate) fn rows_with(&self, start: impl IntoIterator<Item = ByteRecord>) -> Rows {
        let mut rows = self.used.try_recv().unwrap_or_default();
        rows.filled = 0;
        for record in start {
            rows.records.insert(rows.filled, record);
            rows.filled += 1;
        }
        rows
    }
}

/// Reads on this thread while another one counts.
pub(crate) fn count(
    plan: &Plan,
    progress: &dyn Fn(u64),
    read: impl FnOnce(Feed<'_>) -> Result<(), Stop>,
) -> Result<Tally, VerifyError> {
    let (batches, waiting) = sync_channel(WAITING);
    let (give_back, used) = channel();
    thread::scope(|scope| {
        let counter = scope.spawn(move || Counter::new(plan).run(&waiting, &give_back));
        let feed = Feed { batches, used, progress, records: 0 };
        let read = read(feed);
        let counted = counter.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        // The counter's error comes first: it is about an earlier record than the reader's.
        let tally = counted?;
        match read {
            Ok(()) => Ok(tally),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Counter) => unreachable!("the counter ends early only with an error"),
        }
    })
}

struct Counter<'a> {
    plan: &'a Plan,
    tally: Tally,
    /// The ids of the batch, for every claimed column.
    ids: Vec<Vec<u32>>,
    /// The groups that the records of the batch belong to.
    members: Vec<u32>,
}

impl<'a> Counter<'a> {
    fn new(plan: &'a Plan) -> Self {
        Counter { plan, tally: Tally::new(plan), ids: vec![Vec::new(); plan.columns.len()], members: Vec::new() }
    }

    fn run(mut self, waiting: &Receiver<Batch>, give_back: &Sender<Rows>) -> Result<Tally, VerifyError> {
        for batch in waiting {
            self.ids.iter_mut().for_each(Vec::clear);
            let records = match batch {
                Batch::Rows { file, positions, rows } => {
                    self.look_up_rows(&file, &positions, &rows.records[..rows.filled])?;
                    let records = rows.filled;
                    // The reader may have finished already.
                    let _ = give_back.send(rows);
                    records
                }
                Batch::Columns { file, columns, records } => {
                    self.look_up_columns(&file, &columns)?;
                    records
                }
            };
            self.count(records)?;
        }
        Ok(self.tally)
    }

    fn look_up_rows(&mut self, file: &TableFile, positions: &[usize], rows: &[ByteRecord]) -> Result<(), VerifyError> {
        let columns = positions.iter().zip(&mut self.tally.dictionaries).zip(&mut self.ids);
        for ((&position, dictionary), ids) in columns {
            for row in rows {
                // The reader has checked that all rows have all cells.
                let id = dictionary.id(&row[position]);
                ids.push(id.map_err(|refused| read::refused_row(file, positions, rows, refused))?);
            }
        }
        Ok(())
    }

    fn look_up_columns(&mut self, file: &Path, columns: &[ArrayRef]) -> Result<(), VerifyError> {
        let each = columns.iter().zip(&mut self.tally.dictionaries).zip(&mut self.ids);
        for (((array, dictionary), ids), name) in each.zip(&self.plan.columns) {
            cells::append_ids(array, dictionary, ids).map_err(|refused| match refused {
                Refused::Full => VerifyError::TooLarge { what: "values" },
                Refused::NoText | Refused::NotUtf8 => {
                    VerifyError::UnsupportedValue { file: file.to_owned(), column: name.clone() }
                }
            })?;
        }
        Ok(())
    }

    fn count(&mut self, records: usize) -> Result<(), VerifyError> {
        for (index, Grouping { attributes, sensitive }) in self.plan.groupings.iter().enumerate() {
            let groups = &mut self.tally.groups[index];
            let columns: Vec<&[u32]> = attributes.iter().map(|&column| &self.ids[column][..records]).collect();
            let mut key = vec![0; attributes.len()];
            self.members.clear();
            for record in 0..records {
                for (id, column) in key.iter_mut().zip(&columns) {
                    *id = column[record];
                }
                self.members.push(groups.add(&key, 1)?);
            }
            for (&column, pairs) in sensitive.iter().zip(&mut self.tally.pairs[index]) {
                for (&group, &id) in self.members.iter().zip(&self.ids[column]) {
                    pairs.add(&[group, id], 1)?;
                }
            }
        }
        Ok(())
    }
}
