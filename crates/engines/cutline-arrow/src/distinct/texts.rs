//! Which texts of a column are the same?

use arrow_array::{Array, StringViewArray};
use hashbrown::HashTable;

use super::{Cell, hash_view, is_inline, once};
use crate::cells::hash_bytes;
use crate::fields::Fields;
use crate::vocabulary::Known;

/// Texts that are told apart by what is stored.
pub(super) trait StoredTexts {
    fn records(&self) -> usize;

    fn has_nulls(&self) -> bool;

    fn lacks(&self, record: usize) -> bool;

    /// The view of a text that holds it, if there is one.
    fn view(&self, record: usize) -> Option<u128>;

    fn bytes(&self, record: usize) -> &[u8];
}

impl StoredTexts for StringViewArray {
    fn records(&self) -> usize {
        self.views().len()
    }

    fn has_nulls(&self) -> bool {
        self.null_count() > 0
    }

    fn lacks(&self, record: usize) -> bool {
        self.is_null(record)
    }

    #[inline]
    fn view(&self, record: usize) -> Option<u128> {
        Some(self.views()[record]).filter(|&view| is_inline(view))
    }

    #[inline]
    fn bytes(&self, record: usize) -> &[u8] {
        self.value(record).as_bytes()
    }
}

impl StoredTexts for Fields<'_> {
    fn records(&self) -> usize {
        self.len()
    }

    fn has_nulls(&self) -> bool {
        false
    }

    fn lacks(&self, _record: usize) -> bool {
        false
    }

    #[inline]
    fn view(&self, record: usize) -> Option<u128> {
        Fields::view(self, record)
    }

    #[inline]
    fn bytes(&self, record: usize) -> &[u8] {
        Fields::bytes(self, record)
    }
}

/// Cells are told apart by their views as far as these hold their texts.
pub(super) fn number_texts<E>(
    column: &impl StoredTexts,
    known: &Known,
    mut number: impl FnMut(Cell<'_>) -> Result<u32, E>,
) -> Result<Vec<u32>, E> {
    let mut short: HashTable<(u128, u32)> = HashTable::new();
    let mut long: HashTable<(usize, u32)> = HashTable::new();
    let mut null = known.null();
    let has_nulls = column.has_nulls();
    let mut numbers = Vec::with_capacity(column.records());
    for record in 0..column.records() {
        if has_nulls && column.lacks(record) {
            numbers.push(once(&mut null, || number(Cell::NULL))?);
            continue;
        }
        let mut ask = || {
            let text = String::from_utf8_lossy(column.bytes(record));
            number(Cell { text: Some(&text), integer: None })
        };
        numbers.push(match column.view(record) {
            Some(view) => match known.short(view) {
                Some(answer) => answer,
                None => find_short(&mut short, view, &mut ask)?,
            },
            None => match known.long(column.bytes(record)) {
                Some(answer) => answer,
                None => find_long(&mut long, column, record, &mut ask)?,
            },
        });
    }
    Ok(numbers)
}

fn find_short<E>(
    table: &mut HashTable<(u128, u32)>,
    view: u128,
    number: impl FnOnce() -> Result<u32, E>,
) -> Result<u32, E> {
    let hash = hash_view(view);
    if let Some(&(_, answer)) = table.find(hash, |&(other, _)| other == view) {
        return Ok(answer);
    }
    let answer = number()?;
    table.insert_unique(hash, (view, answer), |&(other, _)| hash_view(other));
    Ok(answer)
}

fn find_long<E>(
    table: &mut HashTable<(usize, u32)>,
    column: &impl StoredTexts,
    record: usize,
    number: impl FnOnce() -> Result<u32, E>,
) -> Result<u32, E> {
    let bytes = column.bytes(record);
    let hash = hash_bytes(bytes);
    if let Some(&(_, answer)) = table.find(hash, |&(other, _)| column.bytes(other) == bytes) {
        return Ok(answer);
    }
    let answer = number()?;
    table.insert_unique(hash, (record, answer), |&(other, _)| hash_bytes(column.bytes(other)));
    Ok(answer)
}
