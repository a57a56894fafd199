//! The released records by their labels.

use std::ops::Range;

use cutline_table::Numbering;

use super::tables::Linkage;

/// Groups of released records that no adversary can tell apart: the same labels, suppressed or not.
#[derive(Debug)]
pub(super) struct Groups {
    /// The labels of each group, in lexicographic order.
    labels: Vec<Vec<u32>>,
    /// The records of each.
    pub(super) sizes: Vec<u64>,
    /// The group of each record.
    pub(super) of_record: Vec<u32>,
    /// The group of suppressed records, if there are any: the last one.
    pub(super) suppressed: Option<u32>,
    /// Are those records matched only by persons who match no others?
    apart: bool,
    /// The persons of each group, ascending, if they are counted.
    people: Option<Vec<Vec<u32>>>,
}

/// What a person matches.
#[derive(Clone, Debug, Default)]
pub(super) struct Matched {
    pub(super) groups: Vec<u32>,
    /// Are the suppressed records among them?
    pub(super) suppressed: bool,
}

impl Groups {
    pub(super) fn new(tables: &Linkage) -> Self {
        let columns = tables.released.columns();
        let mut numbering = Numbering::new(tables.released.len());
        numbering.refine(tables.suppressed.iter().map(|&suppressed| u32::from(suppressed)), 2);
        for &place in &tables.on {
            numbering.refine(columns[place].codes.iter().copied(), columns[place].texts.len());
        }
        let first = numbering.first_rows();
        let labels = |&row: &u32| tables.on.iter().map(|&place| columns[place].codes[row as usize]).collect();
        let key = |row: &u32| (tables.suppressed[*row as usize], labels(row));
        let keys: Vec<(bool, Vec<u32>)> = first.iter().map(key).collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_unstable_by(|&a, &b| keys[a].cmp(&keys[b]));
        let mut place = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&number, group)| place[number] = group);
        let of_record: Vec<u32> = numbering.of_row.iter().map(|&number| place[number as usize]).collect();
        let mut sizes = vec![0; order.len()];
        of_record.iter().for_each(|&group| sizes[group as usize] += 1);
        // Suppressed records have the same labels everywhere, so they are one group, and it is sorted behind the others.
        let suppressed = order.last().filter(|&&last| keys[last].0).map(|_| order.len() as u32 - 1);
        let labels = order.iter().map(|&number| keys[number].1.clone()).collect();
        let people = tables.people.as_ref().map(|people| people_of(&of_record, order.len(), people));
        Groups { labels, sizes, of_record, suppressed, apart: tables.apart, people }
    }

    /// What some groups count together: persons, or records.
    pub(super) fn members(&self, groups: &[u32]) -> u64 {
        let Some(people) = &self.people else {
            return groups.iter().map(|&group| self.sizes[group as usize]).sum();
        };
        match groups {
            [group] => people[*group as usize].len() as u64,
            _ => {
                let mut all: Vec<u32> = groups.iter().flat_map(|&group| &people[group as usize]).copied().collect();
                all.sort_unstable();
                all.dedup();
                all.len() as u64
            }
        }
    }

    /// Are persons counted?
    pub(super) fn counts_persons(&self) -> bool {
        self.people.is_some()
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The groups whose labels are all among those that cover a person's values.
    pub(super) fn matching(&self, covering: &[&[u32]]) -> Matched {
        let mut groups = Vec::new();
        let told = self.len() - usize::from(self.suppressed.is_some());
        self.descend(covering, 0, 0..told, &mut groups);
        let suppressed = self.suppressed.filter(|_| !self.apart || groups.is_empty());
        groups.extend(suppressed);
        Matched { groups, suppressed: suppressed.is_some() }
    }

    /// Narrows a range of groups that agree on the columns before this one.
    fn descend(&self, covering: &[&[u32]], column: usize, range: Range<usize>, found: &mut Vec<u32>) {
        let Some(labels) = covering.get(column) else {
            return found.extend(range.map(|group| group as u32));
        };
        let groups = &self.labels[range.clone()];
        for &label in *labels {
            let start = range.start + groups.partition_point(|group| group[column] < label);
            let end = range.start + groups.partition_point(|group| group[column] <= label);
            if start < end {
                self.descend(covering, column + 1, start..end, found);
            }
        }
    }

    /// Do these labels cover all of those of a group?
    pub(super) fn is_covered(&self, group: u32, covering: &[&[u32]]) -> bool {
        let labels = self.labels[group as usize].iter();
        labels.zip(covering).all(|(label, covering)| covering.binary_search(label).is_ok())
    }
}

/// The different persons behind the records of each group.
fn people_of(of_record: &[u32], groups: usize, people: &[u32]) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new(); groups];
    of_record.iter().zip(people).for_each(|(&group, &person)| found[group as usize].push(person));
    for people in &mut found {
        people.sort_unstable();
        people.dedup();
    }
    found
}
