//! How does a table get there?

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use cutline_remote::batches::Problem;

/// The most rows that are uploaded at once: servers refuse messages that are too long.
const MOST_ROWS: usize = 250_000;

/// A table in pieces that can be uploaded.
pub(crate) fn pieces(batch: &RecordBatch) -> Result<Vec<Vec<u8>>, Problem> {
    let starts = (0..batch.num_rows().max(1)).step_by(MOST_ROWS);
    let pieces = starts.map(|start| {
        let piece = batch.slice(start, MOST_ROWS.min(batch.num_rows() - start));
        let mut bytes = Vec::new();
        let mut writer = StreamWriter::try_new(&mut bytes, &piece.schema())?;
        writer.write(&piece)?;
        writer.finish()?;
        drop(writer);
        Ok(bytes)
    });
    pieces.collect::<Result<_, ArrowError>>().map_err(|_| "labels are no table")
}
