//! How a pass is watched and stopped from outside.

/// Is told of a pass, and may stop it.
pub trait Watch: Sync {
    /// So much more of the pass is done, in the unit of [`crate::Engine::size`].
    fn advance(&self, _work: u64) {}

    /// Must the work stop?
    fn cancelled(&self) -> bool {
        false
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
