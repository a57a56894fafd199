//! What a learner sees: columns of codes or numbers, and a label for every row.

use std::sync::Arc;

use super::ClassifyError;

/// The code of a missing nominal value.
pub const MISSING: u32 = u32::MAX;

/// Name and domain of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// The column's name.
    pub name: String,
    /// What its cells can be.
    pub domain: Domain,
}

/// What the cells of a column can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// One of these values; a cell's code is the position of its value.
    Nominal(Vec<String>),
    /// A number.
    Numeric,
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Codes of nominal values, [`MISSING`] for none.
    Nominal(Vec<u32>),
    /// Numbers, NaN for none.
    Numeric(Vec<f64>),
}

impl Column {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Nominal(codes) => codes.len(),
            Self::Numeric(values) => values.len(),
        }
    }

    fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Nominal(codes) => Self::Nominal(pick(codes, rows)),
            Self::Numeric(values) => Self::Numeric(pick(values, rows)),
        }
    }
}

/// What is to be predicted for every row: [`Classes`] or [`Values`].
pub trait Labels {
    /// How many rows have a label.
    fn count(&self) -> usize;
    /// The labels of some rows, in the given order.
    fn select(&self, rows: &[usize]) -> Self;
}

/// A class for every row.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    pub(super) names: Arc<[String]>,
    pub(super) codes: Vec<u32>,
}

impl Classes {
    /// The classes; a code is the position of its class.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The class of every row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }
}

impl Labels for Classes {
    fn count(&self) -> usize {
        self.codes.len()
    }

    fn select(&self, rows: &[usize]) -> Self {
        Self { names: Arc::clone(&self.names), codes: pick(&self.codes, rows) }
    }
}

/// A number for every row, the target of a regression.
#[derive(Debug, Clone, PartialEq)]
pub struct Values(pub(super) Vec<f64>);

impl Values {
    /// The target of every row.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }
}

impl Labels for Values {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn select(&self, rows: &[usize]) -> Self {
        Self(pick(&self.0, rows))
    }
}

/// A table to learn from or to test with, column by column. Made by [`InstancesBuilder`](super::InstancesBuilder).
///
/// Training and test part come from one builder and share its dictionaries. A value that only test rows have is therefore
/// a code no training row has, and not a missing value: the model was never told about it, which differs from the cell
/// being empty. [`C45`](super::C45) answers it as J48 does an empty branch, with the classes of the node that asked;
/// [`NaiveBayes`](super::NaiveBayes) with Laplace's correction alone; [`RegressionTree`](super::RegressionTree) follows the
/// larger branch; [`LinearRegression`](super::LinearRegression) leaves the column out.
#[derive(Debug, Clone, PartialEq)]
pub struct Instances<L = Classes> {
    pub(super) features: Arc<[Feature]>,
    pub(super) columns: Vec<Column>,
    pub(super) labels: L,
}

impl<L: Labels> Instances<L> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.labels.count()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Names and domains of the columns.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The cells, column by column.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What is to be predicted.
    pub fn labels(&self) -> &L {
        &self.labels
    }

    /// Some rows, in the given order, with the same dictionaries.
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            features: Arc::clone(&self.features),
            columns: self.columns.iter().map(|column| column.select(rows)).collect(),
            labels: self.labels.select(rows),
        }
    }

    /// The first `rows` rows and the others, as training and test part.
    pub fn split_at(&self, rows: usize) -> (Self, Self) {
        let all: Vec<usize> = (0..self.len()).collect();
        let (first, second) = all.split_at(rows.min(all.len()));
        (self.select(first), self.select(second))
    }

    /// The table without some columns: what is left to learn from if they are not published at all.
    pub fn without(&self, names: &[&str]) -> Result<Self, ClassifyError>
    where
        L: Clone,
    {
        for &name in names {
            if self.features.iter().all(|feature| feature.name != name) {
                return Err(ClassifyError::UnknownColumn { column: name.to_owned() });
            }
        }
        let kept = |index: &usize| !names.contains(&self.features[*index].name.as_str());
        let kept: Vec<usize> = (0..self.columns.len()).filter(kept).collect();
        Ok(Self {
            features: kept.iter().map(|&index| self.features[index].clone()).collect(),
            columns: kept.iter().map(|&index| self.columns[index].clone()).collect(),
            labels: self.labels.clone(),
        })
    }
}

fn pick<T: Copy>(cells: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| cells[row]).collect()
}
