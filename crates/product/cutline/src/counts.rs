//! The first stage: what a search needs to know of a table.

mod held;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use cutline_arrow::crew::on_threads;
use cutline_engine::{ClusterColumn, CompressPlan, Counted, Engine, ExplainPlan, Statement};
use cutline_model::{Qid, Requirement, Role};
use cutline_report::{Seconds, WhatIf};
use cutline_table::{CompressedTable, RawTable};

use crate::cluster::{self, Clustering, Labelled, Labelling};
use crate::columns::Columns;
use crate::draft::Draft;
use crate::find::{Found, encode_table};
use crate::frontier;
use crate::job::Job;
use crate::memory::combinations;
use crate::note::tell;
use crate::observer::Watching;
use crate::screen::{Depth, FEW_RECORDS, Look, LookPlan, Looked};
use crate::series::{Newcomers, People, Series};
use crate::spec::IfMissing;
use crate::{Error, Note, Observer, Shuffle, Silent, Stage, Table};

/// The records of a table, grouped and counted: all that searches look at, as many as one likes.
///
/// Clones share the counts.
#[derive(Clone, Debug)]
pub struct Counts {
    table: Table,
    /// The grouped columns by name; that of clusters has none.
    grouped: Vec<Option<String>>,
    raw: Arc<RawTable>,
    /// What earlier releases tell of the persons, if there are any.
    series: Option<Arc<Series>>,
    labelled: Option<Arc<Labelled>>,
    /// The records that were looked at, if any were.
    looked: Looked,
    /// What decides which records are counted, and how they are clustered.
    key: Key,
    seconds: f64,
}

/// Jobs with the same key count the same records.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    nulls: Vec<String>,
    required: Vec<String>,
    missing: IfMissing,
    clusters: Option<Labelling>,
    /// What clusters were tuned for, if they were.
    tuned: Option<Requirement>,
}

impl Key {
    fn new(job: &Job, columns: &Columns) -> Self {
        let required = columns.required(job).into_iter().map(|index| columns.names[index].clone());
        Key {
            nulls: job.nulls.clone(),
            required: required.collect(),
            missing: job.missing,
            clusters: job.clustering.as_ref().map(Clustering::labelling),
            tuned: job.clustering.as_ref().filter(|clustering| clustering.tune).map(|_| job.requirement.clone()),
        }
    }
}

