//! The recoding as `recoding.json` has it: it tells no value that the release hides.

use std::sync::Arc;

use cutline_model::recoding::{Achieved, AchievedQid};
use cutline_model::{AttributeRecoding, Qid, Recoding, Share, Taxonomy};
use cutline_table::Attribute;
use cutline_verify::Verdict;

use crate::columns::Columns;
use crate::find::Found;
use crate::job::Job;

/// The recoding as it is stored.
pub(crate) fn stored(job: &Job, columns: &Columns, found: &Found, verdict: &Verdict) -> Recoding {
    let names = columns.quasi.iter().map(|&index| columns.names[index].clone());
    let masked = found.outcome.recoding.iter().zip(&found.table.attributes);
    let attributes = names.zip(masked).map(|(name, (recoding, attribute))| {
        let given = job.attributes.get(&name).and_then(|attribute| attribute.taxonomy.as_ref());
        (name, without_hidden_values(recoding.clone(), given, attribute, &found.suppressed.rows))
    });
    let qid = |(finding, qid): (&cutline_verify::Finding, &Qid)| AchievedQid {
        attributes: finding.attributes.clone(),
        k: finding.k,
        anonymity: finding.anonymity,
        conditions: qid.conditions.clone(),
    };
    Recoding {
        format: Recoding::FORMAT.to_owned(),
        attributes: attributes.collect(),
        identifiers: columns.identifiers(),
        suppression: (job.suppression.limit > Share::NONE).then_some(job.suppression),
        requirement: Achieved { qids: verdict.findings.iter().zip(job.requirement.qids()).map(qid).collect() },
        null: job.nulls.clone(),
    }
}

/// Values that `--unknown root` attached to a taxonomy are values of records: what no published record shows, the recoding does not
/// tell either.
fn without_hidden_values(
    mut recoding: AttributeRecoding,
    given: Option<&Arc<Taxonomy>>,
    attribute: &Attribute,
    suppressed: &[bool],
) -> AttributeRecoding {
    let top = recoding.is_top();
    let (AttributeRecoding::Generalize { taxonomy, cut, .. }, Some(given)) = (&mut recoding, given) else {
        return recoding;
    };
    let mut told = vec![false; attribute.domain.len()];
    let rows = attribute.codes.iter().zip(suppressed).filter(|(_, suppressed)| !**suppressed && !top);
    rows.for_each(|(code, _)| told[code as usize] = true);
    let leaves = attribute.domain.as_leaves().iter().zip(told).filter(|(_, told)| *told);
    let labels = leaves.map(|(&leaf, _)| taxonomy.label(leaf)).filter(|label| given.node(label).is_none());
    // Their labels were attached before, so they can be again.
    if let Ok(attached) = given.attach(labels.map(str::to_owned)) {
        cut.retain(|label| attached.node(label).is_some());
        *taxonomy = attached;
    }
    recoding
}
