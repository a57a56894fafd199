//! Text files as streams: decompressed, without a byte order mark.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};

use super::expand::{Compression, TableFile};

/// Large enough that reading costs no more than copying.
pub(crate) const BUFFER: usize = 1 << 17;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens a text file.
pub(crate) fn text(file: &TableFile) -> io::Result<Box<dyn Read + Send>> {
    let raw = File::open(&file.path)?;
    match file.compression {
        Compression::None => without_mark(raw),
        // A gzip file may have several members, as `cat a.gz b.gz` makes it.
        Compression::Gzip => without_mark(flate2::read::MultiGzDecoder::new(BufReader::with_capacity(BUFFER, raw))),
        Compression::Zstd => without_mark(zstd::stream::read::Decoder::new(raw)?),
    }
}

fn without_mark<R: Read + Send + 'static>(mut stream: R) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::new();
    stream.by_ref().take(BYTE_ORDER_MARK.len() as u64).read_to_end(&mut start)?;
    if start == BYTE_ORDER_MARK {
        start.clear();
    }
    Ok(Box::new(Cursor::new(start).chain(stream)))
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
