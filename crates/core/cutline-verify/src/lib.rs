//! Does this table satisfy its requirement?
//!
//! [`verify`] reads a *written* table back and recounts every QID group. It takes plain strings, has
//! readers of its own, and shares no code with the search or the engine that made the table, so an
//! error in those cannot hide from it.
//!
//! ```no_run
//! use cutline_verify::{Claim, Options, verify};
//! use std::path::Path;
//!
//! let k = Claim::new(vec!["age".into(), "sex".into()], 10);
//! let claim = Claim { conditions: vec!["distinct-l:diagnosis=3".parse()?], ..k };
//! let verdict = verify(Path::new("table.csv"), &[claim], &Options::default(), &|_| ())?;
//! assert!(verdict.holds());
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

mod cells;
mod claim;
mod columns;
mod conditions;
mod confidence;
mod count;
mod dictionary;
mod error;
mod files;
mod groups;
mod open;
mod options;
mod read;
mod risk;
mod sensitive;
mod verdict;

use std::path::Path;

pub use claim::Claim;
pub use conditions::{Condition, ConditionFinding};
pub use confidence::{Confidence, ValueConfidence};
pub use error::{Blame, VerifyError};
pub use options::{Format, Options};
pub use risk::{ProsecutorRisk, Risk, SmallGroups};
pub use verdict::{Finding, NULL_TEXT, Union, Verdict, WorstGroup};

/// Recounts the QID groups of a written table, and the sensitive values in them if there are conditions.
///
/// `path` is a file, a folder (its files sorted by name, without hidden ones) or a glob pattern;
/// several files are one table and must have the same column names, in any order. `progress` is
/// called on the calling thread with the number of records read so far, after every batch of some
/// thousand records.
///
/// # Errors
///
/// A table that does not satisfy its claims is no error: ask [`Verdict::holds`]. See
/// [`VerifyError`] for what is.
pub fn verify(
    path: &Path,
    claims: &[Claim],
    options: &Options,
    progress: &dyn Fn(u64),
) -> Result<Verdict, VerifyError> {
    let plan = claim::Plan::new(claims, options)?;
    let files = files::expand(path, options)?;
    let tally = count::count(&files, &plan, options, progress)?;
    Ok(Verdict::new(claims, &plan, &tally, options))
}
