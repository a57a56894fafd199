//! What would have been published of these records?

use cutline_engine::{Records, SuppressPlan};
use cutline_measure::loss::Losses;
use cutline_model::recoding::{Labeler, SuppressHow, TOP, Unknown};
use cutline_search::{SearchError, Step};
use cutline_table::{Block, BlockColumn, Compressor};

use super::features::labelled;
use crate::columns::Columns;
use crate::find::{Found, find};
use crate::job::Job;
use crate::{Error, Observer, Stage, suppression};

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
        let label = |(&place, recoding)| labelled(&records.columns()[place], &Labeler::new(recoding, Unknown::Root));
        let columns = quasi.iter().zip(&found.outcome.recoding).map(label).collect();
        let places: Vec<usize> = (0..quasi.len()).collect();
        let suppress = suppression::plan(&found.suppressed, &found.qids, &places);
        let mut masked = MaskedRecords { columns, left_out: Vec::new(), suppressed: 0, losses: found.losses.clone() };
        if let Some(plan) = suppress {
            masked.suppress(&plan, searched);
        }
        masked
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
        let found = find(self.job, compressor.finish(), self.columns, observer);
        if matches!(found, Err(Error::Search(SearchError::TooFewRecords { .. }))) && others.contains(&true) {
            observer.note("the search sees the records of a training part only; ‹together› shows it all of them");
        }
        found.map_err(|error| self.located(error))
    }

    /// Searches count the records that they were given; a user counts those of the table.
    fn located(&self, error: Error) -> Error {
        use cutline_table::TableError;
        match error {
            Error::Table(TableError::Value { attribute, record, error }) => {
                let record = self.records.source(record.saturating_sub(1) as usize);
                Error::Table(TableError::Value { attribute, record, error })
            }
            error => error,
        }
    }
}

impl MaskedRecords {
    /// Suppresses the searched records whose labels are too rare. The others were never counted: they just get their labels.
    fn suppress(&mut self, plan: &SuppressPlan, searched: &[usize]) {
        let mut rare = vec![false; self.columns.first().map_or(0, |column| column.codes.len())];
        for qid in &plan.qids {
            for &row in searched {
                let key: Vec<u32> = qid.columns.iter().map(|&place| self.columns[place].codes[row]).collect();
                rare[row] |= qid.labels.contains(&key[..]);
            }
        }
        self.suppressed = rare.iter().filter(|rare| **rare).count() as u64;
        match plan.how {
            SuppressHow::Drop => self.left_out = rare,
            SuppressHow::Mask => self.columns.iter_mut().for_each(|column| {
                let star = column.texts.len() as u32;
                column.texts.push(Some(TOP.to_owned()));
                column.codes.iter_mut().zip(&rare).filter(|(_, rare)| **rare).for_each(|(code, _)| *code = star);
            }),
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

    fn note(&self, text: &str) {
        if self.first {
            self.observer.note(text);
        }
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled() || self.observer.stop_search()
    }
}
