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

use super::values::{Dictionaries, Values};
use super::{Encoded, Encoder, Sink, Writer, foreign};
use crate::error::FileError;
use crate::files::io_error;
use crate::source::TextStyle;

pub(super) fn create(file: File, path: PathBuf, schema: &SchemaRef, text: TextStyle) -> Result<Sink, FileError> {
    let values = Values::new(&path, schema, text, Dictionaries::Flatten);
    let writer =
        FileWriter::try_new(BufWriter::new(file), values.schema()).map_err(|source| arrow_error(&path, source))?;
    Ok((Arc::new(ValuesEncoder { values }), Box::new(IpcWriter { path, writer })))
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
}

impl Writer for IpcWriter {
    fn write(&mut self, encoded: Encoded) -> Result<(), FileError> {
        match encoded {
            Encoded::Batch(batch) => self.writer.write(&batch).map_err(|source| arrow_error(&self.path, source)),
            Encoded::Bytes(_) => Err(foreign(&self.path)),
        }
    }

    fn finish(self: Box<Self>) -> Result<File, FileError> {
        let path = self.path;
        let buffered = self.writer.into_inner().map_err(|source| arrow_error(&path, source))?;
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
