//! What a line that was moved by hand comes to.

use cutline::{Draft, Tried};
use serde::Serialize;

use super::attribute::AttributeView;
use super::result::LossView;

/// What would be, if the line was there.
#[derive(Serialize)]
pub(crate) struct TriedView {
    /// Does the requirement hold within the budget?
    holds: bool,
    suppressed: u64,
    limit: u64,
    /// The smallest group of each QID under its labels, before anything is suppressed.
    smallest: Vec<u64>,
    attributes: Vec<AttributeView>,
    losses: LossView,
}

impl TriedView {
    pub(crate) fn new(draft: &Draft, tried: &Tried) -> Self {
        TriedView {
            holds: tried.holds(),
            suppressed: tried.suppressed,
            limit: tried.limit,
            smallest: tried.smallest.clone(),
            attributes: AttributeView::all(draft.compressed(), &tried.recoding, &tried.losses),
            losses: LossView::new(&tried.losses),
        }
    }
}
