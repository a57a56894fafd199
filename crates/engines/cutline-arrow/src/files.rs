//! Which files make up a table?

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::FileError;
use crate::input::Input;
use cutline_engine::InputFormat;

/// Standard input has no name, but a path.
const STANDARD_INPUT: &str = "/dev/stdin";

/// So many files of one table stay open. Those of a table of more files are opened again in every pass.
const MOST_HELD: usize = 256;

/// The files at a location (a file, a folder or a pattern), sorted by name, and their one format.
///
/// Of a folder, only the files directly in it are taken, and of those only the ones in a known
/// format, unless the caller states the format. Hidden files and files such as `_SUCCESS` are
/// never taken from a folder or for a pattern.
pub(crate) fn resolve(location: &str, format: Option<InputFormat>) -> Result<(Vec<Input>, InputFormat), FileError> {
    let location = if location == "-" { STANDARD_INPUT } else { location };
    let path = Path::new(location);
    // A path that exists is meant literally, even if it looks like a pattern.
    let paths = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => in_folder(path, format)?,
        Ok(_) => vec![path.to_path_buf()],
        Err(e) if e.kind() == io::ErrorKind::NotFound => matches(location)?,
        Err(e) => return Err(io_error(path, "open", e)),
    };
    let format = match format {
        Some(format) => format,
        None => common_format(&paths)?,
    };
    let open = if paths.len() <= MOST_HELD { Input::held } else { Input::named };
    let inputs = paths.into_iter().map(open).collect::<Result<Vec<_>, _>>()?;
    Ok((inputs, format))
}

fn in_folder(folder: &Path, format: Option<InputFormat>) -> Result<Vec<PathBuf>, FileError> {
    let list = |e| io_error(folder, "list", e);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(list)? {
        let path = entry.map_err(list)?.path();
        let known = format.is_some() || InputFormat::by_extension(&path.to_string_lossy()).is_some();
        if known && path.is_file() && !is_private(&path) {
            paths.push(path);
        }
    }
    sorted(paths, folder)
}

fn matches(pattern: &str) -> Result<Vec<PathBuf>, FileError> {
    let path = PathBuf::from(pattern);
    if !pattern.contains(['*', '?', '[']) {
        return Err(FileError::NotFound { path });
    }
    let found = glob::glob(pattern).map_err(|_| FileError::NotFound { path: path.clone() })?;
    let mut paths = Vec::new();
    for entry in found {
        let found = entry.map_err(|e| io_error(&path, "list", e.into()))?;
        if found.is_file() && !is_private(&found) {
            paths.push(found);
        }
    }
    if paths.is_empty() {
        return Err(FileError::NotFound { path });
    }
    sorted(paths, &path)
}

fn sorted(mut paths: Vec<PathBuf>, location: &Path) -> Result<Vec<PathBuf>, FileError> {
    if paths.is_empty() {
        return Err(FileError::NothingToRead { path: location.into() });
    }
    paths.sort();
    Ok(paths)
}

fn is_private(path: &Path) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
    name.starts_with(['.', '_'])
}

fn common_format(paths: &[PathBuf]) -> Result<InputFormat, FileError> {
    let mut first = None;
    for path in paths {
        let format = InputFormat::by_extension(&path.to_string_lossy())
            .ok_or_else(|| FileError::UnknownFormat { path: path.clone() })?;
        let first = *first.get_or_insert(format);
        if format != first {
            return Err(FileError::MixedFormats { path: path.clone(), format, first });
        }
    }
    first.ok_or_else(|| FileError::NothingToRead { path: PathBuf::new() })
}

/// A system error with the path it is about.
pub(crate) fn io_error(path: &Path, action: &'static str, source: io::Error) -> FileError {
    if source.kind() == io::ErrorKind::NotFound {
        return FileError::NotFound { path: path.into() };
    }
    FileError::Io { path: path.into(), action, source }
}

#[cfg(test)]
mod tests {
    use cutline_engine::Format;

    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "a\n1\n").unwrap();
        }
        folder
    }

    fn names(location: &Path, format: Option<InputFormat>) -> Vec<String> {
        let (inputs, _) = resolve(location.to_str().unwrap(), format).unwrap();
        let name = |i: &Input| i.path().file_name().unwrap().to_string_lossy().into_owned();
        inputs.iter().map(name).collect()
    }

    #[test]
    fn a_folder_gives_its_readable_files_by_name() {
        let folder = folder(&["b.csv", "a.csv.gz", ".c.csv", "_SUCCESS", "_d.csv", "README.md"]);
        fs::create_dir(folder.path().join("sub.csv")).unwrap();
        assert_eq!(names(folder.path(), None), ["a.csv.gz", "b.csv"]);
        assert_eq!(names(folder.path(), Some(Format::Csv.into())), ["README.md", "a.csv.gz", "b.csv"]);
    }

    #[test]
    fn a_pattern_gives_its_matches_by_name() {
        let folder = folder(&["b2.csv", "b1.csv", "c.csv", ".b3.csv"]);
        assert_eq!(names(&folder.path().join("b*.csv"), None), ["b1.csv", "b2.csv"]);
    }

    #[test]
    fn a_file_that_looks_like_a_pattern_is_taken_literally() {
        let folder = folder(&["a[1].csv", "a1.csv"]);
        assert_eq!(names(&folder.path().join("a[1].csv"), None), ["a[1].csv"]);
    }

    #[test]
    fn what_is_not_there_or_not_clear_is_an_error() {
        let folder = folder(&["README.md", "a.data"]);
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        assert!(matches!(resolve(&at(""), None), Err(FileError::NothingToRead { .. })));
        assert!(matches!(resolve(&at("x.csv"), None), Err(FileError::NotFound { .. })));
        assert!(matches!(resolve(&at("*.csv"), None), Err(FileError::NotFound { .. })));
        assert!(matches!(resolve(&at("a.data"), None), Err(FileError::UnknownFormat { .. })));
        assert!(resolve(&at("a.data"), Some(Format::Csv.into())).is_ok());
    }

    #[test]
    fn mixed_formats_are_an_error() {
        let folder = folder(&["a.csv", "b.parquet"]);
        let error = resolve(folder.path().to_str().unwrap(), None).unwrap_err();
        assert!(matches!(error, FileError::MixedFormats { format: InputFormat::Table(Format::Parquet), .. }));
    }
}
