//! The values of an attribute, in the order of their codes.

use cutline_model::NodeId;

use crate::round::Rounding;

/// The distinct values of one attribute. A code is a value's position; a missing value, if there is one, has the last code.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    values: Values,
    missing: bool,
    /// How bounds between numbers are rounded, if they are.
    rounding: Option<Rounding>,
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
        Domain { values: Values::Names(values), missing, rounding: None }
    }

    pub(crate) fn leaves(values: Vec<NodeId>, missing: bool) -> Self {
        Domain { values: Values::Leaves(values), missing, rounding: None }
    }

    pub(crate) fn numbers(values: Vec<f64>, missing: bool) -> Self {
        Domain { values: Values::Numbers(values), missing, rounding: None }
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
    /// are rounded.
    pub fn split(&self, code: u32) -> f64 {
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
