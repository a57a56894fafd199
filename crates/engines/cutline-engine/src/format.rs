//! In which format is a table stored?

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A file format that tables are read from and written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Text, a record a line, fields separated by a delimiter (RFC 4180).
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC, also known as Feather version 2.
    Arrow,
    /// Text, a JSON object a line.
    #[serde(rename = "jsonl", alias = "ndjson")]
    JsonLines,
}

/// What follows the extension of a packed file.
const PACKED: [&str; 6] = [".gz", ".gzip", ".zst", ".zstd", ".xz", ".bz2"];

impl Format {
    /// The format that a file name promises; `.gz`, `.zst`, `.xz` and `.bz2` are looked through.
    pub fn by_extension(name: &str) -> Option<Self> {
        let name = name.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
        let packed = PACKED.iter().find_map(|packed| name.strip_suffix(packed));
        let (stem, extension) = packed.unwrap_or(&name).rsplit_once('.')?;
        match extension {
            _ if stem.is_empty() => None,
            "csv" | "tsv" | "tab" | "txt" => Some(Self::Csv),
            "parquet" | "pq" => Some(Self::Parquet),
            "arrow" | "arrows" | "ipc" | "feather" => Some(Self::Arrow),
            "jsonl" | "ndjson" | "json" => Some(Self::JsonLines),
            _ => None,
        }
    }

    /// Does a file name promise that its content is packed?
    pub fn is_packed(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        PACKED.iter().any(|packed| name.ends_with(packed))
    }

    /// The extension of files that are written in this format, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::JsonLines => "jsonl",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "CSV",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            Self::JsonLines => "JSON lines",
        })
    }
}

/// A format that tables are read from: all those that are written, and some that others write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputFormat {
    /// One that is written too.
    Table(Format),
    /// A sheet of a spreadsheet: Excel or OpenDocument.
    Spreadsheet,
    /// Attribute-relation file format, as Weka writes it: text with a header that says which columns are names and which are numbers.
    Arff,
}

impl From<Format> for InputFormat {
    fn from(format: Format) -> Self {
        InputFormat::Table(format)
    }
}

impl InputFormat {
    /// The format that a file name promises; `.gz`, `.zst`, `.xz` and `.bz2` are looked through.
    pub fn by_extension(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let unpacked = PACKED.iter().find_map(|packed| lower.strip_suffix(packed)).unwrap_or(&lower);
        match unpacked.rsplit_once('.').filter(|(stem, _)| !stem.is_empty() && !stem.ends_with(['/', '\\'])) {
            Some((_, "xlsx" | "xlsm" | "xlsb" | "xls" | "ods")) => Some(InputFormat::Spreadsheet),
            Some((_, "arff")) => Some(InputFormat::Arff),
            _ => Format::by_extension(name).map(InputFormat::Table),
        }
    }

    /// The usual extension of such files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            InputFormat::Table(format) => format.extension(),
            InputFormat::Spreadsheet => "xlsx",
            InputFormat::Arff => "arff",
        }
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputFormat::Table(format) => format.fmt(f),
            InputFormat::Spreadsheet => f.write_str("a spreadsheet"),
            InputFormat::Arff => f.write_str("ARFF"),
        }
    }
}

impl FromStr for InputFormat {
    type Err = UnknownFormatName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name.to_ascii_lowercase().as_str() {
            "xlsx" | "ods" | "xls" => Ok(InputFormat::Spreadsheet),
            "arff" => Ok(InputFormat::Arff),
            _ => name.parse().map(InputFormat::Table),
        }
    }
}

/// A name that is not one of the formats.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a format: use csv, parquet, arrow or jsonl")]
pub struct UnknownFormatName(String);

impl FromStr for Format {
    type Err = UnknownFormatName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name.to_ascii_lowercase().as_str() {
            "csv" | "tsv" => Ok(Self::Csv),
            "parquet" => Ok(Self::Parquet),
            "arrow" | "ipc" | "feather" => Ok(Self::Arrow),
            "jsonl" | "ndjson" | "json-lines" => Ok(Self::JsonLines),
            _ => Err(UnknownFormatName(name.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_tells_the_format() {
        let by = Format::by_extension;
        assert_eq!(by("a.csv"), Some(Format::Csv));
        assert_eq!(by("dir.x/a.TSV.gz"), Some(Format::Csv));
        assert_eq!(by("a.b.parquet"), Some(Format::Parquet));
        assert_eq!(by("a.feather"), Some(Format::Arrow));
        assert_eq!(by("a.ndjson.zst"), Some(Format::JsonLines));
        assert_eq!((by("a.csv.xz"), by("a.jsonl.bz2")), (Some(Format::Csv), Some(Format::JsonLines)));
        assert_eq!(by("adult.data"), None);
        assert_eq!(by("a.gz"), None);
        assert_eq!(by("csv"), None);
    }

    #[test]
    fn more_is_read_than_is_written() {
        let by = InputFormat::by_extension;
        assert_eq!(by("a/b.XLSX"), Some(InputFormat::Spreadsheet));
        assert_eq!((by("a.ods"), by("a.arff.gz")), (Some(InputFormat::Spreadsheet), Some(InputFormat::Arff)));
        assert_eq!(by("a.csv.xz"), Some(Format::Csv.into()));
        assert_eq!((by(".ods"), by("x/.ods"), by("ods")), (None, None, None));
        for format in [InputFormat::Spreadsheet, InputFormat::Arff, Format::Parquet.into()] {
            assert_eq!(format.extension().parse(), Ok(format));
        }
    }

    #[test]
    fn a_written_extension_reads_back_as_the_format() {
        for format in [Format::Csv, Format::Parquet, Format::Arrow, Format::JsonLines] {
            let name = format!("a.{}", format.extension());
            assert_eq!(Format::by_extension(&name), Some(format));
            assert_eq!(format.extension().parse(), Ok(format));
        }
        assert!("xlsx".parse::<Format>().unwrap_err().to_string().contains("xlsx"));
    }
}
