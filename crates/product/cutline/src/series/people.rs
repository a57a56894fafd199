//! The persons of a new release.

use std::collections::HashSet;
use std::sync::Arc;

use cutline_engine::EngineError;
use cutline_model::Qid;
use cutline_model::recoding::LabelError;
use cutline_report::SeriesReport;
use cutline_table::{AttributeId, Mask, MaskPlan, Numbering, RawTable};

use super::anonymity::Trajectories;
use super::hold_back::hold_back;
use super::published::{PersonKey, Published, records};
use super::sensed::{Census, Sensed};
use super::{Series, check_different, persons};
use crate::Error;
use crate::job::Job;

/// Whose records a table has: a row for each, with the values that are masked and, in the last column, the person.
#[derive(Clone, Debug)]
pub(crate) struct People {
    raw: RawTable,
    series: Option<Arc<Series>>,
}

impl People {
    pub(crate) fn new(raw: RawTable, series: Option<Arc<Series>>) -> Self {
        People { raw, series }
    }

    /// An error unless each person has one row.
    pub(crate) fn check(&self, name: &str) -> Result<(), Error> {
        persons(&self.raw, self.raw.columns.len() - 1, name).map(|_| ())
    }

    /// What is published of everybody, as the release keeps it, and what that tells together with the earlier ones. Nothing where
    /// persons have several records that differ: later releases cannot be made after such a one.
    ///
    /// # Errors
    /// [`Error::Defect`] if fewer than k persons share a trajectory.
    pub(crate) fn told(&self, job: &Job, mask: &MaskPlan, names: &[String]) -> Result<Option<PersonsTold>, Error> {
        let person = self.raw.columns.len() - 1;
        let (series, own) =
            (self.series.as_deref(), persons(&self.raw, person, job.person.as_deref().unwrap_or_default()));
        let own = match own {
            Ok(own) => own,
            Err(_) if series.is_none() => return Ok(None),
            Err(error) => return Err(error),
        };
        let key = series.map(|series| series.known.key).or(job.among.as_ref().map(|among| among.key));
        let key = key.map_or_else(PersonKey::fresh, Ok)?;
        let digests: Vec<u128> = own.iter().map(|name| key.digest(name)).collect();
        let defect = |(_, error): (usize, LabelError)| Error::Defect(error.to_string());
        let published = Published::of(&self.raw, &Mask::new(mask), names.len(), names.to_vec(), &digests);
        let published = published.map_err(defect)?;
        check_different(published.persons.are_different(), job.person.as_deref().unwrap_or_default())?;
        let file = published.to_text(key);
        let report = series.map(|series| series.report(&published, job)).transpose()?;
        Ok(Some(PersonsTold { file, report }))
    }
}

impl Series {
    /// The same, when whoever would stand out under the labels of a mask is held back too; and their names.
    pub(crate) fn hold_back(
        &self,
        people: &People,
        mask: &Mask,
        (names, name): (&[String], &str),
        qids: &[Qid],
        census: &Census<'_>,
    ) -> Result<(Self, HashSet<String>), Error> {
        let raw = &people.raw;
        let own = persons(raw, raw.columns.len() - 1, name)?;
        let qids = &self.known.with_promised(qids);
        let labels = records(raw, mask, names.len());
        let labels =
            labels.map_err(|(column, error)| EngineError::Value { attribute: names[column].clone(), error })?;
        let parts = |qid: &Qid| {
            let mut groups = Numbering::new(own.len());
            for (a, _) in names.iter().enumerate().filter(|(_, name)| qid.attributes.contains(name)) {
                groups.refine(labels.numbers[a].iter().copied(), mask.labels(AttributeId(a)).count());
            }
            groups.of_row
        };
        let mut order: Vec<(u128, usize)> = own.iter().map(|name| self.known.key.digest(name)).zip(0..).collect();
        order.sort_unstable();
        // Who is left out already is as absent as who is held back.
        let mut known = self.known.clone();
        let left_out = order.iter().filter(|(_, row)| labels.left_out(*row));
        left_out.for_each(|(person, _)| known.hold_back(self.known.pattern(*person)));
        order.retain(|(_, row)| !labels.left_out(*row));
        let sorted = |of_row: Vec<u32>| -> Vec<u32> { order.iter().map(|&(_, row)| of_row[row]).collect() };
        let parts: Vec<Vec<u32>> = qids.iter().map(parts).map(sorted).collect();
        let digests: Vec<u128> = order.iter().map(|&(person, _)| person).collect();
        let place = |text: &str| digests.binary_search(&self.known.key.digest(text)).ok();
        let sensed = Sensed::new(census, qids, digests.len(), place)?;
        let held = hold_back(&mut known, &self.known.patterns_of(&digests), &parts, qids, &sensed);
        let held = || order.iter().zip(&held).filter(|(_, held)| **held).map(|(&(_, row), _)| row);
        let held_back = self.held_back + held().map(|row| raw.weights[row]).sum::<u64>();
        let held: HashSet<String> = held().map(|row| own[row].to_owned()).collect();
        Ok((Series { known, earlier: Arc::clone(&self.earlier), held_back }, held))
    }
}

/// What is told of the persons of a new release.
pub(crate) struct PersonsTold {
    /// What the release keeps.
    pub(crate) file: String,
    /// What it tells together with earlier ones, if there are any.
    pub(crate) report: Option<SeriesReport>,
}

impl Series {
    /// What the earlier releases and the new one tell together.
    fn report(&self, new: &Published, job: &Job) -> Result<SeriesReport, Error> {
        let releases: Vec<&Published> = self.earlier.iter().chain([new]).collect();
        let folders = job.after.iter().flat_map(|after| &after.earlier);
        let folders = folders.map(|release| Some(release.folder().display().to_string())).chain([None]);
        let trajectories = Trajectories::new(&releases, &self.known.with_promised(job.requirement.qids()));
        let together = trajectories.together().clone();
        if let Some(broken) = together.qids.iter().find(|qid| !qid.holds()) {
            let qid = broken.attributes.join(", ");
            let (fewest, k) = (broken.anonymity, broken.k);
            return Err(Error::Defect(format!("{fewest} persons share a trajectory on {{{qid}}}, k is {k}")));
        }
        let releases = trajectories.timeline(folders.collect());
        Ok(SeriesReport { releases, held_back: self.held_back, together, conditions: Vec::new() })
    }
}
