//! What becomes of the groups when a label is refined, where nothing counts but how many records they have.
//!
//! Only groups with that label change, so only their rows are looked at. What follows from it, in other QIDs too, is worked out from groups that
//! become too small, not from all rows.

use cutline_table::{AttributeId, Code, Numbering, TableQid, sums, with_codes};
use rayon::prelude::*;

use super::frontier::{Asked, Column, Frontier, Size, TooSmall};
use super::plain::{Groups, Index, Plain};

/// The rows with a label, after its refinement.
pub(super) struct Split {
    /// Ascending; nothing where nobody asks which they are.
    rows: Option<Vec<u32>>,
    /// Of each QID that has the attribute.
    of_qid: Vec<Option<Cells>>,
}

/// The parts that groups with a label fall into.
struct Cells {
    /// The part of each of the rows.
    of_row: Vec<u32>,
    /// The group that each was in.
    group: Vec<u32>,
    /// The part of the label.
    part: Vec<u32>,
    most_parts: usize,
    sizes: Vec<u64>,
    /// The groups that have the label.
    changed: Vec<u32>,
}

/// The groups of each QID, by group, if an attribute is not published at all; nothing of QIDs that lack it.
pub(super) struct Coarse {
    of_qid: Vec<Option<Numbering>>,
}

impl Split {
    /// The same, if nobody asks which rows these are.
    pub(super) fn without_rows(mut self) -> Self {
        self.rows = None;
        self.of_qid.iter_mut().flatten().for_each(|cells| cells.of_row = Vec::new());
        self
    }
}

/// Sums records of groups that are too small.
fn small<'s>(k: u64, sizes: impl IntoIterator<Item = &'s u64>) -> u64 {
    sizes.into_iter().filter(|&&size| size < k).sum()
}

