//! The records of a group, side by side.

use cutline_table::{Code, Codes, with_codes};
use rayon::prelude::*;

/// Groups with so many rows are looked at by several threads.
pub(super) const MANY: usize = 4096;

/// Rows that lie together in memory, whatever their places in the table: counting them reads each column from front to back.
#[derive(Debug)]
pub(super) struct Rows<R> {
    /// What each attribute tells apart: bins of numbers, codes of everything else. Nothing of attributes that are told.
    pub(super) columns: Vec<Codes>,
    /// The codes of the sensitive attributes that conditions are about.
    pub(super) sensitive: Vec<Codes>,
    /// What earlier releases tell of the rows, if there are any.
    pub(super) histories: Option<Histories>,
    /// What counts for the purpose.
    pub(super) labels: Vec<R>,
    pub(super) weights: Vec<u64>,
}

/// The histories of rows, numbered from 0: groups have fewer the smaller they are, because each is that of at least k records.
#[derive(Debug)]
pub(super) struct Histories {
    pub(super) of_row: Codes,
    pub(super) len: usize,
}

impl Histories {
    /// Those of some rows, in numbers of their own.
    fn of(codes: &Codes, before: usize) -> Self {
        let mut numbers = vec![None; before];
        let mut len = 0;
        let mut number = |code: u32| {
            *numbers[code as usize].get_or_insert_with(|| {
                len += 1;
                len - 1
            })
        };
        let of_row: Vec<u32> = codes.iter().map(&mut number).collect();
        let len = len as usize;
        Histories { of_row: Codes::from_codes(of_row.into_iter(), len), len }
    }

    /// Those of each part of the rows.
    fn split(&self, part_of: &[u32], sizes: &[usize]) -> Vec<Self> {
        split_codes(&self.of_row, part_of, sizes).iter().map(|codes| Histories::of(codes, self.len)).collect()
    }
}

impl<R: Copy + Send + Sync> Rows<R> {
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// How many different histories they have; 0 where nothing is known of any.
    pub(super) fn histories(&self) -> usize {
        self.histories.as_ref().map_or(0, |histories| histories.len)
    }

    /// The rows of each part, in order; `part_of` says which part each row goes to. Only columns that are `open` are kept.
    pub(super) fn split(&self, part_of: &[u32], parts: usize, open: impl Fn(usize) -> bool + Sync) -> Vec<Rows<R>> {
        let mut sizes = vec![0; parts];
        part_of.iter().for_each(|&part| sizes[part as usize] += 1);
        let column = |(place, codes): (usize, &Codes)| match open(place) {
            true => split_codes(codes, part_of, &sizes),
            false => vec![Codes::default(); parts],
        };
        let columns: Vec<Vec<Codes>> = match self.len() {
            0..MANY => self.columns.iter().enumerate().map(column).collect(),
            _ => self.columns.par_iter().enumerate().map(column).collect(),
        };
        let sensitive = self.sensitive.iter().map(|codes| split_codes(codes, part_of, &sizes)).collect();
        let (mut columns, mut sensitive) = (turned(columns, parts), turned(sensitive, parts));
        let labels = scattered(&self.labels, part_of, &sizes);
        let weights = scattered(&self.weights, part_of, &sizes);
        let mut histories = self.histories.as_ref().map(|histories| histories.split(part_of, &sizes).into_iter());
        let rows = |(part, (labels, weights))| Rows {
            columns: std::mem::take(&mut columns[part]),
            sensitive: std::mem::take(&mut sensitive[part]),
            histories: histories.as_mut().and_then(Iterator::next),
            labels,
            weights,
        };
        labels.into_iter().zip(weights).enumerate().map(rows).collect()
    }
}

fn split_codes(codes: &Codes, part_of: &[u32], sizes: &[usize]) -> Vec<Codes> {
    match codes {
        Codes::U8(codes) => scattered(codes, part_of, sizes).into_iter().map(Codes::U8).collect(),
        Codes::U16(codes) => scattered(codes, part_of, sizes).into_iter().map(Codes::U16).collect(),
        Codes::U32(codes) => scattered(codes, part_of, sizes).into_iter().map(Codes::U32).collect(),
    }
}

fn scattered<T: Copy>(items: &[T], part_of: &[u32], sizes: &[usize]) -> Vec<Vec<T>> {
    let mut parts: Vec<Vec<T>> = sizes.iter().map(|&size| Vec::with_capacity(size)).collect();
    items.iter().zip(part_of).for_each(|(&item, &part)| parts[part as usize].push(item));
    parts
}

/// From parts of columns to columns of parts.
fn turned(columns: Vec<Vec<Codes>>, parts: usize) -> Vec<Vec<Codes>> {
    let mut turned: Vec<Vec<Codes>> = (0..parts).map(|_| Vec::with_capacity(columns.len())).collect();
    for column in columns {
        turned.iter_mut().zip(column).for_each(|(part, codes)| part.push(codes));
    }
    turned
}

/// The least and the greatest code.
pub(super) fn extremes(codes: &Codes) -> (u32, u32) {
    let widen = |(least, most): (u32, u32), code: u32| (least.min(code), most.max(code));
    with_codes!(codes, codes => codes.iter().map(|code| code.index() as u32).fold((u32::MAX, 0), widen))
}
