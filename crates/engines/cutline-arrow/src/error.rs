//! What can go wrong between the records and us, sorted by who can put it right.

use std::path::PathBuf;

use arrow_schema::ArrowError;
use cutline_engine::{Blame, CHANGED, EngineError, EngineFault, InputFormat};
use cutline_model::recoding::LabelError;
use parquet::errors::ParquetError;

/// An error of a source or a sink.
///
/// The message says what is wrong and where; [`FileError::hint`] says what to do. Neither ever holds the value of a cell:
/// names of files and columns, line numbers and counts are all that a message may show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    // The caller's to fix: see `Blame::Arguments`.
    /// No file, folder or match of a pattern.
    #[error("`{}` does not exist", path.display())]
    NotFound {
        /// The location as given.
        path: PathBuf,
    },
    /// A folder or pattern without a single file in a known format.
    #[error("`{}` holds no file in a format that can be read", path.display())]
    NothingToRead {
        /// The location as given.
        path: PathBuf,
    },
    /// The extension says nothing about the format.
    #[error("the format of `{}` is not clear from its extension", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The files of one table are in several formats.
    #[error("`{}` is {format}, but the files before it are {first}", path.display())]
    MixedFormats {
        /// The first file that differs.
        path: PathBuf,
        /// Its format.
        format: InputFormat,
        /// The format of the files before it.
        first: InputFormat,
    },
    /// The delimiter is not a character that can separate fields.
    #[error("the delimiter {delimiter:?} cannot separate fields")]
    BadDelimiter {
        /// The delimiter as given.
        delimiter: char,
    },
    /// The caller's column names do not fit the file.
    #[error("{given} column names were given, but `{}` has {found} columns", path.display())]
    ColumnNames {
        /// The file.
        path: PathBuf,
        /// How many names the caller gave.
        given: usize,
        /// How many columns the file has.
        found: usize,
    },
    /// A character that cannot stand before decimals or between thousands.
    #[error("{character:?} cannot stand before decimals or between thousands")]
    BadNotation {
        /// The character.
        character: char,
    },
    /// The name of an encoding that nobody knows.
    #[error("`{name}` is no encoding of characters")]
    UnknownEncoding {
        /// The name as given.
        name: String,
    },
    /// Column names are given, and nothing tells what the first line is.
    #[error("the first line of `{}` could be a header or a record", path.display())]
    HeaderOrRecord {
        /// The file.
        path: PathBuf,
    },
    /// Something that the format at hand cannot do.
    #[error("`{}`: {what}", path.display())]
    Unsupported {
        /// The file that is read or written.
        path: PathBuf,
        /// What is not possible.
        what: String,
        /// What to do instead.
        hint: &'static str,
    },

    // The data's: see `Blame::Data`.
    /// A file without a header and without a record.
    #[error("`{}` is empty", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A record with too few or too many fields.
    #[error("`{}` line {line}: {found} fields where the table has {expected} columns", path.display())]
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line where the record starts, from 1.
        line: u64,
        /// Fields per record, as the first line has it.
        expected: usize,
        /// Fields in this record.
        found: usize,
    },
    /// Bytes that are not UTF-8.
    #[error("`{}` line {line}, byte {byte}: not valid UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The byte in the line, from 1.
        byte: usize,
    },
    /// Bytes that are no text of the encoding that was said or marked.
    #[error("`{}` line {line}: not valid {encoding}", path.display())]
    NotEncoded {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The encoding.
        encoding: &'static str,
    },
    /// A quoted field that does not end.
    #[error("`{}` line {line}: the quote that opens here is never closed", path.display())]
    UnclosedQuote {
        /// The file.
        path: PathBuf,
        /// The line of the opening quote, from 1.
        line: u64,
    },
    /// A record that is larger than any real one.
    #[error("`{}` line {line}: a record of more than {limit} bytes starts here", path.display())]
    RecordTooLong {
        /// The file.
        path: PathBuf,
        /// The line where the record starts, from 1.
        line: u64,
        /// The largest size of a record.
        limit: usize,
    },
    /// Two columns of one name.
    #[error("`{}` has two columns named `{name}`", path.display())]
    DuplicateColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// What to do.
        hint: String,
    },
    /// The files of one table do not have the same columns.
    #[error("`{}` does not have the columns of `{}`: {detail}", path.display(), first_path.display())]
    SchemaMismatch {
        /// The file that differs.
        path: PathBuf,
        /// The first file of the table.
        first_path: PathBuf,
        /// The first difference.
        detail: String,
    },
    /// A line that is not a JSON object, or one that does not fit the lines before it.
    #[error("`{}` line {line}: {problem}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong, without the text of the line.
        problem: String,
    },
    /// A line of an ARFF file that cannot be read.
    #[error("`{}` line {line}: {problem}", path.display())]
    Arff {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong, without the text of the line.
        problem: String,
    },
    /// A cell of a spreadsheet that has no value.
    #[error("`{}` sheet `{sheet}`, row {row}, column `{column}`: a formula has failed", path.display())]
    Formula {
        /// The file.
        path: PathBuf,
        /// The sheet.
        sheet: String,
        /// The row, as the program that made it counts.
        row: u64,
        /// The column.
        column: String,
    },
    /// A spreadsheet that does not have the sheet, or several.
    #[error("`{}` {problem}", path.display())]
    Sheet {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// The sheets that there are.
        hint: String,
    },
    /// Arrow cannot make sense of a file, or write a table.
    #[error("`{}`: {source}", path.display())]
    Arrow {
        /// The file.
        path: PathBuf,
        /// What Arrow says.
        source: ArrowError,
    },
    /// Parquet cannot make sense of a file, or write a table.
    #[error("`{}`: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What Parquet says.
        source: ParquetError,
    },

    /// A file that makes the reader of its format give up.
    #[error("`{}`: the reader of this format has given up on it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A column of bytes that are no text, or of a type that has none.
    #[error("`{}`: column `{column}` holds values that are not text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A column with values that the type of the written file does not reach: a time in seconds may be too far away for milliseconds.
    #[error("column `{column}` has values that are out of reach for the type that it gets in the file")]
    OutOfReach {
        /// The column.
        column: String,
    },
    /// A column with numbers of a declared notation, and others that have a decimal point.
    #[error("`{}`: column `{column}` has numbers as they are said to be written, and others with a decimal point", path.display())]
    MixedNotation {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// Two columns of one name, in a file whose first line is probably a record.
    #[error("`{}` has two columns of one name, and its first line looks like a record", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// Somebody wrote to a file while it was read.
    #[error("`{}` changed while it was read", path.display())]
    Changed {
        /// The file, or the table.
        path: PathBuf,
    },

    /// A value has no label.
    #[error("attribute `{attribute}`: {error}")]
    Value {
        /// The attribute.
        attribute: String,
        /// What is wrong with the value.
        error: LabelError,
    },

    // The machine's: see `Blame::Machine`.
    /// The operating system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried: "read", "write", "open", "list".
        action: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// A cluster cannot be worked out: a defect of whoever describes it.
    #[error("a cluster cannot be worked out: {0}")]
    Cluster(String),
    /// The table has more combinations of the grouped values than the plan allows.
    #[error("more than {0} combinations of values do not fit into the memory that is allowed")]
    TooMany(u64),
    /// The user stopped the work.
    #[error("interrupted")]
    Interrupted,
}

