//! One pass over the records, whatever it is for.

use arrow_array::RecordBatch;

use crate::embedded::Embedded;
use crate::error::FileError;
use crate::parallel::ordered;
use cutline_engine::Watch;

/// Reads some columns (ascending positions) of all records. `look` works on batches on all cores; `take` gets what it made of them, in
/// record order.
pub(crate) fn pass<T: Send>(
    engine: &Embedded,
    columns: &[usize],
    look: impl Fn(&RecordBatch) -> Result<T, FileError> + Sync,
    mut take: impl FnMut(T) -> Result<(), FileError>,
    watch: &dyn Watch,
) -> Result<(), FileError> {
    ordered(
        engine.threads,
        engine.source.chunks()?,
        |chunk| {
            let bytes = chunk.bytes();
            let looks = chunk.read(columns)?.into_iter().map(|batch| look(&batch));
            Ok((looks.collect::<Result<Vec<T>, FileError>>()?, bytes))
        },
        |(looks, bytes)| {
            looks.into_iter().try_for_each(&mut take)?;
            watch.advance(bytes);
            if watch.cancelled() { Err(FileError::Interrupted) } else { Ok(()) }
        },
    )
}
