//! The first pass: group by (quasi values, label) and count.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use cutline_table::{BlockColumn, CodedColumn, Codes, FRESH};
use rayon::prelude::*;

use crate::cells::{CellReader, as_text, lacking};
use crate::drawing::{Drawing, DrawnCells};
use crate::embedded::Embedded;
use crate::encode::{CodedCells, ascending, clusters, code_column, encode_column};
use crate::error::FileError;
use crate::keyed::compress_by_cells;
use crate::order::{ColumnOrder, Stretch};
use crate::pass::cells_pass;
use crate::remembered::Remembered;
use crate::repeats::{Repeats, hashes};
use crate::sample::{Look, sample};
use crate::stored::{StoredCells, StoredColumn};
use crate::taking::Taking;
use crate::vocabulary::{Known, Vocabulary};
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
    let shared = |index: usize| {
        let column = &counted.table.columns[grouped(index)?];
        Some((column.texts(), Look::of(column.values().map(|(text, _)| text))))
    };
    let sample = engine.in_pool(|| drawing.finish(shared));
    Ok((counted, sample))
}

fn count(
    engine: &Embedded,
    plan: &CompressPlan,
    drawing: Option<(&SamplePlan, &mut Drawing)>,
    watch: &dyn Watch,
) -> Result<Counted, FileError> {
    let drawn = drawing.as_ref().map(|(drawn, _)| &drawn.columns[..]).unwrap_or_default();
    let (encoding, read) = Encoding::new(engine, plan, drawn);
    let mut taking = Taking::new(plan, &encoding, drawing.map(|(_, drawing)| drawing));
    cells_pass(engine, &read, |batch| encoding.encode(batch), |encoded| taking.take(encoded), watch)?;
    let Taking { compressor, grouped, others, persons, orders, repeats, drawing, .. } = taking;
    let (table, codes) = engine.in_pool(|| compressor.finish_with_codes());
    check_most(plan.most, table.weights.len())?;
    if let Some(all) = drawing.as_ref().and_then(|drawing| drawing.all()) {
        let _ = engine.stored.set(stored_columns(engine, &encoding.drawn, &read, others.stored, all));
    }
    if let (Some(drawing), Some(codes)) = (drawing, &codes) {
        engine.in_pool(|| drawing.keep_shared(encoding.drawn.shared(codes)));
    }
    // Where another pass before this one remembered something, that stays.
    let schema = engine.source.schema();
    let _ = engine.remembered.set(Remembered::new(plan, &table, (codes, grouped.stored), persons, &schema));
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

/// The columns that were drawn from and not grouped, as far as their cells are known. `codes` has those of all records for each drawn column.
fn stored_columns(
    engine: &Embedded,
    drawn: &Drawn,
    read: &[usize],
    mut stored: Vec<StoredCells>,
    codes: &[Codes],
) -> Vec<StoredColumn> {
    let schema = engine.source.schema();
    let columns = drawn.of_others().filter_map(|(index, other)| {
        let column = read[drawn.others[other]];
        let cells = std::mem::take(&mut stored[other]).cells(schema.field(column).data_type());
        Some((column, &codes[index], cells?))
    });
    StoredColumn::all(columns)
}

/// Are there no more combinations than are allowed?
pub(crate) fn check_most(most: Option<u64>, rows: usize) -> Result<(), FileError> {
    match most {
        Some(most) if rows as u64 > most => Err(FileError::TooMany(most)),
        _ => Ok(()),
    }
}

/// What was made of a batch.
pub(crate) struct Encoded {
    pub(crate) records: usize,
    /// Records to leave out; empty if there are none.
    pub(crate) left_out: Vec<bool>,
    /// To be grouped.
    pub(crate) columns: Vec<CodedCells>,
    /// Columns that are drawn from and not grouped.
    pub(crate) others: Vec<CodedCells>,
    /// What those look like.
    pub(crate) looks: Vec<Look>,
    /// The order of each column that is watched.
    pub(crate) stretches: Vec<Stretch>,
    /// The values of each column that stands for persons.
    pub(crate) hashes: Vec<Vec<u64>>,
}

/// Where the columns are that records are drawn from.
pub(crate) struct Drawn {
    /// Of each of them: its place among the grouped ones, if it is there, or among the others.
    from: Vec<Result<usize, usize>>,
    /// Where each of the others is among the columns that are read.
    pub(crate) others: Vec<usize>,
    /// The cells of each of the others.
    pub(crate) vocabularies: Vec<Vocabulary>,
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
        let from = from.collect();
        Drawn { from, vocabularies: others.iter().map(|_| Vocabulary::default()).collect(), others }
    }

    /// The same cells as they are after grouping.
    pub(crate) fn cells<'a>(
        &'a self,
        grouped: &'a [CodedColumn],
        others: &'a [CodedCells],
    ) -> impl Iterator<Item = DrawnCells<'a>> {
        self.from.iter().map(|from| match *from {
            Ok(place) => DrawnCells::Shared(&grouped[place].codes),
            Err(other) => DrawnCells::OfBlock(&others[other].column),
        })
    }

    /// For each drawn column the codes of all records, if it is one of those that are grouped.
    pub(crate) fn shared<'a>(&'a self, grouped: &'a [Codes]) -> impl IndexedParallelIterator<Item = Option<&'a Codes>> {
        self.from.par_iter().map(|from| from.ok().map(|place| &grouped[place]))
    }

    /// The drawn columns that are not grouped: which it is of all that are drawn, and which of the others.
    pub(crate) fn of_others(&self) -> impl Iterator<Item = (usize, usize)> {
        self.from.iter().enumerate().filter_map(|(index, from)| Some((index, from.err()?)))
    }
}

