//! How much was lost, by a formula?
//!
//! All metrics look at the compressed table, a recoding and the records that are suppressed with it. None of them asks which
//! algorithm found the recoding. Lower is better for each of them.
//!
//! | file | metric | of |
//! | --- | --- | --- |
//! | [`general`] | LM: how much of the domain an entry could be | Iyengar, KDD 2002, §3 |
//! | [`classification`] | CM: records that are not of their group's majority class, or what that costs | ibid., equations 1 and 2 |
//! | [`regression`] | RM: dispersion of a number within the groups | ibid., §3 |
//! | [`weighted`] | several targets at once | ibid., §3 |
//! | [`groups`] | discernibility, average group size | Bayardo & Agrawal, ICDE 2005; LeFevre et al., ICDE 2006 |
//! | [`entropy`] | bits that the labels do not tell | de Waal & Willenborg 1999; Gionis & Tassa 2009 |
//!
//! [`Losses::measure`] gives all of them but the weighted one, which needs weights. What they have in common is counted once:
//! [`CodeCounts`] for what looks at one attribute, [`Partition`] for what looks at groups. Everything that is counted is a whole
//! number, and floating-point numbers are summed in the order of the table, so results do not depend on the number of threads.

pub mod classification;
pub mod entropy;
pub mod general;
pub mod groups;
mod measure;
mod partition;
mod regional;
pub mod regression;
mod tally;
#[cfg(test)]
mod tests;
pub mod weighted;

pub use groups::QidLoss;
pub use measure::{AttributeLoss, Losses};
pub use partition::Partition;
pub use tally::CodeCounts;
