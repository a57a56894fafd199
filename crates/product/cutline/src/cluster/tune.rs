//! The paper's loop: "if the evaluation is unsatisfactory, the data holder may repeat steps 1 to 4" (section 4.1).
//!
//! Two things decide whether clusters survive, and both are tried here.
//!
//! *The recoding.* A refinement that tells much about the raw clusters may still mislead a recipient: a disclosed attribute weighs as
//! much as any other one, and where those that it went together with are masked, it makes clusters of its own. So the search is repeated
//! with some attributes left fully masked, and also without a look at the clusters.
//!
//! *The raw clusters.* k-means has many solutions that are as good as each other, and yet differ (`label::structures`). All of them are
//! true descriptions of the raw records; that which masking keeps is the useful one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use cutline_engine::Engine;
use cutline_measure::cluster::{Clusters, Contingency};
use cutline_table::{CompressedTable, MaskPlan};

use super::Tuned;
use super::approach::Approach;
use super::drawn::{Drawn, defect};
use super::evaluate::{Quiet, masked_by, stop_if};
use super::label::rule;
use super::settings::Clustering;
use crate::columns::Columns;
use crate::job::Job;
use crate::{Error, Observer, counts, find};

/// Recodings are tried on so many records.
const MOST_COMPARED: usize = 5_000;

/// Searches are guided by so many structures.
const PROMISING: usize = 2;

/// Steps without a gain after which a walk ends.
const PATIENCE: usize = 3;

/// So many of those that were tried are compared on all drawn records.
const FINALISTS: usize = 12;

/// The compressed table with the clusters of each structure, made when it is needed.
pub(super) struct Structured<'a> {
    job: &'a Job,
    engine: &'a dyn Engine,
    columns: &'a Columns,
    drawn: &'a Drawn,
    structures: &'a [Clusters],
    made: Mutex<BTreeMap<usize, Arc<CompressedTable>>>,
}

impl<'a> Structured<'a> {
    pub(super) fn new(
        job: &'a Job,
        engine: &'a dyn Engine,
        columns: &'a Columns,
        drawn: &'a Drawn,
        structures: &'a [Clusters],
    ) -> Self {
        Structured { job, engine, columns, drawn, structures, made: Mutex::default() }
    }

    pub(super) fn get(&self, structure: usize, observer: &dyn Observer) -> Result<Arc<CompressedTable>, Error> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = made.get(&structure) {
            return Ok(table.clone());
        }
        let cluster = (self.columns.quasi.len(), rule(&self.structures[structure].centroids, self.drawn));
        let raw = counts::compress(self.job, self.engine, self.columns, (Some(cluster), None), observer)?.0;
        let table = Arc::new(find::encode_table(self.job, &raw, self.columns, observer)?);
        made.insert(structure, table.clone());
        Ok(table)
    }
}

/// What is tuned.
pub(super) struct Tuning<'a> {
    pub(super) job: &'a Job,
    pub(super) clustering: &'a Clustering,
    pub(super) drawn: &'a Drawn,
    pub(super) structures: &'a [Clusters],
    pub(super) tables: &'a Structured<'a>,
    pub(super) observer: &'a dyn Observer,
}

/// What tuning found best.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) structure: usize,
    pub(super) approach: Approach,
    pub(super) plan: MaskPlan,
    f_measure: f64,
}

/// What guides a search, a structure or nothing, and which attributes are open to it.
type Key = (Option<usize>, Vec<bool>);

impl Tuning<'_> {
    /// The structure, and the approach to a recoding that keeps it best.
    pub(super) fn run(&self) -> Result<(Trial, Tuned), Error> {
        let mut trials = Trials::new(self)?;
        let attributes = self.tables.columns.quasi.len();
        let (all, none) = (vec![true; attributes], vec![false; attributes]);
        for structure in 0..self.structures.len() {
            trials.look((Some(structure), all.clone()))?;
        }
        // From two sides: with all attributes open to the search, and with none.
        trials.walk((None, all.clone()))?;
        trials.walk((None, none.clone()))?;
        for structure in trials.promising() {
            trials.walk((Some(structure), all.clone()))?;
            trials.walk((Some(structure), none.clone()))?;
        }
        // Some records found them, all drawn ones decide. What an untuned release would be takes part.
        let mut best = self.on_all(&trials.known[&(Some(0), all)])?;
        for trial in trials.ranked().into_iter().take(FINALISTS) {
            let trial = self.on_all(trial)?;
            if trial.f_measure > best.f_measure {
                best = trial;
            }
        }
        let tuned = self.tuned(&best, trials.known.len());
        Ok((best, tuned))
    }

    /// The same trial on all drawn records.
    fn on_all(&self, trial: &Trial) -> Result<Trial, Error> {
        stop_if(self.observer)?;
        let guide = (!trial.approach.blind).then_some(trial.structure);
        let (structure, f_measure) = self.best_structure(self.drawn, self.structures, guide, &trial.plan)?;
        Ok(Trial { structure, f_measure, ..trial.clone() })
    }

    /// The structure that a recoding is for, with the F-measure: that which guided it, or else the one that it keeps best.
    fn best_structure(
        &self,
        drawn: &Drawn,
        structures: &[Clusters],
        guide: Option<usize>,
        plan: &MaskPlan,
    ) -> Result<(usize, f64), Error> {
        let points = drawn.masked(plan)?;
        if points.records() == 0 {
            return Ok((guide.unwrap_or(0), 0.0));
        }
        let Clustering { recipient, seed, .. } = *self.clustering;
        let count = structures[0].centroids.clusters() as u32;
        let masked = Clusters::find(&points, recipient, count, seed).map_err(defect)?;
        let agreement = |structure: usize, masked: &Clusters| {
            let labels = &structures[structure].labels;
            Contingency::new(labels, &masked.labels, points.weights()).map(|table| table.overall_f_measure())
        };
        let mut best = (0, f64::NEG_INFINITY);
        for structure in guide.map_or(0..structures.len(), |guide| guide..guide + 1) {
            let f_measure = agreement(structure, &masked).map_err(defect)?;
            if f_measure > best.1 {
                best = (structure, f_measure);
            }
        }
        let (structure, _) = best;
        let masked = masked.or_from(&structures[structure], &points, recipient, seed).map_err(defect)?;
        Ok((structure, agreement(structure, &masked).map_err(defect)?))
    }

    fn tuned(&self, best: &Trial, tried: usize) -> Tuned {
        let sums = self.structures.iter().map(|structure| structure.centroids.sum_of_squares());
        let least = sums.fold(f64::INFINITY, f64::min);
        let sum = self.structures[best.structure].centroids.sum_of_squares();
        let quasi = &self.tables.columns.quasi;
        let left = (0..quasi.len()).filter(|&attribute| best.plan.attributes[attribute].recoding.is_top());
        Tuned {
            tried,
            structures: self.structures.len(),
            above_least: if least > 0.0 { sum / least - 1.0 } else { 0.0 },
            blind: best.approach.blind,
            left: left.map(|attribute| self.tables.columns.names[quasi[attribute]].clone()).collect(),
        }
    }
}

