//! Which types do the columns of a text table have?
//!
//! A format with types gets them where every published value reads back exactly, and different texts stay different: `007` is no number,
//! and neither is a column that has both `1.5` and `1.50`.

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use cutline_engine::{Format, RewritePlan, Treatment, Watch};
use cutline_model::recoding::SuppressHow;

use crate::cells::{CellReader, as_text};
use crate::embedded::Embedded;
use crate::error::FileError;
use crate::pass::pass;
use crate::recode::Recoder;
use crate::source::TextStyle;

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
    let has_types = matches!(format, Format::Parquet | Format::Arrow);
    if !has_types || kept.is_empty() || !matches!(engine.source.text(), TextStyle::Csv { .. }) {
        return Ok(untyped);
    }
    let recoder = Recoder::new(engine, plan, format, &untyped);
    let reader = CellReader::of(engine.source.as_ref(), &plan.nulls);
    // Types must not tell of records that are left out.
    let leaves_out = !plan.required.is_empty() || plan.mask.how() == Some(SuppressHow::Drop);
    let look = |batch: &RecordBatch| {
        let recoded = if leaves_out { Some(recoder.recode(batch)?.batch) } else { None };
        let look = |&place: &usize| match &recoded {
            Some(published) => looks(published, place, &reader, engine),
            None => looks(batch, recoder.place(place), &reader, engine),
        };
        kept.iter().map(look).collect::<Result<Vec<Look>, FileError>>()
    };
    let mut all = vec![Look::default(); kept.len()];
    let take = |looks: Vec<Look>| {
        all.iter_mut().zip(looks).for_each(|(all, look)| all.merge(look));
        Ok(())
    };
    pass(engine, &recoder.read, look, take, watch)?;
    let mut types = untyped;
    kept.iter().zip(all).for_each(|(&place, look)| types[place] = look.data_type());
    Ok(types)
}

fn looks(batch: &RecordBatch, place: usize, reader: &CellReader, engine: &Embedded) -> Result<Look, FileError> {
    let mut look = Look::default();
    for cell in as_text(batch, place, engine.path())?.iter().flatten() {
        if let Some(value) = reader.value(cell) {
            look.merge(Look::at(&value));
        }
    }
    Ok(look)
}

/// What all values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    /// Those of [`WHOLE`] and so on that all values are.
    all: u8,
    /// How many decimals they have.
    decimals: Decimals,
    is_empty: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decimals {
    Same(usize),
    Various,
}

/// A whole number of 64 bits, as it is written shortest.
const WHOLE: u8 = 1;
/// A number that a floating-point one of 64 bits says exactly.
const NUMBER: u8 = 2;
/// One that is written shortest.
const SHORTEST: u8 = 4;
/// `true`, `True` or `TRUE`, and their opposites: a column has one manner.
const LOWER: u8 = 8;
const TITLE: u8 = 16;
const UPPER: u8 = 32;
/// `1984-03-05`.
const DATE: u8 = 64;
/// A number as Python and what is built on it write it.
const PYTHON: u8 = 128;

impl Default for Look {
    fn default() -> Self {
        Look { all: u8::MAX, decimals: Decimals::Various, is_empty: true }
    }
}

impl Look {
    fn at(value: &str) -> Self {
        let (number, decimals) = number(value);
        let whole = value.parse::<i64>().is_ok_and(|number| number.to_string() == value);
        let truth = match value {
            "true" | "false" => LOWER,
            "True" | "False" => TITLE,
            "TRUE" | "FALSE" => UPPER,
            _ => 0,
        };
        let date = if is_date(value) { DATE } else { 0 };
        Look { all: number | truth | date | if whole { WHOLE } else { 0 }, decimals, is_empty: false }
    }

    fn merge(&mut self, other: Look) {
        match (self.is_empty, other.is_empty) {
            (_, true) => {}
            (true, false) => *self = other,
            (false, false) => {
                self.all &= other.all;
                if self.decimals != other.decimals {
                    self.decimals = Decimals::Various;
                }
            }
        }
    }

    fn data_type(&self) -> Option<DataType> {
        let are = |what: u8| self.all & what != 0;
        let told_apart = are(SHORTEST | PYTHON) || self.decimals != Decimals::Various;
        match () {
            () if self.is_empty => None,
            () if are(WHOLE) => Some(DataType::Int64),
            () if are(NUMBER) && told_apart => Some(DataType::Float64),
            () if are(LOWER | TITLE | UPPER) => Some(DataType::Boolean),
            () if are(DATE) => Some(DataType::Date32),
            () => None,
        }
    }
}

