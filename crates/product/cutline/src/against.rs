//! Two releases of overlapping tables: what somebody learns who has both.
//!
//! Such a person takes away what the tables have in common. What is left are the records that appeared or vanished in between, with
//! their unmasked values: after one new patient, exactly that patient's row. So in each group of a QID, the records that appear must
//! be none or at least k, and so must those that vanish; a record whose unmasked values changed vanishes and appears.
//!
//! Whoever compares chooses the columns: one that differs in every record (the year of the export) would make all records new, and hide
//! the one that is. So tables are compared by all columns that both publish, by the labels alone, and by the labels with each single other
//! column; all of these must pass. Tokens are left out, because they are new in each release. Cells are compared by value: `2.5` is
//! `2.50`. Each comparison takes time in proportion to the records.
//!
//! What this does not see: differences of two or more columns together while another one hides them, and releases with other cuts:
//! labels are compared as they are written, so groups that overlap are not seen to.

mod rows;
#[cfg(test)]
mod tests;

use cutline_arrow::source::SourceOptions;
use cutline_engine::{CompressPlan, Engine, Place, Unwatched, Written};
use cutline_model::{Identifier, Qid};
use indexmap::IndexMap;

use self::rows::{Rows, Side, Told};
use crate::columns::names_of;
use crate::{Error, Release, Table, cores};

/// Refuses a table that tells too much of those by whom it differs from an earlier release.
pub(crate) fn compare(
    earlier: &Release,
    written: &Written,
    qids: &[Qid],
    identifiers: &IndexMap<String, Identifier>,
) -> Result<(), Error> {
    let (before, after) = (earlier.open_table()?, open(written)?);
    let told_before = names_of(&before);
    let is_token = |name: &String| identifiers.contains_key(name) || earlier.recoding().identifiers.contains_key(name);
    let both = |name: &String| told_before.contains(name) && !is_token(name);
    let columns: Vec<String> = names_of(&after).into_iter().filter(both).collect();
    let mut rows = Rows::new(columns.len());
    add(&mut rows, Side::Before, &before, &columns)?;
    add(&mut rows, Side::After, &after, &columns)?;
    for qid in qids {
        let is_label = |&column: &usize| qid.attributes.contains(&columns[column]);
        let (labels, values): (Vec<usize>, Vec<usize>) = (0..columns.len()).partition(is_label);
        let Told { groups, records } = worst(&rows, &labels, &values, qid.k);
        if groups > 0 {
            return Err(Error::Comparable { qid: qid.attributes.clone(), k: qid.k, groups, records });
        }
    }
    Ok(())
}

/// What was written, read as it was written.
fn open(written: &Written) -> Result<Table, Error> {
    match &written.place {
        Place::File { location, format } => {
            let options = SourceOptions {
                format: Some(*format),
                delimiter: written.delimiter,
                header: Some(true),
                ..SourceOptions::default()
            };
            Table::open(&location.to_string_lossy(), &options, cores())
        }
        _ => Err(Error::Contradiction {
            what: "only a file can be compared with an earlier release".to_owned(),
            hint: "publish a file, or take back ‹against›".to_owned(),
        }),
    }
}

/// Counts the records of a table by these columns.
fn add(rows: &mut Rows, side: Side, table: &Table, columns: &[String]) -> Result<(), Error> {
    let names = names_of(table);
    let columns = columns.iter().filter_map(|name| names.iter().position(|other| other == name)).collect();
    let raw = table.compress(&CompressPlan { columns, ..CompressPlan::default() }, &Unwatched)?.table;
    for (row, &records) in raw.weights.iter().enumerate() {
        rows.add(side, raw.columns.iter().map(|column| column.text(row)), records);
    }
    Ok(())
}

/// The first of all comparisons that tells too much.
fn worst(rows: &Rows, labels: &[usize], values: &[usize], k: u64) -> Told {
    let chosen = [values, &[]].into_iter().chain(values.chunks(1));
    chosen.map(|values| rows.told(labels, values, k)).find(|told| told.groups > 0).unwrap_or_default()
}
