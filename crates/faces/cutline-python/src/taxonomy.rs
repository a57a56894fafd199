//! Trees.

use cutline::model::{NodeId, Taxonomy as Tree, TaxonomyError};
use cutline::{By, TaxonomyPlan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raised;
use crate::records::Source;
use crate::settings::spec;
use crate::work::work;

/// A taxonomy.
#[pyclass(frozen, module = "cutline._native")]
pub(crate) struct Taxonomy {
    pub(crate) tree: Tree,
}

fn made(py: Python<'_>, tree: Result<Tree, TaxonomyError>) -> PyResult<Taxonomy> {
    tree.map(|tree| Taxonomy { tree }).map_err(|error| raised(py, "arguments", &error.to_string(), None))
}

#[pymethods]
impl Taxonomy {
    /// An outline, ARX CSV or JSON.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        made(py, Tree::parse(text))
    }

    /// Codes that begin alike are put together.
    #[staticmethod]
    fn by_prefix(py: Python<'_>, values: Vec<String>) -> PyResult<Self> {
        made(py, Tree::by_prefix(values.iter().map(String::as_str)))
    }

    /// All values directly below the root.
    #[staticmethod]
    fn flat(py: Python<'_>, values: Vec<String>) -> PyResult<Self> {
        made(py, Tree::flat(values.iter().map(String::as_str)))
    }

    fn to_json(&self) -> String {
        self.tree.to_json()
    }

    fn to_outline(&self) -> String {
        self.tree.to_outline()
    }

    fn to_arx(&self) -> String {
        self.tree.to_arx()
    }

    /// A picture of the tree, with the nodes of a cut marked.
    fn show(&self, py: Python<'_>, cut: Vec<String>) -> PyResult<String> {
        let node = |label: &String| {
            let found = self.tree.node(label);
            found.ok_or_else(|| raised(py, "arguments", &format!("the taxonomy has no node `{label}`"), None))
        };
        Ok(self.tree.show(&cut.iter().map(node).collect::<PyResult<Vec<_>>>()?))
    }

    #[getter]
    fn leaves(&self) -> Vec<String> {
        self.labels(self.tree.leaves())
    }

    #[getter]
    fn height(&self) -> usize {
        self.tree.height()
    }
}

impl Taxonomy {
    fn labels(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<String> {
        nodes.map(|node| self.tree.label(node).to_owned()).collect()
    }
}

/// Proposes a taxonomy for a column: `by` is `prefix`, `target`, `calendar`, `width`, `frequency`, `values` or nothing.
#[pyfunction]
pub(crate) fn build_taxonomy(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    attribute: String,
    by: Option<&str>,
    said: &Bound<'_, PyDict>,
) -> PyResult<Taxonomy> {
    let by = match by {
        None => None,
        Some("prefix") => Some(By::Prefix),
        Some("target") => Some(By::Target),
        Some("calendar") => Some(By::Calendar),
        Some("width") => Some(By::Width),
        Some("frequency") => Some(By::Frequency),
        Some("values") => Some(By::Values),
        Some(_) => {
            let hint = "write by=\"prefix\", \"target\", \"calendar\", \"width\", \"frequency\" or \"values\"";
            return Err(raised(watch.py(), "setting", "by: there is no such way to put values together", Some(hint)));
        }
    };
    let spec = spec(said)?;
    let (target, nulls) = (spec.purpose.target, spec.input.null);
    let plan = TaxonomyPlan { table: "the table".to_owned(), attribute, by, target, nulls };
    let table = source.table.clone();
    let proposal = work(watch, move |watch| cutline::build_taxonomy(&table, &plan, watch))?;
    Ok(Taxonomy { tree: proposal.taxonomy })
}
