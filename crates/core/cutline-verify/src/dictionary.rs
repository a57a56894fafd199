//! Which id does this cell text have?

use std::hash::BuildHasher;
use std::ops::RangeInclusive;
use std::str;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The id of a null, in every dictionary.
pub(crate) const NULL: u32 = 0;

/// So many texts are remembered as those that came last.
const LAST: usize = 64;

/// Why a cell got no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    NotUtf8,
    /// The value has no text form, such as a date in the year 300,000, or there is none where a dictionary array says that there is.
    #[cfg(feature = "files")]
    NoText,
    /// There are `u32::MAX` texts already.
    Full,
}

/// The distinct texts of one column, numbered from 1 in the order of their first appearance.
#[derive(Debug)]
pub(crate) struct Dictionary {
    /// All texts, one after the other.
    texts: String,
    /// Where the text of an id ends; it starts where the one before ends. Null takes no room.
    ends: Vec<usize>,
    /// Ids of texts of one byte: most cells of a masked table are `*`.
    single: [u32; 1 << u8::BITS],
    /// Ids of short texts, by these themselves.
    short: HashTable<(u128, u32)>,
    /// Short texts that were asked for last, and their ids, each at a place that follows from it: often they are asked for again.
    last: [(u128, u32); LAST],
    /// Ids of longer texts by the hash of their text.
    long: HashTable<u32>,
    hasher: RandomState,
}

impl Dictionary {
    pub(crate) fn new() -> Self {
        Dictionary {
            texts: String::new(),
            ends: vec![0],
            single: [NULL; 1 << u8::BITS],
            short: HashTable::new(),
            last: [(0, NULL); LAST],
            long: HashTable::new(),
            hasher: RandomState::default(),
        }
    }

    /// The id of a text. Texts are checked to be UTF-8 when they are first seen.
    #[inline]
    pub(crate) fn id(&mut self, text: &[u8]) -> Result<u32, Refused> {
        if let [byte] = *text {
            return match self.single[usize::from(byte)] {
                NULL => self.new_single(byte),
                id => Ok(id),
            };
        }
        let Some(key) = short_key(text) else { return self.id_of_long(text) };
        let place = place_of(key);
        let (last, id) = self.last[place];
        if last == key && id != NULL {
            return Ok(id);
        }
        let hash = self.hasher.hash_one(key);
        let id = match self.short.find(hash, |&(other, _)| other == key) {
            Some(&(_, id)) => id,
            None => {
                let id = self.append(text)?;
                let Dictionary { short, hasher, .. } = self;
                short.insert_unique(hash, (key, id), |&(other, _)| hasher.hash_one(other));
                id
            }
        };
        self.last[place] = (key, id);
        Ok(id)
    }

    #[cold]
    fn new_single(&mut self, byte: u8) -> Result<u32, Refused> {
        let id = self.append(&[byte])?;
        self.single[usize::from(byte)] = id;
        Ok(id)
    }

    fn id_of_long(&mut self, text: &[u8]) -> Result<u32, Refused> {
        let hash = self.hasher.hash_one(text);
        if let Some(&id) = self.long.find(hash, |&id| bytes(&self.texts, &self.ends, id) == text) {
            return Ok(id);
        }
        let id = self.append(text)?;
        let Dictionary { texts, ends, long, hasher, .. } = self;
        long.insert_unique(hash, id, |&id| hasher.hash_one(bytes(texts, ends, id)));
        Ok(id)
    }

    /// A new id.
    #[cold]
    fn append(&mut self, text: &[u8]) -> Result<u32, Refused> {
        let id = u32::try_from(self.ends.len()).map_err(|_| Refused::Full)?;
        self.texts.push_str(str::from_utf8(text).map_err(|_| Refused::NotUtf8)?);
        self.ends.push(self.texts.len());
        Ok(id)
    }

    /// Takes the texts of another dictionary in, and says which id each of its ids has here.
    #[cfg(feature = "files")]
    pub(crate) fn absorb(&mut self, other: &Dictionary) -> Result<Vec<u32>, Refused> {
        let id = |id| other.text(id).map_or(Ok(NULL), |text| self.id(text.as_bytes()));
        other.ids().map(id).collect()
    }

    /// All ids, null among them.
    pub(crate) fn ids(&self) -> RangeInclusive<u32> {
        // There is at least null, and `insert` gives no larger id.
        NULL..=(self.ends.len() - 1) as u32
    }

    /// The text of an id, `None` for null.
    pub(crate) fn text(&self, id: u32) -> Option<&str> {
        (id != NULL).then(|| {
            let id = id as usize;
            &self.texts[self.ends[id - 1]..self.ends[id]]
        })
    }
}

#[inline]
fn bytes<'a>(texts: &'a str, ends: &[usize], id: u32) -> &'a [u8] {
    let id = id as usize;
    &texts.as_bytes()[ends[id - 1]..ends[id]]
}

/// Where a short text is remembered.
#[inline]
fn place_of(key: u128) -> usize {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(17);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - LAST.ilog2())) as usize
}

/// A text of at most 15 bytes as a number, with its length in the last byte: no two texts have the same.
#[inline]
fn short_key(text: &[u8]) -> Option<u128> {
    let length = text.len();
    let bytes = match length {
        // Eight bytes from the start and eight up to the end, as far as the first do not have them.
        8..=15 => {
            let (first, last) = (text.first_chunk()?, text.last_chunk()?);
            let rest = u128::from(u64::from_le_bytes(*last)) >> (8 * (16 - length));
            u128::from(u64::from_le_bytes(*first)) | rest << 64
        }
        4..=7 => {
            let (first, last) = (text.first_chunk()?, text.last_chunk()?);
            let rest = u128::from(u32::from_le_bytes(*last)) >> (8 * (8 - length));
            u128::from(u32::from_le_bytes(*first)) | rest << 32
        }
        0..=3 => text.iter().rev().fold(0, |key, &byte| key << 8 | u128::from(byte)),
        _ => return None,
    };
    Some(bytes | (length as u128) << 120)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_id_and_null_is_no_text() {
        let mut dictionary = Dictionary::new();
        let ids: Vec<u32> = ["a", "", "b", "a", ""].iter().map(|t| dictionary.id(t.as_bytes()).unwrap()).collect();
        assert_eq!(ids, [1, 2, 3, 1, 2]);
        assert_eq!(dictionary.text(2), Some(""));
        assert_eq!(dictionary.text(3), Some("b"));
        assert_eq!(dictionary.text(NULL), None);
    }

    #[test]
    fn many_texts_keep_their_ids_while_the_index_grows() {
        let mut dictionary = Dictionary::new();
        let text = |i: u32| format!("value {i}");
        for round in 0..2 {
            for i in 0..10_000 {
                let id = dictionary.id(text(i).as_bytes()).unwrap();
                assert_eq!(id, i + 1, "round {round}");
            }
        }
        assert_eq!(dictionary.text(5_001), Some(text(5_000).as_str()));
    }

    #[test]
    fn text_that_is_not_utf8_is_refused() {
        assert_eq!(Dictionary::new().id(b"\xff"), Err(Refused::NotUtf8));
    }
}
