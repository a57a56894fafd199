//! Which records have the same labels? Asked for every candidate of a genetic search, and so the cost of everything there.

use cutline_table::{AttributeId, Code, Codes, CompressedTable, Numbering, with_codes};

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
    /// Packs the attributes, those with few values first.
    pub(crate) fn new(table: &CompressedTable, attributes: &[AttributeId]) -> Self {
        let mut order: Vec<usize> = attributes.iter().map(|id| id.0).collect();
        order.sort_by_key(|&a| table.attributes[a].domain.len());
        let mut packs: Vec<Pack> = Vec::new();
        let mut open: Option<(Vec<usize>, Numbering, usize)> = None;
        for a in order {
            // One label more than values: `*` has one even where everything is disclosed.
            let values = table.attributes[a].domain.len() + 1;
            if let Some((attributes, numbering, product)) = &mut open {
                let mut joined = numbering.clone();
                joined.refine(table.attributes[a].codes.iter(), values);
                if joined.len <= MOST_COMBINATIONS && product.saturating_mul(values) < 1 << 31 {
                    attributes.push(a);
                    *product *= values;
                    *numbering = joined;
                    continue;
                }
            }
            let mut alone = Numbering::new(table.rows());
            alone.refine(table.attributes[a].codes.iter(), values);
            packs.extend(open.replace((vec![a], alone, values)).map(|pack| Pack::new(table, pack.0, pack.1)));
        }
        packs.extend(open.map(|pack| Pack::new(table, pack.0, pack.1)));
        Grouping { packs, rows: table.rows() }
    }

    /// Numbers the rows' combinations of labels below the returned limit; `ids` may leave numbers out.
    pub(crate) fn number(&self, labellings: &[Labelling], buffers: &mut Buffers, ids: &mut Vec<u32>) -> usize {
        let radix = |pack: &Pack| pack.attributes.iter().map(|&a| labellings[a].labels as u64).product::<u64>();
        let product = self.packs.iter().try_fold(1u64, |product, pack| product.checked_mul(radix(pack)));
        ids.clear();
        ids.resize(self.rows, 0);
        match product {
            // An array of counters that is not much larger than the rows.
            Some(product) if product <= (8 * self.rows).max(1 << 10) as u64 => {
                for pack in &self.packs {
                    pack.fill(labellings, &mut buffers.table);
                    pack.add(&buffers.table, radix(pack) as u32, ids);
                }
                product as usize
            }
            _ => {
                let groups = self.keys(labellings, buffers, radix);
                ids.copy_from_slice(&buffers.renumber.ids);
                groups
            }
        }
    }

    /// The rare many groups: wide keys, numbered anew with a hash table before they could overflow and at the end.
    fn keys(&self, labellings: &[Labelling], buffers: &mut Buffers, radix: impl Fn(&Pack) -> u64) -> usize {
        let Buffers { table, keys, renumber } = buffers;
        keys.clear();
        keys.resize(self.rows, 0);
        let mut range = 1u64;
        for pack in &self.packs {
            if range.checked_mul(radix(pack)).is_none() {
                range = renumber.run(keys) as u64;
                keys.iter_mut().zip(&renumber.ids).for_each(|(key, &id)| *key = u64::from(id));
            }
            pack.fill(labellings, table);
            let width = radix(pack);
            with_codes!(&pack.codes, codes => {
                keys.iter_mut().zip(codes).for_each(|(key, code)| *key = *key * width + u64::from(table[code.index()]));
            });
            range = range.saturating_mul(width);
        }
        renumber.run(keys)
    }
}

impl Pack {
    fn new(table: &CompressedTable, attributes: Vec<usize>, numbering: Numbering) -> Self {
        let first = numbering.first_rows();
        let codes_of =
            |&a: &usize| first.iter().map(|&row| table.attributes[a].codes.get(row as usize)).collect::<Vec<u32>>();
        let combinations = attributes.iter().map(codes_of).collect();
        let codes = Codes::from_codes(numbering.of_row.iter().copied(), numbering.len);
        Pack { attributes, codes, combinations }
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
        let mask = self.slots.len() - 1;
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
