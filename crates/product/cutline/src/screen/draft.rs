//! What a draft would give away, and the gate before publishing.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use cutline_arrow::crew::on_threads;
use cutline_measure::screen::{Alike, Coded, Joined};
use cutline_model::{Qid, Role};
use cutline_report::{LooksLike, Published, Screen, Screened, certain};
use cutline_verify::Verdict;
use rayon::prelude::*;

use super::look::{FEW_RECORDS, HiddenColumns, Knowledge, KnownQid, Look, LookPlan, MOST_RECORDS, Said};
use super::pairs::pairs;
use crate::columns::Columns;
use crate::counts::NO_PROTECTION;
use crate::shown::Shown;
use crate::{Draft, Error, Job, Observer, Table};

/// What is looked for in published columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Whether counts say that they name persons: no record is looked at.
    Counts,
    /// Whether they name persons.
    Identifiers,
    /// Also what they tell of masked ones, and together with a QID.
    Everything,
}

/// The records that were looked at last; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked(Arc<Mutex<Option<Arc<Look>>>>);

impl LookPlan {
    /// The records to look at for a job.
    pub(crate) fn of_job(job: &Job, table: &Table, columns: &Columns) -> Self {
        let most = match job.depth {
            Depth::Everything if table.in_process().is_some() => MOST_RECORDS,
            _ => FEW_RECORDS,
        };
        LookPlan { columns: published(columns), nulls: job.nulls.clone(), required: columns.required(job), most }
    }
}

impl From<Look> for Looked {
    fn from(look: Look) -> Self {
        Looked(Arc::new(Mutex::new(Some(Arc::new(look)))))
    }
}

impl Looked {
    /// How long reading the records took that are there.
    pub(crate) fn seconds(&self) -> f64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0.0, |look| look.seconds)
    }

    /// The records but for those of some persons, so many records, if a column of them says whose each is; nothing is there otherwise.
    pub(crate) fn without(&self, columns: &Columns, held: (&HashSet<String>, u64)) -> Self {
        let look = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let without = |look: Arc<Look>| look.without(columns.person()?, held, &published(columns));
        look.and_then(without).map(Looked::from).unwrap_or_default()
    }

    /// Refuses a job that would publish a column as it is that names persons, though nobody said that it is meant.
    pub(crate) fn check_identifiers(
        &self,
        job: &Job,
        table: &Table,
        columns: &Columns,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let look = self.at(job, table, columns, observer)?;
        refuse_identifiers(on_threads(job.threads, || look.unwanted(columns)))
    }

    /// The records to look at for a job. The table is read only if they are not there yet.
    pub(crate) fn at(
        &self,
        job: &Job,
        table: &Table,
        columns: &Columns,
        observer: &dyn Observer,
    ) -> Result<Arc<Look>, Error> {
        let plan = LookPlan::of_job(job, table, columns);
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = |look: &Look| look.is_enough(plan.most) || job.depth == Depth::Counts;
        if let Some(look) = last.as_ref().filter(|look| look.covers(&plan.columns) && enough(look)) {
            return Ok(look.clone());
        }
        let look = match job.depth {
            Depth::Counts => Look::by_counts(table, &plan, observer)?,
            Depth::Identifiers | Depth::Everything => Look::at(table, &plan, observer)?,
        };
        let look = Arc::new(look);
        *last = Some(look.clone());
        Ok(look)
    }
}

/// The columns of which something is published.
fn published(columns: &Columns) -> Vec<usize> {
    (0..columns.names.len()).filter(|&index| columns.treatment(index).is_some()).collect()
}

impl Look {
    /// What every column looks like by itself.
    fn alone(&self, columns: &Columns) -> Screen {
        self.screen(&Knowledge::default(), |index| said(columns, index))
    }

    /// Columns that name persons and would be published as they are, although nobody said that it is meant.
    pub(crate) fn unwanted(&self, columns: &Columns) -> Vec<(String, LooksLike)> {
        let wanted = |index: usize| {
            let Said { role, published, kept } = said(columns, index);
            role != Role::Other || published != Published::AsIs || kept
        };
        let others = (0..self.columns.len()).into_par_iter().filter(|&place| !wanted(self.indexes[place]));
        let seen = others.filter_map(|place| Some((self.names[place].clone(), self.looks_like(place)?)));
        let mut unwanted: Vec<(String, LooksLike)> = seen.collect();
        let counted = self.suspicious().filter(|(index, ..)| !wanted(*index));
        unwanted.extend(counted.map(|(_, name, like)| (name.to_owned(), like)));
        unwanted
    }
}

