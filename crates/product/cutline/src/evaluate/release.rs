//! What did masking cost a table that is being published?

use cutline_engine::{CellKind, Engine, Records, SamplePlan};
use cutline_model::{Purpose, Requirement, Share};

use super::Evaluation;
use super::align::{Pair, Shared};
use super::features::{missing, said_kind};
use super::masking::MaskedRecords;
use super::pair::{Comparison, PairOptions};
use super::{Learn, Measuring, Split, target};
use crate::columns::{Columns, position};
use crate::find::Found;
use crate::job::Job;
use crate::observer::Watching;
use crate::spec::{Missing, Spec};
use crate::{Error, Observer, Stage};

/// The most records that learn and test; larger tables are drawn from. Of a million, drawing and learning takes seconds instead of a
/// minute, and what is held in memory must not grow with the table. A model may learn more from all records, so the report says it.
const MOST_RECORDS: usize = 100_000;

/// The fewest of which a third is a record.
const FEWEST_RECORDS: usize = 3;

/// Refuses a spec that asks for figures that there cannot be.
pub(crate) fn check(spec: &Spec, purpose: &Purpose, requirement: &Requirement) -> Result<(), Error> {
    if spec.output.evaluate != Some(true) {
        return Ok(());
    }
    if purpose.target().is_none() {
        return Err(Error::NotSaid {
            what: "‹evaluate› needs a target, and nothing is said that a model could predict".to_owned(),
            hint: "name an attribute with ‹target›, or publish without ‹evaluate›; what happens to clusters is told anyway",
        });
    }
    target(purpose, requirement).map(|_| ())
}

/// A release that is about to be published.
pub(crate) struct Release<'a> {
    pub(crate) job: &'a Job,
    pub(crate) engine: &'a dyn Engine,
    pub(crate) columns: &'a Columns,
    /// What its table was written by.
    pub(crate) found: &'a Found,
}

impl Release<'_> {
    /// What [`super::evaluate_pair`] says of the raw and the written table. Raw records are drawn and labelled as they were for
    /// writing: that tells which of them were left out, so that the others still have their counterparts.
    pub(crate) fn evaluate(&self, observer: &dyn Observer) -> Result<Evaluation, Error> {
        let shared = self.shared();
        let raw = self.draw(&shared, observer)?;
        let all: Vec<usize> = (0..raw.len()).collect();
        let masked = MaskedRecords::new(self.found, &raw, &shared.named, &all);
        let suppressed = masked.suppressed;
        let pair = self.pair(&shared, raw, masked)?;
        let options = self.options();
        let split = options.measuring.split;
        let mut evaluation = Comparison { columns: shared, pair, options: &options, split }.evaluate(observer)?;
        evaluation.parts.iter_mut().for_each(|part| part.suppressed = suppressed);
        evaluation.together = Some(true);
        evaluation.drawn_from = Some(self.found.table.records).filter(|&records| records > all.len() as u64);
        Ok(evaluation)
    }

    /// The columns that learners see: what is published of them tells something, and they have cells rather than lists.
    fn shared(&self) -> Shared {
        let (identifiers, table) = (self.columns.identifiers(), self.engine.columns());
        let seen = |index: &usize| {
            let nested = table[*index].cells == CellKind::Nested;
            !nested && !identifiers.contains_key(&self.columns.names[*index])
        };
        let (seen, ignored): (Vec<usize>, Vec<usize>) = (0..self.columns.names.len()).partition(seen);
        let names = |indexes: &[usize]| indexes.iter().map(|&index| self.columns.names[index].clone()).collect();
        let place = |index: &usize| seen.partition_point(|other| other < index);
        Shared {
            names: names(&seen),
            target: self.columns.target.as_ref().map_or(0, place),
            named: self.columns.quasi.iter().map(place).collect(),
            ignored: names(&ignored),
        }
    }

    fn draw(&self, shared: &Shared, observer: &dyn Observer) -> Result<Records, Error> {
        let position = |name: &String| position(&self.columns.names, name, "learned from");
        let plan = SamplePlan {
            columns: shared.names.iter().map(position).collect::<Result<_, _>>()?,
            nulls: self.job.nulls.clone(),
            required: self.columns.required(self.job),
            size: MOST_RECORDS,
            seed: self.seed(),
        };
        observer.stage(Stage::Read, Some(self.engine.size()));
        let sample = self.engine.sample(&plan, &Watching(observer))?;
        let (first, second) = (self.found.table.records, sample.records);
        if first == second { Ok(Records::drawn(sample)) } else { Err(Error::Changed { first, second }) }
    }

    /// The raw records that were published and have the target, and what was published of them.
    fn pair(&self, shared: &Shared, mut raw: Records, published: MaskedRecords) -> Result<Pair, Error> {
        let lacking: Vec<bool> = missing(&raw.columns()[shared.target]).collect();
        let keep: Vec<bool> = lacking.iter().enumerate().map(|(row, lacks)| !lacks && published.has(row)).collect();
        let lacking = lacking.iter().filter(|lacks| **lacks).count() as u64;
        let mut masked = raw.replaced(shared.named.iter().copied().zip(published.columns));
        raw.retain(&keep);
        masked.retain(&keep);
        match raw.len() {
            0..FEWEST_RECORDS => Err(Error::Contradiction {
                what: format!(
                    "{} of the published records have the target `{}`: too few to learn from some and test with others",
                    raw.len(),
                    shared.names[shared.target]
                ),
                hint: "publish without ‹evaluate›".to_owned(),
            }),
            _ => Ok(Pair { left_out: raw.dropped() + lacking, raw, masked }),
        }
    }

    fn options(&self) -> PairOptions {
        let kind = |name: &String| Some((name.clone(), said_kind(self.job, name)?));
        let third = Share::new(1.0 / 3.0).unwrap_or_default();
        PairOptions {
            purpose: self.job.purpose.clone(),
            measuring: Measuring { split: Split::Holdout(third), seed: self.seed(), learn: Learn::Both },
            masked: Vec::new(),
            ignored: Vec::new(),
            kinds: self.columns.names.iter().filter_map(kind).collect(),
            nulls: self.job.nulls.clone(),
            missing: Missing::Value,
            threads: self.job.threads,
        }
    }

    fn seed(&self) -> u64 {
        self.job.seed
    }
}
