//! A linkage attack, as an adversary would run it.
//!
//! The adversary holds an *external* table with exact values of persons (a voter list, or the raw table itself: nobody knows more)
//! and joins it to a *released* one. An exact value matches every label that covers it, so a person matches some of the released
//! records, and the best guess at the person's own record is any one of them.
//!
//! ```text
//!  released ──► groups of equal labels ──────────────┐
//!                                                    ├──► groups that a person matches ──► guess, infer
//!  external ──► persons whose values look alike ─────┘
//!               (the same labels cover them)
//! ```
//!
//! Persons and records are grouped before they are compared, so what is compared depends on the number of labels, not on the number
//! of persons. Nothing here knows how the release was made, beyond what is published with it: the recoding. Who has it knows the one
//! label that a value has, and that suppressed records (all `*`) may be anybody's; or, knowing the attributes of all QIDs, only those
//! persons' whose groups are not in the table. Of a private taxonomy the recoding does not tell what is below a label, so a value may
//! have any; whoever has the taxonomy knows more. Where groups have labels of their own, who knows all quasi values knows the one group
//! of a person; who knows some of them, the groups whose labels cover those.

mod cover;
mod groups;
mod infer;
mod outcome;
mod persons;
mod placed;
mod several;
mod tables;

use cutline_engine::Engine;
use cutline_model::Recoding;

pub use cutline_report::{AttackOutcome, Inference, InferenceTruth, Matches, TruthOutcome};

use cover::{Cover, Knowledge};
use cutline::{Error, Observer};
use groups::Groups;
use persons::Persons;
use tables::Linkage;

/// What the adversary knows and wants.
#[derive(Clone, Debug, Default)]
pub struct Attack {
    /// The columns that both tables have and that are compared, at least one.
    pub on: Vec<String>,
    /// Who is who, to tell how often a guess is right: a column of both tables with the true identity, or [`Attack::RECORD`].
    pub truth: Option<String>,
    /// The column of the released table that says which person a record is about: persons are counted then, because an adversary who
    /// finds twenty records of one person has found that person. With [`Attack::RECORD`] it may be one of the external table.
    pub person: Option<String>,
    /// Columns of the released table whose values the adversary wants to infer.
    pub sensitive: Vec<String>,
    /// The recoding that was published with the released table, if there is one.
    pub recoding: Option<Recoding>,
    /// Texts that stand for a missing value, beside the empty one and those of the recoding.
    pub nulls: Vec<String>,
}

impl Attack {
    /// As [`Attack::truth`]: both tables have the same persons in the same order. (Unless both have a column of this name.)
    pub const RECORD: &'static str = "record";

    /// Runs the attack.
    pub fn run(
        &self,
        released: &dyn Engine,
        external: &dyn Engine,
        observer: &dyn Observer,
    ) -> Result<AttackOutcome, Error> {
        if self.on.is_empty() {
            return Err(Error::NotSaid {
                what: "nothing is said that both tables have in common".to_owned(),
                hint: "name the columns that an adversary can compare, as in ‹on age,sex,zip›",
            });
        }
        let mut tables = Linkage::read(self, released, external, observer)?;
        let persons = self.persons(&mut tables);
        let groups = Groups::new(&tables);
        let matches = persons.matches(&groups);
        let mut outcome = outcome::outcome(&self.on, &groups, &persons, &matches);
        outcome.truth = tables.truth.as_ref().map(|truth| persons.truth(truth, &groups, &matches));
        outcome.inferences = infer::all(&tables, &groups, &persons);
        Ok(outcome)
    }

    /// The persons by what they match; where groups have labels of their own, by the labels of theirs.
    fn persons(&self, tables: &mut Linkage) -> Persons {
        let regional = self.recoding.as_ref().filter(|recoding| recoding.regions.is_some());
        let placed = regional.and_then(|recoding| placed::placed(recoding, &self.on, &tables.on, &tables.external));
        let known = placed.is_some();
        if let Some(placed) = placed {
            tables.external = placed;
        }
        Persons::new(tables, self.covers(tables, known))
    }

    /// Which labels cover which values, for each of the columns.
    fn covers(&self, tables: &Linkage, placed: bool) -> Vec<Cover> {
        let cover = |(&place, name): (&usize, &String)| {
            let labels = &tables.released.columns()[place].texts;
            let attribute = self.recoding.as_ref().and_then(|recoding| recoding.attributes.get(name));
            let private = self.recoding.as_ref().is_some_and(|recoding| recoding.has_private_taxonomy(name));
            let local = self.recoding.as_ref().is_some_and(|recoding| recoding.regions.is_some());
            let knowledge = match (placed && attribute.is_some(), local) {
                (true, _) => Knowledge::placed(),
                (false, true) => Knowledge::meaning(attribute),
                (false, false) => Knowledge::new(attribute, private, labels),
            };
            Cover::new(&knowledge, labels, &tables.external.columns()[place].texts)
        };
        tables.on.iter().zip(&self.on).map(cover).collect()
    }
}

#[cfg(test)]
mod tests;
