//! Publishing for cluster analysis, after *Privacy-preserving data publishing for cluster analysis* (Fung, Wang, Wang and Hung, 2009).
//!
//! ```text
//!  records ──► draw ──► cluster ──► the rule ──► compress, search, rewrite, verify: the cluster is the class
//!             (drawn)   (label)        │
//!                          │           └──► --publish-labels: a column of the published table
//!                          └─────────► evaluate: cluster the masked records, compare; the same for a blind masking; the better one counts
//! ```
//!
//! | module | question |
//! | --- | --- |
//! | `settings` | What was asked for, and does it make sense? |
//! | `drawn` | Which records are looked at, and what does a recoding make of them? |
//! | `label` | Which clusters are there, and which one has a record? |
//! | `evaluate` | Are they still there after masking? |
//! | `approach` | How is a recoding looked for? |
//! | `tune` | Would another recoding keep them better, or other clusters be kept better? |
//! | `sweep` | Which number of clusters and which threshold are a good choice? |
//!
//! What is told about it is data of `cutline-report`. The labels never leave the process unless they are to be published; the report has counts only.

mod approach;
pub(crate) mod drawn;
mod evaluate;
mod label;
pub(crate) mod settings;
mod sweep;
mod tune;

use std::time::Instant;

use cutline_arrow::crew::on_threads;
use cutline_engine::{ClusterColumn, Engine};
use cutline_measure::cluster::Clusters;
use cutline_table::RawTable;

use crate::columns::Columns;
use crate::find::{Found, find_by};
use crate::job::Job;
use crate::{Error, Observer, Stage};

use approach::Approach;
use drawn::Drawn;
use evaluate::{blindly, evaluate};
use label::{raw_clusters, rule, structures};
use tune::{Structured, Tuning};

pub use cutline_report::{
    Agreement, AgreementFigures, AttributeGain, Benefit, ClusterMasking, ClusterReport, ClusterSeconds, Comparison,
    ComparisonRow, Tuned,
};
pub(crate) use settings::{Clustering, Labelling};
pub use sweep::compare;

/// The raw records with their clusters: step 1 of the paper.
#[derive(Debug)]
pub(crate) struct Labelled {
    drawn: Drawn,
    clusters: Clusters,
    rule: ClusterColumn,
    /// How the recoding is to be looked for, if that was tuned.
    tuned: Option<(Approach, Tuned)>,
    seconds: ClusterSeconds,
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
            "choose one with ‹choose clusters=N,k=K›",
        );
    }
    let start = Instant::now();
    let drawn = Drawn::new(job, engine, columns, observer)?;
    let work = || raw_clusters(&drawn, clustering.raw, clustering.counts[0], clustering.seed, observer);
    let clusters = on_threads(job.threads, work)?;
    let rule = rule(&clusters.centroids, &drawn);
    let seconds = ClusterSeconds { label: start.elapsed().as_secs_f64(), ..ClusterSeconds::default() };
    let labelled = Labelled { drawn, clusters, rule, tuned: None, seconds };
    if clustering.tune {
        labelled.tuned(job, clustering, engine, columns, observer).map(Some)
    } else {
        Ok(Some(labelled))
    }
}

impl Labelled {
    /// The cluster as a column to group by: the first one after the quasi attributes.
    pub(crate) fn grouped(&self, columns: &Columns) -> (usize, ClusterColumn) {
        (columns.quasi.len(), self.rule.clone())
    }

    /// The cluster as a column to publish, if that was asked for.
    pub(crate) fn published(&self, job: &Job) -> Option<(String, ClusterColumn)> {
        let name = job.clustering.as_ref()?.label_name.clone()?;
        Some((name, self.rule.clone()))
    }

    /// The clusters and the approach with which most of them survive.
    fn tuned(
        self,
        job: &Job,
        clustering: &Clustering,
        engine: &dyn Engine,
        columns: &Columns,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        observer.stage(Stage::Tune, None);
        let start = Instant::now();
        let Labelled { drawn, clusters, mut seconds, .. } = self;
        let (approach, tuned, clusters) = on_threads(job.threads, || {
            let mut structures = structures(clusters, &drawn, clustering)?;
            let tables = Structured::new(job, engine, columns, &drawn, &structures);
            let tuning = Tuning { job, clustering, drawn: &drawn, structures: &structures, tables: &tables, observer };
            let (best, tuned) = tuning.run()?;
            Ok::<_, Error>((best.approach, tuned, structures.swap_remove(best.structure)))
        })?;
        let rule = rule(&clusters.centroids, &drawn);
        seconds.tune = start.elapsed().as_secs_f64();
        Ok(Labelled { drawn, clusters, rule, tuned: Some((approach, tuned)), seconds })
    }

    /// Steps 2 to 4: finds the recoding, clusters the masked records, and compares. A search that knows nothing of clusters is the
    /// measure of the one that they guide; whichever keeps more of them is the one that counts.
    pub(crate) fn find(
        &self,
        job: &Job,
        raw: &RawTable,
        columns: &Columns,
        observer: &dyn Observer,
    ) -> Result<(Found, ClusterReport), Error> {
        let guided = || Approach::guided(columns.quasi.len());
        let approach = self.tuned.as_ref().map_or_else(guided, |(approach, _)| approach.clone());
        let own = find_by(job, raw, columns, observer, |table| approach.search(job, table, observer))?;
        let drawn = self.drawn.masking(columns)?;
        on_threads(job.threads, || {
            let blind = blindly(job, &own.table, observer)?;
            let mut report = evaluate(job, &drawn, &self.clusters, &own, &blind, observer)?;
            report.seconds = ClusterSeconds { evaluate: report.seconds.evaluate, ..self.seconds };
            report.tuned = self.tuned.as_ref().map(|(_, tuned)| tuned.clone());
            let found = if report.published == ClusterMasking::Guided { own } else { blind };
            Ok((found, report))
        })
    }
}
