//! Several releases of overlapping persons: what does somebody learn who has all of them?
//!
//! A person's *trajectory* are their records in all releases, and in which they are. Whoever has all releases, knows everybody's quasi
//! values and who is in which release, and can even tell which records belong together, still cannot tell trajectories apart that have
//! the same labels in the same releases. So a new release is made such that for every QID each combination of (labels in each earlier
//! release or absent, labels in the new one or absent) is that of at least k persons, or of nobody. `docs/several-releases.md` has the
//! definition and why this suffices.
//!
//! ```text
//!  earlier releases ──► published: what of whom ──► patterns ──► hold back ──► histories of the records ──► search ──► anonymity
//! ```
//!
//! | file | answers |
//! | --- | --- |
//! | `published` | What did a release publish of each person? Kept in its private part, under digests |
//! | `earlier` | The same from the raw table that a release was made from |
//! | `patterns` | Which persons have the same history? |
//! | `newcomers` | Whose records does the new table have? |
//! | `hold_back` | Whose record would stand out however it is masked? |
//! | `sensed` | What do conditions ask of the sensitive values of persons? |
//! | `promised` | What did earlier releases promise beyond what is asked of the new one? |
//! | `versions` | How are several versions of one table published together? |
//! | `compare` | What do releases tell together that exist already? |
//! | `people`, `anonymity` | What is published of whom in the end, and how many share a trajectory? |

mod anonymity;
mod compare;
mod earlier;
mod hold_back;
mod newcomers;
mod patterns;
mod people;
mod promised;
mod published;
mod sensed;
mod versions;

use std::collections::HashSet;
use std::sync::Arc;

use cutline_model::{Qid, Requirement, Share};
use cutline_table::{RawColumn, RawTable};
use rayon::prelude::*;

use crate::{Error, Note, Observer, Release, SeriesNote, Table};

pub use compare::compare_releases;
use hold_back::hold_back;
use newcomers::check_purpose;
pub(crate) use newcomers::{Newcomers, Present, nobody_says};
use patterns::Known;
pub(crate) use people::{People, PersonsTold};
use promised::{is_asked, promised};
pub(crate) use published::PERSONS_FILE;
use published::Published;
pub(crate) use sensed::Census;
use sensed::Sensed;
pub(crate) use versions::Among;
pub use versions::{Version, publish_all};

/// Earlier releases, after which a new one must be safe.
#[derive(Clone, Debug)]
pub struct After {
    /// The releases in the order in which they appeared.
    pub earlier: Vec<Release>,
    /// The table that each was made from; none at all where the releases know their persons themselves.
    pub previous: Vec<Table>,
    /// The most records that may be held back, because they would stand out however they are masked.
    pub hold_back: Share,
}

impl After {
    /// Releases that know their own persons.
    pub fn new(earlier: Vec<Release>) -> Self {
        After { earlier, previous: Vec::new(), hold_back: Share::ALL }
    }

    /// An error if a release is named twice: whoever has it twice knows no more, but is not what was meant.
    fn check_different(&self) -> Result<(), Error> {
        let place = |release: &Release| std::fs::canonicalize(release.table()).ok();
        let twice = |(index, release): &(usize, &Release)| {
            self.earlier[..*index].iter().any(|other| place(other).is_some() && place(other) == place(release))
        };
        match self.earlier.iter().enumerate().find(twice) {
            None => Ok(()),
            Some((_, release)) => Err(Error::Contradiction {
                what: format!("`{}` is named twice among the earlier releases", release.folder().display()),
                hint: "name each earlier release once with ‹after›, in the order in which they appeared".to_owned(),
            }),
        }
    }

    /// The attributes that conditions of the releases are about.
    pub(crate) fn sensitive(&self) -> impl Iterator<Item = String> {
        let conditions = self.earlier.iter().flat_map(Release::requirement).flat_map(|qid| qid.conditions);
        conditions.map(|condition| condition.attribute().to_owned())
    }

