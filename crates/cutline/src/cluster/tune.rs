//! Step 4 of the paper, repeated: "if the evaluation is unsatisfactory, the data holder may repeat steps 1 to 4" (section 4.1).
//!
//! A refinement that tells much about the raw clusters may still mislead a recipient: a disclosed attribute weighs as much as any other
//! one, and where those that it went together with are masked, it makes clusters of its own. So the search is repeated with
//! some attributes left at the top, and the choice of attributes with the best clusters is kept.

use std::collections::BTreeMap;

use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Bound, Masking, Qid, Requirement};
use cutline_search::{Outcome, Stopped};
use cutline_table::{Attribute, CompressedTable, TableQid};

use super::Tuned;
use super::drawn::Drawn;
use super::evaluate::{Recoded, agreement, stop_if};
use super::label::Clusters;
use super::settings::Clustering;
use crate::find::{self, Found};
use crate::job::Job;
use crate::{Error, Observer};

/// Recodings are compared on so many records.
const MOST_COMPARED: usize = 10_000;

/// A difference in the overall F-measure that is worth another attribute.
const WORTH: f64 = 0.005;

/// What is tuned.
pub(super) struct Tuning<'a> {
    pub(super) job: &'a Job,
    pub(super) clustering: &'a Clustering,
    pub(super) drawn: &'a Drawn,
    pub(super) clusters: &'a Clusters,
    pub(super) table: &'a CompressedTable,
    pub(super) qids: &'a [TableQid],
}

/// A recoding that was tried.
#[derive(Clone)]
struct Tried {
    outcome: Outcome,
    recoded: Recoded,
    f_measure: f64,
}

impl Tuning<'_> {
    /// The recoding with the best clusters that was found; nothing if the first one is not worse.
    ///
    /// Climbs from two sides: from all attributes open to the search, and from none. A step opens or leaves masked one of them.
    pub(super) fn run(&self, first: &Recoded, observer: &dyn Observer) -> Result<Option<(Outcome, Tuned)>, Error> {
        let attributes = self.table.attributes.len();
        let mut trials =
            Trials { tuning: self, sample: self.drawn.thinned(self.clusters, MOST_COMPARED)?, known: BTreeMap::new() };
        let floor = trials.figure(first)?;
        let from_all = trials.climb(vec![true; attributes], observer)?;
        let from_none = trials.climb(vec![false; attributes], observer)?;
        // Of equals, the one that masks less.
        let (open, best) = if from_none.1.f_measure > from_all.1.f_measure + WORTH { from_none } else { from_all };
        // Some records found it, all of them decide.
        let all = |recoded: &Recoded| {
            Ok::<_, Error>(agreement(self.clustering, self.drawn, self.clusters, recoded)?.f_measure)
        };
        if best.f_measure <= floor || all(&best.recoded)? <= all(first)? {
            return Ok(None);
        }
        let left = (0..attributes).filter(|&attribute| !open[attribute] || best.recoded.is_top(attribute));
        let left = left.map(|attribute| self.table.attributes[attribute].name.clone()).collect();
        Ok(Some((best.outcome, Tuned { tried: trials.known.len(), left })))
    }

    /// Searches with the open attributes only, and leaves the others at the top. Groups of a QID are then those of its open attributes.
    fn search(&self, open: &[bool], observer: &dyn Observer) -> Result<Outcome, Error> {
        let closed = self.table.attributes.iter().zip(open).filter(|(_, open)| !**open);
        let closed: Vec<&str> = closed.map(|(attribute, _)| &attribute.name[..]).collect();
        let is_left = |name: &str| closed.contains(&name);
        let without = |qid: &Qid| {
            let attributes: Vec<String> = qid.attributes.iter().filter(|name| !is_left(name)).cloned().collect();
            (!attributes.is_empty()).then(|| Qid { attributes, ..qid.clone() })
        };
        let qids: Vec<Qid> = self.job.requirement.qids().iter().filter_map(without).collect();
        let searched = if qids.is_empty() {
            Outcome { recoding: Vec::new(), steps: Vec::new(), stopped: Stopped::Complete, anonymity: Vec::new() }
        } else {
            let attributes = self.table.attributes.iter().filter(|attribute| !is_left(&attribute.name)).cloned();
            let table = CompressedTable { attributes: attributes.collect(), ..self.table.clone() };
            let job = Job { requirement: Requirement::new(qids)?, ..self.job.clone() };
            find::search(&job, &table, observer)?.0
        };
        let mut rest = searched.recoding.into_iter();
        let whole = |attribute: &Attribute| if is_left(&attribute.name) { Some(top(attribute)) } else { rest.next() };
        let recoding = self.table.attributes.iter().filter_map(whole).collect();
        Ok(Outcome { recoding, ..searched })
    }
}

/// All that was tried, so that nothing is tried twice.
struct Trials<'a> {
    tuning: &'a Tuning<'a>,
    sample: (Drawn, Clusters),
    /// By the attributes that are open to the search.
    known: BTreeMap<Vec<bool>, Tried>,
}

impl Trials<'_> {
    fn figure(&self, recoded: &Recoded) -> Result<f64, Error> {
        Ok(agreement(self.tuning.clustering, &self.sample.0, &self.sample.1, recoded)?.f_measure)
    }

    fn look(&mut self, open: &[bool], observer: &dyn Observer) -> Result<Tried, Error> {
        if let Some(tried) = self.known.get(open) {
            return Ok(tried.clone());
        }
        stop_if(observer)?;
        let Tuning { job, table, qids, .. } = self.tuning;
        let outcome = self.tuning.search(open, observer)?;
        let recoded = Recoded::of_outcome(job, table, &outcome, qids)?;
        let f_measure = self.figure(&recoded)?;
        let tried = Tried { outcome, recoded, f_measure };
        self.known.insert(open.to_vec(), tried.clone());
        Ok(tried)
    }

    /// Takes the best step as long as it is worth it.
    fn climb(&mut self, mut open: Vec<bool>, observer: &dyn Observer) -> Result<(Vec<bool>, Tried), Error> {
        let mut best = self.look(&open, observer)?;
        loop {
            let mut next: Option<(Vec<bool>, Tried)> = None;
            for attribute in 0..open.len() {
                let mut other = open.clone();
                other[attribute] = !other[attribute];
                let tried = self.look(&other, observer)?;
                if tried.f_measure > next.as_ref().map_or(best.f_measure + WORTH, |next| next.1.f_measure) {
                    next = Some((other, tried));
                }
            }
            let Some(better) = next else { return Ok((open, best)) };
            (open, best) = better;
        }
    }
}

/// The most masked state of an attribute.
fn top(attribute: &Attribute) -> AttributeRecoding {
    let missing = attribute.domain.missing().map(|_| Missing::Masked);
    match &attribute.masking {
        Masking::Generalize(taxonomy) => AttributeRecoding::Generalize {
            cut: vec![taxonomy.label(taxonomy.root()).to_owned()],
            missing,
            taxonomy: taxonomy.as_ref().clone(),
        },
        Masking::Suppress => AttributeRecoding::Suppress { disclosed: Vec::new(), missing },
        Masking::Discretize { range } => {
            let bounds = vec![Bound(range.map(|range| range.0)), Bound(range.map(|range| range.1))];
            AttributeRecoding::Discretize { bounds, missing }
        }
    }
}

/// What was found, with a tuned recoding in place of the one that the search found by itself.
pub(super) fn tuned(job: &Job, found: Found, outcome: Outcome) -> Result<Found, Error> {
    find::judge(job, found.table, outcome, found.qids)
}
