//! Parquet files, in pieces of some thousand rows of a row group.

use std::collections::VecDeque;
use std::fs::File;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
    RowSelector,
};
use parquet::errors::ParquetError;

use super::{foreign, typed};
use crate::VerifyError;
use crate::files::columns::Columns;
use crate::files::count::{BATCH, Counter, Piece, Pieces};
use crate::files::expand::TableFile;

/// Rows in a piece. Pages before it are skipped by their headers, so small pieces cost little.
const ROWS: usize = 1 << 16;

/// An open Parquet file.
pub(super) struct ParquetPieces {
    layout: Arc<Layout>,
    pieces: VecDeque<Rows>,
}

struct Layout {
    file: Arc<TableFile>,
    metadata: ArrowReaderMetadata,
    claimed: Vec<String>,
    mask: ProjectionMask,
}

/// Some rows of a row group.
#[derive(Clone, Copy)]
struct Rows {
    row_group: usize,
    start: usize,
    rows: usize,
}

impl ParquetPieces {
    pub(super) fn open(file: &Arc<TableFile>, columns: &mut Columns<'_>) -> Result<Self, VerifyError> {
        let input = File::open(&file.path).map_err(|source| file.io(source))?;
        let metadata = foreign::call(file, || load(&input))?;
        let positions = typed::locate(&file.path, metadata.schema(), columns)?;
        let mask =
            foreign::call(file, || Ok::<_, ParquetError>(ProjectionMask::roots(metadata.parquet_schema(), positions)))?;
        let groups = metadata.metadata().row_groups().iter().enumerate();
        let pieces = groups.flat_map(|(row_group, group)| {
            let all = usize::try_from(group.num_rows()).unwrap_or(0);
            (0..all).step_by(ROWS).map(move |start| Rows { row_group, start, rows: ROWS.min(all - start) })
        });
        let pieces = pieces.collect();
        let layout = Layout { file: Arc::clone(file), metadata, claimed: columns.claimed().to_vec(), mask };
        Ok(ParquetPieces { layout: Arc::new(layout), pieces })
    }
}

fn load(input: &File) -> Result<ArrowReaderMetadata, ParquetError> {
    let metadata = ArrowReaderMetadata::load(input, ArrowReaderOptions::new())?;
    let options = ArrowReaderOptions::new().with_schema(encoded(metadata.schema()));
    ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)
}

/// Texts are read with their dictionaries, as most files have them: then a text is looked up once a batch, not once a record.
fn encoded(schema: &SchemaRef) -> SchemaRef {
    let encoded = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 => {
            let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            Arc::new(field.as_ref().clone().with_data_type(kind))
        }
        _ => Arc::clone(field),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(encoded).collect();
    Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()))
}

impl Pieces for ParquetPieces {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, VerifyError> {
        let layout = &self.layout;
        let next = self.pieces.pop_front();
        Ok(next.map(|rows| Box::new(ParquetPiece { layout: Arc::clone(layout), rows }) as _))
    }
}

struct ParquetPiece {
    layout: Arc<Layout>,
    rows: Rows,
}

impl ParquetPiece {
    fn reader(&self, input: File) -> Result<ParquetRecordBatchReader, ParquetError> {
        let Rows { row_group, start, rows } = self.rows;
        ParquetRecordBatchReaderBuilder::new_with_metadata(input, self.layout.metadata.clone())
            .with_projection(self.layout.mask.clone())
            .with_row_groups(vec![row_group])
            .with_row_selection(RowSelection::from(vec![RowSelector::skip(start), RowSelector::select(rows)]))
            .with_batch_size(BATCH)
            .build()
    }
}

impl Piece for ParquetPiece {
    fn count(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError> {
        let Layout { file, claimed, .. } = &*self.layout;
        // Opened anew: copies of one handle share their position, and threads would read each other's bytes.
        let input = File::open(&file.path).map_err(|source| file.io(source))?;
        let mut reader = foreign::call(file, || self.reader(input))?;
        let mut records = 0;
        while let Some(batch) = foreign::call(file, || reader.next().transpose())? {
            let columns = foreign::call(file, || typed::in_order(&batch, claimed))?;
            counter.columns(&file.path, &columns, batch.num_rows())?;
            records += batch.num_rows();
        }
        if records != self.rows.rows {
            return foreign::call(file, || Err("there are fewer rows than the file says"));
        }
        Ok(())
    }
}
