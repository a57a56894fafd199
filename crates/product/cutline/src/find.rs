//! From the compressed table to a recoding: the search, and what follows from what it found.

use std::sync::Arc;
use std::time::Instant;

use cutline_arrow::crew::on_threads;
use cutline_measure::loss::Losses;
use cutline_model::Share;
use cutline_model::recoding::Unknown;
use cutline_model::{Axis, Grain, Kind, Masking, Purpose, Scale};
use cutline_search::{Control, Outcome, Problem, Step, Stopped, publishable};
use cutline_table::{
    Attribute, AttributeId, CompressedTable, LabelKind, Labels, MaskError, MaskPlan, Masked, RawColumn, RawTable,
    Settled, Suppressed, TableError, TableQid, encode,
};

use crate::columns::Columns;
use crate::job::Job;
use crate::memory::check_classes;
use crate::{DraftGroups, Error, Note, Observer, Stage};

/// A recoding, and what publishing it means for the table.
#[derive(Debug)]
pub struct Found {
    /// What was searched.
    pub table: CompressedTable,
    /// What the search came to; its recoding is the one that is published.
    pub outcome: Outcome,
    /// The requirement, in terms of the table.
    pub qids: Vec<TableQid>,
    /// The records in groups that are too small.
    pub suppressed: Suppressed,
    /// What the masking costs.
    pub losses: Losses,
    /// How the table was counted.
    pub way: Way,
}

/// How a table is counted for a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By all combinations of values.
    Combinations,
    /// By counts that stay small, asked for as often as the search needs finer ones: the table has values only by their labels.
    Frontier {
        /// How often groups were counted.
        passes: usize,
        /// The most rows that came back at once.
        rows: usize,
    },
}

impl Found {
    /// How records are masked.
    pub fn mask(&self, unknown: Unknown) -> Result<MaskPlan, Error> {
        let Outcome { recoding, regions, .. } = &self.outcome;
        let plan = MaskPlan::new(recoding, unknown).by_regions(regions.as_ref());
        let plan = plan.map_err(|error| Error::Defect(error.to_string()))?;
        Ok(plan.suppressing(&self.suppressed, &self.qids))
    }

    /// The groups of each QID that are published under their labels.
    pub(crate) fn groups(&self) -> Result<Vec<DraftGroups>, Error> {
        let Found { table, outcome, qids, suppressed, .. } = self;
        let masked = Masked::of(table, &outcome.recoding, outcome.regions.as_ref())
            .map_err(|error| Error::Defect(error.to_string()))?;
        let groups = |qid: &TableQid| {
            let groups = masked.groups(qid.attributes.iter().copied());
            let kept = |row: u32| !suppressed.rows[row as usize];
            let mut sizes = table.members().sizes(&groups.of_row, groups.len, &kept);
            sizes.retain(|&size| size > 0);
            sizes.sort_unstable();
            let name = |&AttributeId(a): &AttributeId| table.attributes[a].name.clone();
            DraftGroups {
                attributes: qid.attributes.iter().map(name).collect(),
                k: qid.k,
                sizes: sizes.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u64)).collect(),
            }
        };
        Ok(qids.iter().map(groups).collect())
    }
}

/// Searches a table that was counted. [`Counts`](crate::Counts) counts one and searches it; whoever has other records (the training part of a
/// table, for example) counts them and searches here. Runs the parallel parts on the job's number of threads.
pub fn find(job: &Job, raw: &RawTable, columns: &Columns, observer: &dyn Observer) -> Result<Found, Error> {
    find_by(job, raw, columns, observer, |table| search(job, table, observer))
}

/// The same, if it is known how to search.
pub(crate) fn find_by(
    job: &Job,
    raw: &RawTable,
    columns: &Columns,
    observer: &dyn Observer,
    search: impl FnOnce(&CompressedTable) -> Result<(Outcome, Vec<TableQid>), Error> + Send,
) -> Result<Found, Error> {
    observer.stage(Stage::Search, None);
    let work = || {
        let table = encode_table(job, raw, columns, observer)?;
        let (outcome, qids) = search(&table)?;
        judge(job, table, outcome, qids)
    };
    on_threads(job.threads, work)
}

