//! A table that goes to whoever reads a stream, once it is verified: `cutline anonymize - -o - | gzip`.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cutline_engine::{Audience, EngineError, Format, Place, Target, Written};
use cutline_report::Report;
use cutline_verify::{Recount, WrittenFile};

use crate::folder::fault;
use crate::shelf::Document;
use crate::staging::Hidden;
use crate::{Draft, Error, Observer};

/// A release whose table went to a stream.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// The full report, for the steward alone.
    pub report: Report,
    /// Everything else that the folder of a release has, in the order in which it was made.
    pub documents: Vec<Document>,
}

impl Draft {
    /// Publishes the table alone, into a stream. It is written aside and verified there before the first byte goes out.
    ///
    /// # Errors
    /// As those of [`Draft::publish`]; [`Error::CutOff`] if nobody reads to the end.
    pub fn publish_to(&self, stream: &mut dyn Write, observer: &dyn Observer) -> Result<Streamed, Error> {
        let target = Stream::new(stream)?;
        let documents = Rc::clone(&target.documents);
        let report = self.publish(Box::new(target), observer)?;
        Ok(Streamed { report, documents: documents.take() })
    }
}

/// Where the table is made before it goes out.
pub(crate) struct Stream<'w> {
    hidden: Hidden,
    stream: &'w mut dyn Write,
    documents: Rc<RefCell<Vec<Document>>>,
}

impl<'w> Stream<'w> {
    pub(crate) fn new(stream: &'w mut dyn Write) -> Result<Self, Error> {
        Ok(Stream { hidden: Hidden::temporary()?, stream, documents: Rc::default() })
    }

    fn table(&self) -> PathBuf {
        self.hidden.path(TABLE)
    }
}

/// The name of the table while it is made. Its format is known without an extension.
const TABLE: &str = "table";

impl Target for Stream<'_> {
    fn place(&self, format: Format) -> Result<Place, EngineError> {
        Ok(Place::File { location: self.table(), format })
    }

    fn recounted(&self, _: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        Ok(Box::new(WrittenFile::new(self.table())))
    }

    fn size(&self, _: &Written) -> u64 {
        fs::metadata(self.table()).map_or(0, |metadata| metadata.len())
    }

    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        let (name, content) = (name.to_owned(), content.to_owned());
        self.documents.borrow_mut().push(Document { audience, name, content });
        Ok(())
    }

    fn publish(self: Box<Self>) -> Result<(), EngineError> {
        let Stream { hidden, stream, .. } = *self;
        pour(&hidden.path(TABLE), stream).map_err(fault)
    }
}

/// Writes a file into a stream.
fn pour(file: &Path, stream: &mut dyn Write) -> Result<(), Error> {
    let mut table = File::open(file).map_err(|source| Error::Io { path: file.to_owned(), action: "read", source })?;
    let poured = io::copy(&mut table, stream).and_then(|_| stream.flush());
    poured.map_err(|source| match source.kind() {
        ErrorKind::BrokenPipe => Error::CutOff,
        _ => Error::Io { path: "the stream".into(), action: "write the table to", source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes.
    struct Short(usize);

    impl Write for Short {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.min(bytes.len()) {
                0 => Err(ErrorKind::BrokenPipe.into()),
                taken => {
                    self.0 -= taken;
                    Ok(taken)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_goes_away_has_not_got_the_table() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "a\n1\n").unwrap();
        let mut whole = Vec::new();
        pour(file.path(), &mut whole).unwrap();
        assert_eq!(whole, b"a\n1\n");
        assert!(pour(file.path(), &mut Short(4)).is_ok());
        assert!(matches!(pour(file.path(), &mut Short(3)), Err(Error::CutOff)));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_verified_yet_is_seen_by_nobody_and_gone_afterwards() {
        use std::os::unix::fs::PermissionsExt;
        let hidden = Hidden::temporary().unwrap();
        let folder = hidden.path("").parent().unwrap().to_owned();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o077, 0);
        drop(hidden);
        assert!(!folder.exists());
    }
}
