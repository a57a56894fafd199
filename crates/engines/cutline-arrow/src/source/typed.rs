//! Texts as columns of a type.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType, Field, Schema};

/// The key of a field's metadata that says what the column is, whatever its values look like. The one value is [`KIND_CATEGORY`].
pub(crate) const KIND_KEY: &str = "cutline.kind";

/// The column holds names out of a list.
pub(crate) const KIND_CATEGORY: &str = "category";

/// A column while its file is read: texts that its type can be made from.
#[derive(Debug)]
pub(super) struct TextColumn {
    pub(super) name: String,
    pub(super) kind: DataType,
    pub(super) is_category: bool,
    pub(super) texts: Vec<Option<String>>,
}

impl TextColumn {
    fn field(&self) -> Field {
        let field = Field::new(&self.name, self.kind.clone(), true);
        match self.is_category {
            true => field.with_metadata([(KIND_KEY, KIND_CATEGORY)]),
            false => field,
        }
    }
}

/// The columns as one batch.
pub(super) fn batch(columns: Vec<TextColumn>, records: usize) -> Result<RecordBatch, ArrowError> {
    let fields: Vec<Field> = columns.iter().map(TextColumn::field).collect();
    let arrays = columns.into_iter().map(|column| typed(&StringArray::from(column.texts), &column.kind));
    let arrays = arrays.collect::<Result<Vec<ArrayRef>, ArrowError>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(records));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
}

/// Texts as values of a type; an error if one of them is none.
pub(crate) fn typed(texts: &StringArray, kind: &DataType) -> Result<ArrayRef, ArrowError> {
    cast_with_options(texts, kind, &CastOptions { safe: false, ..Default::default() })
}
