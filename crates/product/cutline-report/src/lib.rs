//! How is a release shown?
//!
//! | module | question |
//! | --- | --- |
//! | [`Report`], [`ClusterReport`], [`Evaluation`], [`AttackOutcome`], [`Screen`], [`WhatIf`] | What is known of a release? Plain data, for the steward alone |
//! | [`PublicReport`] | What of it may everybody know? |
//! | [`page`] | How do people read it? HTML that needs nothing from elsewhere |
//! | [`text`] | How does a terminal show it? Tables of text |
//! | [`plot`] | How do figures compare? SVG |
//!
//! The crates that make releases fill the data in; nothing here knows how it came about, and nothing opens a file. A page, a text or a
//! plot is something that can be displayed, so that `write!` puts it into a string, a file or a terminal alike:
//!
//! ```
//! use std::fmt::Write;
//! use cutline_report::plot::{Marks, Plot};
//! use cutline_report::text::Aligned;
//!
//! let mut plot = Plot::against_k("Error of <C4.5>", "%");
//! plot.add("masked", Marks::Line, vec![(20.0, 15.1), (500.0, 16.4)]);
//! let mut text = String::new();
//! write!(text, "{plot}")?;
//! assert!(text.contains("Error of &lt;C4.5&gt;"));
//!
//! let table = Aligned::new(["QID", "k"]).numbers(&[1]).row(["age, sex", "10"]);
//! let mut bytes = Vec::new();
//! std::io::Write::write_fmt(&mut bytes, format_args!("{table}")).unwrap();
//! assert_eq!(bytes, b"QID        k\nage, sex  10\n");
//! # Ok::<(), std::fmt::Error>(())
//! ```

mod attack;
mod clusters;
mod evaluation;
mod number;
pub mod page;
pub mod plot;
mod public;
mod report;
mod screen;
mod series;
mod stars;
pub mod text;
mod verdict;
mod what_if;
mod why;

pub use attack::{AttackOutcome, ComparedOutcome, Inference, InferenceTruth, Matches, Narrowed, TruthOutcome};
pub use clusters::{
    Agreement, AgreementFigures, AttributeGain, Benefit, ClusterMasking, ClusterReport, ClusterSeconds, Comparison,
    ComparisonRow, TableComparison, Tuned,
};
pub use evaluation::{AttributeCost, Evaluation, FoldFigures, Measure, Part};
pub use number::count;
pub use public::{PublicAttribute, PublicColumn, PublicReport, PublicSpec};
pub use report::{
    AttributeReport, ConditionReport, ConfidenceReport, PRIVATE_NOTICE, PersonsReport, QidReport, RedundantReport,
    Report, Seconds,
};
pub use screen::{
    LooksLike, ProposedQid, Published, Revealed, RevealedByPair, Screen, Screened, ScreenedColumn, ScreenedQid,
    WithQid, certain,
};
pub use series::{
    JointCondition, JointQid, OneOfSeries, PublishedVersion, SeriesReport, TrueAnonymity, Versions, Worth,
};
pub use verdict::verdict_json;
pub use what_if::{Alternative, Change, ErrorKind, Figures, WhatIf};

/// Data as JSON, for people too.
fn json(data: &impl serde::Serialize) -> String {
    // Plain data with string keys: writing it cannot fail.
    serde_json::to_string_pretty(data).unwrap_or_default() + "\n"
}
