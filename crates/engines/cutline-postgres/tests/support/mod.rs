//! A PostgreSQL of the tests' own, reached through a socket in its folder; no network.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cutline_postgres::{Location, Postgres, Source};

/// A cluster that runs as long as this lives.
pub(crate) struct Cluster {
    folder: tempfile::TempDir,
}

fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let programs = versions.map(|version| version.unwrap().path().join("bin"));
    programs.filter(|programs| programs.join("initdb").is_file()).max()
}

/// PostgreSQL does not run as root: there, its programs run as Debian's user `postgres`.
fn as_postgres(program: &str) -> Command {
    let path = programs().unwrap().join(program);
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = Command::new(if root { Path::new("runuser") } else { &path });
    if root {
        command.args(["-u", "postgres", "--"]).arg(path);
    }
    command
}

impl Cluster {
    /// Starts one, if PostgreSQL is here. In CI it must be.
    pub(crate) fn start() -> Option<Self> {
        Cluster::start_with("-c listen_addresses=''", |_| ())
    }

    /// The same with other options; `before` may put files into its folder.
    pub(crate) fn start_with(options: &str, before: impl FnOnce(&Cluster)) -> Option<Self> {
        if programs().is_none() {
            assert!(std::env::var_os("CI").is_none(), "PostgreSQL is not here: run scripts/setup-tests.sh");
            eprintln!("SKIPPED: PostgreSQL is not here; scripts/setup-tests.sh sets it up");
            return None;
        }
        let cluster = Cluster { folder: tempfile::tempdir().unwrap() };
        let _ = Command::new("chown").arg("postgres").arg(cluster.folder.path()).output();
        let made = as_postgres("initdb")
            .args(["-A", "trust", "-U", "cutline", "-E", "UTF8", "--locale=C.UTF-8", "-N", "-D"])
            .arg(cluster.path("data"))
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        before(&cluster);
        let options = format!("{options} -c fsync=off -k {}", cluster.folder.path().display());
        // Its output goes to the log: a pipe would stay open as long as the server runs.
        let mut start = as_postgres("pg_ctl");
        start.args(["-w", "-o", &options, "-l"]).arg(cluster.path("log")).arg("-D").arg(cluster.path("data"));
        assert!(start.arg("start").stdout(Stdio::null()).status().unwrap().success());
        Some(cluster)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn location(&self, user: &str) -> Location {
        let host = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgresql://{user}@{host}/postgres").parse().unwrap()
    }

    pub(crate) fn open(&self, table: &str) -> Postgres {
        cutline_postgres::open(&self.location("cutline"), &Source::Table(table.parse().unwrap())).unwrap()
    }

    /// Runs statements; gives what they print, a line a row, with `|` between columns.
    pub(crate) fn sql(&self, statements: &str) -> Vec<String> {
        let mut psql = Command::new(programs().unwrap().join("psql"));
        psql.args([
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-P",
            "null=␀",
            "-U",
            "cutline",
            "-d",
            "postgres",
            "-h",
        ]);
        let output = psql.arg(self.folder.path()).args(["-c", statements]).output().unwrap();
        assert!(output.status.success(), "{statements}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// Loads a file that the server can read.
    #[allow(dead_code)]
    pub(crate) fn load(&self, table: &str, columns: &str, csv: &str) {
        let file = self.path("table.csv");
        std::fs::write(&file, csv).unwrap();
        let copy = format!("COPY {table} FROM '{}' WITH (FORMAT csv, HEADER)", file.display());
        self.sql(&format!("DROP TABLE IF EXISTS {table}; CREATE TABLE {table} ({columns}); {copy}"));
    }

    /// The tables that others can see.
    pub(crate) fn tables(&self) -> Vec<String> {
        self.sql(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
        )
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        as_postgres("pg_ctl").args(["-m", "immediate", "stop", "-D"]).arg(self.path("data")).output().ok();
    }
}
