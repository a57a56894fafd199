//! What came back: codes for cells, and counts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;

use crate::Reader;

/// Rows of cells with a count each.
pub struct Groups<K> {
    /// The columns but the last.
    pub columns: Vec<Coded<K>>,
    /// The last column.
    pub counts: Vec<u64>,
}

/// A column of cells.
pub struct Coded<K> {
    /// A code for each row.
    pub codes: Vec<u32>,
    /// What the codes stand for.
    pub cells: Distinct<K>,
}

/// The distinct cells of a column.
pub struct Distinct<K> {
    /// The text of each, as the server has it; `None` is a null.
    pub texts: Vec<Option<String>>,
    /// The same as they can be sent back.
    pub keys: K,
}

impl<K> Distinct<K> {
    /// What each cell says.
    pub(crate) fn values(&self, reader: Reader<'_>) -> Vec<Option<String>> {
        self.texts.iter().map(|text| reader.value(text.as_deref()).map(str::to_owned)).collect()
    }
}

/// Gives every text a code of its own, in the order of their first appearance.
#[derive(Default)]
pub struct Dictionary {
    codes: HashMap<String, u32, RandomState>,
    null: Option<u32>,
    texts: Vec<Option<String>>,
}

impl Dictionary {
    /// The code of a text.
    pub fn code(&mut self, text: Option<&str>) -> u32 {
        let next = self.texts.len() as u32;
        let Some(text) = text else {
            let code = *self.null.get_or_insert(next);
            if code == next {
                self.texts.push(None);
            }
            return code;
        };
        if let Some(&code) = self.codes.get(text) {
            return code;
        }
        self.codes.insert(text.to_owned(), next);
        self.texts.push(Some(text.to_owned()));
        next
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Was no text seen yet?
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text of each code.
    pub fn into_texts(self) -> Vec<Option<String>> {
        self.texts
    }
}

/// The cells that the first pass found, by column: the second one needs their labels. And how many records there were when they were
/// counted last, if ever.
pub struct Memory<K> {
    cells: Mutex<HashMap<usize, Remembered<K>>>,
    records: AtomicU64,
}

/// The cells of a column in the records that a condition holds for, or in all.
struct Remembered<K> {
    present: Option<String>,
    cells: Arc<Distinct<K>>,
}

impl<K> Default for Memory<K> {
    fn default() -> Self {
        Memory { cells: Mutex::default(), records: AtomicU64::default() }
    }
}

impl<K> Memory<K> {
    pub(crate) fn remember(&self, column: usize, present: Option<&str>, cells: Distinct<K>) {
        let remembered = Remembered { present: present.map(str::to_owned), cells: Arc::new(cells) };
        self.cells.lock().unwrap_or_else(PoisonError::into_inner).insert(column, remembered);
    }

    pub(crate) fn remember_records(&self, records: u64) {
        self.records.store(records, Ordering::Relaxed);
    }

    /// About how many records there are; 0 if they were not counted yet.
    pub(crate) fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    /// All cells of the records that a condition holds for, if they are known.
    pub(crate) fn remembered(&self, column: usize, present: Option<&str>) -> Option<Arc<Distinct<K>>> {
        let memory = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        let found = memory.get(&column)?;
        (found.present.is_none() || found.present.as_deref() == present).then(|| Arc::clone(&found.cells))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_one_code_and_a_null_is_no_text() {
        let mut dictionary = Dictionary::default();
        let codes: Vec<u32> = [Some("a"), None, Some(""), Some("a"), None].map(|text| dictionary.code(text)).into();
        assert_eq!(codes, [0, 1, 2, 0, 1]);
        assert_eq!(dictionary.into_texts(), [Some("a".to_owned()), None, Some(String::new())]);
    }
}
