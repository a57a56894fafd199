//! Tables from groups that somebody else counted, in parts, and seen through some of their columns.

use std::sync::Arc;

use thiserror::Error;

use crate::regroup::regroup;
use crate::{BlockColumn, Codes, Compressor, History, Patterns, RawColumn, RawTable};

/// Why groups make no table: a defect of whoever counted them.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GroupsError {
    /// A column is shorter or longer than the list of counts.
    #[error("column {column} has {codes} codes for {counts} counts")]
    Rows {
        /// The position of the column.
        column: usize,
        /// Its codes.
        codes: usize,
        /// The counts.
        counts: usize,
    },
    /// A code stands for no text.
    #[error("column {column} has a code without a text")]
    Code {
        /// The position of the column.
        column: usize,
    },
    /// Parts of one table have different numbers of columns.
    #[error("a part has {found} columns, another {expected}")]
    Columns {
        /// The first part's.
        expected: usize,
        /// This part's.
        found: usize,
    },
    /// The counts do not fit into a number.
    #[error("there are more records than can be counted")]
    TooMany,
}

impl RawTable {
    /// The table whose records are in these groups: `counts` has the records of each row, every column a code for each row and
    /// the text of each code. Rows may repeat, and several codes may have the same text; `dropped` records are in no row.
    ///
    /// ```
    /// use cutline_table::{BlockColumn, RawTable};
    ///
    /// let texts = |texts: &[&str]| texts.iter().map(|&text| Some(text.to_owned())).collect();
    /// let sex = BlockColumn { codes: vec![0, 1, 0], texts: texts(&["F", "M"]) };
    /// let city = BlockColumn { codes: vec![0, 0, 1], texts: texts(&["Rome", "Oslo"]) };
    /// let table = RawTable::from_groups(&[sex, city], &[40, 2, 7], 0)?;
    /// assert_eq!((table.records, table.weights.len()), (49, 3));
    /// assert_eq!(table.select(&[0]).weights, [47, 2]);
    /// # Ok::<(), cutline_table::GroupsError>(())
    /// ```
    pub fn from_groups(columns: &[BlockColumn], counts: &[u64], dropped: u64) -> Result<RawTable, GroupsError> {
        for (index, column) in columns.iter().enumerate() {
            if column.codes.len() != counts.len() {
                return Err(GroupsError::Rows { column: index, codes: column.codes.len(), counts: counts.len() });
            }
            if column.codes.iter().any(|&code| code as usize >= column.texts.len()) {
                return Err(GroupsError::Code { column: index });
            }
        }
        let records = counts.iter().try_fold(dropped, |sum, &count| sum.checked_add(count));
        records.ok_or(GroupsError::TooMany)?;
        let mut compressor = Compressor::new(columns.len());
        compressor.add_groups(columns, counts, dropped);
        Ok(compressor.finish())
    }

    /// One table of parts that follow one another, with the same columns. The texts and codes of a part are its own.
    pub fn merge(self, parts: impl IntoIterator<Item = RawTable>) -> Result<RawTable, GroupsError> {
        let expected = self.columns.len();
        let mut compressor = Compressor::new(expected);
        let mut total = 0_u64;
        for part in std::iter::once(self).chain(parts) {
            if part.columns.len() != expected {
                return Err(GroupsError::Columns { expected, found: part.columns.len() });
            }
            let more = part.records.checked_add(part.dropped).and_then(|records| total.checked_add(records));
            total = more.ok_or(GroupsError::TooMany)?;
            compressor.add_part(&part);
        }
        Ok(compressor.finish())
    }

    /// The same records grouped by some of the columns only, in this order: no record needs to be read again for another QID or
    /// target. Records that were dropped stay so, whichever column they lacked.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn select(&self, columns: &[usize]) -> RawTable {
        let codes = columns.iter().map(|&column| &self.columns[column].codes);
        let codes: Vec<&Codes> = codes.chain(self.history.as_ref().map(|history| &history.of_row)).collect();
        let unique = |&column: &usize| self.columns[column].values().count() == self.weights.len();
        if (0..self.columns.len()).all(|column| columns.contains(&column)) || columns.iter().any(unique) {
            // Rows that differ stay different.
            return self.regrouped(columns, codes.into_iter().cloned().collect(), self.weights.clone());
        }
        let (codes, weights) = regroup(&codes, self.weights.len(), |row| Some(self.weights[row]));
        self.regrouped(columns, codes, weights)
    }

    /// The same records in other rows, of some of the columns: their codes, and after them the histories, if those are known.
    pub(crate) fn regrouped(&self, columns: &[usize], mut codes: Vec<Codes>, weights: Vec<u64>) -> RawTable {
        let of_row = if self.history.is_some() { codes.pop() } else { None };
        let told = self.history.as_ref().zip(of_row);
        let history = told.map(|(history, of_row)| History { of_row, patterns: Arc::clone(&history.patterns) });
        let kept = columns.iter().map(|&column| &self.columns[column]);
        let column = |(column, codes): (&RawColumn, Codes)| RawColumn {
            codes,
            texts: Arc::clone(&column.texts),
            counts: column.counts.clone(),
            first_missing: column.first_missing,
        };
        let (records, dropped) = (self.records, self.dropped);
        RawTable { columns: kept.zip(codes).map(column).collect(), weights, records, dropped, history }
    }

    /// The table where earlier releases tell of its records. `pattern_of` has the pattern of each row; those without one are left out,
    /// and nothing is left of values that only they had.
    ///
    /// # Panics
    /// If there is not a pattern, or none, for each row.
    #[must_use]
    pub fn with_history(&self, pattern_of: &[Option<u32>], patterns: Arc<Patterns>) -> RawTable {
        let kept = || (0..self.weights.len()).filter(|&row| pattern_of[row].is_some());
        let weights: Vec<u64> = kept().map(|row| self.weights[row]).collect();
        let column = |column: &RawColumn| {
            let mut counts = vec![0; column.counts.len()];
            kept().for_each(|row| counts[column.codes.get(row) as usize] += self.weights[row]);
            let codes = Codes::from_codes(kept().map(|row| column.codes.get(row)), counts.len());
            let texts = Arc::clone(&column.texts);
            RawColumn { codes, texts, first_missing: column.first_missing.filter(|_| counts[0] > 0), counts }
        };
        let of_row = Codes::from_codes(pattern_of.iter().flatten().copied(), patterns.patterns.len());
        RawTable {
            columns: self.columns.iter().map(column).collect(),
            records: weights.iter().sum(),
            weights,
            dropped: self.dropped,
            history: Some(History { of_row, patterns }),
        }
    }
}

#[cfg(test)]
mod tests;
