//! Who is held back after earlier releases, so that a budget is kept to.

use std::borrow::Cow;
use std::sync::Arc;

use cutline_engine::{CompressPlan, Engine, Unwatched};
use cutline_model::Share;
use cutline_report::ClusterReport;
use cutline_search::{Outcome, Problem};
use cutline_table::{Mask, MaskPlan, RawTable};

use super::Counts;
use crate::columns::Columns;
use crate::find::{Found, find, judge};
use crate::job::Job;
use crate::screen::Looked;
use crate::series::Census;
use crate::{Error, Observer};

/// The counts without those who are held back, if any are; what was found, and what clusters came to.
type Recoded = (Option<Counts>, Found, Option<ClusterReport>);

impl Counts {
    /// Finds a recoding; and where a budget lets records be held back, the counts of the others. If more would have to be than it allows, it
    /// is searched with a smaller budget, at last with none: then nobody is held back whom masking hides.
    pub(super) fn find(&self, job: &Job, columns: &Columns, observer: &dyn Observer) -> Result<Recoded, Error> {
        let selected = self.selected(job, columns)?;
        let raw = selected.as_ref().unwrap_or(&self.raw);
        let mut tried = Cow::Borrowed(job);
        loop {
            let (found, clusters) = match &self.labelled {
                Some(labelled) => {
                    let (found, clusters) = labelled.find(&tried, raw, columns, observer)?;
                    (found, Some(clusters))
                }
                None => (find(&tried, raw, columns, observer)?, None),
            };
            let suppressed = found.suppressed.records;
            if found.table.history.is_none() || suppressed == 0 {
                return Ok((None, found, clusters));
            }
            if let Some((counts, found)) = self.without_exposed(&tried, columns, found)? {
                return Ok((Some(counts.with_dropped(job, columns)?), found, clusters));
            }
            let half = Share::new((suppressed / 2) as f64 / self.records() as f64);
            tried.to_mut().suppression.limit = half.unwrap_or(Share::NONE);
        }
    }

    /// The same where it is known again how many records lack a value: of those who are held back, none are read.
    pub(super) fn with_dropped(self, job: &Job, columns: &Columns) -> Result<Self, Error> {
        if self.raw.dropped == 0 {
            return Ok(self);
        }
        let required = columns.required(job);
        let plan = CompressPlan { nulls: job.nulls.clone(), required, ..CompressPlan::default() };
        let dropped = self.table.compress(&plan, &Unwatched)?.table.dropped;
        let raw = RawTable { dropped, ..self.raw.as_ref().clone() };
        Ok(Counts { raw: Arc::new(raw), ..self })
    }

    /// What is left of what was found after earlier releases when those are held back who would stand out, and the counts of the others:
    /// nothing if these are more than the budget allows, or if the requirement cannot hold without them.
    fn without_exposed(&self, job: &Job, columns: &Columns, found: Found) -> Result<Option<(Counts, Found)>, Error> {
        let (Some(series), Some(person)) = (&self.series, columns.person()) else { return Ok(None) };
        let most = series.held_back() + job.suppression.most(self.records());
        let (mut counts, mut found) = (self.clone(), found);
        // Conditions compare with the others, so that what is left may break one that held before.
        while found.suppressed.records > 0 {
            let Some(fewer) = counts.hold_back(job, columns, person, &found)?.filter(|(_, all)| *all <= most) else {
                return Ok(None);
            };
            counts = fewer.0;
            let table = counts.encoded(job)?;
            let Ok(problem) = Problem::new(&table, &job.requirement) else { return Ok(None) };
            let qids = problem.qids().to_vec();
            found = match judge(job, table, found.outcome, qids) {
                Err(Error::Unfinished(_)) => return Ok(None),
                judged => judged?,
            };
        }
        Ok(Some((counts, found)))
    }

    /// The same without those who would stand out under the labels that were found, and how many records are held back then; nothing if
    /// nobody would.
    fn hold_back(
        &self,
        job: &Job,
        columns: &Columns,
        person: usize,
        found: &Found,
    ) -> Result<Option<(Counts, u64)>, Error> {
        let (Some(series), Some(people)) = (&self.series, self.people(columns)?) else { return Ok(None) };
        let names: Vec<String> = columns.quasi.iter().map(|&index| columns.names[index].clone()).collect();
        let name = &columns.names[person];
        let place = self.place(&Some(name.clone()))?;
        let Outcome { recoding, regions, .. } = &found.outcome;
        let plan = MaskPlan::new(recoding, job.unknown).by_regions(regions.as_ref());
        let mask = Mask::new(&plan.map_err(|error| Error::Defect(error.to_string()))?);
        let census = self.census(columns, place)?;
        let (series, held) = series.hold_back(&people, &mask, (&names, name), job.requirement.qids(), &census)?;
        if held.is_empty() {
            return Ok(None);
        }
        let all = series.held_back();
        let raw = series.tell(&self.raw, place, name, &held)?;
        let table = self.table.without(person, held)?;
        // Those who are held back now were looked at.
        let (raw, series, looked) = (Arc::new(raw), Some(Arc::new(series)), Looked::default());
        Ok(Some((Counts { raw, table, series, looked, ..self.clone() }, all)))
    }

    /// What was counted of each person; one of the columns says whose each record is.
    pub(super) fn census(&self, columns: &Columns, person: usize) -> Result<Census<'_>, Error> {
        let place = |name: String| Ok((name.clone(), self.place(&Some(name))?));
        let sensitive = columns.sensed_names().into_iter().map(place).collect::<Result<_, Error>>()?;
        Ok(Census { raw: &self.raw, person, sensitive })
    }
}
