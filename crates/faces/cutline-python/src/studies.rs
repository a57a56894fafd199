//! Looks at tables: what do they tell, does their requirement hold, what did masking cost? All answer with JSON.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use cutline::model::{Kind, Purpose, Qid, Recoding, Share};
use cutline::spec::{IfMissing, PurposeKind, Spec};
use cutline::verify::{Batches, Claim, Options, Persons, Recount};
use cutline::{Destination, Error, Observer, ScreenPlan, Stage, cores, population, published_warnings, source_options};
use cutline_report::verdict_json;
use cutline_study::attack::Attack;
use cutline_study::evaluate::{self as study, JobOptions, Learn, Measuring, PairOptions, Split, Tables};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::errors::{exception, raised};
use crate::records::{Records, Source};
use crate::release::{Given, job};
use crate::settings::spec;
use crate::work::work;

/// Does a table satisfy a requirement, or that of its own recoding? Counted by the verifier, whatever made the table.
#[pyfunction]
#[pyo3(signature = (watch, source, said, *, recoding=None, sensitive=Vec::new(), worst=5, show_values=false))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn verify(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    said: &Bound<'_, PyDict>,
    recoding: Option<&str>,
    sensitive: Vec<String>,
    worst: usize,
    show_values: bool,
) -> PyResult<String> {
    let py = watch.py();
    let mut spec = spec(said)?;
    if spec.qid.is_empty() {
        spec.qid = promised(py, recoding)?;
    }
    let claims = claims(&spec).map_err(|error| exception(py, &error))?;
    let options = Options {
        worst,
        keep_values: show_values,
        sensitive,
        persons: spec.person.clone().map(Persons::Column),
        population: population(&spec).map_err(|error| exception(py, &error))?,
        nulls: spec.input.null.clone(),
        union: claims.len() > 1,
        threads: spec.search.threads.and_then(NonZeroUsize::new),
        ..Options::default()
    };
    let (records, table) = (&source.records, &source.table);
    let (qids, nulls) = (spec.qid.clone(), spec.input.null.clone());
    let plan = ScreenPlan {
        qids,
        nulls,
        masked: true,
        threads: options.threads.map_or(0, NonZeroUsize::get),
        ..ScreenPlan::default()
    };
    let (verdict, warnings) = work(watch, |watch| {
        watch.stage(Stage::Verify, None);
        let verdict = match records {
            Records::Memory { batches, .. } => Batches::new(batches).recount(&claims, &options, &|_| ())?,
            Records::File(location) => {
                let read = source_options(&spec)?;
                let format = read.format.map(cutline::parts::verified_format).transpose()?;
                let encoding = read.encoding.map(|encoding| encoding.name().to_owned());
                let (delimiter, header) = (read.delimiter, read.header.unwrap_or(true));
                let options = Options { format, delimiter, encoding, header, ..options };
                cutline::verify::verify(Path::new(location), &claims, &options, &|_| ())?
            }
        };
        Ok((verdict, published_warnings(table, &plan, watch)?))
    })?;
    Ok(verdict_json(&verdict, &warnings).to_string())
}

/// What a recoding promises of the table that it was made for.
fn promised(py: Python<'_>, recoding: Option<&str>) -> PyResult<Vec<Qid>> {
    let Some(recoding) = recoding else {
        let hint = "say what must hold, as in ‹qid age,sex,zip:10›; only a release knows its own requirement";
        return Err(exception(py, &Error::NotSaid { what: "no QID is named".to_owned(), hint }));
    };
    let recoding = Recoding::from_json(recoding);
    let recoding = recoding.map_err(|error| raised(py, "arguments", &error.to_string(), None))?;
    let qids = recoding.requirement.qids.into_iter();
    Ok(qids.map(|qid| Qid { conditions: qid.conditions, ..Qid::new(qid.attributes, qid.k) }).collect())
}

/// What is claimed of each QID: its own conditions and those of all. The verifier has its own understanding of them, so it gets texts.
fn claims(spec: &Spec) -> Result<Vec<Claim>, Error> {
    let claim = |qid: &Qid| {
        let further = spec.conditions.iter().filter(|condition| !qid.conditions.contains(condition));
        let conditions = qid.conditions.iter().chain(further).map(|condition| condition.to_string().parse());
        Ok(Claim { conditions: conditions.collect::<Result<_, _>>()?, ..Claim::new(qid.attributes.clone(), qid.k) })
    };
    spec.qid.iter().map(claim).collect()
}

/// Which columns identify persons, or give masked ones away?
#[pyfunction]
pub(crate) fn screen(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    said: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let spec = spec(said)?;
    let threads = spec.search.threads.unwrap_or_default();
    let plan = ScreenPlan { qids: spec.qid, nulls: spec.input.null, threads, ..ScreenPlan::default() };
    let table = source.table.clone();
    Ok(work(watch, move |watch| cutline::screen(&table, &plan, watch))?.to_json())
}

/// What could each column be? The proposals, and a commented spec.
#[pyfunction]
pub(crate) fn inspect(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    said: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let spec = spec(said)?;
    let (table, nulls) = (source.table.clone(), spec.input.null.clone());
    let found = work(watch, move |watch| cutline::inspect(&table, &nulls, watch))?;
    let location = match &source.records {
        Records::File(location) => location,
        Records::Memory { .. } => "TABLE",
    };
    let column = |column: &cutline::Proposal| {
        json!({
            "name": column.profile.name, "distinct": column.profile.distinct, "missing": column.profile.missing,
            "kind": column.kind.to_string(), "role": column.role, "reason": column.reason,
        })
    };
    let columns: Vec<_> = found.columns.iter().map(column).collect();
    Ok(json!({ "records": found.records, "columns": columns, "spec": found.spec(location, &spec.input) }).to_string())
}

