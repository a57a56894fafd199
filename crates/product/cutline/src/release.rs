//! A release from start to end, and one that exists already.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use cutline_arrow::source::SourceOptions;
use cutline_model::{Qid, Recoding, Role};
use cutline_report::{PublicReport, Report};
use cutline_verify::{Absent, Options, Verdict};

use crate::columns::names_of;
use crate::draft::Draft;
use crate::error::read_text;
use crate::folder::{Folder, PRIVATE, PUBLIC};
use crate::job::{Job, cores};
use crate::recount::Claimed;
use crate::{Destination, Error, Observer, Stage, Table};

/// Publishes a job's table: the folder at the destination appears complete and verified, or not at all.
pub fn publish(job: &Job, table: &Table, destination: &Destination, observer: &dyn Observer) -> Result<Report, Error> {
    Folder::check(destination)?;
    let draft = Draft::new(job, table, observer)?;
    draft.publish(Box::new(Folder::new(destination)?), observer)
}

/// In the public part for everybody; in the private one, if there is more of it for the steward.
pub(crate) const RECODING: &str = "recoding.json";
const REPORT: &str = "report.json";

/// A line of names that is longer is not looked at.
const LONGEST_HEADER: u64 = 1 << 24;

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
        let public = public_part(path);
        let stored = public.join(RECODING);
        if path.exists() && !stored.exists() {
            return Err(Error::NoRelease(path.to_owned()));
        }
        let whole = path.join(PRIVATE).join(RECODING);
        let stored = if whole.is_file() { whole } else { stored };
        let recoding =
            Recoding::from_json(&read_text(&stored)?).map_err(|source| Error::Recoding { path: stored, source })?;
        let tables = ["csv", "parquet", "arrow", "jsonl"].map(|extension| public.join(format!("table.{extension}")));
        let table = tables.into_iter().find(|table| table.is_file());
        let table = table.ok_or_else(|| Error::NoRelease(path.to_owned()))?;
        Ok(Release { folder: path.to_owned(), table, recoding })
    }

    /// The release at a place that may as well be a table: nothing if there is no recoding, or no table that belongs to one.
    ///
    /// # Errors
    /// If something is wrong with the recoding.
    pub fn at(path: &Path) -> Result<Option<Self>, Error> {
        match public_part(path).join(RECODING).is_file().then(|| Release::open(path)) {
            None | Some(Err(Error::NoRelease(_))) => Ok(None),
            Some(release) => release.map(Some),
        }
    }

    /// The published table.
    pub fn table(&self) -> &Path {
        &self.table
    }

    /// What separates the fields of its table, if that is text: with it, the table has the columns that the recoding names. What looks
    /// like a delimiter may be part of a name, and any character may be one.
    pub fn delimiter(&self) -> Option<u8> {
        let columns =
            self.recoding.columns.as_ref().filter(|_| self.table.extension().is_some_and(|end| end == "csv"))?;
        let file = std::fs::File::open(&self.table).ok()?;
        let mut line = Vec::new();
        BufReader::new(file).take(LONGEST_HEADER).read_until(b'\n', &mut line).ok()?;
        let present = (1..=127).filter(|byte| line.contains(byte));
        // A comma separates, even if there is nothing to separate.
        [b',', b';', b'\t'].into_iter().chain(present).find(|&delimiter| {
            let options = SourceOptions { delimiter: Some(delimiter), header: Some(true), ..SourceOptions::default() };
            let table = Table::open(&self.table.to_string_lossy(), &options, 1);
            // Clusters are a further column.
            table.is_ok_and(|table| names_of(&table).starts_with(columns))
        })
    }

    /// Its table, read as it was written.
    pub fn open_table(&self) -> Result<Table, Error> {
        let options = SourceOptions { delimiter: self.delimiter(), header: Some(true), ..SourceOptions::default() };
        Table::open(&self.table.to_string_lossy(), &options, cores())
    }

    /// What it was written by.
    pub fn recoding(&self) -> &Recoding {
        &self.recoding
    }

    /// What it must satisfy, as its recoding says: everybody who has the public part knows it.
    pub fn requirement(&self) -> Vec<Qid> {
        self.recoding.requirement.promised().collect()
    }

    /// What it tells everybody of itself, if the report is there.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn public_report(&self) -> Result<Option<PublicReport>, Error> {
        let path = self.table.with_file_name(REPORT);
        if !path.is_file() {
            return Ok(None);
        }
        let report = PublicReport::from_json(&read_text(&path)?);
        report.map(Some).map_err(|message| Error::Report { path, message })
    }

    /// The columns that its public report calls sensitive.
    ///
    /// # Errors
    /// If there is a report that cannot be read.
    pub fn sensitive(&self) -> Result<Vec<String>, Error> {
        let columns = self.public_report()?.map(|report| report.columns().to_vec()).unwrap_or_default();
        let sensitive = columns.into_iter().filter(|column| column.role == Role::Sensitive);
        Ok(sensitive.map(|column| column.name).collect())
    }

    /// The column that says which person a record is about, if k counts persons and the table has it.
    pub fn published_person(&self) -> Option<&str> {
        let published = |name: &&str| {
            self.recoding.columns.as_ref().is_some_and(|columns| columns.iter().any(|other| other == name))
        };
        self.recoding.requirement.person.as_deref().filter(published)
    }

    /// Recounts the published table against what the release says that it satisfies.
    ///
    /// # Errors
    /// If the table cannot be read. One that violates its requirement is no error: see [`Verdict::holds`].
    pub fn verify(&self, observer: &dyn Observer) -> Result<Verdict, Error> {
        let requirement = self.requirement();
        let claimed = Claimed {
            qids: &requirement,
            nulls: &self.recoding.null,
            sensitive: self.sensitive()?,
            absent: Absent::Allow,
            threads: cores(),
            person: self.published_person(),
            population: None,
            notation: Default::default(),
        };
        observer.stage(Stage::Verify, None);
        let options = Options { delimiter: self.delimiter(), ..claimed.options() };
        Ok(cutline_verify::verify(&self.table, &claimed.claims()?, &options, &|_| {})?)
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file of the steward's part, if it is there.
    pub(crate) fn private_file(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.join(PRIVATE).join(name)).filter(|path| path.is_file())
    }

    /// The full report, if the steward's part is there.
    pub fn private_report(&self) -> Option<PathBuf> {
        self.private_file(REPORT)
    }
}

/// The part of a release that everybody may see: a folder in it, or all that is there.
fn public_part(path: &Path) -> PathBuf {
    let public = path.join(PUBLIC);
    if public.is_dir() { public } else { path.to_owned() }
}
