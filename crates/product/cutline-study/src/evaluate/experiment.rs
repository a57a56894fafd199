//! The whole experiment on one table: mask, learn, test.

use std::sync::Arc;

use cutline_engine::{Engine, Order, Records, SamplePlan};
use cutline_measure::classify::{Classes, Column, Feature, Fold, Values};
use cutline_measure::loss::Losses;
use cutline_model::{Kind, Purpose};
use cutline_table::RecordNumber;

use super::Measuring;
use super::features::{distinct, feature, guess_kind, missing};
use super::learn::{Goal, Parts, Raw, Target, best_figure, defect};
use super::masking::{MaskedRecords, Masker, OneOfMany};
use super::release::MOST_RECORDS;
use super::{AttributeCost, Evaluation, Part, part};
use cutline::Job;
use cutline::Watching;
use cutline::arrow::crew::on_threads;
use cutline::parts::Columns;
use cutline::spec::IfMissing;
use cutline::{Error, Observer, Stage};

/// How a job is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobOptions {
    /// How the cost is measured.
    pub measuring: Measuring,
    /// Search on training and test records together, as the papers on top-down refinement do, and divide them then. Otherwise the
    /// search sees the training records only, and its recoding is applied to the test records.
    pub together: bool,
}

/// What would masking as the job says cost? Nothing is published.
pub fn evaluate_job(
    job: &Job,
    engine: &dyn Engine,
    options: &JobOptions,
    observer: &dyn Observer,
) -> Result<Evaluation, Error> {
    let experiment = Experiment::read(job, engine, usize::MAX, observer)?;
    on_threads(job.threads(), || match job.purpose() {
        Purpose::Regression { .. } => experiment.run::<Values>(options, observer),
        _ => experiment.run::<Classes>(options, observer),
    })
}

pub(super) struct Experiment<'a> {
    pub(super) job: &'a Job,
    columns: Columns,
    target: &'a str,
    /// The columns of the records, as positions in the schema.
    read: Vec<usize>,
    pub(super) records: Records,
    /// Records of the table, drawn or not.
    pub(super) all: u64,
    ignored: Vec<String>,
}

impl<'a> Experiment<'a> {
    /// Draws at most so many records.
    pub(super) fn read(job: &'a Job, engine: &dyn Engine, most: usize, observer: &dyn Observer) -> Result<Self, Error> {
        let target = job.predicted()?;
        let columns = Columns::resolve(job, engine.columns())?;
        let identifiers = columns.identifiers();
        // Persons are counted, not learned from.
        let seen =
            |index: &usize| columns.person() == Some(*index) || !identifiers.contains_key(&columns.names[*index]);
        let read: Vec<usize> = (0..columns.names.len()).filter(seen).collect();
        let mut required = columns.required(job);
        // What lacks the target can neither teach nor test.
        required.extend(columns.target.filter(|_| job.missing() != IfMissing::Error));
        let all = SamplePlan::all(read.clone(), job.nulls().to_vec(), required);
        // Records of a server stay there, but for some.
        let elsewhere = engine.order() == Order::None;
        let plan = SamplePlan { size: if elsewhere { MOST_RECORDS.min(most) } else { most }, ..all };
        observer.stage(Stage::Read, Some(engine.size()));
        let sample = engine.sample(&plan, &Watching(observer))?;
        let (all, records) = (sample.records, Records::drawn(sample));
        if records.is_empty() {
            return Err(Error::NoRecords(job.location().unwrap_or_default().to_owned()));
        }
        let ignored = identifiers.into_keys().collect();
        let experiment = Experiment { job, columns, target, read, records, all, ignored };
        experiment.check_missing()?;
        Ok(experiment)
    }

    fn check_missing(&self) -> Result<(), Error> {
        if self.job.missing() != IfMissing::Error {
            return Ok(());
        }
        let first = |index: usize| missing(&self.records.columns()[self.place(index)]).position(|missing| missing);
        let lacking = self.columns.grouped().into_iter().find_map(|index| Some((index, first(index)?)));
        lacking.map_or(Ok(()), |(index, row)| {
            let record = RecordNumber::new(self.records.source(row));
            Err(Error::MissingValue { attribute: self.columns.names[index].clone(), record })
        })
    }

    /// Where a column of the schema is among those that were read.
    fn place(&self, index: usize) -> usize {
        self.read.partition_point(|&other| other < index)
    }

