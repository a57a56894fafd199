//! A release as a folder: what may be published, what is for the steward alone, and a list of both.
//!
//! ```text
//!  out/
//!    manifest.json                 which files are ours
//!    public/   table.csv  recoding.json  report.json  report.html
//!    private/  trace.jsonl  report.json  report.html        mode 0600
//! ```

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cutline_engine::{Audience, Blame, EngineError, EngineFault, Format, Place, Target, Written};
use cutline_verify::{Recount, WrittenFile};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::staging::{Destination, Product, Staging};

/// The part of a release that may be published.
pub(crate) const PUBLIC: &str = "public";

/// The part that is for the steward alone.
pub(crate) const PRIVATE: &str = "private";

const MANIFEST: &str = "manifest.json";

/// Which files a folder of ours has: only such a folder is ever replaced.
#[derive(Serialize, Deserialize)]
struct Manifest {
    format: String,
    files: BTreeSet<String>,
}

impl Manifest {
    const FORMAT: &str = "cutline-release/1";
}

/// Has the folder exactly the files that its manifest lists, or none at all?
pub(crate) fn is_ours(folder: &Path) -> bool {
    let Some(found) = files_below(folder) else { return false };
    if found.is_empty() {
        return true;
    }
    let manifest = fs::read_to_string(folder.join(MANIFEST)).ok();
    let manifest = manifest.and_then(|text| serde_json::from_str::<Manifest>(&text).ok());
    manifest.is_some_and(|manifest| manifest.format == Manifest::FORMAT && manifest.files == found)
}

/// The paths of all files below a folder, with `/` between names; nothing if there is anything else in it.
fn files_below(folder: &Path) -> Option<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        let kind = entry.file_type().ok()?;
        match (kind.is_dir(), kind.is_file()) {
            (true, _) => files.extend(files_below(&entry.path())?.into_iter().map(|file| format!("{name}/{file}"))),
            (_, true) => files.extend([name]),
            _ => return None,
        }
    }
    Some(files)
}

/// A folder that is made aside, verified there, synced and renamed.
#[derive(Debug)]
pub struct Folder {
    staging: Staging,
}

impl Folder {
    /// May a release appear there? To be asked before a search that may be long.
    ///
    /// # Errors
    /// If something is there that may not be replaced.
    pub fn check(destination: &Destination) -> Result<(), Error> {
        destination.check(Product::Folder)
    }

    /// Starts a release that will appear at the destination.
    ///
    /// # Errors
    /// If something is there that may not be replaced, or nothing can be written beside it.
    pub fn new(destination: &Destination) -> Result<Self, Error> {
        let staging = Staging::new(destination, Product::Folder)?;
        for part in [PUBLIC, PRIVATE] {
            let path = staging.path(part);
            fs::create_dir(&path).map_err(|source| Error::Io { path: path.clone(), action: "create", source })?;
        }
        set_mode(&staging.path(PRIVATE), 0o700);
        Ok(Folder { staging })
    }

    /// Writes a small file for the steward that belongs to no release.
    pub(crate) fn write(&self, name: &str, content: &str) -> Result<(), Error> {
        self.staging.write(name, content)?;
        set_mode(&self.staging.path(name), 0o600);
        Ok(())
    }

