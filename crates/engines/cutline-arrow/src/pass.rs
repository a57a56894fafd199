//! One pass over the records, whatever it is for.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Schema};

use crate::embedded::Embedded;
use crate::error::FileError;
use crate::parallel::{HandOn, streamed};
use crate::source::{BoxedChunk, Wanted};
use cutline_engine::{Blame, EngineFault, Watch};

/// Reads some columns (ascending positions) of all records. `look` works on batches on all cores; `take` gets what it made of them, in
/// record order.
///
/// All passes read the same bytes: the first one remembers a digest of every piece, and in the others nothing is made of a piece that is
/// another one now.
pub(crate) fn pass<T: Send>(
    engine: &Embedded,
    columns: &[usize],
    look: impl Fn(&RecordBatch) -> Result<T, FileError> + Sync,
    take: impl FnMut(T) -> Result<(), FileError>,
    watch: &dyn Watch,
) -> Result<(), FileError> {
    numbered_pass(engine, columns, |batch, _| look(batch), take, watch)
}

/// The same for whoever only asks which cells are alike: see [`Chunk::read_cells`](crate::source::Chunk::read_cells).
pub(crate) fn cells_pass<T: Send>(
    engine: &Embedded,
    columns: &[usize],
    look: impl Fn(&RecordBatch) -> Result<T, FileError> + Sync,
    take: impl FnMut(T) -> Result<(), FileError>,
    watch: &dyn Watch,
) -> Result<(), FileError> {
    run(engine, (columns, Wanted::Cells), |batch, _| look(batch), take, watch)
}

/// The same, where `look` is told how many records there are before the batch, if a pass before this one has found that out.
pub(crate) fn numbered_pass<T: Send>(
    engine: &Embedded,
    columns: &[usize],
    look: impl Fn(&RecordBatch, Option<usize>) -> Result<T, FileError> + Sync,
    take: impl FnMut(T) -> Result<(), FileError>,
    watch: &dyn Watch,
) -> Result<(), FileError> {
    run(engine, (columns, Wanted::Records), look, take, watch)
}

/// A batch without columns.
fn of_records(records: usize) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(records));
    RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options)
}

/// What is made of a chunk.
enum Piece<T> {
    /// Of a batch of it.
    Look(T),
    /// Of all of it.
    End { records: usize, bytes: u64, digest: u64 },
}

fn run<T: Send>(
    engine: &Embedded,
    (columns, wanted): (&[usize], Wanted),
    look: impl Fn(&RecordBatch, Option<usize>) -> Result<T, FileError> + Sync,
    mut take: impl FnMut(T) -> Result<(), FileError>,
    watch: &dyn Watch,
) -> Result<(), FileError> {
    let known = engine.seen.get();
    let starts = engine.starts.get();
    // What could be read before and cannot be read now has changed.
    let explained = |error: FileError| match error.blame() {
        Blame::Data if known.is_some() => engine.changed(),
        _ => error,
    };
    let read = |(number, mut chunk): (usize, BoxedChunk<'_>), hand_on: &mut HandOn<'_, Piece<T>>| {
        let (bytes, digest) = (chunk.bytes(), chunk.digest(columns).map_err(explained)?);
        if known.is_some_and(|known| known.get(number) != Some(&digest)) {
            return Err(engine.changed());
        }
        let start = starts.and_then(|starts| starts.get(number).copied());
        let mut records = 0;
        let mut take = |batch: RecordBatch| {
            hand_on(Piece::Look(look(&batch, start.map(|start| start + records))?))?;
            records += batch.num_rows();
            Ok(())
        };
        match (start, starts.and_then(|starts| starts.get(number + 1))) {
            // How many records there are is all that is to be known of them.
            (Some(start), Some(end)) if columns.is_empty() => {
                take(of_records(end - start).map_err(|source| engine.arrow(source))?)?;
            }
            _ => chunk.each(columns, wanted, &mut take)?,
        }
        hand_on(Piece::End { records, bytes, digest })
    };
    let (mut seen, mut found, mut records) = (Vec::new(), Vec::new(), 0);
    let chunks = engine.source.chunks()?.enumerate().map(|(number, chunk)| Ok((number, chunk.map_err(explained)?)));
    let outcome = streamed(engine.threads, chunks, read, |piece| match piece {
        Piece::Look(look) => take(look),
        Piece::End { records: of_chunk, bytes, digest } => {
            seen.push(digest);
            found.push(records);
            records += of_chunk;
            watch.advance(bytes);
            if watch.cancelled() { Err(FileError::Interrupted) } else { Ok(()) }
        }
    });
    match outcome {
        Err(error) if error.blame() != Blame::Data => return Err(error),
        // Whatever was read or went wrong: what the files were when they were opened decides.
        outcome => engine.source.unchanged().and(outcome)?,
    }
    match engine.seen.set(seen) {
        Err(seen) if engine.seen.get() != Some(&seen) => return Err(engine.changed()),
        _ => (),
    }
    found.push(records);
    match engine.starts.set(found) {
        Err(found) if engine.starts.get() != Some(&found) => Err(engine.changed()),
        _ => Ok(()),
    }
}
