//! Several numbers of clusters and thresholds, compared in one run.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use cutline_arrow::crew::on_threads;
use cutline_engine::Engine;
use cutline_measure::cluster::Clusters;
use cutline_model::recoding::Unknown;
use cutline_table::MaskPlan;

use super::approach::Approach;
use super::drawn::Drawn;
use super::evaluate::{Quiet, agreement, blindly, masked_by, raw_again, stop_if};
use super::label::{raw_clusters, structures};
use super::settings::Clustering;
use super::tune::{Structured, Tuning};
use super::{AgreementFigures, Benefit, Comparison, ComparisonRow, Tuned};
use crate::columns::Columns;
use crate::folder::Folder;
use crate::job::Job;
use crate::staging::Product;
use crate::{Destination, Error, Observer, Stage};

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
        let folder = Folder::new(destination)?;
        folder.write("comparison.json", &comparison.to_json())?;
        folder.write("comparison.html", &cutline_report::page::comparison(&comparison).to_string())?;
        folder.finish()?;
    }
    Ok(comparison)
}

fn run(job: &Job, engine: &dyn Engine, observer: &dyn Observer) -> Result<Comparison, Error> {
    let Some(clustering) = &job.clustering else {
        return Err(Error::NotSaid {
            what: "there are no clusters to compare".to_owned(),
            hint: "say how many, as in ‹clusters 2,6,10›",
        });
    };
    let columns = Columns::resolve(job, engine.columns())?;
    let drawn = Drawn::new(job, engine, &columns, observer)?;
    let mut rows = Vec::new();
    let mut blind = BTreeMap::new();
    for &count in &clustering.counts {
        let job = job.with(count, None)?;
        let structures = on_threads(job.threads, || {
            let first = raw_clusters(&drawn, clustering.raw, count, clustering.seed, observer)?;
            if clustering.tune { structures(first, &drawn, clustering) } else { Ok(vec![first]) }
        })?;
        let tables = Structured::new(&job, engine, &columns, &drawn, &structures);
        tables.get(0, observer)?;
        observer.stage(if clustering.tune { Stage::Tune } else { Stage::Search }, None);
        let setting = Setting { job: &job, clustering, drawn: &drawn, structures: &structures, tables: &tables };
        rows.extend(on_threads(job.threads, || setting.rows(&mut blind, observer))?);
    }
    Ok(Comparison {
        format: "cutline-comparison/1",
        algorithm: clustering.raw,
        recipient: clustering.recipient,
        masked_names: clustering.names,
        search: job.searched_by(),
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
    structures: &'a [Clusters],
    tables: &'a Structured<'a>,
}

impl Setting<'_> {
    /// All thresholds. Blind maskings do not depend on the clusters, so they are kept for the next number of clusters.
    fn rows(
        &self,
        blind: &mut BTreeMap<Option<u64>, MaskPlan>,
        observer: &dyn Observer,
    ) -> Result<Vec<ComparisonRow>, Error> {
        let thresholds: Vec<Option<u64>> = match &self.clustering.thresholds[..] {
            [] => vec![None],
            thresholds => thresholds.iter().copied().map(Some).collect(),
        };
        let mut rows = Vec::new();
        for k in thresholds {
            let clusters = self.clustering_count();
            let job = self.job.with(clusters, k)?;
            let (structure, plan, tuned) = self.guided(&job, observer)?;
            let structure = &self.structures[structure];
            let guided = self.figures(structure, &plan)?;
            let blind = match blind.entry(k) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let table = self.tables.get(0, &Quiet(observer))?;
                    place.insert(blindly(&job, &table, observer)?.mask(Unknown::Root)?)
                }
            };
            let blind = self.figures(structure, blind)?;
            // A search that was stopped compares with nothing.
            if observer.stop_search() {
                return Err(Error::Interrupted);
            }
            let raw = AgreementFigures::from(&raw_again(self.clustering, self.drawn, structure)?);
            rows.push(ComparisonRow { clusters, tuned, k, guided, blind, benefit: Benefit::new(guided, blind), raw });
            stop_if(observer)?;
        }
        Ok(rows)
    }

    /// The structure, the recoding that looks at it, and what tuning did.
    fn guided(&self, job: &Job, observer: &dyn Observer) -> Result<(usize, MaskPlan, Option<Tuned>), Error> {
        let &Setting { clustering, drawn, structures, tables, .. } = self;
        if clustering.tune {
            let (best, tuned) = Tuning { job, clustering, drawn, structures, tables, observer }.run()?;
            return Ok((best.structure, best.plan, Some(tuned)));
        }
        let table = tables.get(0, observer)?;
        let approach = Approach::guided(table.attributes.len());
        Ok((0, masked_by(&approach, job, &table, observer)?, None))
    }

    fn clustering_count(&self) -> u32 {
        self.job.clustering.as_ref().map_or(0, |clustering| clustering.counts[0])
    }

    fn figures(&self, structure: &Clusters, plan: &MaskPlan) -> Result<AgreementFigures, Error> {
        Ok(AgreementFigures::from(&agreement(self.clustering, self.drawn, structure, plan)?))
    }
}
