//! Where do records go to? Arrow batches as files.
//!
//! A sink has two halves: an [`Encoder`] that turns batches into what will be written, on any
//! thread, and a [`Writer`] that writes that in order.
//!
//! ```text
//!  batch ──► Encoder::encode (any thread) ──► Encoded ──► Writer::write (in order) ──► file
//! ```
//!
//! To add a format: a module with the two halves, and a line in [`create`].

mod csv;
mod ipc;
mod json;
mod labels;
mod parquet;
mod raw;
mod rebatch;
#[cfg(test)]
mod tests;
mod values;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Field, SchemaRef};

pub(crate) use self::labels::are_few;
pub(crate) use self::raw::are_raw;
pub(crate) use self::rebatch::Rebatch;
pub(crate) use self::values::{Kept, Values};
use crate::error::FileError;
use crate::source::TextStyle;
use cutline_engine::Format;

/// The key of a field's metadata that says how the text of the column is to be read, if not as the
/// text of the other columns. The one value is [`TEXT_PLAIN`].
pub const TEXT_KEY: &str = "cutline.text";

/// The column holds plain values, such as masked labels, even if the others are raw CSV fields.
pub const TEXT_PLAIN: &str = "plain";

/// The key of a field's metadata that says that its dictionary is how texts come, and not the type of the column: in a file they are texts like
/// those of any other.
pub(crate) const WORDS_KEY: &str = "cutline.words";

/// What an encoder hands to its writer.
#[derive(Debug)]
pub enum Encoded {
    /// Bytes to be written as they are.
    Bytes(Vec<u8>),
    /// A batch that the writer encodes.
    Batch(RecordBatch),
}

/// The half of a sink that runs on any thread.
pub trait Encoder: Send + Sync {
    /// Turns a batch into what will be written. Batches have the schema that the sink was created
    /// with.
    fn encode(&self, batch: &RecordBatch) -> Result<Encoded, FileError>;
}

/// The half of a sink that runs in order.
pub trait Writer {
    /// Writes what the encoder made of the next batch.
    fn write(&mut self, encoded: Encoded) -> Result<(), FileError>;

    /// Writes what is left, and gives the file back so that the caller can sync it to disk.
    fn finish(self: Box<Self>) -> Result<File, FileError>;
}

/// The two halves of a sink.
pub type Sink = (Arc<dyn Encoder>, Box<dyn Writer>);

/// Creates a sink that writes a table to `file` in a format.
///
/// `path` is for messages. `schema` is that of the batches to come, and `text` says how their string
/// columns are to be read; a field whose metadata has [`TEXT_KEY`] is read as that says.
///
/// - CSV: raw fields are written byte for byte, with the delimiter and the line ends of the source;
///   plain values are quoted where they must be. A null is an empty field, an empty string is `""`.
/// - JSON lines, Parquet and Arrow: raw fields are unquoted, and an empty field without quotes is a
///   null. Types are kept, except that Parquet and Arrow get `Utf8` in place of string views, and Parquet dictionaries wide keys.
pub fn create(
    file: File,
    path: &Path,
    format: Format,
    schema: &SchemaRef,
    text: TextStyle,
    threads: usize,
) -> Result<Sink, FileError> {
    let path = path.to_path_buf();
    match format {
        Format::Csv => csv::create(file, path, schema, text),
        Format::JsonLines => json::create(file, path, schema, text),
        Format::Parquet => parquet::create(file, path, schema, text, threads),
        Format::Arrow => ipc::create(file, path, schema, text),
    }
}

/// Whether a column holds raw CSV fields.
fn is_raw(field: &Field, text: TextStyle) -> bool {
    let is_plain = field.metadata().get(TEXT_KEY).is_some_and(|style| style == TEXT_PLAIN);
    matches!(text, TextStyle::Csv { .. }) && !is_plain
}

/// Writes bytes as they come.
struct BytesWriter {
    file: File,
    path: PathBuf,
}

impl Writer for BytesWriter {
    fn write(&mut self, encoded: Encoded) -> Result<(), FileError> {
        match encoded {
            Encoded::Bytes(bytes) => self.write_bytes(&bytes),
            Encoded::Batch(_) => Err(foreign(&self.path)),
        }
    }

    fn finish(self: Box<Self>) -> Result<File, FileError> {
        Ok(self.file)
    }
}

impl BytesWriter {
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.file.write_all(bytes).map_err(|source| FileError::Io { path: self.path.clone(), action: "write", source })
    }
}

/// The error for what another sink's encoder made.
fn foreign(path: &Path) -> FileError {
    FileError::Unsupported {
        path: path.into(),
        what: "what was encoded for one sink was handed to another".to_string(),
        hint: "this is a defect of Cutline: please report it",
    }
}
