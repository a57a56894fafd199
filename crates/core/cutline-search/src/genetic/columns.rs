//! Which labels does a row have? Asked of all rows for every candidate, so many rows are told at a time.
//!
//! Labels of a cut and of intervals are runs of codes: the label of a row is how many runs begin at its code or before. That many comparisons
//! of a byte, for sixteen rows at once, take less time than looking labels up for one row after the other, as long as runs are few.

use std::ops::Range;

use cutline_table::{AttributeId, Code, Codes, CompressedTable, with_codes};
use rayon::prelude::*;

use super::genes::Labellings;
use crate::grouping::Labelling;

/// Rows that fit into the fastest cache, with everything that is known of them.
pub(crate) const BLOCK: usize = 1 << 11;

/// With more runs, labels are looked up.
const MOST_STEPS: usize = 24;

/// Combinations of labels that fit into a byte.
const BYTE: usize = 1 << 8;

/// Some rows: of each attribute as much as a candidate could tell.
#[derive(Debug)]
pub(crate) struct Columns {
    columns: Vec<Column>,
    pub(crate) rows: usize,
}

#[derive(Debug)]
struct Column {
    attribute: usize,
    /// Values that no candidate tells apart have the same code.
    codes: Codes,
    /// For each code, one of the values.
    value_of: Vec<u32>,
}

/// How rows are numbered by their labels: a byte for each part, and the numbers of all parts in one.
#[derive(Debug)]
pub(crate) struct Numbers {
    parts: Vec<Part>,
    /// Numbers are below this.
    pub(crate) cells: usize,
}

#[derive(Debug)]
struct Part {
    terms: Vec<(usize, Term)>,
    width: usize,
}

/// What a column adds to a number.
#[derive(Debug)]
enum Term {
    /// So much at each of these codes.
    Steps { at: Vec<u32>, by: u8 },
    /// So much for each code.
    Each(Vec<u8>),
}

/// The number of a row.
pub(crate) trait Number: Code {
    /// No row.
    const ZERO: Self;
    /// The number of some more labels.
    fn and(self, width: usize, part: u8) -> Self;
}

impl Number for u16 {
    const ZERO: u16 = 0;
    #[inline]
    fn and(self, width: usize, part: u8) -> u16 {
        self.wrapping_mul(width as u16).wrapping_add(u16::from(part))
    }
}

impl Number for u32 {
    const ZERO: u32 = 0;
    #[inline]
    fn and(self, width: usize, part: u8) -> u32 {
        self.wrapping_mul(width as u32).wrapping_add(u32::from(part))
    }
}

impl Columns {
    /// Rows of a table in any order, when this is as much as candidates could tell. Numbers are in the order of labels of attributes
    /// with few values, then of the others.
    pub(crate) fn new(table: &CompressedTable, attributes: &[AttributeId], finest: &Labellings, rows: &[u32]) -> Self {
        let mut attributes: Vec<usize> = attributes.iter().map(|id| id.0).collect();
        attributes.sort_by_key(|&a| table.attributes[a].domain.len());
        let column = |&attribute: &usize| {
            let Labelling { label_of, labels } = &finest.labels[attribute];
            let mut value_of = vec![0; *labels];
            label_of.iter().zip(0..).for_each(|(&label, value)| value_of[label as usize] = value);
            let code = |row: &u32| label_of[table.attributes[attribute].codes.get(*row as usize) as usize];
            Column { attribute, codes: Codes::from_codes(rows.iter().map(code), *labels), value_of }
        };
        Columns { columns: attributes.par_iter().map(column).collect(), rows: rows.len() }
    }

    /// How to number rows by their labels; nothing if that takes numbers of `most` or above.
    pub(crate) fn numbers(&self, labellings: &[Labelling], most: usize) -> Option<Numbers> {
        let (mut parts, mut cells) = (Vec::new(), 1usize);
        let (mut open, mut width) = (Vec::new(), 1);
        for (index, column) in self.columns.iter().enumerate() {
            let labels = labellings[column.attribute].labels;
            if labels < 2 {
                continue;
            }
            cells = cells.checked_mul(labels).filter(|&cells| cells <= most && labels <= BYTE)?;
            if width * labels > BYTE {
                parts.push(self.part(std::mem::take(&mut open), labellings));
                width = 1;
            }
            open.push(index);
            width *= labels;
        }
        parts.push(self.part(open, labellings));
        Some(Numbers { parts, cells })
    }

    /// Columns that fit into a byte together.
    fn part(&self, columns: Vec<usize>, labellings: &[Labelling]) -> Part {
        let (mut width, mut terms) = (1, Vec::with_capacity(columns.len()));
        for index in columns.into_iter().rev() {
            let Column { attribute, value_of, .. } = &self.columns[index];
            let Labelling { label_of, labels } = &labellings[*attribute];
            let label = |code: usize| label_of[value_of[code] as usize];
            terms.push((index, Term::new(value_of.len(), label, width as u8)));
            width *= labels;
        }
        Part { terms, width }
    }

