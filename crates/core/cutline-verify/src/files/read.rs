//! Reading: from files to pieces of claimed cells.

mod arrow_ipc;
mod blocks;
mod foreign;
mod json;
mod parquet;
mod places;
mod rows;
mod sizes;
mod typed;

use std::sync::Arc;

pub(super) use typed::locate;

use super::columns::Columns;
use super::count::{Piece, Pieces};
use super::expand::TableFile;
use crate::{Format, VerifyError};

/// The pieces of all files, in order.
pub(super) struct FilePieces<'a> {
    files: std::slice::Iter<'a, TableFile>,
    columns: Columns<'a>,
    header: bool,
    /// The file that is read at the moment.
    open: Option<Box<dyn Pieces>>,
}

impl<'a> FilePieces<'a> {
    pub(super) fn new(files: &'a [TableFile], claimed: &'a [String], header: bool) -> Self {
        FilePieces { files: files.iter(), columns: Columns::new(claimed), header, open: None }
    }

    fn open(&mut self, file: &TableFile) -> Result<Box<dyn Pieces>, VerifyError> {
        let size = std::fs::metadata(&file.path).map_err(|source| file.io(source))?.len();
        if size == 0 {
            return Err(VerifyError::EmptyFile { file: file.path.clone() });
        }
        let file = Arc::new(file.clone());
        Ok(match file.format {
            Format::Csv => Box::new(rows::CsvPieces::open(&file, self.header, &mut self.columns)?),
            Format::Parquet => Box::new(parquet::ParquetPieces::open(&file, &mut self.columns)?),
            Format::Arrow => Box::new(arrow_ipc::ArrowPieces::open(&file, &mut self.columns)?),
            Format::JsonLines => Box::new(json::JsonPieces::open(&file, &self.columns)?),
        })
    }
}

impl Pieces for FilePieces<'_> {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, VerifyError> {
        loop {
            if let Some(open) = &mut self.open
                && let Some(piece) = open.next()?
            {
                return Ok(Some(piece));
            }
            let Some(file) = self.files.next() else { return Ok(None) };
            self.open = Some(self.open(file)?);
        }
    }
}
