//! One release from start to end.
//!
//! ```text
//!  source ──► compress ──► search ──► rewrite ──► verify ──► release
//! ```
//!
//! A [`spec::Spec`] says what a user wants, a [`Job`] is a spec that makes sense, and [`publish`] runs it: it either leaves a
//! complete release whose table was read back and recounted, or nothing.
//!
//! ```no_run
//! use cutline::{Destination, Job, Silent, publish, spec::Spec};
//!
//! let spec = Spec::read("release.toml".as_ref())?;
//! let job = Job::new(spec)?;
//! let engine = job.open()?;
//! let destination = Destination { path: "published".into(), force: false };
//! let report = publish(&job, &engine, &destination, &Silent)?;
//! println!("{} records, {} steps", report.records, report.steps);
//! # Ok::<(), cutline::Error>(())
//! ```

mod apply;
pub mod attack;
pub mod cluster;
mod columns;
mod counts;
mod draft;
mod error;
pub mod evaluate;
mod find;
mod folder;
mod inspect;
mod job;
mod nearest;
mod objective;
mod observer;
mod private;
mod recount;
mod release;
mod reporting;
mod screen;
pub mod settings;
pub mod spec;
mod staging;
mod stored;
mod table;
mod taxonomy;

pub use apply::{Applied, Apply, apply};
pub use columns::find_column;
pub use counts::Counts;
pub use cutline_arrow as arrow;
pub use cutline_engine as engine;
pub use cutline_measure as measure;
pub use cutline_model as model;
pub use cutline_report as report;
pub use cutline_report::{AttributeReport, PublicReport, QidReport, Report, Seconds};
pub use cutline_search as search;
pub use cutline_verify as verify;
pub use draft::{Draft, DraftGroups, Preview, PreviewRow};
pub use error::{Error, read_text};
pub use folder::Folder;
pub use inspect::{Inspection, Proposal, inspect};
pub use job::{Job, cores, source_options};
pub use observer::{Observer, Silent, Stage};
pub use private::give_taxonomy;
pub use release::{Release, publish};
pub use screen::{ScreenPlan, screen};
pub use staging::{Destination, write_text};
pub use table::Table;
pub use taxonomy::{By, TaxonomyPlan, TaxonomyProposal, build_taxonomy};
