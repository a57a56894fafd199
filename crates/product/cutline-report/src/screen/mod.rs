//! Which columns identify persons, or give masked ones away? As data; no value of any record is in it.

mod warnings;

pub use warnings::certain;

use cutline_model::Role;
use serde::{Serialize, Serializer};

/// What was seen of every column of a table that is to be published. For the steward alone: it was computed from hidden values.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Screen {
    /// All records of the table.
    pub records: u64,
    /// Records that were looked at: all, or as many as were drawn.
    pub looked_at: u64,
    /// A value that fewer records share is rare.
    pub k: u64,
    /// Every column.
    pub columns: Vec<ScreenedColumn>,
    /// The QIDs by themselves: on raw values, or on labels where a table is masked.
    pub qids: Vec<ScreenedQid>,
    /// Two columns that together tell what neither of them tells alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<RevealedByPair>,
    /// Columns that together single out most records; where no QID was named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<ProposedQid>,
    /// What a steward should think about, in sentences that name columns.
    pub warnings: Vec<String>,
}

/// What the full report says of the published columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Screened {
    /// Records that were looked at: all, or as many as were drawn.
    pub looked_at: u64,
    /// Every published column.
    pub columns: Vec<ScreenedColumn>,
    /// Two columns that together tell what neither of them tells alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<RevealedByPair>,
    /// What a steward should think about: of these columns, and of what groups tell about sensitive values.
    pub warnings: Vec<String>,
}

impl From<Screen> for Screened {
    fn from(Screen { looked_at, columns, pairs, warnings, .. }: Screen) -> Self {
        Screened { looked_at, columns, pairs, warnings }
    }
}

/// What was seen of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScreenedColumn {
    /// Its name.
    pub name: String,
    /// What it is: quasi attributes are masked, everything else that is listed is published as it is.
    pub role: Role,
    /// What is published of it.
    pub published: Published,
    /// Was it said that it is meant to be published? Nothing is warned of then.
    pub kept: bool,
    /// Different values, without the missing one.
    pub distinct: u64,
    /// The share of records whose value nobody shares.
    pub unique_share: f64,
    /// Records whose value fewer than k share.
    pub rare_records: u64,
    /// Does it name persons by itself?
    pub identifier: bool,
    /// What its values look like, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks_like: Option<LooksLike>,
    /// Is it published although others may know it, as its name says?
    pub known_to_others: bool,
    /// What it tells of masked attributes, those that it tells most of first.
    pub reveals: Vec<Revealed>,
    /// What somebody sees who knows a QID and this column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_qid: Option<WithQid>,
}

/// What is published of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Published {
    /// Its values as they are.
    #[default]
    AsIs,
    /// Labels.
    Masked,
    /// Random tokens.
    Tokens,
    /// Dates that are moved by weeks.
    Shifted,
    /// Its values as they are, and nobody looked at them: they are no texts or numbers.
    Unseen,
}

/// What a direct identifier looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooksLike {
    /// Names of persons.
    Names,
    /// E-mail addresses.
    Email,
    /// Telephone numbers.
    Telephone,
    /// Numbers of accounts, cases, documents.
    Numbers,
    /// A key: every record has another one.
    Key,
    /// Where somebody lives.
    Addresses,
    /// Moments, to the minute.
    Timestamps,
    /// Sentences that somebody wrote.
    FreeText,
}

impl LooksLike {
    /// In a sentence: "it looks like …".
    pub fn words(self) -> &'static str {
        match self {
            LooksLike::Names => "names of persons",
            LooksLike::Email => "e-mail addresses",
            LooksLike::Telephone => "telephone numbers",
            LooksLike::Numbers => "numbers of accounts, cases or documents",
            LooksLike::Key => "a key of persons or records",
            LooksLike::Addresses => "addresses",
            LooksLike::Timestamps => "exact times",
            LooksLike::FreeText => "free text",
        }
    }
}

impl Serialize for LooksLike {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.words())
    }
}

/// What a column tells of a masked attribute.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Revealed {
    /// The masked attribute.
    pub attribute: String,
    /// The share of records whose hidden value becomes certain.
    pub share: f64,
    /// The share of records whose hidden value is known with a confidence of at least 95 %.
    pub nearly: f64,
}

/// What two columns together tell of a masked attribute.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RevealedByPair {
    /// The two.
    pub columns: [String; 2],
    /// What they tell.
    #[serde(flatten)]
    pub revealed: Revealed,
}

/// What somebody sees who knows a QID and one column more. Where there are several QIDs, the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WithQid {
    /// The smallest group.
    pub smallest: u64,
    /// Records in groups of fewer than the QID's k.
    pub records_below_k: u64,
}

/// A QID by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScreenedQid {
    /// Its attributes.
    pub attributes: Vec<String>,
    /// Its threshold.
    pub k: u64,
    /// The smallest group.
    pub smallest: u64,
    /// Records in groups of fewer than k.
    pub records_below_k: u64,
}

/// Columns that together single out so many records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProposedQid {
    /// The columns.
    pub attributes: Vec<String>,
    /// The share of records that no other is like.
    pub unique_share: f64,
}

impl Screen {
    /// The text of `screen --json`.
    pub fn to_json(&self) -> String {
        crate::json(self)
    }

    /// Columns that name persons and would be published as they are, although nobody said that it is meant. Whoever names a target or a
    /// sensitive attribute has said what it is.
    pub fn unwanted(&self) -> impl Iterator<Item = (&str, LooksLike)> {
        let unwanted = |column: &&ScreenedColumn| {
            column.role == Role::Identifier && column.published == Published::AsIs && !column.kept
        };
        self.columns.iter().filter(unwanted).filter_map(|column| Some((&column.name[..], column.looks_like?)))
    }

    /// Was only a part of the records looked at?
    pub fn is_sample(&self) -> bool {
        self.looked_at < self.records
    }
}
