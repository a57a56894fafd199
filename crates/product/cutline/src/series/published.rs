//! What did a release publish of each person?
//!
//! A release whose table says whose record each is keeps this in `private/`: a line for each person, with a digest of their name and the
//! number of the labels that they were published with. The digest needs a key, which stands in the same file: it is no protection against
//! whoever has the file, but the file is no list of names. All releases of a series have the same key.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hasher;
use std::path::Path;

use cutline_model::recoding::{Label, LabelError};
use cutline_table::{AttributeId, Mask, Numbering, RawColumn, RawTable, RecordLabels};
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::Error;
use crate::columns::random_key;
use crate::error::read_text;

/// The file of a release's private part.
pub(crate) const PERSONS_FILE: &str = "persons.txt";

/// What digests of names are made with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PersonKey([u8; 16]);

impl PersonKey {
    /// One that never was before.
    pub(crate) fn fresh() -> Result<Self, Error> {
        random_key().map(PersonKey)
    }

    /// The digest of a person's name. A whole number is the same person with and without decimals: a column of numbers in which some are
    /// missing comes back from other programs as `7.0`.
    pub(crate) fn digest(&self, name: &str) -> u128 {
        let mut hasher = SipHasher24::new_with_key(&self.0);
        hasher.write(without_decimals(name).as_bytes());
        hasher.finish128().as_u128()
    }
}

/// A whole number that is written with decimals, without them; anything else as it is.
fn without_decimals(name: &str) -> &str {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name.split_once('.') {
        Some((whole, decimals)) if digits(whole) && digits(decimals) && decimals.bytes().all(|digit| digit == b'0') => {
            whole
        }
        _ => name,
    }
}

/// Shows no key.
impl fmt::Debug for PersonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonKey")
    }
}

/// What one release tells of its persons.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Published {
    /// The attributes of which it tells labels or values.
    pub(crate) attributes: Vec<String>,
    /// The different rows of what it tells; a missing value is told as such.
    pub(crate) rows: Vec<Vec<Option<String>>>,
    /// The row of each person that is in it.
    pub(crate) persons: PersonRows,
}

/// The rows of persons, in the order of their digests.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct PersonRows(Vec<(u128, u32)>);

impl PersonRows {
    pub(crate) fn new(mut rows: Vec<(u128, u32)>) -> Self {
        rows.sort_unstable();
        PersonRows(rows)
    }

    /// The row of a person who is there.
    pub(crate) fn get(&self, person: u128) -> Option<u32> {
        self.0.binary_search_by_key(&person, |&(own, _)| own).ok().map(|place| self.0[place].1)
    }

    /// The row of each of some persons, who come in order too.
    pub(crate) fn of<'a>(&'a self, persons: &'a [u128]) -> impl Iterator<Item = Option<u32>> + 'a {
        let mut own = self.0.iter().peekable();
        persons.iter().map(move |person| {
            while own.next_if(|(other, _)| other < person).is_some() {}
            own.next_if(|(other, _)| other == person).map(|(_, row)| *row)
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Is everybody there once?
    pub(crate) fn are_different(&self) -> bool {
        self.0.windows(2).all(|two| two[0].0 != two[1].0)
    }
}

/// Everybody who is in some of the releases, in the order of digests: nothing depends on how a hash table orders them.
pub(crate) fn everybody<P: Borrow<Published>>(releases: &[P]) -> Vec<u128> {
    let own = |release: &Published| release.persons.0.iter().map(|&(own, _)| own).collect::<Vec<_>>();
    let mut all: Vec<u128> = releases.iter().flat_map(|release| own(release.borrow())).collect();
    // Several ascending runs.
    all.sort();
    all.dedup();
    all
}

/// Shows no person and no label.
impl fmt::Debug for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Published({} persons, {:?})", self.persons.len(), self.attributes)
    }
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    notice: String,
    key: String,
    attributes: Vec<String>,
    rows: Vec<Vec<Option<String>>>,
    /// How many lines follow: a file that was cut off would make persons newcomers.
    persons: usize,
}

const FORMAT: &str = "cutline-persons/1";

/// A usual line takes so many bytes.
const LINE: usize = 40;

impl Published {
    /// What becomes of the records of a table. Its first columns are those that are masked, then come columns that are published as they
    /// are; `attributes` names both. Then, in the order of the rows, whose record each is.
    pub(crate) fn of(
        raw: &RawTable,
        mask: &Mask,
        masked: usize,
        attributes: Vec<String>,
        digests: &[u128],
    ) -> Result<Self, (usize, LabelError)> {
        let records = records(raw, mask, masked)?;
        let numbers = &records.numbers;
        let labels: Vec<Vec<Label>> = (0..masked).map(|a| mask.labels(AttributeId(a)).collect()).collect();
        let as_is = &raw.columns[masked..attributes.len()];
        let mut groups = Numbering::new(digests.len());
        numbers.iter().zip(&labels).for_each(|(own, labels)| groups.refine(own.iter().copied(), labels.len()));
        as_is.iter().map(RawColumn::codes).for_each(|(codes, limit)| groups.refine(codes.iter(), limit));
        let text = |row: usize, a: usize| labels[a][numbers[a][row] as usize].clone().into_text();
        let told = |row: usize| {
            let values = as_is.iter().map(|column| column.text(row).map(str::to_owned));
            (0..masked).map(|a| text(row, a)).chain(values).collect()
        };
        let mut published = Published { attributes, ..Published::default() };
        let mut number_of: Vec<Option<u32>> = vec![None; groups.len];
        let mut persons = Vec::with_capacity(digests.len());
        for (row, &digest) in digests.iter().enumerate().filter(|(row, _)| !records.left_out(*row)) {
            let number = *number_of[groups.of_row[row] as usize].get_or_insert_with(|| {
                published.rows.push(told(row));
                published.rows.len() as u32 - 1
            });
            persons.push((digest, number));
        }
        published.persons = PersonRows::new(persons);
        Ok(published)
    }

