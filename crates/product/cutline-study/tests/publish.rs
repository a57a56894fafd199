//! Releases whose report tells what they cost a model.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::sync::atomic::{AtomicBool, Ordering};

use cutline::engine::EngineError;
use cutline::spec::Spec;
use cutline::{Destination, Error, Job, Observer, Silent, Stage};
use cutline_study::publish;
use tempfile::TempDir;

/// Presses Ctrl-C when the learners begin.
#[derive(Default)]
struct Impatient(AtomicBool);

impl Observer for Impatient {
    fn stage(&self, stage: Stage, _: Option<u64>) {
        self.0.fetch_or(stage == Stage::Evaluate, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A job that asks for an evaluation, with the folder of its table.
fn evaluating() -> (TempDir, Job) {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "x,y,class\n".to_owned() + &"1,a,N\n2,b,Y\n3,a,N\n".repeat(20)).unwrap();
    let text = "[purpose]\ntarget = \"class\"\n[output]\nevaluate = true\n[[qid]]\nattributes = [\"x\"]\nk = 5\n";
    let mut spec: Spec = toml::from_str(text).unwrap();
    spec.input.path = Some(table.display().to_string());
    (folder, Job::new(spec).unwrap())
}

#[test]
fn an_evaluation_that_is_stopped_publishes_nothing() {
    let (folder, job) = evaluating();
    let engine = job.open().unwrap();
    let destination = Destination { path: folder.path().join("out"), force: false };
    let stopped = publish(&job, &engine, &destination, &Impatient::default());
    assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the table, and nothing aside");
    let report = publish(&job, &engine, &destination, &Silent).unwrap();
    assert_eq!(report.evaluation.unwrap().measures.len(), 2);
}

#[test]
fn a_release_without_the_evaluation_that_it_asks_for_is_none() {
    let (folder, job) = evaluating();
    let destination = Destination { path: folder.path().join("out"), force: false };
    let refused = cutline::publish(&job, &job.open().unwrap(), &destination, &Silent);
    assert!(matches!(refused, Err(Error::Contradiction { .. })), "{refused:?}");
    assert!(!destination.path.exists());
}

#[test]
fn what_is_to_be_tuned_and_does_not_fit_into_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("many.csv");
    // More combinations than are allowed in any case.
    let records = (0..210_000_u64).map(|n| format!("{},{}\n", n * 7919 % 100_003, n / 3));
    std::fs::write(&table, format!("weight,height\n{}", records.collect::<String>())).unwrap();
    let text = "[[qid]]\nattributes = [\"weight\", \"height\"]\nk = 2000\n[search]\ntune = true\nmemory = \"1MiB\"\n";
    let mut spec: Spec = toml::from_str(text).unwrap();
    spec.input.path = Some(table.display().to_string());
    let job = Job::new(spec).unwrap();
    let destination = Destination { path: folder.path().join("out"), force: false };
    let refused = publish(&job, &job.open().unwrap(), &destination, &Silent).err().unwrap();
    assert!(matches!(refused, Error::Engine(EngineError::TooMany(_))), "{refused}");
    assert!(!destination.path.exists());
}
