//! What must be true of every release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cutline_model::{AttributeRecoding, Recoding, parse_number};

use crate::published::Published;
use crate::spec::{Asked, Qid};
use crate::table::{Column, Table, Values};

/// All files under `public/` by name.
pub(crate) fn public_files(release: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(release.join("public")).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

/// The naive recount: every group of every QID has at least k records and satisfies all conditions.
pub(crate) fn requirement_holds(published: &Published, asked: &Asked) {
    assert!(!published.records.is_empty(), "an empty table was published");
    let ill = published.column("ill");
    for Qid { attributes, k } in &asked.qids {
        let columns: Vec<Vec<&str>> = attributes.iter().map(|name| published.column(name)).collect();
        let mut groups: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
        for (record, &ill) in ill.iter().enumerate() {
            groups.entry(columns.iter().map(|column| column[record]).collect()).or_default().push(ill);
        }
        for group in groups.values() {
            assert!(group.len() >= *k, "a group of {attributes:?} has {} records, k = {k}", group.len());
            for condition in &asked.conditions {
                assert!(condition.holds(group), "{condition:?} does not hold in a group of {attributes:?}");
            }
        }
    }
}

/// Could the table be published with everything masked? Then it must be published somehow.
pub(crate) fn satisfiable(table: &Table, asked: &Asked) -> bool {
    let (_, ill) = table.others.iter().find(|(name, _)| *name == "ill").unwrap();
    let ill: Vec<&str> = ill.iter().map(String::as_str).collect();
    asked.missing == "value"
        && asked.qids.iter().all(|qid| ill.len() >= qid.k)
        && asked.conditions.iter().all(|condition| condition.holds(&ill))
}

/// What is not masked is published as it is, in the order it had (only records that were left out are missing).
pub(crate) fn others_are_as_they_were(published: &Published, table: &Table) {
    for (name, cells) in table.others.iter().filter(|(name, _)| *name != "id") {
        let mut raw = cells.iter();
        for cell in published.column(name) {
            let same = |raw: &String| {
                raw.trim() == cell || parse_number(raw) == parse_number(cell) && parse_number(cell).is_some()
            };
            assert!(raw.any(same), "`{name}` is not published as it was");
        }
    }
}

/// No public file tells a quasi value that no published record shows.
pub(crate) fn hidden_values_are_nowhere(release: &Path, published: &Published, table: &Table, asked: &Asked) -> usize {
    let files = public_files(release);
    let recoding = Recoding::from_json(&String::from_utf8_lossy(&files["recoding.json"])).unwrap();
    let mut sought = 0;
    for column in table.quasi.iter().filter(|column| !matches!(column.values, Values::Ages | Values::Constant)) {
        for value in hidden(column, published, &recoding, table, asked) {
            let bytes = value.as_bytes();
            for (name, content) in &files {
                let told = content.windows(bytes.len()).any(|window| window == bytes);
                assert!(!told, "public/{name} tells {value:?} of {:?}, which is hidden", column.name);
            }
            let told = published.records.iter().flatten().any(|cell| cell.contains(&value));
            assert!(!told, "the table tells {value:?} of {:?}, which is hidden", column.name);
            sought += 1;
        }
    }
    sought
}

/// What to look for: the unmistakable part of values that are no labels, in no public taxonomy, and no bounds unless those are rounded.
fn hidden(
    column: &Column,
    published: &Published,
    recoding: &Recoding,
    table: &Table,
    asked: &Asked,
) -> BTreeSet<String> {
    let labels = published.column(&column.name);
    let given =
        |value: &str| asked.taxonomies.iter().any(|taxonomy| !taxonomy.private && taxonomy.outline.contains(value));
    let in_label = |value: &str| labels.iter().any(|label| label.contains(value));
    // The bounds of single groups may be values that no published record has.
    let local = recoding.regions.is_some();
    let told: Box<dyn Fn(&str) -> bool> = match recoding.attributes.get(&column.name) {
        // A bound that is not rounded is a value of a published record.
        Some(AttributeRecoding::Discretize { bounds, .. }) if !local => {
            let shown = shown(column, published, table);
            let is_bound = move |value| bounds.iter().any(|bound| bound.0 == Some(value)) && shown.contains(&value);
            Box::new(move |value| !asked.rounded && parse_number(value).is_some_and(&is_bound))
        }
        _ => Box::new(in_label),
    };
    column
        .domain
        .iter()
        .map(|value| unmistakable(value))
        .filter(|value| !told(value) && !given(value))
        .map(str::to_owned)
        .collect()
}

/// The numbers of records that are published under their labels; of all records, if some were left out and nobody knows which.
fn shown(column: &Column, published: &Published, table: &Table) -> Vec<f64> {
    let labels: Vec<Vec<&str>> = table.quasi.iter().map(|column| published.column(&column.name)).collect();
    let all = published.records.len() != column.cells.len();
    let is_shown = |record: &usize| all || labels.iter().any(|labels| labels[*record] != "*");
    (0..column.cells.len()).filter(is_shown).filter_map(|record| parse_number(&column.cells[record])).collect()
}

/// The part of a value that stands in files as it is, whatever they escape.
fn unmistakable(value: &str) -> &str {
    value
        .split(|character: char| !character.is_ascii_alphanumeric() && character != '.')
        .max_by_key(|part| part.len())
        .unwrap()
}