    /// What conditions of a requirement are about; and what those of the releases are beyond that, if it is published as it is.
    pub(crate) fn sensitive_beside(&self, requirement: &Requirement, as_is: &[String]) -> Vec<String> {
        let mut names: Vec<String> = requirement.sensitive().into_iter().map(str::to_owned).collect();
        for name in self.sensitive().filter(|name| as_is.contains(name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// An error if more are held back than may be.
    pub(crate) fn check(&self, held_back: u64, records: u64) -> Result<(), Error> {
        let limit = self.hold_back.of(records);
        match held_back == records || held_back > limit {
            false => Ok(()),
            true => Err(Error::HeldBack { held_back, records, limit }),
        }
    }
}

/// What earlier releases tell of the persons of a table.
pub(crate) struct Series {
    known: Known,
    /// What each of them published.
    earlier: Arc<Vec<Published>>,
    /// Records that are held back, so that nobody stands out.
    held_back: u64,
}

/// Shows no persons.
impl std::fmt::Debug for Series {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Series({} held back)", self.held_back)
    }
}

impl Series {
    /// Looks at who is in a table, and in the earlier releases. Whose records are held back comes with it.
    pub(crate) fn new(
        after: &After,
        newcomers: &Newcomers<'_>,
        census: &Census<'_>,
        observer: &dyn Observer,
    ) -> Result<(Self, Present), Error> {
        let &Newcomers { person: (_, name), requirement, key, .. } = newcomers;
        let (persons, qids) = (census.persons(), requirement.qids());
        check_named(persons, name)?;
        after.check_different()?;
        let before: Vec<Qid> = after.earlier.iter().flat_map(Release::requirement).collect();
        newcomers.check_masked(&[qids, &before].concat())?;
        let promised = promised(&before, qids, census, observer)?;
        let all = [qids, &promised].concat();
        let (key, earlier) = earlier::published(after, (name, key), &all, observer)?;
        let mut known = Known::new(key, &earlier, &all);
        let counted: Vec<(&str, u64)> = persons.counted().collect();
        let mut order: Vec<(u128, usize)> = counted.iter().map(|(text, _)| known.key.digest(text)).zip(0..).collect();
        order.par_sort_unstable();
        let digests: Vec<u128> = order.iter().map(|(digest, _)| *digest).collect();
        check_different(digests.windows(2).all(|two| two[0] != two[1]), name)?;
        if !digests.iter().any(|&digest| earlier.iter().any(|release| release.persons.get(digest).is_some())) {
            observer.note(&Note::After(SeriesNote::NobodyAgain { person: name.to_owned() }));
        }
        let patterns = known.patterns_of(&digests);
        known.count_absent(&patterns);
        known.check(&patterns, qids)?;
        for (promised, kept) in promised.clone().iter().zip(known.promise(&patterns, promised)) {
            if !is_asked(qids, promised) {
                observer.note(&Note::After(SeriesNote::PromisedBefore {
                    qid: promised.to_string(),
                    k: promised.k,
                    kept: kept.k,
                }));
            }
        }
        let all = known.with_promised(qids);
        let place = |text: &str| digests.binary_search(&known.key.digest(text)).ok();
        let sensed = Sensed::new(census, &all, digests.len(), place)?;
        let held = hold_back(&mut known, &patterns, &[], &all, &sensed);
        let values = order.iter().map(|(_, value)| *value);
        let (present, held_back) = Present::new(&counted, values.zip(patterns).zip(held));
        told(held_back, counted.iter().map(|(_, records)| records).sum(), after, observer)?;
        Ok((Series { known, earlier: Arc::new(earlier), held_back }, present))
    }

    /// Records that are held back.
    pub(crate) fn held_back(&self) -> u64 {
        self.held_back
    }

    /// The table that was looked at without the records that are held back, with what earlier releases tell of the others; one of its
    /// columns says whose they are.
    pub(crate) fn tell_present(&self, raw: &RawTable, column: usize, present: &Present) -> RawTable {
        raw.with_history(&raw.columns[column].of_rows(&present.patterns, None), self.known.patterns())
    }

    /// Any table without the records of some persons, with what earlier releases tell of the others; one of its columns says whose they are.
    pub(crate) fn tell(
        &self,
        raw: &RawTable,
        column: usize,
        name: &str,
        held: &HashSet<String>,
    ) -> Result<RawTable, Error> {
        check_named(&raw.columns[column], name)?;
        let number = |text: Option<&str>| {
            let kept = text.filter(|text| !held.contains(*text));
            Ok::<u32, Error>(kept.map_or(HELD, |text| self.known.pattern(self.known.key.digest(text))))
        };
        let patterns = raw.columns[column].numbers(number)?;
        let pattern_of: Vec<Option<u32>> = patterns.into_iter().map(|p| Some(p).filter(|&p| p != HELD)).collect();
        Ok(raw.with_history(&pattern_of, self.known.patterns()))
    }
}

/// No pattern.
const HELD: u32 = u32::MAX;

/// Says how many are held back, unless they are more than may be.
fn told(held_back: u64, records: u64, after: &After, observer: &dyn Observer) -> Result<(), Error> {
    after.check(held_back, records)?;
    if held_back > 0 {
        observer.note(&Note::After(SeriesNote::HeldBack { held_back, records }));
    }
    Ok(())
}

/// An error unless each record is that of somebody.
fn check_named(persons: &RawColumn, name: &str) -> Result<(), Error> {
    match persons.missing() {
        0 => Ok(()),
        lacking => Err(Error::Contradiction {
            what: format!("{lacking} records have no value in `{name}`, so nobody knows whose they are"),
            hint: "histories are those of persons: give each record a person, or leave those records out".to_owned(),
        }),
    }
}

/// An error unless the names of persons stand for different ones.
fn check_different(different: bool, name: &str) -> Result<(), Error> {
    match different {
        true => Ok(()),
        false => Err(Error::Contradiction {
            what: format!("a person of `{name}` is written in several ways, as `7` and `7.0`, and counts as several"),
            hint: "write every person in one way".to_owned(),
        }),
    }
}

/// The name of the person of each row of a table by what is masked and the person: one row for each.
///
/// # Errors
/// If somebody has records that differ in what is masked. Whoever follows a person through several releases then sees in which of several
/// groups they have records, and few others have records in the same ones: that is more than labels tell, and k in each group is too little.
pub(crate) fn persons<'t>(raw: &'t RawTable, column: usize, name: &str) -> Result<Vec<&'t str>, Error> {
    let of: &RawColumn = &raw.columns[column];
    check_named(of, name)?;
    let texts: Vec<&str> = (0..raw.weights.len()).filter_map(|row| of.text(row)).collect();
    match texts.len() - of.values().count() {
        0 => Ok(texts),
        _ => Err(Error::Contradiction {
            what: format!("persons (`{name}`) have several records that differ in what is masked"),
            hint: "after other releases, few share all groups that somebody has records in, and that would single them out; several records \
                   of a person must agree in the attributes of the QIDs: publish one record for each person, or leave out of the QIDs \
                   what changes from record to record"
                .to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests;
