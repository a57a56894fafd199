//! Which recoding?
//!
//! Every algorithm is a pure function of a [`Problem`] (the compressed table and the requirement): no I/O, no clock, no unseeded
//! randomness. It returns an [`Outcome`]: the recoding, the trace of its steps, and why it ended.
//!
//! | folder | algorithm | paper |
//! | --- | --- | --- |
//! | [`refine`] | our own search (`refine`) | design, section 4.5 |
//! | [`local`] | local refinement (`--local`) | design, section 4.5 |
//! | [`top_down`] | refinement (`tdr`) and specialization (`tds`) | Fung, Wang, Yu 2005 and 2007 |
//! | [`bottom_up`] | generalization (`bottom-up`) | Wang, Yu, Chakraborty 2004 |
//! | [`genetic`] | genetic search (`genetic`) | Iyengar 2002 |
//!
//! They share `gain` (what is a distinction worth for the purpose?), `tree` (how is an attribute masked at the moment?), `bins`, and
//! `audit` (do conditions hold, and are few enough records suppressed? with `suppress` and `grouping`). [`why()`] says what stands in the
//! way of telling more than a recoding does, whichever of them found it.

mod audit;
mod bins;
pub mod bottom_up;
mod control;
mod gain;
pub mod genetic;
mod grouping;
mod headcount;
pub mod local;
mod outcome;
mod pins;
mod problem;
mod publishable;
pub mod refine;
mod suppress;
pub mod top_down;
mod tree;
mod why;

pub use control::{Control, Stopped};
pub use outcome::{Generalization, Improvement, Outcome, Refinement, Step};
pub use pins::Pins;
pub use problem::{Problem, SearchError};
pub use publishable::publishable;
pub use why::{AttributeWhy, Bar, Broken, LabelWhy, Left, Why, why, with_missing};

/// An algorithm that finds a recoding.
pub trait Search {
    /// Searches until the algorithm ends or `control` stops it.
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome;
}