impl Counts {
    /// Reads the table once and counts what a job asks for.
    pub fn new(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Self, Error> {
        let columns = Columns::resolve(job, table.columns())?;
        note_unmasked(job, &columns, observer);
        let (series, table) = match job.clustering.is_some() {
            // Clusters are those of the records that are published.
            true => series_first(job, table, &columns, observer)?,
            false => (None, table.clone()),
        };
        let labelled = cluster::label(job, &table, &columns, observer)?;
        let cluster = labelled.as_ref().map(|labelled| labelled.grouped(&columns));
        let mut grouped: Vec<Option<String>> =
            columns.grouped().into_iter().map(|index| Some(columns.names[index].clone())).collect();
        if let Some((at, _)) = &cluster {
            grouped.insert(*at, None);
        }
        let start = Instant::now();
        // Who is held back is known by name.
        let named = columns.person().filter(|_| job.after.is_some());
        let look = look_now(job, &table).then(|| LookPlan::of_job(job, &table, &columns).beside(named));
        let (raw, looked) = compress(job, &table, &columns, (cluster, look.as_ref()), observer)?;
        let counts = Counts {
            table,
            grouped,
            raw: Arc::new(raw),
            series: None,
            labelled: labelled.map(Arc::new),
            looked,
            key: Key::new(job, &columns),
            seconds: 0.0,
        };
        let counts = counts.after(job, &columns, series, observer)?;
        Ok(Counts { seconds: start.elapsed().as_secs_f64(), ..counts })
    }

    /// The same after the earlier releases that a job names, if it does, without the records that are held back.
    fn after(
        self,
        job: &Job,
        columns: &Columns,
        known: Option<Series>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let Some((newcomers, after)) = Newcomers::of_job(job, columns)? else { return Ok(self) };
        let (person, name) = newcomers.person;
        let place = self.place(&Some(name.to_owned()))?;
        let (series, raw, held) = match known {
            Some(series) => {
                let raw = series.tell(&self.raw, place, name, &HashSet::new())?;
                (series, raw, HashSet::new())
            }
            None => {
                let census = self.census(columns, place)?;
                census.check_values(&job.requirement)?;
                let (series, present) = on_threads(job.threads, || Series::new(after, &newcomers, &census, observer))?;
                let raw = series.tell_present(&self.raw, place, &present);
                (series, raw, present.held)
            }
        };
        let (raw, fewer) = (Arc::new(raw), !held.is_empty());
        let looked = self.looked.without(columns, (&held, series.held_back()));
        let (table, series) = (self.table.without(person, held)?, Some(Arc::new(series)));
        let counts = Counts { raw, table, series, looked, ..self };
        let counts = if fewer { counts.with_dropped(job, columns)? } else { counts };
        if counts.raw.weights.len() > counts.raw.columns[place].values().count() {
            // Not as late as when something is published: whose records differ would stand out.
            counts.people(columns)?.map_or(Ok(()), |people| people.check(name))?;
        }
        Ok(counts)
    }

    /// Records that were counted.
    pub fn records(&self) -> u64 {
        self.raw.records
    }

    /// Distinct combinations of the grouped values.
    pub fn distinct(&self) -> usize {
        self.raw.weights.len()
    }

    /// Finds a recoding. The job may be another one than that which was counted for, with another k, another algorithm, fewer quasi
    /// attributes or another purpose, as long as it asks for nothing that was not counted.
    pub fn search(&self, job: &Job, observer: &dyn Observer) -> Result<Draft, Error> {
        let job = &job.decided_for(self.records());
        let columns = Columns::resolve(job, self.table.columns())?;
        note_redundant(job, observer);
        let start = Instant::now();
        let (held, found, clusters) = self.find(job, &columns, observer)?;
        let counts = held.as_ref().unwrap_or(self);
        let seconds = Seconds { read: self.seconds, search: start.elapsed().as_secs_f64(), ..Seconds::default() };
        let what_if = self.asked_alternatives(job, &found, observer)?;
        let people = counts.people(&columns)?;
        Ok(Draft {
            job: job.clone(),
            table: counts.table.clone(),
            columns,
            found,
            dropped: counts.raw.dropped,
            people,
            labelled: self.labelled.clone(),
            clusters,
            evaluation: None,
            looked: counts.looked.clone(),
            what_if,
            seconds,
        })
    }

    /// Can a job be searched for without reading the table again?
    ///
    /// # Errors
    /// If the job names a column that the table does not have.
    pub fn covers(&self, job: &Job) -> Result<bool, Error> {
        let columns = Columns::resolve(job, self.table.columns())?;
        Ok(self.key == Key::new(job, &columns) && self.places(&columns).is_ok())
    }

    /// Has a table of a server so many combinations that they had better stay there? [`Draft::new`] then searches by counts that stay small.
    ///
    /// # Errors
    /// If the job names a column that the table does not have, or the server cannot be asked.
    pub fn are_too_many(job: &Job, table: &Table, observer: &dyn Observer) -> Result<bool, Error> {
        frontier::is_wanted(job, table, observer)
    }

    /// Would the job publish a column as it is that names persons, and nobody said that it is meant? To be asked before a long search;
    /// [`Draft::publish`] asks it anyway.
    ///
    /// # Errors
    /// [`Error::Identifiers`], or the table cannot be read.
    pub fn check_identifiers(&self, job: &Job, observer: &dyn Observer) -> Result<(), Error> {
        let columns = Columns::resolve(job, self.table.columns())?;
        if self.records() == 0 {
            return Ok(());
        }
        self.looked.check_identifiers(job, &self.table, &columns, observer)
    }

    /// What other requirements would come to, if the job asks for that. Who stops the search wants it no longer.
    fn asked_alternatives(&self, job: &Job, found: &Found, observer: &dyn Observer) -> Result<Option<WhatIf>, Error> {
        match job.what_if.then(|| self.alternatives(job, found, observer)).transpose() {
            Err(Error::Interrupted) if !observer.cancelled() => Ok(None),
            found => found,
        }
    }

    /// The same records, where something else is told of them.
    pub(crate) fn with(&self, told: impl FnOnce(&RawTable) -> Result<RawTable, Error>) -> Result<Self, Error> {
        Ok(Counts { raw: Arc::new(told(&self.raw)?), ..self.clone() })
    }

    /// The columns of the table that was counted.
    pub(crate) fn columns(&self, job: &Job) -> Result<Columns, Error> {
        Columns::resolve(job, self.table.columns())
    }

    /// What was counted.
    pub(crate) fn raw(&self) -> &RawTable {
        &self.raw
    }

    /// What a search for the job looks at.
    pub(crate) fn encoded(&self, job: &Job) -> Result<CompressedTable, Error> {
        let columns = Columns::resolve(job, self.table.columns())?;
        let selected = self.selected(job, &columns)?;
        encode_table(job, selected.as_ref().unwrap_or(&self.raw), &columns, &Silent)
    }

    /// What the job groups by, unless that is all that was counted.
    fn selected(&self, job: &Job, columns: &Columns) -> Result<Option<RawTable>, Error> {
        if self.key != Key::new(job, columns) {
            return Err(not_counted("other records, or other clusters"));
        }
        self.grouped_by(columns)
    }

    /// Whose records they are, if that is known.
    fn people(&self, columns: &Columns) -> Result<Option<People>, Error> {
        let Some(person) = columns.person() else { return Ok(None) };
        let wanted = columns.quasi.iter().chain([&person]).map(|&index| Some(columns.names[index].clone()));
        let places = wanted.map(|name| self.place(&name)).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(People::new(self.raw.select(&places), self.series.clone())))
    }

