//! Runs the tests of the Python package on the extension module that was built beside this program: nothing is compiled twice.
//!
//! Needs the environment that `scripts/setup-tests.sh` makes. The module and its Python files are put together in a temporary folder
//! by links, as a wheel would have them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment's Python, if it is there. In CI it must be.
fn python() -> Option<PathBuf> {
    let usual = || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cache/cutline");
    let cache = std::env::var_os("CUTLINE_CACHE").map(PathBuf::from).unwrap_or_else(usual);
    let python = cache.join("python-package/bin/python");
    if python.is_file() {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "no Python for the package: run scripts/setup-tests.sh");
    eprintln!("SKIPPED: all tests of the Python package; scripts/setup-tests.sh sets them up (Python 3.9 or newer)");
    None
}

/// The folder of what cargo built.
fn built() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.ancestors().nth(2).unwrap().to_owned()
}

/// The extension module as cargo names it here.
fn module() -> PathBuf {
    let name = format!("{}_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let found = [built().join("deps").join(&name), built().join(&name)].into_iter().find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("cargo did not build {name}"))
}

/// The package as a wheel has it.
fn installed(folder: &Path) {
    let package = folder.join("cutline");
    fs::create_dir(&package).unwrap();
    for file in fs::read_dir(manifest().join("python/cutline")).unwrap() {
        let file = file.unwrap();
        if file.path().is_file() {
            fs::copy(file.path(), package.join(file.file_name())).unwrap();
        }
    }
    let extension = if cfg!(windows) { "_native.pyd" } else { "_native.abi3.so" };
    fs::copy(module(), package.join(extension)).unwrap();
}

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_python_package_passes_its_tests() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    installed(folder.path());
    let status = Command::new(python)
        .args(["-m", "pytest", "--rootdir"])
        .arg(manifest())
        .arg("-c")
        .arg(manifest().join("pyproject.toml"))
        .args(["--doctest-modules", "--pyargs", "cutline"])
        .arg(manifest().join("tests"))
        .args(std::env::var("CUTLINE_PYTEST").iter().flat_map(|more| more.split_whitespace()))
        .env("PYTHONPATH", folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("CUTLINE_COMMAND", built().join(format!("cutline{}", std::env::consts::EXE_SUFFIX)))
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success(), "the tests of the Python package fail: see above");
}