    /// Numbers some rows, at most [`BLOCK`].
    pub(crate) fn number<N: Number>(&self, numbers: &Numbers, rows: Range<usize>, ids: &mut [N]) {
        let mut sums = [0; BLOCK];
        let sums = &mut sums[..rows.len()];
        ids.fill(N::ZERO);
        for Part { terms, width } in &numbers.parts {
            sums.fill(0);
            for (column, term) in terms {
                with_codes!(&self.columns[*column].codes, codes => term.add(&codes[rows.clone()], sums));
            }
            ids.iter_mut().zip(&*sums).for_each(|(id, &sum)| *id = id.and(*width, sum));
        }
    }
}

impl Term {
    /// The label of each code, `by` times.
    fn new(codes: usize, label: impl Fn(usize) -> u32, by: u8) -> Term {
        let at: Vec<u32> = (1..codes as u32).filter(|&code| label(code as usize) != label(code as usize - 1)).collect();
        let ascending = label(0) == 0 && at.iter().all(|&code| label(code as usize) == label(code as usize - 1) + 1);
        if ascending && at.len() <= MOST_STEPS {
            return Term::Steps { at, by };
        }
        Term::Each((0..codes).map(|code| label(code) as u8 * by).collect())
    }

    fn add<C: Code + PartialOrd + TryFrom<u32>>(&self, codes: &[C], sums: &mut [u8]) {
        match self {
            Term::Steps { at, by } => {
                // Codes are as wide as the largest of them, so that all fit.
                let at: Vec<C> = at.iter().filter_map(|&code| C::try_from(code).ok()).collect();
                step(codes, &at, *by, sums);
            }
            Term::Each(of_code) => {
                sums.iter_mut().zip(codes).for_each(|(sum, code)| *sum += of_code[code.index()]);
            }
        }
    }
}

/// Adds `by` for every step that a row's code is not before. Four at a time, so that sums are loaded and stored less often.
fn step<C: Code + PartialOrd>(codes: &[C], at: &[C], by: u8, sums: &mut [u8]) {
    let reached = |code: C, step: C| if code >= step { by } else { 0 };
    let fours = at.chunks_exact(4);
    for &one in fours.remainder() {
        sums.iter_mut().zip(codes).for_each(|(sum, &code)| *sum = sum.wrapping_add(reached(code, one)));
    }
    for four in fours {
        let [one, two, three, four] = [four[0], four[1], four[2], four[3]];
        sums.iter_mut().zip(codes).for_each(|(sum, &code)| {
            let lower = reached(code, one).wrapping_add(reached(code, two));
            let upper = reached(code, three).wrapping_add(reached(code, four));
            *sum = sum.wrapping_add(lower).wrapping_add(upper);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    /// Labels in the order of codes, as runs or each by itself, and labels in any order.
    fn labellings(random: &mut Random, codes: &[usize]) -> Vec<Labelling> {
        let labelling = |&codes: &usize| {
            let labels = 1 + random.below(codes.min(BYTE));
            let label = |code: usize| if labels.is_multiple_of(3) { code * 7 % labels } else { code * labels / codes };
            Labelling { label_of: (0..codes).map(|code| label(code) as u32).collect(), labels }
        };
        codes.iter().map(labelling).collect()
    }

    fn check<N: Number>(columns: &Columns, numbers: &Numbers, naive: &[usize]) {
        for start in (0..columns.rows).step_by(BLOCK) {
            let rows = start..(start + BLOCK).min(columns.rows);
            let mut ids = vec![N::ZERO; rows.len()];
            columns.number(numbers, rows.clone(), &mut ids);
            assert!(ids.iter().map(|id| id.index()).eq(naive[rows].iter().copied()), "{numbers:?}");
        }
    }

    #[test]
    fn many_rows_at_once_have_the_number_of_their_labels() {
        let (codes, rows) = ([2, 5, 40, 200, 300], BLOCK + 100);
        let mut random = Random::new(5);
        let mut column = |(attribute, &below): (usize, &usize)| {
            let codes: Vec<u32> = (0..rows).map(|_| random.below(below) as u32).collect();
            Column {
                attribute,
                codes: Codes::from_codes(codes.into_iter(), below),
                value_of: (0..below as u32).collect(),
            }
        };
        let columns = Columns { columns: codes.iter().enumerate().map(&mut column).collect(), rows };
        let (mut narrow, mut wide) = (0, 0);
        for _ in 0..300 {
            let labellings = labellings(&mut random, &codes);
            let Some(numbers) = columns.numbers(&labellings, 1 << 22) else { continue };
            let label = |column: &Column, row: usize| {
                labellings[column.attribute].label_of[column.codes.get(row) as usize] as usize
            };
            let number = |row: usize| {
                columns
                    .columns
                    .iter()
                    .fold(0, |id, column| id * labellings[column.attribute].labels + label(column, row))
            };
            let naive: Vec<usize> = (0..rows).map(number).collect();
            check::<u32>(&columns, &numbers, &naive);
            wide += 1;
            if numbers.cells <= 1 << 16 {
                check::<u16>(&columns, &numbers, &naive);
                narrow += 1;
            }
        }
        assert!(narrow > 5 && wide > narrow + 5, "{narrow} {wide}");
    }
}
