//! Which records have the same labels? Asked for every candidate of a genetic search, and so the cost of everything there.

mod sieve;

use cutline_table::{AttributeId, Code, Codes, CompressedTable, Numbering, Projection, with_codes};

pub(crate) use sieve::{Enough, Sieve};

/// An attribute under a cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labelling {
    /// The label of each code.
    pub(crate) label_of: Vec<u32>,
    /// Labels are below this number.
    pub(crate) labels: usize,
}

/// Attributes are packed into columns of at most so many combinations, so that a row needs few look-ups.
const MOST_COMBINATIONS: usize = 1 << 12;

/// The rows by some attributes.
#[derive(Debug)]
pub(crate) struct Grouping {
    packs: Vec<Pack>,
    rows: usize,
}

/// An attribute of some rows.
#[derive(Clone, Copy, Debug)]
struct Column<'a> {
    attribute: usize,
    codes: &'a Codes,
}

/// Several attributes in one column: the combinations of their codes that occur.
#[derive(Debug)]
struct Pack {
    attributes: Vec<usize>,
    /// The combination of each row.
    codes: Codes,
    /// For each attribute, its code in every combination.
    combinations: Vec<Vec<u32>>,
}

/// Buffers that are used again for every candidate.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    table: Vec<u32>,
    keys: Vec<u64>,
    renumber: Renumber,
}

impl Grouping {
    /// The rows of a table.
    pub(crate) fn new(table: &CompressedTable, attributes: &[AttributeId]) -> Self {
        let column = |&AttributeId(a): &AttributeId| Column { attribute: a, codes: &table.attributes[a].codes };
        Grouping::of_columns(table, attributes.iter().map(column).collect(), table.rows())
    }

    /// The distinct rows of some attributes of a table.
    pub(crate) fn of_projection(table: &CompressedTable, attributes: &[AttributeId], rows: &Projection<'_>) -> Self {
        let column = |(&AttributeId(a), codes)| Column { attribute: a, codes };
        let columns = attributes.iter().zip(rows.columns.iter().map(AsRef::as_ref)).map(column);
        Grouping::of_columns(table, columns.collect(), rows.rows())
    }

