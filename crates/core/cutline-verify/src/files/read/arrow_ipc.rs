//! Arrow IPC files, a record batch a piece.

use std::fs::File;
use std::io::BufReader;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::ArrowError;

use super::{foreign, sizes, typed};
use crate::VerifyError;
use crate::files::columns::Columns;
use crate::files::count::{Counter, Piece, Pieces};
use crate::files::expand::TableFile;

type Reader = FileReader<BufReader<File>>;

/// An open Arrow file.
pub(super) struct ArrowPieces {
    layout: Arc<Layout>,
    next: usize,
    batches: usize,
}

struct Layout {
    file: Arc<TableFile>,
    claimed: Vec<String>,
    /// Where the claimed columns are.
    positions: Vec<usize>,
    /// Readers that no thread uses: opening one reads all dictionaries.
    idle: Mutex<Vec<Reader>>,
}

impl ArrowPieces {
    pub(super) fn open(file: &Arc<TableFile>, columns: &mut Columns<'_>) -> Result<Self, VerifyError> {
        let input = File::open(&file.path).map_err(|source| file.io(source))?;
        foreign::call(file, || sizes::check(BufReader::new(input)))?;
        let schema = open(file, None)?.schema();
        let positions = typed::locate(&file.path, &schema, columns)?;
        let reader = open(file, Some(positions.clone()))?;
        let batches = reader.num_batches();
        let (claimed, idle) = (columns.claimed().to_vec(), Mutex::new(vec![reader]));
        Ok(ArrowPieces {
            layout: Arc::new(Layout { file: Arc::clone(file), claimed, positions, idle }),
            next: 0,
            batches,
        })
    }
}

fn open(file: &TableFile, projection: Option<Vec<usize>>) -> Result<Reader, VerifyError> {
    let input = File::open(&file.path).map_err(|source| file.io(source))?;
    foreign::call(file, || FileReader::try_new(BufReader::new(input), projection))
}

impl Pieces for ArrowPieces {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, VerifyError> {
        let batch = self.next;
        self.next += 1;
        let layout = &self.layout;
        Ok((batch < self.batches).then(|| Box::new(ArrowPiece { layout: Arc::clone(layout), batch }) as _))
    }
}

struct ArrowPiece {
    layout: Arc<Layout>,
    /// The number of the batch.
    batch: usize,
}

impl Layout {
    fn read(&self, number: usize) -> Result<RecordBatch, VerifyError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => open(&self.file, Some(self.positions.clone()))?,
        };
        let batch = foreign::call(&self.file, || {
            reader.set_index(number)?;
            reader.next().unwrap_or_else(|| Err(ArrowError::IpcError("a batch is missing".into())))
        })?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        Ok(batch)
    }
}

impl Piece for ArrowPiece {
    fn count(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError> {
        let Layout { file, claimed, .. } = &*self.layout;
        let batch = self.layout.read(self.batch)?;
        let columns = foreign::call(file, || typed::in_order(&batch, claimed))?;
        counter.columns(&file.path, &columns, batch.num_rows())
    }
}
