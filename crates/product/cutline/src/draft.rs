//! The second stage: what was found, before anything is written.

mod publish;

use std::fmt;
use std::sync::Arc;

use cutline_arrow::MaskedBatches;
use cutline_arrow::crew::on_threads;
use cutline_engine::{Engine, EngineError, Sample, SamplePlan};
use cutline_measure::loss::Losses;
use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Regions, SuppressHow};
use cutline_report::{ClusterReport, Evaluation, Seconds, WhatIf};
use cutline_search::{AttributeWhy, Problem, Step, Stopped, why};
use cutline_table::CompressedTable;
use serde::Serialize;

use crate::cluster::Labelled;
use crate::columns::Columns;
use crate::find::{Found, Way};
use crate::frontier;
use crate::job::Job;
use crate::observer::Watching;
use crate::screen::Looked;
use crate::series::People;
use crate::shown::ShownColumn;
use crate::shuffle::ShuffleKey;
use crate::{Counts, Error, Observer, Stage, Table};

pub(crate) use publish::check_countable;

/// A release that is not published yet: a recoding, and what it does to its table.
pub struct Draft {
    pub(crate) job: Job,
    pub(crate) table: Table,
    pub(crate) columns: Columns,
    pub(crate) found: Found,
    /// Records left out because a value is missing.
    pub(crate) dropped: u64,
    /// Whose records they are, if that is known.
    pub(crate) people: Option<People>,
    pub(crate) labelled: Option<Arc<Labelled>>,
    pub(crate) clusters: Option<ClusterReport>,
    pub(crate) evaluation: Option<Evaluation>,
    /// The records that were looked at, if any were.
    pub(crate) looked: Looked,
    /// The same release under other requirements, if that was asked for.
    pub(crate) what_if: Option<WhatIf>,
    pub(crate) seconds: Seconds,
}

/// The groups of one QID under a draft's recoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DraftGroups {
    /// The QID's attributes.
    pub attributes: Vec<String>,
    /// Its threshold.
    pub k: u64,
    /// Sizes of the groups that are published under their labels, ascending, and how many groups have each.
    pub sizes: Vec<(u64, u64)>,
}

