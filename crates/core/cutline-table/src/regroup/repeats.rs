//! Where is a row once others are gone?

use rayon::prelude::*;

use super::heaps::Alike;
use crate::Codes;

/// Which rows are gone: those that are left out, and those that repeat an earlier one?
pub(super) struct Marks {
    rows: usize,
    /// A bit for each row.
    words: Vec<u64>,
}

const WORD: usize = u64::BITS as usize;

impl Marks {
    /// Those that are left out are gone.
    pub(super) fn new(rows: usize, kept: impl Fn(usize) -> bool + Sync) -> Self {
        let word = |word: usize| {
            let rows = word * WORD..rows.min((word + 1) * WORD);
            rows.fold(0, |marks, row| marks | u64::from(!kept(row)) << (row % WORD))
        };
        Marks { rows, words: (0..rows.div_ceil(WORD)).into_par_iter().with_min_len(1 << 8).map(word).collect() }
    }

    /// Those that repeat an earlier one are gone, too.
    pub(super) fn add(&mut self, alike: &[Alike]) {
        let repeats = alike.iter().flat_map(|alike| &alike.others);
        repeats.for_each(|&(row, _)| self.words[row as usize / WORD] |= 1 << (row as usize % WORD));
    }
}

/// The rows that are left.
pub(super) struct Left {
    marks: Marks,
    /// How many rows are gone before each word of marks.
    before: Vec<u32>,
    /// How many rows are left.
    rows: usize,
}

impl Left {
    pub(super) fn new(marks: Marks) -> Self {
        let mut gone = 0;
        let count = |marks: &u64| {
            gone += marks.count_ones();
            gone - marks.count_ones()
        };
        let before = marks.words.iter().map(count).collect();
        Left { before, rows: marks.rows - gone as usize, marks }
    }

    /// A number for each row: that of its place, or of the first row that it is like; and how many numbers there are.
    pub(super) fn numbers(&self, alike: &[Alike]) -> (Vec<u32>, usize) {
        let mut of_row: Vec<u32> = (0..self.marks.rows as u32).into_par_iter().map(|row| self.place(row)).collect();
        for Alike { firsts, others } in alike {
            others.iter().for_each(|&(row, first)| of_row[row as usize] = self.place(firsts[first as usize]));
        }
        (of_row, self.rows)
    }

    /// Where a row is that is left. Of one that is gone, it means nothing.
    pub(super) fn place(&self, row: u32) -> u32 {
        let (word, bit) = (row as usize / WORD, row as usize % WORD);
        row - self.before[word] - (self.marks.words[word] & ((1 << bit) - 1)).count_ones()
    }

    /// Something of each row that is left.
    pub(super) fn each<T: Send>(&self, of_row: impl Fn(u32) -> T) -> Vec<T> {
        let mut each = Vec::with_capacity(self.rows);
        for (word, &marks) in self.marks.words.iter().enumerate() {
            let rows = (word * WORD) as u32..self.marks.rows.min((word + 1) * WORD) as u32;
            match marks {
                0 => each.extend(rows.map(&of_row)),
                marks => each.extend(rows.filter(|row| marks >> (row % u64::BITS) & 1 == 0).map(&of_row)),
            }
        }
        each
    }

    /// The codes of the rows that are left.
    pub(super) fn taken_out_of(&self, codes: &Codes) -> Codes {
        match codes {
            Codes::U8(codes) => Codes::U8(self.kept(codes)),
            Codes::U16(codes) => Codes::U16(self.kept(codes)),
            Codes::U32(codes) => Codes::U32(self.kept(codes)),
        }
    }

    /// Whole stretches between those that are gone, which mostly are far from each other.
    fn kept<C: Copy>(&self, codes: &[C]) -> Vec<C> {
        let mut kept = Vec::with_capacity(self.rows);
        let mut start = 0;
        for (word, &marks) in self.marks.words.iter().enumerate() {
            let mut marks = marks;
            while marks != 0 {
                let row = word * WORD + marks.trailing_zeros() as usize;
                kept.extend_from_slice(&codes[start..row]);
                start = row + 1;
                marks &= marks - 1;
            }
        }
        kept.extend_from_slice(&codes[start..]);
        kept
    }
}
