//! What a terminal shows: tables of text. Everything here can be displayed, and so written anywhere.
//!
//! | type | shows |
//! | --- | --- |
//! | [`Aligned`] | columns that line up |
//! | [`ReleaseSummary`] | what was published |
//! | [`VerdictSummary`], [`VerdictTable`] | what a recount says |
//! | [`EvaluationSummary`], [`ModelCosts`] | what masking cost models |
//! | [`ClusterSummary`], [`ComparisonSummary`], [`TableComparisonSummary`] | whether clusters are still there |
//! | [`AttackSummary`], [`ComparedSummary`] | what a linkage attack achieved |
//! | [`WhyLines`] | why attributes are masked |
//! | [`WhatIfSummary`] | the same release under other requirements |
//! | [`SeriesSummary`], [`Timeline`], [`TrueAnonymityTable`], [`JointConditionsTable`], [`VersionsSummary`] | what several releases tell together |
//! | [`ScreenSummary`] | which columns identify persons, or give masked ones away |

mod aligned;
mod attack;
mod clusters;
mod concerns;
mod evaluation;
mod release;
mod risk;
mod screen;
mod series;
mod verdict;
pub(crate) mod what_if;
mod why;

pub use aligned::{Aligned, shortened};
pub use attack::{AttackSummary, ComparedSummary};
pub use clusters::{ClusterSummary, ComparisonSummary, TableComparisonSummary};
pub use evaluation::{EvaluationSummary, ModelCosts};
pub use release::ReleaseSummary;
pub use screen::ScreenSummary;
pub use series::{JointConditionsTable, SeriesSummary, Timeline, TrueAnonymityTable, VersionsSummary};
pub use verdict::{VerdictSummary, VerdictTable};
pub use what_if::WhatIfSummary;
pub use why::WhyLines;

/// A share in per cent, with two decimals where that says anything.
fn percent(share: f64) -> String {
    if share == 0.0 || share == 1.0 { format!("{} %", share * 100.0) } else { format!("{:.2} %", share * 100.0) }
}
