//! Text files as streams: decompressed, as UTF-8, without a byte order mark.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};

use encoding_rs::{Encoding, UTF_8};

use super::expand::{Compression, TableFile};

/// Large enough that reading costs no more than copying.
pub(crate) const BUFFER: usize = 1 << 17;

/// Opens a text file: its bytes as UTF-8.
pub(crate) fn text(file: &TableFile) -> io::Result<Box<dyn Read + Send>> {
    let mut stream = unpacked(file)?;
    let mut start = Vec::new();
    stream.by_ref().take(3).read_to_end(&mut start)?;
    let marked = Encoding::for_bom(&start);
    if let Some((_, length)) = marked {
        start.drain(..length);
    }
    let encoding = marked.map(|(encoding, _)| encoding).or(file.encoding).unwrap_or(UTF_8);
    let stream = Cursor::new(start).chain(stream);
    if encoding == UTF_8 { Ok(Box::new(stream)) } else { decoded(stream, encoding) }
}

fn unpacked(file: &TableFile) -> io::Result<Box<dyn Read + Send>> {
    let raw = File::open(&file.path)?;
    // A packed file may have several members, as `cat a.gz b.gz` makes it.
    Ok(match file.compression {
        Compression::None => Box::new(raw),
        Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(BufReader::with_capacity(BUFFER, raw))),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(raw)?),
        Compression::Xz => Box::new(lzma_rust2::XzReader::new(BufReader::with_capacity(BUFFER, raw), true)),
        Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(raw)),
    })
}

/// The whole text in memory: other encodings are rare, and nothing of ours is written in one. What is no text is an error: a mark in its
/// place would make values equal that are not.
fn decoded(mut stream: impl Read, encoding: &'static Encoding) -> io::Result<Box<dyn Read + Send>> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes).map(|text| text.into_owned());
    let text =
        text.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, format!("not valid {}", encoding.name())))?;
    Ok(Box::new(Cursor::new(text.into_bytes())))
}

/// The first of comma, semicolon and tab that stands in the first line outside quotes; a comma if none does.
pub(crate) fn guess_delimiter(file: &TableFile) -> io::Result<u8> {
    let mut start = Vec::new();
    text(file)?.take(BUFFER as u64).read_to_end(&mut start)?;
    let mut quoted = false;
    let mut seen = [false; 256];
    for byte in start.into_iter().skip_while(|byte| matches!(byte, b'\r' | b'\n')) {
        match byte {
            b'"' => quoted = !quoted,
            b'\r' | b'\n' if !quoted => break,
            byte if !quoted => seen[usize::from(byte)] = true,
            _ => {}
        }
    }
    Ok(b",;\t".iter().copied().find(|&byte| seen[usize::from(byte)]).unwrap_or(b','))
}

/// The line (from 1) of the first byte at or after `offset` that is no line break.
///
/// The `csv` crate's own line numbers are one too small after a CRLF, and do not see blank lines.
/// This reads the file again, so it is for error messages only.
pub(crate) fn line_at(file: &TableFile, offset: u64) -> io::Result<u64> {
    let mut line = 1;
    let mut stream = BufReader::with_capacity(BUFFER, text(file)?);
    let mut before = vec![0; BUFFER];
    let mut left = offset;
    while left > 0 {
        let wanted = usize::try_from(left).unwrap_or(BUFFER).min(BUFFER);
        let got = stream.read(&mut before[..wanted])?;
        if got == 0 {
            return Ok(line);
        }
        line += before[..got].iter().filter(|&&byte| byte == b'\n').count() as u64;
        left -= got as u64;
    }
    for byte in stream.bytes() {
        match byte? {
            b'\n' => line += 1,
            b'\r' => {}
            _ => break,
        }
    }
    Ok(line)
}
