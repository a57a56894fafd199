//! Which records are drawn, and what are their cells?
//!
//! As long as all records are drawn, nothing is noted of them, and codes that all blocks share stay where they are. Only where some are left
//! out, or there are too many, each has a number.

use cutline_engine::{Sample, SampleColumn, SamplePlan};
use cutline_table::{CodedColumn, Codes, FRESH};
use hashbrown::HashMap;
use rayon::prelude::*;

use crate::sample::Look;

/// The cells of a run of records.
pub(crate) enum DrawnCells<'a> {
    /// Codes that were told before, and texts that are fresh.
    OfBlock(&'a CodedColumn),
    /// Codes that all blocks share. Whoever has them knows their texts.
    Shared(&'a [u32]),
}

/// The code of each text.
type Texts = HashMap<Option<String>, u32>;

/// The records drawn so far.
pub(crate) struct Drawing {
    size: usize,
    seed: u64,
    /// Which records are kept; nothing as long as all of them are.
    sifted: Option<Sifted>,
    /// Are codes kept here that all blocks share?
    keeps_shared: bool,
    columns: Vec<Codes>,
    texts: Vec<Texts>,
    looks: Vec<Look>,
    records: u64,
    dropped: u64,
}

/// The records that are kept where others are not: those whose numbers have the smallest hashes.
struct Sifted {
    /// The hash of each record that is kept. Those above `limit` are not kept.
    hashes: Vec<u64>,
    limit: u64,
    /// Which record of the table each of them is.
    positions: Vec<u64>,
}

impl Sifted {
    /// So many records, all of a table so far.
    fn all(seed: u64, records: u64) -> Self {
        let hashes = (0..records).map(|record| mix(seed, record)).collect();
        Sifted { hashes, limit: u64::MAX, positions: (1..=records).collect() }
    }
}

impl Drawing {
    pub(crate) fn new(plan: &SamplePlan) -> Self {
        let columns = plan.columns.len();
        Drawing {
            size: plan.size.max(1),
            seed: plan.seed,
            sifted: None,
            keeps_shared: false,
            columns: vec![Codes::default(); columns],
            texts: vec![HashMap::new(); columns],
            looks: vec![Look::default(); columns],
            records: 0,
            dropped: 0,
        }
    }

    /// Will not all records be kept once these are added?
    pub(crate) fn sifts(&self, records: usize, left_out: &[bool]) -> bool {
        self.sifted.is_some() || left_out.contains(&true) || self.is_more_than_twice(self.records as usize + records)
    }

    /// Twice as many as wanted are kept, so that throwing some away is rare.
    fn is_more_than_twice(&self, records: usize) -> bool {
        records / 2 > self.size
    }

    /// Keeps codes that all blocks share from now on: `held` has those of all records so far, of each column that has such codes. To be asked
    /// for before records are [sifted](Drawing::sifts), and while they are there.
    pub(crate) fn keep_shared<'a>(&mut self, held: impl IndexedParallelIterator<Item = Option<&'a Codes>>) {
        if self.keeps_shared {
            return;
        }
        let records = self.records as usize;
        let columns = self.columns.par_iter_mut().zip(held);
        columns.filter_map(|(kept, held)| Some((kept, held?))).for_each(|(kept, held)| *kept = held.first(records));
        self.keeps_shared = true;
    }

    /// Adds the next records, of which some may be left out. Tells the codes of the fresh texts of each drawn column, as far as they are
    /// drawn.
    pub(crate) fn add<'a>(
        &mut self,
        records: usize,
        left_out: &[bool],
        columns: impl Iterator<Item = DrawnCells<'a>>,
    ) -> Vec<Vec<Option<u32>>> {
        const MANY_RECORDS: usize = 1 << 14;
        if self.sifts(records, left_out) && self.sifted.is_none() {
            self.sifted = Some(Sifted::all(self.seed, self.records));
        }
        let rows = self.drawn_rows(records, left_out);
        let keeps_shared = self.keeps_shared;
        let add = |((kept, texts), column): ((&mut Codes, &mut Texts), DrawnCells<'a>)| match column {
            DrawnCells::OfBlock(column) if column.fresh.is_empty() && rows.is_none() => {
                kept.extend(column.codes.iter().copied());
                Vec::new()
            }
            DrawnCells::OfBlock(column) => {
                let (codes, told) = numbered(texts, column, rows.as_deref());
                kept.extend(codes.into_iter());
                told
            }
            DrawnCells::Shared(codes) => {
                match &rows {
                    _ if !keeps_shared => debug_assert!(rows.is_none(), "who sifts keeps what all blocks share"),
                    None => kept.extend(codes.iter().copied()),
                    Some(rows) => kept.extend(rows.iter().map(|&row| codes[row])),
                }
                Vec::new()
            }
        };
        let columns: Vec<DrawnCells<'a>> = columns.collect();
        let at_once = if records < MANY_RECORDS { columns.len().max(1) } else { 1 };
        let all = self.columns.par_iter_mut().zip(&mut self.texts).zip(columns).with_min_len(at_once);
        let told = all.map(add).collect();
        if self.sifted.as_ref().is_some_and(|sifted| self.is_more_than_twice(sifted.hashes.len())) {
            self.prune();
        }
        told
    }

    /// What more values of some of the columns look like.
    pub(crate) fn look<'a>(&mut self, looks: impl Iterator<Item = (usize, &'a Look)>) {
        looks.for_each(|(index, look)| self.looks[index].merge(look));
    }

    /// Which of the next records are drawn; nothing if all are.
    fn drawn_rows(&mut self, records: usize, left_out: &[bool]) -> Option<Vec<usize>> {
        let Some(sifted) = &mut self.sifted else {
            self.records += records as u64;
            return None;
        };
        let mut rows = Vec::with_capacity(records);
        for row in 0..records {
            if left_out.get(row) == Some(&true) {
                self.dropped += 1;
                continue;
            }
            let hash = mix(self.seed, self.records);
            self.records += 1;
            if hash <= sifted.limit {
                sifted.hashes.push(hash);
                sifted.positions.push(self.records + self.dropped);
                rows.push(row);
            }
        }
        Some(rows)
    }

    /// Keeps the records with the smallest hashes, in record order.
    fn prune(&mut self) {
        let Some(sifted) = self.sifted.as_mut().filter(|sifted| sifted.hashes.len() > self.size) else { return };
        let mut sorted = sifted.hashes.clone();
        let (_, &mut limit, _) = sorted.select_nth_unstable(self.size - 1);
        let marked: Vec<bool> = sifted.hashes.iter().map(|&hash| hash > limit).collect();
        self.columns.par_iter_mut().for_each(|column| *column = column.unmarked(&marked));
        let mut marks = marked.iter();
        sifted.positions.retain(|_| marks.next() != Some(&true));
        sifted.hashes.retain(|&hash| hash <= limit);
        sifted.limit = limit;
    }

    /// The codes of all records of each column that blocks do not share, if all were drawn.
    pub(crate) fn all(&self) -> Option<&[Codes]> {
        (self.sifted.is_none() && self.records as usize <= self.size).then_some(&self.columns)
    }

    /// `shared` has the texts of a column whose codes all blocks share, and what those of its records look like; those codes are
    /// [kept](Drawing::keep_shared).
    pub(crate) fn finish(mut self, shared: impl Fn(usize) -> Option<(Vec<Option<String>>, Look)> + Sync) -> Sample {
        if self.sifted.is_none() && self.records as usize > self.size {
            self.sifted = Some(Sifted::all(self.seed, self.records));
        }
        self.prune();
        let column = |(index, ((codes, texts), look)): (usize, ((Codes, Texts), Look))| {
            let (texts, look) = shared(index).unwrap_or_else(|| (by_code(texts), look));
            SampleColumn { codes, texts, kind: look.kind(), range: look.range }
        };
        let columns = self.columns.into_par_iter().zip(self.texts).zip(self.looks).enumerate().map(column).collect();
        let positions = self.sifted.map_or_else(|| (1..=self.records).collect(), |sifted| sifted.positions);
        let columns: Vec<SampleColumn> = columns;
        assert!(columns.iter().all(|column| column.codes.len() == positions.len()), "each drawn record has a code");
        Sample { columns, drawn: positions.len(), positions, records: self.records, dropped: self.dropped }
    }
}

