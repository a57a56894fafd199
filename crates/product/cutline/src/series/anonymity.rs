//! How many persons share a trajectory? Counted from what was published of whom, and nothing else.

use std::borrow::Borrow;
use std::collections::HashMap;

use cutline_model::Qid;
use cutline_report::{JointQid, OneOfSeries, TrueAnonymity};
use cutline_table::Numbering;

use super::published::{Published, everybody};

/// What several releases tell, one after the other.
pub(crate) struct Trajectories {
    /// The releases, each with what it tells alone and together with those before it.
    releases: Vec<OneOfSeries>,
    together: TrueAnonymity,
}

impl Trajectories {
    /// Follows everybody from release to release.
    pub(crate) fn new<P: Borrow<Published>>(releases: &[P], qids: &[Qid]) -> Self {
        let everybody = everybody(releases);
        let mut seen = vec![0; everybody.len()];
        let mut before = vec![false; everybody.len()];
        let mut groups = vec![Numbering::new(everybody.len()); qids.len()];
        let mut told = Trajectories { releases: Vec::new(), together: TrueAnonymity::default() };
        for release in releases.iter().map(P::borrow) {
            let rows: Vec<Option<u32>> = release.persons.of(&everybody).collect();
            let (mut entered, mut left) = (0, 0);
            for ((row, seen), before) in rows.iter().zip(&mut seen).zip(&mut before) {
                entered += u64::from(row.is_some() && *seen == 0);
                left += u64::from(row.is_none() && *before);
                *seen = u64::from(row.is_some() || *seen > 0);
                *before = row.is_some();
            }
            let mut alone = Vec::new();
            for (qid, groups) in qids.iter().zip(&mut groups) {
                let (labels, distinct) = labels(release, qid);
                let label = |row: &Option<u32>| row.map_or(0, |row| labels[row as usize]);
                groups.refine(rows.iter().map(label), distinct);
                alone.push(smallest(rows.iter().map(label), distinct));
            }
            let joint = qids.iter().zip(&groups).map(|(qid, groups)| joint(qid, groups, &seen)).collect();
            told.together = TrueAnonymity { persons: seen.iter().sum(), qids: joint };
            let together = told.together.qids.iter().map(|qid| qid.anonymity).collect();
            let persons = release.persons.len() as u64;
            told.releases.push(OneOfSeries { folder: None, persons, entered, left, alone, together });
        }
        told
    }

    /// What all of the releases tell together.
    pub(crate) fn together(&self) -> &TrueAnonymity {
        &self.together
    }

    /// The releases one after the other, by the names of their folders.
    pub(crate) fn timeline(&self, folders: Vec<Option<String>>) -> Vec<OneOfSeries> {
        let named = |(release, folder): (&OneOfSeries, _)| OneOfSeries { folder, ..release.clone() };
        self.releases.iter().zip(folders).map(named).collect()
    }
}

/// For each row of a release, a number of its labels on a QID; 0 is for whoever is not there. And how many numbers there are.
pub(super) fn labels(release: &Published, qid: &Qid) -> (Vec<u32>, usize) {
    let asked = release.attributes.iter().enumerate().filter(|(_, name)| qid.attributes.contains(name));
    let asked: Vec<usize> = asked.map(|(index, _)| index).collect();
    let mut found: HashMap<Vec<Option<&str>>, u32> = HashMap::new();
    let mut labels = Vec::with_capacity(release.rows.len());
    for row in &release.rows {
        let next = found.len() as u32 + 1;
        labels.push(*found.entry(asked.iter().map(|&index| row[index].as_deref()).collect()).or_insert(next));
    }
    (labels, found.len() + 1)
}

/// The fewest persons with the same labels, of those who are there.
fn smallest(labels: impl Iterator<Item = u32>, distinct: usize) -> u64 {
    let mut sizes = vec![0; distinct];
    labels.for_each(|label| sizes[label as usize] += 1);
    sizes[1..].iter().copied().filter(|&size| size > 0).min().unwrap_or(0)
}

/// What groups of persons who were seen in some release come to.
fn joint(qid: &Qid, groups: &Numbering, seen: &[u64]) -> JointQid {
    let mut sizes = groups.sizes(seen);
    // Those who enter later are not yet there.
    sizes.retain(|&size| size > 0);
    let small = sizes.iter().copied().filter(|&size| size < qid.k);
    JointQid {
        attributes: qid.attributes.clone(),
        k: qid.k,
        anonymity: sizes.iter().copied().min().unwrap_or(0),
        trajectories: sizes.len() as u64,
        too_small: small.clone().count() as u64,
        persons_in_those: small.sum(),
    }
}
