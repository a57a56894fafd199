//! How does Python stay awake while the library works?
//!
//! The library works on a thread of its own, without Python's lock. The thread that called waits, and looks every now and then whether
//! a signal arrived and what there is to show: Python is called from nowhere else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use cutline::search::Step;
use cutline::{Blame, Error, Note, Observer, Stage};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors::{exception, keywords, raised};

/// How often Python looks.
const TICK: Duration = Duration::from_millis(50);

/// Does something long. `watch` is a Python object with `progress(stage, done, total, message)` and `note(text)`.
///
/// The first Ctrl-C during a search stops the search, which then gives what it has; anywhere else, and the second time, everything is
/// given up.
pub(crate) fn work<T: Send>(
    watch: &Bound<'_, PyAny>,
    task: impl FnOnce(&Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let py = watch.py();
    let shared = Watch::default();
    let mut interrupted = None;
    let result = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _end = End(&shared);
            task(&shared)
        });
        while !py.detach(|| shared.wait()) {
            let looked = py.check_signals().and_then(|()| shared.show(watch));
            if let Err(error) = looked {
                shared.interrupt(error.is_instance_of::<PyKeyboardInterrupt>(py));
                interrupted = Some(error);
            }
        }
        py.detach(|| worker.join())
    });
    let result = result.map_err(|_| raised(py, "defect", "the work broke off", Some(DEFECT)))?;
    for note in std::mem::take(&mut shared.state().notes) {
        watch.call_method1("note", (keywords(&note),))?;
    }
    match (result, interrupted) {
        (Err(error), Some(interrupt)) if error.blame() == Blame::Interrupted => Err(interrupt),
        (Err(error), _) => Err(exception(py, &error)),
        // Something other than an interrupt, raised by whatever shows the progress or handles a signal.
        (Ok(_), Some(other)) if !other.is_instance_of::<PyKeyboardInterrupt>(py) => Err(other),
        (Ok(result), _) => Ok(result),
    }
}

const DEFECT: &str = "this is a defect of Cutline: please report it with the settings and the version";

/// What the worker tells, and what it is told.
#[derive(Default)]
pub(crate) struct Watch {
    state: Mutex<State>,
    ended: Condvar,
    stop_search: AtomicBool,
    cancelled: AtomicBool,
}

#[derive(Default)]
struct State {
    ended: bool,
    stage: Option<Stage>,
    done: u64,
    total: Option<u64>,
    message: String,
    notes: Vec<String>,
}

impl Watch {
    /// Nobody relies on what a panic may have left half done here.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end of the work, but not long. Has it ended?
    fn wait(&self) -> bool {
        let waited = self.ended.wait_timeout_while(self.state(), TICK, |state| !state.ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    fn interrupt(&self, by_user: bool) {
        let searching = self.state().stage == Some(Stage::Search);
        let first = !self.stop_search.swap(true, Ordering::Relaxed);
        if !(by_user && first && searching) {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn show(&self, watch: &Bound<'_, PyAny>) -> PyResult<()> {
        let state = self.state();
        let Some(stage) = state.stage else { return Ok(()) };
        let told = (name(stage), state.done, state.total, state.message.clone());
        // Python may do anything now, also wait for another thread.
        drop(state);
        watch.call_method1("progress", told).map(drop)
    }
}

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Label => "clustering",
        Stage::Tune => "tuning",
        Stage::Read => "reading",
        Stage::Search => "searching",
        Stage::Write => "masking",
        Stage::Verify => "verifying",
        Stage::Evaluate => "comparing",
    }
}

impl Observer for Watch {
    fn stage(&self, stage: Stage, total: Option<u64>) {
        let mut state = self.state();
        (state.stage, state.done, state.total) = (Some(stage), 0, total);
        state.message.clear();
    }

    fn advance(&self, bytes: u64) {
        self.state().done += bytes;
    }

    fn step(&self, step: &Step) {
        let mut state = self.state();
        state.done += 1;
        state.message = step.attribute().unwrap_or_default().to_owned();
    }

    fn note(&self, note: &Note) {
        self.state().notes.push(note.to_string());
    }

    fn stop_search(&self) -> bool {
        self.stop_search.load(Ordering::Relaxed)
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Wakes whoever waits, also if the work panics.
struct End<'a>(&'a Watch);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.state().ended = true;
        self.0.ended.notify_all();
    }
}