    /// Where something in the folder is made.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.staging.path(name)
    }

    /// Lets the folder appear.
    pub(crate) fn finish(self) -> Result<(), Error> {
        for part in [PUBLIC, PRIVATE] {
            // An empty part is no part.
            let _ = fs::remove_dir(self.staging.path(part));
        }
        let mut files = files_below(&self.staging.path("")).unwrap_or_default();
        files.insert(MANIFEST.to_owned());
        let manifest = Manifest { format: Manifest::FORMAT.to_owned(), files };
        // Plain data: writing it as JSON cannot fail.
        self.staging.write(MANIFEST, &(serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n"))?;
        self.staging.publish(MANIFEST)
    }

    fn file(&self, written: &Written) -> Result<PathBuf, EngineError> {
        match &written.place {
            Place::File { location, .. } => Ok(location.clone()),
            place => Err(place.refused("a folder has files")),
        }
    }
}

impl Target for Folder {
    fn place(&self, format: Format) -> Result<Place, EngineError> {
        let location = self.staging.path(PUBLIC).join(format!("table.{}", format.extension()));
        Ok(Place::File { location, format })
    }

    fn recounted(&self, written: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        Ok(Box::new(Synced(self.file(written)?)))
    }

    fn size(&self, written: &Written) -> u64 {
        self.file(written).ok().and_then(|path| fs::metadata(path).ok()).map_or(0, |metadata| metadata.len())
    }

    fn attach(&mut self, audience: Audience, name: &str, content: &str) -> Result<(), EngineError> {
        let part = match audience {
            Audience::Public => PUBLIC,
            Audience::Private => PRIVATE,
        };
        let name = format!("{part}/{name}");
        self.staging.write(&name, content).map_err(fault)?;
        if audience == Audience::Private {
            set_mode(&self.staging.path(&name), 0o600);
        }
        Ok(())
    }

    fn publish(self: Box<Self>) -> Result<(), EngineError> {
        self.finish().map_err(fault)
    }
}

/// A written file, recounted while the operating system brings it to the disk.
pub(crate) struct Synced(pub(crate) PathBuf);

impl Recount for Synced {
    fn recount(
        &self,
        claims: &[cutline_verify::Claim],
        options: &cutline_verify::Options,
        progress: &dyn Fn(u64),
    ) -> Result<cutline_verify::Verdict, cutline_verify::VerifyError> {
        std::thread::scope(|scope| {
            let synced = scope.spawn(|| File::open(&self.0).and_then(|file| file.sync_all()));
            let verdict = WrittenFile::new(&self.0).recount(claims, options, progress);
            match synced.join() {
                Ok(Ok(())) => verdict,
                Ok(Err(source)) => Err(cutline_verify::VerifyError::Io { file: self.0.clone(), source }),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}

/// Only its owner may look at it, where files have such rights.
fn set_mode(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}

/// What went wrong with a folder, as an engine's error.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
struct FolderFault {
    error: Error,
    hint: String,
}

impl EngineFault for FolderFault {
    fn blame(&self) -> Blame {
        self.error.blame()
    }

    fn hint(&self) -> &str {
        &self.hint
    }
}

fn fault(error: Error) -> EngineError {
    let hint = error.hint().unwrap_or_else(|| "check the permissions and the free space of the disk".to_owned());
    EngineError::Fault(Box::new(FolderFault { error, hint }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &Path, force: bool) -> Destination {
        Destination { path: path.to_owned(), force }
    }

    fn published(path: &Path, force: bool) -> Result<(), Error> {
        let mut folder = Folder::new(&at(path, force))?;
        folder.attach(Audience::Public, "report.json", "{}")?;
        folder.attach(Audience::Private, "trace.jsonl", "")?;
        folder.finish()
    }

    #[test]
    fn a_release_has_two_parts_and_the_private_one_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        published(&out, false).unwrap();
        let files: Vec<String> = files_below(&out).unwrap().into_iter().collect();
        assert_eq!(files, ["manifest.json", "private/trace.jsonl", "public/report.json"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |name: &str| fs::metadata(out.join(name)).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode("private"), mode("private/trace.jsonl")), (0o700, 0o600));
            assert_ne!(mode("public/report.json") & 0o044, 0);
        }
    }

    #[test]
    fn only_what_a_manifest_lists_completely_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        published(&out, false).unwrap();
        published(&out, true).unwrap();
        fs::write(out.join("public/notes.txt"), "mine").unwrap();
        assert!(matches!(published(&out, true), Err(Error::NotOurs(_))));
        fs::remove_file(out.join("public/notes.txt")).unwrap();
        fs::remove_file(out.join("private/trace.jsonl")).unwrap();
        assert!(matches!(published(&out, true), Err(Error::NotOurs(_))), "a part is missing: whose is the rest?");
    }

    #[test]
    fn a_repository_that_holds_a_recoding_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["recoding.json", "report.json", "comparison.json"] {
            fs::write(folder.path().join(name), "{}").unwrap();
        }
        fs::create_dir(folder.path().join(".git")).unwrap();
        assert!(matches!(published(folder.path(), true), Err(Error::NotOurs(_))));
        assert!(folder.path().join(".git").exists());
    }

    #[test]
    fn an_empty_folder_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        published(&out, true).unwrap();
        assert!(out.join("public/report.json").exists());
    }
}
