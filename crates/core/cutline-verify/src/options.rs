//! How to read the table, and what to say about it.

use std::fmt;
use std::num::NonZeroUsize;

use crate::{Notation, Persons, Population};

/// The file format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Delimited text, perhaps compressed (`.csv`, `.tsv`, and these with `.gz`, `.zst`, `.xz` or `.bz2`).
    Csv,
    /// Apache Parquet (`.parquet`).
    Parquet,
    /// The Arrow IPC file format (`.arrow`, `.feather`, `.ipc`).
    Arrow,
    /// One JSON object a line, perhaps compressed (`.jsonl`, `.ndjson`, and these with `.gz`, `.zst`,
    /// `.xz` or `.bz2`).
    JsonLines,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Csv => "CSV",
            Format::Parquet => "Parquet",
            Format::Arrow => "Arrow IPC",
            Format::JsonLines => "JSON lines",
        })
    }
}

/// What is said of a condition about a value that no record has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Absent {
    /// An error: the value is more likely misspelled than meant.
    Refuse,
    /// It holds: the value is known to be right, and no record may be left that has it.
    Allow,
}

/// How to read the table, and how much to report.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The format of every file; without it the extension decides.
    pub format: Option<Format>,
    /// The delimiter of CSV files. Without it, a tab for `.tsv` files, and otherwise the first of comma, semicolon and tab that
    /// stands in the first line outside quotes.
    pub delimiter: Option<u8>,
    /// How the characters of text files are stored, by the names of the Encoding Standard. A byte order mark wins; without either, UTF-8.
    pub encoding: Option<String>,
    /// Whether CSV files have a header. Without one the columns are `column1`, `column2`, ...
    pub header: bool,
    /// How many of the smallest groups to list.
    pub worst: usize,
    /// Whether to list the contents of these groups, and the sensitive values, which are values of records.
    pub keep_values: bool,
    /// Attributes whose values someone could infer: every finding gets a [`Confidence`](crate::Confidence) about each.
    pub sensitive: Vec<String>,
    /// Which person a record is about, if groups count persons too: every finding gets a
    /// [`PersonFinding`](crate::PersonFinding), and holds only if every group has k persons.
    pub persons: Option<Persons>,
    /// How the table was drawn from a population, if it was: every finding gets a [`PopulationRisk`](crate::PopulationRisk).
    pub population: Option<Population>,
    /// Texts that stand for a missing value in sensitive columns and in that of persons, beside null and the empty text.
    pub nulls: Vec<String>,
    /// How numbers are written in sensitive columns and in that of weights. (Texts of numbers in QIDs are counted as they are.)
    pub notation: Notation,
    /// Whether to count the groups by the attributes of all claims together, too, if there are several.
    pub union: bool,
    /// Whether a condition may be about a value that no record has.
    pub absent: Absent,
    /// How many threads read and count, the calling one among them; without it, one for every core. The verdict, and the error
    /// if there is one, do not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            format: None,
            delimiter: None,
            encoding: None,
            header: true,
            worst: 5,
            keep_values: false,
            sensitive: Vec::new(),
            persons: None,
            population: None,
            nulls: Vec::new(),
            notation: Notation::default(),
            union: false,
            absent: Absent::Refuse,
            threads: None,
        }
    }
}

impl Options {
    /// The column that says which person a record is about, if there is one.
    pub(crate) fn person_column(&self) -> Option<&str> {
        match &self.persons {
            Some(Persons::Column(name)) => Some(name),
            _ => None,
        }
    }

    /// The column of survey weights, if there is one.
    pub(crate) fn weight_column(&self) -> Option<&str> {
        match &self.population {
            Some(Population::Weights(name)) => Some(name),
            _ => None,
        }
    }
}

#[cfg(feature = "files")]
impl Options {
    /// The number of threads that read and count.
    pub(crate) fn threads(&self) -> usize {
        self.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}