/// Rounds bounds, if they are to be. Those of a declared grid are no values of records.
pub(crate) fn round_bounds(job: &Job, attributes: &mut [Attribute]) {
    let free = |attribute: &&mut Attribute| match &attribute.masking {
        Masking::Discretize { axis, .. } => job.round_bounds && axis.grain == Grain::Values,
        Masking::Generalize(_) | Masking::Suppress => false,
    };
    attributes.iter_mut().filter(free).for_each(|attribute| attribute.domain.round_splits());
}

pub(crate) fn encode_table(
    job: &Job,
    raw: &RawTable,
    columns: &Columns,
    observer: &dyn Observer,
) -> Result<CompressedTable, Error> {
    let name = |index: usize| columns.names[index].clone();
    let mut maskings = Vec::new();
    for (&index, column) in columns.quasi.iter().zip(&raw.columns) {
        let told = columns.is_category(index).then_some(Kind::Categorical);
        maskings.push((name(index), masking(job, &name(index), (column, told), observer)));
    }
    let mut labels = vec![match &job.purpose {
        Purpose::Classification { target } => (target.clone(), LabelKind::Classes),
        Purpose::Regression { target } => (target.clone(), LabelKind::Numbers),
        Purpose::Clustering { .. } => ("cluster".to_owned(), LabelKind::Classes),
        Purpose::General => (String::new(), LabelKind::None),
    }];
    let further = raw
        .columns
        .iter()
        .skip(columns.quasi.len() + usize::from(columns.target.is_some() || job.clustering.is_some()));
    for (said, column) in job.targets.further.iter().zip(further) {
        let kind = match said.kind.unwrap_or_else(|| column.guess_kind()) {
            Kind::Categorical | Kind::Date => LabelKind::Classes,
            Kind::Continuous => LabelKind::Numbers,
        };
        labels.push((said.target.clone(), kind));
    }
    labels.extend(columns.sensed_names().into_iter().map(|name| (name, LabelKind::Sensitive)));
    labels.extend(job.person.iter().map(|name| (name.clone(), LabelKind::Person)));
    labels.extend(job.weight.iter().map(|name| (name.clone(), LabelKind::Weight)));
    let mut table =
        encode(raw, maskings, &labels, job.unknown).map_err(|error| regression_needs_numbers(job, error))?;
    round_bounds(job, &mut table.attributes);
    warn_of_many_classes(&table, observer);
    check_classes(job, &table)?;
    Ok(table)
}

/// Groups that are refined by themselves are those of one QID, and count records.
fn check_local(table: &CompressedTable, problem: &Problem<'_>) -> Result<(), Error> {
    let contradiction = |what: String, hint: &str| Err(Error::Contradiction { what, hint: hint.to_owned() });
    if table.persons.is_some() {
        return contradiction(
            "local refinement counts records, and some persons have several".to_owned(),
            "publish one record for each person, or take back ‹local›",
        );
    }
    match problem.qids() {
        [_] => Ok(()),
        [_, promised, ..] => {
            let names: Vec<&str> = promised.attributes.iter().map(|id| &table.attributes[id.0].name[..]).collect();
            contradiction(
                format!(
                    "an earlier release promised more on {{{}}}, and groups that are refined by themselves keep one QID",
                    names.join(", ")
                ),
                "ask for one ‹qid› with all attributes, the largest k and all conditions that were promised, or take back ‹local›",
            )
        }
        [] => Ok(()),
    }
}

pub(crate) fn search(
    job: &Job,
    table: &CompressedTable,
    observer: &dyn Observer,
) -> Result<(Outcome, Vec<TableQid>), Error> {
    let limit = job.suppression.most(table.records);
    let limit = if job.spends == Share::ALL { limit } else { job.spends.of(limit) };
    let problem = Problem::new(table, &job.requirement)?.suppressing(limit, job.suppression.how).pinned(&job.pins())?;
    if job.local.is_some() {
        check_local(table, &problem)?;
    }
    let deadline = job.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let stop = || {
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let interrupted = observer.stop_search() || observer.cancelled();
        interrupted.then_some(Stopped::Interrupted).or(late.then_some(Stopped::TimeLimit))
    };
    let control = Control { max_steps: job.max_steps, stop: &stop, progress: &|step: &Step| observer.step(step) };
    let outcome = publishable(&*job.search(table)?, &problem, &control);
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    Ok((outcome, problem.qids().to_vec()))
}

