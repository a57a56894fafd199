//! How a recoding is looked for: what guides the search, and which attributes it may disclose.

use cutline_model::{AttributeRecoding, Qid, Requirement};
use cutline_search::{Outcome, Problem, Stopped};
use cutline_table::{Attribute, CompressedTable, Labels, TableQid};

use crate::find;
use crate::job::Job;
use crate::{Error, Observer};

/// A way to look for a recoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Approach {
    /// Does the search know nothing of clusters? The paper's *distort* masking, with Score(v) = |T[v]|.
    pub(super) blind: bool,
    /// The attributes that the search may disclose, in the order of the table; the others stay fully masked.
    pub(super) open: Vec<bool>,
}

impl Approach {
    /// The paper's: the clusters guide, and all attributes are open.
    pub(super) fn guided(attributes: usize) -> Self {
        Approach { blind: false, open: vec![true; attributes] }
    }

    /// The one that the paper compares with.
    pub(super) fn blind(attributes: usize) -> Self {
        Approach { blind: true, open: vec![true; attributes] }
    }

    /// Searches. The QIDs are those of the whole requirement.
    pub(super) fn search(
        &self,
        job: &Job,
        table: &CompressedTable,
        observer: &dyn Observer,
    ) -> Result<(Outcome, Vec<TableQid>), Error> {
        let labels = if self.blind { Labels::None } else { table.labels.clone() };
        // What is pinned open is open to the search, whatever is tried.
        let pinned = |name: &str| job.attributes.get(name).is_some_and(|said| !said.open.is_empty());
        let each = table.attributes.iter().zip(&self.open);
        let open: Vec<bool> = each.map(|(attribute, open)| *open || pinned(&attribute.name)).collect();
        if !open.contains(&false) {
            return find::search(job, &CompressedTable { labels, ..table.clone() }, observer);
        }
        let qids = Problem::new(table, &job.requirement)?.qids().to_vec();
        let of = |wanted: bool| table.attributes.iter().zip(&open).filter(move |(_, is_open)| **is_open == wanted);
        let closed: Vec<&str> = of(false).map(|(attribute, _)| &attribute.name[..]).collect();
        let attributes = of(true).map(|(attribute, _)| attribute.clone()).collect();
        let restricted = CompressedTable { labels, attributes, ..table.clone() };
        let searched = search_open(job, &restricted, &closed, observer)?;
        let mut found = searched.recoding.into_iter();
        let whole = |(attribute, &open): (&Attribute, &bool)| if open { found.next() } else { Some(top(attribute)) };
        let recoding = table.attributes.iter().zip(&open).filter_map(whole).collect();
        Ok((Outcome { recoding, ..searched }, qids))
    }
}

/// Searches a table without the closed attributes: the groups of a QID are those of its open ones.
fn search_open(job: &Job, table: &CompressedTable, closed: &[&str], observer: &dyn Observer) -> Result<Outcome, Error> {
    let without = |qid: &Qid| {
        let is_open = |name: &&String| !closed.contains(&&name[..]);
        let attributes: Vec<String> = qid.attributes.iter().filter(is_open).cloned().collect();
        (!attributes.is_empty()).then(|| Qid { attributes, ..qid.clone() })
    };
    let qids: Vec<Qid> = job.requirement.qids().iter().filter_map(without).collect();
    if qids.is_empty() {
        let (recoding, steps, anonymity) = Default::default();
        return Ok(Outcome { recoding, regions: None, steps, anonymity, stopped: Stopped::Complete });
    }
    let mut job = Job { requirement: Requirement::new(qids)?, ..job.clone() };
    // What stays masked needs no pins.
    job.attributes.retain(|name, _| !closed.contains(&&name[..]));
    Ok(find::search(&job, table, observer)?.0)
}

/// The most masked state of an attribute.
fn top(attribute: &Attribute) -> AttributeRecoding {
    AttributeRecoding::most_masked(&attribute.masking, attribute.domain.missing().is_some())
}
