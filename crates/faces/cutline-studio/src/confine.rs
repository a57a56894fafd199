//! Which files may be read and written: those in one folder, and what the user named when the studio was started.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::path::{Component, Path, PathBuf};

use cutline::engine::InputFormat;
use cutline::model::Classification;
use cutline::spec::Spec;
use cutline::{Error, Release};

use crate::fault::Fault;
use crate::open;

/// The folder that the studio works in, and what it was started for.
#[derive(Debug)]
pub struct Confines {
    /// The folder as the user would write it.
    shown: PathBuf,
    /// The same without links.
    root: PathBuf,
    /// A folder of the studio's own, for files that were dropped onto the page.
    dropped: Option<PathBuf>,
    /// What was named, if anything was, and how it is read.
    opening: Option<String>,
    reading: Spec,
    /// Locations outside of the folder that the user named: the argument, and the files of a spec that it is.
    named: Vec<String>,
}

/// Folders that are listed have so many levels at most.
const LEVELS: usize = 3;

/// So many files are listed at most.
const MOST_FILES: usize = 500;

impl Confines {
    /// What a user names: a table (a file or an address), a spec, a release, or nothing, which is the present folder. `reading` says how
    /// a table is read.
    ///
    /// # Errors
    /// If a spec or a release cannot be read, or its folder is not there.
    pub fn of(opening: Option<&str>, reading: Spec) -> Result<Self, Error> {
        let shown = opening.filter(|location| !is_address(location)).map(folder_of).unwrap_or_default();
        let folder = if shown.as_os_str().is_empty() { Path::new(".") } else { &shown };
        let root =
            folder.canonicalize().map_err(|source| Error::Io { path: folder.to_owned(), action: "open", source })?;
        let mut named: Vec<String> = opening.map(str::to_owned).into_iter().collect();
        if let Some(spec) = opening.map(open::spec_at).transpose()?.flatten() {
            if reading != Spec::default() {
                return Err(Error::Contradiction {
                    what: "a spec says itself how its table is read".to_owned(),
                    hint: "say it in the spec, or name the table".to_owned(),
                });
            }
            named.extend(files_of(&spec));
        }
        Ok(Confines { shown, root, dropped: None, opening: opening.map(str::to_owned), reading, named })
    }

    /// Admits files of a folder that the studio made.
    pub(crate) fn with_dropped(self, folder: &Path) -> std::io::Result<Self> {
        Ok(Confines { dropped: Some(folder.canonicalize()?), ..self })
    }

    pub(crate) fn opening(&self) -> Option<&str> {
        self.opening.as_deref()
    }

    /// A spec that says no more of a table than how to read it: the one that was named, as it was said.
    pub(crate) fn reading(&self, path: String) -> Spec {
        let mut spec = if self.opening() == Some(&path) { self.reading.clone() } else { Spec::default() };
        spec.input.path = Some(path);
        spec
    }

    /// The folder, for people.
    pub(crate) fn folder(&self) -> String {
        self.root.display().to_string()
    }

    /// A path that exists and may be read.
    pub(crate) fn admit(&self, path: &str) -> Result<(), Fault> {
        if self.named.iter().any(|named| named == path) || self.holds_all(Path::new(path)) {
            Ok(())
        } else {
            Err(Fault::outside(path))
        }
    }

    /// May everything be read that a spec names?
    pub(crate) fn admit_spec(&self, spec: &Spec) -> Result<(), Fault> {
        files_of(spec).iter().try_for_each(|path| self.admit(path))
    }

    /// Where something new may be written: directly in the folder, under a plain name.
    pub(crate) fn place(&self, name: &str) -> Result<PathBuf, Fault> {
        if is_plain(name) { Ok(self.shown.join(name)) } else { Err(Fault::outside(name)) }
    }

    /// Is it in the folder, wherever links lead?
    fn holds(&self, path: &Path) -> bool {
        let inside =
            |path: PathBuf| std::iter::once(&self.root).chain(&self.dropped).any(|root| path.starts_with(root));
        path.canonicalize().is_ok_and(inside)
    }

    /// Is it in the folder, and what is in it, if it is a folder itself? Links to folders are not followed: they may lead in circles.
    fn holds_all(&self, path: &Path) -> bool {
        let below = |entry: std::io::Result<DirEntry>| {
            entry.is_ok_and(|entry| {
                let path = entry.path();
                if path.is_symlink() { self.holds(&path) && !path.is_dir() } else { self.holds_all(&path) }
            })
        };
        self.holds(path) && (!path.is_dir() || path.read_dir().is_ok_and(|mut entries| entries.all(below)))
    }

    /// Files that could be opened, as the user would write them.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.list(&self.shown.clone(), LEVELS, &mut found);
        found.sort();
        found
    }

    fn list(&self, folder: &Path, levels: usize, found: &mut Vec<String>) {
        let at = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = at.read_dir() else { return };
        for entry in entries.flatten().filter(|entry| !is_hidden(&entry.file_name())) {
            let path = folder.join(entry.file_name());
            if found.len() >= MOST_FILES || !self.holds(&path) {
                continue;
            }
            let is_folder = path.is_dir();
            if is_folder && is_release(&path) || !is_folder && could_be_opened(&path) {
                found.extend(path.to_str().map(str::to_owned));
            } else if is_folder && levels > 1 && entry.file_name() != "target" {
                self.list(&path, levels - 1, found);
            }
        }
    }
}

