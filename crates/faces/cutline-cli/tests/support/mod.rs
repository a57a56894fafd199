//! Runs the command as a user would.

use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder of its own, and the command run in it.
pub(crate) struct Desk {
    folder: TempDir,
}

#[allow(dead_code)]
impl Desk {
    pub(crate) fn new() -> Self {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    /// A desk with one file on it.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let desk = Desk::new();
        desk.write(name, content);
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn command(&self) -> Command {
        // Long runs of the fuzzer use a fast one.
        let built = || env!("CARGO_BIN_EXE_cutline").into();
        let mut command = Command::new(std::env::var_os("CUTLINE_BINARY").unwrap_or_else(built));
        command.current_dir(self.folder.path());
        command
    }

    /// A shell script, run on the desk.
    pub(crate) fn command_in_shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.current_dir(self.folder.path()).arg("-c").arg(script);
        command
    }

    /// Runs `cutline` with arguments separated by blanks.
    pub(crate) fn run(&self, arguments: &str) -> Output {
        self.command().args(arguments.split_whitespace()).output().unwrap()
    }

    /// Runs it and expects success; gives its standard output.
    pub(crate) fn ok(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cutline {arguments}: {:?}\n{errors}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    /// All names on the desk, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// The files of a release that are the same whenever it is made.
#[allow(dead_code)]
pub(crate) const SETTLED: [&str; 5] =
    ["public/table.csv", "public/recoding.json", "public/report.json", "public/report.html", "private/trace.jsonl"];

/// The repository. Asked when the test runs: in a target folder that clones share, a test may have been built in another one.
#[allow(dead_code)]
pub(crate) fn root() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo tells it")).join("../../..")
}

#[allow(dead_code)]
pub(crate) fn dataset(name: &str) -> String {
    root().join("datasets").join(name).canonicalize().unwrap().display().to_string()
}

/// The commands of a page of the guide, without their name, as somebody would type them.
#[allow(dead_code)]
pub(crate) fn tour(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs").join(page)).unwrap().replace("\\\n", "");
    let commands: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("$ cutline ")).map(str::to_owned).collect();
    assert!(commands.len() > 3, "{page} has no tour");
    commands
}
