//! Columns as raw CSV fields: the text that is written between delimiters.

use std::borrow::Cow;
use std::path::Path;

use arrow_array::builder::StringViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringViewArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;

use crate::cells::{in_utc, without_nans};
use crate::error::FileError;
use crate::source::TextStyle;

/// The text of a column as an array of views.
pub(super) fn text(array: &ArrayRef, name: &str, path: &Path) -> Result<StringViewArray, FileError> {
    if let Some(views) = array.as_string_view_opt() {
        return Ok(views.clone());
    }
    let unsupported = || FileError::Unsupported {
        path: path.into(),
        what: format!("column `{name}` of type {} cannot be written as text", array.data_type()),
        hint: "write the table as Parquet, or leave the column out",
    };
    let options = CastOptions { safe: false, ..Default::default() };
    let views = in_utc(array).and_then(|array| cast_with_options(&array, &DataType::Utf8View, &options));
    let views = views.map_err(|_| unsupported())?;
    let views = views.as_string_view_opt().cloned().ok_or_else(unsupported)?;
    Ok(without_nans(array, views))
}

/// Values as raw fields: quoted where they must be, a null as nothing, an empty value as `""`.
pub(super) fn quoted(values: StringViewArray, delimiter: u8) -> StringViewArray {
    let must = |value: &[u8]| value.is_empty() || needs_quotes(value, delimiter);
    if values.null_count() == 0 && !values.bytes_iter().any(must) {
        return values;
    }
    let mut fields = StringViewBuilder::with_capacity(values.len());
    for value in values.iter() {
        match value {
            None => fields.append_value(""),
            Some("") => fields.append_value("\"\""),
            Some(value) => fields.append_value(quote(value, delimiter)),
        }
    }
    fields.finish()
}

/// Are values raw fields as they are, whichever of them a record has?
pub(crate) fn are_raw(values: &StringViewArray, text: TextStyle) -> bool {
    let TextStyle::Csv { delimiter, .. } = text else { return false };
    values.null_count() == 0 && !values.bytes_iter().any(|value| value.is_empty() || needs_quotes(value, delimiter))
}

/// Raw fields as they are, with nothing for a null.
pub(super) fn without_nulls(fields: StringViewArray) -> StringViewArray {
    if fields.null_count() == 0 {
        return fields;
    }
    StringViewArray::from_iter_values(fields.iter().map(Option::unwrap_or_default))
}

/// Raw fields with quotes around a carriage return that had none: the value is the same, and no reader can misread it.
pub(super) fn without_stray_returns(fields: &StringViewArray, delimiter: u8) -> StringViewArray {
    let field = |field: &str| match field.contains('\r') && !field.starts_with('"') {
        true => quote(field, delimiter).into_owned(),
        false => field.to_owned(),
    };
    StringViewArray::from_iter_values(fields.iter().map(Option::unwrap_or_default).map(field))
}

/// The only column of a table: a line must not be empty, or it would be no record.
pub(super) fn without_empty(fields: StringViewArray) -> StringViewArray {
    if !fields.views().iter().any(|&view| view as u32 == 0) {
        return fields;
    }
    let field = |field: &str| if field.is_empty() { "\"\"".to_string() } else { field.to_string() };
    StringViewArray::from_iter_values(fields.iter().map(|f| field(f.unwrap_or_default())))
}

/// The value as a raw field.
pub(super) fn quote(value: &str, delimiter: u8) -> Cow<'_, str> {
    if !needs_quotes(value.as_bytes(), delimiter) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(format!("\"{}\"", value.replace('"', "\"\"")))
}

fn needs_quotes(value: &[u8], delimiter: u8) -> bool {
    value.iter().any(|&byte| byte == delimiter || matches!(byte, b'"' | b'\r' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(array: &StringViewArray) -> Vec<Option<&str>> {
        array.iter().collect()
    }

    #[test]
    fn values_are_quoted_only_where_they_must_be() {
        assert_eq!(quote("[1-37)", b','), "[1-37)");
        assert_eq!(quote(" a ", b','), " a ");
        assert_eq!(quote("a,b", b','), "\"a,b\"");
        assert_eq!(quote("a,b", b';'), "a,b");
        assert_eq!(quote("a \"b\"\n", b','), "\"a \"\"b\"\"\n\"");
        assert_eq!(quote("a\rb", b','), "\"a\rb\"");
    }

    #[test]
    fn a_null_and_an_empty_value_differ() {
        let values = StringViewArray::from(vec![Some("a"), None, Some(""), Some("b,c")]);
        let fields = quoted(values, b',');
        assert_eq!(list(&fields), [Some("a"), Some(""), Some("\"\""), Some("\"b,c\"")]);
    }

    #[test]
    fn the_only_column_has_no_empty_field() {
        let fields = StringViewArray::from(vec!["a", "", "\"\""]);
        assert_eq!(list(&without_empty(fields)), [Some("a"), Some("\"\""), Some("\"\"")]);
    }

    #[test]
    fn a_null_among_raw_fields_is_nothing() {
        let fields = StringViewArray::from(vec![Some("a"), None]);
        assert_eq!(list(&without_nulls(fields)), [Some("a"), Some("")]);
    }
}
