//! What would have been published of these records?

use cutline_engine::Records;
use cutline_measure::loss::Losses;
use cutline_model::recoding::{Label, SuppressHow, Unknown};
use cutline_search::{SearchError, Step};
use cutline_table::{AttributeId, Block, BlockColumn, Compressor, Mask};

use cutline::Job;
use cutline::columns::Columns;
use cutline::{Error, Observer, Stage};
use cutline::{Found, find};

/// All records under a recoding that was found on some of them.
pub(super) struct MaskedRecords {
    /// The labels of each quasi attribute.
    pub(super) columns: Vec<BlockColumn>,
    /// Records that are not published; empty if all are.
    left_out: Vec<bool>,
    /// Records of the searched part in groups that were too small.
    pub(super) suppressed: u64,
    pub(super) losses: Losses,
}

impl MaskedRecords {
    /// Records under what was found on those that were searched. `quasi` has the places of the quasi attributes among the columns of
    /// the records.
    pub(super) fn new(found: &Found, records: &Records, quasi: &[usize], searched: &[usize]) -> Self {
        let mask = Mask::new(&found.mask(Unknown::Root));
        let number = |(a, &place): (usize, &usize)| numbers(&mask, AttributeId(a), &records.columns()[place]);
        let mut numbers: Vec<Vec<u32>> = quasi.iter().enumerate().map(number).collect();
        let suppressed = among(&mask.rare(&numbers), searched);
        if mask.how() == Some(SuppressHow::Mask) {
            mask.star(&mut numbers, &suppressed);
        }
        let texts = |a: usize| mask.labels(AttributeId(a)).map(Label::into_text).collect();
        let columns = numbers.into_iter().enumerate().map(|(a, codes)| BlockColumn { codes, texts: texts(a) });
        MaskedRecords {
            columns: columns.collect(),
            suppressed: suppressed.iter().filter(|suppressed| **suppressed).count() as u64,
            left_out: if mask.how() == Some(SuppressHow::Drop) { suppressed } else { Vec::new() },
            losses: found.losses.clone(),
        }
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
        Ok(MaskedRecords::new(&found, self.records, quasi, searched))
    }

    fn find(&self, others: &[bool], observer: &dyn Observer) -> Result<Found, Error> {
        let columns = self.grouped.iter().map(|&place| self.records.columns()[place].clone()).collect();
        let mut compressor = Compressor::new(self.grouped.len());
        compressor.add(&Block { records: others.len(), left_out: others.to_vec(), columns });
        let found = find(self.job, &compressor.finish(), self.columns, observer);
        if matches!(found, Err(Error::Search(SearchError::TooFewRecords { .. } | SearchError::TooFewPersons { .. })))
            && others.contains(&true)
        {
            observer.note("the search sees the records of a training part only; ‹together› shows it all of them");
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

/// The label of each record. What the recoding has no label for is published as its top.
fn numbers(mask: &Mask, attribute: AttributeId, column: &BlockColumn) -> Vec<u32> {
    let label_of = column.texts.iter().map(|text| mask.number_or_top(attribute, text.as_deref()));
    let label_of: Vec<u32> = label_of.collect();
    column.codes.iter().map(|&code| label_of[code as usize]).collect()
}

/// Those of the rare records that were searched. The others were never counted: they just get their labels.
fn among(rare: &[bool], searched: &[usize]) -> Vec<bool> {
    let mut among = vec![false; rare.len()];
    searched.iter().for_each(|&row| among[row] = rare[row]);
    among
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

    fn note(&self, text: &str) {
        if self.first {
            self.observer.note(text);
        }
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled() || self.observer.stop_search()
    }
}
