//! How many persons share a trajectory? Counted from what was published of whom, and nothing else.

use std::collections::HashMap;
use std::ops::Range;

use cutline_model::Qid;
use cutline_report::{JointQid, OneOfSeries, TrueAnonymity};
use cutline_table::Numbering;

use super::published::Published;

/// Everybody who is in some of several releases.
pub(crate) struct Trajectories<'a> {
    releases: &'a [Published],
    /// For each release, the row of each person, and one more; 0 where they are not in it.
    rows: Vec<Vec<u32>>,
    persons: usize,
}

impl<'a> Trajectories<'a> {
    /// Looks up who is in which release.
    pub(crate) fn new(releases: &'a [Published]) -> Self {
        let mut everybody: Vec<u128> = releases.iter().flat_map(|release| release.persons.keys().copied()).collect();
        everybody.sort_unstable();
        everybody.dedup();
        let row = |release: &Published, person: &u128| release.persons.get(person).map_or(0, |row| row + 1);
        let rows = releases.iter().map(|release| everybody.iter().map(|person| row(release, person)).collect());
        Trajectories { releases, rows: rows.collect(), persons: everybody.len() }
    }

    /// What some of the releases tell together.
    pub(crate) fn together(&self, releases: Range<usize>, qids: &[Qid]) -> TrueAnonymity {
        let present = |person: &usize| releases.clone().any(|release| self.rows[release][*person] > 0);
        let persons: Vec<usize> = (0..self.persons).filter(present).collect();
        let on = |qid: &Qid| self.on(qid, &persons, releases.clone());
        TrueAnonymity { persons: persons.len() as u64, qids: qids.iter().map(on).collect() }
    }

    fn on(&self, qid: &Qid, persons: &[usize], releases: Range<usize>) -> JointQid {
        let mut groups = Numbering::new(persons.len());
        for release in releases {
            let Published { attributes, rows, .. } = &self.releases[release];
            let row = |person: &usize| self.rows[release][*person] as usize;
            groups.refine(persons.iter().map(|person| u32::from(row(person) > 0)), 2);
            for (index, _) in attributes.iter().enumerate().filter(|(_, name)| qid.attributes.contains(name)) {
                let (labels, distinct) = labels(rows, index);
                groups.refine(persons.iter().map(|person| labels[row(person)]), distinct);
            }
        }
        let sizes = groups.sizes(&vec![1; persons.len()]);
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

    /// The releases one after the other.
    pub(crate) fn timeline(&self, folders: &[Option<String>], qids: &[Qid]) -> Vec<OneOfSeries> {
        let smallest = |told: TrueAnonymity| told.qids.iter().map(|qid| qid.anonymity).collect();
        let one = |(release, folder): (usize, &Option<String>)| {
            let (mut entered, mut left) = (0, 0);
            for person in 0..self.persons {
                let before = |release: usize| self.rows[release][person] > 0;
                match before(release) {
                    true => entered += u64::from(!(0..release).any(before)),
                    false => left += u64::from(release > 0 && before(release - 1)),
                }
            }
            OneOfSeries {
                folder: folder.clone(),
                persons: self.releases[release].persons.len() as u64,
                entered,
                left,
                alone: smallest(self.together(release..release + 1, qids)),
                together: smallest(self.together(0..release + 1, qids)),
            }
        };
        folders.iter().enumerate().map(one).collect()
    }
}

/// The number of what each row tells of an attribute, after 0 for whoever is not there, and how many numbers there are.
fn labels(rows: &[Vec<Option<String>>], attribute: usize) -> (Vec<u32>, usize) {
    let mut found: HashMap<Option<&str>, u32> = HashMap::new();
    let mut labels = vec![0];
    for row in rows {
        let next = found.len() as u32 + 1;
        labels.push(*found.entry(row[attribute].as_deref()).or_insert(next));
    }
    (labels, found.len() + 1)
}
