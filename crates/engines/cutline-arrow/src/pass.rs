//! One pass over the records, whatever it is for.

use arrow_array::RecordBatch;

use crate::embedded::Embedded;
use crate::error::FileError;
use crate::parallel::ordered;
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
    mut take: impl FnMut(T) -> Result<(), FileError>,
    watch: &dyn Watch,
) -> Result<(), FileError> {
    let known = engine.seen.get();
    // What could be read before and cannot be read now has changed.
    let explained = |error: FileError| match error.blame() {
        Blame::Data if known.is_some() => engine.changed(),
        _ => error,
    };
    let mut seen = Vec::new();
    let outcome = ordered(
        engine.threads,
        engine.source.chunks()?.enumerate().map(|(number, chunk)| Ok((number, chunk.map_err(explained)?))),
        |(number, mut chunk)| {
            let (bytes, digest) = (chunk.bytes(), chunk.digest(columns).map_err(explained)?);
            if known.is_some_and(|known| known.get(number) != Some(&digest)) {
                return Err(engine.changed());
            }
            let looks = chunk.read(columns)?.into_iter().map(|batch| look(&batch));
            Ok((looks.collect::<Result<Vec<T>, FileError>>()?, bytes, digest))
        },
        |(looks, bytes, digest)| {
            looks.into_iter().try_for_each(&mut take)?;
            seen.push(digest);
            watch.advance(bytes);
            if watch.cancelled() { Err(FileError::Interrupted) } else { Ok(()) }
        },
    );
    match outcome {
        Err(error) if error.blame() != Blame::Data => return Err(error),
        // Whatever was read or went wrong: what the files were when they were opened decides.
        outcome => engine.source.unchanged().and(outcome)?,
    }
    match engine.seen.set(seen) {
        Err(seen) if engine.seen.get() != Some(&seen) => Err(engine.changed()),
        _ => Ok(()),
    }
}
