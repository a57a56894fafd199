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

impl Format {
    /// The format that a file name promises; `.gz` and `.zst` are looked through.
    pub fn by_extension(name: &str) -> Option<Self> {
        let name = name.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
        let packed = [".gz", ".gzip", ".zst", ".zstd"].iter().find_map(|packed| name.strip_suffix(packed));
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
        assert_eq!(by("adult.data"), None);
        assert_eq!(by("a.gz"), None);
        assert_eq!(by("csv"), None);
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
