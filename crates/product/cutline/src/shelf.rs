//! A release in memory: what a folder would hold, without a folder.

use std::cell::RefCell;
use std::rc::Rc;

use cutline_arrow::MaskedBatches;
use cutline_engine::{Audience, EngineError, Format, Place, Target, Written};
use cutline_report::Report;
use cutline_verify::{Batches, Recount};

/// A release that exists in this process alone.
pub struct InMemory {
    /// The published table.
    pub table: MaskedBatches,
    /// The full report, for the steward alone.
    pub report: Report,
    /// Everything else that the folder of a release has, in the order in which it was made.
    pub documents: Vec<Document>,
}

/// Shows no value.
impl std::fmt::Debug for InMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "InMemory({} records, {} documents)", self.report.records, self.documents.len())
    }
}

/// A small file that lies beside a published table, or would.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Who may see it.
    pub audience: Audience,
    /// Its name, as in `recoding.json`.
    pub name: String,
    /// Its content.
    pub content: String,
}

/// Where a release in memory is put together.
pub(crate) struct Shelf<'a> {
    table: &'a MaskedBatches,
    documents: Rc<RefCell<Vec<Document>>>,
}

impl<'a> Shelf<'a> {
    pub(crate) fn new(table: &'a MaskedBatches) -> Self {
        Shelf { table, documents: Rc::default() }
    }

    /// What is on the shelf, also when it is gone.
    pub(crate) fn documents(&self) -> Rc<RefCell<Vec<Document>>> {
        self.documents.clone()
    }

    pub(crate) fn written(&self) -> Written {
        let MaskedBatches { dropped, suppressed, .. } = *self.table;
        let persons = self.table.persons.clone();
        Written { place: Place::Memory, records: self.records(), dropped, suppressed, delimiter: None, persons }
    }

    fn records(&self) -> u64 {
        self.table.batches.iter().map(|batch| batch.num_rows() as u64).sum()
    }
}

impl Target for Shelf<'_> {
    fn place(&self, _: Format) -> Result<Place, EngineError> {
        Ok(Place::Memory)
    }

    fn recounted(&self, _: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        Ok(Box::new(Batches::new(&self.table.batches)))
    }

    /// Progress in memory is told in records.
    fn size(&self, written: &Written) -> u64 {
        written.records
    }

    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        let (name, content) = (name.to_owned(), content.to_owned());
        self.documents.borrow_mut().push(Document { audience, name, content });
        Ok(())
    }

    fn publish(self: Box<Self>) -> Result<(), EngineError> {
        Ok(())
    }
}
