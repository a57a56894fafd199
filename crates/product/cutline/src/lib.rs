//! One release from start to end.
//!
//! ```text
//!  source ──► compress ──► search ──► rewrite ──► verify ──► release
//! ```
//!
//! A [`spec::Spec`] says what a user wants, a [`Job`] is a spec that makes sense. A [`Table`] is open, [`Counts`] are what a search needs to
//! know of it, a [`Draft`] is what was found: it can be looked at, tried again with another k, taken as masked batches, or published to a
//! [`Target`](engine::Target), where it appears complete and recounted, or not at all.
//!
//! ```
//! use cutline::{Counts, Destination, Folder, Job, Release, Silent, Table, spec::Spec};
//! # let folder = tempfile::tempdir().unwrap();
//! # let (data, path) = (folder.path().join("t.csv").display().to_string(), folder.path().join("published"));
//! # std::fs::write(&data, "age,ill\n31,no\n32,no\n33,no\n64,yes\n65,yes\n66,yes\n").unwrap();
//!
//! let mut spec = Spec::default();
//! spec.set("qid", &"age:3".into())?;
//! spec.set("target", &"ill".into())?;
//! let job = Job::new(spec)?;
//! let table = Table::open(&data, &Default::default(), 2)?;
//! let draft = Counts::new(&job, &table, &Silent)?.search(&job, &Silent)?;
//! assert_eq!(draft.recoding().next().unwrap().1.labels(), ["<64", ">=64"]);
//!
//! let report = draft.publish(Box::new(Folder::new(&Destination { path: path.clone(), force: false })?), &Silent)?;
//! assert_eq!((report.records, report.qids[0].anonymity), (6, 3));
//! assert!(Release::open(&path)?.table().ends_with("public/table.csv"));
//! # Ok::<(), cutline::Error>(())
//! ```
//!
//! [`publish`] does all of it at once. `examples/anonymize.rs` searches one table twice.

mod against;
mod apply;
pub mod cluster;
mod columns;
mod counts;
mod draft;
mod error;
mod find;
mod folder;
mod frontier;
mod inspect;
mod job;
mod keys;
mod memory;
mod nearest;
mod note;
mod objective;
mod observer;
pub mod parts;
mod private;
mod recount;
mod release;
mod reporting;
mod screen;
mod series;
pub mod settings;
mod shelf;
mod shown;
mod shuffle;
pub mod spec;
mod staging;
mod still;
mod stored;
mod stream;
mod table;
mod taxonomy;
mod tokens;
mod told;
mod tried;
mod what_if;

pub use apply::{Applied, Apply, apply, apply_after, apply_into, apply_to};
pub use counts::{Counts, explain};
pub use cutline_arrow as arrow;
pub use cutline_engine as engine;
pub use cutline_engine::Blame;
pub use cutline_measure as measure;
pub use cutline_model as model;
pub use cutline_report as report;
pub use cutline_report::Report;
pub use cutline_search as search;
pub use cutline_verify as verify;
pub use draft::{Draft, DraftGroups, Preview, PreviewRow};
pub use error::{Error, read_text};
pub use folder::Folder;
pub use inspect::{Inspection, MissingMarker, Proposal, inspect};
pub use job::{Job, Variant, cores, population, read_taxonomy, source_options};
pub use note::{Kept, Note, SeriesNote, Tuned};
pub use observer::{Observer, Silent, Stage, Watching};
pub use private::give_taxonomy;
pub use release::{Release, publish};
pub use screen::{NOBODY, ScreenPlan, published_warnings, screen};
pub use series::{After, Version, compare_releases, publish_all};
pub use shelf::{Document, InMemory};
pub use shuffle::{Shuffle, ShuffleKey};
pub use staging::{Destination, write_text};
pub use stream::Streamed;
pub use table::Table;
pub use taxonomy::{By, TaxonomyPlan, TaxonomyProposal, build_taxonomy};
pub use tokens::{TokenKey, Tokens};
pub use tried::Tried;
