//! Who is together with whom in the published table.

use cutline_table::{AttributeId, CompressedTable, Masked, Numbering, Suppressed};

/// The records by their labels on some attributes. Suppressed records are a group of their own, the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    of_row: Vec<u32>,
    sizes: Vec<u64>,
}

impl Partition {
    /// The groups that a masked table has on these attributes.
    pub fn new(
        table: &CompressedTable,
        masked: &Masked<'_>,
        suppressed: &Suppressed,
        attributes: impl IntoIterator<Item = AttributeId>,
    ) -> Self {
        let rows = suppressed.rows.iter().zip(0..).filter(|(suppressed, _)| !**suppressed).map(|(_, row)| row);
        let numbering = masked.groups_among(&rows.collect::<Vec<u32>>(), attributes);
        let none = numbering.len as u32;
        let mut kept = numbering.of_row.into_iter();
        let group = |&suppressed: &bool| if suppressed { none } else { kept.next().unwrap_or(none) };
        let all = Numbering { of_row: suppressed.rows.iter().map(group).collect(), len: numbering.len + 1 };
        let sizes = all.sizes(&table.weights);
        Partition { of_row: all.of_row, sizes }
    }

    /// The group of each row.
    pub fn of_row(&self) -> &[u32] {
        &self.of_row
    }

    /// The group of the suppressed records, which may be empty. All groups have smaller numbers.
    pub fn suppressed_group(&self) -> u32 {
        self.sizes.len() as u32 - 1
    }

    /// The number of suppressed records.
    pub fn suppressed(&self) -> u64 {
        self.sizes[self.sizes.len() - 1]
    }

    /// The published records of every group.
    pub fn kept(&self) -> &[u64] {
        &self.sizes[..self.sizes.len() - 1]
    }

    /// All groups, the one of the suppressed records included.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }
}

/// The attributes that tell any records apart: with the same ones, two QIDs have the same groups.
pub(super) fn told_apart(masked: &Masked<'_>, attributes: impl IntoIterator<Item = AttributeId>) -> Vec<AttributeId> {
    attributes.into_iter().filter(|&attribute| masked.tells_apart(attribute)).collect()
}
