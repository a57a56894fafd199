//! Versions of one table for different uses, published together or not at all.
//!
//! The clustering paper (2009, §4.1) advises one version for each reasonable number of clusters, and warns of whoever compares them. Versions
//! of one table have the same persons, so a record's history follows from its values: from its labels in the versions that were made before.
//! Nobody need say who is who.

use std::collections::HashMap;
use std::sync::Arc;

use cutline_engine::Engine;
use cutline_model::recoding::{LabelError, Suppression};
use cutline_model::{Qid, Share};
use cutline_report::{PublishedVersion, Versions, Worth};
use cutline_table::{AttributeId, History, Mask, Numbering, Patterns, RawColumn, RawTable, RecordLabels};

use super::check_purpose;
use super::published::{PersonKey, records};
use crate::columns::Columns;
use crate::folder::Folder;
use crate::spec::Algorithm;
use crate::staging::Product;
use crate::{Counts, Destination, Draft, Error, Job, Observer, Table};

/// A version of a table: what it is called, and how it is made.
#[derive(Clone, Debug)]
pub struct Version {
    /// The name of its folder.
    pub name: String,
    /// How it is made. All versions have the same requirement.
    pub job: Job,
}

/// What versions of one table have in common, so that all of them are about the same persons.
#[derive(Debug)]
pub(crate) struct Among {
    /// What the digests of persons are made with, unless earlier releases say it.
    pub(crate) key: PersonKey,
    /// The columns that some version needs a value in: a record that lacks one is in no version.
    pub(crate) required: Vec<String>,
}

/// The versions, when each knows what they have in common.
fn among(versions: &[Version], table: &Table) -> Result<Vec<Version>, Error> {
    let mut required = Vec::new();
    for Version { job, .. } in versions {
        let columns = Columns::resolve(job, table.columns())?;
        required.extend(columns.required(job).into_iter().map(|index| columns.names[index].clone()));
    }
    required.sort_unstable();
    required.dedup();
    let among = Arc::new(Among { key: PersonKey::fresh()?, required });
    let version = |Version { name, job }: &Version| {
        let suppression = Suppression { limit: Share::NONE, ..job.suppression };
        Version { name: name.clone(), job: Job { among: Some(Arc::clone(&among)), suppression, ..job.clone() } }
    };
    Ok(versions.iter().map(version).collect())
}

/// Who is left out of one version and not of another would stand out. A genetic search that nobody gave a budget does without one.
fn check_budgets(versions: &[Version]) -> Result<(), Error> {
    let asks = |Version { job, .. }: &&Version| {
        let limit = job.suppression.limit;
        limit != Share::NONE && !(job.algorithm == Some(Algorithm::Genetic) && limit == Share::ALL)
    };
    match versions.iter().find(asks) {
        None => Ok(()),
        Some(Version { name, .. }) => Err(Error::Contradiction {
            what: format!(
                "`{name}` may leave records out, and versions that are published together have the same persons"
            ),
            hint: "take back ‹suppress-limit›".to_owned(),
        }),
    }
}

/// Makes versions of one table that together satisfy their requirement, and publishes all of them or none: a folder for each.
///
/// Each version is made after those before it. Every one is tried as the first, and the order that loses least is taken.
///
/// # Errors
/// Whatever keeps one of them from being published.
pub fn publish_all(
    versions: &[Version],
    table: &Table,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Versions, Error> {
    destination.check(Product::Folder)?;
    let qids = check_same(versions)?;
    check_budgets(versions)?;
    versions.iter().try_for_each(|version| check_purpose(&version.job))?;
    let versions = &among(versions, table)?[..];
    let made = Making::new(versions, table, observer)?;
    let (order, drafts) = made.best(observer)?;
    let outer = Folder::new(destination)?;
    let mut published = Vec::new();
    for (&at, draft) in order.iter().zip(&drafts) {
        let Version { name, .. } = &versions[at];
        let inner = Destination { path: outer.path(name), force: false };
        let report = draft.publish(Box::new(Folder::new(&inner)?), observer)?;
        let alone = made.alone[at].groups()?;
        let smallest = alone.iter().map(|qid| qid.sizes.first().map_or(0, |(size, _)| *size)).collect();
        let (measure, together) = worth(draft);
        let worth = Worth { measure, alone: worth(&made.alone[at]).1, together };
        published.push(PublishedVersion { name: name.clone(), report, worth, alone: smallest });
    }
    let counts = &made.counts[0];
    let promised = counts.raw().history.as_ref().map_or(&[][..], |history| &history.patterns.promised);
    let all = [qids, promised].concat();
    let mut anonymity = together(counts, &drafts.iter().map(Arc::as_ref).collect::<Vec<_>>(), &all)?;
    if let Some((qid, found)) = all.iter().zip(&anonymity).find(|(qid, found)| **found < qid.k) {
        let names = qid.attributes.join(", ");
        return Err(Error::Defect(format!(
            "{found} share their labels in all versions on {{{names}}}, k is {}",
            qid.k
        )));
    }
    anonymity.truncate(qids.len());
    let one_by_one = together(counts, &made.alone.iter().map(Arc::as_ref).collect::<Vec<_>>(), qids)?;
    outer.finish()?;
    Ok(Versions { versions: published, anonymity, one_by_one })
}

/// The requirement that all versions have.
fn check_same(versions: &[Version]) -> Result<&[Qid], Error> {
    let first = versions.first().map_or(&[][..], |version| version.job.requirement.qids());
    match versions.iter().any(|version| version.job.requirement.qids() != first) {
        false if !first.is_empty() => Ok(first),
        _ => Err(Error::Contradiction {
            what: "versions that are published together must have the same requirement".to_owned(),
            hint: "give all of them the same QIDs, thresholds and conditions".to_owned(),
        }),
    }
}

/// Versions in the making.
struct Making<'a> {
    versions: &'a [Version],
    counts: Vec<Counts>,
    /// What each would be if there were no others.
    alone: Vec<Arc<Draft>>,
}

