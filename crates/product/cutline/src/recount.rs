//! A written table is read back and counted, with code that shares nothing with what wrote it.

use std::cell::Cell;

use cutline_engine::{Format, Place, Written};
use cutline_model::Qid;
use cutline_verify::{Claim, Finding, Verdict};

use crate::{Error, Observer, Stage};

/// Reads a written file back, while the operating system brings it to the disk.
pub(crate) fn recount(
    written: &Written,
    (qids, nulls): (&[Qid], &[String]),
    observer: &dyn Observer,
) -> Result<Verdict, Error> {
    let Place::File { location, format } = &written.place else {
        return Err(Error::Defect("nobody can recount a table of a server yet".to_owned()));
    };
    let path = std::path::Path::new(location);
    let bytes = std::fs::metadata(path).map(|metadata| metadata.len()).unwrap_or(0);
    observer.stage(Stage::Verify, Some(bytes));
    let done = Cell::new(0);
    // The verifier counts records; observers are told bytes.
    let progress = |records: u64| {
        let now = (bytes as f64 * records as f64 / written.records.max(1) as f64) as u64;
        observer.advance(now.saturating_sub(done.replace(now)));
    };
    let claims = qids.iter().map(claim).collect::<Result<Vec<Claim>, Error>>()?;
    let options = cutline_verify::Options {
        format: Some(file_format(*format)),
        delimiter: written.delimiter,
        nulls: nulls.to_vec(),
        sensitive: sensitive(qids),
        union: qids.len() > 1,
        ..Default::default()
    };
    let io = |source| Error::Io { path: path.to_owned(), action: "write", source };
    let verdict = std::thread::scope(|scope| {
        let synced = scope.spawn(|| std::fs::File::open(path).and_then(|file| file.sync_all()));
        let verdict = cutline_verify::verify(path, &claims, &options, &progress);
        match synced.join() {
            Ok(synced) => synced.map_err(io).and(Ok(verdict?)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    if verdict.records != written.records {
        return Err(Error::Defect(format!("{} records were written, {} read back", written.records, verdict.records)));
    }
    Ok(verdict)
}

fn file_format(format: Format) -> cutline_verify::Format {
    match format {
        Format::Csv => cutline_verify::Format::Csv,
        Format::Parquet => cutline_verify::Format::Parquet,
        Format::Arrow => cutline_verify::Format::Arrow,
        Format::JsonLines => cutline_verify::Format::JsonLines,
    }
}

/// What a recount says against a table, if it says anything.
pub(crate) fn failure(verdict: &Verdict) -> Option<String> {
    verdict.findings.iter().find(|finding| !finding.holds()).map(broken)
}

fn broken(finding: &Finding) -> String {
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
fn claim(qid: &Qid) -> Result<Claim, Error> {
    let conditions = qid.conditions.iter().map(|condition| condition.to_string().parse());
    Ok(Claim { conditions: conditions.collect::<Result<_, _>>()?, ..Claim::new(qid.attributes.clone(), qid.k) })
}
