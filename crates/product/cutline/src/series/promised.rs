//! What did earlier releases promise beyond what is asked of the new one?

use cutline_model::{Condition, Qid, Requirement};

use super::sensed::Census;
use crate::note::Kept;
use crate::{Error, Note, Observer, SeriesNote};

/// What earlier releases promised of a QID that the new one is asked nothing or less of. Conditions are among it as far as the new table has
/// what they are about, and does not break them as a whole; it is noted which are kept, and which cannot be.
pub(super) fn promised(
    before: &[Qid],
    asked: &[Qid],
    census: &Census<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Qid>, Error> {
    let mut all: Vec<Qid> = Vec::new();
    for Qid { attributes, k, conditions } in merged(before) {
        let is_new = |condition: &Condition| !asked.iter().any(|asked| asks(asked, &attributes, condition));
        let mut kept = Vec::new();
        for condition in conditions.into_iter().filter(is_new) {
            let how = match census.can_hold(&condition) {
                None => Kept::NotTold,
                Some(false) => Kept::Broken,
                Some(true) => Kept::Yes,
            };
            let qid = Qid::new(attributes.clone(), k).to_string();
            observer.note(&Note::After(SeriesNote::ConditionBefore { condition: condition.to_string(), qid, how }));
            kept.extend((how == Kept::Yes).then_some(condition));
        }
        all.push(Qid { attributes, k, conditions: kept });
    }
    let needed = Requirement::new(asked.iter().cloned().chain(all).collect())?;
    Ok(needed.qids().iter().filter(|qid| !asked.contains(qid)).cloned().collect())
}

/// One QID for all with the same attributes: together they ask for the largest k and all conditions.
pub(super) fn merged(qids: &[Qid]) -> Vec<Qid> {
    let mut merged: Vec<Qid> = Vec::new();
    for qid in qids {
        match merged.iter_mut().find(|other| other.is_about(&qid.attributes)) {
            None => merged.push(qid.clone()),
            Some(same) => {
                same.k = same.k.max(qid.k);
                let further = qid.conditions.iter().filter(|condition| !same.conditions.contains(condition));
                let further: Vec<Condition> = further.cloned().collect();
                same.conditions.extend(further);
            }
        }
    }
    merged
}

/// Is at least as much anonymity asked for?
pub(super) fn is_asked(asked: &[Qid], promised: &Qid) -> bool {
    let covers = |asked: &Qid| promised.attributes.iter().all(|name| asked.attributes.contains(name));
    asked.iter().any(|asked| covers(asked) && asked.k >= promised.k)
}

/// Is a condition of some attributes asked for?
fn asks(asked: &Qid, attributes: &[String], condition: &Condition) -> bool {
    attributes.iter().all(|name| asked.attributes.contains(name)) && asked.conditions.contains(condition)
}