impl<'a> Making<'a> {
    fn new(versions: &'a [Version], table: &Table, observer: &dyn Observer) -> Result<Self, Error> {
        let (mut counts, mut alone) = (Vec::new(), Vec::new());
        for Version { job, .. } in versions {
            let counted = Counts::new(job, table, observer)?;
            counted.check_identifiers(job, observer)?;
            alone.push(Arc::new(counted.search(job, observer)?));
            counts.push(counted);
        }
        Ok(Making { versions, counts, alone })
    }

    /// The order that loses least of all that try each version as the first, and the versions in that order.
    fn best(&self, observer: &dyn Observer) -> Result<(Vec<usize>, Vec<Arc<Draft>>), Error> {
        let mut best: Option<(f64, Vec<usize>, Vec<Arc<Draft>>)> = None;
        for first in 0..self.versions.len() {
            let others = (0..self.versions.len()).filter(|&other| other != first);
            let order: Vec<usize> = std::iter::once(first).chain(others).collect();
            let drafts = self.in_order(&order, observer)?;
            let kept: f64 = drafts.iter().map(|draft| worth(draft).1).sum();
            if best.as_ref().is_none_or(|(most, ..)| kept > *most) {
                best = Some((kept, order, drafts));
            }
        }
        let (_, order, drafts) = best.unwrap_or_default();
        Ok((order, drafts))
    }

    /// Makes each version after those before it.
    fn in_order(&self, order: &[usize], observer: &dyn Observer) -> Result<Vec<Arc<Draft>>, Error> {
        let mut drafts: Vec<Arc<Draft>> = Vec::new();
        for &at in order {
            let draft = match &drafts[..] {
                [] => Arc::clone(&self.alone[at]),
                before => {
                    let before: Vec<&Draft> = before.iter().map(Arc::as_ref).collect();
                    let counts = self.counts[at].with(|raw| beside(raw, &before))?;
                    Arc::new(counts.search(&self.versions[at].job, observer)?)
                }
            };
            drafts.push(draft);
        }
        Ok(drafts)
    }
}

/// What a version is worth for its purpose, from 0 to 1.
fn worth(draft: &Draft) -> (&'static str, f64) {
    let losses = draft.losses();
    match (draft.clusters(), losses.classification, losses.regression_variance) {
        (Some(report), ..) => ("F-measure", report.kept().f_measure),
        (None, Some(loss), _) => ("1 - CM", 1.0 - loss),
        (None, None, Some(loss)) => ("1 - RM", 1.0 - loss),
        // LM is the sum over the attributes.
        (None, None, None) => ("1 - LM", 1.0 - losses.general / losses.attributes.len().max(1) as f64),
    }
}

/// What a draft makes of the rows of a table, whose first columns are its quasi attributes.
fn shown(raw: &RawTable, draft: &Draft) -> Result<(Mask, RecordLabels), Error> {
    let defect = |(_, error): (usize, LabelError)| Error::Defect(error.to_string());
    let mask = Mask::new(&draft.found.mask(draft.job.unknown)?);
    let rows = records(raw, &mask, draft.columns.quasi.len()).map_err(defect)?;
    Ok((mask, rows))
}

