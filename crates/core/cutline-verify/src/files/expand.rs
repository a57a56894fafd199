//! Which files are the table, and what is in each of them?

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Format, Options, VerifyError};

/// One file of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) compression: Compression,
    /// The delimiter, for CSV; `None` if the first line tells.
    pub(crate) delimiter: Option<u8>,
    /// How characters are stored, for text; `None` for UTF-8, or what a byte order mark says.
    pub(crate) encoding: Option<&'static encoding_rs::Encoding>,
}

impl TableFile {
    /// An I/O error about this file.
    pub(crate) fn io(&self, source: io::Error) -> VerifyError {
        VerifyError::Io { file: self.path.clone(), source }
    }
}

/// The compression of a text file, told by the last extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

/// The files that a path (file, folder or pattern) stands for, in the order they are read.
pub(super) fn expand(path: &Path, options: &Options) -> Result<Vec<TableFile>, VerifyError> {
    let paths = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => in_folder(path)?,
        Ok(_) => vec![path.to_owned()],
        Err(source) if source.kind() == io::ErrorKind::NotFound => matching(path)?,
        Err(source) => return Err(VerifyError::Io { file: path.to_owned(), source }),
    };
    if paths.is_empty() {
        return Err(VerifyError::NoFiles { path: path.to_owned() });
    }
    paths.into_iter().map(|file| describe(file, options)).collect()
}

/// The files of a folder by name, without hidden ones and markers such as `_SUCCESS`. A folder
/// inside is refused: skipping it could skip a part of the table.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, VerifyError> {
    let io = |source| VerifyError::Io { file: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if !is_hidden(&path) {
            paths.push(refuse_folder(path)?);
        }
    }
    paths.sort();
    Ok(paths)
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || (name.starts_with('_') && !name.contains('.'))
}

fn refuse_folder(path: PathBuf) -> Result<PathBuf, VerifyError> {
    if path.is_dir() {
        return Err(VerifyError::Unsupported { path, what: "folders in folders are not read" });
    }
    Ok(path)
}

/// The files that match a pattern, by name.
fn matching(pattern: &Path) -> Result<Vec<PathBuf>, VerifyError> {
    let missing = || VerifyError::MissingFile { path: pattern.to_owned() };
    let text = pattern.to_str().ok_or_else(missing)?;
    if !text.contains(['*', '?', '[']) {
        return Err(missing());
    }
    let rules = glob::MatchOptions { require_literal_leading_dot: true, ..Default::default() };
    let found = glob::glob_with(text, rules)
        .map_err(|error| VerifyError::BadPattern { path: pattern.to_owned(), source: error.into() })?;
    let mut paths = Vec::new();
    for path in found {
        let path = path.map_err(|error| {
            let file = error.path().to_owned();
            VerifyError::Io { file, source: error.into() }
        })?;
        paths.push(refuse_folder(path)?);
    }
    paths.sort();
    Ok(paths)
}

/// Format, compression and delimiter of a file, by its name and the options.
fn describe(path: PathBuf, options: &Options) -> Result<TableFile, VerifyError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let (stem, compression) = match name.rsplit_once('.') {
        Some((stem, "gz")) => (stem, Compression::Gzip),
        Some((stem, "zst")) => (stem, Compression::Zstd),
        Some((stem, "xz")) => (stem, Compression::Xz),
        Some((stem, "bz2")) => (stem, Compression::Bzip2),
        _ => (name.as_str(), Compression::None),
    };
    let extension = stem.rsplit_once('.').map_or("", |(_, extension)| extension);
    let Some(format) = options.format.or_else(|| format_of(extension)) else {
        return Err(VerifyError::UnknownExtension { file: path });
    };
    let text = matches!(format, Format::Csv | Format::JsonLines);
    if compression != Compression::None && !text {
        let what = "only CSV and JSON lines are read from a compressed file";
        return Err(VerifyError::Unsupported { path, what });
    }
    let delimiter = options.delimiter.or((extension == "tsv").then_some(b'\t'));
    let encoding = encoding(options)?;
    Ok(TableFile { path, format, compression, delimiter, encoding })
}

fn encoding(options: &Options) -> Result<Option<&'static encoding_rs::Encoding>, VerifyError> {
    let Some(name) = &options.encoding else { return Ok(None) };
    let known = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
    known.map(Some).ok_or_else(|| VerifyError::Encoding { name: name.clone() })
}

fn format_of(extension: &str) -> Option<Format> {
    match extension {
        "csv" | "tsv" => Some(Format::Csv),
        "parquet" => Some(Format::Parquet),
        "arrow" | "feather" | "ipc" => Some(Format::Arrow),
        "jsonl" | "ndjson" => Some(Format::JsonLines),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(name: &str) -> Option<(Format, Compression, Option<u8>)> {
        let file = describe(name.into(), &Options::default()).ok()?;
        Some((file.format, file.compression, file.delimiter))
    }

    #[test]
    fn the_extension_tells_the_format() {
        use Compression as C;
        let cases = [
            ("a.csv", Some((Format::Csv, C::None, None))),
            ("a.b.CSV", Some((Format::Csv, C::None, None))),
            ("a.tsv", Some((Format::Csv, C::None, Some(b'\t')))),
            ("a.csv.gz", Some((Format::Csv, C::Gzip, None))),
            ("a.tsv.zst", Some((Format::Csv, C::Zstd, Some(b'\t')))),
            ("a.csv.xz", Some((Format::Csv, C::Xz, None))),
            ("a.jsonl.bz2", Some((Format::JsonLines, C::Bzip2, None))),
            ("a.parquet", Some((Format::Parquet, C::None, None))),
            ("a.arrow", Some((Format::Arrow, C::None, None))),
            ("a.feather", Some((Format::Arrow, C::None, None))),
            ("a.ipc", Some((Format::Arrow, C::None, None))),
            ("a.jsonl.gz", Some((Format::JsonLines, C::Gzip, None))),
            ("a.ndjson", Some((Format::JsonLines, C::None, None))),
            ("a.parquet.gz", None),
            ("a.txt", None),
            ("a.gz", None),
            ("csv", None),
        ];
        for (name, expected) in cases {
            assert_eq!(described(name), expected, "{name}");
        }
    }

    #[test]
    fn the_options_win_over_the_extension() {
        let options = Options { format: Some(Format::Csv), delimiter: Some(b';'), ..Options::default() };
        let file = describe("table.tsv".into(), &options).unwrap();
        assert_eq!((file.format, file.delimiter), (Format::Csv, Some(b';')));
        assert_eq!(describe("table.txt".into(), &options).unwrap().format, Format::Csv);
    }

    #[test]
    fn markers_and_hidden_files_are_skipped_but_no_table() {
        assert!(is_hidden(Path::new("d/.part.csv")));
        assert!(is_hidden(Path::new("d/_SUCCESS")));
        assert!(!is_hidden(Path::new("d/_part.csv")));
    }
}