/// Is it a number that reads back exactly, and with how many decimals is it written?
fn number(value: &str) -> (u8, Decimals) {
    let nothing = (0, Decimals::Various);
    let unsigned = value.strip_prefix('-').unwrap_or(value);
    let mut first = unsigned.bytes();
    let padded = match (first.next(), first.next()) {
        (Some(b'0'), second) => second.is_some_and(|byte| byte.is_ascii_digit()),
        (Some(b'1'..=b'9'), _) => false,
        _ => true,
    };
    let Some(number) = value.parse::<f64>().ok().filter(|number| number.is_finite() && !padded) else { return nothing };
    // Two zeros would be one number.
    let is_negative_zero = number == 0.0 && unsigned.len() < value.len();
    if is_negative_zero || digits(unsigned) != digits(&format!("{:e}", number.abs())) {
        return nothing;
    }
    let shortest = if number.to_string() == value { SHORTEST } else { 0 };
    let decimals = match (unsigned.contains(['e', 'E']), unsigned.split_once('.')) {
        (true, _) => Decimals::Various,
        (false, None) => Decimals::Same(0),
        (false, Some((_, decimals))) => Decimals::Same(decimals.len()),
    };
    let python = if python(number) == value { PYTHON } else { 0 };
    (NUMBER | shortest | python, decimals)
}

/// A number as Python writes it: `2.0`, `1e-05`, `1.5e+16`.
fn python(number: f64) -> String {
    let scientific = format!("{number:e}");
    let (digits, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = power.parse().unwrap_or_default();
    let plain = number.to_string();
    match ((-4..16).contains(&power), plain.contains('.')) {
        (true, true) => plain,
        (true, false) => plain + ".0",
        (false, _) => format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs()),
    }
}

/// The digits of a number without zeros at its ends, and the power of ten of the first one.
fn digits(unsigned: &str) -> Option<(String, i64)> {
    let (number, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let all = format!("{whole}{decimals}");
    let leading = all.len() - all.trim_start_matches('0').len();
    let digits = all.trim_matches('0').to_owned();
    let power = whole.len() as i64 - leading as i64 + exponent.parse::<i64>().ok()?;
    Some(if digits.is_empty() { (digits, 0) } else { (digits, power) })
}

/// Four digits of a year, two of a month, two of a day, and there is such a day.
fn is_date(value: &str) -> bool {
    let shape = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
    value.len() == 10 && value.bytes().enumerate().all(shape) && cutline_model::Scale::dates().read(value).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kind(values: &[&str]) -> Option<DataType> {
        let mut all = Look::default();
        values.iter().for_each(|value| all.merge(Look::at(value)));
        all.data_type()
    }

    #[test]
    fn a_column_has_a_type_if_every_value_reads_back_exactly() {
        assert_eq!(kind(&["1", "-20", "0"]), Some(DataType::Int64));
        assert_eq!(kind(&["1", "2.5", "-0.25"]), Some(DataType::Float64));
        assert_eq!(kind(&["1.50", "0.25", "12.00"]), Some(DataType::Float64), "two decimals each");
        assert_eq!(kind(&["0.5", "1.25", "2.0", "1e-05", "1.5e+16"]), Some(DataType::Float64), "as Python writes them");
        assert_eq!(kind(&["0.1", "0.30000000000000004"]), Some(DataType::Float64));
        assert_eq!((kind(&["true", "false"]), kind(&["TRUE"])), (Some(DataType::Boolean), Some(DataType::Boolean)));
        assert_eq!(kind(&["1984-03-05", "2024-02-29"]), Some(DataType::Date32));
    }

    #[test]
    fn what_would_not_read_back_stays_text() {
        for values in [
            &["007", "123"][..],
            &["1.5", "1.50"],
            &["2", "2.0", "1.5"],
            &["12345678901234567890"],
            &["0.12345678901234567890"],
            &["+1"],
            &["-0"],
            &["-0.0", "1.5"],
            &[".5"],
            &["5."],
            &["nan"],
            &["1e999"],
            &["1", "x"],
            &["true", "TRUE"],
            &["true", "1"],
            &["2023-02-29"],
            &["1984-03-05", "1984-03-05T10:00:00"],
            &["1e3", "1000"],
            &[],
        ] {
            assert_eq!(kind(values), None, "{values:?}");
        }
    }

    proptest! {
        #[test]
        fn different_texts_stay_different_numbers(values in prop::collection::vec("-?[0-9]{1,3}(\\.[0-9]{1,3})?", 1..6)) {
            let mut different: Vec<&str> = values.iter().map(String::as_str).collect();
            different.sort();
            different.dedup();
            if matches!(kind(&different), Some(DataType::Int64 | DataType::Float64)) {
                let mut numbers: Vec<f64> = different.iter().map(|text| text.parse().unwrap()).collect();
                numbers.sort_by(f64::total_cmp);
                numbers.dedup();
                prop_assert_eq!(numbers.len(), different.len());
            }
        }

        #[test]
        fn every_shortest_number_has_a_type(number in any::<f64>().prop_filter("finite", |number| number.is_finite())) {
            prop_assume!(number != 0.0);
            let text = number.to_string();
            prop_assert!(kind(&[&text]).is_some(), "{}", text);
        }
    }
}