/// Works out what must be suppressed, from the recoding alone: whatever the search believes does not count.
pub(crate) fn judge(
    job: &Job,
    table: CompressedTable,
    mut outcome: Outcome,
    qids: Vec<TableQid>,
) -> Result<Found, Error> {
    let costs = job.costs(&table)?;
    let defect = |error: MaskError| Error::Defect(error.to_string());
    let limit = job.suppression.most(table.records);
    let Settled { recoding, regions, suppressed, meant } =
        Settled::new(&table, outcome.recoding, outcome.regions, &qids, job.suppression.how).map_err(defect)?;
    // What settles may be within the budget although the search did not come that far: with everything masked, for example.
    if meant.max(suppressed.records) > limit {
        return Err(Error::Unfinished(outcome.stopped));
    }
    (outcome.recoding, outcome.regions) = (recoding, regions);
    let masked = Masked::of(&table, &outcome.recoding, outcome.regions.as_ref()).map_err(defect)?;
    // What earlier releases promised is looked at by whoever knows all of them.
    let mut qids = qids;
    qids.truncate(job.requirement.qids().len());
    let mut losses = Losses::measure(&table, &outcome.recoding, &masked, &suppressed, &qids, costs.as_ref());
    losses.weighted = job.weighted(&table, &masked, &suppressed, costs.as_ref());
    Ok(Found { table, outcome, qids, suppressed, losses, way: Way::Combinations })
}

/// A target that is no number asks for another purpose, not for another kind of attribute.
fn regression_needs_numbers(job: &Job, error: TableError) -> Error {
    match (&job.purpose, error) {
        (Purpose::Regression { target }, TableError::Value { attribute, record, .. }) if attribute == *target => {
            Error::NotSaid {
                what: format!("the target `{target}`, {record}: a value is not a number"),
                hint: "a regression predicts numbers; for names use ‹purpose classification›",
            }
        }
        (_, error) => error.into(),
    }
}

fn warn_of_many_classes(table: &CompressedTable, observer: &dyn Observer) {
    const MANY: usize = 100;
    if let Labels::Classes { names, .. } = &table.labels
        && names.len() > MANY
    {
        observer.note(&Note::ManyClasses { classes: names.len() });
    }
}

/// The masking operation of an attribute: by its taxonomy, its declared range or kind, what the table tells, or its values.
pub(crate) fn masking(
    job: &Job,
    name: &str,
    (column, told): (&RawColumn, Option<Kind>),
    observer: &dyn Observer,
) -> Masking {
    let known = job.attributes.get(name).cloned().unwrap_or_default();
    // Without a single code of the classification the values are what they are without one.
    let coded = known.coded.and_then(|coded| coded.taxonomy(column.values().map(|(text, _)| text), &[]).ok());
    if let Some(taxonomy) = coded {
        return Masking::Generalize(Arc::new(taxonomy));
    }
    match (known.taxonomy, known.range, known.axis) {
        (Some(taxonomy), ..) => Masking::Generalize(taxonomy),
        (None, range, Some(axis)) => Masking::Discretize { range, axis },
        (None, Some(range), None) => Masking::numbers(Some(range)),
        (None, None, None) => match known.kind.or(told).unwrap_or_else(|| guess_kind(name, column, observer)) {
            Kind::Continuous => Masking::numbers(None),
            Kind::Date => Masking::Discretize { range: None, axis: Axis::dates(Scale::dates()) },
            Kind::Categorical => Masking::Suppress,
        },
    }
}

/// The kind that the values suggest, with a word where a few of them decide it.
fn guess_kind(name: &str, column: &RawColumn, observer: &dyn Observer) -> Kind {
    if let Some(words) = column.few_that_are_no_numbers() {
        observer.note(&Note::FewWords { attribute: name.to_owned(), words });
    }
    column.guess_kind()
}