    /// The text of the file that keeps it. Its lines are in the order of digests, which tells nothing.
    pub(crate) fn to_text(&self, key: PersonKey) -> String {
        let header = Header {
            format: FORMAT.to_owned(),
            notice: "Never publish this: it tells which labels each person has.".to_owned(),
            key: format!("{:032x}", u128::from_be_bytes(key.0)),
            attributes: self.attributes.clone(),
            rows: self.rows.clone(),
            persons: self.persons.len(),
        };
        // Plain data: writing it as JSON cannot fail.
        let mut text = serde_json::to_string(&header).unwrap_or_default() + "\n";
        text.reserve(self.persons.len() * LINE);
        let rows: Vec<String> = (0..self.rows.len()).map(|row| format!(" {row}\n")).collect();
        for (digest, row) in &self.persons.0 {
            text.extend(digits(*digest));
            text.push_str(&rows[*row as usize]);
        }
        text
    }

    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<(PersonKey, Self), Error> {
        let text = read_text(path)?;
        parse(&text).ok_or_else(|| Error::Contradiction {
            what: format!("`{}` is not what a release keeps of its persons", path.display()),
            hint: "name the folder of a release as it was made with ‹person›, or give its table with ‹previous›"
                .to_owned(),
        })
    }
}

/// So many hexadecimal digits has a digest.
const DIGITS: usize = 32;

/// The hexadecimal digits of a digest.
fn digits(digest: u128) -> impl Iterator<Item = char> {
    digest
        .to_be_bytes()
        .into_iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(HEX[usize::from(digit)]))
}

const HEX: [u8; 16] = *b"0123456789abcdef";

/// What a mask makes of the rows of a table, whose first columns are those that are masked. An error names the column by its position.
pub(super) fn records(raw: &RawTable, mask: &Mask, masked: usize) -> Result<RecordLabels, (usize, LabelError)> {
    let number = |a: usize| {
        let numbers = raw.columns[a].numbers(|value| mask.number(AttributeId(a), value));
        numbers.map_err(|error| (a, error))
    };
    Ok(mask.records((0..masked).map(number).collect::<Result<Vec<_>, _>>()?))
}

fn parse(text: &str) -> Option<(PersonKey, Published)> {
    let (first, lines) = text.split_once('\n')?;
    let Header { format, key, attributes, rows, persons: lines_told, .. } = serde_json::from_str(first).ok()?;
    let key = PersonKey(u128::from_str_radix(&key, 16).ok()?.to_be_bytes());
    let mut persons = Vec::new();
    for line in lines.lines() {
        let (digest, row) = line.split_at_checked(DIGITS)?;
        let row = row.strip_prefix(' ')?.parse().ok().filter(|&row: &u32| (row as usize) < rows.len())?;
        persons.push((u128::from_str_radix(digest, 16).ok()?, row));
    }
    let complete = rows.iter().all(|row| row.len() == attributes.len());
    let persons = PersonRows::new(persons);
    let whole = persons.len() == lines_told && persons.are_different();
    (format == FORMAT && complete && whole).then_some((key, Published { attributes, rows, persons }))
}