impl Frontier<'_> {
    /// What becomes of the groups; nothing if more counts than how many records they have.
    pub(super) fn split(&self, asked: &Asked<'_>) -> Option<Split> {
        let plain = self.plain.as_ref()?;
        let column = &self.columns[asked.attribute];
        let label = asked.candidate.label;
        // With a single QID the sizes of its groups say all, so nobody asks which rows these have.
        if let ([groups], [qid]) = (&self.groups[..], self.qids())
            && qid.attributes.contains(&AttributeId(asked.attribute))
            && !plain.has_index(asked.attribute)
            && column.is_frequent(label)
            && let Some(cells) = self.counted(column, label, groups)
        {
            return Some(Split { of_qid: vec![Some(cells)], rows: None });
        }
        let rows = plain.rows_with(asked.attribute, &column.labels, label);
        let cells = |(qid, groups): (&TableQid, &Numbering)| {
            let has = qid.attributes.contains(&AttributeId(asked.attribute));
            has.then(|| self.cells(column, &rows, groups))
        };
        let of_qid = self.qids.par_iter().zip(&self.groups).map(cells).collect();
        Some(Split { of_qid, rows: Some(rows) })
    }

    /// The parts of groups where nobody asks which rows these have: records are added up and not put anywhere. Nothing if there could be far
    /// more parts than rows.
    fn counted(&self, column: &Column, label: u32, groups: &Numbering) -> Option<Cells> {
        let (rows, most_parts) = (self.weights.len(), column.most_parts);
        let possible = groups.len.checked_mul(most_parts).filter(|&possible| possible <= (2 * rows).max(1 << 16))?;
        let cell = |row: usize, part: usize| groups.of_row[row] as usize * most_parts + part;
        let weight = |row: usize| self.weights[row];
        let sums = with_codes!(&column.parts, parts => match column.is_everywhere(label) {
            true => sums(rows, possible, |row| cell(row, parts[row].index()), weight),
            // Those with other labels are added up too, in a place that nobody looks at.
            false => with_codes!(&column.labels, labels => sums(rows, possible + 1, |row| {
                if labels[row].index() == label as usize { cell(row, parts[row].index()) } else { possible }
            }, weight)),
        });
        let (of_row, group, part) = (Vec::new(), Vec::new(), Vec::new());
        let mut cells = Cells { of_row, group, part, most_parts, sizes: Vec::new(), changed: Vec::new() };
        for (cell, &size) in sums[..possible].iter().enumerate().filter(|(_, size)| **size > 0) {
            let group = (cell / most_parts) as u32;
            cells.group.push(group);
            cells.part.push((cell % most_parts) as u32);
            cells.sizes.push(size);
            if cells.changed.last() != Some(&group) {
                cells.changed.push(group);
            }
        }
        Some(cells)
    }

    fn cells(&self, column: &Column, rows: &[u32], groups: &Numbering) -> Cells {
        let group = |&row: &u32| groups.of_row[row as usize];
        let mut cells = Numbering { of_row: rows.iter().map(group).collect(), len: groups.len };
        with_codes!(&column.parts, parts => {
            cells.refine(rows.iter().map(|&row| parts[row as usize].index() as u32), column.most_parts);
        });
        let mut sizes = vec![0; cells.len];
        cells.of_row.iter().zip(rows).for_each(|(&cell, &row)| sizes[cell as usize] += self.weights[row as usize]);
        let first: Vec<u32> = cells.first_rows().into_iter().map(|at| rows[at as usize]).collect();
        let of_cell: Vec<u32> = first.iter().map(group).collect();
        let mut changed = of_cell.clone();
        changed.sort_unstable();
        changed.dedup();
        Cells {
            group: of_cell,
            part: first.iter().map(|&row| column.parts.get(row as usize)).collect(),
            most_parts: column.most_parts,
            of_row: cells.of_row,
            sizes,
            changed,
        }
    }

    /// The groups of a QID by their records, ascending.
    pub(super) fn sizes_of(&self, split: &Split, qid: usize) -> Vec<Size> {
        let Some(plain) = self.plain.as_ref().map(|plain| &plain.of_qid[qid]) else { return Vec::new() };
        let of_size = split.of_qid[qid]
            .as_ref()
            .map_or_else(|| plain.of_size.clone(), |cells| plain.after(&cells.changed, &cells.sizes));
        let size = |(members, groups)| Size { members, records: members * groups, groups };
        of_size.into_iter().map(size).filter(|size| size.records > 0).collect()
    }

    /// Does the requirement hold? Nothing if the sizes of groups do not say it, because what is suppressed for one QID may make groups of another
    /// one too small.
    fn says(&self, small: &[u64]) -> Option<bool> {
        let budget = self.budget();
        match small.iter().all(|&records| records == 0) || small.iter().any(|&records| records > budget) {
            true => Some(small.iter().all(|&records| records == 0)),
            false => (small.len() == 1).then_some(true),
        }
    }

    /// The records of each QID in groups that are too small for some thresholds.
    fn small(&self, split: &Split, thresholds: &[u64]) -> Vec<u64> {
        let small = |(qid, &k): (usize, &u64)| TooSmall::of(k, &self.sizes_of(split, qid)).records;
        thresholds.iter().enumerate().map(small).collect()
    }

    /// Would the requirement hold with some thresholds?
    pub(super) fn split_holds(&self, split: &Split, thresholds: &[u64]) -> bool {
        self.says(&self.small(split, thresholds))
            .unwrap_or_else(|| self.split_suppressed(split, thresholds) <= self.budget())
    }

    /// The groups if an attribute was not published.
    pub(super) fn coarse(&self, without: usize) -> Option<Coarse> {
        let plain = self.plain.as_ref()?;
        let merged = |(qid, Groups { first, .. }): (&TableQid, &Groups)| {
            let mut groups = Numbering::new(first.len());
            for column in self.columns_of(qid, Some(without)) {
                let labels: Vec<u32> = first.iter().map(|&row| column.labels.get(row as usize)).collect();
                groups.refine_rows(&labels, column.distinct);
            }
            qid.attributes.contains(&AttributeId(without)).then_some(groups)
        };
        Some(Coarse { of_qid: self.qids.iter().zip(&plain.of_qid).map(merged).collect() })
    }

    /// Would the requirement hold, if that attribute was not published? Nothing if that is not known.
    pub(super) fn coarse_holds(&self, split: &Split, coarse: &Coarse) -> Option<bool> {
        let small = |(qid, TableQid { k, .. }): (usize, &TableQid)| match &coarse.of_qid[qid] {
            None => TooSmall::of(*k, &self.sizes_of(split, qid)).records,
            Some(groups) => self.small_of_merged(split, qid, groups),
        };
        self.says(&self.qids.iter().enumerate().map(small).collect::<Vec<_>>())
    }

    /// The records in groups of a QID that are too small, if some of its groups are one.
    fn small_of_merged(&self, split: &Split, qid: usize, merged: &Numbering) -> u64 {
        let k = self.qids[qid].k;
        let Some(plain) = self.plain.as_ref().map(|plain| &plain.of_qid[qid]) else { return 0 };
        let Some(cells) = &split.of_qid[qid] else { return small(k, &merged.sizes(&plain.sizes)) };
        let group = |&group: &u32| merged.of_row[group as usize];
        let mut parts = Numbering { of_row: cells.group.iter().map(group).collect(), len: merged.len };
        parts.refine(cells.part.iter().copied(), cells.most_parts);
        small(k, &merged.sizes(&plain.without(&cells.changed))) + small(k, &parts.sizes(&cells.sizes))
    }

    /// The records that would have to be suppressed: a suppressed record leaves its groups of all QIDs, which may make those too small in turn.
    pub(super) fn split_suppressed(&self, split: &Split, thresholds: &[u64]) -> u64 {
        let (Some(plain), Some(rows)) = (&self.plain, &split.rows) else {
            // Nobody asks for the rows where there is one QID: there whoever is suppressed leaves no other group.
            debug_assert!(self.qids.len() == 1, "the rows of the parts are not known");
            return self.small(split, thresholds).iter().sum();
        };
        let cascade = Cascade::new(self, (split, rows), plain);
        let mut sizes = cascade.sizes();
        let mut small = too_small(&sizes, thresholds);
        let mut gone = vec![false; self.weights.len()];
        let mut suppressed = 0;
        while let Some((qid, group)) = small.pop() {
            for &row in cascade.rows(qid, group) {
                if std::mem::replace(&mut gone[row as usize], true) {
                    continue;
                }
                let records = self.weights[row as usize];
                suppressed += records;
                for (qid, &k) in thresholds.iter().enumerate() {
                    let group = cascade.group(qid, row);
                    let size = &mut sizes[qid][group];
                    let enough = *size >= k;
                    *size -= records;
                    if enough && *size < k {
                        small.push((qid, group));
                    }
                }
            }
        }
        suppressed
    }
}

