//! Numbers for texts, in order of arrival.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::RecordNumber;

/// Gives each distinct text a number, and remembers where it was first seen.
#[derive(Debug)]
pub(crate) struct Interner {
    numbers: HashTable<u32>,
    bytes: String,
    ends: Vec<usize>,
    first_record: Vec<RecordNumber>,
    hasher: FixedState,
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
        let hash = self.hasher.hash_one(text);
        let Interner { numbers, bytes, ends, hasher, .. } = self;
        let slot = |number: u32| text_at(bytes, ends, number);
        if let Some(&number) = numbers.find(hash, |&number| slot(number) == text) {
            return number;
        }
        let number = ends.len() as u32;
        numbers.insert_unique(hash, number, |&other| hasher.hash_one(slot(other)));
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        self.first_record.push(record);
        number
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
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start..ends[number]]
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
    }
}
