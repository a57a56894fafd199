//! Columns of codes, as narrow as their largest code allows.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// An unsigned integer that codes are stored in.
pub trait Code: Copy + Send + Sync {
    /// The code as an index.
    fn index(self) -> usize;
}

impl Code for u8 {
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

impl Code for u16 {
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

impl Code for u32 {
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

/// A column of codes of one, two or four bytes. As data it is a list of numbers. Two columns are the same only if they are as wide too: codes
/// that were taken from a wider column may take more bytes than they need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u32>", into = "Vec<u32>")]
pub enum Codes {
    /// At most 256 distinct codes.
    U8(Vec<u8>),
    /// At most 65,536 distinct codes.
    U16(Vec<u16>),
    /// More.
    U32(Vec<u32>),
}

/// Runs the same expression for each width, so that inner loops are compiled for each of them.
#[macro_export]
macro_rules! with_codes {
    ($codes:expr, $column:ident => $body:expr) => {
        match $codes {
            $crate::Codes::U8($column) => $body,
            $crate::Codes::U16($column) => $body,
            $crate::Codes::U32($column) => $body,
        }
    };
}

impl Default for Codes {
    fn default() -> Self {
        Codes::U8(Vec::new())
    }
}

impl From<Vec<u32>> for Codes {
    fn from(codes: Vec<u32>) -> Self {
        match codes.iter().fold(0, |most, &code| most.max(code)) as usize {
            0x1_0000.. => Codes::U32(codes),
            most => Codes::from_codes(codes.into_iter(), most + 1),
        }
    }
}

impl From<Codes> for Vec<u32> {
    fn from(codes: Codes) -> Self {
        match codes {
            Codes::U32(codes) => codes,
            codes => with_codes!(codes, codes => codes.into_iter().map(|code| code.index() as u32).collect()),
        }
    }
}

impl Codes {
    /// A column with the narrowest width for codes below `distinct`.
    pub fn from_codes(codes: impl Iterator<Item = u32>, distinct: usize) -> Self {
        match distinct {
            0..=0x100 => Codes::U8(codes.map(|code| code as u8).collect()),
            0x101..=0x1_0000 => Codes::U16(codes.map(|code| code as u16).collect()),
            _ => Codes::U32(codes.collect()),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        with_codes!(self, column => column.len())
    }

    /// Are there no rows?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row.
    pub fn get(&self, row: usize) -> u32 {
        with_codes!(self, column => column[row].index() as u32)
    }

    /// All codes in row order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        with_codes!(self, column => Box::new(column.iter().map(|code| code.index() as u32)))
    }

    /// The codes of some rows, in row order; `None` if there are not so many rows.
    pub fn of_rows(&self, rows: Range<usize>) -> Option<Vec<u32>> {
        with_codes!(self, column => Some(column.get(rows)?.iter().map(|code| code.index() as u32).collect()))
    }

    /// What is known of the codes of some rows, in row order; `None` if there are not so many rows.
    pub fn look_up<T: Copy>(&self, rows: Range<usize>, of_code: &[T]) -> Option<Vec<T>> {
        with_codes!(self, column => Some(column.get(rows)?.iter().map(|code| of_code[code.index()]).collect()))
    }

    /// What is known of the code of each row.
    pub fn each<T: Copy>(&self, of_code: &[T]) -> Vec<T> {
        with_codes!(self, column => column.iter().map(|code| of_code[code.index()]).collect())
    }

    /// The column with another code for each, those of its rows below `distinct`.
    pub fn recoded(&self, of_code: &[u32], distinct: usize) -> Codes {
        with_codes!(self, column => Codes::from_codes(column.iter().map(|code| of_code[code.index()]), distinct))
    }

    /// The first rows.
    pub fn first(&self, rows: usize) -> Codes {
        match self {
            Codes::U8(column) => Codes::U8(column[..rows.min(column.len())].to_vec()),
            Codes::U16(column) => Codes::U16(column[..rows.min(column.len())].to_vec()),
            Codes::U32(column) => Codes::U32(column[..rows.min(column.len())].to_vec()),
        }
    }

    /// Every so many-th row.
    pub fn every(&self, step: usize) -> Codes {
        match self {
            Codes::U8(column) => Codes::U8(column.iter().copied().step_by(step).collect()),
            Codes::U16(column) => Codes::U16(column.iter().copied().step_by(step).collect()),
            Codes::U32(column) => Codes::U32(column.iter().copied().step_by(step).collect()),
        }
    }

