//! Which columns single persons out, or give hidden values away?
//!
//! Everything here looks at columns of codes, one for each record, and knows no value.
//!
//! | item | question |
//! | --- | --- |
//! | [`Alike`], [`Runs`], [`Crowd`] | Which records are alike, and how many are alone? |
//! | [`Hidden`], [`Reveal`] | Of how many records does one column tell what another one hides? |
//! | [`Together`] | The same, of several hidden columns |
//! | [`Pairs`] | Which two columns tell it together, though neither does alone? |
//! | [`propose`] | Which few columns single out most persons? |

mod alike;
mod pairs;
mod propose;
mod reveal;
mod runs;
mod together;

use cutline_table::{Code, Codes, sums_alone, with_codes};

pub use alike::Alike;
pub use pairs::{Joined, Pairs, TellingPair};
pub use propose::{Proposal, propose};
pub use reveal::{Hidden, Reveal};
pub use runs::{Crowd, Runs};
pub use together::Together;

/// A column: a code for each record.
#[derive(Clone, Copy, Debug)]
pub struct Coded<'a> {
    /// The code of each record.
    pub codes: &'a Codes,
    /// How many codes there may be: all of them are below it.
    pub values: usize,
}

impl Coded<'_> {
    /// The records of each code.
    pub fn counts(&self) -> Vec<u64> {
        with_codes!(self.codes, codes => sums_alone(0..codes.len(), self.values, |record| codes[record].index(), |_| 1))
    }
}
