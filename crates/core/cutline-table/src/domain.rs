//! The values of an attribute, in the order of their codes.

use std::ops::Range;

use cutline_model::{NodeId, Unit, boundary};

use crate::round::Rounding;

/// The distinct values of one attribute. A code is a value's position; a missing value, if there is one, has the last code.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    values: Values,
    missing: bool,
    /// How bounds between numbers are rounded, if they are.
    rounding: Option<Rounding>,
    /// Of days, where the calendar cuts before each; nothing for others.
    cuts: Vec<(Unit, f64)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    /// In byte order.
    Names(Vec<String>),
    /// In the order of the taxonomy's leaves, so that the values below any node have neighbouring codes.
    Leaves(Vec<NodeId>),
    /// Ascending.
    Numbers(Vec<f64>),
}

impl Domain {
    pub(crate) fn names(values: Vec<String>, missing: bool) -> Self {
        Domain { values: Values::Names(values), missing, rounding: None, cuts: Vec::new() }
    }

    pub(crate) fn leaves(values: Vec<NodeId>, missing: bool) -> Self {
        Domain { values: Values::Leaves(values), missing, rounding: None, cuts: Vec::new() }
    }

    pub(crate) fn numbers(values: Vec<f64>, missing: bool) -> Self {
        Domain { values: Values::Numbers(values), missing, rounding: None, cuts: Vec::new() }
    }

    /// Days of the calendar, as numbers.
    pub(crate) fn days(values: Vec<f64>, missing: bool) -> Self {
        let between = |pair: &[f64]| boundary(pair[0], pair[1]);
        let first = values.first().map(|&first| (Unit::Decade, first));
        let cuts = first.into_iter().chain(values.windows(2).map(between)).collect();
        Domain { cuts, ..Domain::numbers(values, missing) }
    }

    /// Of days, the unit of the calendar at which the day with this code is told apart from the one before; nothing for others, which
    /// may be told apart anywhere.
    pub fn unit(&self, code: u32) -> Option<Unit> {
        self.cuts.get(code as usize).map(|(unit, _)| *unit)
    }

    /// The codes at which an interval may be cut first: of days those where its longest unit begins, so that years are told apart
    /// before months are. Nothing for others.
    pub fn longest_units(&self, codes: Range<u32>) -> Option<Vec<u32>> {
        let inner = || (codes.start + 1..codes.end).filter_map(|code| Some((self.unit(code)?, code)));
        let longest = inner().map(|(unit, _)| unit).min()?;
        Some(inner().filter(|(unit, _)| *unit == longest).map(|(_, code)| code).collect())
    }

    /// The number of codes, the one for "missing" included.
    pub fn len(&self) -> usize {
        self.known() + usize::from(self.missing)
    }

    /// Has the attribute no values at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of values that are not missing.
    pub fn known(&self) -> usize {
        match &self.values {
            Values::Names(values) => values.len(),
            Values::Leaves(values) => values.len(),
            Values::Numbers(values) => values.len(),
        }
    }

    /// The code of a missing value, if there are any.
    pub fn missing(&self) -> Option<u32> {
        self.missing.then_some(self.known() as u32)
    }

    /// The name behind a code of an attribute without a taxonomy.
    pub fn name(&self, code: u32) -> Option<&str> {
        match &self.values {
            Values::Names(values) => values.get(code as usize).map(String::as_str),
            _ => None,
        }
    }

    /// The code of a name of an attribute without a taxonomy.
    pub fn code(&self, name: &str) -> Option<u32> {
        match &self.values {
            Values::Names(values) => {
                values.binary_search_by(|other| other.as_str().cmp(name)).ok().map(|code| code as u32)
            }
            _ => None,
        }
    }

    /// The numbers of a continuous attribute; nothing for others.
    pub fn as_numbers(&self) -> &[f64] {
        match &self.values {
            Values::Numbers(values) => values,
            _ => &[],
        }
    }

    /// The bound below the number with this code: no number of a smaller code is as large. It is the number itself, unless bounds
    /// are rounded; of days it is the first one of the longest unit that begins there.
    pub fn split(&self, code: u32) -> f64 {
        if let Some((_, day)) = self.cuts.get(code as usize) {
            return *day;
        }
        let (below, rest) = self.as_numbers().split_at(code as usize);
        let rounded = self.rounding.zip(below.last()).and_then(|(rounding, &below)| rounding.between(below, rest[0]));
        rounded.unwrap_or(rest[0])
    }

    /// Writes bounds that are no values of records, as far as possible.
    pub fn round_splits(&mut self) {
        self.rounding = Some(Rounding::new(self.as_numbers()));
    }

    /// The leaves of an attribute with a taxonomy; nothing for others.
    pub fn as_leaves(&self) -> &[NodeId] {
        match &self.values {
            Values::Leaves(values) => values,
            _ => &[],
        }
    }
}
