//! How large do compressed buffers say they are?
//!
//! The reader of the format reserves as much memory as the first eight bytes of a compressed buffer say, and a program that asks for
//! more than there is ends at once. So these bytes are looked at before.

use std::hint::black_box;
use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::{Message, RecordBatch, root_as_message};
use arrow_schema::ArrowError;

/// Zstandard makes at most a block of 128 KiB from four bytes; LZ4 makes less from more.
const MOST_FROM_A_BYTE: u64 = 1 << 15;

/// The bytes that say how large a buffer is.
const PREFIX: u64 = 8;

/// Refuses a message with a compressed buffer that says it is larger than it can be, or than memory is. `read` gives the eight bytes at a
/// place in the message's body.
pub(super) fn check(message: &Message<'_>, mut read: impl FnMut(u64) -> io::Result<[u8; 8]>) -> Result<(), ArrowError> {
    let Some(batch) = batch(message).filter(|batch| batch.compression().is_some()) else { return Ok(()) };
    for buffer in batch.buffers().iter().flatten() {
        let (Ok(place), Ok(length)) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length())) else {
            continue;
        };
        let Some(compressed) = length.checked_sub(PREFIX) else { continue };
        // Negative ones say that the buffer is not compressed.
        let Ok(said) = u64::try_from(i64::from_le_bytes(read(place)?)) else { continue };
        if said > compressed.saturating_mul(MOST_FROM_A_BYTE) || !fits(said) {
            return Err(ArrowError::IpcError("a compressed buffer says that it is larger than it can be".to_owned()));
        }
    }
    Ok(())
}

fn batch<'a>(message: &Message<'a>) -> Option<RecordBatch<'a>> {
    message.header_as_record_batch().or_else(|| message.header_as_dictionary_batch()?.data())
}

/// Could so much memory be had? It is not touched, and given back.
fn fits(bytes: u64) -> bool {
    let mut memory = Vec::<u8>::new();
    let fits = usize::try_from(bytes).is_ok_and(|bytes| memory.try_reserve_exact(bytes).is_ok());
    // What nobody looks at would not even be asked for.
    black_box(&memory);
    fits
}

/// The same for all messages of a stream. What else may be wrong with them, their reader says.
pub(super) fn check_stream(mut file: impl Read + Seek) -> Result<(), ArrowError> {
    while let Some(head) = next_head(&mut file)? {
        let Ok(message) = root_as_message(&head) else { return Ok(()) };
        let (body, length) = (file.stream_position()?, u64::try_from(message.bodyLength()).unwrap_or(0));
        check(&message, |place| {
            let mut prefix = [0; 8];
            file.seek(SeekFrom::Start(body.saturating_add(place)))?;
            file.read_exact(&mut prefix).map(|()| prefix)
        })?;
        file.seek(SeekFrom::Start(body.saturating_add(length)))?;
    }
    Ok(())
}

/// The head of the next message, if there is one: its length, after a marker in files since 2019, and so many bytes.
fn next_head(file: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut word = [0; 4];
    for _ in 0..2 {
        match file.read_exact(&mut word) {
            Ok(()) if word == [0xff; 4] => {}
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    let mut head = Vec::new();
    file.take(u64::from(u32::from_le_bytes(word))).read_to_end(&mut head)?;
    Ok((!head.is_empty()).then_some(head))
}
