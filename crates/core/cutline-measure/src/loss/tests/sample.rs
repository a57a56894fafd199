//! Small tables for tests: records of text cells, compressed as the engine would compress them.
//!
//! The property tests in `tests/loss.rs` include this file too.

use std::sync::Arc;

use cutline_model::recoding::{Missing, Unknown};
use cutline_model::{AttributeRecoding, Bound, Masking, Taxonomy};
use cutline_table::{
    AttributeId, Block, BlockColumn, CompressedTable, Compressor, Costs, LabelKind, Masked, Suppressed, TableQid,
    encode,
};

use super::{Losses, Partition};

/// A cell; `None` is missing.
pub(crate) type Cell = Option<String>;

/// A table of persons, record by record: the quasi attributes, then the targets.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) attributes: Vec<Masking>,
    pub(crate) targets: Vec<LabelKind>,
    pub(crate) records: Vec<Vec<Cell>>,
}

impl Sample {
    /// A table without records.
    pub(crate) fn new(attributes: Vec<Masking>, targets: &[LabelKind]) -> Self {
        Sample { attributes, targets: targets.to_vec(), records: Vec::new() }
    }

    /// Further equal records. Blanks separate the cells; `?` is missing.
    pub(crate) fn records(mut self, count: usize, cells: &str) -> Self {
        let record: Vec<Cell> = cells.split_whitespace().map(|text| (text != "?").then(|| text.to_owned())).collect();
        assert_eq!(record.len(), self.attributes.len() + self.targets.len(), "{cells}");
        self.records.extend(std::iter::repeat_n(record, count));
        self
    }

    /// What a metric sees of the table.
    pub(crate) fn compress(&self) -> CompressedTable {
        let columns = self.attributes.len() + self.targets.len();
        let column = |column: usize| BlockColumn {
            codes: (0..self.records.len() as u32).collect(),
            texts: self.records.iter().map(|record| record[column].clone()).collect(),
        };
        let mut compressor = Compressor::new(columns);
        let columns = (0..columns).map(column).collect();
        compressor.add(&Block { records: self.records.len(), left_out: Vec::new(), columns });
        let attributes = self.attributes.iter().enumerate().map(|(a, masking)| (format!("a{a}"), masking.clone()));
        let targets: Vec<_> = self.targets.iter().enumerate().map(|(t, &kind)| (format!("t{t}"), kind)).collect();
        encode(&compressor.finish(), attributes.collect(), &targets, Unknown::Error).unwrap()
    }

    /// A recoding of the table under a requirement, with the records of small groups suppressed.
    pub(crate) fn recoded(&self, recoding: &[AttributeRecoding], qids: &[TableQid]) -> Recoded {
        let table = self.compress();
        let suppressed = Masked::new(&table, recoding).unwrap().suppress(qids);
        Recoded { table, recoding: recoding.to_vec(), qids: qids.to_vec(), suppressed }
    }
}

/// A table under a recoding.
#[derive(Clone, Debug)]
pub(crate) struct Recoded {
    pub(crate) table: CompressedTable,
    pub(crate) recoding: Vec<AttributeRecoding>,
    pub(crate) qids: Vec<TableQid>,
    pub(crate) suppressed: Suppressed,
}

impl Recoded {
    pub(crate) fn masked(&self) -> Masked<'_> {
        Masked::new(&self.table, &self.recoding).unwrap()
    }

    /// All metrics.
    pub(crate) fn losses(&self, costs: Option<&Costs>) -> Losses {
        Losses::measure(&self.table, &self.recoding, &self.masked(), &self.suppressed, &self.qids, costs)
    }

    /// The groups on all attributes.
    pub(crate) fn partition(&self) -> Partition {
        let all = (0..self.table.attributes.len()).map(AttributeId);
        Partition::new(&self.table, &self.masked(), &self.suppressed, all)
    }
}

/// A QID by positions.
pub(crate) fn qid(attributes: &[usize], k: u64) -> TableQid {
    TableQid::new(attributes.iter().copied().map(AttributeId).collect(), k)
}

/// Masking by a taxonomy, from its outline.
pub(crate) fn by_taxonomy(outline: &str) -> Masking {
    Masking::Generalize(Arc::new(Taxonomy::from_outline(outline).unwrap()))
}

/// A cut through the taxonomy of an attribute.
pub(crate) fn cut(masking: &Masking, labels: &[&str], missing: Option<Missing>) -> AttributeRecoding {
    let Masking::Generalize(taxonomy) = masking else { panic!("no taxonomy") };
    let cut = labels.iter().map(|&label| label.to_owned()).collect();
    AttributeRecoding::Generalize { cut, missing, taxonomy: taxonomy.as_ref().clone() }
}

/// Intervals between bounds, without declared extremes.
pub(crate) fn intervals(inner: &[f64], missing: Option<Missing>) -> AttributeRecoding {
    let inner = inner.iter().map(|&bound| Some(bound));
    let bounds = std::iter::once(None).chain(inner).chain([None]).map(Bound).collect();
    AttributeRecoding::numbers(bounds, missing)
}

/// All values but these are `*`.
pub(crate) fn disclose(disclosed: &[&str], missing: Option<Missing>) -> AttributeRecoding {
    AttributeRecoding::Suppress { disclosed: disclosed.iter().map(|&value| value.to_owned()).collect(), missing }
}
