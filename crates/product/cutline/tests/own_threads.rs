//! Work is done by threads that were asked for (`--threads`), never by those that a process shares: nobody else's work can hold a release up, and a
//! process that was forked, which has no shared threads, does not wait for them.
//!
//! The shared threads of this program never do anything, so whoever asks them waits.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use cutline::model::Qid;
use cutline::spec::Spec;
use cutline::{Counts, Destination, Folder, Job, ScreenPlan, Silent, Table, inspect, publish, screen};

/// So many that columns and rows are looked at by several threads.
const RECORDS: usize = 70_000;

fn occupy_the_shared_threads() {
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    rayon::spawn(|| {
        loop {
            thread::park();
        }
    });
}

/// Does the work end by itself?
fn ends(work: impl FnOnce() + Send + 'static) -> bool {
    let (done, ended) = mpsc::channel();
    let worker = thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    match ended.recv_timeout(Duration::from_secs(120)) {
        Err(mpsc::RecvTimeoutError::Timeout) => false,
        _ => worker.join().map(|()| true).unwrap_or_else(|panic| resume_unwind(panic)),
    }
}

fn write_table(path: &Path) {
    let record = |n: usize| {
        let (age, town, work) = (n * 7919 % 73 + 17, n * 104_729 % 40, n * 1_299_709 % 9);
        format!("{age},town {town},work {work},{n},{}\n", if (age + town + work) % 5 < 2 { "yes" } else { "no" })
    };
    let records: String = (0..RECORDS).map(record).collect();
    std::fs::write(path, "age,town,work,person,ill\n".to_owned() + &records).unwrap();
}

fn job(settings: &[(&str, &str)]) -> Job {
    let mut spec = Spec::default();
    let always = [("qid", "age,town:20"), ("threads", "2"), ("keep", "person")];
    for (name, value) in always.iter().chain(settings) {
        spec.set(name, &(*value).into()).unwrap();
    }
    Job::new(spec).unwrap()
}

fn open(path: &Path) -> Table {
    Table::open(path.to_str().unwrap(), &Default::default(), 2).unwrap()
}

/// A release from start to end.
fn release(settings: &[(&str, &str)], path: &Path) {
    let (job, table) = (job(settings), open(path));
    let counts = Counts::new(&job, &table, &Silent).unwrap();
    counts.check_identifiers(&job, &Silent).unwrap();
    let draft = counts.search(&job, &Silent).unwrap();
    draft.why().unwrap();
    draft.screen(&Silent).unwrap();
    let to = Folder::new(&Destination { path: path.with_extension("out"), force: true }).unwrap();
    draft.publish(Box::new(to), &Silent).unwrap();
}

#[test]
fn nothing_waits_for_threads_that_all_share() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    write_table(&path);
    occupy_the_shared_threads();
    let kinds: [&[(&str, &str)]; 7] = [
        &[("target", "ill"), ("algorithm", "tdr")],
        &[("target", "ill"), ("what-if", "true"), ("suppress-limit", "2%")],
        &[("algorithm", "bottom-up"), ("condition", "distinct-l:work=2")],
        &[("algorithm", "genetic"), ("target", "ill"), ("iterations", "100")],
        &[("local", "nested"), ("target", "ill")],
        &[("clusters", "2"), ("person", "person")],
        &[("target", "ill"), ("algorithm", "tdr"), ("memory", "1MiB"), ("format", "parquet")],
    ];
    let mut waiting = Vec::new();
    let mut look = |what: String, work: Box<dyn FnOnce() + Send>| {
        if !ends(work) {
            waiting.push(what);
        }
    };
    for settings in kinds {
        let path = path.clone();
        look(format!("a release by {settings:?}"), Box::new(move || release(settings, &path)));
    }
    let at = path.clone();
    let in_one_go = move || {
        let to = Destination { path: at.with_extension("whole"), force: false };
        publish(&job(&[("target", "ill")]), &open(&at), &to, &Silent).unwrap();
    };
    look("a release in one go".to_owned(), Box::new(in_one_go));
    for qids in [Vec::new(), vec![Qid::new(vec!["age".to_owned(), "town".to_owned()], 20)]] {
        let at = path.clone();
        let plan = ScreenPlan { qids, ..ScreenPlan::default() };
        look("a screen".to_owned(), Box::new(move || drop(screen(&open(&at), &plan, &Silent).unwrap())));
    }
    look("a first look".to_owned(), Box::new(move || drop(inspect(&open(&path), &[], &Silent).unwrap())));
    assert!(waiting.is_empty(), "these wait: {waiting:?}");
}
