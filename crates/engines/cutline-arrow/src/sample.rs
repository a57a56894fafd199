//! Some records, drawn at random in one pass, and what all values of a column are like.

use arrow_array::RecordBatch;
use cutline_model::{Kind, parse_number};
use cutline_table::{Code, CodedColumn, Codes, FRESH, with_codes};
use hashbrown::HashMap;
use rayon::prelude::*;

use crate::cells::{CellReader, lacking};
use crate::embedded::Embedded;
use crate::encode::{CodedCells, ascending, code_column};
use crate::error::FileError;
use crate::pass::pass;
use crate::vocabulary::Known;
use cutline_engine::{Sample, SampleColumn, SamplePlan, Watch};

/// Blocks are read on all cores; records are drawn in record order.
pub(crate) fn sample(engine: &Embedded, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, FileError> {
    let reader = CellReader::of(engine.source.as_ref(), &plan.nulls);
    let (read, mut places) = ascending(&[&plan.columns[..], &plan.required].concat());
    let required = places.split_off(plan.columns.len());
    let mut drawing = Drawing::new(plan);
    let look = |batch: &RecordBatch| {
        let code = |&place: &usize| code_column(engine, batch, place, &reader, &Known::default());
        let columns = places.iter().map(code).collect::<Result<Vec<_>, _>>()?;
        let left_out = lacking(batch, &required, &reader, engine.path())?;
        let looks = columns.iter().map(|column| Look::at(&column.column, &left_out)).collect::<Vec<_>>();
        Ok((batch.num_rows(), left_out, columns, looks))
    };
    let add = |(records, left_out, columns, looks): (usize, Vec<bool>, Vec<CodedCells>, Vec<Look>)| {
        let cells = columns.iter().map(|cells| DrawnCells::OfBlock(&cells.column));
        engine.in_pool(|| drawing.add(records, &left_out, cells));
        drawing.look(looks.iter().enumerate());
        Ok(())
    };
    pass(engine, &read, look, add, watch)?;
    Ok(engine.in_pool(|| drawing.finish(|_| None)))
}

/// The cells of a run of records.
pub(crate) enum DrawnCells<'a> {
    /// Codes that were told before, and texts that are fresh.
    OfBlock(&'a CodedColumn),
    /// Codes that all blocks share. Whoever has them knows their texts.
    Shared(&'a [u32]),
}

/// The code of each text.
type Texts = HashMap<Option<String>, u32>;

/// The records drawn so far: those whose numbers have the smallest hashes.
pub(crate) struct Drawing {
    size: usize,
    seed: u64,
    /// The hash of each record that is kept. Those above `limit` are not kept.
    hashes: Vec<u64>,
    limit: u64,
    /// Which record of the table each of them is.
    positions: Vec<u64>,
    columns: Vec<Codes>,
    texts: Vec<Texts>,
    looks: Vec<Look>,
    records: u64,
    dropped: u64,
}

impl Drawing {
    pub(crate) fn new(plan: &SamplePlan) -> Self {
        let columns = plan.columns.len();
        Drawing {
            size: plan.size.max(1),
            seed: plan.seed,
            hashes: Vec::new(),
            limit: u64::MAX,
            positions: Vec::new(),
            columns: vec![Codes::default(); columns],
            texts: vec![HashMap::new(); columns],
            looks: vec![Look::default(); columns],
            records: 0,
            dropped: 0,
        }
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
        let rows = self.drawn_rows(records, left_out);
        let add = |((kept, texts), column): ((&mut Codes, &mut Texts), DrawnCells<'a>)| match column {
            DrawnCells::OfBlock(column) => {
                let (codes, told) = numbered(texts, column, &rows);
                kept.extend(codes.into_iter());
                told
            }
            DrawnCells::Shared(codes) if rows.len() == codes.len() => {
                kept.extend(codes.iter().copied());
                Vec::new()
            }
            DrawnCells::Shared(codes) => {
                kept.extend(rows.iter().map(|&row| codes[row]));
                Vec::new()
            }
        };
        let columns: Vec<DrawnCells<'a>> = columns.collect();
        let at_once = if records < MANY_RECORDS { columns.len().max(1) } else { 1 };
        let all = self.columns.par_iter_mut().zip(&mut self.texts).zip(columns).with_min_len(at_once);
        let told = all.map(add).collect();
        // Twice as many as wanted are kept, so that throwing some away is rare.
        if self.hashes.len() / 2 > self.size {
            self.prune();
        }
        told
    }

    /// What more values of some of the columns look like.
    pub(crate) fn look<'a>(&mut self, looks: impl Iterator<Item = (usize, &'a Look)>) {
        looks.for_each(|(index, look)| self.looks[index].merge(look));
    }

    /// Which of the next records are drawn.
    fn drawn_rows(&mut self, records: usize, left_out: &[bool]) -> Vec<usize> {
        let mut rows = Vec::with_capacity(records);
        for row in 0..records {
            if left_out.get(row) == Some(&true) {
                self.dropped += 1;
                continue;
            }
            let hash = mix(self.seed, self.records);
            self.records += 1;
            if hash <= self.limit {
                self.hashes.push(hash);
                self.positions.push(self.records + self.dropped);
                rows.push(row);
            }
        }
        rows
    }

    /// Keeps the records with the smallest hashes, in record order.
    fn prune(&mut self) {
        if self.hashes.len() <= self.size {
            return;
        }
        let mut sorted = self.hashes.clone();
        let (_, limit, _) = sorted.select_nth_unstable(self.size - 1);
        self.limit = *limit;
        let keep: Vec<bool> = self.hashes.iter().map(|hash| hash <= limit).collect();
        self.columns.iter_mut().for_each(|column| with_codes!(column, column => retain(column, &keep)));
        retain(&mut self.positions, &keep);
        let limit = *limit;
        self.hashes.retain(|&hash| hash <= limit);
    }

    /// `shared` has the texts of a column whose codes all blocks share, and what those of its records look like.
    pub(crate) fn finish(mut self, shared: impl Fn(usize) -> Option<(Vec<Option<String>>, Look)> + Sync) -> Sample {
        self.prune();
        let column = |(index, ((codes, texts), look)): (usize, ((Codes, Texts), Look))| {
            let (texts, look) = shared(index).unwrap_or_else(|| (by_code(texts), look));
            let codes = with_codes!(&codes, codes => codes.iter().map(|code| code.index() as u32).collect());
            SampleColumn { codes, texts, kind: look.kind(), range: look.range }
        };
        let columns = self.columns.into_par_iter().zip(self.texts).zip(self.looks).enumerate().map(column).collect();
        Sample {
            columns,
            drawn: self.hashes.len(),
            positions: self.positions,
            records: self.records,
            dropped: self.dropped,
        }
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    items.retain(|_| flags.next() == Some(&true));
}

/// The codes of some rows in the sample, and that of each fresh text of which there is a row.
fn numbered(texts: &mut Texts, column: &CodedColumn, rows: &[usize]) -> (Vec<u32>, Vec<Option<u32>>) {
    let mut told: Vec<Option<u32>> = vec![None; column.fresh.len()];
    let number = |&row: &usize| match column.codes[row].checked_sub(FRESH) {
        None => column.codes[row],
        Some(fresh) => {
            let (fresh, next) = (fresh as usize, texts.len() as u32);
            *told[fresh].get_or_insert_with(|| *texts.entry_ref(&column.fresh[fresh]).or_insert_with(|| next))
        }
    };
    (rows.iter().map(number).collect(), told)
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

/// What values look like, by the rule of [`cutline_table::RawColumn::guess_kind`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    words: bool,
    padded: bool,
    lengths: Option<(usize, usize)>,
    range: Option<(f64, f64)>,
}

impl Look {
    /// The fresh values of a block's records, without those that are left out.
    pub(crate) fn at(column: &CodedColumn, left_out: &[bool]) -> Self {
        let mut seen = vec![left_out.is_empty(); column.fresh.len()];
        for (&code, _) in column.codes.iter().zip(left_out).filter(|(_, left_out)| !**left_out) {
            if let Some(seen) = code.checked_sub(FRESH).and_then(|fresh| seen.get_mut(fresh as usize)) {
                *seen = true;
            }
        }
        Look::of(column.fresh.iter().zip(seen).filter(|(_, seen)| *seen).filter_map(|(text, _)| text.as_deref()))
    }

    /// All these values.
    pub(crate) fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut look = Look::default();
        values.for_each(|text| look.see(text));
        look
    }

    fn see(&mut self, text: &str) {
        let number = parse_number(text);
        let padded = text.len() > 1 && text.starts_with('0') && !text.contains('.');
        let range = number.map(|number| (number, number));
        self.merge(&Look { words: number.is_none(), padded, lengths: Some((text.len(), text.len())), range });
    }

    fn merge(&mut self, other: &Look) {
        self.words |= other.words;
        self.padded |= other.padded;
        self.lengths = joined(self.lengths, other.lengths, usize::min, usize::max);
        self.range = joined(self.range, other.range, f64::min, f64::max);
    }

    fn kind(&self) -> Kind {
        let coded = self.padded && self.lengths.is_some_and(|(shortest, longest)| shortest == longest);
        if self.lengths.is_some() && !self.words && !coded { Kind::Continuous } else { Kind::Categorical }
    }
}

fn joined<T: Copy>(
    one: Option<(T, T)>,
    other: Option<(T, T)>,
    least: fn(T, T) -> T,
    most: fn(T, T) -> T,
) -> Option<(T, T)> {
    match (one, other) {
        (Some(one), Some(other)) => Some((least(one.0, other.0), most(one.1, other.1))),
        (one, other) => one.or(other),
    }
}
