//! From a draft to a release: written aside, recounted, told, and moved into place.

use std::time::Instant;

use cutline_engine::{Audience, Engine, Format, Place, RewritePlan, Target, Written};
use cutline_model::recoding::SuppressHow;
use cutline_report::{Report, Screen, Seconds, page};
use cutline_search::Step;
use cutline_verify::{Absent, Verdict};

use super::Draft;
use crate::against::compare;
use crate::find::Way;
use crate::observer::Watching;
use crate::recount::{Claimed, failure, recount, verified_notation};
use crate::release::RECODING;
use crate::reporting::Facts;
use crate::series::{PERSONS_FILE, PersonsTold};
use crate::shelf::{InMemory, Shelf};
use crate::shuffle::{KEY_FILE, ShuffleKey, order};
use crate::still::still_counts;
use crate::stored::for_steward;
use crate::told::Told;
use crate::{Error, Observer, Stage};

impl Draft {
    /// Publishes the release: it appears at the target complete and verified, or not at all.
    ///
    /// # Errors
    /// [`Error::Identifiers`] if a column would be published as it is that names persons, [`Error::Warned`] if a job is strict and there
    /// is a warning; and whatever goes wrong with reading, writing and verifying.
    pub fn publish(&self, target: Box<dyn Target + '_>, observer: &dyn Observer) -> Result<Report, Error> {
        let (admitted, mut seconds) = self.admit(observer)?;
        let place = target.place(self.format())?;
        let written = timed(&mut seconds.write, || self.rewrite(&place, admitted.key.as_ref(), observer))?;
        self.publish_written(target, &written, (admitted, seconds), observer)
    }

    /// The release in the memory of this process: nothing is written anywhere. Verified as any other.
    ///
    /// # Errors
    /// As those of [`Draft::publish`].
    pub fn publish_in_memory(&self, observer: &dyn Observer) -> Result<InMemory, Error> {
        let (admitted, mut seconds) = self.admit(observer)?;
        let table = timed(&mut seconds.write, || self.masked(admitted.key.as_ref(), observer))?;
        let shelf = Shelf::new(&table);
        let (written, documents) = (shelf.written(), shelf.documents());
        let report = self.publish_written(Box::new(shelf), &written, (admitted, seconds), observer)?;
        let documents = documents.take();
        Ok(InMemory { table, report, documents })
    }

    /// May it be published at all? With the seconds that it took to find out.
    fn admit(&self, observer: &dyn Observer) -> Result<(Admitted, Seconds), Error> {
        self.check_evaluated()?;
        self.job.tokens.check(&self.table)?;
        check_movable(self.columns.moves_dates(), self.table.in_process().is_some())?;
        check_countable(self.columns.hidden_person().is_some(), self.table.in_process().is_some())?;
        let mut seconds = self.seconds;
        let read = self.looked.seconds();
        let screen = timed(&mut seconds.screen, || self.admitted(observer))?;
        seconds.screen += read;
        Ok((Admitted { screen, key: self.job.shuffle.key()? }, seconds))
    }

    /// Sets the format of the published table.
    pub fn set_format(&mut self, format: Format) {
        self.job.format = Some(format);
    }

    /// Names an earlier release, as [`crate::Job::set_against`] does.
    pub fn set_against(&mut self, earlier: crate::Release) {
        self.job.set_against(earlier);
    }

    /// What was written is verified, and appears with everything that belongs to it.
    fn publish_written(
        &self,
        mut target: Box<dyn Target + '_>,
        written: &Written,
        (Admitted { screen, key }, mut seconds): (Admitted, Seconds),
        observer: &dyn Observer,
    ) -> Result<Report, Error> {
        let verdict = timed(&mut seconds.verify, || self.check(target.as_ref(), written, observer))?;
        self.compare(written)?;
        let persons = self.told_of_persons()?;
        if observer.cancelled() {
            return Err(Error::Interrupted);
        }

        let screened = self.screened(screen, &verdict)?;
        let Draft { job, found, dropped, .. } = self;
        let how = found.mask(job.unknown)?.how();
        let recoding = for_steward(job, &self.columns, found, &verdict);
        let told = Told::new(self, &verdict, recoding.clone())?;
        for (name, content) in told.files() {
            target.attach(Audience::Public, name, &content)?;
        }

        let report = Facts { job, found, how, recoding: &recoding, verdict: &verdict, dropped: *dropped };
        let (clusters, evaluation) = (self.clusters.clone(), self.evaluation.clone());
        let (why, what_if) = (self.why()?, self.what_if.clone());
        let series = persons.as_ref().and_then(|persons| persons.report.clone());
        let report = Report { why, what_if, clusters, evaluation, series, screened, ..report.report(seconds) };
        let steps = &found.outcome.steps;
        target.attach(Audience::Private, "trace.jsonl", &trace(steps))?;
        target.attach(Audience::Private, "report.json", &report.to_json())?;
        target.attach(Audience::Private, "report.html", &page::private(&report, &recoding, steps).to_string())?;
        if told.withholds() {
            target.attach(Audience::Private, RECODING, &recoding.to_json())?;
        }
        if let Some(persons) = &persons {
            target.attach(Audience::Private, PERSONS_FILE, &persons.file)?;
        }
        if let Some(key) = &key {
            target.attach(Audience::Private, KEY_FILE, &key.to_text())?;
        }
        target.publish()?;
        Ok(report)
    }

    /// CSV, Parquet and Arrow tables are published in their own format unless another one is asked for; everything else as CSV.
    pub(crate) fn format(&self) -> Format {
        let own = || self.table.format().filter(|&format| format != Format::JsonLines);
        self.job.format.or_else(own).unwrap_or(Format::Csv)
    }

