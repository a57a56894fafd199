//! Numbers for texts, in order of arrival.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::RecordNumber;

/// Gives each distinct text a number, and remembers where it was first seen.
#[derive(Debug)]
pub(crate) struct Interner {
    numbers: HashTable<Slot>,
    bytes: String,
    ends: Vec<usize>,
    first_record: Vec<RecordNumber>,
    hasher: FixedState,
}

/// The number of a text, and its hash: so that growing the table reads no text again, and different ones are told apart without comparing.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Slot {
    /// A hash of 64 bits, of which the table takes the first for one purpose and the last for another.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Default for Interner {
    fn default() -> Self {
        Interner {
            numbers: HashTable::new(),
            bytes: String::new(),
            ends: Vec::new(),
            first_record: Vec::new(),
            // Only numbers leave this type, in order of arrival: the hash decides nothing.
            hasher: FixedState::with_seed(0),
        }
    }
}

impl Interner {
    /// The number of a text; a new one if it was not seen before `record`.
    pub(crate) fn intern(&mut self, text: &str, record: RecordNumber) -> u32 {
        let hash = self.hasher.hash_one(text) as u32;
        let Interner { numbers, bytes, ends, .. } = self;
        let same = |slot: &Slot| slot.hash == hash && text_at(bytes, ends, slot.number) == text;
        if let Some(slot) = numbers.find(Slot::spread(hash), same) {
            return slot.number;
        }
        let number = ends.len() as u32;
        numbers.insert_unique(Slot::spread(hash), Slot { hash, number }, |slot| Slot::spread(slot.hash));
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        self.first_record.push(record);
        number
    }

    /// A code for each text: one more than the number that [`Interner::intern`] gives it, 0 if it is missing. `records` has where each was
    /// first seen.
    ///
    /// Where there are many texts, most of the time goes into waiting for memory. So they are looked up side by side, one step after the
    /// other: the processor then waits for several at once.
    pub(crate) fn codes(&mut self, texts: &[Option<String>], records: &[RecordNumber]) -> Vec<u32> {
        let hashes = texts.iter().map(|text| text.as_ref().map_or(0, |text| self.hasher.hash_one(&text[..]) as u32));
        let hashes: Vec<u32> = hashes.collect();
        let likely = |&hash: &u32| self.numbers.find(Slot::spread(hash), |slot| slot.hash == hash);
        let likely: Vec<Option<u32>> = hashes.iter().map(|hash| Some(likely(hash)?.number)).collect();
        let spans: Vec<Range<usize>> =
            likely.iter().map(|number| number.map_or(0..0, |number| span(&self.ends, number))).collect();
        let mut codes = Vec::with_capacity(texts.len());
        for (((text, &record), span), likely) in texts.iter().zip(records).zip(spans).zip(likely) {
            codes.push(match (text, likely) {
                (None, _) => 0,
                (Some(text), Some(number)) if self.bytes[span] == **text => number + 1,
                (Some(text), _) => self.intern(text, record) + 1,
            });
        }
        codes
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn text(&self, number: u32) -> &str {
        text_at(&self.bytes, &self.ends, number)
    }

    pub(crate) fn first_record(&self, number: u32) -> RecordNumber {
        self.first_record[number as usize]
    }
}

fn text_at<'a>(bytes: &'a str, ends: &[usize], number: u32) -> &'a str {
    &bytes[span(ends, number)]
}

/// Where a text lies.
fn span(ends: &[usize], number: u32) -> Range<usize> {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    start..ends[number]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_numbers() {
        let mut interner = Interner::default();
        let numbers: Vec<u32> = ["a", "", "b", "a", "", "äö"]
            .iter()
            .zip(1..)
            .map(|(t, r)| interner.intern(t, RecordNumber::new(r)))
            .collect();
        assert_eq!(numbers, [0, 1, 2, 0, 1, 3]);
        assert_eq!((interner.text(1), interner.text(3), interner.first_record(2)), ("", "äö", RecordNumber::new(3)));
        assert_eq!(interner.len(), 4);
        let texts = ["b", "new", "a", "new"].map(|text| Some(text.to_owned()));
        let texts = [&texts[..], &[None]].concat();
        assert_eq!(interner.codes(&texts, &[RecordNumber::new(9); 5]), [3, 5, 1, 5, 0]);
        assert_eq!(interner.first_record(4), RecordNumber::new(9));
    }
}
