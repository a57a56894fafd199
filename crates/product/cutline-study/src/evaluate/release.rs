//! What would masking cost a draft?

use std::time::Instant;

use cutline_engine::{CellKind, Engine, Records, SamplePlan};
use cutline_model::Share;

use super::Evaluation;
use super::align::{Pair, Shared};
use super::features::missing;
use super::masking::MaskedRecords;
use super::pair::{Comparison, PairOptions};
use super::{Learn, Measuring, Split};
use cutline::parts::position;
use cutline::spec::IfMissing;
use cutline::{Draft, Error, Observer, Stage, Watching};

/// The most records that learn and test; larger tables are drawn from. Of a million, drawing and learning takes seconds instead of a
/// minute, and what is held in memory must not grow with the table. A model may learn more from all records, so the report says it.
pub(super) const MOST_RECORDS: usize = 100_000;

/// The fewest of which a third is a record.
const FEWEST_RECORDS: usize = 3;

/// Lets the report of a draft tell what its masking costs a model, if its job asks for that.
pub fn evaluated(draft: Draft, observer: &dyn Observer) -> Result<Draft, Error> {
    if !draft.job().evaluates() {
        return Ok(draft);
    }
    let start = Instant::now();
    let evaluation = of_draft(&draft, observer)?;
    Ok(draft.with_evaluation(evaluation, start.elapsed().as_secs_f64()))
}

/// What the masking of a draft costs a model, whatever its job asks for.
///
/// # Errors
/// If there is nothing to predict, or too few records to learn from.
pub fn of_draft(draft: &Draft, observer: &dyn Observer) -> Result<Evaluation, Error> {
    draft.job().predicted()?;
    Drafted(draft).evaluate(observer)
}

/// A release that is not published yet.
struct Drafted<'a>(&'a Draft);

impl Drafted<'_> {
    /// What [`super::evaluate_pair`] would say of the raw and the published table. Raw records are drawn and labelled as they are for
    /// writing: that tells which of them are left out, so that the others still have their counterparts.
    fn evaluate(&self, observer: &dyn Observer) -> Result<Evaluation, Error> {
        let shared = self.shared();
        let raw = self.draw(&shared, observer)?;
        let all: Vec<usize> = (0..raw.len()).collect();
        let masked = MaskedRecords::new(self.0.found(), &raw, &shared.named, &all)?;
        let suppressed = masked.suppressed;
        let pair = self.pair(&shared, raw, masked)?;
        let options = self.options();
        let split = options.measuring.split;
        let mut evaluation = Comparison { columns: shared, pair, options: &options, split }.evaluate(observer)?;
        evaluation.parts.iter_mut().for_each(|part| part.suppressed = suppressed);
        evaluation.together = Some(true);
        evaluation.drawn_from = Some(self.0.found().table.records).filter(|&records| records > all.len() as u64);
        Ok(evaluation)
    }

    /// The columns that learners see: what is published of them tells something, and they have cells rather than lists.
    fn shared(&self) -> Shared {
        let (identifiers, table) = (self.0.columns().identifiers(), self.0.table().columns());
        let seen = |index: &usize| {
            let nested = table[*index].cells == CellKind::Nested;
            !nested && !identifiers.contains_key(&self.0.columns().names[*index])
        };
        let (seen, ignored): (Vec<usize>, Vec<usize>) = (0..self.0.columns().names.len()).partition(seen);
        let names = |indexes: &[usize]| indexes.iter().map(|&index| self.0.columns().names[index].clone()).collect();
        let place = |index: &usize| seen.partition_point(|other| other < index);
        Shared {
            names: names(&seen),
            target: self.0.columns().target.as_ref().map_or(0, place),
            named: self.0.columns().quasi.iter().map(place).collect(),
            ignored: names(&ignored),
        }
    }

    fn draw(&self, shared: &Shared, observer: &dyn Observer) -> Result<Records, Error> {
        let position = |name: &String| position(&self.0.columns().names, name, "learned from");
        let plan = SamplePlan {
            columns: shared.names.iter().map(position).collect::<Result<_, _>>()?,
            nulls: self.0.job().nulls().to_vec(),
            required: self.0.columns().required(self.0.job()),
            size: MOST_RECORDS,
            seed: self.seed(),
        };
        observer.stage(Stage::Read, Some(self.0.table().size()));
        let sample = self.0.table().sample(&plan, &Watching(observer))?;
        let (first, second) = (self.0.found().table.records, sample.records);
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
        let kind = |name: &String| Some((name.clone(), self.0.job().kind_of(name)?));
        let tunes = self.0.job().tunes();
        let third = Share::new(1.0 / 3.0).unwrap_or_default();
        PairOptions {
            purpose: self.0.job().purpose().clone(),
            measuring: Measuring {
                split: if tunes { Split::Apart(third) } else { Split::Holdout(third) },
                seed: self.seed(),
                learn: Learn::Both,
            },
            masked: Vec::new(),
            ignored: Vec::new(),
            kinds: self.0.columns().names.iter().filter_map(kind).collect(),
            nulls: self.0.job().nulls().to_vec(),
            missing: IfMissing::Value,
            threads: self.0.job().threads(),
        }
    }

    fn seed(&self) -> u64 {
        self.0.job().seed()
    }
}
