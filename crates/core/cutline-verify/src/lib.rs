//! Does this table satisfy its requirement?
//!
//! [`verify`] reads a *written* table back and recounts every QID group. It takes plain strings, has
//! readers of its own, and shares no code with the search or the engine that made the table, so an
//! error in those cannot hide from it.
//!
//! What can be recounted implements [`Recount`]: a [`WrittenFile`], [`Batches`] in memory, and whatever other crates know, such
//! as a table on a server. Those make their verdict from [`Counts`] and need nothing of this crate's cargo feature `files`
//! (on by default), which brings the file formats.
//!
//! ```no_run
//! # #[cfg(feature = "files")] {
//! use cutline_verify::{Claim, Options, verify};
//! use std::path::Path;
//!
//! let k = Claim::new(vec!["age".into(), "sex".into()], 10);
//! let claim = Claim { conditions: vec!["distinct-l:diagnosis=3".parse()?], ..k };
//! let verdict = verify(Path::new("table.csv"), &[claim], &Options::default(), &|_| ())?;
//! assert!(verdict.holds());
//! # }
//! # Ok::<(), cutline_verify::VerifyError>(())
//! ```
//!
//! # How it counts
//!
//! ```text
//!  calling thread                        counting thread
//!  files ──► records or Arrow batches ──► dictionaries: cell text → id ──► groups: ids → count
//!  read/       (bounded channel)          dictionary.rs                    groups.rs
//!                                                                         (group, id) → count, for sensitive columns
//! ```
//!
//! Two cells are equal if their text is equal, byte for byte; a null (Parquet, Arrow, JSON) is equal
//! to other nulls only. Hashes find a candidate, a comparison of the full content decides. Only the
//! dictionaries and the counts are kept, so memory grows with the number of distinct values and
//! groups, not with the number of records.
//!
//! Of a sensitive column, the values are compared without blanks around them, and all missing ones (null, empty, or one of
//! [`Options::nulls`]) are one value: a condition is about what a reader learns, not about how it is written.
//!
//! # What counts as a cell's text
//!
//! - CSV: the field after unquoting. Nothing is trimmed, and `""` is the same as an empty field.
//!   Blank lines are skipped. Only the columns to verify and the header have to be UTF-8.
//! - Parquet and Arrow: the string, or the display text of any other scalar type. Lists, structs,
//!   maps, unions and intervals are refused: their display text is not unique.
//! - JSON lines: the unescaped string, the number as it is written, `true` or `false`. A key that a
//!   record does not have is null.

mod claim;
mod conditions;
mod confidence;
mod counts;
mod dictionary;
mod error;
#[cfg(feature = "files")]
mod files;
mod groups;
mod nearest;
mod options;
mod recount;
mod risk;
mod sensitive;
mod tally;
mod verdict;

pub use claim::Claim;
pub use conditions::{Condition, ConditionFinding};
pub use confidence::{Confidence, ValueConfidence};
pub use counts::{Counts, GroupBy};
pub use error::{Blame, VerifyError};
#[cfg(feature = "files")]
pub use files::{Batches, WrittenFile, verify};
pub use options::{Format, Options};
pub use recount::Recount;
pub use risk::{ProsecutorRisk, Risk, SmallGroups};
pub use verdict::{Finding, NULL_TEXT, Union, Verdict, WorstGroup};
