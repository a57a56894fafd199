//! One file of a table: the same bytes in every pass.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use crate::encoding::{Encoding, Undecodable, decoded};
use crate::error::FileError;
use crate::files::io_error;
use crate::packed::Compression;
use crate::reading::Reading;

/// One file of a table, on disk or built into the program.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    path: PathBuf,
    bytes: u64,
    content: Content,
    compression: Compression,
    /// How its characters are stored, if that was said.
    encoding: Option<Encoding>,
}

/// Where the bytes are.
#[derive(Clone, Debug)]
enum Content {
    BuiltIn(&'static [u8]),
    /// A file that stays open: another one that is given its name does not matter.
    Held(Arc<File>, Stamp),
    /// One of very many files, opened whenever it is read.
    Named(Stamp),
}

/// What changes when somebody writes to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn new(metadata: &Metadata) -> Self {
        Stamp { bytes: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl Input {
    /// A file that stays open. What is not a regular file (a pipe, a terminal) can be read only once, so its bytes are put aside first.
    pub(crate) fn held(path: PathBuf) -> Result<Self, FileError> {
        let open = |path: &Path| {
            let file = File::open(path)?;
            let (file, compression) = match file.metadata()?.is_file() {
                true => (file, Compression::by_extension(path)),
                false => spooled(file)?,
            };
            let stamp = Stamp::new(&file.metadata()?);
            Ok((file, stamp, compression))
        };
        let (file, stamp, compression) = open(&path).map_err(|e| io_error(&path, "open", e))?;
        let content = Content::Held(Arc::new(file), stamp);
        Ok(Self { path, bytes: stamp.bytes, content, compression, encoding: None })
    }

    /// A file that is opened whenever it is read.
    pub(crate) fn named(path: PathBuf) -> Result<Self, FileError> {
        let metadata = fs::metadata(&path).map_err(|e| io_error(&path, "open", e))?;
        let (compression, content) = (Compression::by_extension(&path), Content::Named(Stamp::new(&metadata)));
        Ok(Self { path, bytes: metadata.len(), content, compression, encoding: None })
    }

    pub(crate) fn built_in(name: &str, bytes: &'static [u8]) -> Self {
        let (compression, content) = (Compression::by_extension(Path::new(name)), Content::BuiltIn(bytes));
        Self { path: name.into(), bytes: bytes.len() as u64, content, compression, encoding: None }
    }

    /// The same file, whose characters are stored so.
    pub(crate) fn encoded(self, encoding: Option<Encoding>) -> Self {
        Self { encoding, ..self }
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
        self.compression
    }

    /// The file itself, for formats that need random access. They do not read all bytes in every pass, so the file must look as it did
    /// when it was opened.
    pub(crate) fn reading(&self) -> Result<Reading, FileError> {
        self.unchanged()?;
        self.opened()
    }

    /// The unpacked bytes from the start, as UTF-8.
    pub(crate) fn stream(&self) -> Result<Stream, FileError> {
        let stored: Box<dyn Read + Send> = match self.content {
            Content::BuiltIn(bytes) => Box::new(bytes),
            _ => Box::new(self.opened()?),
        };
        let taken = Arc::new(AtomicU64::new(0));
        let counted = Counted { stored, taken: Arc::clone(&taken) };
        let unpacked = self.compression.unpacked(counted).and_then(|unpacked| decoded(unpacked, self.encoding));
        let unpacked = unpacked.map_err(|e| self.io("read", e))?;
        Ok(Stream { unpacked, taken })
    }

    /// An error if somebody wrote to the file since it was opened first.
    pub(crate) fn unchanged(&self) -> Result<(), FileError> {
        let (now, stamp) = match &self.content {
            Content::BuiltIn(_) => return Ok(()),
            Content::Held(file, stamp) => (file.metadata(), stamp),
            Content::Named(stamp) => (fs::metadata(&self.path), stamp),
        };
        let now = now.map_err(|e| self.io("open", e))?;
        if Stamp::new(&now) == *stamp { Ok(()) } else { Err(self.changed()) }
    }

    /// The error for a file that is not what it was.
    pub(crate) fn changed(&self) -> FileError {
        FileError::Changed { path: self.path.clone() }
    }

    fn opened(&self) -> Result<Reading, FileError> {
        let file = match &self.content {
            Content::Held(file, _) => Arc::clone(file),
            _ => Arc::new(File::open(&self.path).map_err(|e| self.io("open", e))?),
        };
        Ok(Reading::new(file, self.bytes))
    }

    pub(crate) fn io(&self, action: &'static str, source: io::Error) -> FileError {
        match source.get_ref().and_then(|cause| cause.downcast_ref::<Undecodable>()) {
            Some(&Undecodable { line, encoding }) => FileError::NotEncoded { path: self.path.clone(), line, encoding },
            None => io_error(&self.path, action, source),
        }
    }
}

/// The bytes as a file of their own, and how they are packed, which no name tells. The file has no name, so nobody else can open it, and
/// it is gone with the process, however that ends.
fn spooled(mut bytes: File) -> io::Result<(File, Compression)> {
    let mut spool = tempfile::tempfile()?;
    io::copy(&mut bytes, &mut spool)?;
    let mut start = Vec::new();
    spool.rewind()?;
    spool.by_ref().take(16).read_to_end(&mut start)?;
    Ok((spool, Compression::by_content(&start)))
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

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
            let input = Input::held(path).unwrap();
            let mut stream = input.stream().unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            assert_eq!(text, "a,b\n1,2\n");
            assert_eq!(stream.taken(), input.bytes());
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_can_be_read_only_once_is_put_aside_and_can_be_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let writer = std::thread::spawn({
            let path = path.clone();
            move || fs::write(path, zstd::encode_all(&b"a\n1\n"[..], 1).unwrap())
        });
        let input = Input::held(path).unwrap();
        writer.join().unwrap().unwrap();
        for _ in 0..2 {
            let mut text = String::new();
            input.stream().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "a\n1\n");
        }
        assert_eq!(input.compression(), Compression::Zstd, "no name tells it");
    }

    #[test]
    fn a_file_that_was_opened_is_read_even_if_another_one_gets_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "a\n1\n").unwrap();
        let (held, named) = (Input::held(path.clone()).unwrap(), Input::named(path.clone()).unwrap());
        fs::write(folder.path().join("b.csv"), "b\n2\n3\n").unwrap();
        fs::rename(folder.path().join("b.csv"), &path).unwrap();
        let mut text = String::new();
        held.reading().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "a\n1\n");
        assert!(matches!(named.reading(), Err(FileError::Changed { .. })));
    }
}
