//! Numbers of threads that must not make a difference.

use std::sync::LazyLock;

use cutline_search::Outcome;
use rayon::{ThreadPool, ThreadPoolBuilder};

pub(crate) static POOLS: LazyLock<[ThreadPool; 3]> =
    LazyLock::new(|| [1, 2, 8].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));

/// What each pool finds.
pub(crate) fn on_all_pools(search: impl Fn() -> Outcome + Sync) -> Vec<Outcome> {
    POOLS.iter().map(|pool| pool.install(&search)).collect()
}

pub(crate) fn all_equal(outcomes: &[Outcome]) -> bool {
    outcomes.iter().all(|outcome| *outcome == outcomes[0])
}

/// Outcomes with the same figures to the last bit: `==` on floats would not tell 0 from -0.
pub(crate) fn all_have_the_same_bytes(outcomes: &[Outcome]) -> bool {
    let bytes = |outcome: &Outcome| serde_json::to_vec(&outcome.steps).unwrap();
    outcomes.iter().all(|outcome| bytes(outcome) == bytes(&outcomes[0]))
}
