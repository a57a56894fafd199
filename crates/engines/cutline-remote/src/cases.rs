//! Labels of cells as expressions. A server looks up a few in a CASE sooner than it joins a table of them.

use cutline_engine::CellKind;
use cutline_sql::{Dialect, Gives, Lookup, SqlError, Unlisted};

use crate::{LabelCase, Labels, ServerColumn, ServerError};

/// Cells with more labels than this are joined with them: a CASE tries one label after the other.
const MOST_CASES: usize = 24;

/// More cells than this are joined with their labels.
const MOST_CELLS: usize = 5_000;

/// The label of a column's cell, if its labels are few.
pub fn label_case<K>(
    dialect: Dialect,
    column: &ServerColumn,
    labels: &Labels<K>,
    unlisted: Unlisted,
) -> Result<Option<LabelCase>, ServerError> {
    let Some(cells) = written(dialect, column, labels).filter(|_| labels.places.len() <= MOST_CELLS) else {
        return Ok(None);
    };
    let null = labels.missing_label.as_deref().map_or(Ok("NULL".to_owned()), |label| dialect.quote_text(label))?;
    let (name, cell) = (&column.column.name, &column.cell);
    let lookup = |null, listed| Lookup { name, cell, cells, null, listed, unlisted };
    let label = lookup(&null, texts(dialect, column, labels)?);
    if label.cases() > MOST_CASES {
        return Ok(None);
    }
    let number = labels.missing_number.to_string();
    let number = lookup(&number, numbers(labels)).case(dialect, Gives::Number)?;
    Ok(Some(LabelCase { label: label.case(dialect, Gives::Text)?, number: format!("({number})") }))
}

/// How cells are written in a statement, if nothing but their texts is needed for it. PostgreSQL reads every text as what it is compared
/// with; elsewhere that is left to nobody.
fn written<K>(dialect: Dialect, column: &ServerColumn, labels: &Labels<K>) -> Option<Gives> {
    match column.column.cells {
        _ if dialect == Dialect::Postgres => Some(Gives::Text),
        CellKind::Text => Some(Gives::Text),
        CellKind::Integer => labels.texts().all(|text| text.parse::<i64>().is_ok()).then_some(Gives::Number),
        _ => None,
    }
}

/// The label of each cell: those that are published as they are need one case together.
fn texts<'a, K>(
    dialect: Dialect,
    column: &ServerColumn,
    labels: &'a Labels<K>,
) -> Result<Vec<(&'a str, String)>, SqlError> {
    let label = |(cell, label): (&'a str, &'a Option<String>)| {
        let label = match label {
            None => "NULL".to_owned(),
            Some(label) if label == cell => dialect.text(&column.cell, Gives::Text),
            Some(label) => dialect.quote_text(label)?,
        };
        Ok((cell, label))
    };
    let mut listed = labels.texts().zip(&labels.labels).map(label).collect::<Result<Vec<_>, SqlError>>()?;
    listed.sort_by(|one, other| one.1.cmp(&other.1));
    Ok(listed)
}

/// The number of each cell's label.
fn numbers<K>(labels: &Labels<K>) -> Vec<(&str, String)> {
    let mut listed: Vec<(&str, i32)> = labels.texts().zip(labels.numbers.iter().copied()).collect();
    listed.sort_by_key(|&(_, number)| number);
    listed.into_iter().map(|(cell, number)| (cell, number.to_string())).collect()
}
