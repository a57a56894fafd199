//! Which code does a cell have, as far as earlier blocks have told?
//!
//! ```text
//!  worker: a block's cells ──► codes, and cells that it does not know ──► whoever takes the blocks in order gives those a code
//!     ▲                                                                                     │
//!     └─────────────────── a copy of all, whenever enough were not known ◄──────────────────┘
//! ```
//!
//! Which copy a worker has decides how fast it is, never which code a cell gets: codes are given in the order of the records.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::{HashMap, HashTable};

use crate::close::Close;
use crate::distinct::{hash_integer, hash_view, view_of};
use crate::front::{Front, Longer};

/// More cells than these are not kept: a table of so many is as slow to look up as what it saves.
const MOST: usize = 1 << 16;

/// To copy so many cells takes as long as to find out what one says that is not known.
const COPIES_FOR_ONE: usize = 16;

/// A cell in the form that it is stored in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoredCell {
    Null,
    Text(String),
    /// A whole number: all of a column are of one type, so that 64 bits tell them apart.
    Integer(u64),
}

/// The codes of some cells of a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    short: HashTable<(u128, u32)>,
    long: HashMap<Vec<u8>, u32>,
    integers: HashTable<(u64, u32)>,
    null: Option<u32>,
    /// Most of the short texts once more.
    front: Front<u128>,
    /// Most of the texts that are longer and not long.
    front_of_longer: Front<Longer>,
    /// The numbers once more: all of them, if they lie close together, or most.
    close: Close,
    front_of_numbers: Front<u64>,
}

impl Known {
    pub(crate) fn null(&self) -> Option<u32> {
        self.null
    }

    /// The code of a view that holds its text.
    #[inline]
    pub(crate) fn short(&self, view: u128) -> Option<u32> {
        let found = || self.short.find(hash_view(view), |&(other, _)| other == view).map(|&(_, code)| code);
        self.front.code(view).or_else(found)
    }

    /// The code of a text that no view holds.
    #[inline]
    pub(crate) fn long(&self, text: &[u8]) -> Option<u32> {
        if self.long.is_empty() {
            return None;
        }
        let in_front = Longer::new(text).and_then(|longer| self.front_of_longer.code(longer));
        in_front.or_else(|| self.long.get(text).copied())
    }

    /// The code of a text.
    pub(crate) fn text(&self, text: &str) -> Option<u32> {
        view_of(text).map_or_else(|| self.long(text.as_bytes()), |view| self.short(view))
    }

    /// The code of a whole number.
    #[inline]
    pub(crate) fn number(&self, value: u64) -> Option<u32> {
        match self.close.is_empty() {
            true => self.front_of_numbers.code(value).or_else(|| self.integer(value)),
            false => self.close.code(value),
        }
    }

    /// All whole numbers whose codes are known, if they lie close together.
    pub(crate) fn close(&self) -> Option<&Close> {
        (!self.close.is_empty()).then_some(&self.close)
    }

    /// All that will be told for now, with the most of it in front.
    fn fronted(&self) -> Self {
        let cells: Vec<(u128, u32)> = self.short.iter().copied().collect();
        let numbers: Vec<(u64, u32)> = self.integers.iter().copied().collect();
        let close = Close::new(&numbers);
        let longer = self.long.iter().filter_map(|(text, &code)| Some((Longer::new(text)?, code)));
        let longer: Vec<(Longer, u32)> = longer.collect();
        Known {
            front: Front::new(&cells),
            front_of_longer: Front::new(&longer),
            front_of_numbers: if close.is_empty() { Front::new(&numbers) } else { Front::default() },
            close,
            ..self.clone()
        }
    }

    fn integer(&self, value: u64) -> Option<u32> {
        self.integers.find(hash_integer(value), |&(other, _)| other == value).map(|&(_, code)| code)
    }

    fn len(&self) -> usize {
        self.short.len() + self.long.len() + self.integers.len() + usize::from(self.null.is_some())
    }

    fn learn(&mut self, cell: &StoredCell, code: u32) {
        if self.len() >= MOST {
            return;
        }
        match cell {
            StoredCell::Null => self.null = Some(code),
            StoredCell::Integer(value) => {
                let same = |&(other, _): &(u64, u32)| other == *value;
                self.integers
                    .entry(hash_integer(*value), same, |&(other, _)| hash_integer(other))
                    .or_insert((*value, code));
            }
            StoredCell::Text(text) => match view_of(text) {
                Some(view) => {
                    let same = |&(other, _): &(u128, u32)| other == view;
                    self.short.entry(hash_view(view), same, |&(other, _)| hash_view(other)).or_insert((view, code));
                }
                None => drop(self.long.insert(text.clone().into_bytes(), code)),
            },
        }
    }
}

/// What workers are told of a column.
#[derive(Default)]
pub(crate) struct Vocabulary(Mutex<Arc<Known>>);

impl Vocabulary {
    /// What is known by now.
    pub(crate) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn tell(&self, known: &Known) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(known.fronted());
    }
}

