//! The qid groups of one QID, and how generalizations merge them.
//!
//! This does the work of the paper's TEA index without its tree: a vid is found by a hash of its labels that is updated in
//! constant time when one label changes, and every label links to the vids that have it. A generalization touches the vids on
//! the links of the labels that it replaces, and no others.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use cutline_table::{AttributeId, Codes, CompressedTable, Projection, TableQid};
use hashbrown::HashTable;

use super::cut::{Cut, Merge};

/// The groups of one QID.
#[derive(Debug)]
pub(crate) struct Vids {
    /// Its attributes, by position in the table.
    attributes: Vec<usize>,
    k: u64,
    /// For each attribute, the label of each vid; then its history in earlier releases, if they tell of it, which nothing generalizes.
    labels: Vec<Vec<u32>>,
    /// a(vid); 0 for a vid that was merged into another.
    records: Vec<u64>,
    /// The hash of each vid's labels.
    hashes: Vec<u64>,
    /// Live vids by their labels.
    by_labels: HashTable<u32>,
    /// For each attribute and label, the vids that have it. Some may have been merged since.
    links: Vec<Vec<Vec<u32>>>,
    /// How many live vids have each size.
    sizes: BTreeMap<u64, u64>,
    /// Live vids by size, for sizes below k.
    small: HashMap<u64, Vec<u32>>,
    /// Where each of those vids stands in its list.
    place: Vec<u32>,
}

impl Vids {
    /// The vids of the table under some cuts.
    pub(crate) fn new(table: &CompressedTable, qid: &TableQid, cuts: &[Cut]) -> Self {
        let rows = Projection::of(table, qid);
        let label = |(&AttributeId(a), codes): (&AttributeId, &Cow<'_, Codes>)| -> Vec<u32> {
            let label_of = cuts[a].label_of();
            codes.iter().map(|code| label_of[code as usize]).collect()
        };
        let mut labels: Vec<Vec<u32>> = qid.attributes.iter().zip(&rows.columns).map(label).collect();
        labels.extend(rows.histories.iter().map(|histories| histories.iter().collect()));
        Vids::of_rows(qid, &labels, &rows.weights, cuts)
    }

    /// The vids of rows with these labels of each attribute, and so many records.
    pub(crate) fn of_rows(qid: &TableQid, rows: &[Vec<u32>], records: &[u64], cuts: &[Cut]) -> Self {
        let attributes: Vec<usize> = qid.attributes.iter().map(|attribute| attribute.0).collect();
        let links = attributes.iter().map(|&a| vec![Vec::new(); cuts[a].labels()]).collect();
        let mut vids = Vids {
            attributes,
            k: qid.k,
            labels: vec![Vec::new(); rows.len()],
            records: Vec::new(),
            hashes: Vec::new(),
            by_labels: HashTable::with_capacity(records.len()),
            links,
            sizes: BTreeMap::new(),
            small: HashMap::new(),
            place: Vec::new(),
        };
        records.iter().enumerate().for_each(|(row, &records)| vids.add_row(rows, row, records));
        vids.index();
        vids
    }

    /// Adds a row; rows that differ only within bins or in their target are one vid.
    fn add_row(&mut self, rows: &[Vec<u32>], row: usize, records: u64) {
        let hash = rows.iter().enumerate().fold(0, |hash, (local, labels)| hash ^ label_hash(local, labels[row]));
        let Vids { labels, by_labels, hashes, .. } = self;
        let same = |&vid: &u32| rows.iter().zip(&*labels).all(|(rows, labels)| rows[row] == labels[vid as usize]);
        if let Some(&vid) = by_labels.find(hash, same) {
            self.records[vid as usize] += records;
            return;
        }
        by_labels.insert_unique(hash, hashes.len() as u32, |&vid| hashes[vid as usize]);
        self.hashes.push(hash);
        self.records.push(records);
        self.labels.iter_mut().zip(rows).for_each(|(labels, rows)| labels.push(rows[row]));
    }

