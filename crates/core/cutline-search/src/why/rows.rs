//! Which rows of a table does nothing that is asked tell apart?

use std::sync::Arc;

use cutline_table::{Code, Codes, CompressedTable, Histories, Numbering, Persons, TableQid, combine, with_codes};

use super::left::Outlook;

/// Of fewer rows it takes no time to find out which are the same.
const MANY_ROWS: usize = 1 << 16;

/// So many rows are looked at first.
const SOME_ROWS: usize = 1 << 14;

/// The rows of a table as far as they are told apart.
pub(super) enum Rows {
    /// Each is one.
    Each,
    /// Those with the same number are one.
    Distinct { numbering: Numbering, first: Vec<u32> },
}

impl Rows {
    /// The rows of a table, as one where nothing that is asked tells them apart. Where that makes them hardly fewer, each by itself: to find
    /// out which are the same would take longer than to look at all of them. Either way the answers are the same.
    pub(super) fn told_apart(table: &CompressedTable, outlooks: &[Outlook]) -> Self {
        let all = table.rows();
        let told = table.attributes.iter().zip(outlooks);
        let told = told.map(|(attribute, outlook)| (&attribute.codes, outlook.told()));
        let told: Vec<(&Codes, Numbering)> = told.filter(|(_, told)| told.len > 1).collect();
        let distinct: Vec<usize> = told.iter().map(|(_, told)| told.len).collect();
        let add = |column: usize, start: usize, combined: &mut [u32]| {
            let (codes, told) = &told[column];
            with_codes!(codes, codes => {
                combine(combined, told.len, codes[start..].iter().map(|code| told.of_row[code.index()]));
            });
        };
        if all >= MANY_ROWS && few_are_alike(all, &distinct, add) {
            return Rows::Each;
        }
        let most = all / 4;
        let mut numbering = Numbering::new(all);
        numbering.refine_all(&distinct, most + 1, add);
        if numbering.len > most {
            return Rows::Each;
        }
        table.sensitive.iter().for_each(|sensitive| numbering.refine(sensitive.codes.iter(), sensitive.values.len()));
        if let Some(history) = &table.history {
            numbering.refine(history.of_row.iter(), history.patterns.patterns.len());
        }
        Rows::Distinct { first: numbering.first_rows(), numbering }
    }

    /// The records of each, and the persons behind them.
    pub(super) fn weights(&self, table: &CompressedTable) -> (Vec<u64>, Option<Persons>) {
        match self {
            Rows::Each => (table.weights.clone(), table.persons.clone()),
            Rows::Distinct { numbering, .. } => {
                let persons = table.persons.as_ref().map(|persons| persons.regrouped(numbering));
                (numbering.sizes(&table.weights), persons)
            }
        }
    }

    /// What is known of each of them by a column of the table's.
    pub(super) fn of(&self, codes: &Codes, distinct: usize) -> Codes {
        match self {
            Rows::Each => codes.clone(),
            Rows::Distinct { first, .. } => {
                Codes::from_codes(first.iter().map(|&row| codes.get(row as usize)), distinct)
            }
        }
    }

    /// The same, where each code stands for another one.
    pub(super) fn recoded(&self, codes: &Codes, of_code: &[u32], distinct: usize) -> Codes {
        match self {
            Rows::Each => codes.recoded(of_code, distinct),
            Rows::Distinct { first, .. } => with_codes!(codes, codes => {
                Codes::from_codes(first.iter().map(|&row| of_code[codes[row as usize].index()]), distinct)
            }),
        }
    }

    /// A QID with the histories of these rows.
    pub(super) fn qid(&self, qid: &TableQid) -> TableQid {
        let histories = |histories: &Arc<Histories>| {
            let of_row = self.of(&histories.of_row, histories.len());
            Arc::new(Histories { of_row, absent: histories.absent.clone() })
        };
        TableQid { histories: qid.histories.as_ref().map(histories), ..qid.clone() }
    }
}

/// Are so few of some rows in the middle like another one that all have more combinations than it is worth to look for? Columns and `add` are as
/// those of [`Numbering::refine_all`].
///
/// With no more than a quarter as many combinations as rows, there are at least one and a half pairs of rows that are alike for each row, and
/// of the pairs of some rows as large a part.
fn few_are_alike(all: usize, distinct: &[usize], add: impl Fn(usize, usize, &mut [u32]) + Sync) -> bool {
    let mut some = Numbering::new(SOME_ROWS);
    some.refine_all(distinct, usize::MAX, |column, start, combined| add(column, all / 2 + start, combined));
    (SOME_ROWS - some.len) * all < 3 * SOME_ROWS * SOME_ROWS / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_the_middle_tell_whether_neighbours_are_alike() {
        const TIMES: usize = 5;
        let few = |label: fn(usize) -> usize| {
            few_are_alike(TIMES * SOME_ROWS, &[SOME_ROWS], |_, start, combined| {
                combine(combined, SOME_ROWS, (start..).map(|row| label(row) as u32));
            })
        };
        assert!(!few(|row| row / TIMES), "each is beside those that are like it");
        assert!(few(|row| row % SOME_ROWS), "each is far from them");
    }
}
