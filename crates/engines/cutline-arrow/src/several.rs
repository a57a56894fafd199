//! Several groupings of the same records, counted in one pass.
//!
//! Every batch is grouped by itself on all cores, and its groups are added up in record order: where groups are few, next to nothing is left
//! to be done by one thread.

use arrow_array::RecordBatch;
use cutline_engine::{CompressPlan, Counted, Noticed, Watch};
use cutline_table::{BlockGroups, Compressor};

use crate::cells::{CellReader, as_text, lacking};
use crate::compress::{check_most, compress};
use crate::embedded::Embedded;
use crate::encode::{ascending, encode_column};
use crate::error::FileError;
use crate::groupings::Groupings;
use crate::keyed::compress_by_cells;
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
    if let Some(counted) = compress_by_cells(engine, plans, watch)? {
        return Ok(counted);
    }
    if !plans.iter().all(alike) {
        return plans.iter().map(|plan| compress(engine, plan, watch)).collect();
    }
    let several = Several::new(engine, plans);
    let mut counting: Vec<Counting> = plans.iter().map(Counting::new).collect();
    let most = plans.iter().filter_map(|plan| plan.most).min();
    let add = |parts: Vec<_>| {
        counting.iter_mut().zip(parts).for_each(|(counting, part)| counting.add(part));
        check_most(most, counting.iter().map(|counting| counting.compressor.rows()).sum())
    };
    pass(engine, &several.read, |batch| several.parts(batch), add, watch)?;
    Ok(counting.into_iter().map(Counting::finish).collect())
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

    fn add(&mut self, (groups, persons): (BlockGroups, Vec<u64>)) {
        self.compressor.add_grouped(&groups);
        self.repeats.add(persons);
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
    groupings: Groupings<'a>,
}

impl<'a> Several<'a> {
    fn new(engine: &'a Embedded, plans: &'a [CompressPlan]) -> Self {
        let columns = plans.iter().flat_map(|plan| plan.columns.iter().chain(&plan.required).chain(&plan.persons));
        let (read, _) = ascending(&columns.copied().collect::<Vec<_>>());
        let nulls = plans.first().map(|plan| &plan.nulls[..]).unwrap_or_default();
        let reader = CellReader::of(engine.source.as_ref(), nulls);
        Several { engine, reader, read, plans, groupings: Groupings::new(plans) }
    }

    /// Where a column is among those that are read.
    fn place(&self, column: usize) -> usize {
        self.read.partition_point(|other| *other < column)
    }

    /// The groupings of a batch, each with the values of the column that stands for persons.
    fn parts(&self, batch: &RecordBatch) -> Result<Vec<(BlockGroups, Vec<u64>)>, FileError> {
        let path = self.engine.path();
        let required = self.plans.iter().flat_map(|plan| &plan.required).map(|&column| self.place(column));
        let (required, _) = ascending(&required.collect::<Vec<_>>());
        let left_out = lacking(batch, &required, &self.reader, path)?;
        let encode = |column: usize| encode_column(self.engine, batch, self.place(column), &self.reader);
        let groups = self.groupings.of_batch(batch.num_rows(), &left_out, encode)?;
        let persons = |plan: &CompressPlan| {
            let cells = plan.persons.first().map(|&column| as_text(batch, self.place(column), path)).transpose()?;
            Ok(cells.map(|cells| hashes(&cells, &self.reader)).unwrap_or_default())
        };
        groups.into_iter().zip(self.plans).map(|(groups, plan)| Ok((groups, persons(plan)?))).collect()
    }
}