fn said(columns: &Columns, index: usize) -> Said {
    // What is left out was not looked at.
    let published = columns.treatment(index).unwrap_or_default();
    Said { role: columns.role(index), published, kept: columns.is_kept(index) }
}

/// # Errors
/// [`Error::Identifiers`] if there is a column that names persons and is not meant to be published.
pub(crate) fn refuse_identifiers(unwanted: Vec<(String, LooksLike)>) -> Result<(), Error> {
    if unwanted.is_empty() { Ok(()) } else { Err(Error::Identifiers(unwanted)) }
}

impl Draft {
    /// What the columns of this release tell of persons and of masked values, beyond its labels. For the data holder alone. The table is
    /// read once for all drafts that were found in the same counts.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn screen(&self, observer: &dyn Observer) -> Result<Screen, Error> {
        let mut screen = self.seen(observer)?;
        screen.warnings = screen.sentences();
        if self.job.requirement.qids().iter().any(|qid| qid.k == 1) {
            screen.warnings.push(NO_PROTECTION.to_owned());
        }
        Ok(screen)
    }

    fn seen(&self, observer: &dyn Observer) -> Result<Screen, Error> {
        let look = self.looked.at(&self.job, &self.table, &self.columns, observer)?;
        if self.job.depth != Depth::Everything {
            return Ok(on_threads(self.job.threads, || look.alone(&self.columns)));
        }
        let quasi = self.columns.quasi.iter().filter_map(|index| look.indexes.iter().position(|other| other == index));
        let quasi: Vec<usize> = quasi.collect();
        let published = published(&self.columns);
        on_threads(self.job.threads, || {
            let shown = self.labels_of(&quasi.iter().map(|&place| &look.columns[place]).collect::<Vec<_>>())?;
            let fewer = shown.left_out.contains(&true) || look.indexes.iter().any(|index| !published.contains(index));
            Ok(match fewer {
                true => self.screen_under(&look.part(&published, &shown.left_out), &shown.without_left_out()),
                false => self.screen_under(&look, &shown),
            })
        })
    }

    /// What is told by records whose labels are known.
    fn screen_under(&self, look: &Look, shown: &Shown) -> Screen {
        let labels = shown.columns.iter().map(|column| Coded { codes: &column.numbers, values: column.labels.len() });
        let labels: Vec<Coded> = labels.collect();
        let places: Vec<usize> =
            self.columns.quasi.iter().filter_map(|&index| look.place(&self.columns.names[index])).collect();
        let hidden = places.par_iter().zip(&labels).map(|(&place, &labels)| (place, look.behind(place, labels)));
        let hidden: Vec<(usize, Joined)> = hidden.collect();
        let qids = self.job.requirement.qids();
        let groups = |qid: &Qid| {
            let of = |name: &String| places.iter().position(|&place| look.names[place] == *name);
            let columns = qid.attributes.iter().filter_map(of).map(|a| labels[a]);
            let groups = Alike::by_all(look.records(), columns);
            KnownQid { attributes: qid.attributes.clone(), k: qid.k, groups }
        };
        let known = Knowledge {
            qids: qids.par_iter().map(groups).collect(),
            hidden: HiddenColumns::of(&hidden),
            k: self.job.requirement.largest_k(),
        };
        let mut screen = look.screen(&known, |index| said(&self.columns, index));
        let masked: Vec<(usize, Coded)> = places.into_iter().zip(labels).collect();
        screen.pairs = pairs(look, &masked, &screen);
        screen
    }

    /// The same, if nothing forbids to publish.
    pub(crate) fn admitted(&self, observer: &dyn Observer) -> Result<Screen, Error> {
        let screen = self.screen(observer)?;
        refuse_identifiers(screen.unwanted().map(|(name, like)| (name.to_owned(), like)).collect())?;
        self.check_strict(&screen.warnings)?;
        Ok(screen)
    }

    /// In a strict release a warning is an error.
    fn check_strict(&self, warnings: &[String]) -> Result<(), Error> {
        match self.job.strict && !warnings.is_empty() {
            true => Err(Error::Warned(warnings.to_vec())),
            false => Ok(()),
        }
    }

    /// What the report says: of the columns, and what else there is to warn of.
    pub(crate) fn screened(&self, screen: Screen, verdict: &Verdict) -> Result<Screened, Error> {
        let mut screened = Screened::from(screen);
        screened.warnings.extend(verdict.findings.iter().flat_map(certain));
        self.check_strict(&screened.warnings)?;
        Ok(screened)
    }
}