/// Whoever gives the cells of a column their codes.
#[derive(Default)]
pub(crate) struct Learner {
    known: Known,
    /// How many cells the workers know.
    told: usize,
    /// How many cells came since then that they did not know.
    unknown: usize,
}

impl Learner {
    /// Takes in cells that a worker did not know, and tells all workers if it is worth it.
    pub(crate) fn learn<'a>(&mut self, cells: impl Iterator<Item = (&'a StoredCell, u32)>, workers: &Vocabulary) {
        for (cell, code) in cells {
            self.known.learn(cell, code);
            self.unknown += 1;
        }
        let known = self.known.len();
        if known > self.told && self.unknown * COPIES_FOR_ONE >= known {
            workers.tell(&self.known);
            (self.told, self.unknown) = (known, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use arrow_array::types::Int32Type;
    use arrow_array::{ArrayRef, DictionaryArray, Int64Array, RecordBatch, StringViewArray, UInt8Array};
    use arrow_schema::{Field, Schema};
    use proptest::prelude::*;

    use super::*;
    use crate::distinct::ColumnCells;
    use crate::fields;
    use crate::source::CELLS_KEY;

    const UNKNOWN: u32 = 1 << 31;

    /// The codes of the cells, where whoever gives them has taken in some blocks before: the first that comes gets the first.
    fn codes(blocks: &[ArrayRef], tell: bool) -> Vec<Vec<u32>> {
        let (vocabulary, mut learner) = (Vocabulary::default(), Learner::default());
        let mut all: Vec<StoredCell> = Vec::new();
        let block = |column: &ArrayRef| {
            let noted = std::collections::HashMap::from([(CELLS_KEY.to_owned(), String::new())]);
            let schema = Schema::new(vec![Field::new("c", column.data_type().clone(), true).with_metadata(noted)]);
            let batch = RecordBatch::try_new(Arc::new(schema), vec![column.clone()]).unwrap();
            let mut unknown = Vec::new();
            let known = if tell { vocabulary.known() } else { Arc::default() };
            let codes = ColumnCells::of(&batch, 0, Path::new("t")).unwrap().number_unknown(&known, |cell| {
                unknown.push(cell.stored());
                Ok::<_, ()>(UNKNOWN + unknown.len() as u32 - 1)
            });
            let given = unknown.iter().map(|cell| {
                let place = all.iter().position(|other| other == cell).unwrap_or(all.len());
                if place == all.len() {
                    all.push(cell.clone());
                }
                place as u32
            });
            let given: Vec<u32> = given.collect();
            learner.learn(unknown.iter().zip(given.iter().copied()), &vocabulary);
            let code = |code: u32| code.checked_sub(UNKNOWN).map_or(code, |place| given[place as usize]);
            codes.unwrap().into_iter().map(code).collect()
        };
        blocks.iter().map(block).collect()
    }

    /// Nulls are empty fields.
    fn as_fields(texts: &[Option<String>]) -> ArrayRef {
        let texts: Vec<&str> = texts.iter().map(|text| text.as_deref().unwrap_or_default()).collect();
        let mut end = 0;
        let spans: Vec<_> = texts
            .iter()
            .map(|text| {
                end += text.len();
                end - text.len()..end
            })
            .collect();
        fields::column(&UInt8Array::from(texts.concat().into_bytes()), spans.into_iter()).unwrap()
    }

    proptest! {
        #[test]
        fn whoever_knows_some_cells_gives_the_codes_of_who_knows_none(
            blocks in prop::collection::vec(prop::collection::vec(prop::option::of(0..40_i64), 0..30), 1..12),
        ) {
            let text = |cell: &Option<i64>| cell.map(|cell| "a text that is long ".repeat((cell % 3) as usize) + &cell.to_string());
            let texts = |block: &Vec<Option<i64>>| block.iter().map(text).collect::<Vec<_>>();
            let forms: [Vec<ArrayRef>; 4] = [
                blocks.iter().map(|block| Arc::new(Int64Array::from(block.clone())) as ArrayRef).collect(),
                blocks.iter().map(|block| Arc::new(StringViewArray::from_iter(texts(block))) as ArrayRef).collect(),
                blocks.iter().map(|block| as_fields(&texts(block))).collect(),
                blocks.iter().map(|block| {
                    let texts = texts(block);
                    Arc::new(texts.iter().map(|text| text.as_deref()).collect::<DictionaryArray<Int32Type>>()) as ArrayRef
                }).collect(),
            ];
            for form in forms {
                prop_assert_eq!(codes(&form, true), codes(&form, false));
            }
        }
    }

    #[test]
    fn cells_that_come_again_are_known_and_too_many_are_not_kept() {
        let (vocabulary, mut learner) = (Vocabulary::default(), Learner::default());
        for value in 0..2 * MOST as u64 {
            learner.learn([(&StoredCell::Integer(value), value as u32)].into_iter(), &vocabulary);
        }
        let known = vocabulary.known();
        assert_eq!((known.number(7), known.number(MOST as u64)), (Some(7), None));
        assert!(known.len() > MOST / 2 && known.len() <= MOST);
    }
}
