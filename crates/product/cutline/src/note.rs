//! What a user should know, beside the result.

mod series;

use std::fmt;

use cutline_engine::{CellKind, Column, Direction, Noticed};
use cutline_model::Role;
use serde::Serialize;

use crate::Observer;
pub use series::{Kept, SeriesNote};

/// Something a user should know. Its text mentions settings as messages do; it shows no value of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Note {
    /// Several searches were tried, and the best is kept.
    Tuned(Tuned),
    /// Positions of records tell about a column that is not published as it is.
    InOrder {
        /// The column.
        column: String,
        /// What it is.
        role: Role,
        /// Which way its values go.
        direction: Direction,
    },
    /// Several records seem to be of one person.
    Repeats {
        /// The identifier.
        column: String,
        /// Records that have a value of it.
        records: u64,
        /// So many values these have.
        different: u64,
    },
    /// Few records are left, because others lack a value.
    Dropped {
        /// Those that were left out.
        records: u64,
    },
    /// A QID was said that another one implies.
    Redundant {
        /// The QID.
        qid: String,
        /// The other one.
        implied_by: String,
    },
    /// It is said how to mask an attribute that is in no QID.
    NotMasked {
        /// The attribute.
        attribute: String,
        /// What is said of it.
        given: &'static str,
    },
    /// All but a few values of an attribute are numbers.
    FewWords {
        /// The attribute.
        attribute: String,
        /// Distinct values that are no numbers.
        words: usize,
    },
    /// A target has so many classes that it may be a number.
    ManyClasses {
        /// So many.
        classes: usize,
    },
    /// There are fewer clusters than were asked for.
    FewClusters {
        /// So many.
        found: usize,
        /// Those that were asked for.
        asked: u32,
    },
    /// A recoding is applied again, and nobody said what was published before.
    Overlap,
    /// A recoding is applied to a table without the value that a promised bound is about.
    NobodyHas {
        /// The condition.
        condition: String,
    },
    /// A recoding does not tell which columns its release had.
    ColumnsLeftOut {
        /// Columns that are not published.
        columns: Vec<String>,
    },
    /// A tree by prefixes has no inner nodes.
    FlatTree {
        /// The attribute.
        attribute: String,
    },
    /// A tree for an attribute that needs none.
    NumbersNeedNoTree {
        /// The attribute.
        attribute: String,
    },
    /// A tree that is to be made by hand.
    UngroupedTree,
    /// A column gives the target away.
    TellsTarget {
        /// The column.
        column: String,
        /// The target.
        target: String,
    },
    /// A search failed because it saw only a part of the records.
    TrainingPart,
    /// Two tables that are compared are the same.
    SameTables,
    /// Two tables differ in a column that is not said to be masked.
    AlsoDiffers {
        /// The column.
        column: String,
    },
    /// A release is made after others.
    #[serde(untagged)]
    After(SeriesNote),
}

