//! How good is each learner?

use cutline_engine::Records;
use cutline_measure::classify::{
    C45, Classes, Classifier, ClassifyError, Column, Feature, Fold, Instances, InstancesBuilder, Labels,
    LinearRegression, NaiveBayes, RegressionTree, Regressor, Values, error_rate, r_squared,
};
use cutline_table::BlockColumn;
use rayon::prelude::*;

use super::features::numbers;
use super::{FoldFigures, Measure};
use cutline::{Error, Observer, Stage};

/// Which classifiers learn. A regression has two learners of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Learn {
    /// C4.5 and Naive Bayes.
    #[default]
    Both,
    /// C4.5.
    C45,
    /// Naive Bayes.
    NaiveBayes,
}

/// Learners of more classes take for ever, and nobody predicts so many.
const MOST_CLASSES: usize = 1_000;

/// A learner, and how well what it learned from one part does on another.
pub(super) struct Learner<L> {
    name: &'static str,
    lower_is_better: bool,
    score: fn(&Instances<L>, &Instances<L>) -> f64,
}

/// What is to be predicted: classes, or numbers.
pub(super) trait Goal: Labels + Clone + Send + Sync + Sized {
    /// Those who predict it.
    fn learners(learn: Learn) -> Vec<Learner<Self>>;

    /// The table with the target in place.
    fn attach(features: InstancesBuilder, target: &BlockColumn) -> Result<Instances<Self>, ClassifyError>;

    /// What a part should have in proportion.
    fn strata(&self) -> Result<Classes, ClassifyError>;
}

impl Goal for Classes {
    fn learners(learn: Learn) -> Vec<Learner<Self>> {
        let c45 = Learner {
            name: "C4.5 error",
            lower_is_better: true,
            score: |train, test| error_rate(&*C45::default().train(train), test),
        };
        let bayes = Learner {
            name: "Naive Bayes error",
            lower_is_better: true,
            score: |train, test| error_rate(&*NaiveBayes::default().train(train), test),
        };
        match learn {
            Learn::Both => vec![c45, bayes],
            Learn::C45 => vec![c45],
            Learn::NaiveBayes => vec![bayes],
        }
    }

    fn attach(features: InstancesBuilder, target: &BlockColumn) -> Result<Instances<Self>, ClassifyError> {
        features.classes(target.codes.iter().map(|&code| target.texts[code as usize].as_deref()))
    }

    fn strata(&self) -> Result<Classes, ClassifyError> {
        Ok(self.clone())
    }
}

impl Goal for Values {
    fn learners(_: Learn) -> Vec<Learner<Self>> {
        let tree = Learner {
            name: "regression tree R²",
            lower_is_better: false,
            score: |train, test| r_squared(&*RegressionTree::default().train(train), test),
        };
        let linear = Learner {
            name: "linear regression R²",
            lower_is_better: false,
            score: |train, test| r_squared(&*LinearRegression::default().train(train), test),
        };
        vec![tree, linear]
    }

    fn attach(features: InstancesBuilder, target: &BlockColumn) -> Result<Instances<Self>, ClassifyError> {
        features.values(numbers(target))
    }

    fn strata(&self) -> Result<Classes, ClassifyError> {
        let same = std::iter::repeat_n(Some(""), self.count());
        Ok(InstancesBuilder::new().classes(same)?.labels().clone())
    }
}

/// Where the target is.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) name: &'a str,
    pub(super) records: &'a Records,
    /// Its place among the columns of the records.
    pub(super) place: usize,
}

impl Target<'_> {
    /// The table that learners see. Records that lack the target were left out before.
    pub(super) fn instances<L: Goal>(
        self,
        features: impl IntoIterator<Item = (Feature, Column)>,
    ) -> Result<Instances<L>, Error> {
        let mut builder = InstancesBuilder::new();
        for (feature, column) in features {
            builder = builder.coded(feature, column).map_err(defect)?;
        }
        let instances = L::attach(builder, &self.records.columns()[self.place]).map_err(|error| match error {
            ClassifyError::MissingLabel { row } => Error::NotSaid {
                what: format!(
                    "the target `{}`, record {}: a value is not a number",
                    self.name,
                    self.records.source(row)
                ),
                hint: "a regression predicts numbers; for names use ‹purpose classification›",
            },
            error => defect(error),
        })?;
        match instances.labels().strata().map_err(defect)?.names().len() {
            0..=MOST_CLASSES => Ok(instances),
            classes => Err(Error::NotSaid {
                what: format!(
                    "`{}` has {classes} classes, and models are trained for at most {MOST_CLASSES}",
                    self.name
                ),
                hint: "if it is a number, use ‹purpose regression›",
            }),
        }
    }
}