/// The table where other versions of it tell of its records: beside what earlier releases tell, if there are any.
fn beside(raw: &RawTable, versions: &[&Draft]) -> Result<RawTable, Error> {
    let shown = versions.iter().map(|draft| Ok(shown(raw, draft)?.1)).collect::<Result<Vec<RecordLabels>, Error>>()?;
    let nobody = Patterns { patterns: vec![Box::default()], absent: vec![None], ..Patterns::default() };
    let earlier = raw.history.as_ref().map_or(&nobody, |history: &History| &history.patterns);
    let told = earlier.told.iter().cloned().chain(versions.iter().flat_map(|draft| places(draft))).collect();
    let mut patterns = Patterns { told, promised: earlier.promised.clone(), ..Patterns::default() };
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    let width = patterns.told.len();
    let mut number = |of: usize, labels: Vec<u32>| {
        let mut pattern = earlier.patterns[of].to_vec();
        pattern.extend(labels);
        pattern.resize(width, 0);
        *numbers.entry(pattern).or_insert_with_key(|pattern| {
            let seen = pattern.iter().zip(&patterns.told).any(|(&told, place)| place.is_none() && told > 0);
            patterns.patterns.push(pattern[..].into());
            patterns.absent.push(seen.then_some(0));
            patterns.patterns.len() as u32 - 1
        })
    };
    let mut pattern_of = Vec::with_capacity(raw.weights.len());
    for row in 0..raw.weights.len() {
        let of = raw.history.as_ref().map_or(0, |history| history.of_row.get(row) as usize);
        let labels = shown.iter().flat_map(|rows| told_of(rows, row)).collect();
        pattern_of.push(Some(number(of, labels)));
    }
    // Who is in no version, because they left before.
    let gone: Vec<(u32, u64)> = (0..earlier.patterns.len())
        .filter_map(|of| earlier.absent[of].filter(|&absent| absent > 0).map(|absent| (number(of, Vec::new()), absent)))
        .collect();
    gone.into_iter().for_each(|(pattern, absent)| patterns.absent[pattern as usize] = Some(absent));
    Ok(raw.with_history(&pattern_of, Arc::new(patterns)))
}

/// What a version tells of a record: whether it is in it, and the labels of the quasi attributes.
fn places(draft: &Draft) -> Vec<Option<String>> {
    let names = draft.columns.quasi.iter().map(|&index| Some(draft.columns.names[index].clone()));
    std::iter::once(None).chain(names).collect()
}

/// Whether a row is in a version, and its labels there.
fn told_of(rows: &RecordLabels, row: usize) -> Vec<u32> {
    let left_out = rows.left_out(row);
    let labels = rows.numbers.iter().map(|column| if left_out { 0 } else { column[row] + 1 });
    std::iter::once(u32::from(!left_out)).chain(labels).collect()
}

/// For each QID, the fewest records, or persons where these are counted, that have the same labels in all versions. Counted from what is
/// published.
fn together(counts: &Counts, versions: &[&Draft], qids: &[Qid]) -> Result<Vec<u64>, Error> {
    let raw = counts.raw();
    let person = match versions.first() {
        Some(draft) => counts.person_place(&draft.columns)?,
        None => None,
    };
    let shown = versions.iter().map(|draft| shown(raw, draft)).collect::<Result<Vec<_>, Error>>()?;
    let smallest = |qid: &Qid| {
        let mut groups = Numbering::new(raw.weights.len());
        let names: Vec<&str> = qid.attributes.iter().map(String::as_str).collect();
        if let Some(histories) = raw.history.as_ref().map(|history| history.on(&names)) {
            groups.refine(histories.of_row.iter(), histories.len());
        }
        for (draft, (mask, rows)) in versions.iter().zip(&shown) {
            for (a, &index) in draft.columns.quasi.iter().enumerate() {
                if qid.attributes.contains(&draft.columns.names[index]) {
                    let labels = (0..raw.weights.len()).map(|row| told_of(rows, row)[a + 1]);
                    groups.refine(labels, mask.labels(AttributeId(a)).count() + 1);
                }
            }
        }
        let sizes = match person {
            Some(place) => persons_of(&groups, &raw.columns[place]),
            None => groups.sizes(&raw.weights),
        };
        sizes.into_iter().min().unwrap_or(0)
    };
    Ok(qids.iter().map(smallest).collect())
}

/// The persons of each group; records that name nobody are those of one person.
fn persons_of(groups: &Numbering, person: &RawColumn) -> Vec<u64> {
    let mut pairs = groups.clone();
    let (codes, limit) = person.codes();
    pairs.refine(codes.iter(), limit);
    let mut sizes = vec![0; groups.len];
    pairs.first_rows().iter().for_each(|&row| sizes[groups.of_row[row as usize] as usize] += 1);
    sizes
}