impl EngineFault for FileError {
    fn blame(&self) -> Blame {
        use FileError::*;
        match self {
            NotFound { .. }
            | NothingToRead { .. }
            | UnknownFormat { .. }
            | MixedFormats { .. }
            | BadDelimiter { .. }
            | ColumnNames { .. }
            | UnknownEncoding { .. }
            | BadNotation { .. }
            | Sheet { .. }
            | HeaderOrRecord { .. }
            | Unsupported { .. } => Blame::Arguments,
            Empty { .. }
            | Ragged { .. }
            | NotUtf8 { .. }
            | NotEncoded { .. }
            | UnclosedQuote { .. }
            | RecordTooLong { .. }
            | DuplicateColumn { .. }
            | SchemaMismatch { .. }
            | Json { .. }
            | Arff { .. }
            | Formula { .. }
            | Arrow { .. }
            | Parquet { .. }
            | Changed { .. }
            | Damaged { .. }
            | NotText { .. }
            | OutOfReach { .. }
            | NoHeader { .. }
            | MixedNotation { .. }
            | Value { .. } => Blame::Data,
            Io { source, .. } if is_damage(source) => Blame::Data,
            Io { .. } => Blame::Machine,
            Cluster(_) => Blame::Defect,
            TooMany(_) => Blame::Machine,
            Interrupted => Blame::Interrupted,
        }
    }

