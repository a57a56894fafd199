//! What Parquet, Arrow and record batches in memory have in common: columns with names and types.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Schema};

use crate::VerifyError;
use crate::files::cells;
use crate::files::columns::Columns;

/// The positions of the claimed columns, all of which must be comparable as text.
pub(crate) fn locate(place: &Path, schema: &Schema, columns: &mut Columns<'_>) -> Result<Vec<usize>, VerifyError> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let positions = columns.locate(place, &names)?;
    for &position in &positions {
        let field = schema.field(position);
        if !cells::has_unique_text(field.data_type()) {
            return Err(VerifyError::UnsupportedType {
                file: place.to_owned(),
                column: field.name().clone(),
                data_type: field.data_type().to_string(),
            });
        }
    }
    Ok(positions)
}

/// The claimed columns, which a reader returns in the file's order.
pub(super) fn in_order(batch: &RecordBatch, claimed: &[String]) -> Result<Vec<ArrayRef>, ArrowError> {
    let schema = batch.schema();
    let column = |name: &String| schema.index_of(name).map(|position| Arc::clone(batch.column(position)));
    claimed.iter().map(column).collect()
}