pub(super) fn defect(error: ClassifyError) -> Error {
    Error::Defect(error.to_string())
}

/// What a learner learns from, and what it is tested with.
pub(super) struct Parts<L> {
    pub(super) train: Instances<L>,
    pub(super) test: Instances<L>,
}

impl<L: Goal> Parts<L> {
    pub(super) fn new(table: &Instances<L>, fold: &Fold) -> Self {
        Parts { train: table.select(&fold.train), test: table.select(&fold.test) }
    }
}

/// The raw table as it is, and without the masked attributes.
pub(super) struct Raw<L> {
    pub(super) baseline: Instances<L>,
    pub(super) removed: Instances<L>,
}

impl<L: Goal> Raw<L> {
    /// Every learner's figures over all folds; `masked` gives the masked parts of each.
    pub(super) fn measure(
        &self,
        folds: &[Fold],
        learn: Learn,
        observer: &dyn Observer,
        mut masked: impl FnMut(&Fold) -> Result<Parts<L>, Error>,
    ) -> Result<Vec<Measure>, Error> {
        let learners = L::learners(learn);
        let mut scores: Vec<Vec<[Score; 3]>> = learners.iter().map(|_| Vec::new()).collect();
        for fold in folds {
            let parts = [Parts::new(&self.baseline, fold), masked(fold)?, Parts::new(&self.removed, fold)];
            if observer.cancelled() {
                return Err(Error::Interrupted);
            }
            observer.stage(Stage::Evaluate, None);
            let score = |learner: &Learner<L>| {
                let scores = parts.par_iter().map(|part| match observer.cancelled() {
                    true => Err(Error::Interrupted),
                    false => Ok(Score::of(learner, part)),
                });
                let scores = scores.collect::<Result<Vec<_>, Error>>()?;
                Ok([scores[0], scores[1], scores[2]])
            };
            let fold = learners.par_iter().map(score).collect::<Result<Vec<[Score; 3]>, Error>>()?;
            scores.iter_mut().zip(fold).for_each(|(all, fold)| all.push(fold));
        }
        Ok(learners.iter().zip(&scores).map(|(learner, scores)| measure(learner, scores)).collect())
    }
}

/// The figure of the learner that does best on these parts, lower where it is better: the error, or R² with its sign changed.
pub(super) fn best_figure<L: Goal>(parts: &[Parts<L>]) -> f64 {
    let figure = |learner: &Learner<L>| {
        let scores: Vec<Score> = parts.par_iter().map(|parts| Score::of(learner, parts)).collect();
        Score::mean(scores.iter()) * if learner.lower_is_better { 1.0 } else { -1.0 }
    };
    L::learners(Learn::Both).par_iter().map(figure).reduce(|| f64::INFINITY, f64::min)
}

#[derive(Clone, Copy)]
struct Score {
    figure: f64,
    records: usize,
}

impl Score {
    fn of<L: Goal>(learner: &Learner<L>, parts: &Parts<L>) -> Self {
        Score { figure: (learner.score)(&parts.train, &parts.test), records: parts.test.len() }
    }

    /// The mean over all test records: of errors, the share of all that were tested.
    fn mean<'a>(scores: impl Iterator<Item = &'a Score>) -> f64 {
        let sum = |(sum, records): (f64, usize), score: &Score| {
            (sum + score.figure * score.records as f64, records + score.records)
        };
        let (sum, records) = scores.fold((0.0, 0), sum);
        sum / records as f64
    }
}

fn measure<L>(learner: &Learner<L>, scores: &[[Score; 3]]) -> Measure {
    let [baseline, masked, removed] = [0, 1, 2].map(|view| Score::mean(scores.iter().map(|fold| &fold[view])));
    let worse = if learner.lower_is_better { 1.0 } else { -1.0 };
    let figures = |fold: &[Score; 3]| {
        let [baseline, masked, removed] = fold.map(|score| score.figure);
        FoldFigures { baseline, masked, removed }
    };
    Measure {
        name: learner.name,
        lower_is_better: learner.lower_is_better,
        baseline,
        masked,
        removed,
        cost: worse * (masked - baseline),
        benefit: worse * (removed - masked),
        per_fold: scores.iter().map(figures).collect(),
    }
}
