//! Servers that are on this machine: SQLite and DuckDB in Python, PostgreSQL as a cluster of the test's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Desk, root};

/// A server that can run a script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Server {
    Sqlite,
    DuckDb,
    Postgres,
}

/// What became of a script.
#[derive(Debug, PartialEq)]
pub(crate) enum Ran {
    /// The lines of the table that it made, sorted, without the header.
    Published(Vec<String>),
    /// It failed and left nothing.
    Refused(String),
}

impl Server {
    pub(crate) fn dialect(self) -> &'static str {
        match self {
            Server::Sqlite => "sqlite",
            Server::DuckDb => "duckdb",
            Server::Postgres => "postgres",
        }
    }

    /// Is it here? In CI it must be.
    pub(crate) fn is_here(self) -> bool {
        let here = match self {
            Server::Sqlite | Server::DuckDb => python().is_file(),
            Server::Postgres => postgres_programs().is_some(),
        };
        if !here {
            assert!(std::env::var_os("CI").is_none(), "{self:?} is not here: run scripts/setup-tests.sh");
            eprintln!("SKIPPED: {self:?} is not here; scripts/setup-tests.sh sets it up");
        }
        here
    }

    /// Loads `table.csv` of the desk as the table `patients`, runs the script, and reads `patients_public`.
    pub(crate) fn run(self, desk: &Desk, types: &str, script: &str) -> Ran {
        desk.write("script.sql", script);
        match self {
            Server::Sqlite | Server::DuckDb => self.run_python(desk, types),
            Server::Postgres => run_postgres(desk, types),
        }
    }

    fn run_python(self, desk: &Desk, types: &str) -> Ran {
        let program = root().join("crates/faces/cutline-cli/tests/support/run_sql.py");
        let mut command = Command::new(python());
        command.arg(program).args([self.dialect(), "table.csv", types, "script.sql", "result.csv"]);
        let output = command.current_dir(desk.path("")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => Ran::Published(lines(&desk.read("result.csv"))),
            Some(3) => Ran::Refused(errors),
            _ => panic!("{self:?}: {errors}"),
        }
    }
}

/// The lines after the header, sorted.
pub(crate) fn lines(table: &str) -> Vec<String> {
    let mut lines: Vec<String> = table.lines().skip(1).map(|line| line.replace("\"\"", "")).collect();
    lines.sort();
    lines
}

fn python() -> PathBuf {
    cache().join("python/bin/python")
}

/// Where `scripts/setup-tests.sh` puts what it installs.
fn cache() -> PathBuf {
    let usual = || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cache/cutline");
    std::env::var_os("CUTLINE_CACHE").map(PathBuf::from).unwrap_or_else(usual)
}

/// Runs scripts with Spark, each on a table with columns of some types; nothing if Spark is not here.
#[allow(dead_code)]
pub(crate) fn run_spark(cases: &[(String, &str, String)]) -> Option<Vec<Ran>> {
    let python = cache().join("spark/bin/python");
    if !python.is_file() {
        assert!(std::env::var_os("CI").is_none(), "Spark is not here: run scripts/setup-tests.sh");
        eprintln!("SKIPPED: Spark is not here; scripts/setup-tests.sh sets it up");
        return None;
    }
    let case = |(table, types, script): &(String, &str, String)| serde_json::json!({"table": table, "types": types, "script": script});
    let folder = tempfile::tempdir().unwrap();
    let (cases, results) = (cases.iter().map(case).collect::<Vec<_>>(), folder.path().join("results.json"));
    std::fs::write(folder.path().join("cases.json"), serde_json::to_string(&cases).unwrap()).unwrap();
    let program = root().join("crates/faces/cutline-cli/tests/support/run_spark.py");
    let mut command = Command::new(python);
    command.arg(program).args(["cases.json", "results.json"]).current_dir(folder.path());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let results: Vec<serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(results).unwrap()).unwrap();
    let ran = |result: &serde_json::Value| match result["published"].as_str() {
        Some(table) => Ran::Published(lines(table)),
        None => Ran::Refused(result["refused"].as_str().expect("something was left").to_owned()),
    };
    Some(results.iter().map(ran).collect())
}

fn postgres_programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let programs = versions.map(|version| version.unwrap().path().join("bin"));
    programs.filter(|programs| programs.join("initdb").is_file()).max()
}

/// PostgreSQL does not run as root: there, its programs run as Debian's user `postgres`.
fn as_postgres(program: &str) -> Command {
    let path = postgres_programs().unwrap().join(program);
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = Command::new(if root { Path::new("runuser") } else { &path });
    if root {
        command.args(["-u", "postgres", "--"]).arg(path);
    }
    command
}

/// A cluster of its own for every run, reached through a socket in its folder; no network.
pub(crate) struct Cluster {
    folder: tempfile::TempDir,
}

impl Cluster {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        if let Ok(chown) = Command::new("chown").arg("postgres").arg(folder.path()).output() {
            drop(chown);
        }
        let cluster = Cluster { folder };
        let (data, log) = (cluster.path("data"), cluster.path("log"));
        let made = as_postgres("initdb")
            .args(["-A", "trust", "-U", "cutline", "-E", "UTF8", "--locale=C.UTF-8", "-N", "-D"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let options = format!("-c listen_addresses='' -c fsync=off -k {}", cluster.folder.path().display());
        // Its output goes to the log: a pipe would stay open as long as the server runs.
        let started = as_postgres("pg_ctl")
            .args(["-w", "-o", &options, "-l"])
            .arg(log)
            .arg("-D")
            .arg(data)
            .arg("start")
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(started.success());
        cluster
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Its location, as the command takes it.
    #[allow(dead_code)]
    pub(crate) fn location(&self) -> String {
        let host = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgresql://cutline@{host}/postgres")
    }

    pub(crate) fn psql(&self, arguments: &[&str], folder: &Path) -> Output {
        let program = postgres_programs().unwrap().join("psql");
        let mut command = Command::new(program);
        command
            .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-U", "cutline", "-d", "postgres", "-h"])
            .arg(self.folder.path());
        command.args(arguments).current_dir(folder).output().unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        as_postgres("pg_ctl").args(["-m", "immediate", "stop", "-D"]).arg(self.path("data")).output().ok();
    }
}

fn run_postgres(desk: &Desk, types: &str) -> Ran {
    let cluster = Cluster::start();
    let header = desk.read("table.csv").lines().next().unwrap().to_owned();
    let columns: Vec<String> =
        header.split(',').zip(types.split(',')).map(|(name, kind)| format!("\"{name}\" {kind}")).collect();
    let ran = |arguments: &[&str]| {
        let output = cluster.psql(arguments, &desk.path(""));
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let load = format!("CREATE TABLE patients ({})", columns.join(", "));
    let (done, _, errors) = ran(&["-c", &load, "-c", "\\copy patients from 'table.csv' with (format csv, header)"]);
    assert!(done, "{errors}");
    let (done, _, errors) = ran(&["-f", "script.sql"]);
    let (left, table, _) = ran(&["-c", "\\copy (select * from patients_public) to stdout with (format csv, header)"]);
    assert_eq!(done, left, "a script that fails leaves nothing: {errors}");
    if done { Ran::Published(lines(&table)) } else { Ran::Refused(errors) }
}