    /// Where the column is that says whose record each is, if there is one.
    pub(crate) fn person_place(&self, columns: &Columns) -> Result<Option<usize>, Error> {
        columns.person().map(|index| self.place(&Some(columns.names[index].clone()))).transpose()
    }

    /// Where a column is among those that were counted.
    fn place(&self, name: &Option<String>) -> Result<usize, Error> {
        let found = self.grouped.iter().position(|own| own == name);
        found.ok_or_else(|| not_counted(&format!("the column `{}`", name.as_deref().unwrap_or("of clusters"))))
    }

    /// The records that were counted, grouped by what is asked for now, unless that is all that was counted.
    pub(crate) fn grouped_by(&self, columns: &Columns) -> Result<Option<RawTable>, Error> {
        Ok(self.places(columns)?.map(|places| self.raw.select(&places)))
    }

    /// Which of the counted columns are asked for now, unless that is all of them.
    fn places(&self, columns: &Columns) -> Result<Option<Vec<usize>>, Error> {
        let mut wanted: Vec<Option<String>> =
            columns.grouped().into_iter().map(|index| Some(columns.names[index].clone())).collect();
        if self.labelled.is_some() {
            wanted.insert(columns.quasi.len(), None);
        }
        if wanted == self.grouped {
            return Ok(None);
        }
        wanted.iter().map(|name| self.place(name)).collect::<Result<Vec<_>, _>>().map(Some)
    }
}

pub(crate) fn note_redundant(job: &Job, observer: &dyn Observer) {
    for redundant in job.requirement.redundant() {
        let (qid, implied_by) = (redundant.qid.to_string(), redundant.implied_by.to_string());
        observer.note(&Note::Redundant { qid, implied_by });
    }
}

/// Are the records that a draft is screened by drawn while the table is read? Not where clusters are counted too, or where a server would be
/// asked twice in any case.
fn look_now(job: &Job, table: &Table) -> bool {
    job.depth != Depth::Counts && job.clustering.is_none() && table.in_process().is_some()
}

/// What the earlier releases tell that a job names, before anything else is counted.
fn series_first(
    job: &Job,
    table: &Table,
    columns: &Columns,
    observer: &dyn Observer,
) -> Result<(Option<Series>, Table), Error> {
    let Some((newcomers, after)) = Newcomers::of_job(job, columns)? else { return Ok((None, table.clone())) };
    let counted = newcomers.count(table, observer)?;
    let census = newcomers.census(&counted, 0, 1);
    census.check_values(&job.requirement)?;
    let (series, present) = on_threads(job.threads, || Series::new(after, &newcomers, &census, observer))?;
    Ok((Some(series), table.without(newcomers.person.0, present.held)?))
}

