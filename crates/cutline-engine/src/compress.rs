//! The first pass: group by (quasi values, label) and count.

use arrow_array::RecordBatch;
use cutline_table::{Block, BlockColumn, Compressor, RawTable};

use crate::cells::{CellReader, as_text, lacking, number_cells};
use crate::embedded::Embedded;
use crate::engine::{CompressPlan, Watch, advance};
use crate::error::EngineError;
use crate::parallel::ordered;

/// Cells become codes of their block on all cores; the blocks are grouped in record order.
pub(crate) fn compress(engine: &Embedded, plan: &CompressPlan, watch: &dyn Watch) -> Result<RawTable, EngineError> {
    let reader = CellReader::new(engine.source.text(), &plan.nulls);
    let (read, mut places) = ascending(&[&plan.columns[..], &plan.required].concat());
    let required = places.split_off(plan.columns.len());
    let mut compressor = Compressor::new(plan.columns.len());
    ordered(
        engine.threads,
        engine.source.chunks()?,
        |chunk| {
            let bytes = chunk.bytes();
            let batches = chunk.read(&read)?;
            let blocks = batches
                .iter()
                .map(|batch| encode(engine, batch, &places, &required, &reader))
                .collect::<Result<Vec<_>, _>>()?;
            Ok((blocks, bytes))
        },
        |(blocks, bytes)| {
            blocks.iter().for_each(|block| compressor.add(block));
            advance(watch, bytes)
        },
    )?;
    Ok(compressor.finish())
}

/// The columns in ascending order without repetition, and where each wanted one is among them.
pub(crate) fn ascending(columns: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut read = columns.to_vec();
    read.sort_unstable();
    read.dedup();
    let places = columns.iter().map(|column| read.partition_point(|other| other < column)).collect();
    (read, places)
}

fn encode(
    engine: &Embedded,
    batch: &RecordBatch,
    places: &[usize],
    required: &[usize],
    reader: &CellReader,
) -> Result<Block, EngineError> {
    let encode_column = |&place: &usize| {
        let column = as_text(batch.column(place), engine.path())?;
        let mut texts = Vec::new();
        let codes = number_cells(&column, |cell| {
            texts.push(cell.and_then(|cell| reader.value(cell)).map(|value| value.into_owned()));
            Ok::<_, EngineError>(texts.len() as u32 - 1)
        })?;
        Ok(BlockColumn { codes, texts })
    };
    let columns = places.iter().map(encode_column).collect::<Result<_, EngineError>>()?;
    let left_out = lacking(batch, required, reader, engine.path())?;
    Ok(Block { records: batch.num_rows(), left_out, columns })
}
