//! Servers of the tests' own: Sail, which is quick to start, and a Spark cluster of several processes, which is the real thing.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::DataType;
use cutline_spark::{Location, Source, Spark};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// A program that `scripts/setup-tests.sh` installed.
fn program(name: &str) -> PathBuf {
    let usual = || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cache/cutline");
    std::env::var_os("CUTLINE_CACHE").map(PathBuf::from).unwrap_or_else(usual).join(name)
}

/// Is it here? In CI it must be.
fn is_here(what: &str, program: &Path) -> bool {
    if !program.exists() {
        assert!(std::env::var_os("CI").is_none(), "{what} is not here: run scripts/setup-tests.sh");
        eprintln!("SKIPPED: {what} is not here; scripts/setup-tests.sh sets it up");
    }
    program.exists()
}

/// A port that nobody listens on.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until a server listens.
fn wait(port: u16) {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(300), "nobody listens on port {port}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What the cluster wants to know.
pub(crate) const TOKEN: &str = "tulip";

/// A server that runs as long as this lives.
pub(crate) struct Server {
    stop: Stop,
    port: u16,
    folder: tempfile::TempDir,
}

enum Stop {
    Process(Child),
    /// The script that started the cluster.
    Script(PathBuf),
}

impl Server {
    /// Starts Sail.
    pub(crate) fn sail() -> Option<Self> {
        let program = program("sail/bin/sail");
        if !is_here("Sail", &program) {
            return None;
        }
        let (port, folder) = (free_port(), tempfile::tempdir().unwrap());
        let mut command = Command::new(program);
        command.args(["spark", "server", "--ip", "127.0.0.1", "--port", &port.to_string()]);
        command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().unwrap();
        wait(port);
        Some(Server { stop: Stop::Process(process), port, folder })
    }

    /// Starts a cluster: a master, two workers and a Connect server that ends every stream after three seconds.
    pub(crate) fn spark() -> Option<Self> {
        if !is_here("Spark", &program("spark/bin/spark-submit")) {
            return None;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let script = root.join("scripts/spark-cluster.sh");
        let (port, folder) = (free_port(), tempfile::tempdir().unwrap());
        let mut command = Command::new(&script);
        command.arg("start").arg(folder.path()).arg(port.to_string()).arg(free_port().to_string());
        command.args(["--conf", "spark.connect.execute.reattachable.senderMaxStreamDuration=3s"]);
        command.args(["--conf", &format!("spark.connect.authenticate.token={TOKEN}")]);
        let server = Server { stop: Stop::Script(script), port, folder };
        assert!(command.stdout(Stdio::null()).status().unwrap().success());
        Some(server)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("sc://127.0.0.1:{}", self.port)
    }

    pub(crate) fn location(&self) -> Location {
        let location: Location = self.url().parse().unwrap();
        match self.stop {
            Stop::Process(_) => location,
            Stop::Script(_) => location.with_token(TOKEN).unwrap(),
        }
    }

    /// A folder that the server sees.
    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn open(&self, table: &str) -> Spark {
        cutline_spark::open(&self.location(), &Source::named(table).unwrap()).unwrap()
    }

    pub(crate) fn query(&self, query: &str) -> Spark {
        cutline_spark::open(&self.location(), &Source::Query(query.to_owned())).unwrap()
    }

    /// The tables of a cluster's catalog, as the folders in its warehouse.
    pub(crate) fn tables(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(".spark/warehouse")).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Ends the Connect server of a cluster at once.
    pub(crate) fn kill_connect(&mut self) {
        let number = std::fs::read_to_string(self.path(".spark/connect.pid")).unwrap();
        assert!(Command::new("kill").args(["-9", number.trim()]).status().unwrap().success());
    }

    /// Ends one of the cluster's executors at once: the first that works in a worker's folder.
    pub(crate) fn kill_executor(&self) {
        let works = |process: &PathBuf| {
            let folder = std::fs::read_link(process.join("cwd")).unwrap_or_default();
            let work = |number| folder.starts_with(self.path(&format!(".spark/work{number}")));
            work(1) || work(2)
        };
        let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        let executor = processes.filter(|process| process.join("cwd").exists()).find(works).expect("an executor runs");
        let number = executor.file_name().unwrap().to_owned();
        assert!(Command::new("kill").arg("-9").arg(number).status().unwrap().success());
    }

    /// What is in the folder, hidden or not.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        match &mut self.stop {
            Stop::Process(process) => {
                process.kill().ok();
                process.wait().ok();
            }
            Stop::Script(script) => {
                Command::new(script).arg("stop").arg(self.folder.path()).status().ok();
            }
        }
    }
}

/// Writes a table of texts as a Parquet file whose columns have the given types.
pub(crate) fn parquet(path: &str, csv: &str, types: &[DataType]) {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let records: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let column = |place: usize| {
        let cell = |record: &Vec<&str>| {
            let text = types[place] == DataType::Utf8 || !record[place].is_empty();
            text.then(|| record[place].to_owned())
        };
        let texts = Arc::new(records.iter().map(cell).collect::<StringArray>()) as ArrayRef;
        (names[place], arrow_cast::cast(&texts, &types[place]).unwrap(), true)
    };
    write(path, &RecordBatch::try_from_iter_with_nullable((0..names.len()).map(column)).unwrap());
}

/// Writes a batch as a Parquet file.
pub(crate) fn write(path: &str, batch: &RecordBatch) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// The records of a Parquet file, or of a folder of them, as texts, sorted.
pub(crate) fn records(path: &Path) -> Vec<String> {
    let mut records = rows(path);
    records.sort();
    records
}

/// The same as they lie there.
pub(crate) fn rows(path: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = match path.is_dir() {
        true => std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect(),
        false => vec![path.to_owned()],
    };
    files.sort();
    let mut records = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "parquet")) {
        let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(file).unwrap()).unwrap();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let texts = batch.columns().iter().map(|column| arrow_cast::cast(column, &DataType::Utf8).unwrap());
            let texts: Vec<StringArray> = texts.map(|texts| StringArray::from(texts.to_data())).collect();
            for row in 0..batch.num_rows() {
                let cells = texts.iter().map(|texts| if texts.is_null(row) { "␀" } else { texts.value(row) });
                records.push(cells.collect::<Vec<_>>().join("|"));
            }
        }
    }
    records
}
