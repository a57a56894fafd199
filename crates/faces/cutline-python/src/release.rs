//! A release in memory, and in a folder.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use cutline::arrow::Origin;
use cutline::engine::{Audience, Format};
use cutline::model::recoding::Unknown;
use cutline::spec::Spec;
use cutline::{Apply, Destination, Draft, Error, Folder, InMemory, Job};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{exception, raised};
use crate::records::{Batches, Source};
use crate::settings::over;
use crate::taxonomy::Taxonomy;
use crate::work::work;

/// A taxonomy for an attribute, and whether what is below its cut stays private.
pub(crate) type Given<'py> = Vec<(String, PyRef<'py, Taxonomy>, bool)>;

/// What keywords and a spec file say, checked.
pub(crate) fn job(py: Python<'_>, spec: Option<&Path>, said: &Bound<'_, PyDict>, given: &Given<'_>) -> PyResult<Job> {
    let spec = spec.map_or_else(|| Ok(Spec::default()), Spec::read);
    let spec = over(spec.map_err(|error| exception(py, &error))?, said)?;
    let mut job = Job::new(spec).map_err(|error| exception(py, &error))?;
    for (name, taxonomy, private) in given {
        job.give_taxonomy(name, taxonomy.tree.clone()).map_err(|error| exception(py, &error))?;
        if *private {
            job.hide_taxonomy(name);
        }
    }
    Ok(job)
}

/// A verified release that is in memory, and can be published.
#[pyclass(frozen, module = "cutline._native")]
pub(crate) struct Release {
    draft: Mutex<Draft>,
    release: InMemory,
}

/// Masks a table. Without a source, the spec file names it.
#[pyfunction]
pub(crate) fn anonymize(
    watch: &Bound<'_, PyAny>,
    source: Option<PyRef<'_, Source>>,
    spec: Option<PathBuf>,
    said: &Bound<'_, PyDict>,
    given: Given<'_>,
) -> PyResult<Release> {
    let job = job(watch.py(), spec.as_deref(), said, &given)?;
    if job.compares() {
        let hint = "compare() tells how they do; say the one to publish";
        return Err(raised(
            watch.py(),
            "arguments",
            "several numbers of clusters, or several ks, are said",
            Some(hint),
        ));
    }
    let table = source.map(|source| source.table.clone());
    let (draft, release) = work(watch, move |watch| {
        let table = table.map_or_else(|| job.open(), Ok)?;
        let draft = cutline_study::draft(&job, &table, watch)?;
        let release = draft.publish_in_memory(watch)?;
        Ok((draft, release))
    })?;
    Ok(Release { draft: Mutex::new(draft), release })
}

#[pymethods]
impl Release {
    /// The published table.
    #[getter]
    fn table(&self) -> Batches {
        Batches { schema: self.release.table.schema.clone(), batches: self.release.table.batches.clone() }
    }

    /// The numbers of the published records, if some were left out; `all`, or `secret` if their order is.
    #[getter]
    fn origin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.release.table.origin {
            Origin::All => Ok("all".into_pyobject(py)?.into_any()),
            Origin::Secret => Ok("secret".into_pyobject(py)?.into_any()),
            Origin::Some(rows) => {
                let rows = Batches::of_numbers("row", rows.clone());
                let rows = rows.map_err(|error| raised(py, "defect", &error.to_string(), None))?;
                Ok(rows.into_pyobject(py)?.into_any())
            }
        }
    }

    /// The masked columns.
    #[getter]
    fn masked(&self) -> Vec<String> {
        let draft = self.draft.lock().unwrap_or_else(PoisonError::into_inner);
        draft.recoding().map(|(name, _)| name.to_owned()).collect()
    }

    /// The other files of the release, by name: `public/recoding.json` and so on.
    fn documents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let documents = PyDict::new(py);
        for document in &self.release.documents {
            let part = match document.audience {
                Audience::Public => "public",
                Audience::Private => "private",
            };
            documents.set_item(format!("{part}/{}", document.name), &document.content)?;
        }
        Ok(documents)
    }

    /// Publishes into a folder, which appears complete and verified, or not at all.
    fn publish(
        &self,
        watch: &Bound<'_, PyAny>,
        folder: PathBuf,
        force: bool,
        format: Option<String>,
        against: Option<PathBuf>,
    ) -> PyResult<()> {
        let format = format.map(|format| self::format(watch.py(), &format)).transpose()?;
        work(watch, |watch| {
            let destination = Destination { path: folder, force };
            let mut draft = self.draft.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(format) = format {
                draft.set_format(format);
            }
            if let Some(earlier) = against {
                draft.set_against(cutline::Release::open(&earlier)?);
            }
            draft.publish(Box::new(Folder::new(&destination)?), watch).map(drop)
        })
    }
}

/// A format by the word of the setting.
fn format(py: Python<'_>, word: &str) -> PyResult<Format> {
    let mut spec = Spec::default();
    let set = spec.set("format", &word.into());
    set.map_err(|error| exception(py, &Error::Setting(error)))?;
    Ok(spec.output.format.unwrap_or(Format::Csv))
}

/// Applies a stored recoding to another table, which is verified before it appears as a file.
#[pyfunction]
pub(crate) fn apply(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    recoding: PathBuf,
    output: PathBuf,
    options: &Bound<'_, PyDict>,
) -> PyResult<(u64, u64)> {
    let py = watch.py();
    let raise = |error: Error| exception(py, &error);
    let mut apply = Apply::read(&recoding).map_err(raise)?;
    let option = |name: &str| options.get_item(name).map(|value| value.filter(|value| !value.is_none()));
    if let Some(said) = option("settings")? {
        let spec = over(Spec::default(), said.cast::<PyDict>()?)?;
        let identifiers = spec.attributes.iter().filter_map(|(name, said)| Some((name.clone(), said.identifier?)));
        apply.identifiers = identifiers.collect();
        apply.qids = spec.qid.clone();
        apply.tokens = cutline::Tokens::new(&spec.output).map_err(raise)?;
        apply.recoding.null.extend(spec.input.null.iter().cloned());
        if spec.input.unknown == Some(cutline::spec::IfUnknown::Root) {
            apply.unknown = Unknown::Root;
        }
    }
    if let Some(names) = option("keep")? {
        apply.keep = names.extract()?;
    }
    if let Some(earlier) = option("against")? {
        apply.against = Some(cutline::Release::open(&earlier.extract::<PathBuf>()?).map_err(raise)?);
    }
    let force = option("force")?.is_some_and(|force| force.is_truthy().unwrap_or(false));
    let format = Format::by_extension(&output.to_string_lossy()).ok_or_else(|| {
        raised(
            py,
            "arguments",
            "the format of the output is not clear",
            Some("name it .csv, .parquet, .arrow or .jsonl"),
        )
    })?;
    let table = source.table.clone();
    let applied =
        work(watch, move |watch| cutline::apply(&apply, &table, format, &Destination { path: output, force }, watch))?;
    Ok((applied.verdict.records, applied.suppressed))
}
