//! What a user should know of a release that is made after others.

use std::fmt;

use serde::Serialize;

/// Something a user should know, where there are earlier releases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SeriesNote {
    /// After earlier releases, some records would stand out however they are masked.
    HeldBack {
        /// Those that are held back.
        held_back: u64,
        /// All records.
        records: u64,
    },
    /// No person of the earlier releases is in the table.
    NobodyAgain {
        /// The column that says whose each record is.
        person: String,
    },
    /// An earlier release promised more than is asked of the new one.
    PromisedBefore {
        /// Of which QID.
        qid: String,
        /// With this threshold.
        k: u64,
        /// How much of it is kept: all, unless the earlier releases alone have broken it.
        kept: u64,
    },
    /// An earlier release promised a condition that is not asked of the new one.
    ConditionBefore {
        /// The condition.
        condition: String,
        /// Of which QID.
        qid: String,
        /// What becomes of it.
        how: Kept,
    },
}

impl fmt::Display for SeriesNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeriesNote::HeldBack { held_back, records } => write!(
                f,
                "{held_back} of {records} records are held back: too few persons with the same history entered, stayed or left since the \
                 earlier releases, and these would stand out"
            ),
            SeriesNote::NobodyAgain { person } => {
                write!(
                    f,
                    "nobody of the earlier releases is in the table: is `{person}` written there as it was before? `7` and `007` are two \
                     persons"
                )
            }
            SeriesNote::PromisedBefore { qid, k, kept } if k == kept => {
                write!(
                    f,
                    "an earlier release promised k = {k} on {qid}, which is more than ‹qid› asks for: together with this one it is kept"
                )
            }
            SeriesNote::PromisedBefore { qid, k, kept } => write!(
                f,
                "an earlier release promised k = {k} on {qid}, and together the earlier ones have broken that: k = {kept} is kept, which is \
                 what they left of it"
            ),
            SeriesNote::ConditionBefore { condition, qid, how } => {
                write!(f, "an earlier release promised `{condition}` on {qid}, which is not asked of this one: {how}")
            }
        }
    }
}

/// What becomes of a condition that an earlier release promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// Together with the earlier releases, the new one keeps it.
    Yes,
    /// The new release does not tell the values that it is about.
    NotTold,
    /// All records of the new table together break it.
    Broken,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kept::Yes => "together with this one it is kept",
            Kept::NotTold => {
                "the values that it is about are not published as they are any more, so it is not looked at"
            }
            Kept::Broken => "all records of the new table together break it, so that no masking can keep it",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Note;

    /// Programs read notes by their name, wherever the text of it stands.
    #[test]
    fn a_note_of_a_series_is_written_like_any_other() {
        let note = Note::After(SeriesNote::HeldBack { held_back: 3, records: 40 });
        let written = serde_json::to_string(&note).unwrap();
        assert_eq!(written, r#"{"note":"held-back","held_back":3,"records":40}"#);
        assert!(note.to_string().starts_with("3 of 40 records are held back"));
    }
}
