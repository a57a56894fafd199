//! The second stage: what was found, before anything is written.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use cutline_arrow::MaskedBatches;
use cutline_arrow::parallel::on_threads;
use cutline_engine::{Audience, Engine, Format, Place, RewritePlan, Sample, SamplePlan, Target, Written};
use cutline_measure::loss::Losses;
use cutline_model::AttributeRecoding;
use cutline_model::recoding::{Regions, SuppressHow};
use cutline_report::{ClusterReport, Evaluation, Report, Screen, Seconds, WhatIf, page};
use cutline_search::{AttributeWhy, Problem, Step, Stopped, why};
use cutline_table::CompressedTable;
use cutline_verify::{Absent, Verdict};
use serde::Serialize;

use crate::against::compare;
use crate::cluster::Labelled;
use crate::columns::Columns;
use crate::find::Found;
use crate::job::Job;
use crate::observer::Watching;
use crate::recount::{Claimed, failure, recount};
use crate::reporting::Facts;
use crate::screen::Looked;
use crate::series::{PERSONS_FILE, People, PersonsTold};
use crate::shelf::{InMemory, Shelf};
use crate::shown::ShownColumn;
use crate::shuffle::{KEY_FILE, ShuffleKey, order};
use crate::still::still_counts;
use crate::told::Told;
use crate::{Counts, Error, Observer, Stage, Table};

/// A release that is not published yet: a recoding, and what it does to its table.
pub struct Draft {
    pub(crate) job: Job,
    pub(crate) table: Table,
    pub(crate) columns: Columns,
    pub(crate) found: Found,
    /// Records left out because a value is missing.
    pub(crate) dropped: u64,
    /// Whose records they are, if that is known.
    pub(crate) people: Option<People>,
    pub(crate) labelled: Option<Arc<Labelled>>,
    pub(crate) clusters: Option<ClusterReport>,
    pub(crate) evaluation: Option<Evaluation>,
    /// The records that were looked at, if any were.
    pub(crate) looked: Looked,
    /// The same release under other requirements, if that was asked for.
    pub(crate) what_if: Option<WhatIf>,
    pub(crate) seconds: Seconds,
}

/// The groups of one QID under a draft's recoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DraftGroups {
    /// The QID's attributes.
    pub attributes: Vec<String>,
    /// Its threshold.
    pub k: u64,
    /// Sizes of the groups that are published under their labels, ascending, and how many groups have each.
    pub sizes: Vec<(u64, u64)>,
}

