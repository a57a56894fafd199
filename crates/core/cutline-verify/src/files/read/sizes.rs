//! Do the compressed buffers of an Arrow file say a size that they can have?
//!
//! The reader of the format reserves what the first eight bytes of such a buffer say. If that is more than there is, the whole program
//! ends, and no recount can say why. So all of them are looked at before the file is read.

use std::hint::black_box;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, Message, root_as_footer, root_as_message};

/// What the best compressor of the format makes of a byte at most: 128 KiB of four.
const LARGEST_RATIO: i64 = 1 << 15;

/// Refuses a file with a buffer that says it is larger than it can be, or than memory is. Of everything else that may be wrong the
/// reader will say it.
pub(super) fn check(mut file: impl Read + Seek) -> Result<()> {
    let mut trailer = [0; 10];
    file.seek(SeekFrom::End(-10))?;
    file.read_exact(&mut trailer)?;
    let Ok(length) = read_footer_length(trailer) else { return Ok(()) };
    file.seek(SeekFrom::End(-10 - length as i64))?;
    let bytes = some_bytes(&mut file, length as u64)?;
    let Ok(footer) = root_as_footer(&bytes) else { return Ok(()) };
    let blocks = [footer.dictionaries(), footer.recordBatches()];
    blocks.into_iter().flatten().flatten().try_for_each(|block| check_block(&mut file, block))
}

fn check_block(file: &mut (impl Read + Seek), block: &Block) -> Result<()> {
    let (Ok(start), Ok(head)) = (u64::try_from(block.offset()), u64::try_from(block.metaDataLength())) else {
        return Ok(());
    };
    let body = u64::try_from(block.bodyLength()).unwrap_or(0);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = some_bytes(file, head)?;
    if message(&bytes).is_none() {
        // The reader takes what a head says of places beyond it, too.
        bytes.extend(some_bytes(file, body)?);
    }
    let Some(message) = message(&bytes) else { return Ok(()) };
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let batch = message.header_as_record_batch().or(dictionary);
    let compressed = batch.filter(|batch| batch.compression().is_some());
    for buffer in compressed.and_then(|batch| batch.buffers()).into_iter().flatten() {
        let Ok(place) = u64::try_from(buffer.offset()) else { continue };
        if buffer.length() < 8 {
            continue;
        }
        let mut said = [0; 8];
        file.seek(SeekFrom::Start(start.saturating_add(head).saturating_add(place)))?;
        file.read_exact(&mut said)?;
        if !is_sane(i64::from_le_bytes(said), buffer.length() - 8) {
            return Err(Error::new(ErrorKind::InvalidData, "a buffer says that it is larger than it can be"));
        }
    }
    Ok(())
}

/// The message that bytes begin with: the length of its head comes first, in files since 2019 after a marker.
fn message(bytes: &[u8]) -> Option<Message<'_>> {
    let skip = if bytes.starts_with(&[0xff; 4]) { 8 } else { 4 };
    root_as_message(bytes.get(skip..)?).ok()
}

/// A negative size says that the buffer is not compressed.
fn is_sane(said: i64, compressed: i64) -> bool {
    let Ok(bytes) = usize::try_from(said) else { return true };
    let mut memory = Vec::<u8>::new();
    let fits = memory.try_reserve_exact(bytes).is_ok();
    // What nobody looks at would not even be asked for.
    black_box(&memory);
    fits && said <= compressed.saturating_mul(LARGEST_RATIO)
}

/// So many bytes, or fewer where the file ends.
fn some_bytes(file: &mut impl Read, length: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
