//! Several numbers of clusters and thresholds, compared in one run.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use cutline_engine::Engine;
use cutline_table::CompressedTable;

use super::drawn::Drawn;
use super::evaluate::{Recoded, agreement, raw_agreement, stop_if};
use super::label::Clusters;
use super::report::{Comparison, ComparisonRow, Figures, benefit};
use super::settings::Clustering;
use super::tune::Tuning;
use super::{html, in_pool};
use crate::columns::Columns;
use crate::job::Job;
use crate::staging::{Product, Staging};
use crate::{Destination, Error, Observer, Stage, find, release};

/// Masks the table for every number of clusters and every threshold of the job, and compares the clusters.
///
/// Publishes no table. Unless the job says which combination is to be published ([`Job::chosen`]), the destination gets
/// `comparison.json` and `comparison.html`: the folder appears complete, or not at all.
pub fn compare(
    job: &Job,
    engine: &dyn Engine,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Comparison, Error> {
    destination.check(Product::Folder)?;
    let comparison = run(job, engine, observer)?;
    if job.choice()?.is_none() {
        let staging = Staging::new(destination, Product::Folder)?;
        staging.write("comparison.json", &comparison.to_json())?;
        staging.write("comparison.html", &html::page(&comparison))?;
        staging.publish("comparison.json")?;
    }
    Ok(comparison)
}

fn run(job: &Job, engine: &dyn Engine, observer: &dyn Observer) -> Result<Comparison, Error> {
    let Some(clustering) = &job.clustering else {
        return Err(Error::NotSaid {
            what: "there are no clusters to compare".to_owned(),
            hint: "say how many, as in --clusters 2,6,10",
        });
    };
    let columns = Columns::resolve(job, &engine.schema())?;
    let drawn = Drawn::new(job, engine, &columns, observer)?;
    let mut rows = Vec::new();
    let mut blind = BTreeMap::new();
    for &count in &clustering.counts {
        let work = || Clusters::raw(&drawn, clustering.raw, count, clustering.seed, observer);
        let clusters = in_pool(job.threads, work)?;
        let job = job.with(count, None)?;
        let derived = super::DerivedColumn { at: columns.quasi.len(), derive: clusters.rule(&drawn, job.threads) };
        let raw = release::compress(&job, engine, &columns, Some(derived), observer)?;
        observer.stage(Stage::Search, None);
        rows.extend(in_pool(job.threads, || {
            let table = find::encode_table(&job, raw, &columns, observer)?;
            Setting { job: &job, clustering, drawn: &drawn, clusters, table }.rows(&mut blind, observer)
        })?);
    }
    Ok(Comparison {
        format: "cutline-comparison/1",
        algorithm: clustering.raw,
        recipient: clustering.recipient,
        masked_names: clustering.names,
        search: job.algorithm.to_string(),
        masked: columns.quasi.iter().map(|&column| columns.names[column].clone()).collect(),
        compared: drawn.sample.drawn as u64,
        records: drawn.sample.records,
        rows,
    })
}

/// One number of clusters.
struct Setting<'a> {
    job: &'a Job,
    clustering: &'a Clustering,
    drawn: &'a Drawn,
    clusters: Clusters,
    table: CompressedTable,
}

impl Setting<'_> {
    /// All thresholds. Blind maskings do not depend on the clusters, so they are kept for the next number of clusters.
    fn rows(
        &self,
        blind: &mut BTreeMap<Option<u64>, Recoded>,
        observer: &dyn Observer,
    ) -> Result<Vec<ComparisonRow>, Error> {
        let raw = raw_agreement(self.clustering, self.drawn, &self.clusters)?.as_ref().map(Figures::from);
        let thresholds: Vec<Option<u64>> = match &self.clustering.thresholds[..] {
            [] => vec![None],
            thresholds => thresholds.iter().copied().map(Some).collect(),
        };
        let mut rows = Vec::new();
        for k in thresholds {
            let job = self.job.with(self.clusters.centroids.clusters() as u32, k)?;
            let (recoded, left) = self.guided(&job, observer)?;
            let guided = self.figures(&recoded)?;
            let blind = match blind.entry(k) {
                Entry::Occupied(known) => self.figures(known.get())?,
                Entry::Vacant(place) => self.figures(place.insert(Recoded::blind(&job, &self.table, observer)?))?,
            };
            // A search that was stopped compares with nothing.
            if observer.stop_search() {
                return Err(Error::Interrupted);
            }
            let clusters = self.clustering_count();
            rows.push(ComparisonRow { clusters, left, k, guided, blind, benefit: benefit(guided, blind), raw });
            stop_if(observer)?;
        }
        Ok(rows)
    }

    /// The recoding that looks at the clusters, and the attributes that tuning left fully masked.
    fn guided(&self, job: &Job, observer: &dyn Observer) -> Result<(Recoded, Vec<String>), Error> {
        let first = Recoded::search(job, &self.table, observer)?;
        if !self.clustering.tune {
            return Ok((first, Vec::new()));
        }
        let &Setting { clustering, drawn, ref clusters, ref table, .. } = self;
        let tuning = Tuning { job, clustering, drawn, clusters, table, qids: first.qids() };
        match tuning.run(&first, observer)? {
            None => Ok((first, Vec::new())),
            Some((outcome, tuned)) => Ok((Recoded::of_outcome(job, table, &outcome, first.qids())?, tuned.left)),
        }
    }

    fn clustering_count(&self) -> u32 {
        self.job.clustering.as_ref().map_or(0, |clustering| clustering.counts[0])
    }

    fn figures(&self, recoded: &Recoded) -> Result<Figures, Error> {
        Ok(Figures::from(&agreement(self.clustering, self.drawn, &self.clusters, recoded)?))
    }
}
