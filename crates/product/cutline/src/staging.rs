//! Complete or not at all: output is made aside and moved into place in one step.
//!
//! A release is written into a hidden folder beside its destination, verified there, synced, and renamed. Whatever happens
//! before the rename, the destination is untouched. A killed process leaves its hidden folder behind; the next run for the
//! same destination removes it (a live process holds a lock on its own).
//!
//! ```text
//!  .NAME.cutline-XXXXXX     only its owner may look inside; locked
//!  ├── made-by-cutline      only folders with this file are removed, whatever their name
//!  └── product              becomes NAME
//! ```

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::{Error, folder};

/// Where a release shall appear.
#[derive(Clone, Debug)]
pub struct Destination {
    /// The folder or file.
    pub path: PathBuf,
    /// Replace a release that is there already?
    pub force: bool,
}

/// What is made aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Product {
    /// A release: a folder with several files.
    Folder,
    /// A single table.
    File,
}

impl Destination {
    /// May something appear here? Asked before any work is done, and decided again by the rename itself.
    pub(crate) fn check(&self, product: Product) -> Result<(), Error> {
        let Ok(existing) = fs::symlink_metadata(&self.path) else { return Ok(()) };
        if !self.force {
            return Err(Error::Exists(self.path.clone()));
        }
        let ours = match product {
            Product::Folder => existing.is_dir() && folder::is_ours(&self.path),
            Product::File => existing.is_file(),
        };
        if ours { Ok(()) } else { Err(Error::NotOurs(self.path.clone())) }
    }
}

/// The file that says that a hidden folder is ours.
const MARKER: &str = "made-by-cutline";

/// What is in the making, within the hidden folder.
const PRODUCT: &str = "product";

/// A hidden folder that only its owner may look into, removed on drop.
#[derive(Debug)]
pub(crate) struct Hidden {
    folder: PathBuf,
    /// Locked while this process lives.
    _lock: File,
}

impl Hidden {
    fn new(parent: &Path, prefix: &str) -> Result<Self, Error> {
        remove_abandoned(parent, prefix);
        let (folder, lock) = locked_folder(parent, prefix)?;
        Ok(Hidden { folder, _lock: lock })
    }

    /// One for what will appear at no path.
    pub(crate) fn temporary() -> Result<Self, Error> {
        Hidden::new(&std::env::temp_dir(), ".stream.cutline-")
    }

    /// A path in what is made.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(PRODUCT).join(name)
    }
}

/// A hidden folder beside the destination. Removed on drop, after what was published has left it.
#[derive(Debug)]
pub(crate) struct Staging {
    hidden: Hidden,
    destination: Destination,
    product: Product,
}

impl Staging {
    pub(crate) fn new(destination: &Destination, product: Product) -> Result<Self, Error> {
        destination.check(product)?;
        let name = destination.path.file_name().ok_or_else(|| Error::NotOurs(destination.path.clone()))?;
        let parent = parent(&destination.path);
        fs::create_dir_all(parent).map_err(|source| io(parent, "create", source))?;
        let prefix = format!(".{}.cutline-", name.to_string_lossy());
        Ok(Staging { hidden: Hidden::new(parent, &prefix)?, destination: destination.clone(), product })
    }

    /// A path in what is made.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.hidden.path(name)
    }

    /// Writes a small file and makes sure it is on the disk.
    pub(crate) fn write(&self, name: &str, content: &str) -> Result<(), Error> {
        use std::io::Write;
        let path = self.path(name);
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(content.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|source| io(&path, "write", source))
    }

    /// Moves the product into place: the whole folder, or the one file named `name`.
    pub(crate) fn publish(self, name: &str) -> Result<(), Error> {
        let target = &self.destination.path;
        let folder = self.hidden.folder.join(PRODUCT);
        sync_folder(&folder);
        let product = match self.product {
            Product::Folder => folder,
            Product::File => self.path(name),
        };
        self.put(|| self.moved(&product))?;
        sync_folder(parent(target));
        Ok(())
        // Dropping removes what is left at the hidden place: nothing, or the release that was replaced.
    }

    /// Has the product moved. What somebody else published meanwhile is replaced, if what was there before would have been.
    fn put(&self, mut moved: impl FnMut() -> std::io::Result<()>) -> Result<(), Error> {
        let target = &self.destination.path;
        self.destination.check(self.product)?;
        let mut result = moved();
        if self.destination.force && result.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
            self.destination.check(self.product)?;
            result = moved();
        }
        result.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => Error::Exists(target.clone()),
            _ => io(target, "move the release to", source),
        })
    }

    fn moved(&self, product: &Path) -> std::io::Result<()> {
        let target = &self.destination.path;
        match (fs::symlink_metadata(target).is_ok(), self.product) {
            (false, _) => rename::into_nothing(product, target),
            (true, Product::File) => fs::rename(product, target),
            (true, Product::Folder) => rename::exchange(product, target),
        }
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = remove(&self.folder);
    }
}

