//! A QID by positions.

use std::sync::Arc;

use cutline_model::conditions::Check;

use crate::{AttributeId, Histories};

/// A QID by positions in the compressed table.
#[derive(Clone, Debug)]
pub struct TableQid {
    /// Its attributes, ascending.
    pub attributes: Vec<AttributeId>,
    /// Its threshold.
    pub k: u64,
    /// What must hold of the sensitive values of every group.
    pub conditions: Vec<TableCondition>,
    /// What earlier releases tell of the records: then all of this must hold of every part of a group too.
    pub histories: Option<Arc<Histories>>,
}

/// A condition on a sensitive attribute of the compressed table.
#[derive(Clone, Debug)]
pub struct TableCondition {
    /// The position of the sensitive attribute.
    pub sensitive: usize,
    /// The condition.
    pub check: Arc<dyn Check>,
}

impl TableQid {
    /// A QID without conditions.
    pub fn new(attributes: Vec<AttributeId>, k: u64) -> Self {
        TableQid { attributes, k, conditions: Vec::new(), histories: None }
    }
}
