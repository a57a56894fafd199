//! A folder of Parquet files that appears when it is renamed: on disks that the cluster and this machine share.

use std::fs;
use std::path::{Path, PathBuf};

use cutline_engine::{Audience, EngineError, Format, Place, Target, Written};
use cutline_remote::{Reports, ServerError};
use cutline_verify::Recount;
use uuid::Uuid;

use crate::SparkError;
use crate::engine::Spark;
use crate::rewrite::{PATH, written};

/// A folder that is made aside and renamed when it was verified; its reports go elsewhere. What is there already is never replaced.
pub struct IntoPath<'a> {
    engine: Spark,
    into: PathBuf,
    staging: PathBuf,
    reports: Reports<'a>,
}

impl<'a> IntoPath<'a> {
    /// Starts a release that will appear as a folder; `files` takes what is said of it.
    ///
    /// # Errors
    /// If something is there, or the path is one where a folder cannot be renamed in one step.
    pub fn new(engine: &Spark, into: &str, files: Option<Box<dyn Target + 'a>>) -> Result<Self, EngineError> {
        let not_atomic = || SparkError::NotAtomic(into.to_owned());
        // Object stores copy what they rename, file by file; nobody but the cluster can rename on its own file system.
        let path = PathBuf::from(into.strip_prefix("file://").unwrap_or(into));
        if into.strip_prefix("file://").unwrap_or(into).contains("://") || !path.is_absolute() {
            return Err(not_atomic().into());
        }
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Err(not_atomic().into()) };
        let prefix = format!(".cutline_staging_{}_", name.to_string_lossy());
        let staging = folder.join(format!("{prefix}{}", Uuid::new_v4().simple()));
        let target = IntoPath { engine: engine.clone(), staging, reports: Reports::new(files), into: path.clone() };
        target.check()?;
        remove_leftovers(folder, &prefix);
        Ok(target)
    }

    fn check(&self) -> Result<(), EngineError> {
        match self.into.exists() {
            true => Err(ServerError::Exists(self.into.display().to_string()).into()),
            false => Ok(()),
        }
    }

    fn rename(&self) -> Result<(), EngineError> {
        let problem = |problem: std::io::Error| SparkError::Rename {
            path: self.into.display().to_string(),
            problem: problem.to_string(),
        };
        if !self.staging.is_dir() {
            return Err(SparkError::Unseen(self.staging.display().to_string()).into());
        }
        self.check()?;
        Ok(fs::rename(&self.staging, &self.into).map_err(problem)?)
    }
}

/// Removes what killed runs into the same folder left.
fn remove_leftovers(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let left = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    left.for_each(|entry| drop(fs::remove_dir_all(entry.path())));
}

impl Target for IntoPath<'_> {
    fn place(&self, _: Format) -> Result<Place, EngineError> {
        let (system, location) = (PATH.to_owned(), self.staging.display().to_string());
        Ok(Place::Other { system, location, format: Some(Format::Parquet) })
    }

    fn recounted(&self, table: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        Ok(Box::new(self.engine.recounted_as(&written(&table.place)?)))
    }

    fn size(&self, written: &Written) -> u64 {
        written.records
    }

    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        self.reports.attach(audience, name, content)
    }

    fn publish(mut self: Box<Self>) -> Result<(), EngineError> {
        self.rename()?;
        self.reports.publish(&self.into.display().to_string())
    }
}

impl Drop for IntoPath<'_> {
    fn drop(&mut self) {
        // What cannot be removed, the next run into the same folder removes.
        let _ = fs::remove_dir_all(&self.staging);
    }
}