    /// The rows that are not marked. No mark at all is none.
    pub fn unmarked(&self, marked: &[bool]) -> Codes {
        fn unmarked<C: Copy>(column: &[C], marked: &[bool]) -> Vec<C> {
            let marks = marked.iter().copied().chain(std::iter::repeat(false));
            column.iter().zip(marks).filter(|(_, marked)| !marked).map(|(&code, _)| code).collect()
        }
        match self {
            Codes::U8(column) => Codes::U8(unmarked(column, marked)),
            Codes::U16(column) => Codes::U16(unmarked(column, marked)),
            Codes::U32(column) => Codes::U32(unmarked(column, marked)),
        }
    }

    /// What the column takes in memory.
    pub fn bytes(&self) -> usize {
        with_codes!(self, column => size_of_val(&column[..]))
    }

    /// The codes of these rows.
    pub(crate) fn taken(&self, rows: &[u32]) -> Codes {
        let rows = rows.iter().map(|&row| row as usize);
        match self {
            Codes::U8(column) => Codes::U8(rows.map(|row| column[row]).collect()),
            Codes::U16(column) => Codes::U16(rows.map(|row| column[row]).collect()),
            Codes::U32(column) => Codes::U32(rows.map(|row| column[row]).collect()),
        }
    }

    /// Appends codes, widening the column at most once.
    pub fn extend(&mut self, codes: impl Iterator<Item = u32> + Clone) {
        // Not `max`, which looks at one after the other.
        self.widen(codes.clone().fold(0, u32::max));
        match self {
            Codes::U8(column) => column.extend(codes.map(|code| code as u8)),
            Codes::U16(column) => column.extend(codes.map(|code| code as u16)),
            Codes::U32(column) => column.extend(codes),
        }
    }

    /// Makes room for codes of this size.
    fn widen(&mut self, code: u32) {
        match self {
            Codes::U8(column) if code > u32::from(u8::MAX) && code <= u32::from(u16::MAX) => {
                *self = Codes::U16(column.iter().map(|&code| u16::from(code)).collect());
            }
            Codes::U8(_) | Codes::U16(_) if code > u32::from(u16::MAX) => *self = Codes::U32(self.iter().collect()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_widen_when_they_must() {
        let mut codes = Codes::default();
        for code in [0, 255, 256, 65_535, 65_536, 7] {
            codes.extend([code].into_iter());
        }
        assert_eq!(codes.iter().collect::<Vec<_>>(), [0, 255, 256, 65_535, 65_536, 7]);
        assert!(matches!(codes, Codes::U32(_)) && codes.bytes() == 6 * 4);
        assert!(matches!(Codes::from_codes([1, 2].into_iter(), 256), Codes::U8(_)));
        assert!(matches!(Codes::from_codes([1, 2].into_iter(), 257), Codes::U16(_)));
    }

    #[test]
    fn some_rows_are_as_wide_as_all_and_a_list_is_as_narrow_as_it_can_be() {
        for large in [7, 0x100, 0x1_0000] {
            let list = vec![3, large, 5, 1];
            let codes = Codes::from(list.clone());
            assert_eq!(codes, Codes::from_codes(list.iter().copied(), large as usize + 1));
            assert_eq!((Vec::from(codes.every(2)), Vec::from(codes.first(2))), (vec![3, 5], vec![3, large]));
            assert_eq!(Vec::from(codes.unmarked(&[true, false])), [large, 5, 1]);
            assert_eq!(Vec::from(codes), list);
        }
        assert_eq!(Codes::from(Vec::new()), Codes::default());
    }

    #[test]
    fn codes_of_some_rows_are_looked_up() {
        let codes = Codes::from_codes([2, 0, 1, 1].into_iter(), 3);
        assert_eq!(codes.look_up(1..4, &['a', 'b', 'c']), Some(vec!['a', 'b', 'b']));
        assert_eq!(codes.look_up(3..5, &[0; 3]), None);
        assert_eq!((codes.of_rows(1..4), codes.of_rows(3..5)), (Some(vec![0, 1, 1]), None));
        assert_eq!(codes.each(&['a', 'b', 'c']), ['c', 'a', 'b', 'b']);
    }
}
