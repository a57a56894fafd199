//! Which columns does a table have, and do all its files agree?

use std::path::Path;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use cutline_engine::look_like_values;

use crate::error::FileError;
use crate::input::Input;
use crate::notes;

/// Refuses two columns of one name.
pub(super) fn check_names(schema: &Schema, path: &Path) -> Result<(), FileError> {
    let mut names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(_) if look_like_values(names.iter().copied()) => Err(FileError::NoHeader { path: path.into() }),
        Some(pair) => Err(FileError::DuplicateColumn {
            path: path.into(),
            name: pair[0].clone(),
            hint: "rename one of the columns".to_owned(),
        }),
        None => Ok(()),
    }
}

/// The schema of the chosen columns.
pub(super) fn projected(schema: &Schema, columns: &[usize], input: &Input) -> Result<SchemaRef, FileError> {
    let schema = schema.project(columns).map_err(|source| arrow_error(input, source))?;
    Ok(Arc::new(schema))
}

/// The schema without what its writer noted down beside names and types, but for what [`notes`] allows.
pub(super) fn without_notes(schema: &Schema) -> Schema {
    Schema::new(schema.fields().iter().map(|field| notes::readable(field)).collect::<Vec<_>>())
}

/// One schema for the files of a table: the same names and types in the same order. A column may
/// hold nulls if it may in any of the files.
pub(super) fn common_schema(files: &[(&Input, &Schema)]) -> Result<SchemaRef, FileError> {
    let Some(((first, schema), others)) = files.split_first() else {
        return Err(FileError::NothingToRead { path: Default::default() });
    };
    let mut common = without_notes(schema);
    let pandas = notes::of_schema(schema);
    check_names(&common, first.path())?;
    for (input, schema) in others {
        if let Some(detail) = difference(&common, schema) {
            let (path, first_path) = (input.path().into(), first.path().into());
            return Err(FileError::SchemaMismatch { path, first_path, detail });
        }
        let fields = common.fields().iter().zip(schema.fields());
        let fields: Vec<Field> =
            fields.map(|(a, b)| a.as_ref().clone().with_nullable(a.is_nullable() || b.is_nullable())).collect();
        common = Schema::new(fields);
    }
    Ok(Arc::new(common.with_metadata(pandas)))
}

fn difference(expected: &Schema, found: &Schema) -> Option<String> {
    let (expected, found) = (expected.fields(), found.fields());
    if expected.len() != found.len() {
        return Some(format!("{} columns instead of {}", found.len(), expected.len()));
    }
    expected.iter().zip(found).enumerate().find_map(|(i, (expected, found))| {
        if expected.name() != found.name() {
            let (number, found, expected) = (i + 1, found.name(), expected.name());
            Some(format!("column {number} is `{found}` instead of `{expected}`"))
        } else if expected.data_type() != found.data_type() {
            let (name, found, expected) = (found.name(), found.data_type(), expected.data_type());
            Some(format!("column `{name}` is {found} instead of {expected}"))
        } else {
            None
        }
    })
}

/// The batch under another schema for the same columns.
pub(super) fn with_schema(batch: &RecordBatch, schema: SchemaRef, input: &Input) -> Result<RecordBatch, FileError> {
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema, batch.columns().to_vec(), &options)
        .map_err(|source| arrow_error(input, source))
}

pub(super) fn arrow_error(input: &Input, source: ArrowError) -> FileError {
    FileError::Arrow { path: input.path().into(), source }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use arrow_schema::DataType;

    use super::*;

    fn schema(fields: &[(&str, DataType)]) -> Schema {
        let field = |(name, kind): &(&str, DataType)| Field::new(*name, kind.clone(), false);
        Schema::new(fields.iter().map(field).collect::<Vec<_>>())
    }

    fn common(a: &Schema, b: &Schema) -> Result<SchemaRef, FileError> {
        let (first, second) = (Input::built_in("a", b""), Input::built_in("b", b""));
        common_schema(&[(&first, a), (&second, b)])
    }

    #[test]
    fn files_that_differ_are_told_how() {
        let a = schema(&[("x", DataType::Int32), ("y", DataType::Utf8)]);
        let text = |b: &Schema| common(&a, b).unwrap_err().to_string();
        let fewer = text(&schema(&[("x", DataType::Int32)]));
        assert!(fewer.ends_with("1 columns instead of 2"), "{fewer}");
        let name = text(&schema(&[("x", DataType::Int32), ("z", DataType::Utf8)]));
        assert!(name.ends_with("column 2 is `z` instead of `y`"), "{name}");
        let kind = text(&schema(&[("x", DataType::Int64), ("y", DataType::Utf8)]));
        assert!(kind.ends_with("column `x` is Int64 instead of Int32"), "{kind}");
    }

    #[test]
    fn nulls_are_allowed_if_they_are_in_any_file() {
        let a = schema(&[("x", DataType::Int32)]);
        let b = Schema::new(vec![Field::new("x", DataType::Int32, true)]);
        assert!(common(&a, &b).unwrap().field(0).is_nullable());
        assert!(!common(&a, &a).unwrap().field(0).is_nullable());
    }

    #[test]
    fn notes_of_the_writer_are_dropped() {
        let note = |key: &str| HashMap::from([(key.to_string(), "34 patients".to_string())]);
        let field = Field::new("x", DataType::Int32, false).with_metadata(note("about"));
        let schema = Schema::new(vec![field]).with_metadata(note("about"));
        let clean = without_notes(&schema);
        assert!(clean.metadata().is_empty() && clean.field(0).metadata().is_empty());
    }
}
