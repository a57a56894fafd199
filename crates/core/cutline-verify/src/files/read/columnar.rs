//! Parquet and Arrow IPC files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_schema::Schema;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::{BATCH, send_columns};
use crate::VerifyError;
use crate::files::cells;
use crate::files::columns::Columns;
use crate::files::count::{Feed, Stop};
use crate::files::expand::TableFile;

/// Reads the claimed columns of one Parquet file.
pub(super) fn read_parquet(file: &Arc<TableFile>, columns: &mut Columns<'_>, feed: &mut Feed<'_>) -> Result<(), Stop> {
    let input = File::open(&file.path).map_err(|source| file.io(source))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(input).map_err(|error| unreadable(file, error))?;
    let positions = locate(&file.path, builder.schema(), columns)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), positions);
    let reader =
        builder.with_projection(mask).with_batch_size(BATCH).build().map_err(|error| unreadable(file, error))?;
    for batch in reader {
        send(file, &batch.map_err(|error| unreadable(file, error))?, columns.claimed(), feed)?;
    }
    Ok(())
}

/// Reads the claimed columns of one Arrow IPC file.
pub(super) fn read_arrow(file: &Arc<TableFile>, columns: &mut Columns<'_>, feed: &mut Feed<'_>) -> Result<(), Stop> {
    let open = |projection| {
        let input = File::open(&file.path).map_err(|source| file.io(source))?;
        FileReader::try_new(BufReader::new(input), projection).map_err(|error| unreadable(file, error))
    };
    let positions = locate(&file.path, &open(None)?.schema(), columns)?;
    for batch in open(Some(positions))? {
        send(file, &batch.map_err(|error| unreadable(file, error))?, columns.claimed(), feed)?;
    }
    Ok(())
}

/// The positions of the claimed columns, all of which must be comparable as text.
pub(crate) fn locate(file: &Path, schema: &Schema, columns: &mut Columns<'_>) -> Result<Vec<usize>, VerifyError> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let positions = columns.locate(file, &names)?;
    for &position in &positions {
        let field = schema.field(position);
        if !cells::has_unique_text(field.data_type()) {
            return Err(VerifyError::UnsupportedType {
                file: file.to_owned(),
                column: field.name().clone(),
                data_type: field.data_type().to_string(),
            });
        }
    }
    Ok(positions)
}

/// Hands over the claimed columns, which a reader returns in the file's order.
fn send(file: &Arc<TableFile>, batch: &RecordBatch, claimed: &[String], feed: &mut Feed<'_>) -> Result<(), Stop> {
    let schema = batch.schema();
    let column = |name: &String| {
        let position = schema.index_of(name).map_err(|error| unreadable(file, error))?;
        Ok(Arc::clone(batch.column(position)))
    };
    let columns = claimed.iter().map(column).collect::<Result<Vec<ArrayRef>, VerifyError>>()?;
    send_columns(&file.path.as_path().into(), &columns, batch.num_rows(), feed)
}

fn unreadable(file: &TableFile, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> VerifyError {
    VerifyError::Unreadable { file: file.path.clone(), format: file.format, source: source.into() }
}