/// The codes of some rows in the sample, or of all, and that of each fresh text of which there is a row.
fn numbered(texts: &mut Texts, column: &CodedColumn, rows: Option<&[usize]>) -> (Vec<u32>, Vec<Option<u32>>) {
    let mut told: Vec<Option<u32>> = vec![None; column.fresh.len()];
    let mut number = |code: u32| match code.checked_sub(FRESH) {
        None => code,
        Some(fresh) => {
            let (fresh, next) = (fresh as usize, texts.len() as u32);
            *told[fresh].get_or_insert_with(|| *texts.entry_ref(&column.fresh[fresh]).or_insert_with(|| next))
        }
    };
    let codes = match rows {
        None => column.codes.iter().map(|&code| number(code)).collect(),
        Some(rows) => rows.iter().map(|&row| number(column.codes[row])).collect(),
    };
    (codes, told)
}

/// The text of each code.
fn by_code(texts: Texts) -> Vec<Option<String>> {
    let mut by_code = vec![None; texts.len()];
    // Every code is written once, so the order of the map decides nothing.
    for (text, code) in texts {
        by_code[code as usize] = text;
    }
    by_code
}

/// A number for each record that looks random: the finalizer of SplitMix64, a bijection, so no two records are equal.
fn mix(seed: u64, record: u64) -> u64 {
    let mut z = record.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.wrapping_mul(0xd6e8_feb8_6659_fd93);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cutline_table::{BlockColumn, Compressor};
    use proptest::prelude::*;

    use super::*;

    /// A record: a cell of a column that is grouped, one of a column that is not, and whether it is left out.
    type Record = (u8, u8, bool);

    fn column(cells: impl Iterator<Item = u8>) -> CodedColumn {
        let texts: Vec<_> = cells.map(|cell| Some(cell.to_string())).collect();
        CodedColumn::from(&BlockColumn { codes: (0..texts.len() as u32).collect(), texts })
    }

    /// What is drawn, block by block as [`Taking`](crate::taking::Taking) takes them, where so many bytes of codes may wait.
    fn drawn(blocks: &[Vec<Record>], plan: &SamplePlan, held: usize) -> Sample {
        let (mut compressor, mut drawing) = (Compressor::new(1).holding(held), Drawing::new(plan));
        let shared = |held: &Codes| [Some(held.clone()), None];
        for block in blocks {
            let mut grouped = [column(block.iter().map(|record| record.0))];
            let other = column(block.iter().map(|record| record.1));
            let left_out: Vec<bool> = block.iter().map(|record| record.2).collect();
            let left_out = if left_out.contains(&true) { left_out } else { Vec::new() };
            compressor.add_coded(&mut grouped, block.len(), &left_out);
            if (drawing.sifts(block.len(), &left_out) || compressor.is_full())
                && let Some(held) = compressor.held()
            {
                drawing.keep_shared(shared(&held[0]).par_iter().map(Option::as_ref));
            }
            compressor.make_room();
            let cells = [DrawnCells::Shared(&grouped[0].codes), DrawnCells::OfBlock(&other)];
            drawing.add(block.len(), &left_out, cells.into_iter());
        }
        let (table, codes) = compressor.finish_with_codes();
        if let Some(codes) = &codes {
            drawing.keep_shared(shared(&codes[0]).par_iter().map(Option::as_ref));
        }
        drawing.finish(|index| (index == 0).then(|| (table.columns[0].texts(), Look::default())))
    }

    proptest! {
        #[test]
        fn those_with_the_smallest_hashes_are_drawn_whatever_waits_and_whoever_is_left_out(
            blocks in prop::collection::vec(prop::collection::vec((0..6_u8, any::<u8>(), prop::bool::weighted(0.02)), 0..12), 0..12),
            size in 1..60_usize,
            held in 0..120_usize,
            seed in any::<u64>(),
        ) {
            let plan = SamplePlan { columns: vec![0, 1], nulls: Vec::new(), required: Vec::new(), size, seed };
            let sample = drawn(&blocks, &plan, held);
            let records: Vec<&Record> = blocks.iter().flatten().collect();
            let kept = || records.iter().enumerate().filter(|(_, record)| !record.2);
            let hashes: BTreeSet<u64> = (0..kept().count() as u64).map(|number| mix(seed, number)).collect();
            let smallest: BTreeSet<u64> = hashes.into_iter().take(size).collect();
            let drawn = (0..).zip(kept()).filter(|&(number, _)| smallest.contains(&mix(seed, number)));
            let drawn: Vec<(u64, [Option<String>; 2])> =
                drawn.map(|(_, (at, record))| (at as u64 + 1, [record.0, record.1].map(|cell| Some(cell.to_string())))).collect();
            let text = |column: usize, row: usize| {
                let SampleColumn { codes, texts, .. } = &sample.columns[column];
                texts[codes.get(row) as usize].clone()
            };
            let found: Vec<_> = (0..sample.drawn).map(|row| (sample.positions[row], [text(0, row), text(1, row)])).collect();
            prop_assert_eq!(found, drawn);
            prop_assert_eq!((sample.records as usize, sample.dropped as usize), (kept().count(), records.len() - kept().count()));
        }
    }
}
