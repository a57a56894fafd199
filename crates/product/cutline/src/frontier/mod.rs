//! Where the combinations of values are too many to be fetched: counts that stay small (design, section 8).
//!
//! ```text
//!   marginals   each quasi attribute by label            domains, and what every distinction gains
//!   look        some records                             do columns name persons, and how deep will the search go?
//!   views       each QID by cells at that depth          the exact search; where it goes deeper, again
//!   coarse      all attributes by their final labels     the table that is judged and measured
//! ```
//!
//! The recoding and the trace are those of the search in memory.

mod known;
mod views;

use std::time::Instant;

use cutline_arrow::crew::on_threads;
use cutline_engine::Engine;
use cutline_report::Seconds;
use cutline_search::top_down::{Known, Score, TopDown};
use cutline_search::{Control, Problem, Step, Stopped};

use self::known::Ground;
use self::views::Views;
use crate::columns::Columns;
use crate::counts::note_redundant;
use crate::draft::Draft;
use crate::find::{Found, Way, judge};
use crate::job::Job;
use crate::observer::Watching;
use crate::screen::{Look, Looked};
use crate::spec::{Algorithm, IfMissing};
use crate::{Error, Observer, Stage, Table};

/// More combinations of values are not fetched, if the search can do without.
const MOST_COMBINATIONS: u64 = 2_000_000;

/// No group of the records that were looked at may have fewer, when they are searched to guess how deep the search will go: the first guess
/// goes deep, and where that gives too many rows, another one does not.
const FLOORS: [u64; 3] = [2, 8, 100];

/// Must, and can, a table be searched by counts that stay small?
pub(crate) fn is_wanted(job: &Job, table: &Table, observer: &dyn Observer) -> Result<bool, Error> {
    if !is_possible(job) {
        return Ok(false);
    }
    let columns = Columns::resolve(job, table.columns())?;
    let plan = known::plan(job, &columns, columns.grouped());
    Ok(table.exceeds(&plan, MOST_COMBINATIONS, &Watching(observer))? == Some(true))
}

/// From more combinations on a job is searched so; nothing if it needs all of them.
pub(crate) fn most(job: &Job) -> Option<u64> {
    is_possible(job).then_some(MOST_COMBINATIONS)
}

/// Top-down search for a purpose that looks at one label, under a requirement that each QID can be asked for by itself. Where no algorithm is
/// named, it is `tdr` that searches a table with so many combinations.
pub(crate) fn is_possible(job: &Job) -> bool {
    matches!(job.algorithm, None | Some(Algorithm::Tdr | Algorithm::Tds))
        && job.local.is_none()
        && job.clustering.is_none()
        && job.person.is_none()
        && job.weight.is_none()
        && job.after.is_none()
        && job.targets.further.is_empty()
        && job.suppression.most(u64::MAX) == 0
        && job.pins().is_empty()
        && !job.what_if
        && job.missing != IfMissing::Error
}

fn check_possible(job: &Job) -> Result<(), Error> {
    match is_possible(job) {
        true => Ok(()),
        false => Err(Error::Contradiction {
            what: "this job looks at combinations of all quasi values".to_owned(),
            hint: "counts that stay small serve ‹algorithm tdr› and tds, without a budget, persons, weights, clusters or pins"
                .to_owned(),
        }),
    }
}

/// Searches a table without fetching its combinations of values.
pub(crate) fn draft(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Draft, Error> {
    let start = Instant::now();
    observer.stage(Stage::Read, Some(table.size()));
    let ground = Ground::new(job, table, observer)?;
    let job = &job.decided_for(ground.base.records);
    check_possible(job)?;
    let read = start.elapsed().as_secs_f64();
    let looked = Looked::default();
    looked.check_identifiers(job, table, &ground.columns, observer)?;
    let look = looked.at(job, table, &ground.columns, observer)?;
    note_redundant(job, observer);
    let start = Instant::now();
    observer.stage(Stage::Search, None);
    let found = on_threads(job.threads, || find(&ground, &look, observer))?;
    let seconds = Seconds { read, search: start.elapsed().as_secs_f64(), ..Seconds::default() };
    Ok(Draft {
        job: job.clone(),
        table: table.clone(),
        columns: ground.columns.clone(),
        found,
        dropped: ground.dropped,
        people: None,
        labelled: None,
        clusters: None,
        evaluation: None,
        looked,
        what_if: None,
        seconds,
    })
}

fn find(ground: &Ground<'_>, look: &Look, observer: &dyn Observer) -> Result<Found, Error> {
    let job = ground.job;
    let problem = Problem::new(&ground.base, &job.requirement)?;
    let guesses = FLOORS.map(|floor| ground.guess(look, floor));
    let guesses = guesses.into_iter().collect::<Result<Option<Vec<_>>, Error>>()?.unwrap_or_default();
    let of_guess = |(table, requirement)| Problem::new(table, requirement).ok();
    let samples: Vec<Problem<'_>> =
        guesses.iter().map(|(table, requirement)| (table, requirement)).filter_map(of_guess).collect();
    let deadline = job.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let stop = || {
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let interrupted = observer.stop_search() || observer.cancelled();
        interrupted.then_some(Stopped::Interrupted).or(late.then_some(Stopped::TimeLimit))
    };
    let control = Control { max_steps: job.max_steps, stop: &stop, progress: &|step: &Step| observer.step(step) };
    let score = if job.algorithm == Some(Algorithm::Tds) { Score::Tds } else { Score::Tdr };
    let known = Known { problem: &problem, marginals: &ground.marginals, samples: &samples };
    let mut views = Views::new(ground, observer);
    let found = TopDown { score }.search_counting(known, &mut views, &control)?;
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    let coarse = views.coarse(&found.outcome.recoding)?;
    let judged = judge(job, coarse, found.outcome, problem.qids().to_vec())?;
    let way = Way::Frontier { passes: found.passes, rows: found.rows };
    let losses = judged.losses.clone().with_marginals(&ground.marginals, &judged.outcome.recoding);
    Ok(Found { way, losses: losses.map_err(|error| Error::Defect(error.to_string()))?, ..judged })
}

impl Draft {
    /// The draft of a table whose combinations of values are never held: counts that stay small, asked for as often as the search needs
    /// finer ones. [`Draft::new`] does it where the combinations would be too many.
    ///
    /// # Errors
    /// [`Error::Contradiction`] if the job asks for something that needs all combinations, and those of [`Draft::new`].
    pub fn by_frontier(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Self, Error> {
        check_possible(job)?;
        draft(job, table, observer)
    }
}
