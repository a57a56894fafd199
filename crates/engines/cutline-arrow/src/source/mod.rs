//! Where are the records? Tables as streams of Arrow batches.
//!
//! A [`Source`] is opened once and read as often as needed. Reading gives [`Chunk`]s: taking the next
//! one is cheap and sequential, reading it is the work and runs on any thread
//! (see `parallel`).
//!
//! ```text
//!  file, folder, pattern ──► files ──► chunks (blocks, row groups, batches) ──► record batches
//! ```
//!
//! To add a format: a module with a type that implements [`Source`], a variant of [`cutline_engine::Format`], and a
//! line in [`open`].

mod arff;
mod blocks;
mod csv;
mod foreign;
mod ipc;
mod json;
mod memory;
mod parquet;
mod schema;
mod sheet;
#[cfg(test)]
mod tests;
mod text;
mod typed;
mod without;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cutline_engine::{Format, InputFormat};

use self::csv::CsvSource;
use self::ipc::IpcSource;
use self::json::JsonSource;
pub use self::memory::MemorySource;
use self::parquet::ParquetSource;
pub use self::text::{TextStyle, unquote};
pub(crate) use self::typed::{KIND_CATEGORY, KIND_KEY, typed};
pub(crate) use self::without::Without;
use crate::encoding::Encoding;
use crate::error::FileError;
use crate::files;
use crate::input::Input;
use crate::notation::Notation;

/// A piece of a table, to be read on any thread.
pub type BoxedChunk<'a> = Box<dyn Chunk + 'a>;

/// The pieces of a table in the order of its records.
pub type Chunks<'a> = Box<dyn Iterator<Item = Result<BoxedChunk<'a>, FileError>> + Send + 'a>;

/// A table that is read in one or more passes.
///
/// # Contract
/// Each pass gives the same records in the same order, and batches that have exactly the types of
/// [`Source::schema`]. If files change in between, [`Chunk::digest`] or [`Source::unchanged`] tells, whatever lengths and times say.
pub trait Source: Send + Sync {
    /// The names and types of the columns. Names are unique.
    ///
    /// For CSV every column is `Utf8View` and holds the raw text of the fields, quotes included.
    fn schema(&self) -> SchemaRef;

    /// The format of the files, or that in which others would expect such a table.
    fn format(&self) -> Format;

    /// How the text of string columns is to be read.
    fn text(&self) -> TextStyle;

    /// How numbers are written in string columns.
    fn notation(&self) -> Notation {
        Notation::default()
    }

    /// The bytes that one pass reads, as they are stored: for progress.
    fn bytes(&self) -> u64;

    /// An error if what was learned of a file when it was opened, and is not read again in every pass, is no longer so.
    fn unchanged(&self) -> Result<(), FileError> {
        Ok(())
    }

    /// Starts a pass: independent pieces in the order of the records.
    ///
    /// Taking the next piece is sequential and does little more than read bytes; nothing may be
    /// taken after an error.
    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError>;
}

/// A piece of a table.
pub trait Chunk: Send {
    /// The bytes read for this piece, as they are stored. Those of all pieces add up to at most
    /// [`Source::bytes`].
    fn bytes(&self) -> u64;

    /// Reads all stored bytes of this piece and gives a number that follows from them; 0 where nobody can write to them. Those of the
    /// given columns are kept: [`Chunk::read`] makes its records of the very bytes that were digested.
    fn digest(&mut self, columns: &[usize]) -> Result<u64, FileError>;

    /// Reads the records of this piece.
    ///
    /// `columns` are indexes into the schema, ascending. The batches have exactly these columns;
    /// with none, they still have the right number of records.
    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError>;

    /// The same for whoever only asks which cells are alike: a column of text may be one of places in a block, whose field says so
    /// (`CELLS_KEY`), which is made in less time.
    fn read_cells(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        self.read(columns)
    }