    pub(super) fn rewrite_plan(&self, key: Option<&ShuffleKey>) -> Result<RewritePlan, Error> {
        Ok(RewritePlan {
            columns: self.columns.published(&self.job.tokens)?,
            mask: self.found.mask(self.job.unknown)?,
            nulls: self.job.nulls.clone(),
            required: self.columns.required(&self.job),
            order: order(key),
            cluster: self.labelled.as_ref().and_then(|labelled| labelled.published(&self.job)),
            person: self.columns.hidden_person(),
        })
    }

    fn rewrite(&self, place: &Place, key: Option<&ShuffleKey>, observer: &dyn Observer) -> Result<Written, Error> {
        let engine = &self.table;
        observer.stage(Stage::Write, Some(engine.size()));
        let written = engine.rewrite(&self.rewrite_plan(key)?, place, &Watching(observer))?;
        self.check_counts(written.records, written.dropped, written.suppressed)?;
        Ok(written)
    }

    /// The second pass must have written exactly what the first one counted.
    pub(super) fn check_counts(&self, records: u64, dropped: u64, rare: u64) -> Result<(), Error> {
        let (suppressed, how) = self.suppressed();
        let left_out = if how == SuppressHow::Drop { suppressed } else { 0 };
        if (records, dropped, rare) == (self.found.table.records - left_out, self.dropped, suppressed) {
            return Ok(());
        }
        let second = records + dropped + if left_out > 0 { rare } else { 0 };
        Err(Error::Changed { first: self.found.table.records + self.dropped, second })
    }

    /// Recounts the written table; a release that does not hold is a defect, because the search said that it does, unless the input is
    /// no longer what was searched.
    fn check(&self, target: &dyn Target, written: &Written, observer: &dyn Observer) -> Result<Verdict, Error> {
        let claimed = Claimed {
            qids: self.job.requirement.qids(),
            nulls: &self.job.nulls,
            sensitive: self.columns.sensitive_names(),
            // Suppression may leave out the last record with a value.
            absent: Absent::Allow,
            threads: self.job.threads,
            person: self.job.person.as_deref().filter(|_| self.columns.hidden_person().is_none()),
            population: self.job.population.clone(),
            notation: verified_notation(self.job.source.notation),
        };
        let size = target.size(written);
        let verdict = recount(target.recounted(written)?.as_ref(), written, &claimed, size, observer)?;
        match failure(&verdict) {
            None => Ok(verdict),
            Some(failure) if self.is_still_there() => Err(Error::Unverified(failure)),
            Some(failure) => Err(Error::Replaced(failure)),
        }
    }

    /// Is the table what was searched?
    fn is_still_there(&self) -> bool {
        match self.found.way {
            Way::Combinations => still_counts(&self.job, &self.table, &self.found.table),
            // To count everything again would take as long as the release.
            Way::Frontier { .. } => false,
        }
    }

    /// What is published of whom, if that is known; together with earlier releases, it satisfies the requirement.
    fn told_of_persons(&self) -> Result<Option<PersonsTold>, Error> {
        let Some(people) = &self.people else { return Ok(None) };
        let names: Vec<String> = self.columns.quasi.iter().map(|&index| self.columns.names[index].clone()).collect();
        people.told(&self.job, &self.found.mask(self.job.unknown)?, &names)
    }

    /// Compares the written table with an earlier release, if one is named.
    fn compare(&self, written: &Written) -> Result<(), Error> {
        let Some(earlier) = &self.job.against else { return Ok(()) };
        compare(earlier, written, self.job.requirement.qids(), &self.columns.identifiers())
    }

    /// Whoever asks what the masking costs a model gets an answer, or no release.
    fn check_evaluated(&self) -> Result<(), Error> {
        match self.job.evaluate && self.evaluation.is_none() {
            false => Ok(()),
            true => Err(Error::Contradiction {
                what: "‹evaluate› is asked for, and nothing was learned of the draft".to_owned(),
                hint: "publish by `cutline_study::publish`, or give the draft its evaluation".to_owned(),
            }),
        }
    }
}

/// Persons that are not published can be recounted only where somebody tells which record is whose.
pub(crate) fn check_countable(hidden: bool, in_process: bool) -> Result<(), Error> {
    match hidden && !in_process {
        false => Ok(()),
        true => Err(Error::Contradiction {
            what: "groups count persons, but the published table does not tell whose records are whose, so that a server could not \
                   recount it"
                .to_owned(),
            hint: "publish tokens of the persons with ‹tokenize›, or anonymize an export of the table".to_owned(),
        }),
    }
}

/// The key by which dates are moved stays in this process.
fn check_movable(moved: bool, in_process: bool) -> Result<(), Error> {
    match moved && !in_process {
        false => Ok(()),
        true => Err(Error::Contradiction {
            what: "dates are to be moved, which only this process can do: the key would be part of a statement"
                .to_owned(),
            hint: "leave them out with ‹drop›, mask them in a QID, or anonymize an export of the table".to_owned(),
        }),
    }
}

/// What a draft that may be published is published with.
struct Admitted {
    screen: Screen,
    key: Option<ShuffleKey>,
}

fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let start = Instant::now();
    let result = work();
    *seconds = start.elapsed().as_secs_f64();
    result
}

fn trace(steps: &[Step]) -> String {
    // A step is plain data: writing it as JSON cannot fail.
    steps.iter().map(|step| serde_json::to_string(step).unwrap_or_default() + "\n").collect()
}
