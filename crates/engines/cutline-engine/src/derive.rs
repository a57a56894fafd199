//! A column that no record has: a label that follows from other cells, such as the cluster that a record belongs to.

use std::fmt;
use std::sync::Arc;

use arrow_array::RecordBatch;
use cutline_table::BlockColumn;

use crate::cells::{CellReader, as_text, number_cells};
use crate::embedded::Embedded;
use crate::error::EngineError;

/// Gives every record a label.
///
/// The first pass groups by it, the second one may write it; no other representation of the records is needed, so that a table of any
/// length can be labelled.
///
/// # Contract
/// A record's label depends on the texts of its own cells only: not on its neighbours, and not on which block it is in.
pub trait Derive: fmt::Debug + Send + Sync {
    /// The columns that it looks at, as positions in the source's schema.
    fn columns(&self) -> &[usize];

    /// How many labels there are: every label is below this number.
    fn labels(&self) -> u32;

    /// The label of each record, from its cells in the order of [`Derive::columns`].
    ///
    /// # Errors
    /// If the cells do not fit: a defect of whoever made this.
    fn derive(&self, records: usize, cells: &[&BlockColumn]) -> Result<Vec<u32>, EngineError>;
}

/// A derived column to group by.
#[derive(Clone, Debug)]
pub struct DerivedColumn {
    /// Its place among the grouped columns.
    pub at: usize,
    /// What gives the labels.
    pub derive: Arc<dyn Derive>,
}

/// A derived column to publish, after all others.
#[derive(Clone, Debug)]
pub struct DerivedOutput {
    /// Its name.
    pub name: String,
    /// What gives the labels.
    pub derive: Arc<dyn Derive>,
}

/// The label as a column of a block: the text of a label is its number.
pub(crate) fn block_column(
    derive: &dyn Derive,
    records: usize,
    cells: &[&BlockColumn],
) -> Result<BlockColumn, EngineError> {
    let codes = derive.derive(records, cells)?;
    Ok(BlockColumn { codes, texts: (0..derive.labels()).map(|label| Some(label.to_string())).collect() })
}

/// A column's cells as codes of this batch, and the text of each code.
pub(crate) fn encode_column(
    engine: &Embedded,
    batch: &RecordBatch,
    place: usize,
    reader: &CellReader,
) -> Result<BlockColumn, EngineError> {
    let column = as_text(batch.column(place), engine.path())?;
    let mut texts = Vec::new();
    let codes = number_cells(&column, |cell| {
        texts.push(cell.and_then(|cell| reader.value(cell)).map(|value| value.into_owned()));
        Ok::<_, EngineError>(texts.len() as u32 - 1)
    })?;
    Ok(BlockColumn { codes, texts })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::engine::{CompressPlan, Engine, Unwatched};
    use crate::source::{self, SourceOptions};

    /// The length of both cells together, modulo 3; a missing cell counts as 1.
    #[derive(Debug)]
    struct Lengths;

    impl Derive for Lengths {
        fn columns(&self) -> &[usize] {
            &[2, 0]
        }

        fn labels(&self) -> u32 {
            3
        }

        fn derive(&self, records: usize, cells: &[&BlockColumn]) -> Result<Vec<u32>, EngineError> {
            let length = |column: &BlockColumn, row: usize| {
                column.texts[column.codes[row] as usize].as_ref().map_or(1, String::len) as u32
            };
            Ok((0..records).map(|row| (length(cells[0], row) + length(cells[1], row)) % 3).collect())
        }
    }

    fn cell(number: usize) -> String {
        if number.is_multiple_of(7) { String::new() } else { "x".repeat(number % 5 + 1) }
    }

    /// More than one block, so that threads and blocks matter.
    const RECORDS: usize = 60_000;

    fn open(folder: &tempfile::TempDir, threads: usize) -> Embedded {
        let path = folder.path().join("t.csv");
        let record = |n: usize| format!("{},{},{}\n", cell(n), n % 4, cell(n / 3));
        let text: String = (0..RECORDS).map(record).collect();
        std::fs::write(&path, format!("a,b,c\n{text}")).unwrap();
        let source = source::open(path.to_str().unwrap(), &SourceOptions::default()).unwrap();
        Embedded::new(source, "t.csv", threads)
    }

    #[test]
    fn derived_labels_are_those_of_each_record_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let mut expected: BTreeMap<(String, String), u64> = BTreeMap::new();
        for n in 0..RECORDS {
            let length = |text: String| if text.is_empty() { 1 } else { text.len() };
            let label = (length(cell(n)) + length(cell(n / 3))) % 3;
            *expected.entry(((n % 4).to_string(), label.to_string())).or_default() += 1;
        }
        for threads in [1, 2, 8] {
            let derived = Some(DerivedColumn { at: 1, derive: Arc::new(Lengths) });
            let plan = CompressPlan { columns: vec![1], derived, ..CompressPlan::default() };
            let table = open(&folder, threads).compress(&plan, &Unwatched).unwrap();
            assert_eq!((table.records, table.weights.len()), (RECORDS as u64, expected.len()));
            let masking = vec![("b".to_owned(), cutline_model::Masking::Suppress)];
            let labels = [("label".to_owned(), cutline_table::LabelKind::Classes)];
            let table = cutline_table::encode(&table, masking, &labels, Default::default()).unwrap();
            let cutline_table::Labels::Classes { names, codes } = &table.labels else { panic!("classes") };
            let domain = &table.attributes[0].domain;
            let found = (0..table.rows()).map(|row| {
                let value = domain.name(table.attributes[0].codes.get(row)).unwrap().to_owned();
                ((value, names[codes.get(row) as usize].clone().unwrap()), table.weights[row])
            });
            assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{threads} threads");
        }
    }

    #[test]
    fn samples_are_of_the_same_records_on_any_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let plan = |size: usize, required: Vec<usize>| crate::SamplePlan {
            columns: vec![0, 1],
            nulls: Vec::new(),
            required,
            size,
            seed: 7,
        };
        let sample = |threads: usize, plan| open(&folder, threads).sample(&plan, &Unwatched).unwrap();
        let one = sample(1, plan(1000, Vec::new()));
        assert_eq!((one.drawn, one.records, one.columns[0].codes.len()), (1000, RECORDS as u64, 1000));
        assert_eq!(sample(2, plan(1000, Vec::new())), one);
        assert_eq!(sample(8, plan(1000, Vec::new())), one);
        // Every value of b is as frequent as any other one; a sample shows about that.
        let count = |text: &str| {
            let column = &one.columns[1];
            column.codes.iter().filter(|&&code| column.texts[code as usize].as_deref() == Some(text)).count()
        };
        assert!(["0", "1", "2", "3"].iter().all(|text| (190..310).contains(&count(text))));
        // A table that fits is drawn as a whole, without the records that are left out.
        let all = sample(2, plan(RECORDS, vec![0]));
        assert_eq!((all.drawn as u64, all.records + all.dropped), (all.records, RECORDS as u64));
        assert!(all.columns[0].texts.iter().all(Option::is_some));
        assert_eq!(all.columns[1].range, Some((0.0, 3.0)));
        assert_eq!(
            (all.columns[0].kind, all.columns[1].kind),
            (cutline_model::Kind::Categorical, cutline_model::Kind::Continuous)
        );
    }
}
