//! What a tab works with: its table, what was counted of it, and its draft. Tabs do not know of each other.

use std::sync::{Arc, Mutex, PoisonError};

use cutline::engine::{Engine, EngineError, Sample, SamplePlan};
use cutline::model::AttributeRecoding;
use cutline::spec::{Input, Spec};
use cutline::{
    Counts, Destination, Draft, Error, Job, Preview, Report, Table, Tried, Watching, inspect, source_options,
};
use cutline_study::evaluate::tuned;

use crate::Elsewhere;
use crate::view::{ColumnsView, RawGroups, ResultView};
use crate::watch::{Current, Task};

/// Records that distributions are sketched from.
const SKETCHED: usize = 50_000;

/// Records that are drawn to be shown raw and masked.
const DRAWN: usize = 60;

/// So many of them are shown.
const SHOWN: usize = 12;

/// A tab.
pub(crate) struct Session {
    pub(crate) current: Current,
    work: Mutex<Work>,
    /// The full report of what was published last, as a page.
    report: Mutex<Option<String>>,
}

/// What a tab holds between two questions.
pub(crate) struct Work {
    elsewhere: Arc<dyn Elsewhere>,
    opened: Option<(Input, Table)>,
    counts: Option<Counts>,
    drawn: Option<(Vec<String>, Sample)>,
    draft: Option<Draft>,
    raw: RawGroups,
}

impl Session {
    fn new(elsewhere: Arc<dyn Elsewhere>) -> Self {
        Session { current: Current::default(), work: Mutex::new(Work::new(elsewhere)), report: Mutex::default() }
    }

    /// Works on one thing at a time; what was begun before is told to stop.
    pub(crate) fn work<T>(&self, task: &Task, work: impl FnOnce(&mut Work) -> Result<T, Error>) -> Result<T, Error> {
        let mut held = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        // Something newer may have been asked for while this waited.
        let result = if task.is_cancelled() { Err(Error::Interrupted) } else { work(&mut held) };
        task.finish();
        result
    }

    pub(crate) fn keep_report(&self, page: String) {
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = Some(page);
    }

    pub(crate) fn report(&self) -> Option<String> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Work {
    fn new(elsewhere: Arc<dyn Elsewhere>) -> Self {
        Work { elsewhere, opened: None, counts: None, drawn: None, draft: None, raw: RawGroups::default() }
    }

    /// The table that a spec names, opened once.
    pub(crate) fn table(&mut self, spec: &Spec) -> Result<Table, Error> {
        let input = Input { null: Vec::new(), missing: None, unknown: None, ..spec.input.clone() };
        if let Some((_, table)) = self.opened.as_ref().filter(|(other, _)| *other == input) {
            return Ok(table.clone());
        }
        let location = input
            .path
            .clone()
            .ok_or(Error::NotSaid { what: "no input is named".to_owned(), hint: "choose a table" })?;
        let table = match self.elsewhere.open(spec)? {
            Some(table) => table,
            None => Table::open(&location, &source_options(spec)?, cutline::cores())?,
        };
        *self = Work { opened: Some((input, table.clone())), ..Work::new(self.elsewhere.clone()) };
        Ok(table)
    }

    /// A first look at the columns, with the spec that is proposed unless there is one.
    pub(crate) fn look(&mut self, spec: Spec, given: bool, task: &Task) -> Result<ColumnsView, Error> {
        // Who opens a table again wants it as it is now; a connection may have been lost.
        self.opened = None;
        let table = self.table(&spec)?;
        let inspection = inspect(&table, &spec.input.null, task)?;
        if inspection.records == 0 {
            return Err(Error::NoRecords(spec.input.path.unwrap_or_default()));
        }
        let plan = SamplePlan {
            columns: (0..table.columns().len()).collect(),
            nulls: spec.input.null.iter().cloned().chain(inspection.missing.iter().map(|m| m.text.clone())).collect(),
            required: Vec::new(),
            size: SKETCHED,
            seed: 0,
        };
        let sample = table.sample(&plan, &Watching(task))?;
        ColumnsView::new(&inspection, &sample, spec, given)
    }

    /// Searches, reading the table only if it must be.
    pub(crate) fn search(&mut self, spec: &Spec, task: &Task) -> Result<ResultView, Error> {
        let job = Job::new(Spec { output: quick(spec), ..spec.clone() })?;
        let table = self.table(spec)?;
        // As when it is published: a tuned search is another one.
        let job = tuned(&job, &table, task)?;
        let counts = match self.counts.take() {
            Some(counts) if counts.covers(&job)? => counts,
            _ => {
                self.raw = RawGroups::default();
                counted(&job, &table, task)?
            }
        };
        // Kept whatever becomes of the search: it can be read again otherwise.
        let counts = self.counts.insert(counts);
        let draft = counts.search(&job, task)?;
        let before = self.raw.of(&draft);
        let drawn = drawn(&mut self.drawn, &table, &job, task)?;
        let view = ResultView::new(&draft, &before, shown(&draft, drawn)?, task.take_notes())?;
        self.draft = Some(draft);
        Ok(view)
    }

    /// What if the line was moved?
    pub(crate) fn tried(&self, recoding: Vec<AttributeRecoding>) -> Result<Tried, Error> {
        self.draft()?.tried(recoding)
    }

    /// What was found last.
    pub(crate) fn draft(&self) -> Result<&Draft, Error> {
        self.draft.as_ref().ok_or(Error::NotSaid { what: "nothing was searched yet".to_owned(), hint: "search first" })
    }

    /// Publishes as the command does: by the same function, from the table itself.
    pub(crate) fn publish(&mut self, spec: Spec, folder: &Destination, task: &Task) -> Result<Report, Error> {
        if let Some(report) = self.elsewhere.publish(&spec, folder, task)? {
            return Ok(report);
        }
        let table = self.table(&spec)?;
        cutline_study::publish(&Job::new(spec)?, &table, folder, task)
    }
}

/// Counts a table by all combinations of values, unless they are more than a page can work with.
fn counted(job: &Job, table: &Table, task: &Task) -> Result<Counts, Error> {
    let too_many = || Error::Contradiction {
        what: "the table has more combinations of masked values than the studio works with".to_owned(),
        hint: "mask fewer columns, or look at a part of the table; the command searches it by counts that stay small"
            .to_owned(),
    };
    if Counts::are_too_many(job, table, task)? {
        return Err(too_many());
    }
    match Counts::new(job, table, task) {
        Err(Error::Engine(EngineError::TooMany(_))) => Err(too_many()),
        counts => counts,
    }
}

/// What is asked for when publishing takes its time, and is asked for by itself here.
fn quick(spec: &Spec) -> cutline::spec::OutputSpec {
    cutline::spec::OutputSpec { evaluate: None, what_if: None, ..spec.output.clone() }
}

/// Some records, drawn once for a way to read missing values.
fn drawn<'d>(
    kept: &'d mut Option<(Vec<String>, Sample)>,
    table: &Table,
    job: &Job,
    task: &Task,
) -> Result<&'d Sample, Error> {
    if kept.as_ref().is_none_or(|(nulls, _)| nulls != job.nulls()) {
        let plan = SamplePlan {
            columns: (0..table.columns().len()).collect(),
            nulls: job.nulls().to_vec(),
            required: Vec::new(),
            size: DRAWN,
            seed: 0,
        };
        *kept = Some((job.nulls().to_vec(), table.sample(&plan, &Watching(task))?));
    }
    kept.as_ref().map(|(_, sample)| sample).ok_or_else(|| Error::Defect("no record was drawn".to_owned()))
}