    fn run<L: Goal>(&self, options: &JobOptions, observer: &dyn Observer) -> Result<Evaluation, Error> {
        let raw = self.raw::<L>()?;
        let Measuring { split, seed, learn } = options.measuring;
        let folds =
            split.folds(&raw.baseline.labels().strata().map_err(defect)?, seed, |row| self.records.source(row))?;
        // A part is searched as all records would be.
        let job = self.job.decided_for(self.all);
        let masker = self.masker(&job);
        let mut searches = Searches::default();
        let watched = |first: bool| OneOfMany { observer, first };
        let all: Vec<usize> = (0..self.records.len()).collect();
        let together = if options.together { Some(searches.keep(masker.mask(&all, &watched(true))?)) } else { None };
        let measures = raw.measure(&folds, learn, observer, |fold| {
            let masked = match &together {
                Some(masked) => Arc::clone(masked),
                None => searches.keep(masker.mask(&fold.train, &watched(searches.losses.is_empty()))?),
            };
            searches.parts.push(part(fold, masked.suppressed));
            self.masked(&raw, &masked, fold)
        })?;
        let columns =
            self.features().map(|(index, place)| (&self.columns.names[index][..], &self.records.columns()[place]));
        self.target().note_repeats(columns, observer);
        Ok(Evaluation {
            format: Evaluation::FORMAT,
            purpose: self.job.purpose().to_string(),
            records: self.records.len() as u64,
            left_out: self.records.dropped(),
            split: split.to_string(),
            drawn_from: None,
            together: Some(options.together),
            ignored: self.ignored.clone(),
            attributes: self.attributes(&searches),
            measures,
            parts: searches.parts,
            losses: searches.losses,
        })
    }

    /// Masks the records as a job says that is this one but for how it searches.
    fn masker<'b>(&'b self, job: &'b Job) -> Masker<'b> {
        let grouped = self.columns.grouped().into_iter().map(|index| self.place(index)).collect();
        Masker { job, columns: &self.columns, records: &self.records, grouped }
    }

    /// How well somebody learns from records that are masked as a job says, by cross-validation: [`best_figure`].
    pub(super) fn cross_validated<L: Goal>(
        &self,
        job: &Job,
        raw: &Raw<L>,
        folds: &[Fold],
        observer: &dyn Observer,
    ) -> Result<f64, Error> {
        let masker = self.masker(job);
        let part = |fold: &Fold| self.masked(raw, &masker.mask(&fold.train, observer)?, fold);
        let parts = folds.iter().map(part).collect::<Result<Vec<_>, Error>>()?;
        if observer.cancelled() {
            return Err(Error::Interrupted);
        }
        Ok(best_figure(&parts))
    }

    pub(super) fn raw<L: Goal>(&self) -> Result<Raw<L>, Error> {
        let features = self.features().map(|(index, place)| {
            let name = &self.columns.names[index];
            let column = &self.records.columns()[place];
            feature(name, column, self.job.kind_of(name).unwrap_or_else(|| guess_kind(column)))
        });
        let baseline = self.target().instances(features)?;
        let quasi: Vec<&str> = self.columns.quasi.iter().map(|&index| &self.columns.names[index][..]).collect();
        Ok(Raw { removed: baseline.without(&quasi).map_err(defect)?, baseline })
    }

    /// The records of a fold as they would be published.
    fn masked<L: Goal>(&self, raw: &Raw<L>, masked: &MaskedRecords, fold: &Fold) -> Result<Parts<L>, Error> {
        let plain = raw.baseline.features().iter().zip(raw.baseline.columns());
        let features = self.features().zip(plain).map(|((index, _), (plain, cells))| -> (Feature, Column) {
            match self.columns.quasi.binary_search(&index) {
                Ok(quasi) => feature(&plain.name, &masked.columns[quasi], Kind::Categorical),
                Err(_) => (plain.clone(), cells.clone()),
            }
        });
        let table = self.target().instances(features)?;
        Ok(Parts::new(&table, &Fold { train: masked.published(&fold.train), test: masked.published(&fold.test) }))
    }

    /// What learners see: all that was read but the target and the person, as positions in the schema and among the records' columns.
    fn features(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.read.iter().enumerate().map(|(place, &index)| (index, place));
        all.filter(|(index, _)| ![self.columns.target, self.columns.person()].contains(&Some(*index)))
    }

    fn target(&self) -> Target<'_> {
        let place = self.columns.target.map_or(0, |index| self.place(index));
        Target { name: self.target, records: &self.records, place }
    }

    fn attributes(&self, searches: &Searches) -> Vec<AttributeCost> {
        let count = searches.losses.len() as f64;
        let attribute = |(quasi, &index): (usize, &usize)| AttributeCost {
            name: self.columns.names[index].clone(),
            values: distinct(&self.records.columns()[self.place(index)]),
            labels: searches.labels.iter().map(|labels| labels[quasi] as f64).sum::<f64>() / count,
            loss: Some(searches.losses.iter().map(|losses| losses.attributes[quasi].general).sum::<f64>() / count),
        };
        self.columns.quasi.iter().enumerate().map(attribute).collect()
    }
}

/// What came of the searches.
#[derive(Default)]
struct Searches {
    losses: Vec<Losses>,
    /// How many labels each attribute had.
    labels: Vec<Vec<usize>>,
    parts: Vec<Part>,
}

impl Searches {
    fn keep(&mut self, masked: MaskedRecords) -> Arc<MaskedRecords> {
        self.losses.push(masked.losses.clone());
        self.labels.push(masked.columns.iter().map(distinct).collect());
        Arc::new(masked)
    }
}
