//! The tables the tests learn from.

use std::fs::File;
use std::path::Path;

use cutline_measure::classify::{FeatureKind, Instances, InstancesBuilder, Values};
use flate2::read::GzDecoder;

/// A data set as it was published: texts with a header.
pub(crate) struct Texts {
    pub(crate) names: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Texts {
    /// Reads files of `datasets/` one after the other, and tells how many rows there were after each.
    pub(crate) fn read(files: &[&str]) -> (Self, Vec<usize>) {
        Self::read_if(files, |_| true)
    }

    /// The same without the rows that have a `?`.
    pub(crate) fn complete(files: &[&str]) -> (Self, Vec<usize>) {
        Self::read_if(files, |row| row.iter().all(|cell| cell != "?"))
    }

    fn read_if(files: &[&str], keep: impl Fn(&[String]) -> bool) -> (Self, Vec<usize>) {
        let mut texts = Self { names: Vec::new(), rows: Vec::new() };
        let mut ends = Vec::new();
        for file in files {
            let folder = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo tells it");
            let path = Path::new(&folder).join("../../../datasets").join(file);
            let mut reader = csv::Reader::from_reader(GzDecoder::new(File::open(path).unwrap()));
            texts.names = reader.headers().unwrap().iter().map(str::to_owned).collect();
            let rows = reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
            texts.rows.extend(rows.filter(|row| keep(row)));
            ends.push(texts.rows.len());
        }
        (texts, ends)
    }

    fn column(&self, index: usize) -> impl Iterator<Item = Option<&str>> {
        self.rows.iter().map(move |row| Some(row[index].as_str()).filter(|&cell| cell != "?"))
    }

    /// All columns but the target.
    fn builder(&self, target: usize, numeric: &[&str]) -> InstancesBuilder {
        let mut builder = InstancesBuilder::new();
        for (index, name) in self.names.iter().enumerate().filter(|(index, _)| *index != target) {
            let kind = if numeric.contains(&name.as_str()) { FeatureKind::Numeric } else { FeatureKind::Nominal };
            builder = builder.column(name, kind, self.column(index)).unwrap();
        }
        builder
    }

    /// The table with its last column as the class.
    pub(crate) fn classes(&self, numeric: &[&str]) -> Instances {
        let class = self.names.len() - 1;
        self.builder(class, numeric).classes(self.column(class)).unwrap()
    }

    /// The table with a numeric column as the target.
    pub(crate) fn values(&self, target: &str, numeric: &[&str]) -> Instances<Values> {
        let target = self.names.iter().position(|name| name == target).unwrap();
        self.builder(target, numeric).values(self.rows.iter().map(|row| row[target].parse().unwrap())).unwrap()
    }
}

pub(crate) const ADULT: [&str; 6] =
    ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"];
pub(crate) const CRX: [&str; 6] = ["A2", "A3", "A8", "A11", "A14", "A15"];
pub(crate) const GERMAN: [&str; 7] =
    ["duration", "credit-amount", "installment-rate", "residence-since", "age", "existing-credits", "dependents"];

/// The complete rows of Adult, and how many of them are the training part.
pub(crate) fn adult() -> (Texts, usize) {
    let (texts, ends) = Texts::complete(&["adult/train.csv.gz", "adult/test.csv.gz"]);
    (texts, ends[0])
}

/// A table of cells, the last of each row the class. Columns whose name starts with `#` are numeric.
pub(crate) fn table<const N: usize>(names: &[&str], rows: &[[Option<&str>; N]]) -> Instances {
    let mut builder = InstancesBuilder::new();
    for (index, name) in names.iter().enumerate() {
        let kind = if name.starts_with('#') { FeatureKind::Numeric } else { FeatureKind::Nominal };
        let cells = rows.iter().map(|row| row[index]);
        builder = builder.column(name.trim_start_matches('#'), kind, cells).unwrap();
    }
    builder.classes(rows.iter().map(|row| row[N - 1])).unwrap()
}

/// A table of nominal columns without missing values.
pub(crate) fn nominal<const N: usize>(names: &[&str], rows: &[[&str; N]]) -> Instances {
    table(names, &rows.iter().map(|row| row.map(Some)).collect::<Vec<_>>())
}

pub(crate) const GOLF_COLUMNS: [&str; 4] = ["outlook", "#temperature", "#humidity", "windy"];

pub(crate) fn golf() -> Instances {
    table(&GOLF_COLUMNS, &crate::golf::GOLF.map(|row| row.map(Some)))
}
