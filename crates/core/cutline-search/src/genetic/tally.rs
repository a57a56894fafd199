//! CM where groups are few: the records of each class in every group, counted at once.
//!
//! Rows are in the order of their class and weight, so that what is added to a counter is the same for long stretches of them.

use cutline_table::{CompressedTable, TableQid};

use super::columns::{BLOCK, Columns, Number, Numbers};
use super::genes::{Genes, Labellings};
use super::majority::Classes;
use crate::grouping::Labelling;

/// So many groups are counted at once; with few rows, so many as there are.
const MOST_CELLS: usize = 1 << 18;
const FEWEST_CELLS: usize = 1 << 10;

/// So many counters at most, for all classes.
const MOST_COUNTERS: usize = 1 << 20;

/// Rows that follow each other are often in the same group: few cells are counted in several arrays in turn, because a counter that was
/// just written has to be waited for.
const LANES: usize = 4;
const FEW_CELLS: usize = 1 << 12;

/// The rows by class, ready to be counted in the groups of any candidate.
#[derive(Debug)]
pub(crate) struct Tally {
    columns: Columns,
    stretches: Vec<Stretch>,
    classes: usize,
    k: u64,
}

/// Rows that follow each other.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    end: usize,
    class: usize,
    /// The records of each.
    weight: u32,
}

/// The records of every class in every group: as many counters for each class as there are groups.
pub(crate) type Counters = Vec<u32>;

impl Tally {
    /// The rows of a table by the attributes of a QID; nothing if records cannot be counted in four bytes.
    pub(crate) fn new(table: &CompressedTable, qid: &TableQid, genes: &Genes<'_>, classes: &Classes) -> Option<Self> {
        u32::try_from(table.records).ok()?;
        let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
        let pair = |row: u32| classes.pair(row as usize);
        rows.sort_by_key(|&row| pair(row));
        let stretch = |rows: &[u32]| (rows.len(), pair(rows[0]));
        let mut end = 0;
        let stretches = rows.chunk_by(|&one, &other| pair(one) == pair(other)).map(stretch).map(|(len, pair)| {
            end += len;
            Stretch { end, class: pair.0 as usize, weight: pair.1 as u32 }
        });
        let stretches = stretches.collect();
        let mut finest = Labellings::default();
        genes.decode(&vec![true; genes.len()], &mut finest);
        let columns = Columns::new(table, &qid.attributes, &finest, &rows);
        Some(Tally { columns, stretches, classes: classes.len(), k: qid.k })
    }

    /// The records in groups of fewer than k, and the sum of all penalties; nothing if there could be many groups.
    pub(crate) fn count(
        &self,
        labellings: &[Labelling],
        classes: &Classes,
        counters: &mut Counters,
    ) -> Option<(u64, f64)> {
        let most = self.columns.rows.clamp(FEWEST_CELLS, MOST_CELLS).min(MOST_COUNTERS / self.classes.max(1));
        let numbers = self.columns.numbers(labellings, most)?;
        match numbers.cells <= 1 << 16 {
            true => self.fill::<u16>(&numbers, counters),
            false => self.fill::<u32>(&numbers, counters),
        }
        Some(classes.counted(numbers.cells, self.k, counters))
    }

    /// Counts the records of each class in every group.
    fn fill<N: Number>(&self, numbers: &Numbers, counters: &mut Counters) {
        let lanes = if numbers.cells <= FEW_CELLS { LANES } else { 1 };
        let each = numbers.cells * lanes;
        counters.clear();
        counters.resize(each * self.classes, 0);
        let mut ids = [N::ZERO; BLOCK];
        let (mut start, mut stretches) = (0, self.stretches.iter().peekable());
        while start < self.columns.rows {
            let end = (start + BLOCK).min(self.columns.rows);
            let mut ids = &mut ids[..end - start];
            self.columns.number(numbers, start..end, ids);
            while let Some(&&Stretch { end: last, class, weight }) = stretches.peek() {
                let (now, later) = ids.split_at_mut(last.min(end) - start);
                let counters = &mut counters[class * each..(class + 1) * each];
                add(now, weight, numbers.cells, counters);
                (ids, start) = (later, last.min(end));
                if last > end {
                    break;
                }
                stretches.next();
            }
            start = end;
        }
        join(counters, numbers.cells, lanes);
    }
}

/// Adds the same to the counters of some rows.
fn add<N: Number>(ids: &[N], weight: u32, cells: usize, counters: &mut [u32]) {
    if counters.len() == cells {
        return ids.iter().for_each(|id| counters[id.index()] += weight);
    }
    let (lower, upper) = counters.split_at_mut(2 * cells);
    let ((one, two), (three, four)) = (lower.split_at_mut(cells), upper.split_at_mut(cells));
    let fours = ids.chunks_exact(LANES);
    fours.remainder().iter().for_each(|id| one[id.index()] += weight);
    for ids in fours {
        one[ids[0].index()] += weight;
        two[ids[1].index()] += weight;
        three[ids[2].index()] += weight;
        four[ids[3].index()] += weight;
    }
}

/// One counter for each class and group, where there are several.
fn join(counters: &mut Counters, cells: usize, lanes: usize) {
    if lanes > 1 {
        let classes = counters.len() / (cells * lanes);
        for class in 0..classes {
            for cell in 0..cells {
                let lane = |lane: usize| counters[(class * lanes + lane) * cells + cell];
                counters[class * cells + cell] = (0..lanes).map(lane).sum();
            }
        }
        counters.truncate(classes * cells);
    }
}
