//! Publishing for cluster analysis, after *Privacy-preserving data publishing for cluster analysis* (Fung, Wang, Wang and Hung, 2009).
//!
//! ```text
//!  records ──► draw ──► cluster ──► the rule ──► compress, search, rewrite, verify: the cluster is the class
//!             (drawn)   (label)        │
//!                          │           └──► --publish-labels: a column of the published table
//!                          └─────────► evaluate: cluster the masked records, compare; the same for a blind masking
//! ```
//!
//! | module | question |
//! | --- | --- |
//! | `settings` | What was asked for, and does it make sense? |
//! | `space` | Where does a value lie, raw or masked? |
//! | `drawn` | Which records are looked at, and what does a recoding make of them? |
//! | `label` | Which clusters are there, and which one has a record? |
//! | `evaluate` | Are they still there after masking? |
//! | `tune` | Would another recoding keep them better? |
//! | `sweep` | Which number of clusters and which threshold are a good choice? |
//! | `tables` | How do two tables compare that somebody else made? |
//! | `report`, `html`, `plot` | What is told about it? |
//!
//! The labels never leave the process unless they are to be published; the report has counts only.

mod drawn;
mod evaluate;
mod html;
mod label;
mod plot;
mod report;
mod settings;
mod space;
mod sweep;
mod tables;
mod tune;

use std::sync::Arc;
use std::time::Instant;

use cutline_engine::{Derive, DerivedColumn, DerivedOutput, Engine};

use crate::columns::Columns;
use crate::find::Found;
use crate::job::Job;
use crate::{Error, Observer};

use drawn::Drawn;
use evaluate::{Recoded, evaluate};
use label::Clusters;
use tune::Tuning;

pub(crate) use html::section;
pub use report::{
    Agreement, AttributeGain, Benefit, ClusterReport, ClusterSeconds, Comparison, ComparisonRow, Figures, Tuned,
};
pub(crate) use settings::Clustering;
pub use sweep::compare;
pub use tables::{CompareOptions, TableComparison, compare_tables};

/// The raw records with their clusters: step 1 of the paper.
#[derive(Debug)]
pub(crate) struct Labelled {
    drawn: Drawn,
    clusters: Clusters,
    rule: Arc<dyn Derive>,
    seconds: f64,
    tuned: Option<Tuned>,
}

/// Finds the clusters of the raw records, if the purpose is clustering.
pub(crate) fn label(
    job: &Job,
    engine: &dyn Engine,
    columns: &Columns,
    observer: &dyn Observer,
) -> Result<Option<Labelled>, Error> {
    let Some(clustering) = &job.clustering else { return Ok(None) };
    if clustering.compares() {
        return settings::contradiction(
            "several numbers of clusters or thresholds are given, and none of them is chosen",
            "choose one with --choose clusters=N,k=K",
        );
    }
    let start = Instant::now();
    let drawn = Drawn::new(job, engine, columns, observer)?;
    let work = || Clusters::raw(&drawn, clustering.raw, clustering.counts[0], clustering.seed, observer);
    let clusters = in_pool(job.threads, work)?;
    let rule = clusters.rule(&drawn, job.threads);
    Ok(Some(Labelled { drawn, clusters, rule, seconds: start.elapsed().as_secs_f64(), tuned: None }))
}

impl Labelled {
    /// The cluster as a column to group by: the first one after the quasi attributes.
    pub(crate) fn derived(&self, columns: &Columns) -> DerivedColumn {
        DerivedColumn { at: columns.quasi.len(), derive: self.rule.clone() }
    }

    /// The cluster as a column to publish, if that was asked for.
    pub(crate) fn published(&self, job: &Job) -> Option<DerivedOutput> {
        let name = job.clustering.as_ref()?.label_name.clone()?;
        Some(DerivedOutput { name, derive: self.rule.clone() })
    }

    /// Looks for a recoding with better clusters, if that was asked for.
    pub(crate) fn tune(&mut self, job: &Job, found: Found, observer: &dyn Observer) -> Result<Found, Error> {
        let tune = |clustering: &&Clustering| clustering.tune && !observer.stop_search();
        let Some(clustering) = job.clustering.as_ref().filter(tune) else { return Ok(found) };
        let first = Recoded::of(&found);
        let Labelled { drawn, clusters, .. } = &*self;
        let tuning = Tuning { job, clustering, drawn, clusters, table: &found.table, qids: &found.qids };
        let Some((outcome, tuned)) = in_pool(job.threads, || tuning.run(&first, observer))? else { return Ok(found) };
        self.tuned = Some(tuned);
        tune::tuned(job, found, outcome)
    }

    /// Steps 3 and 4: clusters the masked records, and compares.
    pub(crate) fn evaluate(&self, job: &Job, found: &Found, observer: &dyn Observer) -> Result<ClusterReport, Error> {
        let guided = Recoded::of(found);
        let mut report =
            in_pool(job.threads, || evaluate(job, &self.drawn, &self.clusters, &guided, &found.table, observer))?;
        report.seconds.label = self.seconds;
        report.tuned = self.tuned.clone();
        Ok(report)
    }
}

/// Runs the parallel parts on so many threads.
fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // Without a pool of our own the shared one serves: results do not depend on the number of threads.
        Err(_) => work(),
    }
}