impl Draft {
    /// Reads a table and searches it once: [`Counts`] and [`Counts::search`], with a look for columns that name persons in between,
    /// because a search may be long.
    ///
    /// # Errors
    /// [`Error::Identifiers`], and whatever goes wrong with reading and searching.
    pub fn new(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Self, Error> {
        let counts = Counts::new(job, table, observer)?;
        counts.check_identifiers(job, observer)?;
        counts.search(job, observer)
    }

    /// How each quasi attribute is published, by name. For the data holder: a stored recoding tells less.
    pub fn recoding(&self) -> impl Iterator<Item = (&str, &AttributeRecoding)> {
        let names = self.found.table.attributes.iter().map(|attribute| &attribute.name[..]);
        names.zip(&self.found.outcome.recoding)
    }

    /// The groups, if they have labels of their own.
    pub fn regions(&self) -> Option<&Regions> {
        self.found.outcome.regions.as_ref()
    }

    /// What the search did.
    pub fn steps(&self) -> &[Step] {
        &self.found.outcome.steps
    }

    /// Why the search ended.
    pub fn stopped(&self) -> Stopped {
        self.found.outcome.stopped
    }

    /// What the masking costs.
    pub fn losses(&self) -> &Losses {
        &self.found.losses
    }

    /// Records in groups that are too small, and what becomes of them.
    pub fn suppressed(&self) -> (u64, SuppressHow) {
        (self.found.suppressed.records, self.found.suppressed.how)
    }

    /// Records left out because a value is missing.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The compressed table that was searched.
    pub fn compressed(&self) -> &CompressedTable {
        &self.found.table
    }

    /// What happens to clusters, if they are the purpose.
    pub fn clusters(&self) -> Option<&ClusterReport> {
        self.clusters.as_ref()
    }

    /// The job that it is a draft for.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// The table whose records would be published.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The columns of the table by role.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// What the search found, with everything that follows from it.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// Lets the report tell what the masking costs a model, and how many seconds it took to find out.
    #[must_use]
    pub fn with_evaluation(self, evaluation: Evaluation, seconds: f64) -> Self {
        let seconds = Seconds { evaluate: Some(seconds), ..self.seconds };
        Draft { evaluation: Some(evaluation), seconds, ..self }
    }

    /// The groups of each QID.
    pub fn groups(&self) -> Result<Vec<DraftGroups>, Error> {
        self.found.groups()
    }

    /// Why each quasi attribute is masked as it is: for every label the refinement that was left, what it would gain, what forbids it
    /// and what would allow it. Nothing where groups have labels of their own: a label is then refined in one group and not in another.
    /// Computed from hidden values: for the data steward alone.
    pub fn why(&self) -> Result<Vec<AttributeWhy>, Error> {
        let Found { table, outcome, .. } = &self.found;
        if outcome.regions.is_some() {
            return Ok(Vec::new());
        }
        let Job { requirement, suppression, .. } = &self.job;
        let problem = Problem::new(table, requirement)?.suppressing(suppression.most(table.records), suppression.how);
        let why = on_threads(self.job.threads, || why(&problem, requirement, &outcome.recoding));
        why.map_err(|error| Error::Defect(error.to_string()))
    }

    /// The same release under other requirements, if the job asks for that.
    pub fn what_if(&self) -> Option<&WhatIf> {
        self.what_if.as_ref()
    }

    /// Some records of the table, raw and masked: the names of the quasi attributes, and for each record what it was and what it would
    /// be (nothing where it would be left out). For the data holder's eyes only.
    pub fn preview(&self, records: usize, observer: &dyn Observer) -> Result<Preview, Error> {
        observer.stage(Stage::Read, Some(self.table.size()));
        let plan = SamplePlan {
            columns: self.columns.quasi.clone(),
            nulls: self.job.nulls.clone(),
            required: self.columns.required(&self.job),
            size: records,
            seed: 0,
        };
        self.preview_of(&self.table.sample(&plan, &Watching(observer))?)
    }

    /// The same of records that were drawn already; the columns are the quasi attributes in the order of the table.
    ///
    /// # Errors
    /// If their values have no labels: they are of another table.
    pub fn preview_of(&self, sample: &Sample) -> Result<Preview, Error> {
        let shown = self.labels_of(&sample.columns.iter().collect::<Vec<_>>())?;
        let rows = (0..sample.drawn).map(|row| {
            let raw = sample.columns.iter().map(|column| column.texts[column.codes[row] as usize].clone());
            let label = |shown: &ShownColumn| shown.labels[shown.numbers[row] as usize].clone().into_text();
            let masked = !shown.left_out[row];
            PreviewRow { raw: raw.collect(), masked: masked.then(|| shown.columns.iter().map(label).collect()) }
        });
        let names = self.columns.quasi.iter().map(|&index| self.columns.names[index].clone()).collect();
        Ok(Preview { attributes: names, rows: rows.collect() })
    }

    /// The masked records in memory: only of tables that this process reads.
    ///
    /// # Errors
    /// [`Error::Identifiers`] if a column names persons and nobody said that it is meant, as when publishing.
    pub fn batches(&self, observer: &dyn Observer) -> Result<MaskedBatches, Error> {
        self.admitted(observer)?;
        self.masked(self.job.shuffle.key()?.as_ref(), observer)
    }

    fn masked(&self, key: Option<&ShuffleKey>, observer: &dyn Observer) -> Result<MaskedBatches, Error> {
        let engine = self.table.in_process().ok_or_else(|| Error::Contradiction {
            what: "the records of this table are not in this process".to_owned(),
            hint: "publish it where the records are".to_owned(),
        })?;
        observer.stage(Stage::Write, Some(self.table.size()));
        let masked = engine.masked_batches(&self.rewrite_plan(key)?, &Watching(observer))?;
        let records = masked.batches.iter().map(|batch| batch.num_rows() as u64).sum();
        self.check_counts(records, masked.dropped, masked.suppressed)?;
        Ok(masked)
    }

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

    /// Names an earlier release, as [`Job::set_against`] does.
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
        let told = Told::new(self, &verdict);
        for (name, content) in told.files() {
            target.attach(Audience::Public, name, &content)?;
        }

        let report = Facts { job, found, how, recoding: &told.recoding, verdict: &verdict, dropped: *dropped };
        let (clusters, evaluation) = (self.clusters.clone(), self.evaluation.clone());
        let (why, what_if) = (self.why()?, self.what_if.clone());
        let series = persons.as_ref().and_then(|persons| persons.report.clone());
        let report = Report { why, what_if, clusters, evaluation, series, screened, ..report.report(seconds) };
        let steps = &found.outcome.steps;
        target.attach(Audience::Private, "trace.jsonl", &trace(steps))?;
        target.attach(Audience::Private, "report.json", &report.to_json())?;
        target.attach(Audience::Private, "report.html", &page::private(&report, &told.recoding, steps).to_string())?;
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

    fn rewrite_plan(&self, key: Option<&ShuffleKey>) -> Result<RewritePlan, Error> {
        Ok(RewritePlan {
            columns: self.columns.published()?,
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
    fn check_counts(&self, records: u64, dropped: u64, rare: u64) -> Result<(), Error> {
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
        };
        let size = target.size(written);
        let verdict = recount(target.recounted(written)?.as_ref(), written, &claimed, size, observer)?;
        match failure(&verdict) {
            None => Ok(verdict),
            Some(failure) if still_counts(&self.job, &self.table, &self.found.table) => Err(Error::Unverified(failure)),
            Some(failure) => Err(Error::Replaced(failure)),
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
fn check_countable(hidden: bool, in_process: bool) -> Result<(), Error> {
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

/// What a draft that may be published is published with.
struct Admitted {
    screen: Screen,
    key: Option<ShuffleKey>,
}

/// Some records, raw and masked.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The quasi attributes.
    pub attributes: Vec<String>,
    /// The records in the order of the table.
    pub rows: Vec<PreviewRow>,
}

/// A record, raw and masked; a cell is `None` where the value is missing.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct PreviewRow {
    /// What it was.
    pub raw: Vec<Option<String>>,
    /// What would be published of it, if it is published.
    pub masked: Option<Vec<Option<String>>>,
}

/// Shows no value.
impl fmt::Debug for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Preview({} records of {:?})", self.rows.len(), self.attributes)
    }
}

/// Shows no value.
impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = self.found.table.records;
        write!(f, "Draft({records} records, {} steps, {})", self.steps().len(), self.stopped())
    }
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
