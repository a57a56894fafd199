//! Is the input still what was counted? Asked only when a recount fails, to find out who is to blame.

use std::collections::BTreeMap;

use cutline_table::CompressedTable;

use crate::job::Job;
use crate::{Counts, Silent, Table};

/// Counts the input once more: is it the table that was searched? One that can no longer be read is not.
pub(crate) fn still_counts(job: &Job, table: &Table, searched: &CompressedTable) -> bool {
    let again = Counts::new(job, table, &Silent).and_then(|counts| counts.encoded(job));
    again.is_ok_and(|again| is_same(&again, searched))
}

/// The same records; rows may come in any order.
fn is_same(one: &CompressedTable, other: &CompressedTable) -> bool {
    let domains = |table: &CompressedTable| table.attributes.iter().map(|a| a.domain.clone()).collect::<Vec<_>>();
    domains(one) == domains(other) && records(one) == records(other)
}

/// How many records have each combination of quasi values.
fn records(table: &CompressedTable) -> BTreeMap<Vec<u32>, u64> {
    let columns: Vec<Vec<u32>> = table.attributes.iter().map(|attribute| attribute.codes.iter().collect()).collect();
    let mut records = BTreeMap::new();
    for (row, &weight) in table.weights.iter().enumerate() {
        *records.entry(columns.iter().map(|column| column[row]).collect()).or_default() += weight;
    }
    records
}