/// What tuning tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tuned {
    /// What the searches were judged by.
    pub by: String,
    /// Each search and its figure, in the order in which they were tried.
    pub tried: Vec<(String, String)>,
    /// The place of the one that is kept.
    pub kept: usize,
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |(what, figure): &(String, String)| format!("{what}: {figure}");
        let kept = self.tried.get(self.kept).map(named).unwrap_or_default();
        write!(f, "of {} searches, the best by {} is kept ({kept}); tried: ", self.tried.len(), self.by)?;
        f.write_str(&self.tried.iter().map(named).collect::<Vec<_>>().join("; "))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Tuned(tuned) => tuned.fmt(f),
            Note::InOrder { column, role, direction } => write!(
                f,
                "the records are in {direction} order of `{column}`, which is {}: their positions tell about its values; ‹shuffle› publishes \
                 them in a random order",
                what_is(*role)
            ),
            Note::Repeats { column, records, different } => write!(
                f,
                "{records} records have {different} different values of `{column}`, which is an identifier: k counts records, and several \
                 records of one person do not hide each other"
            ),
            Note::Dropped { records } => write!(f, "{records} records were left out because a value is missing"),
            Note::Redundant { qid, implied_by } if qid == implied_by => write!(f, "the QID {qid} is named twice"),
            Note::Redundant { qid, implied_by } => {
                write!(f, "the QID {qid} is implied by {implied_by} and was left out")
            }
            Note::NotMasked { attribute, given } => {
                write!(f, "`{attribute}` has a {given}, but is in no ‹qid›: it is published as it is")
            }
            Note::FewWords { attribute, words } => write!(
                f,
                "`{attribute}` has numbers, but also {words} distinct values that are none, so it is treated as names; if those stand for \
                 a missing value, say so with ‹null›"
            ),
            Note::ManyClasses { classes } => {
                write!(f, "the target has {classes} classes; if it is a number, use ‹purpose regression›")
            }
            Note::FewClusters { found, asked } => {
                write!(f, "the records differ so little that they form {found} clusters, not {asked}")
            }
            Note::NobodyHas { condition } => write!(
                f,
                "no record has the value that the condition `{condition}` is about, so it holds; if that value is written otherwise in \
                 this table, the condition protects nobody"
            ),
            Note::ColumnsLeftOut { columns } => write!(
                f,
                "the recoding does not tell which columns its release had, so these are left out: {}; publish them as they are with \
                 ‹keep NAME›",
                columns.join(", ")
            ),
            Note::FlatTree { attribute } => {
                write!(f, "no values of `{attribute}` share a prefix by which others differ: the tree is flat")
            }
            Note::NumbersNeedNoTree { attribute } => {
                write!(f, "`{attribute}` has numbers; without a taxonomy they are published as intervals")
            }
            Note::TellsTarget { column, target } => write!(
                f,
                "`{column}` alone tells the target `{target}` of every record, so that these figures tell little about masking; \
                 ‹drop {column}› leaves it out"
            ),
            Note::After(note) => note.fmt(f),
            Note::AlsoDiffers { column } => {
                write!(f, "the tables differ in `{column}` too, which no ‹qid› names")
            }
            Note::Overlap | Note::UngroupedTree | Note::TrainingPart | Note::SameTables => f.write_str(self.plain()),
        }
    }
}

impl Note {
    /// The text of notes that are alike wherever they are told.
    fn plain(&self) -> &'static str {
        match self {
            Note::Overlap => {
                "if persons of this table are in an earlier release too, whoever has both learns of those by whom they differ; see to \
                 that with ‹against RELEASE›"
            }
            Note::UngroupedTree => {
                "all values are directly below the root, to be grouped by hand; ‹target NAME› groups them by how alike their records' \
                 classes are, ‹by prefix› by how they begin"
            }
            Note::TrainingPart => {
                "the search sees the records of a training part only; ‹together› shows it all of them"
            }
            _ => "the tables do not differ: nothing is masked",
        }
    }
}

fn what_is(role: Role) -> &'static str {
    match role {
        Role::Identifier => "an identifier",
        Role::Quasi => "masked",
        Role::Sensitive => "sensitive",
        Role::Target | Role::Other => "hidden",
    }
}

/// Of some columns those that can be in order.
pub(crate) fn comparable(columns: impl Iterator<Item = (usize, Role)>, table: &[Column]) -> Vec<(usize, Role)> {
    let is_text = |index: usize| table[index].has_values() && table[index].cells != CellKind::Binary;
    columns.filter(|&(index, _)| is_text(index)).collect()
}

/// Tells what the first pass noticed: whose values follow from the positions of records, and which persons have several. `names` are those
/// of all columns, `watched` the columns whose order was looked for and what they are.
pub(crate) fn tell(noticed: &[Noticed], names: &[String], watched: &[(usize, Role)], observer: &dyn Observer) {
    for noticed in noticed {
        observer.note(&match *noticed {
            Noticed::InOrder { column, direction } => {
                let role = watched.iter().find(|(index, _)| *index == column).map_or(Role::Other, |(_, role)| *role);
                Note::InOrder { column: names[column].clone(), role, direction }
            }
            Noticed::Repeats { column, records, different } => {
                Note::Repeats { column: names[column].clone(), records, different }
            }
        });
    }
}
