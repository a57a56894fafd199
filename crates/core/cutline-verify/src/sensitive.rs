//! Which sensitive values does each group have, and how often?

use std::borrow::Cow;

use crate::dictionary::Dictionary;
use crate::groups::Groups;
use crate::notation::Notation;

/// The values of a sensitive attribute: all of them, and those of every group of one claim.
///
/// Blanks around a value do not matter, texts of the same number are one value, and all missing values (null, empty, or one of
/// [`crate::Options::nulls`]) are one.
#[derive(Debug)]
pub(crate) struct Sensitive<'a> {
    pub(crate) table: Values<'a>,
    /// By group, then by value.
    cells: Vec<Cell>,
}

/// The values in the whole table: texts in byte order, a missing value last.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    /// `None` for missing.
    pub(crate) texts: Vec<Option<Cow<'a, str>>>,
    pub(crate) counts: Vec<u64>,
    pub(crate) nulls: &'a [String],
}

/// So many records of a group have a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub(crate) group: u32,
    /// A position in [`Values::texts`].
    pub(crate) value: u32,
    pub(crate) count: u64,
}

impl<'a> Sensitive<'a> {
    /// `pairs` counts the records by (group, id of the cell).
    pub(crate) fn new(dictionary: &'a Dictionary, pairs: &Groups, nulls: &'a [String], notation: Notation) -> Self {
        let (texts, places) = places(dictionary, nulls, notation);
        let mut table = Values { counts: vec![0; texts.len()], texts, nulls };
        let mut cells = Vec::with_capacity(pairs.counts().len());
        for (pair, &count) in pairs.counts().iter().enumerate() {
            let [group, id] = *pairs.key(pair) else { unreachable!("a pair has two parts") };
            let value = places[id as usize];
            table.counts[value as usize] += count;
            cells.push(Cell { group, value, count });
        }
        cells.sort_unstable();
        // Several texts may be one value.
        cells.dedup_by(|next, kept| {
            let same = (next.group, next.value) == (kept.group, kept.value);
            kept.count += if same { next.count } else { 0 };
            same
        });
        if table.counts.last() == Some(&0) {
            // Nothing is missing.
            table.texts.pop();
            table.counts.pop();
        }
        Sensitive { table, cells }
    }

    /// The values of one group after the other.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunk_by(|a, b| a.group == b.group)
    }
}

/// The distinct values, and for every id of the dictionary the place of its value among them.
fn places<'a>(
    dictionary: &'a Dictionary,
    nulls: &[String],
    notation: Notation,
) -> (Vec<Option<Cow<'a, str>>>, Vec<u32>) {
    let value = |id| dictionary.text(id).and_then(|text| value(text, nulls, notation));
    let mut values: Vec<(Option<Cow<'a, str>>, u32)> = dictionary.ids().map(|id| (value(id), id)).collect();
    values.sort_unstable_by(|(a, _), (b, _)| (a.is_none(), a).cmp(&(b.is_none(), b)));
    let mut texts = Vec::new();
    let mut places = vec![0; values.len()];
    for (value, id) in values {
        if texts.last() != Some(&value) {
            texts.push(value);
        }
        places[id as usize] = texts.len() as u32 - 1;
    }
    (texts, places)
}

/// The value that a text says, `None` if it is missing.
fn value<'a>(text: &'a str, nulls: &[String], notation: Notation) -> Option<Cow<'a, str>> {
    let text = text.trim();
    (!text.is_empty() && nulls.iter().all(|null| null.trim() != text)).then(|| meaning(text, notation))
}

/// What a text says: a number in plain digits, whatever it is written like, and any other text as it is. A number does not start
/// with needless zeros: `007` is a code.
fn meaning(text: &str, notation: Notation) -> Cow<'_, str> {
    let mut digits = text.trim_start_matches(['+', '-']).bytes();
    let code = digits.next() == Some(b'0') && digits.next().is_some_and(|next| next.is_ascii_digit());
    match notation.number(text).filter(|_| !code) {
        Some(number) => Cow::Owned(number.to_string()),
        None => Cow::Borrowed(text),
    }
}

