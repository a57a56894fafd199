//! Which files make up a table, and how are their bytes read?

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use crate::error::FileError;
use cutline_engine::Format;

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    pub(crate) fn by_extension(path: &Path) -> Self {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Self::Gzip,
            "zst" | "zstd" => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// One file of a table, on disk or built into the program.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    path: PathBuf,
    bytes: u64,
    built_in: Option<&'static [u8]>,
}

impl Input {
    pub(crate) fn on_disk(path: PathBuf) -> Result<Self, FileError> {
        let metadata = fs::metadata(&path).map_err(|e| io_error(&path, "open", e))?;
        Ok(Self { bytes: metadata.len(), path, built_in: None })
    }

    pub(crate) fn built_in(name: &str, bytes: &'static [u8]) -> Self {
        Self { path: name.into(), bytes: bytes.len() as u64, built_in: Some(bytes) }
    }

    /// The name for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes as stored, before unpacking.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn compression(&self) -> Compression {
        Compression::by_extension(&self.path)
    }

    /// The file itself, for formats that need random access.
    pub(crate) fn file(&self) -> Result<File, FileError> {
        File::open(&self.path).map_err(|e| self.io("open", e))
    }

    /// The unpacked bytes from the start.
    pub(crate) fn stream(&self) -> Result<Stream, FileError> {
        let stored: Box<dyn Read + Send> = match self.built_in {
            Some(bytes) => Box::new(bytes),
            None => Box::new(self.file()?),
        };
        let taken = Arc::new(AtomicU64::new(0));
        let counted = Counted { stored, taken: Arc::clone(&taken) };
        let unpacked: Box<dyn Read + Send> = match self.compression() {
            Compression::None => Box::new(counted),
            Compression::Gzip => Box::new(MultiGzDecoder::new(counted)),
            Compression::Zstd => Box::new(zstd::Decoder::new(counted).map_err(|e| self.io("read", e))?),
        };
        Ok(Stream { unpacked, taken })
    }

    pub(crate) fn io(&self, action: &'static str, source: io::Error) -> FileError {
        io_error(&self.path, action, source)
    }
}

/// The unpacked bytes of an input, and how many stored bytes they took so far.
pub(crate) struct Stream {
    unpacked: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
}

impl Stream {
    /// Stored bytes read so far.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.unpacked.read(buffer)
    }
}

struct Counted {
    stored: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stored.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// The files at a location (a file, a folder or a pattern), sorted by name, and their one format.
///
/// Of a folder, only the files directly in it are taken, and of those only the ones in a known
/// format, unless the caller states the format. Hidden files and files such as `_SUCCESS` are
/// never taken from a folder or for a pattern.
pub(crate) fn resolve(location: &str, format: Option<Format>) -> Result<(Vec<Input>, Format), FileError> {
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
    let inputs = paths.into_iter().map(Input::on_disk).collect::<Result<Vec<_>, _>>()?;
    Ok((inputs, format))
}

fn in_folder(folder: &Path, format: Option<Format>) -> Result<Vec<PathBuf>, FileError> {
    let list = |e| io_error(folder, "list", e);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(list)? {
        let path = entry.map_err(list)?.path();
        let known = format.is_some() || Format::by_extension(&path.to_string_lossy()).is_some();
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

fn common_format(paths: &[PathBuf]) -> Result<Format, FileError> {
    let mut first = None;
    for path in paths {
        let format = Format::by_extension(&path.to_string_lossy())
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
    use std::io::Write;

    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "a\n1\n").unwrap();
        }
        folder
    }

    fn names(location: &Path, format: Option<Format>) -> Vec<String> {
        let (inputs, _) = resolve(location.to_str().unwrap(), format).unwrap();
        let name = |i: &Input| i.path().file_name().unwrap().to_string_lossy().into_owned();
        inputs.iter().map(name).collect()
    }

    #[test]
    fn a_folder_gives_its_readable_files_by_name() {
        let folder = folder(&["b.csv", "a.csv.gz", ".c.csv", "_SUCCESS", "_d.csv", "README.md"]);
        fs::create_dir(folder.path().join("sub.csv")).unwrap();
        assert_eq!(names(folder.path(), None), ["a.csv.gz", "b.csv"]);
        assert_eq!(names(folder.path(), Some(Format::Csv)), ["README.md", "a.csv.gz", "b.csv"]);
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
        assert!(resolve(&at("a.data"), Some(Format::Csv)).is_ok());
    }

    #[test]
    fn mixed_formats_are_an_error() {
        let folder = folder(&["a.csv", "b.parquet"]);
        let error = resolve(folder.path().to_str().unwrap(), None).unwrap_err();
        assert!(matches!(error, FileError::MixedFormats { format: Format::Parquet, .. }));
    }

    #[test]
    fn packed_files_are_unpacked_and_counted_as_stored() {
        let folder = tempfile::tempdir().unwrap();
        let gz = folder.path().join("a.csv.gz");
        // Two gzip members in one file, as log rotation writes them.
        let mut packed = Vec::new();
        for part in ["a,b\n", "1,2\n"] {
            let mut encoder = flate2::write::GzEncoder::new(&mut packed, Default::default());
            encoder.write_all(part.as_bytes()).unwrap();
            encoder.finish().unwrap();
        }
        fs::write(&gz, &packed).unwrap();
        let zst = folder.path().join("a.csv.zst");
        fs::write(&zst, zstd::encode_all(&b"a,b\n1,2\n"[..], 1).unwrap()).unwrap();
        for path in [gz, zst] {
            let input = Input::on_disk(path).unwrap();
            let mut stream = input.stream().unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            assert_eq!(text, "a,b\n1,2\n");
            assert_eq!(stream.taken(), input.bytes());
        }
    }
}
