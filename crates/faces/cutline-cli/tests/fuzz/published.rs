//! A published table of any format as texts, read with nothing of Cutline.

use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_cast::display::{ArrayFormatter, FormatOptions};

/// Columns and records; a null is an empty text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Published {
    pub(crate) columns: Vec<String>,
    pub(crate) records: Vec<Vec<String>>,
}

impl Published {
    pub(crate) fn read(path: &Path) -> Self {
        let file = || File::open(path).unwrap();
        match path.extension().unwrap().to_str().unwrap() {
            "csv" => Self::csv(file()),
            "jsonl" => Self::json(&std::fs::read_to_string(path).unwrap()),
            "arrow" => Self::batches(arrow_ipc::reader::FileReader::try_new(file(), None).unwrap()),
            _ => {
                let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file()).unwrap();
                Self::batches(reader.build().unwrap())
            }
        }
    }

    fn csv(file: File) -> Self {
        let mut reader = csv::Reader::from_reader(file);
        let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let columns = texts(reader.headers().unwrap());
        Published { columns, records: reader.records().map(|record| texts(&record.unwrap())).collect() }
    }

    fn json(text: &str) -> Self {
        let mut published = Published::default();
        for line in text.lines() {
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
            published.columns = object.keys().cloned().collect();
            let cell = |value: &serde_json::Value| match value {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            published.records.push(object.values().map(cell).collect());
        }
        published
    }

    fn batches<E: std::fmt::Debug>(batches: impl Iterator<Item = Result<RecordBatch, E>>) -> Self {
        let mut published = Published::default();
        for batch in batches.map(Result::unwrap) {
            published.columns = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
            let options = FormatOptions::default();
            let columns: Vec<ArrayFormatter<'_>> =
                batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
            let record = |row| columns.iter().map(|column| column.value(row).to_string()).collect();
            published.records.extend((0..batch.num_rows()).map(record));
        }
        published
    }

    /// The cells of a column.
    pub(crate) fn column(&self, name: &str) -> Vec<&str> {
        let place = self.columns.iter().position(|column| column == name);
        let place = place.unwrap_or_else(|| panic!("there is no column {name:?} among {:?}", self.columns));
        self.records.iter().map(|record| &record[place][..]).collect()
    }

    /// The same without a column.
    pub(crate) fn without(mut self, name: &str) -> Self {
        if let Some(place) = self.columns.iter().position(|column| column == name) {
            self.columns.remove(place);
            self.records.iter_mut().for_each(|record| drop(record.remove(place)));
        }
        self
    }
}