    fn hint(&self) -> &str {
        use FileError::*;
        match self {
            NotFound { .. } => "check the spelling and the working directory; put a pattern in quotes",
            NothingToRead { .. } => {
                "subfolders, hidden files and names that start with `_` are not read; \
                 give a file, a pattern such as 'folder/**/*.csv', or the format"
            }
            UnknownFormat { .. } => "say it with ‹input-format›: csv, parquet, arrow, jsonl, xlsx, ods or arff",
            MixedFormats { .. } => "give a pattern that selects one of the formats, such as 'folder/*.csv'",
            BadDelimiter { .. } => "use one ASCII character other than a quote or a line break",
            ColumnNames { .. } => "give one name for every column, in order",
            HeaderOrRecord { .. } => {
                "if it is a record, say ‹no-header›; if it is a header, leave ‹columns› out, or set `header = true` in a spec to rename"
            }
            Unsupported { hint, .. } => hint,
            Empty { .. } => "a table needs a header line; is this the right file?",
            Ragged { .. } => "put fields that contain the delimiter or a line break in quotes, or state the delimiter",
            NotUtf8 { .. } => {
                "say how its characters are stored, as in ‹encoding windows-1252› or ‹encoding utf-16le›; what is no text must be left out"
            }
            BadNotation { .. } => {
                "‹decimal› is usually `,` or `.`, ‹thousands› the other one, a blank or an apostrophe"
            }
            MixedNotation { .. } => {
                "write the numbers of a column in one way; if the point stands between thousands, say so with ‹thousands .›"
            }
            NotEncoded { .. } => "say another ‹encoding›; if it is right, the file is damaged",
            UnknownEncoding { .. } => {
                "usual ones are utf-8, utf-16le, utf-16be, windows-1252 (latin1), iso-8859-15 and windows-1250"
            }
            UnclosedQuote { .. } => "close the quote, or double a quote character that is part of a value",
            RecordTooLong { .. } => "is a quote missing, or is this not a text table?",
            DuplicateColumn { hint, .. } => hint,
            SchemaMismatch { .. } => "the files of one table must have the same columns in the same order",
            Json { .. } => "every line must hold one JSON object, with values of one kind per key",
            Arff { .. } => {
                "the header declares each column with `@attribute NAME TYPE`, then come `@data` and a line for each record"
            }
            Formula { .. } => "put the value there, or leave the cell empty; `#N/A` is a missing value",
            Sheet { hint, .. } => hint,
            Changed { .. } => CHANGED,
            Value { .. } => "the recoding was made for other values: see its taxonomies and ranges",
            Io { source, .. } if is_damage(source) => DAMAGED,
            Arrow { .. } | Parquet { .. } | Damaged { .. } => DAMAGED,
            NotText { .. } => "store the values as text, for example in hexadecimal, or leave the column out",
            OutOfReach { .. } => "write another ‹format›, such as arrow or csv, or leave the column out",
            NoHeader { .. } => "if the file has no header line, say so with ‹no-header›",
            Io { .. } => "check the permissions, the free space and the connection of the disk",
            Cluster(_) => "this is a defect of Cutline: please report it with the spec and the version",
            TooMany(_) => "allow more memory",
            Interrupted => "run it again to start over",
        }
    }
}

impl From<FileError> for EngineError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Value { attribute, error } => EngineError::Value { attribute, error },
            FileError::Cluster(what) => EngineError::Cluster(what),
            FileError::Changed { path } => EngineError::Changed(path.display().to_string()),
            FileError::TooMany(most) => EngineError::TooMany(most),
            FileError::Interrupted => EngineError::Interrupted,
            error => EngineError::Fault(Box::new(error)),
        }
    }
}

const DAMAGED: &str = "the file may be damaged or incomplete; write it again";

/// Whether the bytes of a packed file are wrong, not the disk.
fn is_damage(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::*;
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_file_and_the_line() {
        let error = FileError::Ragged { path: "a.csv".into(), line: 7, expected: 3, found: 2 };
        assert_eq!(error.to_string(), "`a.csv` line 7: 2 fields where the table has 3 columns");
        assert_eq!(error.blame(), Blame::Data);
        assert!(error.hint().contains("quotes"));
    }

    #[test]
    fn a_system_error_keeps_its_cause() {
        let error = FileError::Io { path: "a.csv".into(), action: "open", source: std::io::Error::other("gone") };
        assert_eq!(error.to_string(), "cannot open `a.csv`: gone");
        assert!(std::error::Error::source(&error).is_some());
        assert_eq!(error.blame(), Blame::Machine);
    }
}