/// A taxonomy or a range says how an attribute is masked. In no QID it is not, and whoever gave one should know. (It is no error: what is
/// known of attributes serves several requirements. Clusters look at taxonomies of any attribute.)
pub(crate) fn note_unmasked(job: &Job, columns: &Columns, observer: &dyn Observer) {
    let masked = job.requirement.attributes();
    let identifiers = columns.identifiers();
    for (name, attribute) in &job.attributes {
        let published = !masked.contains(&&name[..]) && !identifiers.contains_key(name) && job.clustering.is_none();
        if let Some(given) = attribute.masking().filter(|_| published) {
            observer.note(&Note::NotMasked { attribute: name.clone(), given });
        }
    }
}

fn not_counted(what: &str) -> Error {
    Error::Contradiction {
        what: format!("the job asks for {what}, which was not counted"),
        hint: "count the table again for this job".to_owned(),
    }
}

/// What is said of k = 1.
pub(crate) const NO_PROTECTION: &str = "k = 1 protects nobody: a group of a single record is allowed";

/// Groups by what a job asks for, and by clusters if there are any; draws the records that are looked at on the way, if that is planned.
pub(crate) fn compress(
    job: &Job,
    engine: &dyn Engine,
    columns: &Columns,
    (cluster, look): (Option<(usize, ClusterColumn)>, Option<&LookPlan>),
    observer: &dyn Observer,
) -> Result<(RawTable, Looked), Error> {
    job.shuffle.check(engine)?;
    observer.stage(Stage::Read, Some(engine.size()));
    let mut grouped: Vec<Option<usize>> = columns.grouped().into_iter().map(Some).collect();
    if let Some((at, _)) = &cluster {
        grouped.insert(*at, None);
    }
    let (plan, watched) = compress_plan(job, engine, columns, cluster);
    let watch = Watching(observer);
    let (Counted { table: raw, noticed }, looked) = match look {
        None => (engine.compress(&plan, &watch)?, Looked::default()),
        Some(look) => {
            let (counted, sample) = engine.compress_and_sample(&plan, &look.sample(engine), &watch)?;
            (counted, Look::of_sample(engine, look, sample).into())
        }
    };
    tell(&noticed, &columns.names, &watched, observer);
    if raw.records + raw.dropped == 0 {
        return Err(Error::NoRecords(engine.name().to_owned()));
    }
    if raw.dropped > 0 && raw.records < job.requirement.largest_k() {
        observer.note(&Note::Dropped { records: raw.dropped });
    }
    if job.missing == IfMissing::Error {
        let missing =
            raw.columns.iter().zip(grouped).find_map(|(column, index)| Some((index?, column.first_missing()?)));
        if let Some((index, record)) = missing {
            return Err(Error::MissingValue { attribute: columns.names[index].clone(), record });
        }
    }
    Ok((raw, looked))
}

/// What is grouped by, and the columns whose order is watched with their roles.
fn compress_plan(
    job: &Job,
    engine: &dyn Engine,
    columns: &Columns,
    cluster: Option<(usize, ClusterColumn)>,
) -> (CompressPlan, Vec<(usize, Role)>) {
    let watched = match job.shuffle {
        Shuffle::No => columns.positions_tell(engine.columns()),
        Shuffle::Fresh | Shuffle::With(_) => Vec::new(),
    };
    let plan = CompressPlan {
        columns: columns.grouped(),
        nulls: job.nulls.clone(),
        required: columns.required(job),
        watched: watched.iter().map(|&(index, _)| index).collect(),
        persons: columns.persons(engine.columns()),
        person: columns.hidden_person(),
        most: combinations(job.memory, columns.grouped().len()),
        cluster,
        coarse: BTreeMap::new(),
    };
    (plan, watched)
}

/// The statements that publishing a job's table would send to a server; none if this process reads the records.
///
/// # Errors
/// If the job does not fit the table, or it cannot be asked how many combinations it has.
pub fn explain(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Vec<Statement>, Error> {
    let columns = Columns::resolve(job, table.columns())?;
    let (compress, _) = compress_plan(job, table, &columns, None);
    let position = |name: &String| columns.names.iter().position(|other| other == name);
    let qid = |qid: &Qid| (qid.attributes.iter().filter_map(position).collect(), qid.k);
    let plan = ExplainPlan {
        compress,
        columns: columns.published(&job.tokens)?,
        qids: job.requirement.qids().iter().map(qid).collect(),
        drawn: (job.depth != Depth::Counts).then_some(FEW_RECORDS),
        most: frontier::most(job),
    };
    observer.stage(Stage::Read, Some(table.size()));
    Ok(table.explain(&plan, &Watching(observer))?)
}
