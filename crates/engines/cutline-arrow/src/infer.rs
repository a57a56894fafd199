//! Which types do the columns of a text table have?
//!
//! A format with types gets them where every published value reads back exactly as it is written: `007` is no number, and neither is
//! `1.50`, nor a column that has both `1.5` and `2`.

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use cutline_engine::{Format, RewritePlan, Treatment, Watch};
use cutline_model::recoding::SuppressHow;

use crate::cells::{CellReader, as_text};
use crate::embedded::Embedded;
use crate::error::FileError;
use crate::pass::numbered_pass;
use crate::recode::Recoder;
use crate::source::TextStyle;

/// Are types found out for columns of such text, for such a format?
pub(crate) fn finds_types(text: TextStyle, format: Format) -> bool {
    matches!(format, Format::Parquet | Format::Arrow) && matches!(text, TextStyle::Csv { .. })
}

/// For each column of a plan, the type that its texts have; `None` where they stay texts. Looks at all records that are published.
pub(crate) fn types(
    engine: &Embedded,
    plan: &RewritePlan,
    format: Format,
    watch: &dyn Watch,
) -> Result<Vec<Option<DataType>>, FileError> {
    let is_kept = |place: &usize| matches!(plan.columns[*place].how, Treatment::Keep);
    let kept: Vec<usize> = (0..plan.columns.len()).filter(is_kept).collect();
    let untyped = vec![None; plan.columns.len()];
    if kept.is_empty() || !finds_types(engine.source.text(), format) {
        return Ok(untyped);
    }
    let recoder = Recoder::new(engine, plan, format, &untyped, None);
    let reader = CellReader::of(engine.source.as_ref(), &plan.nulls);
    // Types must not tell of records that are left out.
    let leaves_out = !plan.required.is_empty() || plan.mask.how() == Some(SuppressHow::Drop);
    let look = |batch: &RecordBatch, before| {
        let recoded = if leaves_out { Some(recoder.recode(batch, before)?.batch) } else { None };
        let look = |&place: &usize| match &recoded {
            Some(published) => looks(published, place, &reader, engine),
            None => looks(batch, recoder.place(place)?, &reader, engine),
        };
        kept.iter().map(look).collect::<Result<Vec<Look>, FileError>>()
    };
    let mut all = vec![Look::default(); kept.len()];
    let take = |looks: Vec<Look>| {
        all.iter_mut().zip(looks).for_each(|(all, look)| all.merge(look));
        Ok(())
    };
    numbered_pass(engine, &recoder.read, look, take, watch)?;
    let mut types = untyped;
    kept.iter().zip(all).for_each(|(&place, look)| types[place] = look.data_type());
    Ok(types)
}

fn looks(batch: &RecordBatch, place: usize, reader: &CellReader, engine: &Embedded) -> Result<Look, FileError> {
    let mut look = Look::default();
    for cell in as_text(batch, place, engine.path())?.iter().flatten() {
        if let Some(value) = reader.value(cell) {
            look.merge(if reader.has_blanks(cell) { Look::AS_IT_IS } else { Look::at(&value) });
        }
    }
    Ok(look)
}

/// What all values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    /// Those of [`WHOLE`] and so on that all values are.
    all: u8,
    is_empty: bool,
}

/// A whole number of 64 bits, as it is written shortest.
const WHOLE: u8 = 1;
/// A floating-point number of 64 bits, as programs write it.
const NUMBER: u8 = 2;
/// `true`, `True` or `TRUE`, and their opposites: a column has one manner.
const LOWER: u8 = 4;
const TITLE: u8 = 8;
const UPPER: u8 = 16;
/// `1984-03-05`.
const DATE: u8 = 32;

impl Default for Look {
    fn default() -> Self {
        Look { all: u8::MAX, is_empty: true }
    }
}

impl Look {
    /// No type has what is written so.
    const AS_IT_IS: Look = Look { all: 0, is_empty: false };

