//! What a recoding comes to when it is published.

use cutline_model::AttributeRecoding;
use cutline_model::recoding::{LabelError, SuppressHow};

use crate::tidy::tidied;
use crate::{CompressedTable, Masked, Suppressed, TableQid};

/// A recoding that tells of no value that only suppressed records have, and the records that it suppresses.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The recoding as it is published.
    pub recoding: Vec<AttributeRecoding>,
    /// The records that may not appear under their labels.
    pub suppressed: Suppressed,
}

impl Settled {
    /// Works this out from the recoding alone: whatever the search that found it believes does not count.
    ///
    /// What only suppressed records need is taken out of the recoding, and everything is judged again. That can suppress *more*
    /// records where there are conditions: a suppressed record that now looks like published ones can make their group violate one.
    pub fn new(
        table: &CompressedTable,
        mut recoding: Vec<AttributeRecoding>,
        qids: &[TableQid],
        how: SuppressHow,
    ) -> Result<Self, LabelError> {
        loop {
            let suppressed = Masked::new(table, &recoding)?.suppress_with(qids, how);
            let simpler = if suppressed.records > 0 { tidied(table, &recoding, &suppressed.rows) } else { None };
            match simpler {
                // Every round takes something out.
                Some(simpler) => recoding = simpler,
                None => return Ok(Settled { recoding, suppressed }),
            }
        }
    }
}

#[cfg(test)]
mod tests;