    /// Packs the attributes, those with few values first.
    fn of_columns(table: &CompressedTable, mut columns: Vec<Column<'_>>, rows: usize) -> Self {
        columns.sort_by_key(|column| table.attributes[column.attribute].domain.len());
        let mut packs: Vec<Pack> = Vec::new();
        let mut open: Option<(Vec<Column<'_>>, Numbering, usize)> = None;
        for column in columns {
            // One label more than values: `*` has one even where everything is disclosed.
            let values = table.attributes[column.attribute].domain.len() + 1;
            if let Some((columns, numbering, product)) = &mut open {
                let mut joined = numbering.clone();
                joined.refine(column.codes.iter(), values);
                if joined.len <= MOST_COMBINATIONS && product.saturating_mul(values) < 1 << 31 {
                    columns.push(column);
                    *product *= values;
                    *numbering = joined;
                    continue;
                }
            }
            let mut alone = Numbering::new(rows);
            alone.refine(column.codes.iter(), values);
            packs.extend(open.replace((vec![column], alone, values)).map(|pack| Pack::new(&pack.0, &pack.1)));
        }
        packs.extend(open.map(|pack| Pack::new(&pack.0, &pack.1)));
        Grouping { packs, rows }
    }

    /// Numbers the rows' combinations of labels below the returned limit; `ids` may leave numbers out.
    pub(crate) fn number(&self, labellings: &[Labelling], buffers: &mut Buffers, ids: &mut Vec<u32>) -> usize {
        ids.clear();
        ids.resize(self.rows, 0);
        match self.product(labellings).filter(|&product| self.is_array(product)) {
            Some(product) => {
                for pack in &self.packs {
                    pack.fill(labellings, &mut buffers.table);
                    pack.add(&buffers.table, pack.radix(labellings) as u32, ids);
                }
                product as usize
            }
            None => {
                let groups = self.keys(labellings, buffers);
                ids.copy_from_slice(&buffers.renumber.ids);
                groups
            }
        }
    }

    /// How many combinations of labels there could be.
    fn product(&self, labellings: &[Labelling]) -> Option<u64> {
        self.packs.iter().try_fold(1u64, |product, pack| product.checked_mul(pack.radix(labellings)))
    }

    /// Is an array with an entry for each of so many combinations not much larger than the rows?
    fn is_array(&self, product: u64) -> bool {
        product <= (8 * self.rows).max(1 << 10) as u64
    }

    /// The rare many groups: wide keys, numbered anew with a hash table before they could overflow and at the end.
    fn keys(&self, labellings: &[Labelling], buffers: &mut Buffers) -> usize {
        let Buffers { table, keys, renumber } = buffers;
        keys.clear();
        keys.resize(self.rows, 0);
        let mut range = 1u64;
        for pack in &self.packs {
            let width = pack.radix(labellings);
            if range.checked_mul(width).is_none() {
                range = renumber.run(keys) as u64;
                keys.iter_mut().zip(&renumber.ids).for_each(|(key, &id)| *key = u64::from(id));
            }
            pack.fill(labellings, table);
            with_codes!(&pack.codes, codes => {
                keys.iter_mut().zip(codes).for_each(|(key, code)| *key = *key * width + u64::from(table[code.index()]));
            });
            range = range.saturating_mul(width);
        }
        renumber.run(keys)
    }
}

impl Pack {
    fn new(columns: &[Column<'_>], numbering: &Numbering) -> Self {
        let first = numbering.first_rows();
        let codes_of = |column: &Column<'_>| first.iter().map(|&row| column.codes.get(row as usize)).collect();
        let combinations = columns.iter().map(codes_of).collect();
        let attributes = columns.iter().map(|column| column.attribute).collect();
        let codes = Codes::from_codes(numbering.of_row.iter().copied(), numbering.len);
        Pack { attributes, codes, combinations }
    }

    /// How many combinations of labels there could be.
    fn radix(&self, labellings: &[Labelling]) -> u64 {
        self.attributes.iter().map(|&a| labellings[a].labels as u64).product()
    }

    /// For every combination of codes, the number of its combination of labels.
    fn fill(&self, labellings: &[Labelling], table: &mut Vec<u32>) {
        table.clear();
        table.resize(self.combinations[0].len(), 0);
        for (&a, codes) in self.attributes.iter().zip(&self.combinations) {
            let Labelling { label_of, labels } = &labellings[a];
            let radix = *labels as u32;
            if radix > 1 {
                table.iter_mut().zip(codes).for_each(|(id, &code)| *id = *id * radix + label_of[code as usize]);
            }
        }
    }

    fn add(&self, table: &[u32], radix: u32, ids: &mut [u32]) {
        if radix > 1 {
            with_codes!(&self.codes, codes => {
                ids.iter_mut().zip(codes).for_each(|(id, code)| *id = *id * radix + table[code.index()]);
            });
        }
    }
}

/// Numbers for keys, in order of first appearance: a hash table with linear probing that need not be emptied.
#[derive(Debug, Default)]
pub(crate) struct Renumber {
    slots: Vec<Slot>,
    round: u32,
    pub(crate) ids: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    id: u32,
    round: u32,
}

impl Renumber {
    /// Fills `ids` and returns how many different keys there are.
    pub(crate) fn run(&mut self, keys: &[u64]) -> usize {
        let size = (keys.len() * 2).next_power_of_two().max(2);
        if self.slots.len() < size || self.round == u32::MAX {
            self.slots = vec![Slot::default(); size];
            self.round = 0;
        }
        self.round += 1;
        // Not all slots that there are: neighbours should be in a cache.
        let mask = size - 1;
        let mut next = 0;
        self.ids.clear();
        for &key in keys {
            let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
            let id = loop {
                let slot = &mut self.slots[at];
                if slot.round != self.round {
                    *slot = Slot { key, id: next, round: self.round };
                    next += 1;
                    break slot.id;
                }
                if slot.key == key {
                    break slot.id;
                }
                at = (at + 1) & mask;
            };
            self.ids.push(id);
        }
        next as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_as_they_appear() {
        let mut renumber = Renumber::default();
        assert_eq!(renumber.run(&[7, 1 << 60, 7, 0]), 3);
        assert_eq!(renumber.ids, [0, 1, 0, 2]);
        // The old keys are forgotten.
        assert_eq!(renumber.run(&[0, 7]), 2);
        assert_eq!(renumber.ids, [0, 1]);
    }
}