    /// Links the vids by label and by size.
    fn index(&mut self) {
        for (links, labels) in self.links.iter_mut().zip(&self.labels) {
            labels.iter().enumerate().for_each(|(vid, &label)| links[label as usize].push(vid as u32));
        }
        self.place = vec![0; self.records.len()];
        for vid in 0..self.records.len() {
            self.count_in(vid as u32);
        }
    }

    /// The QID's attributes, by position in the table.
    pub(crate) fn attributes(&self) -> &[usize] {
        &self.attributes
    }

    /// A(QID).
    pub(crate) fn anonymity(&self) -> u64 {
        self.sizes.keys().next().copied().unwrap_or(0)
    }

    /// Does the requirement hold for this QID?
    pub(crate) fn holds(&self) -> bool {
        self.anonymity() >= self.k
    }

    /// The generalizations of an attribute that raise A(QID), unless it is k: those that merge every anonymity vid with another vid. One
    /// that is not merged keeps its size, and with it A(QID) (2004 paper, Theorem 1).
    pub(crate) fn critical(&self, local: usize, cut: &Cut) -> Vec<u32> {
        let mut touching = cut.touching(self.anonymity_vids().map(|vid| self.labels[local][vid as usize]));
        touching.retain(|&target| {
            let merge = cut.merge(target);
            self.anonymity_vids().all(|vid| self.has_twin(vid, local, &merge))
        });
        touching
    }

    /// The vids of the smallest size.
    fn anonymity_vids(&self) -> impl Iterator<Item = u32> {
        self.small.get(&self.anonymity()).into_iter().flatten().copied()
    }

    /// Would a generalization merge this vid with another?
    fn has_twin(&self, vid: u32, local: usize, merge: &Merge) -> bool {
        let own = self.labels[local][vid as usize];
        let without = self.hashes[vid as usize] ^ label_hash(local, own);
        let others = merge.from.iter().filter(|&&label| label != own);
        others.into_iter().any(|&label| self.find(without ^ label_hash(local, label), vid, local, label).is_some())
    }

    /// The live vid that has `label` in one attribute and the labels of `like` in all others.
    fn find(&self, hash: u64, like: u32, local: usize, label: u32) -> Option<u32> {
        let same = |&vid: &u32| {
            self.labels.iter().enumerate().all(|(other, labels)| {
                labels[vid as usize] == if other == local { label } else { labels[like as usize] }
            })
        };
        self.by_labels.find(hash, same).copied()
    }

    /// How much a generalization would raise A(QID), up to k.
    pub(crate) fn gain(&self, local: usize, merge: &Merge) -> u64 {
        let now = self.anonymity();
        let mut merged: HashTable<(u32, u64)> = HashTable::new();
        let mut touched: HashMap<u64, u64> = HashMap::new();
        for vid in self.touched(local, merge) {
            let records = self.records[vid as usize];
            if records < self.k {
                *touched.entry(records).or_default() += 1;
            }
            let hash = self.generalized_hash(vid, local, merge.to);
            let same = |&(other, _): &(u32, u64)| self.same_elsewhere(vid, other, local);
            match merged.find_mut(hash, same) {
                Some((_, sum)) => *sum += records,
                None => {
                    merged.insert_unique(hash, (vid, records), |&(other, _)| {
                        self.generalized_hash(other, local, merge.to)
                    });
                }
            }
        }
        let new = merged.iter().map(|&(_, sum)| sum).min().unwrap_or(u64::MAX);
        let untouched =
            |(size, vids): (&u64, &u64)| touched.get(size).is_none_or(|touched| touched < vids).then_some(*size);
        let old = self.sizes.range(..self.k).find_map(untouched).unwrap_or(u64::MAX);
        new.min(old).min(self.k) - now
    }

    /// The live vids that a generalization replaces.
    fn touched<'a>(&'a self, local: usize, merge: &'a Merge) -> impl Iterator<Item = u32> + 'a {
        let links = merge.from.iter().map(move |&label| (label, &self.links[local][label as usize]));
        let live =
            move |label: u32, vid: u32| self.records[vid as usize] > 0 && self.labels[local][vid as usize] == label;
        links.flat_map(move |(label, link)| link.iter().copied().filter(move |&vid| live(label, vid)))
    }

