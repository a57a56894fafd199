//! A raw and a masked table with the same records in the same order, whoever masked them.

use std::collections::HashMap;

use cutline_engine::{Engine, Records};
use cutline_measure::classify::{Classes, Column, Feature, Values};
use cutline_model::{Kind, Purpose};

use super::align::{Pair, Shared};
use super::features::{distinct, feature, first_difference, guess_kind};
use super::learn::{Goal, Parts, Raw, Target, defect};
use super::{AttributeCost, Evaluation, part};
use super::{Measuring, Split};
use cutline::arrow::crew::on_threads;
use cutline::spec::IfMissing;
use cutline::{Error, Note, Observer};

/// So many that they probably are numbers.
const MANY_CLASSES: usize = 100;

/// Two tables.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// The raw one.
    pub raw: &'a dyn Engine,
    /// The masked one.
    pub masked: &'a dyn Engine,
}

/// How two tables are compared.
#[derive(Clone, Debug)]
pub struct PairOptions {
    /// What is predicted.
    pub purpose: Purpose,
    /// How the cost is measured.
    pub measuring: Measuring,
    /// The masked attributes; if none are named, the columns in which the tables differ.
    pub masked: Vec<String>,
    /// Columns that no learner is to see.
    pub ignored: Vec<String>,
    /// What is known of the kinds of attributes.
    pub kinds: HashMap<String, Kind>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
    /// Which records were not published because a value is missing.
    pub missing: IfMissing,
    /// Threads to use.
    pub threads: usize,
}

/// What did masking cost? If there are tables to test with, all of `tables` trains, and the split has no say.
pub fn evaluate_pair(
    tables: Tables<'_>,
    test: Option<Tables<'_>>,
    options: &PairOptions,
    observer: &dyn Observer,
) -> Result<Evaluation, Error> {
    let columns = Shared::new(tables, options)?;
    let mut pair = columns.read(tables, options, observer)?;
    let mut split = options.measuring.split;
    if let Some(test) = test {
        split = Split::TrainRecords(pair.raw.len());
        let test = columns.read(test, options, observer)?;
        pair.raw.append(test.raw);
        pair.masked.append(test.masked);
        pair.left_out += test.left_out;
    }
    Comparison { columns, pair, options, split }.evaluate(observer)
}

/// Two tables whose records belong together.
pub(super) struct Comparison<'a> {
    pub(super) columns: Shared,
    pub(super) pair: Pair,
    pub(super) options: &'a PairOptions,
    pub(super) split: Split,
}

impl Comparison<'_> {
    pub(super) fn evaluate(&self, observer: &dyn Observer) -> Result<Evaluation, Error> {
        on_threads(self.options.threads, || match self.options.purpose {
            Purpose::Regression { .. } => self.run::<Values>(observer),
            _ => self.run::<Classes>(observer),
        })
    }

    fn run<L: Goal>(&self, observer: &dyn Observer) -> Result<Evaluation, Error> {
        let removed = &self.removed(observer);
        let (baseline, masked) = (self.features(&self.pair.raw), self.features(&self.pair.masked));
        let target =
            Target { name: self.name(self.columns.target), records: &self.pair.raw, place: self.columns.target };
        let baseline = target.instances::<L>(baseline)?;
        let masked = target.instances::<L>(masked)?;
        let names: Vec<&str> = removed.iter().map(|&place| self.name(place)).collect();
        let raw = Raw { removed: baseline.without(&names).map_err(defect)?, baseline };
        let Measuring { seed, learn, .. } = self.options.measuring;
        let strata = raw.baseline.labels().strata().map_err(defect)?;
        if strata.names().len() > MANY_CLASSES {
            observer.note(&Note::ManyClasses { classes: strata.names().len() });
        }
        let folds = self.split.folds(&strata, seed, |row| self.pair.raw.source(row))?;
        let measures = raw.measure(&folds, learn, observer, |fold| Ok(Parts::new(&masked, fold)))?;
        let others = self.pair.raw.columns().iter().enumerate().filter(|(place, _)| *place != self.columns.target);
        target.note_repeats(others.map(|(place, column)| (self.name(place), column)), observer);
        Ok(Evaluation {
            format: Evaluation::FORMAT,
            purpose: self.options.purpose.to_string(),
            records: self.pair.raw.len() as u64,
            drawn_from: None,
            left_out: self.pair.left_out,
            split: self.split.to_string(),
            together: None,
            ignored: self.columns.ignored.clone(),
            attributes: removed.iter().map(|&place| self.attribute(place)).collect(),
            measures,
            parts: folds.iter().map(|fold| part(fold, 0)).collect(),
            losses: Vec::new(),
        })
    }

    fn name(&self, place: usize) -> &str {
        &self.columns.names[place]
    }

    /// The places of the columns in which the tables differ.
    fn differing(&self) -> Vec<usize> {
        let columns = self.pair.raw.columns().iter().zip(self.pair.masked.columns());
        let differ = columns.map(|(raw, masked)| first_difference(raw, masked).is_some());
        differ.enumerate().filter_map(|(place, differ)| differ.then_some(place)).collect()
    }

    /// The places of the masked attributes, and a word where they are not what one would expect.
    fn removed(&self, observer: &dyn Observer) -> Vec<usize> {
        let differing = self.differing();
        if differing.is_empty() {
            observer.note(&Note::SameTables);
        }
        if self.columns.named.is_empty() {
            return differing;
        }
        for &place in differing.iter().filter(|place| !self.columns.named.contains(place)) {
            observer.note(&Note::AlsoDiffers { column: self.name(place).to_owned() });
        }
        self.columns.named.clone()
    }

    /// What learners see of a table. A masked column has numbers only if it still is nothing but numbers.
    fn features<'a>(&'a self, records: &'a Records) -> impl Iterator<Item = (Feature, Column)> + 'a {
        let columns = records.columns().iter().enumerate().filter(|(place, _)| *place != self.columns.target);
        columns.map(|(place, column)| {
            let said = self.options.kinds.get(self.name(place)).copied();
            let raw = said.unwrap_or_else(|| guess_kind(&self.pair.raw.columns()[place]));
            let kind = if raw == Kind::Continuous { guess_kind(column) } else { raw };
            feature(self.name(place), column, kind)
        })
    }

    fn attribute(&self, place: usize) -> AttributeCost {
        AttributeCost {
            name: self.name(place).to_owned(),
            values: distinct(&self.pair.raw.columns()[place]),
            labels: distinct(&self.pair.masked.columns()[place]) as f64,
            loss: None,
        }
    }
}
