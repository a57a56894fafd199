//! The same for dictionary arrays: every entry in use is looked up once a batch.

use std::iter;

use arrow_array::types::Int32Type;
use arrow_array::{
    AnyDictionaryArray, Array, ArrowNativeTypeOp, ArrowPrimitiveType, DictionaryArray, PrimitiveArray,
    downcast_integer_array,
};

use super::Texts;
use crate::dictionary::{Dictionary, NULL, Refused};

/// What texts of Parquet are read as.
pub(super) type WordsOfParquet = DictionaryArray<Int32Type>;

/// Appends the id of every cell.
pub(super) fn append(
    array: &dyn AnyDictionaryArray,
    dictionary: &mut Dictionary,
    ids: &mut Vec<u32>,
) -> Result<(), Refused> {
    let values = array.values();
    if !have_entries(array.keys(), values.len()) {
        return Err(Refused::NoText);
    }
    let nulls = array.logical_nulls();
    if nulls.as_ref().map_or(0, |nulls| nulls.null_count()) == array.len() {
        ids.extend(iter::repeat_n(NULL, array.len()));
        return Ok(());
    }
    let mut texts = Texts::new(values)?;
    // A batch of few records from a large dictionary is not worth a table of its entries.
    let mut known = vec![NULL; if values.len() <= array.len() { values.len() } else { 0 }];
    if let (None, false, Some(words)) = (&nulls, known.is_empty(), array.as_any().downcast_ref::<WordsOfParquet>()) {
        return append_words(words, known, |entry| texts.id(entry, dictionary), ids);
    }
    for (row, key) in array.normalized_keys().into_iter().enumerate() {
        if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            ids.push(NULL);
            continue;
        }
        let id = match known.get(key) {
            Some(&id) if id != NULL => id,
            _ => texts.id(key, dictionary)?,
        };
        if let Some(entry) = known.get_mut(key) {
            *entry = id;
        }
        ids.push(id);
    }
    Ok(())
}

/// The same where all cells have words, all of which may be known.
fn append_words(
    words: &WordsOfParquet,
    mut known: Vec<u32>,
    mut id_of: impl FnMut(usize) -> Result<u32, Refused>,
    ids: &mut Vec<u32>,
) -> Result<(), Refused> {
    let keys = words.keys().values();
    for &key in keys {
        let id = &mut known[key as usize];
        if *id == NULL {
            *id = id_of(key as usize)?;
        }
    }
    ids.extend(keys.iter().map(|&key| known[key as usize]));
    Ok(())
}

/// Does every key that is not null have an entry? Arrow checks arrays that are made here, but not those that another program has handed over:
/// a key beyond the entries would be taken for that of another value.
fn have_entries(keys: &dyn Array, entries: usize) -> bool {
    downcast_integer_array!(
        keys => all_have_entries(keys, entries),
        _ => false,
    )
}

fn all_have_entries<K: ArrowPrimitiveType>(keys: &PrimitiveArray<K>, entries: usize) -> bool {
    // No branch, so that several keys are looked at in one step.
    let all = keys.values().iter().fold(true, |all, &key| all & has_entry(key, entries));
    all || keys.iter().flatten().all(|key| has_entry(key, entries))
}

/// A negative key is a very large number.
fn has_entry<N: ArrowNativeTypeOp>(key: N, entries: usize) -> bool {
    key.as_usize() < entries
}

#[cfg(test)]
mod tests {
    use arrow_array::{Int8Array, Int32Array, StringArray, UInt64Array};

    use super::*;

    // An array whose keys have no entries cannot be made without `unsafe`.
    #[test]
    fn keys_without_an_entry_are_found() {
        assert!(have_entries(&Int32Array::from(vec![0, 2, 1]), 3));
        for key in [3, 5, i32::MAX, -1, i32::MIN] {
            assert!(!have_entries(&Int32Array::from(vec![0, key, 1]), 3), "{key}");
            assert!(!have_entries(&Int32Array::from(vec![Some(0), Some(key), None]), 3), "{key}");
        }
        assert!(!have_entries(&Int8Array::from(vec![-1]), 200));
        assert!(!have_entries(&UInt64Array::from(vec![u64::MAX]), 3));
        assert!(!have_entries(&Int8Array::from(vec![0]), 0));
        assert!(!have_entries(&StringArray::from(vec!["0"]), 1), "no keys at all");
    }

    #[test]
    fn keys_of_nulls_need_no_entry() {
        let keys = Int32Array::new(vec![7, 1, -1].into(), Some(vec![false, true, false].into()));
        assert!(have_entries(&keys, 2) && !have_entries(&keys, 1));
        assert!(have_entries(&Int8Array::from(vec![None, None]), 0));
    }

    #[test]
    fn no_cells_have_no_ids() {
        let mut ids = Vec::new();
        let none = WordsOfParquet::new(
            Int32Array::from(Vec::<i32>::new()),
            std::sync::Arc::new(StringArray::from(vec![""; 0])),
        );
        assert_eq!(append(&none, &mut Dictionary::new(), &mut ids), Ok(()));
        assert!(ids.is_empty());
    }
}
