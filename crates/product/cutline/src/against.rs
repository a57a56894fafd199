//! Two releases of overlapping tables: what somebody learns who has both.
//!
//! Such a person takes away what the tables have in common. What is left are the records that appeared or vanished in between, with
//! their unmasked values: after one new patient, exactly that patient's row. So in each group of a QID, the records that appear must
//! be none or at least k, and so must those that vanish; a record whose unmasked values changed vanishes and appears. Records are
//! compared by all columns that both tables publish, but for tokens, which are new in each release.
//!
//! Labels are compared as they are written: of releases with other cuts, groups that overlap are not seen to.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cutline_arrow::source::SourceOptions;
use cutline_engine::{CompressPlan, Engine, Unwatched};
use cutline_model::{Identifier, Qid};
use indexmap::IndexMap;

use crate::columns::names_of;
use crate::{Error, Release, Table, cores};

/// A cell of a published table; nothing where the value is missing.
type Cell = Option<String>;

/// How many records have each combination of labels, and with them of other values.
type Counted = BTreeMap<Vec<Cell>, BTreeMap<Vec<Cell>, u64>>;

/// What a comparison tells of too few persons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Told {
    groups: u64,
    records: u64,
}

/// Refuses a table that tells too much of those by whom it differs from an earlier release.
pub(crate) fn compare(
    earlier: &Release,
    table: &Path,
    qids: &[Qid],
    identifiers: &IndexMap<String, Identifier>,
) -> Result<(), Error> {
    let open = |path: &Path| Table::open(&path.to_string_lossy(), &SourceOptions::default(), cores());
    let (before, after) = (open(earlier.table())?, open(table)?);
    let told_before = names_of(&before);
    let is_token = |name: &String| identifiers.contains_key(name) || earlier.recoding().identifiers.contains_key(name);
    let both = |name: &String| told_before.contains(name) && !is_token(name);
    let columns: Vec<String> = names_of(&after).into_iter().filter(both).collect();
    for qid in qids {
        let (labels, values): (Vec<_>, Vec<_>) = columns.iter().partition(|name| qid.attributes.contains(name));
        let counted = |table: &Table| counted(table, &labels, &values);
        let Told { groups, records } = told(&counted(&before)?, &counted(&after)?, qid.k);
        if groups > 0 {
            return Err(Error::Comparable { qid: qid.attributes.clone(), k: qid.k, groups, records });
        }
    }
    Ok(())
}

fn counted(table: &Table, labels: &[&String], values: &[&String]) -> Result<Counted, Error> {
    let names = names_of(table);
    let place = |name: &&String| names.iter().position(|other| other == *name);
    let columns: Vec<usize> = labels.iter().chain(values).filter_map(place).collect();
    let raw = table.compress(&CompressPlan { columns, ..CompressPlan::default() }, &Unwatched)?;
    let mut counted = Counted::new();
    for (row, &records) in raw.weights.iter().enumerate() {
        let mut cells: Vec<Cell> = raw.columns.iter().map(|column| column.text(row).map(str::to_owned)).collect();
        let values = cells.split_off(labels.len());
        *counted.entry(cells).or_default().entry(values).or_default() += records;
    }
    Ok(counted)
}

/// The groups in which fewer than k records, but some, appear or vanish.
fn told(before: &Counted, after: &Counted, k: u64) -> Told {
    let mut told = Told::default();
    let groups: BTreeSet<&Vec<Cell>> = before.keys().chain(after.keys()).collect();
    for labels in groups {
        let (one, other) = (before.get(labels), after.get(labels));
        let few: u64 = [missing(one, other), missing(other, one)].into_iter().filter(|&records| records < k).sum();
        told.groups += u64::from(few > 0);
        told.records += few;
    }
    told
}

/// How many records of a group are not in the other one.
fn missing(group: Option<&BTreeMap<Vec<Cell>, u64>>, other: Option<&BTreeMap<Vec<Cell>, u64>>) -> u64 {
    let there = |values: &Vec<Cell>| other.and_then(|other| other.get(values)).copied().unwrap_or(0);
    group.into_iter().flatten().map(|(values, records)| records.saturating_sub(there(values))).sum()
}
