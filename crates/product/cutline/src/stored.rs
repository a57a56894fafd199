//! The recoding as `recoding.json` has it: it tells no value that the release hides. A part of what is told: see [`told`](crate::told).

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use cutline_model::recoding::{Achieved, AchievedQid, Missing, Regions};
use cutline_model::{AttributeRecoding, Bound, Qid, Recoding, Share, Taxonomy};
use cutline_table::{Attribute, Masked};
use cutline_verify::Verdict;

use crate::Error;
use crate::columns::Columns;
use crate::find::Found;
use crate::job::Job;

/// The recoding as everybody is told it, from what the steward knows.
pub(crate) fn stored(mut recoding: Recoding, found: &Found) -> Result<Recoding, Error> {
    let Some(regions) = &recoding.regions else { return Ok(recoding) };
    if regions.tell_more_than_labels(&found.outcome.recoding) {
        recoding.regions = Some(regions.clone().withheld(published_groups(found)?));
    }
    Ok(recoding)
}

/// The labels of all groups that have published records, in order.
fn published_groups(found: &Found) -> Result<Vec<Vec<Option<String>>>, Error> {
    let Found { table, outcome, suppressed, .. } = found;
    let masked = Masked::of(table, &outcome.recoding, outcome.regions.as_ref())
        .map_err(|error| Error::Defect(error.to_string()))?;
    let Some((places, of_row)) = masked.regions() else { return Ok(Vec::new()) };
    let rows = of_row.iter().zip(&suppressed.rows).filter(|(_, suppressed)| !**suppressed);
    let published: BTreeSet<u32> = rows.map(|(region, _)| region).collect();
    let label = |(a, &label): (usize, &u32)| places.labels(a)[label as usize].clone().into_text();
    let labels = |region: u32| places.of(region as usize).iter().enumerate().map(label).collect();
    let distinct: BTreeSet<Vec<Option<String>>> = published.into_iter().map(labels).collect();
    Ok(distinct.into_iter().collect())
}

/// The recoding as it is stored for the steward: into which regions records fall, even where that tells what `*` hides.
pub(crate) fn for_steward(job: &Job, columns: &Columns, found: &Found, verdict: &Verdict) -> Recoding {
    let names = || columns.quasi.iter().map(|&index| columns.names[index].clone());
    let (attributes, regions) = match &found.outcome.regions {
        None => (of_attributes(job, found), None),
        Some(regions) => {
            let (attributes, regions) = of_regions(job, found, regions);
            (attributes, Some(regions))
        }
    };
    let qid = |(finding, qid): (&cutline_verify::Finding, &Qid)| AchievedQid {
        attributes: finding.attributes.clone(),
        k: finding.k,
        anonymity: finding.anonymity,
        conditions: qid.conditions.clone(),
    };
    let format = if regions.is_some() { Recoding::FORMAT_OF_REGIONS } else { Recoding::FORMAT };
    Recoding {
        format: format.to_owned(),
        attributes: names().zip(attributes).collect(),
        regions,
        identifiers: columns.identifiers(),
        columns: Some(columns.published_names()),
        required: columns.required(job).into_iter().map(|index| columns.names[index].clone()).collect(),
        suppression: (job.suppression.limit > Share::NONE).then_some(job.suppression),
        requirement: Achieved {
            qids: verdict.findings.iter().zip(job.requirement.qids()).map(qid).collect(),
            person: job.person.clone(),
        },
        null: job.nulls.clone(),
        private_taxonomies: names().filter(|name| is_private(job, name)).collect(),
    }
}

/// The recoding of each attribute as it is told.
fn of_attributes(job: &Job, found: &Found) -> Vec<AttributeRecoding> {
    let told = |(recoding, attribute): (&AttributeRecoding, &Attribute)| {
        let told = attribute.shown(&found.suppressed.rows);
        let given = job.attributes.get(&attribute.name).and_then(|attribute| attribute.taxonomy.as_ref());
        let recoding = match is_private(job, &attribute.name) {
            true => without_hidden_nodes(recoding.clone(), attribute, &told),
            false => without_hidden_values(recoding.clone(), given, attribute, &told),
        };
        let guessed = job.kind_of(&attribute.name).is_none();
        without_hidden_missing(if guessed { without_hidden_kind(recoding) } else { recoding })
    };
    found.outcome.recoding.iter().zip(&found.table.attributes).map(told).collect()
}

