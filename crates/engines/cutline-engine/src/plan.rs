//! What is asked of an engine: plain data, from which a statement can be written as well as a loop.
//!
//! Columns are named by their positions in [`crate::Engine::columns`].

use std::collections::{BTreeMap, HashMap};

use cutline_measure::cluster::ClusterRule;
use cutline_model::Scale;
use cutline_table::MaskPlan;
use serde::{Deserialize, Serialize};

/// What to group by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CompressPlan {
    /// The columns in the order wanted.
    pub columns: Vec<usize>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Leave out records in which one of these columns is missing.
    pub required: Vec<usize>,
    /// Columns whose order the records may be in: if they have one, see [`crate::Noticed::InOrder`].
    pub watched: Vec<usize>,
    /// Columns that stand for persons: if their values repeat, see [`crate::Noticed::Repeats`].
    pub persons: Vec<usize>,
    /// The grouped column that says whose record each is, if a rewrite will ask for it again: an engine may remember it.
    pub person: Option<usize>,
    /// The cluster of each record, to group by too, and its place among the grouped columns.
    pub cluster: Option<(usize, ClusterColumn)>,
    /// Columns that are grouped by cells and not by values, by their places among the grouped ones.
    pub coarse: BTreeMap<usize, Coarse>,
    /// An engine gives up where there are more combinations: of several plans that are counted at once, all together.
    pub most: Option<u64>,
}

/// Cells of a column: values that are counted as one of them. A value that is in no cell was not there when they were made: it is counted as
/// it is, or is an error, but never as another one.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coarse {
    /// All values; `None` is missing.
    pub values: Vec<Option<String>>,
    /// The one that each is counted as, by its place.
    pub counted_as: Vec<u32>,
}

impl Coarse {
    /// What each value is counted as.
    pub fn lookup(&self) -> HashMap<Option<&str>, u32> {
        let values = self.values.iter().map(Option::as_deref);
        values.zip(self.counted_as.iter().copied()).collect()
    }
}

/// Shows no value.
impl std::fmt::Debug for Coarse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Coarse({} values)", self.values.len())
    }
}

/// A column that no record has: the cluster that a record belongs to, which follows from other cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterColumn {
    /// The columns that the rule looks at.
    pub columns: Vec<usize>,
    /// Where values lie, and where the clusters are.
    pub rule: ClusterRule,
}

/// Which records to draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplePlan {
    /// The columns in the order wanted.
    pub columns: Vec<usize>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Leave out records in which one of these columns is missing.
    pub required: Vec<usize>,
    /// The largest number of records to draw. A table that has no more is drawn as a whole.
    pub size: usize,
    /// Which records are drawn follows from this number and their positions alone, so that a sample of a table and one of its masked
    /// version are of the same records.
    pub seed: u64,
}

impl SamplePlan {
    /// All records: learners look at records one by one, counts do not tell them enough.
    pub fn all(columns: Vec<usize>, nulls: Vec<String>, required: Vec<usize>) -> Self {
        SamplePlan { columns, nulls, required, size: usize::MAX, seed: 0 }
    }
}

/// What to write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RewritePlan {
    /// The published columns in order.
    pub columns: Vec<OutputColumn>,
    /// What becomes of the masked columns, and of records that may not appear under their labels.
    pub mask: MaskPlan,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Leave out records in which one of these columns is missing.
    pub required: Vec<usize>,
    /// In which order records are published.
    pub order: RecordOrder,
    /// The name and the rule of a column of clusters to publish after the other columns, if there is one.
    pub cluster: Option<(String, ClusterColumn)>,
    /// A column that says which person a record is about and is not published: [`crate::Written::persons`] tells it, so that persons
    /// can be recounted. Engines that cannot leave that out.
    pub person: Option<usize>,
}

/// In which order records are published, if the engine's records have one.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordOrder {
    /// As they are.
    #[default]
    Kept,
    /// At random. The same key and the same table give the same order. The same key and another table give another one, so that
    /// positions in two published tables do not belong together. Without the key nobody can undo the order.
    Random([u8; 16]),
}

/// Shows no key.
impl std::fmt::Debug for RecordOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RecordOrder::Kept => "Kept",
            RecordOrder::Random(_) => "Random",
        })
    }
}

/// One published column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputColumn {
    /// Its position among the source's columns.
    pub source: usize,
    /// What becomes of its cells.
    pub how: Treatment,
}

/// What becomes of a column's cells.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Treatment {
    /// Published as they are.
    Keep,
    /// Replaced by labels: this attribute of [`RewritePlan::mask`].
    Mask(usize),
    /// Replaced by tokens: equal values get equal tokens, and without the key nothing can be learned from one.
    Tokenize([u8; 16]),
    /// Dates, moved by weeks.
    Shift(Shift),
}

/// By how many weeks dates are moved: the same number for all dates of a person, which nobody can work out without the key.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shift {
    /// What the number follows from, with the person.
    pub key: [u8; 16],
    /// The column that says whose record each is.
    pub person: usize,
    /// How the dates are written.
    pub dates: Scale,
}

/// Shows no key.
impl std::fmt::Debug for Treatment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Treatment::Keep => f.write_str("Keep"),
            Treatment::Mask(attribute) => write!(f, "Mask({attribute})"),
            Treatment::Tokenize(_) => f.write_str("Tokenize"),
            Treatment::Shift(_) => f.write_str("Shift"),
        }
    }
}
