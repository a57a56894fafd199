//! Are these the bytes of the first pass?

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::{FixedState, FoldHasher};

/// A number that follows from bytes, however they are cut into pieces.
///
/// It tells a table that was exported anew from the one that was read. It does not withstand somebody who makes tables of the same
/// digest on purpose: whoever can do that can write to the raw table.
pub(crate) struct Digest {
    hasher: FoldHasher<'static>,
    /// Bytes that wait for the rest of their block.
    rest: Vec<u8>,
}

/// The hash of pieces depends on how they are cut, so that of a stream is taken of blocks of so many bytes.
const BLOCK: usize = 1 << 12;

impl Digest {
    pub(crate) fn new() -> Self {
        Digest { hasher: FixedState::with_seed(0).build_hasher(), rest: Vec::new() }
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        if !self.rest.is_empty() {
            let (more, others) = bytes.split_at(bytes.len().min(BLOCK - self.rest.len()));
            self.rest.extend_from_slice(more);
            bytes = others;
            if self.rest.len() < BLOCK {
                return;
            }
            self.hasher.write(&self.rest);
            self.rest.clear();
        }
        let mut blocks = bytes.chunks_exact(BLOCK);
        blocks.by_ref().for_each(|block| self.hasher.write(block));
        self.rest.extend_from_slice(blocks.remainder());
    }

    /// The digest of all bytes so far.
    pub(crate) fn finish(&self) -> u64 {
        let mut hasher = self.hasher.clone();
        hasher.write(&self.rest);
        hasher.finish()
    }
}

/// The digest of some pieces of bytes.
pub(crate) fn digest<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut digest = Digest::new();
    pieces.into_iter().for_each(|piece| digest.add(piece));
    digest.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_depends_on_the_bytes_and_not_on_their_pieces(length in 0..3 * BLOCK, piece in 1..2 * BLOCK, at in 0..3 * BLOCK) {
            let mut bytes: Vec<u8> = (0..length).map(|number| (number * 31 % 251) as u8).collect();
            let whole = digest([&bytes[..]]);
            prop_assert_eq!(digest(bytes.chunks(piece)), whole);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1;
                prop_assert_ne!(digest([&bytes[..]]), whole);
            }
        }
    }
}
