//! The stages of a release, one after the other.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cutline_engine::source::Format;
use cutline_engine::{CompressPlan, Engine, Output, RewritePlan, Rewritten, Treatment};
use cutline_model::recoding::{Achieved, AchievedQid, Labeler};
use cutline_model::{AttributeRecoding, Kind, Masking, Purpose, Qid, Recoding, Taxonomy};
use cutline_search::{Control, Outcome, Problem, Step, Stopped};
use cutline_table::{CompressedTable, LabelKind, RawColumn, RawTable, TableError, encode};
use cutline_verify::{Claim, Verdict};

use crate::columns::Columns;
use crate::job::Job;
use crate::observer::Watching;
use crate::report::{self, Report, Seconds};
use crate::spec::Missing;
use crate::staging::{Product, Staging};
use crate::{Destination, Error, Observer, Stage};

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

    let raw = timed(&mut seconds.read, || compress(job, engine, &columns, observer))?;
    let dropped = raw.dropped;
    let (table, outcome) =
        timed(&mut seconds.search, || in_pool(job.threads, || search(job, raw, &columns, observer)))?;

    let staging = Staging::new(destination, Product::Folder)?;
    let format = job.format.unwrap_or_else(|| own_format(engine));
    let name = format!("table.{}", format.extension());
    let plan = rewrite_plan(job, &columns, &outcome.recoding)?;
    let written = timed(&mut seconds.write, || rewrite(engine, &plan, &staging, &name, format, observer))?;
    if (written.records, written.dropped) != (table.records, dropped) {
        let (first, second) = (table.records + dropped, written.records + written.dropped);
        return Err(Error::Changed { first, second });
    }
    let verdict = timed(&mut seconds.verify, || check(job, &staging, &name, &written, format, observer))?;
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }

    let recoding = recoding(job, &columns, &outcome, &verdict);
    let report =
        report::Facts { job, table: &table, outcome: &outcome, recoding: &recoding, verdict: &verdict, dropped };
    let report = report.report(seconds);
    staging.write("recoding.json", &recoding.to_json())?;
    staging.write("trace.jsonl", &trace(&outcome.steps))?;
    staging.write("report.json", &report.to_json())?;
    staging.write("report.html", &report::html(&report, &recoding, &outcome.steps))?;
    staging.publish(&name)?;
    Ok(report)
}

fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let start = Instant::now();
    let result = work();
    *seconds = start.elapsed().as_secs_f64();
    result
}

/// Runs the search's parallel parts on the job's number of threads.
fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // Without a pool of our own the shared one serves: results do not depend on the number of threads.
        Err(_) => work(),
    }
}

fn compress(job: &Job, engine: &dyn Engine, columns: &Columns, observer: &dyn Observer) -> Result<RawTable, Error> {
    observer.stage(Stage::Read, Some(engine.bytes()));
    let plan = CompressPlan {
        columns: columns.grouped(&job.purpose),
        nulls: job.nulls.clone(),
        required: columns.required(job),
    };
    let raw = engine.compress(&plan, &Watching(observer))?;
    if raw.records + raw.dropped == 0 {
        return Err(Error::NoRecords(job.spec.input.path.clone().unwrap_or_default()));
    }
    if raw.dropped > 0 && raw.records < job.requirement.largest_k() {
        observer.note(&format!("{} records were left out because a value is missing", raw.dropped));
    }
    if job.missing == Missing::Error {
        let missing =
            raw.columns.iter().zip(&plan.columns).find_map(|(column, &index)| Some((index, column.first_missing()?)));
        if let Some((index, record)) = missing {
            return Err(Error::MissingValue { attribute: columns.names[index].clone(), record });
        }
    }
    Ok(raw)
}

fn search(
    job: &Job,
    raw: RawTable,
    columns: &Columns,
    observer: &dyn Observer,
) -> Result<(CompressedTable, Outcome), Error> {
    observer.stage(Stage::Search, None);
    let name = |index: usize| columns.names[index].clone();
    let mut maskings = Vec::new();
    for (&index, column) in columns.quasi.iter().zip(&raw.columns) {
        maskings.push((name(index), masking(job, &name(index), column, observer)));
    }
    let label = match &job.purpose {
        Purpose::Classification { target } => (target.clone(), LabelKind::Classes),
        Purpose::Regression { target } => (target.clone(), LabelKind::Numbers),
        Purpose::General => (String::new(), LabelKind::None),
    };
    let table = encode(raw, maskings, label, job.unknown).map_err(|error| regression_needs_numbers(job, error))?;
    warn_of_many_classes(&table, observer);
    let problem = Problem::new(&table, &job.requirement)?;
    let deadline = job.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let stop = || {
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let interrupted = observer.stop_search() || observer.cancelled();
        interrupted.then_some(Stopped::Interrupted).or(late.then_some(Stopped::TimeLimit))
    };
    let control = Control { max_steps: job.max_steps, stop: &stop, progress: &|step: &Step| observer.step(step) };
    let outcome = job.search().search(&problem, &control);
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    let met = outcome.anonymity.iter().zip(problem.qids()).all(|(&anonymity, qid)| anonymity >= qid.k);
    if met { Ok((table, outcome)) } else { Err(Error::Unfinished(outcome.stopped)) }
}

