//! The stages of a release, one after the other.

use std::cell::Cell;
use std::path::Path;
use std::time::Instant;

use cutline_engine::source::Format;
use cutline_engine::{CompressPlan, DerivedColumn, Engine, Output, RewritePlan, Rewritten, Treatment};
use cutline_model::recoding::{Labeler, SuppressHow};
use cutline_model::{AttributeRecoding, Qid};
use cutline_search::Step;
use cutline_table::RawTable;
use cutline_verify::{Claim, Verdict};

use crate::cluster;
use crate::columns::Columns;
use crate::evaluate::{Evaluation, Release};
use crate::find::{Found, find};
use crate::job::Job;
use crate::observer::Watching;
use crate::report::{self, Report, Seconds};
use crate::spec::Missing;
use crate::staging::{Product, Staging};
use crate::stored::stored;
use crate::{Destination, Error, Observer, Stage, redact, suppression};

/// Publishes a job's table: the folder at the destination appears complete and verified, or not at all.
pub fn publish(
    job: &Job,
    engine: &dyn Engine,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Report, Error> {
    destination.check(Product::Folder)?;
    let columns = Columns::resolve(job, &engine.schema())?;
    for redundant in job.requirement.redundant() {
        observer.note(&format!("the QID {} is implied by {} and was left out", redundant.qid, redundant.implied_by));
    }
    let mut seconds = Seconds::default();

    let labelled = cluster::label(job, engine, &columns, observer)?;
    let derived = labelled.as_ref().map(|labelled| labelled.derived(&columns));
    let raw = timed(&mut seconds.read, || compress(job, engine, &columns, derived, observer))?;
    let dropped = raw.dropped;
    let found = timed(&mut seconds.search, || match &labelled {
        Some(labelled) => labelled.find(job, raw, &columns, observer),
        None => find(job, raw, &columns, observer),
    })?;
    let recoding = &found.outcome.recoding;
    let suppress = suppression::plan(&found.suppressed, &found.qids, &columns.quasi);
    let how = suppress.as_ref().map(|plan| plan.how);

    let staging = Staging::new(destination, Product::Folder)?;
    let format = job.format.unwrap_or_else(|| own_format(engine));
    let name = format!("table.{}", format.extension());
    let derived = labelled.as_ref().and_then(|labelled| labelled.published(job));
    let plan = RewritePlan { suppress, derived, ..rewrite_plan(job, &columns, recoding)? };
    let written = timed(&mut seconds.write, || rewrite(engine, &plan, &staging, &name, format, observer))?;
    check_counts(&found, how, dropped, &written)?;
    let verdict = timed(&mut seconds.verify, || check(job, &staging, &name, &written, format, observer))?;
    let clusters = labelled.map(|labelled| labelled.evaluate(job, &found, observer)).transpose()?;
    let release = Release { job, engine, columns: &columns, found: &found };
    let evaluation = evaluated(&release, &mut seconds, observer)?;
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }

    let recoding = stored(job, &columns, &found, &verdict);
    let report = report::Facts { job, found: &found, how, recoding: &recoding, verdict: &verdict, dropped };
    let report = Report { clusters, evaluation, ..report.report(seconds) };
    staging.write("recoding.json", &recoding.to_json())?;
    let steps = redact::steps(&found.outcome.steps, &recoding);
    staging.write("trace.jsonl", &trace(&steps))?;
    staging.write("report.json", &report.to_json())?;
    staging.write("report.html", &report::html(&report, &recoding, &steps))?;
    staging.publish(&name)?;
    Ok(report)
}

fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let start = Instant::now();
    let result = work();
    *seconds = start.elapsed().as_secs_f64();
    result
}

pub(crate) fn compress(
    job: &Job,
    engine: &dyn Engine,
    columns: &Columns,
    derived: Option<DerivedColumn>,
    observer: &dyn Observer,
) -> Result<RawTable, Error> {
    observer.stage(Stage::Read, Some(engine.bytes()));
    let mut grouped: Vec<Option<usize>> = columns.grouped().into_iter().map(Some).collect();
    if let Some(derived) = &derived {
        grouped.insert(derived.at, None);
    }
    let plan =
        CompressPlan { columns: columns.grouped(), nulls: job.nulls.clone(), required: columns.required(job), derived };
    let raw = engine.compress(&plan, &Watching(observer))?;
    if raw.records + raw.dropped == 0 {
        return Err(Error::NoRecords(job.location.clone().unwrap_or_default()));
    }
    if raw.dropped > 0 && raw.records < job.requirement.largest_k() {
        observer.note(&format!("{} records were left out because a value is missing", raw.dropped));
    }
    if job.missing == Missing::Error {
        let missing =
            raw.columns.iter().zip(grouped).find_map(|(column, index)| Some((index?, column.first_missing()?)));
        if let Some((index, record)) = missing {
            return Err(Error::MissingValue { attribute: columns.names[index].clone(), record });
        }
    }
    Ok(raw)
}

/// CSV, Parquet and Arrow tables are published in their own format; everything else as CSV.
pub(crate) fn own_format(engine: &dyn Engine) -> Format {
    match engine.format() {
        Format::JsonLines => Format::Csv,
        format => format,
    }
}

fn rewrite_plan(job: &Job, columns: &Columns, recoding: &[AttributeRecoding]) -> Result<RewritePlan, Error> {
    let label = |place: usize| Treatment::Label(Box::new(Labeler::new(&recoding[place], job.unknown)));
    Ok(RewritePlan {
        columns: columns.published(label)?,
        nulls: job.nulls.clone(),
        required: columns.required(job),
        suppress: None,
        derived: None,
    })
}

