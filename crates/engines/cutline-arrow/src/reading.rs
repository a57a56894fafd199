//! A file as one of several readers sees it.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::digest::Digest;

/// Bytes that are read at once where they are not kept.
const PIECE: u64 = 1 << 18;

/// An open file with a position of its own, so that any number of threads can read it.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    file: Arc<File>,
    bytes: u64,
    at: u64,
}

impl Reading {
    /// A file of so many bytes, from its start.
    pub(crate) fn new(file: Arc<File>, bytes: u64) -> Self {
        Reading { file, bytes, at: 0 }
    }

    fn from(&self, at: u64) -> Self {
        Reading { at, ..self.clone() }
    }

    /// Hands over so many bytes, piece by piece.
    pub(crate) fn pieces(&self, start: u64, length: u64, mut take: impl FnMut(&[u8])) -> io::Result<()> {
        let mut reading = self.from(start);
        let mut buffer = vec![0; length.min(PIECE) as usize];
        let mut left = length;
        while left > 0 {
            let piece = &mut buffer[..left.min(PIECE) as usize];
            reading.read_exact(piece)?;
            take(piece);
            left -= piece.len() as u64;
        }
        Ok(())
    }

    /// A digest of the last bytes of the file: a part, its length in four bytes, and as many bytes as are left of the trailer.
    pub(crate) fn tail_digest(&self, trailer: u64) -> io::Result<u64> {
        let start = self.bytes.checked_sub(trailer).ok_or(ErrorKind::UnexpectedEof)?;
        let mut length = [0; 4];
        self.from(start).read_exact(&mut length)?;
        let start = start.saturating_sub(u32::from_le_bytes(length).into());
        let mut digest = Digest::new();
        self.pieces(start, self.bytes - start, |piece| digest.add(piece))?;
        Ok(digest.finish())
    }
}

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Reading {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.bytes.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

impl Length for Reading {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for Reading {
    type T = BufReader<Reading>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(self.from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        // A damaged file may ask for more than there is memory.
        if start.checked_add(length as u64).is_none_or(|end| end > self.bytes) {
            return Err(ParquetError::EOF("a part of the file is missing".to_owned()));
        }
        let mut bytes = vec![0; length];
        self.from(start).read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}
