//! What would have been published of these records?

use cutline_engine::Records;
use cutline_measure::loss::Losses;
use cutline_model::recoding::{Label, Unknown};
use cutline_search::{SearchError, Step};
use cutline_table::{AttributeId, Block, BlockColumn, Compressor, Mask};

use cutline::Job;
use cutline::parts::{Columns, Found, find};
use cutline::{Error, Note, Observer, Stage};

/// All records under a recoding that was found on some of them.
pub(super) struct MaskedRecords {
    /// The labels of each quasi attribute.
    pub(super) columns: Vec<BlockColumn>,
    /// Is each record not published?
    left_out: Vec<bool>,
    /// Records of the searched part in groups that were too small.
    pub(super) suppressed: u64,
    pub(super) losses: Losses,
}

impl MaskedRecords {
    /// Records under what was found on those that were searched. `quasi` has the places of the quasi attributes among the columns of
    /// the records.
    pub(super) fn new(found: &Found, records: &Records, quasi: &[usize], searched: &[usize]) -> Result<Self, Error> {
        let mask = Mask::new(&found.mask(Unknown::Root)?);
        // What the recoding has no label for is published as its top.
        let number = |(a, &place): (usize, &usize)| {
            let BlockColumn { codes, texts } = &records.columns()[place];
            mask.column(AttributeId(a), codes, texts)
        };
        let mut counted = vec![false; records.len()];
        searched.iter().for_each(|&row| counted[row] = true);
        let numbers = quasi.iter().enumerate().map(number).collect();
        let records = mask.records_among(numbers, |record| counted[record]);
        let texts = |a: usize| mask.labels(AttributeId(a)).map(Label::into_text).collect();
        let left_out = (0..records.suppressed.len()).map(|record| records.left_out(record)).collect();
        let suppressed = records.count_suppressed() as u64;
        let columns = records.numbers.into_iter().enumerate().map(|(a, codes)| BlockColumn { codes, texts: texts(a) });
        Ok(MaskedRecords { columns: columns.collect(), suppressed, left_out, losses: found.losses.clone() })
    }

    /// Is this record published?
    pub(super) fn has(&self, row: usize) -> bool {
        self.left_out.get(row) != Some(&true)
    }

    /// Those of some records that are published.
    pub(super) fn published(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().copied().filter(|&row| self.has(row)).collect()
    }
}

/// Records to be masked as a job says.
pub(super) struct Masker<'a> {
    pub(super) job: &'a Job,
    pub(super) columns: &'a Columns,
    pub(super) records: &'a Records,
    /// The places of the grouped columns among those of the records, the quasi attributes first.
    pub(super) grouped: Vec<usize>,
}

impl Masker<'_> {
    /// Searches on some records, as if the others were not there, and applies the recoding to all of them.
    pub(super) fn mask(&self, searched: &[usize], observer: &dyn Observer) -> Result<MaskedRecords, Error> {
        let mut others = vec![true; self.records.len()];
        searched.iter().for_each(|&row| others[row] = false);
        let found = self.find(&others, observer)?;
        let quasi = &self.grouped[..self.columns.quasi.len()];
        MaskedRecords::new(&found, self.records, quasi, searched)
    }

    fn find(&self, others: &[bool], observer: &dyn Observer) -> Result<Found, Error> {
        let columns = self.grouped.iter().map(|&place| self.records.columns()[place].clone()).collect();
        let mut compressor = Compressor::new(self.grouped.len());
        compressor.add(&Block { records: others.len(), left_out: others.to_vec(), columns });
        let found = find(self.job, &compressor.finish(), self.columns, observer);
        if matches!(found, Err(Error::Search(SearchError::TooFewRecords { .. } | SearchError::TooFewPersons { .. })))
            && others.contains(&true)
        {
            observer.note(&Note::TrainingPart);
        }
        found.map_err(|error| self.located(error))
    }

    /// Searches count the records that they were given; a user counts those of the table.
    fn located(&self, error: Error) -> Error {
        use cutline_table::{RecordNumber, TableError};
        match error {
            Error::Table(TableError::Value { attribute, record, error }) => {
                let source = |record: u64| RecordNumber::new(self.records.source(record.saturating_sub(1) as usize));
                let record = record.get().map_or(record, source);
                Error::Table(TableError::Value { attribute, record, error })
            }
            error => error,
        }
    }
}

/// Watches one of several searches: what is not finished is not measured, and what was said once is not said again.
pub(super) struct OneOfMany<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) first: bool,
}

impl Observer for OneOfMany<'_> {
    fn stage(&self, stage: Stage, total: Option<u64>) {
        self.observer.stage(stage, total);
    }

    fn advance(&self, bytes: u64) {
        self.observer.advance(bytes);
    }

    fn step(&self, step: &Step) {
        self.observer.step(step);
    }

    fn note(&self, note: &Note) {
        if self.first {
            self.observer.note(note);
        }
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled() || self.observer.stop_search()
    }
}
