//! A release from start to end, and one that exists already.

use std::path::{Path, PathBuf};

use cutline_engine::Target;
use cutline_model::{Qid, Recoding, Role};
use cutline_report::Report;
use serde::Deserialize;

use crate::counts::Counts;
use crate::draft::Draft;
use crate::error::read_text;
use crate::folder::{Folder, PRIVATE, PUBLIC};
use crate::job::Job;
use crate::staging::Product;
use crate::{Destination, Error, Observer, Table};

/// Publishes a job's table: the folder at the destination appears complete and verified, or not at all.
pub fn publish(job: &Job, table: &Table, destination: &Destination, observer: &dyn Observer) -> Result<Report, Error> {
    publish_after(job, table, destination, observer, Ok)
}

/// The same, with a look at the draft before it is published: what was learned of it can be told in its report.
pub fn publish_after(
    job: &Job,
    table: &Table,
    destination: &Destination,
    observer: &dyn Observer,
    look: impl FnOnce(Draft) -> Result<Draft, Error>,
) -> Result<Report, Error> {
    destination.check(Product::Folder)?;
    publish_to(job, table, || Ok(Box::new(Folder::new(destination)?)), observer, look)
}

/// The same for any target. It is made when there is something to publish.
pub fn publish_to<'t>(
    job: &Job,
    table: &Table,
    target: impl FnOnce() -> Result<Box<dyn Target + 't>, Error>,
    observer: &dyn Observer,
    look: impl FnOnce(Draft) -> Result<Draft, Error>,
) -> Result<Report, Error> {
    let counts = Counts::new(job, table, observer)?;
    // Before a search that may be long.
    counts.check_identifiers(job, observer)?;
    let draft = look(counts.search(job, observer)?)?;
    draft.publish(target()?, observer)
}

/// What of a public report is read back.
#[derive(Deserialize)]
struct Roles {
    #[serde(default)]
    columns: Vec<ColumnRole>,
}

#[derive(Deserialize)]
struct ColumnRole {
    name: String,
    role: Role,
}

/// A release that was published.
#[derive(Clone, Debug)]
pub struct Release {
    folder: PathBuf,
    table: PathBuf,
    recoding: Recoding,
}

impl Release {
    /// Opens a release's folder, or its public part alone.
    ///
    /// # Errors
    /// If there is no release.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let public = if path.join(PUBLIC).is_dir() { path.join(PUBLIC) } else { path.to_owned() };
        let stored = public.join("recoding.json");
        let recoding =
            Recoding::from_json(&read_text(&stored)?).map_err(|source| Error::Recoding { path: stored, source })?;
        let tables = ["csv", "parquet", "arrow", "jsonl"].map(|extension| public.join(format!("table.{extension}")));
        let table = tables.into_iter().find(|table| table.is_file());
        let table = table.ok_or_else(|| Error::NoRelease(path.to_owned()))?;
        Ok(Release { folder: path.to_owned(), table, recoding })
    }

    /// The release at a place that may as well be a table: nothing if it is no folder of a release.
    pub fn at(path: &Path) -> Option<Self> {
        Release::open(path).ok()
    }

    /// The published table.
    pub fn table(&self) -> &Path {
        &self.table
    }

    /// What it was written by.
    pub fn recoding(&self) -> &Recoding {
        &self.recoding
    }

    /// What it must satisfy, as its recoding says: everybody who has the public part knows it.
    pub fn requirement(&self) -> Vec<Qid> {
        let qids = self.recoding.requirement.qids.iter();
        qids.map(|qid| Qid { conditions: qid.conditions.clone(), ..Qid::new(qid.attributes.clone(), qid.k) }).collect()
    }

    /// The columns that its public report calls sensitive.
    pub fn sensitive(&self) -> Vec<String> {
        let report = self.table.with_file_name("report.json");
        let report = std::fs::read_to_string(report).ok().and_then(|text| serde_json::from_str::<Roles>(&text).ok());
        let columns = report.into_iter().flat_map(|report| report.columns);
        columns.filter(|column| column.role == Role::Sensitive).map(|column| column.name).collect()
    }

    /// The full report, if the steward's part is there.
    pub fn private_report(&self) -> Option<PathBuf> {
        Some(self.folder.join(PRIVATE).join("report.json")).filter(|path| path.is_file())
    }
}