/// The regions as they are told, and what they tell apart. Values that ‹unknown root› attached to a taxonomy are no nodes of theirs.
fn of_regions(job: &Job, found: &Found, regions: &Regions) -> (Vec<AttributeRecoding>, Regions) {
    let told = |(recoding, attribute): (AttributeRecoding, &Attribute)| {
        let guessed = job.kind_of(&attribute.name).is_none() && recoding.is_top();
        without_hidden_missing(if guessed { without_hidden_kind(recoding) } else { recoding })
    };
    let finest = regions.finest(&found.outcome.recoding).into_iter().zip(&found.table.attributes);
    // The order in which groups were told apart follows from hidden values, too; a tree of the groups alone tells nothing more.
    let canonical = regions.canonical(&found.outcome.recoding).unwrap_or_else(|_| regions.clone());
    (finest.map(told).collect(), canonical)
}

fn is_private(job: &Job, name: &str) -> bool {
    job.attributes.get(name).is_some_and(|attribute| attribute.private)
}

/// A private taxonomy is known to nobody: its nodes are told only where published records show them. A node of the cut that none
/// shows is left out even if no record at all has it, because whether a suppressed one has it must not be told.
fn without_hidden_nodes(mut recoding: AttributeRecoding, attribute: &Attribute, told: &[bool]) -> AttributeRecoding {
    // The leaves of a domain ascend, and so do those below a node.
    let AttributeRecoding::Generalize { taxonomy, .. } = &recoding else { return recoding };
    let leaves = attribute.domain.as_leaves().iter().zip(told).filter(|(_, told)| **told);
    let ranks: Vec<usize> = leaves.map(|(&leaf, _)| taxonomy.leaf_rank(leaf)).collect();
    recoding.hide_taxonomy(|taxonomy, node| {
        let range = taxonomy.leaf_range(node);
        ranks.get(ranks.partition_point(|&rank| rank < range.start)).is_some_and(|rank| range.contains(rank))
    });
    recoding
}

/// Values that ‹unknown root› attached to a taxonomy are values of records: what no published record shows, the recoding does not
/// tell either.
fn without_hidden_values(
    mut recoding: AttributeRecoding,
    given: Option<&Arc<Taxonomy>>,
    attribute: &Attribute,
    told: &[bool],
) -> AttributeRecoding {
    let (AttributeRecoding::Generalize { taxonomy, cut, .. }, Some(given)) = (&mut recoding, given) else {
        return recoding;
    };
    if taxonomy.shares_tree(given) {
        // Nothing was attached.
        return recoding;
    }
    let top = cut.len() == 1 && cut[0] == taxonomy.label(taxonomy.root());
    let leaves = attribute.domain.as_leaves().iter().zip(told).filter(|(_, told)| **told && !top);
    // One that only suppressed records had at first may be published under the root's label.
    let shown: HashSet<&str> = cut.iter().map(String::as_str).collect();
    let attached = |label: &&str| given.node(label).is_none() && shown.contains(label);
    let labels = leaves.map(|(&leaf, _)| taxonomy.label(leaf)).filter(attached);
    // Their labels were attached before, so they can be again.
    if let Ok(attached) = given.attach(labels.map(str::to_owned)) {
        cut.retain(|label| attached.node(label).is_some());
        *taxonomy = attached;
    }
    recoding
}

/// That missing values have the label of hidden ones would tell that there are some. It need not be told: what is not said of missing
/// values masks them. Only where `*` stands in place of a whole declared range the table shows it, and the recoding must say why.
fn without_hidden_missing(mut recoding: AttributeRecoding) -> AttributeRecoding {
    let told = matches!(&recoding, AttributeRecoding::Discretize { bounds, .. } if !is_open(bounds));
    if recoding.missing() == Some(Missing::Masked) && !told {
        *recoding.missing_mut() = None;
    }
    recoding
}

/// A kind that was guessed from the values tells whether all of them are numbers. Where the table shows nothing of an attribute, the
/// recoding tells nothing of its kind: whatever the values are, they become `*`.
fn without_hidden_kind(recoding: AttributeRecoding) -> AttributeRecoding {
    match recoding {
        AttributeRecoding::Discretize { bounds, missing, .. } if is_open(&bounds) => {
            AttributeRecoding::Suppress { disclosed: Vec::new(), missing }
        }
        recoding => recoding,
    }
}

/// Are these the bounds of one interval without ends?
fn is_open(bounds: &[Bound]) -> bool {
    bounds.iter().all(|bound| bound.0.is_none())
}
