//! Arrow IPC, in the file format.
//!
//! Not compressed, so that programs can map the file into memory and use it as it is.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};

use super::rebatch::Rebatch;
use super::values::{Kept, Values};
use super::{Encoded, Encoder, Sink, Writer, foreign};
use crate::error::FileError;
use crate::files::io_error;
use crate::source::TextStyle;

pub(super) fn create(file: File, path: PathBuf, schema: &SchemaRef, text: TextStyle) -> Result<Sink, FileError> {
    let values = Values::new(&path, schema, text, Kept::Nothing);
    let writer =
        FileWriter::try_new(BufWriter::new(file), values.schema()).map_err(|source| arrow_error(&path, source))?;
    let batches = Rebatch::new(values.schema().clone());
    Ok((Arc::new(ValuesEncoder { values }), Box::new(IpcWriter { path, writer, batches })))
}

/// Hands values to a writer that encodes them.
pub(super) struct ValuesEncoder {
    pub(super) values: Values,
}

impl Encoder for ValuesEncoder {
    fn encode(&self, batch: &RecordBatch) -> Result<Encoded, FileError> {
        Ok(Encoded::Batch(self.values.of(batch)?))
    }
}

struct IpcWriter {
    path: PathBuf,
    writer: FileWriter<BufWriter<File>>,
    batches: Rebatch,
}

impl Writer for IpcWriter {
    fn write(&mut self, encoded: Encoded) -> Result<(), FileError> {
        let Encoded::Batch(batch) = encoded else { return Err(foreign(&self.path)) };
        let full = self.batches.add(&batch);
        let written = full.and_then(|full| full.iter().try_for_each(|batch| self.writer.write(batch)));
        written.map_err(|source| arrow_error(&self.path, source))
    }

    fn finish(self: Box<Self>) -> Result<File, FileError> {
        let IpcWriter { path, mut writer, mut batches } = *self;
        let failed = |source| arrow_error(&path, source);
        batches.rest().and_then(|rest| rest.iter().try_for_each(|batch| writer.write(batch))).map_err(failed)?;
        let buffered = writer.into_inner().map_err(failed)?;
        buffered.into_inner().map_err(|e| io_error(&path, "write", e.into_error()))
    }
}

/// What Arrow says, or the system through it.
fn arrow_error(path: &std::path::Path, source: ArrowError) -> FileError {
    match source {
        ArrowError::IoError(_, source) => io_error(path, "write", source),
        source => FileError::Arrow { path: path.into(), source },
    }
}
