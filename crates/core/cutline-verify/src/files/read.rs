//! Reading: from files to batches of claimed cells.

mod columnar;
mod json;
mod rows;

use std::path::Path;
use std::sync::Arc;

use arrow_array::ArrayRef;

pub(crate) use columnar::locate;
pub(crate) use rows::refused_row;

use super::columns::Columns;
use super::count::{Batch, Feed, Stop};
use super::expand::TableFile;
use crate::{Format, VerifyError};

/// Records in a batch: enough to make handing it over cheap, few enough to stay in the cache.
const BATCH: usize = 2048;

/// Reads all files in order.
pub(crate) fn all(files: &[TableFile], claimed: &[String], header: bool, mut feed: Feed<'_>) -> Result<(), Stop> {
    let mut columns = Columns::new(claimed);
    for file in files {
        let size = std::fs::metadata(&file.path).map_err(|source| file.io(source))?.len();
        if size == 0 {
            return Err(VerifyError::EmptyFile { file: file.path.clone() }.into());
        }
        let file = Arc::new(file.clone());
        match file.format {
            Format::Csv => rows::read(&file, header, &mut columns, &mut feed)?,
            Format::Parquet => columnar::read_parquet(&file, &mut columns, &mut feed)?,
            Format::Arrow => columnar::read_arrow(&file, &mut columns, &mut feed)?,
            Format::JsonLines => json::read(&file, &columns, &mut feed)?,
        }
    }
    Ok(())
}

/// Hands over columns of any length, in batches.
pub(super) fn send_columns(
    file: &Arc<Path>,
    columns: &[ArrayRef],
    records: usize,
    feed: &mut Feed<'_>,
) -> Result<(), Stop> {
    for start in (0..records).step_by(BATCH) {
        let records = BATCH.min(records - start);
        let columns = columns.iter().map(|column| column.slice(start, records)).collect();
        feed.send(Batch::Columns { file: Arc::clone(file), columns, records }, records)?;
    }
    Ok(())
}