    fn at(value: &str) -> Self {
        let whole = value.parse::<i64>().is_ok_and(|number| number.to_string() == value);
        let truth = match value {
            "true" | "false" => LOWER,
            "True" | "False" => TITLE,
            "TRUE" | "FALSE" => UPPER,
            _ => 0,
        };
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let all = flag(whole, WHOLE) | flag(is_number(value), NUMBER) | truth | flag(is_date(value), DATE);
        Look { all, is_empty: false }
    }

    fn merge(&mut self, other: Look) {
        if !other.is_empty {
            *self = Look { all: self.all & other.all, is_empty: false };
        }
    }

    fn data_type(&self) -> Option<DataType> {
        let are = |what: u8| self.all & what != 0;
        match () {
            () if self.is_empty => None,
            () if are(WHOLE) => Some(DataType::Int64),
            () if are(NUMBER) => Some(DataType::Float64),
            () if are(LOWER | TITLE | UPPER) => Some(DataType::Boolean),
            () if are(DATE) => Some(DataType::Date32),
            () => None,
        }
    }
}

/// Would a floating-point number be written just so? Always with a point, as `2.0`, and not so large or small that some would write an
/// exponent.
fn is_number(value: &str) -> bool {
    let Some(number) = value.parse::<f64>().ok() else { return false };
    let plain = number.to_string();
    let plain = if plain.contains('.') { plain } else { plain + ".0" };
    let usual = number.to_bits() == 0 || (1e-4..1e16).contains(&number.abs());
    usual && plain == value
}

/// Four digits of a year, two of a month, two of a day, and there is such a day.
fn is_date(value: &str) -> bool {
    let shape = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
    value.len() == 10 && value.bytes().enumerate().all(shape) && cutline_model::Scale::dates().read(value).is_some()
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;
    use arrow_array::cast::AsArray;
    use proptest::prelude::*;

    use super::*;
    use crate::source::typed;

    fn kind(values: &[&str]) -> Option<DataType> {
        let mut all = Look::default();
        values.iter().for_each(|value| all.merge(Look::at(value)));
        all.data_type()
    }

    #[test]
    fn a_column_has_a_type_if_every_value_reads_back_exactly() {
        assert_eq!(kind(&["1", "-20", "0"]), Some(DataType::Int64));
        assert_eq!(kind(&["1.0", "2.5", "-0.25", "0.0"]), Some(DataType::Float64));
        assert_eq!(kind(&["0.1", "0.30000000000000004"]), Some(DataType::Float64));
        assert_eq!((kind(&["true", "false"]), kind(&["TRUE"])), (Some(DataType::Boolean), Some(DataType::Boolean)));
        assert_eq!(kind(&["1984-03-05", "2024-02-29"]), Some(DataType::Date32));
    }

    #[test]
    fn what_would_not_read_back_stays_text() {
        for values in [
            &["007", "123"][..],
            &["1.50"],
            &["1.5", "2"],
            &["12345678901234567890"],
            &["0.12345678901234567890"],
            &["+1"],
            &["-0"],
            &["-0.0", "1.5"],
            &[".5"],
            &["5."],
            &["nan", "inf", "NaN"],
            &["1e3", "1e-05"],
            &["1", "x"],
            &["true", "TRUE"],
            &["true", "1"],
            &["2023-02-29"],
            &["1984-03-05", "1984-03-05T10:00:00"],
            &[],
        ] {
            assert_eq!(kind(values), None, "{values:?}");
        }
    }

    proptest! {
        #[test]
        fn a_number_that_has_a_type_is_written_by_others_as_it_was(value in "-?[0-9]{1,3}(\\.[0-9]{1,3})?") {
            let texts = StringArray::from(vec![value.as_str()]);
            if let Some(kind) = kind(&[&value]) {
                let again = arrow_cast::cast(&typed(&texts, &kind).unwrap(), &DataType::Utf8).unwrap();
                prop_assert_eq!(again.as_string::<i32>().value(0), value);
            }
        }

        #[test]
        fn every_usual_number_has_a_type(number in -1e15..1e15f64) {
            prop_assume!(number.abs() >= 1e-4);
            let text = number.to_string();
            let text = if text.contains('.') { text } else { text + ".0" };
            prop_assert_eq!(kind(&[&text]), Some(DataType::Float64));
        }
    }
}
