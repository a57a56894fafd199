//! The compressed table before its values have an order.

use std::sync::Arc;

use cutline_model::{Kind, Scale, parse_number};

use crate::interner::Interner;
use crate::{Code, Codes, History, RecordNumber, with_codes};

/// Distinct rows of provisional codes, with the texts behind them. Code 0 is "missing" in every column.
///
/// Made by a [`crate::Compressor`] from records, or by [`RawTable::from_groups`] from what somebody else counted. A clone shares the
/// texts.
#[derive(Clone, Debug)]
pub struct RawTable {
    /// The grouped columns in the order they were asked for.
    pub columns: Vec<RawColumn>,
    /// How many records share each row.
    pub weights: Vec<u64>,
    /// Records that were counted.
    pub records: u64,
    /// Records that were left out.
    pub dropped: u64,
    /// What earlier releases tell of the records of each row, if there are any.
    pub history: Option<History>,
}

/// The text of every code of a column, also of values that only dropped records had; code 0 is missing. A clone shares the texts.
#[derive(Clone, Debug)]
pub struct Dictionary(Arc<Interner>);

impl Dictionary {
    /// The number of codes, that of "missing" among them.
    pub fn codes(&self) -> usize {
        self.0.len() + 1
    }

    /// What a code stands for.
    pub fn text(&self, code: u32) -> Option<&str> {
        code.checked_sub(1).map(|number| self.0.text(number))
    }
}

/// One grouped column.
#[derive(Clone, Debug)]
pub struct RawColumn {
    pub(crate) codes: Codes,
    pub(crate) texts: Arc<Interner>,
    /// Records for each code; zero for values that only dropped records had.
    pub(crate) counts: Vec<u64>,
    pub(crate) first_missing: Option<RecordNumber>,
}

impl RawColumn {
    /// The distinct values that are present, with the record that had each first.
    pub fn values(&self) -> impl Iterator<Item = (&str, RecordNumber)> {
        self.present().map(|number| (self.texts.text(number), self.texts.first_record(number)))
    }

    /// The text of every code, also of values that only dropped records had; 0 is missing.
    pub fn texts(&self) -> Vec<Option<String>> {
        let dictionary = self.dictionary();
        (0..dictionary.codes() as u32).map(|code| dictionary.text(code).map(str::to_owned)).collect()
    }

    /// The same, shared with this column.
    pub fn dictionary(&self) -> Dictionary {
        Dictionary(Arc::clone(&self.texts))
    }

    /// The value of a row; nothing where it is missing.
    pub fn text(&self, row: usize) -> Option<&str> {
        self.codes.get(row).checked_sub(1).map(|number| self.texts.text(number))
    }

    /// A number for each row: `number` is asked once for every distinct value, and for `None` if some are missing.
    ///
    /// # Errors
    /// The first that `number` gives.
    pub fn numbers<E>(&self, number: impl Fn(Option<&str>) -> Result<u32, E>) -> Result<Vec<u32>, E> {
        let mut of_code = vec![0; self.counts.len()];
        if self.missing() > 0 {
            of_code[0] = number(None)?;
        }
        for text in self.present() {
            of_code[text as usize + 1] = number(Some(self.texts.text(text)))?;
        }
        Ok(with_codes!(&self.codes, codes => codes.iter().map(|code| of_code[code.index()]).collect()))
    }

    /// What is known of the value of each row, if something is of each value, in the order of [`values`](Self::values).
    ///
    /// # Panics
    /// If something is not known of each.
    pub fn of_rows<T: Copy>(&self, of_value: &[T], missing: T) -> Vec<T> {
        let mut of_code = vec![missing; self.counts.len()];
        for (place, text) in self.present().enumerate() {
            of_code[text as usize + 1] = of_value[place];
        }
        with_codes!(&self.codes, codes => codes.iter().map(|code| of_code[code.index()]).collect())
    }

    /// A number for the value of each row, and a limit that all of these are below.
    pub fn codes(&self) -> (&Codes, usize) {
        (&self.codes, self.counts.len())
    }

    /// The distinct values that are present, with the records that have each.
    pub fn counted(&self) -> impl Iterator<Item = (&str, u64)> {
        self.present().map(|number| (self.texts.text(number), self.counts[number as usize + 1]))
    }

    /// How many records have no value.
    pub fn missing(&self) -> u64 {
        self.counts[0]
    }

    /// The record where a value was first missing, if one was.
    pub fn first_missing(&self) -> Option<RecordNumber> {
        self.first_missing
    }

    /// Numbers of the texts that some counted record has.
    pub(crate) fn present(&self) -> impl Iterator<Item = u32> {
        (0..self.texts.len() as u32).filter(|&number| self.counts[number as usize + 1] > 0)
    }

    /// How many distinct values keep an attribute from being continuous, if all but a few are numbers.
    pub fn few_that_are_no_numbers(&self) -> Option<usize> {
        let (mut all, mut words) = (0, 0);
        for (text, _) in self.values() {
            all += 1;
            words += usize::from(parse_number(text).is_none());
        }
        (words > 0 && words * 5 <= all).then_some(words)
    }

    /// Continuous if every value is a number, unless they look like codes: all equally long, some with a leading zero. Dates if every
    /// value is one of ISO 8601, which nothing else looks like.
    pub fn guess_kind(&self) -> Kind {
        if self.values().next().is_some() && self.values().all(|(text, _)| Scale::dates().read(text).is_some()) {
            return Kind::Date;
        }
        let mut lengths = self.values().map(|(text, _)| text.len());
        let Some(first) = lengths.next() else { return Kind::Categorical };
        let padded = self.values().any(|(text, _)| text.len() > 1 && text.starts_with('0') && !text.contains('.'));
        let coded = padded && lengths.all(|length| length == first);
        let numbers = self.values().all(|(text, _)| parse_number(text).is_some());
        if numbers && !coded { Kind::Continuous } else { Kind::Categorical }
    }
}
