//! JSON lines: batches become lines on any thread.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::SchemaRef;

use super::values::{Kept, Values};
use super::{BytesWriter, Encoded, Encoder, Sink};
use crate::error::FileError;
use crate::source::TextStyle;

pub(super) fn create(file: File, path: PathBuf, schema: &SchemaRef, text: TextStyle) -> Result<Sink, FileError> {
    let values = Values::new(&path, schema, text, Kept::Nothing);
    let encoder = JsonEncoder { path: path.clone(), values };
    Ok((Arc::new(encoder), Box::new(BytesWriter { file, path })))
}

struct JsonEncoder {
    path: PathBuf,
    values: Values,
}

impl Encoder for JsonEncoder {
    fn encode(&self, batch: &RecordBatch) -> Result<Encoded, FileError> {
        let batch = self.values.of(batch)?;
        // A null is written out: every record has all keys, so the table reads back as it is.
        let builder = WriterBuilder::new().with_explicit_nulls(true);
        let mut writer = builder.build::<_, LineDelimited>(Vec::new());
        writer.write(&batch).and_then(|()| writer.finish()).map_err(|_| FileError::Unsupported {
            path: self.path.clone(),
            what: "a column has a type that JSON lines cannot hold".to_string(),
            hint: "write the table as Parquet, or leave the column out",
        })?;
        Ok(Encoded::Bytes(writer.into_inner()))
    }
}
