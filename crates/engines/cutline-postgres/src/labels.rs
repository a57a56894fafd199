//! Labels of cells as a statement says them. They are part of its text: a statement with parameters or temporary tables runs on one core,
//! one without may run on several.

use cutline_remote::{LabelCase, Labels, ServerColumn, ServerError};
use cutline_sql::{Dialect, Gives, Lookup, SqlError, Unlisted};

/// Cells with more labels than this are joined with them: a CASE tries one label after the other.
const MOST_CASES: usize = 24;

/// More cells than this are joined with their labels.
const MOST_CELLS: usize = 5_000;

/// The label of a column's cell, if its labels are few.
pub(crate) fn case(
    column: &ServerColumn,
    labels: &Labels<()>,
    unlisted: Unlisted,
) -> Result<Option<LabelCase>, ServerError> {
    if labels.places.len() > MOST_CELLS {
        return Ok(None);
    }
    let null = labels.missing_label.as_deref().map_or(Ok("NULL".to_owned()), quoted)?;
    let lookup = |null, listed| Lookup { name: &column.column.name, cell: &column.cell, null, listed, unlisted };
    let label = lookup(&null, texts(column, labels)?);
    if label.cases() > MOST_CASES {
        return Ok(None);
    }
    let number = labels.missing_number.to_string();
    let number = lookup(&number, numbers(labels)).case(Dialect::Postgres, Gives::Number)?;
    // A label that is the cell itself would have its collation.
    let label = format!("({}) COLLATE \"default\"", label.case(Dialect::Postgres, Gives::Text)?);
    Ok(Some(LabelCase { label, number: format!("({number})") }))
}

/// The label of each cell: those that are published as they are need one case together.
fn texts<'a>(column: &ServerColumn, labels: &'a Labels<()>) -> Result<Vec<(&'a str, String)>, SqlError> {
    let label = |(cell, label): (&'a str, &'a Option<String>)| {
        let label = match label {
            None => "NULL".to_owned(),
            Some(label) if label == cell => format!("({})::text", column.cell),
            Some(label) => quoted(label)?,
        };
        Ok((cell, label))
    };
    let mut listed = labels.texts().zip(&labels.labels).map(label).collect::<Result<Vec<_>, SqlError>>()?;
    listed.sort_by(|one, other| one.1.cmp(&other.1));
    Ok(listed)
}

/// The number of each cell's label.
fn numbers(labels: &Labels<()>) -> Vec<(&str, String)> {
    let mut listed: Vec<(&str, i32)> = labels.texts().zip(labels.numbers.iter().copied()).collect();
    listed.sort_by_key(|&(_, number)| number);
    listed.into_iter().map(|(cell, number)| (cell, number.to_string())).collect()
}

fn quoted(text: &str) -> Result<String, SqlError> {
    Dialect::Postgres.quote_text(text)
}

/// Cells and their labels as a table `alias`.
pub(crate) fn table(alias: &str, whole: bool, labels: &Labels<()>) -> Result<String, ServerError> {
    let (kind, collation) = if whole { ("bigint", "") } else { ("text", " COLLATE \"C\"") };
    let cells = array(kind, labels.texts().map(Some))?;
    let numbers = numbers_array(&labels.numbers)?;
    let texts = array("text", labels.labels.iter().map(Option::as_deref))?;
    Ok(format!(
        "(SELECT u.cell{collation} AS cell, u.number, u.label \
         FROM unnest({cells}, {numbers}, {texts}) AS u(cell, number, label)) AS {alias}"
    ))
}

/// A list of numbers as a literal.
pub(crate) fn numbers_array(numbers: &[i32]) -> Result<String, SqlError> {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    array("int4", texts.iter().map(|text| Some(&text[..])))
}

/// A list as a literal: every element in double quotes, and all of it in quotes as any text.
fn array<'a>(kind: &str, elements: impl Iterator<Item = Option<&'a str>>) -> Result<String, SqlError> {
    let element = |element: Option<&str>| match element {
        None => "NULL".to_owned(),
        Some(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
    };
    let elements: Vec<String> = elements.map(element).collect();
    Ok(format!("{}::{kind}[]", quoted(&format!("{{{}}}", elements.join(",")))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_quoted_element_by_element_and_as_a_whole() {
        let list = array("text", [Some("it's"), None, Some("NULL"), Some("a\\\"},{")].into_iter()).unwrap();
        assert_eq!(list, r#"E'{"it''s",NULL,"NULL","a\\\\\\"},{"}'::text[]"#);
        assert!(array("text", [Some("a\0b")].into_iter()).is_err());
    }
}