    fn generalized_hash(&self, vid: u32, local: usize, to: u32) -> u64 {
        self.hashes[vid as usize] ^ label_hash(local, self.labels[local][vid as usize]) ^ label_hash(local, to)
    }

    fn same_elsewhere(&self, one: u32, other: u32, local: usize) -> bool {
        let labels = self.labels.iter().enumerate().filter(|&(index, _)| index != local);
        labels.into_iter().all(|(_, labels)| labels[one as usize] == labels[other as usize])
    }

    /// Applies a generalization of an attribute, if the QID has it.
    ///
    /// Vids are found again at random places of a table that is larger than any cache. So all that change are taken out in the order of
    /// their places there, and put in again in the order of their new ones: neighbours are read together.
    pub(crate) fn merge(&mut self, attribute: usize, merge: &Merge) {
        let Some(local) = self.attributes.iter().position(|&a| a == attribute) else { return };
        let mut changed = Vec::new();
        for &from in merge.from.iter().filter(|&&from| from != merge.to) {
            let vids = std::mem::take(&mut self.links[local][from as usize]);
            changed.extend(vids.into_iter().filter(|&vid| self.records[vid as usize] > 0));
        }
        for (hash, vid) in self.by_place(&changed) {
            if let Ok(entry) = self.by_labels.find_entry(hash, |&other| other == vid) {
                entry.remove();
            }
        }
        for &vid in &changed {
            self.hashes[vid as usize] = self.generalized_hash(vid, local, merge.to);
            self.labels[local][vid as usize] = merge.to;
        }
        for (hash, vid) in self.by_place(&changed) {
            self.put_in(hash, vid, local, merge.to);
        }
        let left = changed.into_iter().filter(|&vid| self.records[vid as usize] > 0);
        self.links[local][merge.to as usize].extend(left);
    }

    /// Vids and their hashes, in the order of the places that these give them: the lowest bits.
    fn by_place(&self, vids: &[u32]) -> Vec<(u64, u32)> {
        let places = (self.by_labels.capacity() as u64 * 8 / 7).next_power_of_two() - 1;
        let mut keyed: Vec<(u64, u32)> = vids.iter().map(|&vid| (self.hashes[vid as usize], vid)).collect();
        keyed.sort_unstable_by_key(|(hash, _)| hash & places);
        keyed
    }

    /// Puts a vid in that was taken out. If there is a vid with the same labels already, they become one: the other.
    fn put_in(&mut self, hash: u64, vid: u32, local: usize, label: u32) {
        let Some(twin) = self.find(hash, vid, local, label) else {
            let hashes = &self.hashes;
            self.by_labels.insert_unique(hash, vid, |&other| hashes[other as usize]);
            return;
        };
        self.count_out(vid);
        self.count_out(twin);
        self.records[twin as usize] += std::mem::take(&mut self.records[vid as usize]);
        self.count_in(twin);
    }

    fn count_in(&mut self, vid: u32) {
        let size = self.records[vid as usize];
        *self.sizes.entry(size).or_default() += 1;
        if size < self.k {
            let vids = self.small.entry(size).or_default();
            self.place[vid as usize] = vids.len() as u32;
            vids.push(vid);
        }
    }

    fn count_out(&mut self, vid: u32) {
        let size = self.records[vid as usize];
        if let Some(vids) = self.sizes.get_mut(&size) {
            *vids -= 1;
            if *vids == 0 {
                self.sizes.remove(&size);
            }
        }
        if let Some(vids) = self.small.get_mut(&size) {
            let place = self.place[vid as usize];
            vids.swap_remove(place as usize);
            if let Some(&moved) = vids.get(place as usize) {
                self.place[moved as usize] = place;
            }
            if vids.is_empty() {
                self.small.remove(&size);
            }
        }
    }
}

/// A fixed random-looking number for each label of each attribute; a vid's hash is the exclusive or of its labels' (splitmix64).
fn label_hash(local: usize, label: u32) -> u64 {
    let mut mixed = ((local as u64) << 32 | u64::from(label)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
