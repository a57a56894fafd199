//! How far is it, and must it stop?

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cutline::search::Step;
use cutline::{Note, Observer, Stage};
use serde::Serialize;

/// One piece of work of a tab. It ends when the next one begins, or when somebody stops it.
#[derive(Debug, Default)]
pub(crate) struct Task {
    stage: Mutex<Option<Stage>>,
    total: AtomicU64,
    done: AtomicU64,
    steps: AtomicU64,
    cancelled: AtomicBool,
    notes: Mutex<Vec<String>>,
}

/// How far a task is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Progress {
    /// What is done at the moment, in words; nothing if nothing is.
    pub(crate) stage: Option<&'static str>,
    /// The share of the stage that is done, where that is known.
    pub(crate) share: Option<f64>,
    /// Steps of the search.
    pub(crate) steps: u64,
}

impl Task {
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// What was said on the way, to be told once.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn finish(&self) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn progress(&self) -> Progress {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        Progress {
            stage: stage.map(words),
            share: (total > 0).then(|| (done as f64 / total as f64).min(1.0)),
            steps: self.steps.load(Ordering::Relaxed),
        }
    }
}

fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::Label => "finding clusters",
        Stage::Tune => "trying clusters",
        Stage::Read => "reading the table",
        Stage::Search => "searching",
        Stage::Write => "writing",
        Stage::Verify => "verifying what was written",
        Stage::Evaluate => "learning from the records",
    }
}

impl Observer for Task {
    fn stage(&self, stage: Stage, total: Option<u64>) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage);
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    fn advance(&self, bytes: u64) {
        self.done.fetch_add(bytes, Ordering::Relaxed);
    }

    fn step(&self, _: &Step) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    fn note(&self, note: &Note) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note.to_string());
    }

    fn cancelled(&self) -> bool {
        self.is_cancelled()
    }
}

/// The task that a tab is at.
#[derive(Debug, Default)]
pub(crate) struct Current(Mutex<Arc<Task>>);

impl Current {
    /// Begins a task, and stops the one before.
    pub(crate) fn begin(&self) -> Arc<Task> {
        let task = Arc::new(Task::default());
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), task.clone());
        before.cancel();
        task
    }

    pub(crate) fn get(&self) -> Arc<Task> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