/// Removes a hidden folder. Its marker goes last: whoever is killed meanwhile leaves a folder that the next run knows as ours.
fn remove(folder: &Path) -> std::io::Result<()> {
    let product = folder.join(PRODUCT);
    if product.exists() {
        fs::remove_dir_all(product)?;
    }
    fs::remove_dir_all(folder)
}

/// A hidden folder that nobody takes for an abandoned one.
///
/// Between the making of a folder and its lock, another run may think that nobody owns it, and remove it: then another one is made.
fn locked_folder(parent: &Path, prefix: &str) -> Result<(PathBuf, File), Error> {
    const TRIES: usize = 100;
    for _ in 0..TRIES {
        let folder = private_folder(parent, prefix).map_err(|source| io(parent, "write in", source))?;
        let Ok(lock) = File::open(&folder) else { continue };
        // Where folders cannot be locked, abandoned ones are not recognized and stay; nothing else is lost.
        if !matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)) && folder.exists() {
            let furnish = || {
                File::create(folder.join(MARKER))?;
                fs::create_dir(folder.join(PRODUCT))
            };
            furnish().map_err(|source| io(&folder, "write in", source))?;
            return Ok((folder, lock));
        }
    }
    Err(io(parent, "write in", std::io::Error::other("somebody removes what is made here")))
}

/// A new folder that only its owner may look at: what is made in it is not verified yet.
fn private_folder(parent: &Path, prefix: &str) -> std::io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    Ok(builder.tempdir_in(parent)?.keep())
}

