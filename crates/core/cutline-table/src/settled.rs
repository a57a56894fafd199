//! What a recoding comes to when it is published.

use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Regions, SuppressHow};

use crate::regions::simplified;
use crate::tidy::tidied;
use crate::{CompressedTable, MaskError, Masked, Suppressed, TableQid};

/// A recoding that tells of no value that only suppressed records have, and the records that it suppresses.
///
/// One half of the policy of what is told: the other half is what a release says of itself (`told` in `cutline`).
///
/// # Guarantee
/// Without regions, cuts, disclosed values and bounds follow from the labels that published records show.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The recoding as it is published.
    pub recoding: Vec<AttributeRecoding>,
    /// Its groups, if they have labels of their own.
    pub regions: Option<Regions>,
    /// The records that may not appear under their labels.
    pub suppressed: Suppressed,
    /// How many those were under the recoding that was found.
    pub meant: u64,
}

impl Settled {
    /// Works this out from the recoding alone: whatever the search that found it believes does not count.
    ///
    /// What only suppressed records need is taken out of the recoding, and everything is judged again. That can suppress *more*
    /// records where there are conditions: a suppressed record that now looks like published ones can make their group violate one.
    pub fn new(
        table: &CompressedTable,
        mut recoding: Vec<AttributeRecoding>,
        mut regions: Option<Regions>,
        qids: &[TableQid],
        how: SuppressHow,
    ) -> Result<Self, MaskError> {
        let mut meant = None;
        loop {
            let masked = Masked::of(table, &recoding, regions.as_ref())?;
            let suppressed = masked.suppress_with(qids, how);
            let meant = *meant.get_or_insert(suppressed.records);
            let simpler = match masked.regions() {
                Some(regions) => simplified(&recoding, regions, &suppressed.rows)
                    .map(|(recoding, regions)| (recoding, Some(regions))),
                None => tidied(table, &recoding, &suppressed.rows).map(|recoding| (recoding, None)),
            };
            match simpler {
                // Every round takes something out.
                Some(simpler) if suppressed.records > 0 => (recoding, regions) = simpler,
                // What no record at all needs changes no group.
                Some((recoding, regions)) => return Ok(Settled { recoding, regions, suppressed, meant }),
                None => return Ok(Settled { recoding, regions, suppressed, meant }),
            }
        }
    }
}

#[cfg(test)]
mod tests;
