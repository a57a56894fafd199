//! Several groupings of the same records, counted in one pass.
//!
//! Every batch is grouped by itself on all cores, and its groups are added up in record order: where groups are few, next to nothing is left
//! to be done by one thread.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use arrow_array::RecordBatch;
use cutline_engine::{CompressPlan, Counted, Noticed, Watch};
use cutline_table::{Block, BlockColumn, Compressor, RawTable};

use crate::cells::{CellReader, as_text, lacking};
use crate::compress::{Cells, check_most, compress};
use crate::embedded::Embedded;
use crate::encode::{ascending, encode_column};
use crate::error::FileError;
use crate::pass::pass;
use crate::repeats::{Repeats, hashes};

/// What [`compress`] gives for each of the plans.
pub(crate) fn compress_all(
    engine: &Embedded,
    plans: &[CompressPlan],
    watch: &dyn Watch,
) -> Result<Vec<Counted>, FileError> {
    let Some(first) = plans.first() else { return Ok(Vec::new()) };
    let alike = |plan: &CompressPlan| {
        plan.nulls == first.nulls
            && plan.required == first.required
            && plan.cluster.is_none()
            && plan.watched.is_empty()
            && plan.persons.len() <= 1
    };
    if !plans.iter().all(alike) {
        return plans.iter().map(|plan| compress(engine, plan, watch)).collect();
    }
    let several = Several::new(engine, plans);
    let mut counting: Vec<Counting> = plans.iter().map(Counting::new).collect();
    let add = |parts: Vec<Part>| counting.iter_mut().zip(parts).try_for_each(|(counting, part)| counting.add(part));
    pass(engine, &several.read, |batch| several.parts(batch), add, watch)?;
    Ok(counting.into_iter().map(Counting::finish).collect())
}

/// A grouping of one batch, and the values of the column that stands for persons.
struct Part {
    table: RawTable,
    persons: Vec<u64>,
}

/// A grouping so far.
struct Counting<'a> {
    plan: &'a CompressPlan,
    compressor: Compressor,
    repeats: Repeats,
}

impl<'a> Counting<'a> {
    fn new(plan: &'a CompressPlan) -> Self {
        Counting { plan, compressor: Compressor::new(plan.columns.len()), repeats: Repeats::default() }
    }

    fn add(&mut self, part: Part) -> Result<(), FileError> {
        self.compressor.add_part(&part.table);
        self.repeats.add(part.persons);
        check_most(self.plan, &self.compressor)
    }

    fn finish(self) -> Counted {
        let repeat = |&column: &usize| {
            self.repeats.found().map(|(records, different)| Noticed::Repeats { column, records, different })
        };
        let noticed = self.plan.persons.iter().filter_map(repeat).collect();
        Counted { table: self.compressor.finish(), noticed }
    }
}

/// What becomes of a batch.
struct Several<'a> {
    engine: &'a Embedded,
    reader: CellReader,
    /// Columns to read, ascending.
    read: Vec<usize>,
    plans: &'a [CompressPlan],
    /// The columns of each plan that are counted by cells.
    cells: Vec<Vec<(usize, Cells<'a>)>>,
}

impl<'a> Several<'a> {
    fn new(engine: &'a Embedded, plans: &'a [CompressPlan]) -> Self {
        let columns = plans.iter().flat_map(|plan| plan.columns.iter().chain(&plan.required).chain(&plan.persons));
        let (read, _) = ascending(&columns.copied().collect::<Vec<_>>());
        let nulls = plans.first().map(|plan| &plan.nulls[..]).unwrap_or_default();
        let cells =
            |plan: &'a CompressPlan| plan.coarse.iter().map(|(&place, coarse)| (place, Cells::new(coarse))).collect();
        Several {
            engine,
            reader: CellReader::of(engine.source.as_ref(), nulls),
            read,
            plans,
            cells: plans.iter().map(cells).collect(),
        }
    }

    /// Where a column is among those that are read.
    fn place(&self, column: usize) -> usize {
        self.read.partition_point(|other| *other < column)
    }

    /// The groupings of a batch. A column that several of them look at is encoded once.
    fn parts(&self, batch: &RecordBatch) -> Result<Vec<Part>, FileError> {
        let path = self.engine.path();
        let required = self.plans.iter().flat_map(|plan| &plan.required).map(|&column| self.place(column));
        let (required, _) = ascending(&required.collect::<Vec<_>>());
        let left_out = lacking(batch, &required, &self.reader, path)?;
        let mut encoded: HashMap<usize, BlockColumn> = HashMap::new();
        for &column in self.plans.iter().flat_map(|plan| &plan.columns) {
            if let Entry::Vacant(vacant) = encoded.entry(column) {
                vacant.insert(encode_column(self.engine, batch, self.place(column), &self.reader)?);
            }
        }
        let part = |(plan, cells): (&CompressPlan, &Vec<(usize, Cells<'_>)>)| {
            let mut columns: Vec<BlockColumn> = plan.columns.iter().map(|column| encoded[column].clone()).collect();
            cells.iter().for_each(|(place, cells)| cells.coarsen(&mut columns[*place]));
            let mut compressor = Compressor::new(columns.len());
            compressor.add(&Block { records: batch.num_rows(), left_out: left_out.clone(), columns });
            let persons = plan.persons.first().map(|&column| as_text(batch, self.place(column), path)).transpose()?;
            let persons = persons.map(|cells| hashes(&cells, &self.reader)).unwrap_or_default();
            Ok(Part { table: compressor.finish(), persons })
        };
        self.plans.iter().zip(&self.cells).map(part).collect()
    }
}
