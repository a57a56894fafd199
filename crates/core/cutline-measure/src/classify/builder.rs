//! From texts to codes.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Classes, ClassifyError, Column, Domain, Feature, Instances, MISSING, Values};

/// How a column's texts are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureKind {
    /// Values that are equal or not. Labels of a masked column are nominal, even of a numeric one.
    Nominal,
    /// Finite decimal numbers.
    Numeric,
}

/// Collects columns, then the labels, into [`Instances`].
///
/// Give it training and test rows together: they get the same codes. Dictionaries are sorted by text, so that codes, and the
/// order of branches, do not depend on the order of rows.
#[derive(Debug, Default)]
pub struct InstancesBuilder {
    features: Vec<Feature>,
    columns: Vec<Column>,
}

impl InstancesBuilder {
    /// A table without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column of texts; `None` is a missing value.
    pub fn column<S: AsRef<str>>(
        self,
        name: &str,
        kind: FeatureKind,
        cells: impl IntoIterator<Item = Option<S>>,
    ) -> Result<Self, ClassifyError> {
        let (domain, column) = match kind {
            FeatureKind::Nominal => {
                let (values, codes) = encode(cells);
                (Domain::Nominal(values), Column::Nominal(codes))
            }
            FeatureKind::Numeric => (Domain::Numeric, Column::Numeric(numbers(name, cells)?)),
        };
        self.coded(Feature { name: name.to_owned(), domain }, column)
    }

    /// Adds a column that has codes already.
    pub fn coded(mut self, feature: Feature, column: Column) -> Result<Self, ClassifyError> {
        if self.features.iter().any(|other| other.name == feature.name) {
            return Err(ClassifyError::Duplicate { column: feature.name });
        }
        self.check_length(&feature.name, column.len())?;
        let fits = match (&feature.domain, &column) {
            (Domain::Nominal(values), Column::Nominal(codes)) => {
                codes.iter().all(|&code| code == MISSING || (code as usize) < values.len())
            }
            (Domain::Numeric, Column::Numeric(values)) => values.iter().all(|value| !value.is_infinite()),
            _ => false,
        };
        if !fits {
            return Err(ClassifyError::Domain { column: feature.name });
        }
        self.features.push(feature);
        self.columns.push(column);
        Ok(self)
    }

    /// The table with a class for every row.
    pub fn classes<S: AsRef<str>>(
        self,
        cells: impl IntoIterator<Item = Option<S>>,
    ) -> Result<Instances<Classes>, ClassifyError> {
        let (names, codes) = encode(cells);
        if let Some(row) = codes.iter().position(|&code| code == MISSING) {
            return Err(ClassifyError::MissingLabel { row });
        }
        self.check_length("class", codes.len())?;
        Ok(Instances {
            features: self.features.into(),
            columns: self.columns,
            labels: Classes { names: Arc::from(names), codes },
        })
    }

    /// The table with a target number for every row.
    pub fn values(self, values: impl IntoIterator<Item = f64>) -> Result<Instances<Values>, ClassifyError> {
        let values: Vec<f64> = values.into_iter().collect();
        if let Some(row) = values.iter().position(|value| !value.is_finite()) {
            return Err(ClassifyError::MissingLabel { row });
        }
        self.check_length("target", values.len())?;
        Ok(Instances { features: self.features.into(), columns: self.columns, labels: Values(values) })
    }

    fn check_length(&self, name: &str, found: usize) -> Result<(), ClassifyError> {
        match self.columns.first().map(Column::len) {
            Some(expected) if expected != found => {
                Err(ClassifyError::Length { column: name.to_owned(), found, expected })
            }
            _ => Ok(()),
        }
    }
}

/// The different texts, sorted, and every cell's position among them.
fn encode<S: AsRef<str>>(cells: impl IntoIterator<Item = Option<S>>) -> (Vec<String>, Vec<u32>) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut codes = Vec::new();
    for cell in cells {
        codes.push(match cell {
            None => MISSING,
            Some(text) => match seen.get(text.as_ref()) {
                Some(&code) => code,
                None => {
                    let code = seen.len() as u32;
                    seen.insert(text.as_ref().to_owned(), code);
                    code
                }
            },
        });
    }
    let mut sorted: Vec<(String, u32)> = seen.into_iter().collect();
    sorted.sort_unstable();
    let mut order = vec![0; sorted.len()];
    for (position, &(_, code)) in sorted.iter().enumerate() {
        order[code as usize] = position as u32;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING) {
        *code = order[*code as usize];
    }
    (sorted.into_iter().map(|(text, _)| text).collect(), codes)
}

fn numbers<S: AsRef<str>>(name: &str, cells: impl IntoIterator<Item = Option<S>>) -> Result<Vec<f64>, ClassifyError> {
    let number = |(row, cell): (usize, Option<S>)| match cell {
        None => Ok(f64::NAN),
        Some(text) => match text.as_ref().trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(ClassifyError::NotANumber { column: name.to_owned(), row }),
        },
    };
    cells.into_iter().enumerate().map(number).collect()
}
