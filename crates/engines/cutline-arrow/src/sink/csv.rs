//! CSV: columns become raw fields, and raw fields become lines, on any thread.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringViewArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::{BytesWriter, Encoded, Encoder, Sink, is_raw, raw};
use crate::error::FileError;
use crate::source::TextStyle;

/// The bytes of a view after its length, and the most that a view holds in itself.
const VIEW_BYTES: usize = 16;
const INLINE_BYTES: usize = 12;

pub(super) fn create(file: File, path: PathBuf, schema: &SchemaRef, text: TextStyle) -> Result<Sink, FileError> {
    let (delimiter, line_end) = match text {
        TextStyle::Plain => (b',', "\n"),
        TextStyle::Csv { delimiter, crlf } => (delimiter, if crlf { "\r\n" } else { "\n" }),
    };
    if let Some(field) = schema.fields().iter().find(|field| !is_flat(field.data_type())) {
        return Err(FileError::Unsupported {
            path,
            what: format!("column `{}` is {}: CSV has no such values", field.name(), field.data_type()),
            hint: "write the table as Parquet, or leave the column out",
        });
    }
    let raw = schema.fields().iter().map(|field| is_raw(field, text)).collect();
    let mut writer = BytesWriter { file, path: path.clone() };
    writer.write_bytes(header(schema, delimiter, line_end).as_bytes())?;
    Ok((Arc::new(CsvEncoder { path, raw, delimiter, line_end }), Box::new(writer)))
}

fn is_flat(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_flat(values),
        kind => !kind.is_nested(),
    }
}

fn header(schema: &Schema, delimiter: u8, line_end: &str) -> String {
    let mut line = String::new();
    for (i, field) in schema.fields().iter().enumerate() {
        if i > 0 {
            line.push(char::from(delimiter));
        }
        line.push_str(&raw::quote(field.name(), delimiter));
    }
    line + line_end
}

struct CsvEncoder {
    path: PathBuf,
    /// For each column, whether it holds raw fields.
    raw: Vec<bool>,
    delimiter: u8,
    line_end: &'static str,
}

impl CsvEncoder {
    fn fields(&self, batch: &RecordBatch, column: usize, field: &Field) -> Result<StringViewArray, FileError> {
        let text = raw::text(batch.column(column), field.name(), &self.path)?;
        let fields = if self.raw.get(column).copied().unwrap_or(false) {
            raw::without_nulls(text)
        } else {
            raw::quoted(text, self.delimiter)
        };
        Ok(if batch.num_columns() == 1 { raw::without_empty(fields) } else { fields })
    }
}

impl Encoder for CsvEncoder {
    fn encode(&self, batch: &RecordBatch) -> Result<Encoded, FileError> {
        let schema = batch.schema();
        let columns = (0..batch.num_columns())
            .map(|column| self.fields(batch, column, schema.field(column)))
            .collect::<Result<Vec<_>, _>>()?;
        let lines = join(&columns, batch.num_rows(), self.delimiter, self.line_end);
        if !has_stray_returns(&lines, batch.num_rows(), self.line_end) {
            return Ok(Encoded::Bytes(lines));
        }
        let columns: Vec<_> = columns.iter().map(|fields| raw::without_stray_returns(fields, self.delimiter)).collect();
        Ok(Encoded::Bytes(join(&columns, batch.num_rows(), self.delimiter, self.line_end)))
    }
}

/// Is there a carriage return that ends no line? Many readers would take it for a line end all the same.
fn has_stray_returns(lines: &[u8], records: usize, line_end: &str) -> bool {
    let expected = if line_end.contains('\r') { records } else { 0 };
    memchr::memchr_iter(b'\r', lines).count() > expected
}

/// Writes fields record by record.
///
/// A short field is copied with the zeros that pad its view, which the next field overwrites: a copy
/// of constant size takes a fraction of the time of one of variable size.
fn join(columns: &[StringViewArray], records: usize, delimiter: u8, line_end: &str) -> Vec<u8> {
    let separators = records * (columns.len().max(1) - 1 + line_end.len());
    let fields: usize = columns.iter().flat_map(|c| c.views().iter()).map(|&v| length(v)).sum();
    let mut lines = vec![0; fields + separators + VIEW_BYTES];
    let mut at = 0;
    for record in 0..records {
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                lines[at] = delimiter;
                at += 1;
            }
            let view = column.views()[record];
            let length = length(view);
            if length <= INLINE_BYTES {
                let inline = (view >> 32).to_le_bytes();
                lines[at..at + VIEW_BYTES].copy_from_slice(&inline);
            } else {
                let field = column.value(record).as_bytes();
                lines[at..at + length].copy_from_slice(field);
            }
            at += length;
        }
        lines[at..at + line_end.len()].copy_from_slice(line_end.as_bytes());
        at += line_end.len();
    }
    lines.truncate(at);
    lines
}

fn length(view: u128) -> usize {
    view as u32 as usize
}