impl Values<'_> {
    /// The place of the value that a text says, if the table has it. Numbers of a claim are in plain notation.
    pub(crate) fn place(&self, text: &str) -> Option<usize> {
        let wanted = value(text, self.nulls, Notation::default());
        self.texts.iter().position(|text| *text == wanted)
    }

    /// Whether a text says a value that no record has. None of the records may lack a value; that is no such value.
    pub(crate) fn lacks(&self, text: &str) -> bool {
        value(text, self.nulls, Notation::default()).is_some() && self.place(text).is_none()
    }

    /// The values without the missing one, if a record lacks a value. The others keep their places.
    pub(crate) fn known(&self) -> Option<Values<'_>> {
        let (None, texts) = self.texts.split_last()? else { return None };
        let texts = texts.iter().map(|text| text.as_deref().map(Cow::Borrowed)).collect();
        Some(Values { texts, counts: self.counts[..self.counts.len() - 1].to_vec(), nulls: self.nulls })
    }

    /// The number of records.
    pub(crate) fn records(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The cells of a group that have one of these values. (Those that do not have the last place, if there are any.)
    pub(crate) fn of<'c>(&self, group: &'c [Cell]) -> &'c [Cell] {
        match group.split_last() {
            Some((last, others)) if last.value as usize == self.texts.len() => others,
            _ => group,
        }
    }
}

/// The number of records of a group.
pub(crate) fn size(group: &[Cell]) -> u64 {
    group.iter().map(|cell| cell.count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictionary::NULL;

    /// The table's values as `text count`, `-` for missing, and those of each group as `place count`.
    fn counted(records: &[(u32, Option<&str>)], nulls: &[&str]) -> (Vec<String>, Vec<Vec<String>>) {
        let mut dictionary = Dictionary::new();
        let mut pairs = Groups::new(2);
        for (group, cell) in records {
            let id = cell.map_or(NULL, |cell| dictionary.id(cell.as_bytes()).unwrap());
            pairs.add(&[*group, id], 1).unwrap();
        }
        let nulls: Vec<String> = nulls.iter().map(|&null| null.into()).collect();
        let sensitive = Sensitive::new(&dictionary, &pairs, &nulls, Notation::default());
        let Values { texts, counts, .. } = &sensitive.table;
        let table = texts.iter().zip(counts).map(|(text, count)| format!("{} {count}", text.as_deref().unwrap_or("-")));
        let cell = |cell: &Cell| format!("{} {}", cell.value, cell.count);
        (table.collect(), sensitive.groups().map(|group| group.iter().map(cell).collect()).collect())
    }

    #[test]
    fn values_are_in_byte_order_whatever_comes_first() {
        let records = [(1, Some("b")), (0, Some("c")), (1, Some("a")), (1, Some("b"))];
        let (table, groups) = counted(&records, &[]);
        assert_eq!(table, ["a 1", "b 2", "c 1"]);
        assert_eq!(groups, [vec!["2 1"], vec!["0 1", "1 2"]]);
    }

    #[test]
    fn blanks_do_not_matter_and_all_missing_values_are_one() {
        let cells = [Some(" a"), None, Some("a"), Some(" "), Some("?"), Some("NA "), Some("")].map(|cell| (0, cell));
        let (table, groups) = counted(&cells, &[" ?", "NA"]);
        assert_eq!(table, ["a 2", "- 5"]);
        assert_eq!(groups, [["0 2", "1 5"]]);
    }

    #[test]
    fn texts_of_the_same_number_are_one_value_and_codes_are_none() {
        let cells = [Some("1000"), Some("1000.0"), Some("1e3"), Some("+1000"), Some("01000"), Some("0"), Some("-0")];
        let (table, _) = counted(&cells.map(|cell| (0, cell)), &[]);
        assert_eq!(table, ["0 2", "01000 1", "1000 4"]);
    }

    #[test]
    fn an_empty_table_has_no_values() {
        assert_eq!(counted(&[], &[]), (vec![], vec![]));
    }
}
