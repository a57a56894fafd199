//! The order of a column's values.

use rayon::prelude::*;

use crate::{Codes, RawColumn};

/// The values that a column's texts stand for.
pub(crate) struct Ordered<K> {
    /// In order. Several texts may stand for one value (`1` and `1.0`).
    pub(crate) keys: Vec<K>,
    /// For every provisional code, the position of its value; the missing one comes last.
    pub(crate) code_of: Vec<u32>,
}

impl<'c> Ordered<&'c str> {
    /// The texts themselves, in byte order.
    pub(crate) fn names(column: &'c RawColumn) -> Self {
        Ordered::new(column, column.present().map(|number| (column.texts.text(number), number)).collect())
    }
}

impl<K: Ord + Copy + Send> Ordered<K> {
    /// Orders values with the numbers of the texts that stand for them.
    pub(crate) fn new(column: &RawColumn, mut values: Vec<(K, u32)>) -> Self {
        values.par_sort_unstable();
        let mut keys: Vec<K> = Vec::new();
        let mut code_of = vec![0; column.texts.len() + 1];
        for (key, number) in values {
            if keys.last().is_none_or(|last| last.cmp(&key).is_lt()) {
                keys.push(key);
            }
            code_of[number as usize + 1] = keys.len() as u32 - 1;
        }
        code_of[0] = keys.len() as u32;
        Ordered { keys, code_of }
    }
}

/// The rows of a column with their codes in order.
pub(crate) fn recode(column: &RawColumn, code_of: &[u32], distinct: usize) -> Codes {
    column.codes.recoded(code_of, distinct)
}