/// A target that is no number asks for another purpose, not for another kind of attribute.
fn regression_needs_numbers(job: &Job, error: TableError) -> Error {
    match (&job.purpose, error) {
        (Purpose::Regression { target }, TableError::Value { attribute, record, .. }) if attribute == *target => {
            Error::NotSaid {
                what: format!("the target `{target}`, record {record}: a value is not a number"),
                hint: "a regression predicts numbers; for names use --purpose classification",
            }
        }
        (_, error) => error.into(),
    }
}

fn warn_of_many_classes(table: &CompressedTable, observer: &dyn Observer) {
    const MANY: usize = 100;
    if let cutline_table::Labels::Classes { classes, .. } = &table.labels
        && *classes > MANY
    {
        observer.note(&format!("the target has {classes} classes; if it is a number, use --purpose regression"));
    }
}

/// The masking operation of an attribute: by its taxonomy, its declared range or kind, or its values.
fn masking(job: &Job, name: &str, column: &RawColumn, observer: &dyn Observer) -> Masking {
    let known = job.attributes.get(name).cloned().unwrap_or_default();
    match (known.taxonomy, known.range, known.kind) {
        (Some(taxonomy), ..) => Masking::Generalize(taxonomy),
        (None, Some(range), _) => Masking::Discretize { range: Some(range) },
        (None, None, kind) => match kind.unwrap_or_else(|| guess_kind(name, column, observer)) {
            Kind::Continuous => Masking::Discretize { range: None },
            Kind::Categorical => Masking::Suppress,
        },
    }
}

/// The kind that the values suggest, with a word where a few of them decide it.
fn guess_kind(name: &str, column: &RawColumn, observer: &dyn Observer) -> Kind {
    if let Some(few) = column.few_that_are_no_numbers() {
        observer.note(&format!(
            "`{name}` has numbers, but also {few} distinct values that are none, so it is treated as names; if those stand for \
             a missing value, say so with --null"
        ));
    }
    column.guess_kind()
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
    Ok(RewritePlan { columns: columns.published(label)?, nulls: job.nulls.clone(), required: columns.required(job) })
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

/// Recounts the written table; a release that does not hold is a defect, because the search said that it does.
fn check(
    job: &Job,
    staging: &Staging,
    name: &str,
    written: &Rewritten,
    format: Format,
    observer: &dyn Observer,
) -> Result<Verdict, Error> {
    let verdict = recount(&staging.path(name), job.requirement.qids(), written, format, observer)?;
    match verdict.findings.iter().find(|finding| !finding.holds()) {
        None => Ok(verdict),
        Some(finding) => Err(Error::Defect(format!(
            "the smallest group of {{{}}} has {} records, k is {}",
            finding.attributes.join(", "),
            finding.anonymity,
            finding.k
        ))),
    }
}

/// Reads a written table back and counts its groups, with code that shares nothing with what wrote it, while the operating
/// system brings the file to the disk.
pub(crate) fn recount(
    path: &Path,
    qids: &[Qid],
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
    let claims: Vec<Claim> = qids.iter().map(|qid| Claim { attributes: qid.attributes.clone(), k: qid.k }).collect();
    let format = match format {
        Format::Csv => cutline_verify::Format::Csv,
        Format::Parquet => cutline_verify::Format::Parquet,
        Format::Arrow => cutline_verify::Format::Arrow,
        Format::JsonLines => cutline_verify::Format::JsonLines,
    };
    let options =
        cutline_verify::Options { format: Some(format), delimiter: Some(written.delimiter), ..Default::default() };
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

fn recoding(job: &Job, columns: &Columns, outcome: &Outcome, verdict: &Verdict) -> Recoding {
    let names = columns.quasi.iter().map(|&index| columns.names[index].clone());
    let attributes = names.zip(&outcome.recoding).map(|(name, recoding)| {
        let given = job.attributes.get(&name).and_then(|attribute| attribute.taxonomy.as_ref());
        (name, without_hidden_values(recoding.clone(), given))
    });
    let qid = |finding: &cutline_verify::Finding| AchievedQid {
        attributes: finding.attributes.clone(),
        k: finding.k,
        anonymity: finding.anonymity,
    };
    Recoding {
        format: Recoding::FORMAT.to_owned(),
        attributes: attributes.collect(),
        identifiers: columns.identifiers(),
        requirement: Achieved { qids: verdict.findings.iter().map(qid).collect() },
        null: job.nulls.clone(),
    }
}

/// Values that `--unknown root` attached to a taxonomy are values of records: where the cut hides them, so must the recoding.
fn without_hidden_values(mut recoding: AttributeRecoding, given: Option<&Arc<Taxonomy>>) -> AttributeRecoding {
    let hidden = recoding.is_top();
    if let (AttributeRecoding::Generalize { taxonomy, .. }, Some(given), true) = (&mut recoding, given, hidden) {
        *taxonomy = given.as_ref().clone();
    }
    recoding
}

fn trace(steps: &[Step]) -> String {
    // A step is plain data: writing it as JSON cannot fail.
    steps.iter().map(|step| serde_json::to_string(step).unwrap_or_default() + "\n").collect()
}
