//! Which columns identify persons, or give masked ones away?
//!
//! [`screen`] looks at a table as it is; a draft that is about to be published is screened under its labels.

mod identify;
mod look;
mod words;

#[cfg(test)]
mod tests;

use cutline_engine::Engine;
use cutline_measure::screen::{Coded, Hidden, Runs, propose};
use cutline_model::{Qid, Role};
use cutline_report::{ProposedQid, Screen};

use crate::columns::{names_of, position};
use crate::{Error, Observer};

pub(crate) use look::{Knowledge, KnownQid, Look};
pub(crate) use words::words_of;

/// Without a QID a value is rare if fewer records share it.
const USUAL_K: u64 = 10;

/// What a table is screened for.
#[derive(Clone, Debug, Default)]
pub struct ScreenPlan {
    /// What an attacker may know together, if that was said.
    pub qids: Vec<Qid>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
}

/// Looks at every column of a table that is not masked yet: its QIDs are taken as they are.
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
    let all: Vec<usize> = (0..names.len()).collect();
    let look = Look::at(engine, &all, &plan.nulls, Vec::new(), observer)?;
    let knowledge = Knowledge {
        qids: plan.qids.iter().map(|qid| look.raw_qid(qid)).collect(),
        hidden: look.raw_hidden(plan.qids.iter().flat_map(|qid| &qid.attributes)),
        k: plan.qids.iter().map(|qid| qid.k).max().unwrap_or(USUAL_K),
    };
    let mut screen = look.screen(&knowledge, |_| Role::Other);
    if plan.qids.is_empty() {
        screen.proposals = proposals(&look, &screen);
    }
    screen.warnings = screen.sentences();
    Ok(screen)
}

/// Proposes QIDs of columns that are no identifiers and do not single out a tenth of the records alone: those are told anyway.
fn proposals(look: &Look, screen: &Screen) -> Vec<ProposedQid> {
    let columns: Vec<Coded> = look.columns.iter().map(look::coded).collect();
    let usual = |&place: &usize| !screen.columns[place].identifier && screen.columns[place].unique_share < 0.1;
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
    /// A QID on raw values.
    fn raw_qid(&self, qid: &Qid) -> KnownQid {
        let columns = qid.attributes.iter().filter_map(|name| self.place(name)).map(|place| &self.columns[place]);
        let groups = columns.fold(Runs::whole(self.records()), |runs, column| runs.split(look::coded(column)));
        KnownQid { attributes: qid.attributes.clone(), k: qid.k, groups }
    }

    /// Masked attributes of whose labels nothing is known: they may tell nothing.
    fn raw_hidden<'a>(&'a self, names: impl Iterator<Item = &'a String>) -> Vec<(usize, Hidden<'a>)> {
        let mut places: Vec<usize> = names.filter_map(|name| self.place(name)).collect();
        places.sort_unstable();
        places.dedup();
        let hidden = |place: usize| {
            let column = look::coded(&self.columns[place]);
            (place, Hidden::new(column, vec![0; column.values]))
        };
        places.into_iter().map(hidden).collect()
    }
}
