//! What would the same release be under other requirements?

use cutline_arrow::crew::on_threads;
use cutline_measure::loss::Losses;
use cutline_model::{Requirement, Share};
use cutline_report::{Alternative, Change, ErrorKind, Figures, WhatIf};

use crate::find::{Found, find};
use crate::job::Job;
use crate::{Counts, Error, Observer};

/// Thresholds that are tried, as multiples of the present ones.
const MULTIPLES: [(u64, u64); 4] = [(1, 4), (1, 2), (2, 1), (4, 1)];

/// Budgets that are tried, in per mille.
const BUDGETS: [u32; 4] = [0, 5, 10, 20];

impl Counts {
    /// Searches again for other thresholds, other budgets and without each quasi attribute. Nothing is read and nothing is published.
    /// Computed from hidden values: for the data steward alone.
    ///
    /// # Errors
    /// If the release itself is impossible, or the observer stops it. An alternative that is impossible says so in its line.
    pub fn what_if(&self, job: &Job, observer: &dyn Observer) -> Result<WhatIf, Error> {
        let release = self.search(&Job { what_if: false, ..job.clone() }, observer)?;
        self.alternatives(job, &release.found, observer)
    }

    /// What would be in place of what was found for a job.
    pub(crate) fn alternatives(&self, job: &Job, found: &Found, observer: &dyn Observer) -> Result<WhatIf, Error> {
        let quiet = Quiet(observer);
        let figures_of = |job: &Job, found: &Found| on_threads(job.threads, || figures(job, found));
        let as_it_is =
            Alternative { change: Change::Nothing, figures: Some(figures_of(job, found)?), impossible: None };
        let mut alternatives = vec![as_it_is];
        for change in changes(job, self.records()) {
            let figures = changed(job, &change).and_then(|other| figures_of(job, &self.found(&other, &quiet)?));
            alternatives.push(match figures {
                Ok(figures) => Alternative { change, figures: Some(figures), impossible: None },
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                Err(error) => Alternative { change, figures: None, impossible: Some(error.to_string()) },
            });
        }
        Ok(WhatIf { alternatives, error: error_of(&found.losses).map(|(kind, _)| kind) })
    }

    /// What an alternative finds among the records that were counted, also if it would count more of them because fewer attributes are
    /// required.
    fn found(&self, other: &Job, observer: &dyn Observer) -> Result<Found, Error> {
        let columns = self.columns(other)?;
        on_threads(other.threads, || {
            let selected = self.grouped_by(&columns)?;
            find(other, selected.as_ref().unwrap_or(self.raw()), &columns, observer)
        })
    }
}

/// Everything that is tried.
fn changes(job: &Job, records: u64) -> Vec<Change> {
    let qids = job.requirement.qids();
    let mut changes = Vec::new();
    for (times, over) in MULTIPLES {
        let thresholds: Vec<u64> = qids.iter().map(|qid| (qid.k.saturating_mul(times) / over).max(2)).collect();
        let differs = thresholds.iter().zip(qids).any(|(&k, qid)| k != qid.k);
        let change = Change::Thresholds(thresholds);
        if differs && !changes.contains(&change) {
            changes.push(change);
        }
    }
    let budgets = BUDGETS.into_iter().filter_map(|mille| Share::new(f64::from(mille) / 1000.0));
    let other = |limit: &Share| limit.of(records) != job.suppression.limit.of(records);
    changes.extend(budgets.filter(other).map(Change::Limit));
    let attributes = job.requirement.attributes();
    if attributes.len() > 1 {
        changes.extend(attributes.into_iter().map(|name| Change::Without(name.to_owned())));
    }
    changes
}

/// The job with one thing otherwise.
fn changed(job: &Job, change: &Change) -> Result<Job, Error> {
    let mut other = job.clone();
    let mut qids = job.requirement.qids().to_vec();
    match change {
        Change::Nothing => {}
        Change::Limit(limit) => other.suppression.limit = *limit,
        Change::Thresholds(thresholds) => qids.iter_mut().zip(thresholds).for_each(|(qid, &k)| qid.k = k),
        Change::Without(name) => {
            qids.iter_mut().for_each(|qid| qid.attributes.retain(|other| other != name));
            qids.retain(|qid| !qid.attributes.is_empty());
        }
    }
    other.requirement = Requirement::new(qids)?;
    Ok(other)
}

/// The figures of what was found, beside those of a job.
fn figures(job: &Job, found: &Found) -> Result<Figures, Error> {
    let attributes = job.requirement.attributes().len();
    let Losses { general, attributes: masked, .. } = &found.losses;
    let lost = attributes.saturating_sub(masked.len()) as f64;
    let groups = found.groups()?;
    let sizes = || groups.iter().flat_map(|qid| &qid.sizes);
    Ok(Figures {
        loss: (general + lost) / attributes.max(1) as f64,
        groups: sizes().map(|(_, groups)| groups).sum(),
        smallest: sizes().map(|(size, _)| *size).min().unwrap_or(0),
        suppressed: found.suppressed.records,
        error: error_of(&found.losses).map(|(_, error)| error),
    })
}

/// The error that the masking forces on who predicts the target.
fn error_of(losses: &Losses) -> Option<(ErrorKind, f64)> {
    let classes = losses.classification.map(|error| (ErrorKind::Classes, error));
    classes.or(losses.regression_variance.map(|error| (ErrorKind::Numbers, error)))
}

/// Passes on that somebody wants to stop, and nothing else: notes were told of the release, and a search that is stopped halfway
/// compares with nothing.
struct Quiet<'a>(&'a dyn Observer);

impl Observer for Quiet<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled() || self.0.stop_search()
    }
}
