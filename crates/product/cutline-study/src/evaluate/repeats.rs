//! Does a column repeat the target?
//!
//! Models that see such a column need nothing else: an error of nothing, or an R² of 100 %, says little about masking then.

use std::collections::HashMap;

use cutline::{Note, Observer};
use cutline_table::BlockColumn;

use super::features::{missing, numbers};
use super::learn::Target;

/// A correlation as strong as this is a copy in other units, but for rounding.
const SAME: f64 = 1.0 - 1e-9;

impl Target<'_> {
    /// Tells which of the columns, by name, repeat the target.
    pub(super) fn note_repeats<'a>(
        &self,
        columns: impl IntoIterator<Item = (&'a str, &'a BlockColumn)>,
        observer: &dyn Observer,
    ) {
        let target = &self.records.columns()[self.place];
        for (name, _) in columns.into_iter().filter(|(_, column)| repeats(column, target)) {
            observer.note(&Note::TellsTarget { column: name.to_owned(), target: self.name.to_owned() });
        }
    }
}

/// Does the column tell the target of every record?
fn repeats(column: &BlockColumn, target: &BlockColumn) -> bool {
    determines(column, target) || is_linear(&numbers(column), &numbers(target))
}

/// Does every value of the column go with one target alone? Values that one record has tell nothing about others, so most records must
/// share theirs.
fn determines(column: &BlockColumn, target: &BlockColumn) -> bool {
    // Equal texts may have several codes, as blocks of records are read apart.
    let texts: Vec<&Option<String>> = target.codes.iter().map(|&code| &target.texts[code as usize]).collect();
    let mut seen: HashMap<&str, (&Option<String>, u64)> = HashMap::new();
    for ((&code, lacks), &text) in column.codes.iter().zip(missing(column)).zip(&texts) {
        let value = if lacks { continue } else { column.texts[code as usize].as_deref().unwrap_or_default() };
        let (first, records) = seen.entry(value).or_insert((text, 0));
        *records += 1;
        if *first != text {
            return false;
        }
    }
    let shared: u64 = seen.values().map(|(_, records)| *records).filter(|&records| records > 1).sum();
    let differ = texts.iter().any(|text| *text != texts[0]);
    differ && 2 * shared > target.codes.len() as u64
}

/// Is one a multiple of the other, moved by a constant? Asked of numbers that both records have.
fn is_linear(column: &[f64], target: &[f64]) -> bool {
    let both = || column.iter().zip(target).filter(|(x, y)| x.is_finite() && y.is_finite());
    let records = both().count();
    if records < 3 || 2 * records < target.len() {
        return false;
    }
    let mean = |of: fn((&f64, &f64)) -> f64| both().map(of).sum::<f64>() / records as f64;
    let (x, y) = (mean(|(x, _)| *x), mean(|(_, y)| *y));
    let sums = both().fold((0.0, 0.0, 0.0), |(xx, yy, xy), (a, b)| {
        (xx + (a - x).powi(2), yy + (b - y).powi(2), xy + (a - x) * (b - y))
    });
    let (xx, yy, xy) = sums;
    xx > 0.0 && yy > 0.0 && xy.abs() >= SAME * (xx * yy).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> BlockColumn {
        let text = |cell: &&str| (*cell != "?").then(|| (*cell).to_owned());
        BlockColumn { codes: (0..cells.len() as u32).collect(), texts: cells.iter().map(text).collect() }
    }

    #[test]
    fn a_column_that_tells_the_target_repeats_it() {
        let target = column(&["yes", "no", "yes", "no", "no"]);
        assert!(repeats(&column(&["1", "2", "1", "2", "2"]), &target));
        assert!(repeats(&column(&["a", "b", "c", "b", "b"]), &target));
        assert!(!repeats(&column(&["1", "2", "1", "2", "1"]), &target));
        // A key tells nothing about others, and one class is told by anything.
        assert!(!repeats(&column(&["a", "b", "c", "d", "e"]), &target));
        assert!(!repeats(&column(&["1", "2", "1", "2", "2"]), &column(&["no"; 5])));
        assert!(!repeats(&column(&["?"; 5]), &target));
    }

    #[test]
    fn the_target_in_other_units_repeats_it() {
        let target = column(&["1", "2.5", "4", "8"]);
        assert!(repeats(&column(&["212", "215", "218", "226"]), &target));
        assert!(!repeats(&column(&["1", "2", "4", "9"]), &target));
    }
}