/// Some of the drawn records that a draft does not leave out because they lack a value.
fn shown(draft: &Draft, drawn: &Sample) -> Result<Preview, Error> {
    let required = draft.columns().required(draft.job());
    let lacks = |row: usize, column: usize| {
        let column = &drawn.columns[column];
        column.texts[column.codes.get(row) as usize].is_none()
    };
    let rows = (0..drawn.drawn).filter(|&row| !required.iter().any(|&column| lacks(row, column)));
    let rows: Vec<usize> = rows.take(SHOWN).collect();
    let mut columns: Vec<_> = draft.columns().quasi.iter().map(|&index| drawn.columns[index].clone()).collect();
    for column in &mut columns {
        let codes: Vec<u32> = rows.iter().map(|&row| column.codes.get(row)).collect();
        column.codes = codes.into();
    }
    let positions = rows.iter().map(|&row| drawn.positions[row]).collect();
    draft.preview_of(&Sample { columns, drawn: rows.len(), positions, records: drawn.records, dropped: drawn.dropped })
}

/// All tabs.
pub(crate) struct Sessions {
    all: Mutex<Vec<(u64, Arc<Session>)>>,
    elsewhere: Arc<dyn Elsewhere>,
}

/// So many tabs keep what they hold; of more, the one that is longest not asked loses it.
const MOST_SESSIONS: usize = 16;

impl Sessions {
    pub(crate) fn new(elsewhere: Arc<dyn Elsewhere>) -> Self {
        Sessions { all: Mutex::default(), elsewhere }
    }

    /// The session with an id. One that is not there is new, or was given up: it begins with nothing.
    pub(crate) fn get(&self, id: u64) -> Arc<Session> {
        let mut sessions = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let found = sessions.iter().position(|(other, _)| *other == id);
        let new = || (id, Arc::new(Session::new(self.elsewhere.clone())));
        let entry = found.map_or_else(new, |place| sessions.remove(place));
        let session = entry.1.clone();
        sessions.push(entry);
        if sessions.len() > MOST_SESSIONS {
            let (_, given_up) = sessions.remove(0);
            given_up.current.get().cancel();
            // To end a connection may take its time, and must not be waited for here.
            std::thread::spawn(move || drop(given_up));
        }
        session
    }

    pub(crate) fn stop_all(&self) {
        let sessions = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.iter().for_each(|(_, session)| session.current.get().cancel());
    }
}
