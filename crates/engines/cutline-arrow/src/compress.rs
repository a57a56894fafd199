//! The first pass: group by (quasi values, label) and count.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use cutline_table::{Block, BlockColumn, Compressor};

use crate::cells::{CellReader, as_text, lacking};
use crate::embedded::Embedded;
use crate::encode::{ascending, clusters, encode_column};
use crate::error::FileError;
use crate::keyed::compress_by_cells;
use crate::order::{ColumnOrder, Stretch};
use crate::pass::pass;
use crate::remembered::Remembering;
use crate::repeats::{Repeats, hashes};
use crate::sample::{Drawing, DrawnCells, Look, sample};
use cutline_engine::{ClusterColumn, Coarse, CompressPlan, Counted, Noticed, Sample, SamplePlan, Watch};

/// Cells become codes of their block on all cores; the blocks are grouped in record order.
pub(crate) fn compress(engine: &Embedded, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, FileError> {
    match compress_by_cells(engine, std::slice::from_ref(plan), watch)? {
        Some(mut counted) => Ok(counted.remove(0)),
        None => count(engine, plan, None, watch),
    }
}

/// The same, and draws some records: in one pass if both look at the same values.
pub(crate) fn compress_and_sample(
    engine: &Embedded,
    plan: &CompressPlan,
    drawn: &SamplePlan,
    watch: &dyn Watch,
) -> Result<(Counted, Sample), FileError> {
    let alike = plan.nulls == drawn.nulls && plan.required == drawn.required;
    if !alike || plan.cluster.is_some() || !plan.coarse.is_empty() {
        return Ok((compress(engine, plan, watch)?, sample(engine, drawn, watch)?));
    }
    let mut drawing = Drawing::new(drawn);
    let counted = count(engine, plan, Some((drawn, &mut drawing)), watch)?;
    let grouped = |index: usize| plan.columns.iter().position(|column| *column == drawn.columns[index]);
    let texts = |index: usize| Some(counted.table.columns[grouped(index)?].texts());
    let sample = drawing.finish(texts);
    Ok((counted, sample))
}

fn count(
    engine: &Embedded,
    plan: &CompressPlan,
    mut drawing: Option<(&SamplePlan, &mut Drawing)>,
    watch: &dyn Watch,
) -> Result<Counted, FileError> {
    let drawn = drawing.as_ref().map(|(drawn, _)| &drawn.columns[..]).unwrap_or_default();
    let sources = plan.cluster.as_ref().map(|(_, cluster)| &cluster.columns[..]).unwrap_or_default();
    let (read, mut places) =
        ascending(&[&plan.columns[..], &plan.required, sources, &plan.watched, &plan.persons, drawn].concat());
    let drawn = places.split_off(places.len() - drawn.len());
    let persons = places.split_off(places.len() - plan.persons.len());
    let watched = places.split_off(places.len() - plan.watched.len());
    let sources = places.split_off(plan.columns.len() + plan.required.len());
    let required = places.split_off(plan.columns.len());
    let reader = CellReader::of(engine.source.as_ref(), &plan.nulls);
    let cluster = plan.cluster.as_ref();
    let cells = plan.coarse.iter().map(|(&place, coarse)| (place, Cells::new(coarse))).collect();
    let drawn = Drawn::new(drawn, &places);
    let encoding = Encoding { engine, reader, places, required, sources, watched, persons, drawn, cluster, cells };
    let mut compressor = Compressor::new(plan.columns.len() + usize::from(plan.cluster.is_some()));
    let mut orders: Vec<ColumnOrder> = plan.watched.iter().map(|_| ColumnOrder::new()).collect();
    let mut repeats: Vec<Repeats> = plan.persons.iter().map(|_| Repeats::default()).collect();
    let mut remembering = Remembering::new(plan);
    let add = |encoded: Encoded| {
        let codes = compressor.add(&encoded.block);
        check_most(plan.most, compressor.rows())?;
        remembering.add(&codes);
        if let Some((_, drawing)) = &mut drawing {
            let Block { records, left_out, .. } = &encoded.block;
            let cells = encoding.drawn.cells(&codes, &encoded.others);
            drawing.add(*records, left_out, cells, &encoded.looks);
        }
        repeats.iter_mut().zip(encoded.hashes).for_each(|(repeats, hashes)| repeats.add(hashes));
        orders.iter_mut().zip(encoded.stretches).for_each(|(order, stretch)| order.add(stretch));
        Ok(())
    };
    pass(engine, &read, |batch| encoding.encode(batch), add, watch)?;
    let table = compressor.finish();
    // Where another pass before this one remembered something, that stays.
    let _ = engine.remembered.set(remembering.finish(&plan.nulls, &table));
    let in_order = |(&column, order): (&usize, &ColumnOrder)| {
        order.direction().map(|direction| Noticed::InOrder { column, direction })
    };
    let repeat = |(&column, repeats): (&usize, &Repeats)| {
        repeats.found().map(|(records, different)| Noticed::Repeats { column, records, different })
    };
    let orders = plan.watched.iter().zip(&orders).filter_map(in_order);
    let noticed = orders.chain(plan.persons.iter().zip(&repeats).filter_map(repeat)).collect();
    Ok(Counted { table, noticed })
}

/// Are there no more combinations than are allowed?
pub(crate) fn check_most(most: Option<u64>, rows: usize) -> Result<(), FileError> {
    match most {
        Some(most) if rows as u64 > most => Err(FileError::TooMany(most)),
        _ => Ok(()),
    }
}

/// What was made of a batch.
struct Encoded {
    /// To be grouped.
    block: Block,
    /// Columns that are drawn from and not grouped.
    others: Vec<BlockColumn>,
    /// What each column that is drawn from looks like.
    looks: Vec<Look>,
    /// The order of each column that is watched.
    stretches: Vec<Stretch>,
    /// The values of each column that stands for persons.
    hashes: Vec<Vec<u64>>,
}

/// Where the columns are that records are drawn from.
struct Drawn {
    /// Of each of them: its place among the grouped ones, if it is there, or among the others.
    from: Vec<Result<usize, usize>>,
    /// Where each of the others is among the columns that are read.
    others: Vec<usize>,
}

impl Drawn {
    /// `places` has where the grouped columns are.
    fn new(drawn: Vec<usize>, places: &[usize]) -> Self {
        let mut others = Vec::new();
        let from = drawn.into_iter().map(|place| {
            places.iter().position(|other| *other == place).ok_or_else(|| {
                others.push(place);
                others.len() - 1
            })
        });
        Drawn { from: from.collect(), others }
    }

    /// The same cells as they are after grouping.
    fn cells<'a>(&'a self, codes: &'a [Vec<u32>], others: &'a [BlockColumn]) -> impl Iterator<Item = DrawnCells<'a>> {
        self.from.iter().map(|from| match *from {
            Ok(grouped) => DrawnCells::Shared(&codes[grouped]),
            Err(other) => DrawnCells::OfBlock(&others[other]),
        })
    }

    fn columns<'a>(&'a self, block: &'a Block, others: &'a [BlockColumn]) -> impl Iterator<Item = &'a BlockColumn> {
        self.from.iter().map(|from| match *from {
            Ok(grouped) => &block.columns[grouped],
            Err(other) => &others[other],
        })
    }
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
    drawn: Drawn,
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
    fn encode(&self, batch: &RecordBatch) -> Result<Encoded, FileError> {
        let block = self.block(batch)?;
        let other = |&place: &usize| encode_column(self.engine, batch, place, &self.reader);
        let others = self.drawn.others.iter().map(other).collect::<Result<Vec<_>, _>>()?;
        let looks = self.drawn.columns(&block, &others).map(|column| Look::at(column, &block.left_out)).collect();
        Ok(Encoded { others, looks, stretches: self.stretches(batch)?, hashes: self.hashes(batch)?, block })
    }

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

    /// The order of this batch, for each column that is watched. Few records show that most columns are in no order.
    fn stretches(&self, batch: &RecordBatch) -> Result<Vec<Stretch>, FileError> {
        const FEW: usize = 256;
        let few = batch.slice(0, FEW.min(batch.num_rows()));
        let stretch = |batch: &RecordBatch, place: usize| {
            Ok::<_, FileError>(Stretch::new(&as_text(batch, place, self.engine.path())?, &self.reader))
        };
        let watched = self.watched.iter().map(|&place| match stretch(&few, place)? {
            start if start.is_in_order() && batch.num_rows() > FEW => stretch(batch, place),
            start => Ok(start),
        });
        watched.collect()
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