impl Draft {
    /// Reads a table and searches it once: [`Counts`] and [`Counts::search`], with a look for columns that name persons in between,
    /// because a search may be long.
    ///
    /// # Errors
    /// [`Error::Identifiers`], and whatever goes wrong with reading and searching.
    pub fn new(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Self, Error> {
        if frontier::is_wanted(job, table, observer)? {
            return frontier::draft(job, table, observer);
        }
        let counts = match Counts::new(job, table, observer) {
            Err(Error::Engine(EngineError::TooMany(_))) if frontier::is_possible(job) => {
                return frontier::draft(job, table, observer);
            }
            counts => counts?,
        };
        counts.check_identifiers(job, observer)?;
        counts.search(job, observer)
    }

    /// How each quasi attribute is published, by name. For the data holder: a stored recoding tells less.
    pub fn recoding(&self) -> impl Iterator<Item = (&str, &AttributeRecoding)> {
        let names = self.found.table.attributes.iter().map(|attribute| &attribute.name[..]);
        names.zip(&self.found.outcome.recoding)
    }

    /// The groups, if they have labels of their own.
    pub fn regions(&self) -> Option<&Regions> {
        self.found.outcome.regions.as_ref()
    }

    /// What the search did.
    pub fn steps(&self) -> &[Step] {
        &self.found.outcome.steps
    }

    /// Why the search ended.
    pub fn stopped(&self) -> Stopped {
        self.found.outcome.stopped
    }

    /// What the masking costs.
    pub fn losses(&self) -> &Losses {
        &self.found.losses
    }

    /// Records in groups that are too small, and what becomes of them.
    pub fn suppressed(&self) -> (u64, SuppressHow) {
        (self.found.suppressed.records, self.found.suppressed.how)
    }

    /// Records left out because a value is missing.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The compressed table that was searched.
    pub fn compressed(&self) -> &CompressedTable {
        &self.found.table
    }

    /// What happens to clusters, if they are the purpose.
    pub fn clusters(&self) -> Option<&ClusterReport> {
        self.clusters.as_ref()
    }

    /// The job that it is a draft for.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// The table whose records would be published.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The columns of the table by role.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// What the search found, with everything that follows from it.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// Lets the report tell what the masking costs a model, and how many seconds it took to find out.
    #[must_use]
    pub fn with_evaluation(self, evaluation: Evaluation, seconds: f64) -> Self {
        let seconds = Seconds { evaluate: Some(seconds), ..self.seconds };
        Draft { evaluation: Some(evaluation), seconds, ..self }
    }

    /// The groups of each QID.
    pub fn groups(&self) -> Result<Vec<DraftGroups>, Error> {
        on_threads(self.job.threads, || self.found.groups())
    }

    /// Why each quasi attribute is masked as it is: for every label the refinement that was left, what it would gain, what forbids it
    /// and what would allow it. Nothing where groups have labels of their own: a label is then refined in one group and not in another; and
    /// nothing where only labels were counted.
    /// Computed from hidden values: for the data steward alone.
    pub fn why(&self) -> Result<Vec<AttributeWhy>, Error> {
        let Found { table, outcome, .. } = &self.found;
        if outcome.regions.is_some() || self.found.way != Way::Combinations {
            return Ok(Vec::new());
        }
        let Job { requirement, suppression, .. } = &self.job;
        let problem = Problem::new(table, requirement)?.suppressing(suppression.most(table.records), suppression.how);
        let why = on_threads(self.job.threads, || why(&problem, requirement, &outcome.recoding));
        why.map_err(|error| Error::Defect(error.to_string()))
    }

    /// The same release under other requirements, if the job asks for that.
    pub fn what_if(&self) -> Option<&WhatIf> {
        self.what_if.as_ref()
    }

    /// Some records of the table, raw and masked: the names of the quasi attributes, and for each record what it was and what it would
    /// be (nothing where it would be left out). For the data holder's eyes only.
    pub fn preview(&self, records: usize, observer: &dyn Observer) -> Result<Preview, Error> {
        observer.stage(Stage::Read, Some(self.table.size()));
        let plan = SamplePlan {
            columns: self.columns.quasi.clone(),
            nulls: self.job.nulls.clone(),
            required: self.columns.required(&self.job),
            size: records,
            seed: 0,
        };
        self.preview_of(&self.table.sample(&plan, &Watching(observer))?)
    }

    /// The same of records that were drawn already; the columns are the quasi attributes in the order of the table.
    ///
    /// # Errors
    /// If their values have no labels: they are of another table.
    pub fn preview_of(&self, sample: &Sample) -> Result<Preview, Error> {
        let shown = self.labels_of(&sample.columns.iter().collect::<Vec<_>>())?;
        let rows = (0..sample.drawn).map(|row| {
            let raw = sample.columns.iter().map(|column| column.texts[column.codes.get(row) as usize].clone());
            let label = |shown: &ShownColumn| shown.labels[shown.numbers.get(row) as usize].clone().into_text();
            let masked = shown.left_out.get(row) != Some(&true);
            PreviewRow { raw: raw.collect(), masked: masked.then(|| shown.columns.iter().map(label).collect()) }
        });
        let names = self.columns.quasi.iter().map(|&index| self.columns.names[index].clone()).collect();
        Ok(Preview { attributes: names, rows: rows.collect() })
    }

    /// The masked records in memory: only of tables that this process reads.
    ///
    /// # Errors
    /// [`Error::Identifiers`] if a column names persons and nobody said that it is meant, as when publishing.
    pub fn batches(&self, observer: &dyn Observer) -> Result<MaskedBatches, Error> {
        self.admitted(observer)?;
        self.masked(self.job.shuffle.key()?.as_ref(), observer)
    }

    fn masked(&self, key: Option<&ShuffleKey>, observer: &dyn Observer) -> Result<MaskedBatches, Error> {
        let engine = self.table.in_process().ok_or_else(|| Error::Contradiction {
            what: "the records of this table are not in this process".to_owned(),
            hint: "publish it where the records are".to_owned(),
        })?;
        observer.stage(Stage::Write, Some(self.table.size()));
        let masked = engine.masked_batches(&self.rewrite_plan(key)?, &Watching(observer))?;
        let records = masked.batches.iter().map(|batch| batch.num_rows() as u64).sum();
        self.check_counts(records, masked.dropped, masked.suppressed)?;
        Ok(masked)
    }
}

/// Some records, raw and masked.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The quasi attributes.
    pub attributes: Vec<String>,
    /// The records in the order of the table.
    pub rows: Vec<PreviewRow>,
}

/// A record, raw and masked; a cell is `None` where the value is missing.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct PreviewRow {
    /// What it was.
    pub raw: Vec<Option<String>>,
    /// What would be published of it, if it is published.
    pub masked: Option<Vec<Option<String>>>,
}

/// Shows no value.
impl fmt::Debug for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Preview({} records of {:?})", self.rows.len(), self.attributes)
    }
}

/// Shows no value.
impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = self.found.table.records;
        write!(f, "Draft({records} records, {} steps, {})", self.steps().len(), self.stopped())
    }
}