/// Groups that lose records. Parts of groups that are split have the numbers after those of groups.
struct Cascade<'c> {
    groups: &'c [Numbering],
    split: &'c Split,
    plain: &'c Plain,
    parts: Vec<Index>,
    places: Places,
}

/// Where rows are among some of them: which of 64 rows these are, and how many are before.
struct Places(Vec<(u64, u32)>);

impl Places {
    fn new(rows: &[u32], all: usize) -> Self {
        let mut places = vec![(0, 0); all.div_ceil(64)];
        rows.iter().for_each(|&row| places[row as usize / 64].0 |= 1u64 << (row % 64));
        let mut before = 0;
        for (rows, place) in &mut places {
            *place = before;
            before += rows.count_ones();
        }
        Places(places)
    }

    fn of(&self, row: u32) -> Option<usize> {
        let (rows, before) = self.0[row as usize / 64];
        let bit = 1u64 << (row % 64);
        (rows & bit != 0).then(|| before as usize + (rows & (bit - 1)).count_ones() as usize)
    }
}

impl<'c> Cascade<'c> {
    fn new(frontier: &'c Frontier<'_>, (split, rows): (&'c Split, &[u32]), plain: &'c Plain) -> Self {
        let parts = |cells: &Cells| Index::new(&cells.of_row, cells.sizes.len(), |at| rows[at]);
        let parts = split.of_qid.iter().map(|cells| cells.as_ref().map(parts).unwrap_or_default());
        let places = Places::new(rows, frontier.weights.len());
        Cascade { groups: &frontier.groups, parts: parts.collect(), places, split, plain }
    }

    /// The records of each group, before any is suppressed.
    fn sizes(&self) -> Vec<Vec<u64>> {
        let sizes = |(cells, groups): (&Option<Cells>, &Groups)| match cells {
            Some(cells) => [groups.without(&cells.changed), cells.sizes.clone()].concat(),
            None => groups.sizes.clone(),
        };
        self.split.of_qid.iter().zip(&self.plain.of_qid).map(sizes).collect()
    }

    fn rows(&self, qid: usize, group: usize) -> &[u32] {
        match group.checked_sub(self.groups[qid].len) {
            Some(part) => self.parts[qid].of(part),
            None => self.plain.of_qid[qid].rows.of(group),
        }
    }

    fn group(&self, qid: usize, row: u32) -> usize {
        let groups = &self.groups[qid];
        let part = || {
            let cells = self.split.of_qid[qid].as_ref()?;
            Some(groups.len + cells.of_row[self.places.of(row)?] as usize)
        };
        part().unwrap_or(groups.of_row[row as usize] as usize)
    }
}

/// The groups of each QID that are too small.
fn too_small(sizes: &[Vec<u64>], thresholds: &[u64]) -> Vec<(usize, usize)> {
    let of_qid = |(qid, (sizes, &k)): (usize, (&Vec<u64>, &u64))| {
        let small = sizes.iter().enumerate().filter(move |(_, size)| (1..k).contains(*size));
        small.map(move |(group, _)| (qid, group)).collect::<Vec<_>>()
    };
    sizes.iter().zip(thresholds).enumerate().flat_map(of_qid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_among_some() {
        let rows = [0, 3, 63, 64, 200];
        let places = Places::new(&rows, 201);
        let expected = |row: u32| rows.binary_search(&row).ok();
        assert!((0..201).all(|row| places.of(row) == expected(row)));
    }
}
