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
//!  under a lock             on every thread (Options::threads), each for itself                         at the end
//!  files ──► a piece ──►    cells ──► dictionaries: text → id ──► groups: ids → count             ──►   added up
//!            files/read/              dictionary.rs               groups.rs, and (group, id) → count    tally.rs
//!                                                                 for sensitive columns
//! ```
//!
//! A piece is some 256 KiB of whole CSV rows or JSON lines, 65,536 rows of a Parquet row group, a record batch of an Arrow file,
//! or 16,384 records in memory. Compressed text is decompressed under the lock. Counts are whole numbers that add up, and what is
//! listed is sorted by content, so the verdict is the same on any number of threads; of several errors, the one in the
//! earliest piece is told.
//!
//! Two cells are equal if their text is equal, byte for byte; a null (Parquet, Arrow, JSON) is equal
//! to other nulls only. Hashes find a candidate, a comparison of the full content decides. Only the
//! dictionaries and the counts are kept, so memory grows with the number of distinct values and
//! groups, not with the number of records. Every thread holds one piece (a record that is longer makes it longer) and its own
//! dictionaries and counts: at most as many times the memory of one thread as there are threads, and where few records share a
//! group, about once.
//!
//! # What is independent of the writer, and what is not
//!
//! Nothing of the project is shared with what made the table: no reader, dictionary, condition or count. CSV is written by code
//! of the project and read here by the `csv` crate. **Parquet, Arrow and JSON lines are read by the same crates (`parquet`,
//! `arrow-ipc`, `arrow-json`) that write them**, because there is no other reader of Parquet that is kept well and knows all
//! encodings. The recount is of the bytes on disk, so everything that the project
//! could do wrong (a wrong label, a lost or doubled record, a torn or mixed-up column) is noticed. What would not be noticed is an
//! error of those crates that damages a value when writing and undoes the same damage when reading; another program would then
//! see another table. Where that matters, publish CSV, or count the groups once more with another program.
//!
//! Of a sensitive column, the values are compared without blanks around them, texts of the same number are one value, and all
//! missing ones (null, empty, or one of [`Options::nulls`]) are one value: a condition is about what a reader learns, not about
//! how it is written. See [`Condition`] for what missing values do.
//!
//! # What counts as a cell's text
//!
//! - CSV: the field after unquoting. Nothing is trimmed, and `""` is the same as an empty field.
//!   Blank lines are skipped. Only the columns to verify and the header have to be UTF-8.
//! - Parquet and Arrow: the string, the text that bytes are (in hexadecimal if they are none), or the display
//!   text of any other scalar type. Lists, structs, maps, unions and intervals are refused: their display text is not unique.
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
mod notation;
mod options;
mod persons;
mod population;
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
pub use notation::Notation;
pub use options::{Absent, Format, Options};
pub use persons::{PersonFinding, Persons};
pub use population::{Population, PopulationRisk, SamplingFraction};
pub use recount::Recount;
pub use risk::{ProsecutorRisk, Risk, SmallGroups};
pub use verdict::{Finding, NULL_TEXT, Union, Verdict, WorstGroup};
