//! What does a cell say? The same as for `apply`: see `CellReader` of the engine and `parse_number` of the model.

use crate::dialect::Gives;
use crate::{Dialect, SqlError};

/// An expression for the value of a cell, as text without blanks around it; NULL if it is missing.
pub fn value_of(dialect: Dialect, cell: &str, nulls: &[String]) -> Result<String, SqlError> {
    value(dialect, cell, nulls, Gives::Text)
}

/// The value of a cell without blanks around it; NULL if it is missing.
pub(crate) fn value(dialect: Dialect, cell: &str, nulls: &[String], will_be: Gives) -> Result<String, SqlError> {
    let trimmed = dialect.trimmed(&dialect.text(cell, will_be));
    let mut value = dialect.exact(&trimmed);
    let markers = markers(dialect, nulls)?;
    if dialect == Dialect::Sqlite && will_be == Gives::Number {
        // A number that became a text would have fifteen digits.
        let number = format!("WHEN TYPEOF({cell}) IN ('integer', 'real') THEN {cell}");
        return Ok(format!("CASE WHEN {trimmed} IN ({}) THEN NULL {number} ELSE {trimmed} END", markers.join(", ")));
    }
    for marker in markers {
        value = format!("NULLIF({value}, {marker})");
    }
    Ok(value)
}

/// The texts that stand for a missing value: the empty one and the recoding's own, blanks around them aside.
fn markers(dialect: Dialect, nulls: &[String]) -> Result<Vec<String>, SqlError> {
    let mut texts = vec![""];
    for null in nulls.iter().map(|null| null.trim()) {
        if !texts.contains(&null) {
            texts.push(null);
        }
    }
    texts.into_iter().map(|text| dialect.quote_text(text)).collect()
}

/// The number that a value is; NULL if the value is missing. What is no number makes the statement fail.
pub(crate) fn number(dialect: Dialect, value: &str, message: &str) -> String {
    let message = dialect.joined(message, &dialect.nothing_of(value));
    let fail = dialect.fail(&message, Gives::Number);
    let (is_number, number) = (dialect.is_number(value), dialect.number(value));
    format!("CASE WHEN {value} IS NULL THEN NULL WHEN {is_number} THEN {number} ELSE {fail} END")
}

/// A number as a literal that servers read as a floating-point number, or as a whole one that is exact.
pub(crate) fn number_literal(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX) {
        format!("{number}")
    } else {
        format!("{number:e}")
    }
}