/// All that was tried, so that nothing is tried twice.
struct Trials<'a> {
    tuning: &'a Tuning<'a>,
    sample: Drawn,
    structures: Vec<Clusters>,
    known: BTreeMap<Key, Trial>,
}

impl<'a> Trials<'a> {
    fn new(tuning: &'a Tuning<'a>) -> Result<Self, Error> {
        let step = tuning.drawn.sample.drawn.div_ceil(MOST_COMPARED).max(1);
        let structures = tuning.structures.iter().map(|structure| structure.thinned(step)).collect();
        Ok(Trials { tuning, sample: tuning.drawn.thinned(step)?, structures, known: BTreeMap::new() })
    }

    /// The best first; of equals those that mask less.
    fn ranked(&self) -> Vec<&Trial> {
        let open = |trial: &Trial| trial.approach.open.iter().filter(|open| **open).count();
        let mut trials: Vec<&Trial> = self.known.values().collect();
        trials
            .sort_by(|one, other| other.f_measure.total_cmp(&one.f_measure).then_with(|| open(other).cmp(&open(one))));
        // Different approaches often lead to the same recoding.
        let mut seen: Vec<&Trial> = Vec::new();
        for trial in trials {
            let same = |other: &&Trial| {
                other.approach.blind == trial.approach.blind && other.plan.attributes == trial.plan.attributes
            };
            if !seen.iter().any(same) {
                seen.push(trial);
            }
        }
        seen
    }

    /// The structures that masking has kept best so far.
    fn promising(&self) -> Vec<usize> {
        let mut structures: Vec<usize> = Vec::new();
        for trial in self.ranked() {
            if !structures.contains(&trial.structure) {
                structures.push(trial.structure);
            }
        }
        structures.truncate(PROMISING);
        structures
    }

    /// The F-measure of an approach.
    fn look(&mut self, key: Key) -> Result<f64, Error> {
        if let Some(known) = self.known.get(&key) {
            return Ok(known.f_measure);
        }
        let Tuning { job, observer, .. } = self.tuning;
        stop_if(*observer)?;
        let (guide, open) = &key;
        let approach = Approach { blind: guide.is_none(), open: open.clone() };
        let quiet = Quiet(*observer);
        let table = self.tuning.tables.get(guide.unwrap_or(0), &quiet)?;
        let plan = masked_by(&approach, job, &table, &quiet)?;
        let (structure, f_measure) = self.tuning.best_structure(&self.sample, &self.structures, *guide, &plan)?;
        self.known.insert(key, Trial { structure, approach, plan, f_measure });
        Ok(f_measure)
    }

    /// Opens or closes one attribute after the other, each time the best one, and none twice. What is worse at first may lead to
    /// something better, so it goes on for some steps.
    fn walk(&mut self, (guide, mut open): Key) -> Result<(), Error> {
        let mut best = self.look((guide, open.clone()))?;
        let mut left: Vec<usize> = (0..open.len()).collect();
        let mut patience = PATIENCE;
        while patience > 0 && !left.is_empty() {
            let mut next = (0, f64::NEG_INFINITY);
            for (place, &attribute) in left.iter().enumerate() {
                let mut other = open.clone();
                other[attribute] = !other[attribute];
                let f_measure = self.look((guide, other))?;
                if f_measure > next.1 {
                    next = (place, f_measure);
                }
            }
            let attribute = left.remove(next.0);
            open[attribute] = !open[attribute];
            patience = if next.1 > best { PATIENCE } else { patience - 1 };
            best = best.max(next.1);
        }
        Ok(())
    }
}
