//! The first pass: group by (quasi values, label) and count.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use cutline_table::{Block, BlockColumn, Compressor};

use crate::cells::{CellReader, as_text, lacking};
use crate::embedded::Embedded;
use crate::encode::{ascending, clusters, encode_column};
use crate::error::FileError;
use crate::order::{ColumnOrder, Stretch};
use crate::pass::pass;
use crate::repeats::{Repeats, hashes};
use cutline_engine::{ClusterColumn, Coarse, CompressPlan, Counted, Noticed, Watch};

/// Cells become codes of their block on all cores; the blocks are grouped in record order.
pub(crate) fn compress(engine: &Embedded, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, FileError> {
    let sources = plan.cluster.as_ref().map(|(_, cluster)| &cluster.columns[..]).unwrap_or_default();
    let (read, mut places) =
        ascending(&[&plan.columns[..], &plan.required, sources, &plan.watched, &plan.persons].concat());
    let persons = places.split_off(places.len() - plan.persons.len());
    let watched = places.split_off(places.len() - plan.watched.len());
    let sources = places.split_off(plan.columns.len() + plan.required.len());
    let required = places.split_off(plan.columns.len());
    let reader = CellReader::of(engine.source.as_ref(), &plan.nulls);
    let cluster = plan.cluster.as_ref();
    let cells = plan.coarse.iter().map(|(&place, coarse)| (place, Cells::new(coarse))).collect();
    let encoding = Encoding { engine, reader, places, required, sources, watched, persons, cluster, cells };
    let mut compressor = Compressor::new(plan.columns.len() + usize::from(plan.cluster.is_some()));
    let mut orders: Vec<ColumnOrder> = plan.watched.iter().map(|_| ColumnOrder::new()).collect();
    let mut repeats: Vec<Repeats> = plan.persons.iter().map(|_| Repeats::default()).collect();
    let look = |batch: &RecordBatch| Ok((encoding.block(batch)?, encoding.stretches(batch)?, encoding.hashes(batch)?));
    let add = |(block, stretches, hashes): (Block, Vec<Stretch>, Vec<Vec<u64>>)| {
        compressor.add(&block);
        repeats.iter_mut().zip(hashes).for_each(|(repeats, hashes)| repeats.add(hashes));
        orders.iter_mut().zip(stretches).for_each(|(order, stretch)| order.add(stretch));
        Ok(())
    };
    pass(engine, &read, look, add, watch)?;
    let in_order = |(&column, order): (&usize, &ColumnOrder)| {
        order.direction().map(|direction| Noticed::InOrder { column, direction })
    };
    let repeat = |(&column, repeats): (&usize, &Repeats)| {
        repeats.found().map(|(records, different)| Noticed::Repeats { column, records, different })
    };
    let orders = plan.watched.iter().zip(&orders).filter_map(in_order);
    let noticed = orders.chain(plan.persons.iter().zip(&repeats).filter_map(repeat)).collect();
    Ok(Counted { table: compressor.finish(), noticed })
}

/// What becomes of a batch.
struct Encoding<'a> {
    engine: &'a Embedded,
    reader: CellReader,
    /// Where each grouped column is among those that are read.
    places: Vec<usize>,
    /// Where each column that must not be missing is.
    required: Vec<usize>,
    /// Where each column is that a cluster follows from.
    sources: Vec<usize>,
    /// Where each column is whose order is watched.
    watched: Vec<usize>,
    /// Where each column is that stands for persons.
    persons: Vec<usize>,
    cluster: Option<&'a (usize, ClusterColumn)>,
    /// The grouped columns that are counted by cells.
    cells: Vec<(usize, Cells<'a>)>,
}

/// What the values of a column are counted as.
struct Cells<'a> {
    coarse: &'a Coarse,
    counted_as: HashMap<Option<&'a str>, u32>,
}

impl<'a> Cells<'a> {
    fn new(coarse: &'a Coarse) -> Self {
        Cells { coarse, counted_as: coarse.lookup() }
    }

    /// Puts the value of its cell in the place of each. One that is in no cell stays: whoever asked knows that it was not there, unless
    /// its record is left out.
    fn coarsen(&self, column: &mut BlockColumn) {
        for text in &mut column.texts {
            if let Some(&cell) = self.counted_as.get(&text.as_deref()) {
                text.clone_from(&self.coarse.values[cell as usize]);
            }
        }
    }
}

impl Encoding<'_> {
    fn block(&self, batch: &RecordBatch) -> Result<Block, FileError> {
        let encode = |&place: &usize| encode_column(self.engine, batch, place, &self.reader);
        let mut columns = self.places.iter().map(encode).collect::<Result<Vec<_>, _>>()?;
        for (place, cells) in &self.cells {
            cells.coarsen(&mut columns[*place]);
        }
        if let Some((at, cluster)) = self.cluster {
            let label = self.label(batch, cluster, &columns)?;
            columns.insert((*at).min(columns.len()), label);
        }
        let left_out = lacking(batch, &self.required, &self.reader, self.engine.path())?;
        Ok(Block { records: batch.num_rows(), left_out, columns })
    }

    /// The order of this batch, for each column that is watched.
    fn stretches(&self, batch: &RecordBatch) -> Result<Vec<Stretch>, FileError> {
        let stretch = |&place: &usize| Ok(Stretch::new(&as_text(batch, place, self.engine.path())?, &self.reader));
        self.watched.iter().map(stretch).collect()
    }

    /// The values of this batch, for each column that stands for persons.
    fn hashes(&self, batch: &RecordBatch) -> Result<Vec<Vec<u64>>, FileError> {
        let hashes = |&place: &usize| Ok(hashes(&as_text(batch, place, self.engine.path())?, &self.reader));
        self.persons.iter().map(hashes).collect()
    }

    /// The cluster as a column: the text of a cluster is its number. Columns that are grouped too are not encoded a second time.
    fn label(
        &self,
        batch: &RecordBatch,
        cluster: &ClusterColumn,
        grouped: &[BlockColumn],
    ) -> Result<BlockColumn, FileError> {
        let known = |place: &usize| self.places.iter().position(|other| other == place);
        let fresh = self.sources.iter().filter(|place| known(place).is_none());
        let fresh = fresh.map(|&place| encode_column(self.engine, batch, place, &self.reader));
        let fresh = fresh.collect::<Result<Vec<_>, _>>()?;
        let mut rest = fresh.iter();
        let cells =
            self.sources.iter().filter_map(|place| known(place).map_or_else(|| rest.next(), |at| grouped.get(at)));
        let codes = clusters(self.engine, cluster, batch.num_rows(), &cells.collect::<Vec<_>>())?;
        Ok(BlockColumn { codes, texts: (0..cluster.rule.clusters()).map(|label| Some(label.to_string())).collect() })
    }
}