/// Is it where a server is, rather than a file?
pub(crate) fn is_address(location: &str) -> bool {
    location.contains("://")
}

/// The folder of what somebody named; of a pattern, the part before it.
fn folder_of(location: &str) -> PathBuf {
    let plain = location.split(['*', '?', '[']).next().unwrap_or_default();
    let cut = if plain.len() == location.len() { location } else { plain };
    let parent =
        if cut.ends_with('/') && cut.len() < location.len() { Some(Path::new(cut)) } else { Path::new(cut).parent() };
    parent.map(Path::to_owned).unwrap_or_default()
}

fn files_of(spec: &Spec) -> Vec<String> {
    let is_file = |path: &&Path| path.to_str().and_then(Classification::of).is_none();
    let taxonomies = spec.attributes.values().filter_map(|attribute| attribute.taxonomy.as_deref()).filter(is_file);
    let keys = spec.output.shuffle_key.as_deref().into_iter().chain(spec.output.token_key.as_deref());
    let paths = taxonomies.chain(keys).map(|path| path.to_string_lossy().into_owned());
    spec.input.path.iter().cloned().chain(paths).collect()
}

/// Is it the name of something directly in a folder?
pub(crate) fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(part)), None) => !is_hidden(part) && !name.contains(['/', '\\', '\0']),
        _ => false,
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn is_release(path: &Path) -> bool {
    Release::at(path).is_ok_and(|release| release.is_some())
}

/// Tables, specs and taxonomies by their names.
fn could_be_opened(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    // What is written as one value, `package.json` for example, is rarely a table.
    name.ends_with(".toml") || InputFormat::by_extension(&name).is_some() && !name.ends_with(".json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_admitted() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("work");
        std::fs::create_dir(&folder).unwrap();
        for name in ["work/t.csv", "secret.csv"] {
            std::fs::write(outer.path().join(name), "a\n1\n").unwrap();
        }
        let at = |name: &str| folder.join(name).display().to_string();
        let confines = Confines::of(Some(&at("t.csv")), Spec::default()).unwrap();
        assert!(confines.admit(&at("t.csv")).is_ok());
        for path in [at("../secret.csv"), at("nothing.csv"), "/etc/passwd".to_owned(), String::new()] {
            assert!(confines.admit(&path).is_err(), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret.csv"), folder.join("link.csv")).unwrap();
            assert!(confines.admit(&at("link.csv")).is_err());
            assert_eq!(confines.files(), [at("t.csv")]);
            // A folder is opened with all that is in it.
            std::fs::create_dir_all(folder.join("parts/2024")).unwrap();
            std::fs::write(folder.join("parts/2024/a.csv"), "a\n1\n").unwrap();
            assert!(confines.admit(&at("parts")).is_ok());
            std::os::unix::fs::symlink(outer.path().join("secret.csv"), folder.join("parts/2024/b.csv")).unwrap();
            assert!(confines.admit(&at("parts")).is_err() && confines.admit(&at("parts/2024")).is_err());
        }
    }

    #[test]
    fn new_things_are_made_in_the_folder_alone() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("t.csv");
        std::fs::write(&table, "a\n1\n").unwrap();
        let confines = Confines::of(table.to_str(), Spec::default()).unwrap();
        assert_eq!(confines.place("published").unwrap(), folder.path().join("published"));
        for name in ["../x", "/x", "a/b", "a\\b", ".hidden", "..", ".", "", "a\0b"] {
            assert!(confines.place(name).is_err(), "{name}");
        }
    }

    #[test]
    fn tables_of_every_format_and_specs_are_listed() {
        for name in [
            "a.csv",
            "a.tsv.gz",
            "A.CSV.xz",
            "a.parquet",
            "a.feather",
            "a.jsonl.zst",
            "a.xlsx",
            "a.ods",
            "a.arff",
            "r.toml",
        ] {
            assert!(could_be_opened(Path::new(name)), "{name}");
        }
        for name in ["package.json", "notes.md", "a.csv.bak", ".csv", "script.py"] {
            assert!(!could_be_opened(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn the_folder_of_a_pattern_is_before_it() {
        assert_eq!(folder_of("data/t.csv"), Path::new("data"));
        assert_eq!(folder_of("t.csv"), Path::new(""));
        assert_eq!(folder_of("data/part-*.csv"), Path::new("data"));
        assert_eq!(folder_of("data/*.csv"), Path::new("data/"));
    }

    #[test]
    fn what_a_named_spec_names_is_admitted() {
        let outer = tempfile::tempdir().unwrap();
        std::fs::create_dir(outer.path().join("specs")).unwrap();
        std::fs::write(outer.path().join("t.csv"), "a\n1\n").unwrap();
        let spec = outer.path().join("specs/release.toml");
        std::fs::write(&spec, "[input]\npath = \"../t.csv\"\n").unwrap();
        let confines = Confines::of(spec.to_str(), Spec::default()).unwrap();
        let named = outer.path().join("specs/../t.csv").display().to_string();
        assert!(confines.admit(&named).is_ok());
        assert!(confines.admit(&outer.path().join("t.csv").display().to_string()).is_err());
    }
}
