//! How a caller watches a release.

use cutline_engine::Watch;
use cutline_search::Step;
use serde::Serialize;

use crate::Note;

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// A look at the records, and finding their clusters.
    Label,
    /// Trying clusters and recodings.
    Tune,
    /// The first pass over the records.
    Read,
    /// The search for a recoding.
    Search,
    /// The second pass over the records.
    Write,
    /// Reading the written table back.
    Verify,
    /// Clustering the masked records or learning from them, and comparing.
    Evaluate,
}

/// Is told what happens, and may stop it. All methods may be called from any thread.
pub trait Observer: Sync {
    /// A stage begins. `total` bytes are to be done, if known.
    fn stage(&self, _stage: Stage, _total: Option<u64>) {}

    /// So many more bytes of the stage are done.
    fn advance(&self, _bytes: u64) {}

    /// The search made a step.
    fn step(&self, _step: &Step) {}

    /// Something a user should know.
    fn note(&self, _note: &Note) {}

    /// Must the search stop, and publish what it has?
    fn stop_search(&self) -> bool {
        false
    }

    /// Must everything stop, and nothing be published?
    fn cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Lets an observer watch an engine's pass.
pub struct Watching<'a>(pub &'a dyn Observer);

impl Watch for Watching<'_> {
    fn advance(&self, bytes: u64) {
        self.0.advance(bytes);
    }

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
