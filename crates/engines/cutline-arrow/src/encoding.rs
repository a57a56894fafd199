//! In which characters is a file written?

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use encoding_rs::{Decoder, DecoderResult, UTF_8};

use crate::error::FileError;

/// How the characters of a text file are stored, by the names of the Encoding Standard: `utf-8`, `utf-16le`, `windows-1252`,
/// `iso-8859-15`, `shift_jis` and so on. There `latin1` is Windows-1252, which has letters where ISO 8859-1 has nothing of use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// Its name in the standard.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

impl FromStr for Encoding {
    type Err = FileError;

    fn from_str(name: &str) -> Result<Self, FileError> {
        let label = match name.trim().to_ascii_lowercase().as_str() {
            "latin-1" | "latin 1" => "latin1".to_owned(),
            label => label.replace("utf16", "utf-16"),
        };
        encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())
            .map(Encoding)
            .ok_or_else(|| FileError::UnknownEncoding { name: name.to_owned() })
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The bytes as UTF-8. A byte order mark wins over what is said; without either, bytes are passed on as they are.
pub(crate) fn decoded(mut bytes: Box<dyn Read + Send>, said: Option<Encoding>) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::new();
    bytes.by_ref().take(3).read_to_end(&mut start)?;
    let marked = encoding_rs::Encoding::for_bom(&start).map(|(encoding, _)| encoding);
    let encoding = marked.or(said.map(|encoding| encoding.0)).unwrap_or(UTF_8);
    let bytes = io::Cursor::new(start).chain(bytes);
    // Whether it is UTF-8 is seen where records are split, on all cores.
    if encoding == UTF_8 {
        return Ok(Box::new(bytes));
    }
    Ok(Box::new(Decoding {
        bytes,
        encoding,
        decoder: encoding.new_decoder(),
        stored: Vec::new(),
        text: Vec::new(),
        given: 0,
        line: 1,
        at_end: false,
    }))
}

/// Bytes that are no text of the encoding that a file is said to have.
#[derive(Debug, thiserror::Error)]
#[error("not valid {encoding}")]
pub(crate) struct Undecodable {
    pub(crate) line: u64,
    pub(crate) encoding: &'static str,
}

const PIECE: usize = 64 * 1024;

struct Decoding<R> {
    bytes: R,
    encoding: &'static encoding_rs::Encoding,
    decoder: Decoder,
    /// Bytes that are read and not decoded.
    stored: Vec<u8>,
    /// Text that is decoded, of which the first `given` bytes were handed out.
    text: Vec<u8>,
    given: usize,
    line: u64,
    at_end: bool,
}

impl<R: Read> Decoding<R> {
    /// Decodes the next piece, in place of the text that was handed out.
    fn advance(&mut self) -> io::Result<()> {
        self.bytes.by_ref().take(PIECE as u64).read_to_end(&mut self.stored)?;
        self.at_end = self.stored.is_empty();
        let most = self.decoder.max_utf8_buffer_length_without_replacement(self.stored.len());
        self.text.resize(most.unwrap_or(4 * PIECE).max(16), 0);
        let (result, _, written) =
            self.decoder.decode_to_utf8_without_replacement(&self.stored, &mut self.text, self.at_end);
        self.stored.clear();
        self.text.truncate(written);
        self.given = 0;
        self.line += memchr::memchr_iter(b'\n', &self.text).count() as u64;
        match result {
            DecoderResult::Malformed(..) => {
                let undecodable = Undecodable { line: self.line, encoding: self.encoding.name() };
                Err(io::Error::new(io::ErrorKind::InvalidData, undecodable))
            }
            // There is room for all of it.
            DecoderResult::InputEmpty | DecoderResult::OutputFull => Ok(()),
        }
    }
}

impl<R: Read> Read for Decoding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.at_end {
            self.advance()?;
        }
        let read = (&self.text[self.given..]).read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(bytes: &[u8], said: Option<&str>) -> io::Result<String> {
        let said = said.map(|name| name.parse().unwrap());
        let mut text = String::new();
        decoded(Box::new(io::Cursor::new(bytes.to_vec())), said)?.read_to_string(&mut text)?;
        Ok(text)
    }

    fn utf16(text: &str, mark: bool) -> Vec<u8> {
        let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn a_mark_tells_and_wins_over_what_is_said() {
        assert_eq!(text(&utf16("é,b\n", true), None).unwrap(), "é,b\n");
        assert_eq!(text(&utf16("é,b\n", true), Some("latin-1")).unwrap(), "é,b\n");
        let big: Vec<u8> = utf16("é", true).chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect();
        assert_eq!(text(&big, None).unwrap(), "é");
        assert_eq!(text("é".as_bytes(), None).unwrap(), "é");
    }

    #[test]
    fn what_is_said_is_read_so() {
        assert_eq!(text(b"M\xfcller,\x80\n", Some("windows-1252")).unwrap(), "Müller,€\n");
        assert_eq!(text(b"M\xfcller\n", Some("Latin-1")).unwrap(), "Müller\n");
        assert_eq!(text(b"\xa4", Some("iso-8859-15")).unwrap(), "€");
        for name in ["utf-16le", "utf16", "UTF-16"] {
            assert_eq!(text(&utf16("b\n", false), Some(name)).unwrap(), "b\n");
        }
        assert!(matches!("klingon".parse::<Encoding>(), Err(FileError::UnknownEncoding { .. })));
    }

    #[test]
    fn what_is_no_text_is_an_error_that_knows_its_line() {
        // Half a pair of surrogates, and half a unit.
        for end in [&[0x00, 0xd8, b'a', 0][..], &[b'a'][..]] {
            let error = text(&[&utf16("a\nb\n", true)[..], end].concat(), None).unwrap_err();
            let undecodable = error.get_ref().unwrap().downcast_ref::<Undecodable>().unwrap();
            assert_eq!((undecodable.line, undecodable.encoding), (3, "UTF-16LE"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn pieces_do_not_matter(words in prop::collection::vec("[aé€😀\n]{0,9}", 0..20_000), size in 1..9usize) {
            let whole = words.concat();
            let mut reader = decoded(Box::new(io::Cursor::new(utf16(&whole, true))), None).unwrap();
            let (mut read, mut buffer) = (Vec::new(), vec![0; size]);
            loop {
                match reader.read(&mut buffer).unwrap() {
                    0 => break,
                    count => read.extend_from_slice(&buffer[..count]),
                }
            }
            prop_assert_eq!(read, whole.into_bytes());
        }
    }
}
