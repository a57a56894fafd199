//! How surely does a group tell a sensitive value?

use std::fmt;

use crate::NULL_TEXT;
use crate::sensitive::{Sensitive, size};

/// How surely someone who knows a person's group can infer the values of a sensitive attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    /// The sensitive attribute.
    pub attribute: String,
    /// The highest share that any value has in any group; 0 if there are no records.
    pub highest_confidence: f64,
    /// Groups in which everybody has the same value, or none: who is known to be in one, of them it is certain.
    pub homogeneous_groups: u64,
    /// The number of records in these groups.
    pub homogeneous_records: u64,
    /// Every value, surest first, if [`Options::keep_values`](crate::Options::keep_values) asks for them.
    pub values: Option<Vec<ValueConfidence>>,
}

/// How surely one value can be inferred.
#[derive(Clone, PartialEq)]
pub struct ValueConfidence {
    /// The value; [`NULL_TEXT`] for the missing one.
    pub value: String,
    /// Its highest share in any group.
    pub highest_confidence: f64,
    /// Its share in the whole table: what can be inferred without the group.
    pub base_rate: f64,
}

/// Shows the figures only: values of records do not belong in a log.
impl fmt::Debug for ValueConfidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueConfidence")
            .field("highest_confidence", &self.highest_confidence)
            .field("base_rate", &self.base_rate)
            .finish_non_exhaustive()
    }
}

impl Confidence {
    pub(crate) fn new(attribute: &str, sensitive: &Sensitive<'_>, keep_values: bool) -> Confidence {
        let table = &sensitive.table;
        let mut highest = vec![0.0f64; table.texts.len()];
        let (mut homogeneous_groups, mut homogeneous_records) = (0, 0);
        for group in sensitive.groups() {
            if let [only] = group {
                homogeneous_groups += 1;
                homogeneous_records += only.count;
            }
            let size = size(group) as f64;
            for cell in group {
                let share = &mut highest[cell.value as usize];
                *share = share.max(cell.count as f64 / size);
            }
        }
        let records = table.records() as f64;
        let value = |value: usize| ValueConfidence {
            value: table.texts[value].as_deref().unwrap_or(NULL_TEXT).to_owned(),
            highest_confidence: highest[value],
            base_rate: table.counts[value] as f64 / records,
        };
        let values = keep_values.then(|| {
            let mut values: Vec<_> = (0..highest.len()).map(value).collect();
            // Stable, so equally sure values stay in their order.
            values.sort_by(|a, b| b.highest_confidence.total_cmp(&a.highest_confidence));
            values
        });
        let highest_confidence = highest.iter().copied().fold(0.0, f64::max);
        let attribute = attribute.to_owned();
        Confidence { attribute, highest_confidence, homogeneous_groups, homogeneous_records, values }
    }
}
