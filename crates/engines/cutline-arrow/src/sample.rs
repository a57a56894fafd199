//! A pass that draws some records at random, and what all values of a column are like.

use arrow_array::RecordBatch;
use cutline_model::{Kind, parse_number};
use cutline_table::{CodedColumn, FRESH};

use crate::cells::{CellReader, lacking};
use crate::drawing::{Drawing, DrawnCells};
use crate::embedded::Embedded;
use crate::encode::{CodedCells, ascending, code_column};
use crate::error::FileError;
use crate::pass::pass;
use crate::vocabulary::Known;
use cutline_engine::{Sample, SamplePlan, Watch};

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

/// What values look like, by the rule of [`cutline_table::RawColumn::guess_kind`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    words: bool,
    padded: bool,
    lengths: Option<(usize, usize)>,
    pub(crate) range: Option<(f64, f64)>,
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

    pub(crate) fn merge(&mut self, other: &Look) {
        self.words |= other.words;
        self.padded |= other.padded;
        self.lengths = joined(self.lengths, other.lengths, usize::min, usize::max);
        self.range = joined(self.range, other.range, f64::min, f64::max);
    }

    pub(crate) fn kind(&self) -> Kind {
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
