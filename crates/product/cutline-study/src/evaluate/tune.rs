//! Which search serves the purpose best?
//!
//! Every way to search that a job allows is tried, then the best of them with attributes left fully masked, one after the other as long as
//! that is better. To predict something, trials are judged by cross-validation on a half of the records that is never tested with when the
//! report tells what masking cost; thresholds are in proportion to the records that each search sees. Otherwise, by the loss.

use std::time::Instant;

use cutline_measure::classify::{Classes, Values};
use cutline_model::Purpose;

use super::experiment::Experiment;
use super::learn::{Goal, defect};
use super::masking::OneOfMany;
use super::release::MOST_RECORDS;
use super::split::{Split, never_held_out};
use cutline::arrow::crew::on_threads;
use cutline::{Counts, Error, Job, Note, Observer, Stage, Table, Tuned, Variant};

/// Every trial masks and learns so many times.
const FOLDS: usize = 3;

/// The job with the search that serves its purpose best, if it is to be tuned; or else as it is.
///
/// # Errors
/// If the table cannot be read.
pub fn tuned(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Job, Error> {
    if !job.tunes() {
        return Ok(job.clone());
    }
    match job.purpose() {
        Purpose::Classification { .. } => by_learning::<Classes>(job, table, observer),
        Purpose::Regression { .. } => by_learning::<Values>(job, table, observer),
        Purpose::Clustering { .. } | Purpose::General => by_loss(job, table, observer),
    }
}

fn by_learning<L: Goal>(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Job, Error> {
    let mut experiment = Experiment::read(job, table, MOST_RECORDS, observer)?;
    let sources = 0..experiment.records.len();
    let keep: Vec<bool> = sources.map(|row| never_held_out(job.seed(), experiment.records.source(row))).collect();
    experiment.records.retain(&keep);
    if experiment.records.len() < FOLDS {
        return Err(Error::Contradiction {
            what: "too few records to try searches on some and judge them by others".to_owned(),
            hint: "take back ‹tune›".to_owned(),
        });
    }
    let raw = experiment.raw::<L>()?;
    let strata = raw.baseline.labels().strata().map_err(defect)?;
    let folds = Split::Folds(FOLDS).folds(&strata, job.seed(), |row| experiment.records.source(row))?;
    let searched = experiment.records.len() as f64 * (FOLDS - 1) as f64 / FOLDS as f64;
    let part = job.in_proportion(searched / experiment.all.max(1) as f64)?;
    let predicts_classes = matches!(job.purpose(), Purpose::Classification { .. });
    let (by, show): (&str, fn(f64) -> String) = match predicts_classes {
        true => ("cross-validated error", |error| format!("{:.2} %", 100.0 * error)),
        false => ("cross-validated R²", |figure| format!("{:.4}", -figure)),
    };
    let judge = |variant: &Variant, watched: &dyn Observer| {
        experiment.cross_validated(&part.varied(variant), &raw, &folds, watched)
    };
    observer.stage(Stage::Tune, None);
    on_threads(job.threads(), || Trials::new(job, experiment.all, observer).best(judge, by, show))
}

fn by_loss(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Job, Error> {
    let counts = Counts::new(job, table, observer)?;
    let judge =
        |variant: &Variant, watched: &dyn Observer| Ok(counts.search(&job.varied(variant), watched)?.losses().general);
    observer.stage(Stage::Tune, None);
    Trials::new(job, counts.records(), observer).best(judge, "loss", |loss| format!("{loss:.4}"))
}

/// What was tried so far.
struct Trials<'a> {
    job: &'a Job,
    /// Records of the table.
    records: u64,
    observer: &'a dyn Observer,
    end: Option<Instant>,
    tried: Vec<(Variant, f64)>,
}

impl<'a> Trials<'a> {
    fn new(job: &'a Job, records: u64, observer: &'a dyn Observer) -> Self {
        let end = job.time_limit().and_then(|limit| Instant::now().checked_add(limit));
        Trials { job, records, observer, end, tried: Vec::new() }
    }

    /// The job with the best search. Of equal ones the first is kept: the job's own is the first of all.
    fn best(
        mut self,
        judge: impl Fn(&Variant, &dyn Observer) -> Result<f64, Error>,
        by: &str,
        show: fn(f64) -> String,
    ) -> Result<Job, Error> {
        let variants = self.job.variants(self.records);
        for (place, variant) in variants.iter().enumerate() {
            self.look(variant.clone(), &judge)?;
            if place == 0 && self.tried.is_empty() {
                // Nothing can be compared with the job's own search.
                return Ok(self.job.clone());
            }
        }
        let Some((mut kept, mut figure)) = self.tried.iter().cloned().reduce(better) else {
            return Ok(self.job.clone());
        };
        for name in self.job.maskable(&kept) {
            let masked = [&kept.masked[..], &[name]].concat();
            self.look(Variant { masked, ..kept.clone() }, &judge)?;
            (kept, figure) =
                self.tried.last().cloned().map_or((kept.clone(), figure), |last| better((kept, figure), last));
        }
        let place = self.tried.iter().position(|(variant, _)| *variant == kept).unwrap_or(0);
        let tried = self.tried.iter().map(|(variant, figure)| (variant.to_string(), show(*figure))).collect();
        self.observer.note(&Note::Tuned(Tuned { by: by.to_owned(), tried, kept: place }));
        Ok(self.job.varied(&kept))
    }

    /// Tries a search, unless it is time to end. One that fails on a part of the records may hold on all of them: it is not judged.
    fn look(
        &mut self,
        variant: Variant,
        judge: &impl Fn(&Variant, &dyn Observer) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        let first = self.tried.is_empty();
        let late = self.end.is_some_and(|end| Instant::now() >= end) || self.observer.stop_search();
        if late && !first {
            return Ok(());
        }
        match judge(&variant, &OneOfMany { observer: self.observer, first }) {
            Ok(figure) => self.tried.push((variant, figure)),
            Err(error) if self.observer.cancelled() => return Err(error),
            Err(_) => {}
        }
        Ok(())
    }
}

/// The other one, if it is better by more than sums of floating-point numbers differ by their order.
fn better(one: (Variant, f64), other: (Variant, f64)) -> (Variant, f64) {
    const NOISE: f64 = 1e-9;
    if other.1 < one.1 - NOISE * one.1.abs() { other } else { one }
}