fn rewrite(
    engine: &dyn Engine,
    plan: &RewritePlan,
    staging: &Staging,
    name: &str,
    format: Format,
    observer: &dyn Observer,
) -> Result<Rewritten, Error> {
    observer.stage(Stage::Write, Some(engine.bytes()));
    let path = staging.path(name);
    let file =
        std::fs::File::create(&path).map_err(|source| Error::Io { path: path.clone(), action: "create", source })?;
    Ok(engine.rewrite(plan, Output { file, path, format }, &Watching(observer))?)
}

/// What the masking cost a model, if that is to be told.
fn evaluated(
    release: &Release<'_>,
    seconds: &mut Seconds,
    observer: &dyn Observer,
) -> Result<Option<Evaluation>, Error> {
    match release.job.evaluate {
        true => timed(seconds.evaluate.insert(0.0), || release.evaluate(observer)).map(Some),
        false => Ok(None),
    }
}

/// The second pass must have written exactly what the first one counted.
fn check_counts(found: &Found, how: Option<SuppressHow>, dropped: u64, written: &Rewritten) -> Result<(), Error> {
    let suppressed = found.suppressed.records;
    let left_out = if how == Some(SuppressHow::Drop) { suppressed } else { 0 };
    let expected = (found.table.records - left_out, dropped, suppressed);
    if (written.records, written.dropped, written.suppressed) == expected {
        return Ok(());
    }
    Err(Error::Changed {
        first: found.table.records + dropped,
        second: written.records + written.dropped + if left_out > 0 { written.suppressed } else { 0 },
    })
}

/// Recounts the written table; a release that does not hold is a defect, because the search said that it does.
fn check(
    job: &Job,
    staging: &Staging,
    name: &str,
    written: &Rewritten,
    format: Format,
    observer: &dyn Observer,
) -> Result<Verdict, Error> {
    let verdict = recount(&staging.path(name), (job.requirement.qids(), &job.nulls), written, format, observer)?;
    match verdict.findings.iter().find(|finding| !finding.holds()) {
        None => Ok(verdict),
        Some(finding) => Err(Error::Defect(failure(finding))),
    }
}

/// What a QID's recount says against it.
pub(crate) fn failure(finding: &cutline_verify::Finding) -> String {
    let qid = finding.attributes.join(", ");
    match finding.conditions.iter().find(|condition| !condition.holds()) {
        Some(broken) if finding.anonymity >= finding.k => {
            format!("{} groups of {{{qid}}} violate `{}`", broken.violating_groups, broken.condition)
        }
        _ => format!("the smallest group of {{{qid}}} has {} records, k is {}", finding.anonymity, finding.k),
    }
}

/// The attributes that conditions are about, to tell how sure an attacker can be.
fn sensitive(qids: &[Qid]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for condition in qids.iter().flat_map(|qid| &qid.conditions) {
        if !names.iter().any(|name| name == condition.attribute()) {
            names.push(condition.attribute().to_owned());
        }
    }
    names
}

/// A QID as the verifier reads it: it has its own understanding of every condition.
pub(crate) fn claim(qid: &Qid) -> Result<Claim, Error> {
    let conditions = qid.conditions.iter().map(|condition| condition.to_string().parse());
    Ok(Claim { conditions: conditions.collect::<Result<_, _>>()?, ..Claim::new(qid.attributes.clone(), qid.k) })
}

/// Reads a written table back and counts its groups, with code that shares nothing with what wrote it, while the operating
/// system brings the file to the disk.
pub(crate) fn recount(
    path: &Path,
    (qids, nulls): (&[Qid], &[String]),
    written: &Rewritten,
    format: Format,
    observer: &dyn Observer,
) -> Result<Verdict, Error> {
    let bytes = std::fs::metadata(path).map(|metadata| metadata.len()).unwrap_or(0);
    observer.stage(Stage::Verify, Some(bytes));
    let done = Cell::new(0);
    // The verifier counts records; observers are told bytes.
    let progress = |records: u64| {
        let now = (bytes as f64 * records as f64 / written.records.max(1) as f64) as u64;
        observer.advance(now.saturating_sub(done.replace(now)));
    };
    let claims = qids.iter().map(claim).collect::<Result<Vec<Claim>, Error>>()?;
    let format = match format {
        Format::Csv => cutline_verify::Format::Csv,
        Format::Parquet => cutline_verify::Format::Parquet,
        Format::Arrow => cutline_verify::Format::Arrow,
        Format::JsonLines => cutline_verify::Format::JsonLines,
    };
    let options = cutline_verify::Options {
        format: Some(format),
        delimiter: Some(written.delimiter),
        nulls: nulls.to_vec(),
        sensitive: sensitive(qids),
        union: qids.len() > 1,
        ..Default::default()
    };
    let verdict = std::thread::scope(|scope| {
        let synced = scope.spawn(|| written.file.sync_all());
        let verdict = cutline_verify::verify(path, &claims, &options, &progress);
        match synced.join() {
            Ok(Ok(())) => Ok(verdict?),
            Ok(Err(source)) => Err(Error::Io { path: path.to_owned(), action: "write", source }),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    if verdict.records != written.records {
        return Err(Error::Defect(format!("{} records were written, {} read back", written.records, verdict.records)));
    }
    Ok(verdict)
}

fn trace(steps: &[Step]) -> String {
    // A step is plain data: writing it as JSON cannot fail.
    steps.iter().map(|step| serde_json::to_string(step).unwrap_or_default() + "\n").collect()
}