    /// Hands over the batches of either one after the other: nobody holds all of them where they can be made one by one.
    fn each(self: Box<Self>, columns: &[usize], wanted: Wanted, take: &mut Take<'_>) -> Result<(), FileError> {
        let batches = match wanted {
            Wanted::Records => self.read(columns)?,
            Wanted::Cells => self.read_cells(columns)?,
        };
        batches.into_iter().try_for_each(take)
    }
}

/// What a pass asks of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What [`Chunk::read`] reads.
    Records,
    /// What [`Chunk::read_cells`] reads.
    Cells,
}

/// Whoever takes batches.
pub type Take<'t> = dyn FnMut(RecordBatch) -> Result<(), FileError> + 't;

/// The key of a field's metadata that says that its lists of bytes are cells of a text file, and text.
pub(crate) const CELLS_KEY: &str = "cutline.cells";

/// How a table is to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceOptions {
    /// The format; `None` to go by the extension.
    pub format: Option<InputFormat>,
    /// What separates the fields of a CSV file. `None` for a tab in `.tsv` files, and otherwise the
    /// first of comma, semicolon and tab that stands in the first line outside quotes.
    pub delimiter: Option<u8>,
    /// Whether a CSV file starts with the names of its columns. `None` if it does unless [`SourceOptions::columns`] are given: then its
    /// first line decides, and if it could be either, that is an error.
    pub header: Option<bool>,
    /// The names of the columns of a CSV file, in place of those in its header. Without a header and
    /// without names, columns are called `column1`, `column2` and so on.
    pub columns: Option<Vec<String>>,
    /// How the characters of a text file are stored, unless a byte order mark tells. `None` for UTF-8.
    pub encoding: Option<Encoding>,
    /// How numbers are written in a CSV file.
    pub notation: Notation,
    /// The sheet of a spreadsheet. `None` for the only one that is not empty.
    pub sheet: Option<String>,
}

/// Opens a table: a file, all the files of a folder, or all the files that match a pattern.
///
/// Several files are one table in the order of their names. They must be in one format and have the
/// same columns. CSV and JSON lines may be packed (`.gz`, `.zst`, `.xz`, `.bz2`) and in any encoding. What has to be read now is read by so
/// many threads.
pub fn open(location: &str, options: &SourceOptions, threads: usize) -> Result<Box<dyn Source>, FileError> {
    let (inputs, format) = files::resolve(location, options.format)?;
    let inputs = inputs.into_iter().map(|input| input.encoded(options.encoding)).collect();
    Ok(match format {
        InputFormat::Table(Format::Csv) => Box::new(CsvSource::open(inputs, options)?),
        InputFormat::Table(Format::Parquet) => Box::new(ParquetSource::open(inputs)?),
        InputFormat::Table(Format::Arrow) => Box::new(IpcSource::open(inputs)?),
        InputFormat::Table(Format::JsonLines) => Box::new(JsonSource::open(inputs, threads)?),
        InputFormat::Spreadsheet => Box::new(sheet::open(&alone(inputs)?, options)?),
        InputFormat::Arff => Box::new(arff::open(&alone(inputs)?)?),
    })
}

/// The one file of a format whose tables are not in several.
fn alone(mut inputs: Vec<Input>) -> Result<Input, FileError> {
    match (inputs.pop(), inputs.is_empty()) {
        (Some(input), true) => Ok(input),
        (input, _) => Err(FileError::Unsupported {
            path: input.map(|input| input.path().to_owned()).unwrap_or_default(),
            what: "of this format, one file is one table".to_owned(),
            hint: "name the file, or export the files as CSV",
        }),
    }
}

/// Opens a CSV table that is built into the program: names and contents of its files, which may be
/// packed as their names say.
pub fn open_builtin(files: &[(&str, &'static [u8])], options: &SourceOptions) -> Result<Box<dyn Source>, FileError> {
    let inputs = files.iter().map(|(name, bytes)| Input::built_in(name, bytes)).collect();
    Ok(Box::new(CsvSource::open(inputs, options)?))
}