/// What becomes of a batch.
pub(crate) struct Encoding<'a> {
    pub(crate) engine: &'a Embedded,
    reader: CellReader,
    /// Where each grouped column is among those that are read.
    places: Vec<usize>,
    /// The cells of each grouped column.
    pub(crate) grouped: Vec<Vocabulary>,
    /// Where each column that must not be missing is.
    required: Vec<usize>,
    /// Where each column is that a cluster follows from.
    sources: Vec<usize>,
    /// Where each column is whose order is watched.
    watched: Vec<usize>,
    /// Where each column is that stands for persons.
    persons: Vec<usize>,
    pub(crate) drawn: Drawn,
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
    fn coarsen(&self, texts: &mut [Option<String>]) {
        for text in texts {
            if let Some(&cell) = self.counted_as.get(&text.as_deref()) {
                text.clone_from(&self.coarse.values[cell as usize]);
            }
        }
    }
}

impl<'a> Encoding<'a> {
    /// With the columns that are to be read.
    fn new(engine: &'a Embedded, plan: &'a CompressPlan, drawn: &[usize]) -> (Self, Vec<usize>) {
        let sources = plan.cluster.as_ref().map(|(_, cluster)| &cluster.columns[..]).unwrap_or_default();
        let (read, mut places) =
            ascending(&[&plan.columns[..], &plan.required, sources, &plan.watched, &plan.persons, drawn].concat());
        let drawn = places.split_off(places.len() - drawn.len());
        let persons = places.split_off(places.len() - plan.persons.len());
        let watched = places.split_off(places.len() - plan.watched.len());
        let sources = places.split_off(plan.columns.len() + plan.required.len());
        let required = places.split_off(plan.columns.len());
        let encoding = Encoding {
            engine,
            reader: CellReader::of(engine.source.as_ref(), &plan.nulls),
            drawn: Drawn::new(drawn, &places),
            // A rule for clusters asks what every cell says, so there is nothing to gain from codes that are known.
            grouped: if plan.cluster.is_some() { &[][..] } else { &places }
                .iter()
                .map(|_| Vocabulary::default())
                .collect(),
            places,
            required,
            sources,
            watched,
            persons,
            cluster: plan.cluster.as_ref(),
            cells: plan.coarse.iter().map(|(&place, coarse)| (place, Cells::new(coarse))).collect(),
        };
        (encoding, read)
    }

    fn encode(&self, batch: &RecordBatch) -> Result<Encoded, FileError> {
        let left_out = lacking(batch, &self.required, &self.reader, self.engine.path())?;
        // What is known was looked at where no record was left out.
        let known =
            |other: usize| if left_out.is_empty() { self.drawn.vocabularies[other].known() } else { Arc::default() };
        let other = |(other, &place): (usize, &usize)| self.code(batch, place, &known(other));
        let others = self.drawn.others.iter().enumerate().map(other).collect::<Result<Vec<_>, _>>()?;
        Ok(Encoded {
            records: batch.num_rows(),
            columns: self.columns(batch)?,
            looks: others.iter().map(|cells| Look::at(&cells.column, &left_out)).collect(),
            others,
            stretches: self.stretches(batch)?,
            hashes: self.hashes(batch)?,
            left_out,
        })
    }

    fn code(&self, batch: &RecordBatch, place: usize, known: &Known) -> Result<CodedCells, FileError> {
        code_column(self.engine, batch, place, &self.reader, known)
    }

    fn columns(&self, batch: &RecordBatch) -> Result<Vec<CodedCells>, FileError> {
        let known = |index: usize| self.grouped.get(index).map(Vocabulary::known).unwrap_or_default();
        let code = |(index, &place): (usize, &usize)| self.code(batch, place, &known(index));
        let mut columns = self.places.iter().enumerate().map(code).collect::<Result<Vec<_>, _>>()?;
        for (place, cells) in &self.cells {
            cells.coarsen(&mut columns[*place].column.fresh);
        }
        if let Some((at, cluster)) = self.cluster {
            let label = CodedColumn::from(&self.label(batch, cluster, &columns)?);
            columns.insert((*at).min(columns.len()), CodedCells { column: label, stored: Vec::new() });
        }
        Ok(columns)
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
        grouped: &[CodedCells],
    ) -> Result<BlockColumn, FileError> {
        let source = |&place: &usize| match self.places.iter().position(|other| *other == place) {
            Some(known) => Ok(all_fresh(&grouped[known].column)),
            None => encode_column(self.engine, batch, place, &self.reader),
        };
        let cells = self.sources.iter().map(source).collect::<Result<Vec<_>, _>>()?;
        let codes = clusters(self.engine, cluster, batch.num_rows(), &cells.iter().collect::<Vec<_>>())?;
        Ok(BlockColumn { codes, texts: (0..cluster.rule.clusters()).map(|label| Some(label.to_string())).collect() })
    }
}

/// A column of which no code was known.
fn all_fresh(column: &CodedColumn) -> BlockColumn {
    BlockColumn { codes: column.codes.iter().map(|&code| code - FRESH).collect(), texts: column.fresh.clone() }
}
