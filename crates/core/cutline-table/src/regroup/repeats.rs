//! Where is a row once those that repeat an earlier one are gone?

use rayon::prelude::*;

use crate::{Codes, Numbering};

/// Rows that repeat an earlier one.
#[derive(Debug)]
pub(super) struct Repeats {
    rows: usize,
    /// Each of them, with the first row that it is like.
    pairs: Vec<Vec<(u32, u32)>>,
    /// A bit for each row: is it one of them?
    marks: Vec<u64>,
    /// How many of them are before each word of `marks`.
    before: Vec<u32>,
}

const WORD: usize = u64::BITS as usize;

impl Repeats {
    pub(super) fn new(rows: usize, pairs: Vec<Vec<(u32, u32)>>) -> Self {
        let mut marks = vec![0u64; rows.div_ceil(WORD)];
        pairs.iter().flatten().for_each(|&(row, _)| marks[row as usize / WORD] |= 1 << (row as usize % WORD));
        let count = |sum: &mut u32, marks: &u64| Some(std::mem::replace(sum, *sum + marks.count_ones()));
        let before = marks.iter().scan(0, count).collect();
        Repeats { rows, pairs, marks, before }
    }

    /// A number for each row: that of its place, or of the first row that it is like.
    pub(super) fn numbers(&self) -> Numbering {
        let mut of_row: Vec<u32> = (0..self.rows as u32).into_par_iter().map(|row| self.place(row)).collect();
        self.pairs().for_each(|(row, first)| of_row[row as usize] = self.place(first));
        Numbering { of_row, len: self.distinct() }
    }

    /// Those that repeat an earlier one, with the first that they are like.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.pairs.iter().flatten().copied()
    }

    /// Where a row is that repeats none. Of one that does, it means nothing.
    pub(super) fn place(&self, row: u32) -> u32 {
        let (word, bit) = (row as usize / WORD, row as usize % WORD);
        row - self.before[word] - (self.marks[word] & ((1 << bit) - 1)).count_ones()
    }

    /// How many rows repeat none.
    fn distinct(&self) -> usize {
        self.rows - self.pairs.iter().map(Vec::len).sum::<usize>()
    }

    /// Something of each row that repeats none.
    pub(super) fn firsts<T: Send>(&self, of_row: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let mut firsts = Vec::with_capacity(self.distinct());
        for (word, &marks) in self.marks.iter().enumerate() {
            let rows = word * WORD..self.rows.min((word + 1) * WORD);
            match marks {
                0 => firsts.extend(rows.map(&of_row)),
                marks => firsts.extend(rows.filter(|row| marks >> (row % WORD) & 1 == 0).map(&of_row)),
            }
        }
        firsts
    }

    /// The codes of the rows that repeat none.
    pub(super) fn taken_out_of(&self, codes: &Codes) -> Codes {
        match codes {
            Codes::U8(codes) => Codes::U8(self.kept(codes)),
            Codes::U16(codes) => Codes::U16(self.kept(codes)),
            Codes::U32(codes) => Codes::U32(self.kept(codes)),
        }
    }

    /// Whole stretches between those that repeat one, which mostly are far from each other.
    fn kept<C: Copy>(&self, codes: &[C]) -> Vec<C> {
        let mut kept = Vec::with_capacity(self.distinct());
        let mut start = 0;
        for (word, &marks) in self.marks.iter().enumerate() {
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
