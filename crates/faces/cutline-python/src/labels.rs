//! What would a recoding make of these records?

use cutline::arrow::Embedded;
use cutline::engine::{Engine, OutputColumn, RecordOrder, RewritePlan, Treatment};
use cutline::model::Recoding;
use cutline::model::recoding::Unknown;
use cutline::{Error, Watching, cores};
use cutline_table::MaskPlan;
use pyo3::prelude::*;

use crate::errors::{exception, raised};
use crate::records::{Batches, Records, Source, TABLE};
use crate::taxonomy::Taxonomy;
use crate::work::work;

/// The records with the labels that the recoding has for them, and nothing suppressed or left out. This is no release: nobody counts
/// groups here.
#[pyfunction]
pub(crate) fn label(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    recoding: &str,
    unknown_is_root: bool,
    threads: usize,
) -> PyResult<Batches> {
    let py = watch.py();
    let recoding = Recoding::from_json(recoding);
    let recoding = recoding.map_err(|error| raised(py, "arguments", &error.to_string(), None))?;
    let Records::Memory { schema, batches } = &source.records else {
        return Err(raised(py, "arguments", "only records in memory can be labelled", None));
    };
    let threads = if threads == 0 { cores() } else { threads };
    let engine = Embedded::of_batches(TABLE, schema.clone(), batches.clone(), threads);
    let engine = engine.map_err(|error| exception(py, &error.into()))?;
    let unknown = if unknown_is_root { Unknown::Root } else { Unknown::Error };
    let masked = work(watch, |watch| {
        let plan = plan(&recoding, &engine, unknown)?;
        Ok(engine.masked_batches(&plan, &Watching(watch))?)
    })?;
    Ok(Batches { schema: masked.schema, batches: masked.batches })
}

/// All columns of the table, those of the recoding by their labels.
fn plan(recoding: &Recoding, engine: &Embedded, unknown: Unknown) -> Result<RewritePlan, Error> {
    for name in recoding.attributes.keys() {
        cutline::parts::find_column(engine, name)?;
    }
    let column = |(source, column): (usize, &cutline::engine::Column)| {
        let how = recoding.attributes.get_index_of(&column.name).map_or(Treatment::Keep, Treatment::Mask);
        OutputColumn { source, how }
    };
    let mask = MaskPlan::new(&recoding.of_attributes(), unknown).by_regions(recoding.regions.as_ref());
    Ok(RewritePlan {
        columns: engine.columns().iter().enumerate().map(column).collect(),
        mask: mask?,
        nulls: recoding.null.clone(),
        required: Vec::new(),
        order: RecordOrder::Kept,
        cluster: None,
        person: None,
    })
}

/// A stored recoding with the whole of a private taxonomy in it again.
#[pyfunction]
pub(crate) fn restore_taxonomy(
    py: Python<'_>,
    recoding: &str,
    attribute: &str,
    taxonomy: PyRef<'_, Taxonomy>,
) -> PyResult<String> {
    let refused = |what: &dyn std::fmt::Display| raised(py, "arguments", &what.to_string(), None);
    let mut recoding = Recoding::from_json(recoding).map_err(|error| refused(&error))?;
    let restored = recoding.restore_taxonomy(attribute, taxonomy.tree.clone(), Unknown::Root);
    restored.map_err(|error| refused(&error))?;
    Ok(recoding.to_json())
}
