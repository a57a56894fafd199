//! What becomes of records in groups that are too small.

use cutline_engine::{RareLabels, SuppressPlan};
use cutline_table::{Suppressed, TableQid};

/// How the second pass finds the suppressed records. `sources` says which column of the table each attribute is.
pub(crate) fn plan(suppressed: &Suppressed, qids: &[TableQid], sources: &[usize]) -> Option<SuppressPlan> {
    let rare = |(qid, labels): (&TableQid, &Vec<Box<[u32]>>)| RareLabels {
        columns: qid.attributes.iter().map(|attribute| sources[attribute.0]).collect(),
        labels: labels.iter().cloned().collect(),
    };
    let qids = qids.iter().zip(&suppressed.qids).map(rare);
    (suppressed.records > 0).then(|| SuppressPlan { qids: qids.collect(), how: suppressed.how })
}