/// Writes a text file: it appears complete, or not at all. An existing file is replaced only by force.
pub fn write_text(destination: &Destination, text: &str) -> Result<(), Error> {
    const NAME: &str = "text";
    let staging = Staging::new(destination, Product::File)?;
    staging.write(NAME, text)?;
    staging.publish(NAME)
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn io(path: &Path, action: &'static str, source: std::io::Error) -> Error {
    Error::Io { path: path.to_owned(), action, source }
}

/// Not every file system can sync a folder; those that cannot have nothing to lose.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Removes hidden folders of processes that were killed.
fn remove_abandoned(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(prefix) && entry.path().is_dir();
        let Some(folder) = ours.then(|| File::open(entry.path()).ok()).flatten() else { continue };
        // The lock is held until the folder is gone: nobody who makes it at this moment can believe that it is theirs.
        if folder.try_lock().is_err() {
            continue;
        }
        let _ = match entry.path().join(MARKER).exists() {
            true => remove(&entry.path()),
            // Perhaps somebody was killed before there was a marker; perhaps it is not ours, and has something in it.
            false => fs::remove_dir(entry.path()),
        };
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod rename {
    use std::io;
    use std::path::Path;

    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    /// Renames, unless something is there.
    pub(super) fn into_nothing(from: &Path, to: &Path) -> io::Result<()> {
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => super::rename_if_free(from, to),
            result => result.map_err(io::Error::from),
        }
    }

    /// Swaps two folders in one step.
    pub(super) fn exchange(from: &Path, to: &Path) -> io::Result<()> {
        match renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => super::swap_in_two_steps(from, to),
            result => result.map_err(io::Error::from),
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod rename {
    pub(super) use super::{rename_if_free as into_nothing, swap_in_two_steps as exchange};
}

/// For file systems that cannot rename conditionally.
fn rename_if_free(from: &Path, to: &Path) -> std::io::Result<()> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(std::io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

/// For file systems that cannot exchange: the old release is put aside first, and put back if the new one cannot be moved.
fn swap_in_two_steps(from: &Path, to: &Path) -> std::io::Result<()> {
    let aside = from.with_extension("replaced");
    fs::rename(to, &aside)?;
    if let Err(error) = fs::rename(from, to) {
        fs::rename(&aside, to)?;
        return Err(error);
    }
    fs::remove_dir_all(&aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staged(path: &Path, force: bool) -> Result<Staging, Error> {
        let staging = Staging::new(&Destination { path: path.to_owned(), force }, Product::Folder)?;
        staging.write("a.json", "{}")?;
        Ok(staging)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_release_appears_complete_and_alone() {
        let folder = tempfile::tempdir().unwrap();
        let staging = staged(&folder.path().join("deep/out"), false).unwrap();
        assert!(!folder.path().join("deep/out").exists());
        staging.publish("").unwrap();
        assert_eq!(names(&folder.path().join("deep")), ["out"]);
        assert_eq!(names(&folder.path().join("deep/out")), ["a.json"]);
    }

    #[test]
    fn a_release_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(staged(&folder.path().join("out"), false).unwrap());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn an_existing_folder_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        assert!(matches!(staged(&out, false), Err(Error::Exists(_))));
        staged(&out, true).unwrap().publish("").unwrap();
        assert!(out.join("a.json").exists());
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn a_destination_that_appears_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let staging = staged(&out, false).unwrap();
        fs::create_dir(&out).unwrap();
        assert!(matches!(staging.publish(""), Err(Error::Exists(_))));
        assert!(names(&out).is_empty());
    }

    #[test]
    fn force_replaces_what_somebody_published_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        // Nothing was there when it was looked, and something when it was moved.
        let meanwhile = |staging: &Staging| {
            let mut first = true;
            staging.put(|| {
                if std::mem::take(&mut first) {
                    fs::create_dir(&out)?;
                    return Err(ErrorKind::AlreadyExists.into());
                }
                staging.moved(&staging.hidden.folder.join(PRODUCT))
            })
        };
        assert!(matches!(meanwhile(&staged(&out, false).unwrap()), Err(Error::Exists(_))));
        fs::remove_dir(&out).unwrap();
        meanwhile(&staged(&out, true).unwrap()).unwrap();
        assert_eq!((names(&out), names(folder.path())), (vec!["a.json".to_owned()], vec!["out".to_owned()]));
    }

    #[test]
    fn folders_that_are_no_release_are_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("diary.txt"), "dear diary").unwrap();
        assert!(matches!(staged(folder.path(), true), Err(Error::NotOurs(_))));
        assert!(folder.path().join("diary.txt").exists());
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_a_live_one_has_is_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".out.cutline-dead")).unwrap();
        let killed = staged(&folder.path().join("out"), false).unwrap();
        killed.hidden._lock.unlock().unwrap();
        let live = staged(&folder.path().join("out"), false).unwrap();
        let second = staged(&folder.path().join("out"), false).unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        assert!(live.path("").exists() && second.path("").exists());
    }

    #[test]
    fn folders_that_only_look_like_ours_by_name_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join(".out.cutline-notes");
        fs::create_dir(&notes).unwrap();
        fs::write(notes.join("diary.txt"), "dear diary").unwrap();
        staged(&folder.path().join("out"), false).unwrap().publish("").unwrap();
        assert!(notes.join("diary.txt").exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_sees_what_is_in_the_making() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::create_dir(folder.path().join("usual")).unwrap();
        let staging = staged(&out, false).unwrap();
        assert_eq!(mode(&staging.hidden.folder), 0o700);
        staging.publish("").unwrap();
        assert_eq!(mode(&out), mode(&folder.path().join("usual")));
    }

    #[test]
    fn many_runs_for_one_destination_do_not_take_each_others_folders() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        std::thread::scope(|scope| {
            let run = || (0..50).all(|_| staged(&out, false).is_ok_and(|staging| staging.path("a.json").exists()));
            let runs: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
            assert!(runs.into_iter().all(|run| run.join().unwrap()));
        });
        assert!(names(folder.path()).is_empty());
    }
}