/// A linkage attack on a table, by whoever has the other one.
#[pyfunction]
#[pyo3(signature = (watch, released, external, on, *, truth=None, person=None, sensitive=Vec::new(), recoding=None, null=Vec::new()))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn attack(
    watch: &Bound<'_, PyAny>,
    released: PyRef<'_, Source>,
    external: PyRef<'_, Source>,
    on: Vec<String>,
    truth: Option<String>,
    person: Option<String>,
    sensitive: Vec<String>,
    recoding: Option<&str>,
    null: Vec<String>,
) -> PyResult<String> {
    let recoding = recoding.map(Recoding::from_json).transpose();
    let recoding = recoding.map_err(|error| raised(watch.py(), "arguments", &error.to_string(), None))?;
    let attack = Attack { on, truth, person, sensitive, recoding, nulls: null };
    let (released, external) = (released.table.clone(), external.table.clone());
    let outcome = work(watch, move |watch| attack.run(&released, &external, watch))?;
    Ok(json!(outcome).to_string())
}

/// How the cost is measured, as keywords say it.
fn measuring(options: &Bound<'_, PyDict>, seed: u64) -> PyResult<Measuring> {
    let option = |name: &str| options.get_item(name).map(|value| value.filter(|value| !value.is_none()));
    let split = match (option("train_records")?, option("folds")?, option("holdout")?) {
        (Some(train), _, _) => Split::TrainRecords(train.extract()?),
        (None, Some(folds), _) => Split::Folds(folds.extract()?),
        (None, None, holdout) => {
            let share = holdout.map_or(Ok(1.0 / 3.0), |share| share.extract())?;
            let hint = "write a share between 0 and 1, as in holdout=0.2";
            let share = Share::new(share);
            Split::Holdout(
                share.ok_or_else(|| raised(options.py(), "setting", "holdout: this is no share", Some(hint)))?,
            )
        }
    };
    let learn = match option("classifier")?.map(|word| word.extract::<String>()).transpose()?.as_deref() {
        None | Some("both") => Learn::Both,
        Some("c45") => Learn::C45,
        Some("naive-bayes") => Learn::NaiveBayes,
        Some(_) => {
            let hint = "write classifier=\"both\", \"c45\" or \"naive-bayes\"";
            return Err(raised(options.py(), "setting", "classifier: there is no such classifier", Some(hint)));
        }
    };
    Ok(Measuring { split, seed, learn })
}

/// What would masking as the settings say cost? Nothing is published.
#[pyfunction]
pub(crate) fn evaluate(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    said: &Bound<'_, PyDict>,
    given: Given<'_>,
    options: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let job = job(watch.py(), None, said, &given)?;
    let measuring = measuring(options, spec(said)?.search.seed.unwrap_or(0))?;
    let together = options.get_item("together")?.is_some_and(|together| together.is_truthy().unwrap_or(false));
    let table = source.table.clone();
    let options = JobOptions { measuring, together };
    let found = work(watch, move |watch| study::evaluate_job(&job, &table, &options, watch))?;
    Ok(json!(found).to_string())
}

/// What did masking cost, whoever did it?
#[pyfunction]
pub(crate) fn evaluate_pair(
    watch: &Bound<'_, PyAny>,
    raw: PyRef<'_, Source>,
    masked: PyRef<'_, Source>,
    said: &Bound<'_, PyDict>,
    options: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let spec = spec(said)?;
    let Some(target) = spec.purpose.target.clone() else {
        let hint = "name an attribute that both tables have with target";
        return Err(raised(watch.py(), "arguments", "nothing is said that a learner could predict", Some(hint)));
    };
    let purpose = match spec.purpose.kind {
        Some(PurposeKind::Regression) => Purpose::Regression { target },
        _ => Purpose::Classification { target },
    };
    let identifiers = spec.attributes.iter().filter(|(_, attribute)| attribute.identifier.is_some());
    let kinds: HashMap<String, Kind> =
        spec.attributes.iter().filter_map(|(name, attribute)| Some((name.clone(), attribute.kind?))).collect();
    let options = PairOptions {
        purpose,
        measuring: measuring(options, spec.search.seed.unwrap_or(0))?,
        masked: spec.qid.iter().flat_map(|qid| qid.attributes.iter().cloned()).collect(),
        ignored: identifiers.map(|(name, _)| name.clone()).collect(),
        kinds,
        nulls: spec.input.null.clone(),
        missing: spec.input.missing.unwrap_or(IfMissing::Value),
        threads: spec.search.threads.filter(|&threads| threads > 0).unwrap_or_else(cores),
    };
    let (raw, masked) = (raw.table.clone(), masked.table.clone());
    let found =
        work(watch, move |watch| study::evaluate_pair(Tables { raw: &raw, masked: &masked }, None, &options, watch))?;
    Ok(json!(found).to_string())
}

/// Compares several numbers of clusters or thresholds, into a folder.
#[pyfunction]
pub(crate) fn compare(
    watch: &Bound<'_, PyAny>,
    source: PyRef<'_, Source>,
    said: &Bound<'_, PyDict>,
    given: Given<'_>,
    folder: PathBuf,
    force: bool,
) -> PyResult<String> {
    let job = job(watch.py(), None, said, &given)?;
    let table = source.table.clone();
    let destination = Destination { path: folder, force };
    let found = work(watch, move |watch| cutline::cluster::compare(&job, &table, &destination, watch))?;
    Ok(found.to_json())
}
