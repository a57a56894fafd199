//! Labels of cells as a statement says them. They are part of its text: a statement with parameters or temporary tables runs on one core,
//! one without may run on several.

use cutline_remote::{Labels, ServerError};
use cutline_sql::{Dialect, SqlError};

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
