//! Which columns identify persons, or give masked ones away?
//!
//! [`screen`] looks at a table as it is; a draft that is about to be published is screened under its labels.

mod draft;
mod identify;
mod look;
mod pairs;
mod words;

#[cfg(test)]
mod tests;

use cutline_arrow::crew::on_threads;
use cutline_engine::Engine;
use cutline_measure::screen::{Alike, Coded, Joined, propose};
use cutline_model::Qid;
use cutline_report::{ProposedQid, RevealedByPair, Screen};
use cutline_table::Codes;
use rayon::prelude::*;

use crate::columns::{names_of, position};
use crate::{Error, Observer};

pub(crate) use draft::{Depth, Looked};
pub(crate) use identify::is_date;
pub(crate) use look::{FEW_RECORDS, HiddenColumns, Knowledge, KnownQid, Look, LookPlan, MOST_RECORDS, Said};
pub(crate) use words::{names_persons, words_of};

/// Without a QID a value is rare if fewer records share it.
const USUAL_K: u64 = 10;

/// What a table is screened for.
#[derive(Clone, Debug, Default)]
pub struct ScreenPlan {
    /// What an attacker may know together, if that was said.
    pub qids: Vec<Qid>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Are the QIDs' attributes masked already? Then nothing is known of what they hide.
    pub masked: bool,
    /// Columns that have random tokens in place of values.
    pub tokens: Vec<String>,
    /// So many threads look at what was read; 0 is one for each core.
    pub threads: usize,
}

/// What a published table gives away, as far as it tells that itself: a k that protects nobody, and columns that name persons or single them
/// out, alone or with a QID.
///
/// # Errors
/// If the table cannot be read. One without records gives nothing away.
pub fn published_warnings(
    engine: &dyn Engine,
    plan: &ScreenPlan,
    observer: &dyn Observer,
) -> Result<Vec<String>, Error> {
    let unprotected = plan.qids.iter().any(|qid| qid.k == 1);
    let mut warnings: Vec<String> = unprotected.then(|| NOBODY.to_owned()).into_iter().collect();
    match screen(engine, plan, observer) {
        Ok(screen) => warnings.extend(screen.warnings),
        Err(Error::NoRecords(_)) => {}
        Err(error) => return Err(error),
    }
    Ok(warnings)
}

/// Of a threshold of 1.
pub const NOBODY: &str = "k = 1 protects nobody: a group of a single record is allowed";

/// Looks at every column of a table, whose QIDs are taken as they are.
///
/// At most 1,000,000 records of 50 columns are looked at; of more, as many are drawn.
///
/// # Errors
/// If a QID names a column that the table lacks, or the table cannot be read.
pub fn screen(engine: &dyn Engine, plan: &ScreenPlan, observer: &dyn Observer) -> Result<Screen, Error> {
    let names = names_of(engine);
    for name in plan.qids.iter().flat_map(|qid| &qid.attributes) {
        position(&names, name, "named in a QID")?;
    }
    let all = (0..names.len()).collect();
    let look_plan = LookPlan { columns: all, nulls: plan.nulls.clone(), required: Vec::new(), most: MOST_RECORDS };
    let look = Look::at(engine, &look_plan, observer)?;
    Ok(on_threads(plan.threads, || look.screen_for(plan, &names)))
}

/// Proposes QIDs of columns that are no identifiers and do not single out a tenth of the records alone: those are told anyway.
pub(crate) fn proposals(look: &Look, screen: &Screen) -> Vec<ProposedQid> {
    let columns: Vec<Coded> = look.columns.iter().map(look::coded).collect();
    let column = |place: usize| screen.columns.iter().find(|column| column.name == look.names[place]);
    let usual = |&place: &usize| column(place).is_some_and(|column| !column.identifier && column.unique_share < 0.1);
    let candidates: Vec<usize> = (0..columns.len()).filter(usual).collect();
    let found = propose(&columns, &candidates, look.records());
    let told = found.into_iter().filter(|set| set.single * 100 >= u64::from(look.records()));
    let proposed = told.map(|set| ProposedQid {
        attributes: set.columns.iter().map(|&place| look.names[place].clone()).collect(),
        unique_share: set.single as f64 / f64::from(look.records().max(1)),
    });
    proposed.collect()
}

impl Look {
    /// What a table with these columns gives away.
    fn screen_for(&self, plan: &ScreenPlan, names: &[String]) -> Screen {
        let masked = || plan.qids.iter().flat_map(|qid| &qid.attributes);
        let hidden = if plan.masked { Vec::new() } else { self.raw_hidden(masked()) };
        let knowledge = Knowledge {
            qids: plan.qids.iter().map(|qid| self.raw_qid(qid)).collect(),
            hidden: HiddenColumns::of(&hidden),
            k: plan.qids.iter().map(|qid| qid.k).max().unwrap_or(USUAL_K),
        };
        let said = |index: usize| match masked().any(|name| *name == names[index]) {
            true => Said::masked(),
            false if plan.tokens.contains(&names[index]) => Said::tokens(),
            false => Said::default(),
        };
        let mut screen = self.screen(&knowledge, said);
        if !plan.masked {
            screen.pairs = self.raw_pairs(masked(), &screen);
        }
        if plan.qids.is_empty() {
            screen.proposals = proposals(self, &screen);
        }
        screen.warnings = screen.sentences();
        screen
    }

    /// A QID on raw values.
    fn raw_qid(&self, qid: &Qid) -> KnownQid {
        let columns = qid.attributes.iter().filter_map(|name| self.place(name)).map(|place| &self.columns[place]);
        let groups = Alike::by_all(self.records(), columns.map(look::coded));
        KnownQid { attributes: qid.attributes.clone(), k: qid.k, groups }
    }

    fn places<'a>(&self, names: impl Iterator<Item = &'a String>) -> Vec<usize> {
        let mut places: Vec<usize> = names.filter_map(|name| self.place(name)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The same of two columns.
    pub(crate) fn raw_pairs<'a>(
        &self,
        names: impl Iterator<Item = &'a String>,
        screen: &Screen,
    ) -> Vec<RevealedByPair> {
        let labels = Codes::from_codes(std::iter::repeat_n(0, self.drawn), 1);
        let masked = self.places(names).into_iter().map(|place| (place, Coded { codes: &labels, values: 1 }));
        pairs::pairs(self, &masked.collect::<Vec<_>>(), screen)
    }

    /// Masked attributes of whose labels nothing is known: they may tell nothing.
    pub(crate) fn raw_hidden<'a>(&self, names: impl Iterator<Item = &'a String>) -> Vec<(usize, Joined)> {
        let labels = Codes::from_codes(std::iter::repeat_n(0, self.drawn), 1);
        let labels = Coded { codes: &labels, values: 1 };
        self.places(names).into_par_iter().map(|place| (place, self.behind(place, labels))).collect()
    }
}
