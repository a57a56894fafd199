//! The tables of the papers, and how one is evaluated.

use std::fs;
use std::path::{Path, PathBuf};

use cutline::model::{Kind, Qid, Role};
use cutline::spec::{Algorithm, IfMissing, Spec};
use cutline::{Error, Job, Silent};
use cutline_study::evaluate::{Evaluation, JobOptions, Learn, Measure, Measuring, Split, evaluate_job};
use tempfile::TempDir;

use crate::attributes::generalizing;
use crate::enlarge::{self, Novelty};

const RECORDS: usize = 45_222;
const TRAINING: usize = 30_162;
/// Quick mode takes every tenth record of Adult.
const STRIDE: usize = 10;
/// The numbers of CRX; some of them are written with leading zeros.
const CRX_NUMBERS: [&str; 6] = ["A2", "A3", "A8", "A11", "A14", "A15"];

/// A table and what the papers predict in it.
pub(crate) struct Table {
    path: PathBuf,
    target: &'static str,
    /// The attributes, without the target.
    attributes: Vec<String>,
    numbers: &'static [&'static str],
    /// The first records train.
    pub(crate) train: usize,
}

/// All tables. Adult is put together in a temporary folder.
pub(crate) struct Data {
    pub(crate) quick: bool,
    pub(crate) folder: TempDir,
    /// Training and test part, complete records only.
    pub(crate) adult: Table,
    /// The training part alone.
    pub(crate) adult_train: Table,
    pub(crate) crx: Table,
    pub(crate) german: Table,
}

/// How categorical attributes are masked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Categories {
    /// Generalized along the taxonomies.
    Generalized,
    /// Single values are suppressed.
    Suppressed,
}

impl Data {
    pub(crate) fn new(quick: bool) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(defect)?;
        let (all, part) = (folder.path().join("adult.csv"), folder.path().join("adult-train.csv"));
        enlarge::write(RECORDS, 0, Novelty::Any, 0, &all).map_err(defect)?;
        let text = fs::read_to_string(&all).map_err(defect)?;
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let step = if quick { STRIDE } else { 1 };
        let lines: Vec<&str> = lines.collect();
        let (train, test) = lines.split_at(TRAINING.min(lines.len()));
        let train: Vec<&str> = train.iter().copied().step_by(step).collect();
        let test: Vec<&str> = test.iter().copied().step_by(step).collect();
        let write = |path: &Path, parts: &[&[&str]]| {
            fs::write(path, [&[header][..], &parts.concat()[..]].concat().join("\n") + "\n").map_err(defect)
        };
        write(&all, &[&train, &test])?;
        write(&part, &[&train])?;
        let adult =
            |path| Table { path, target: "income", attributes: names(header), numbers: &[], train: train.len() };
        let crx = (1..=15).map(|number| format!("A{number}")).collect();
        let set = |name: &str| datasets().join(name);
        Ok(Data {
            quick,
            adult: adult(all),
            adult_train: adult(part),
            // The paper's parts: the first 490 records, of which 465 are complete, and the other 200.
            crx: Table {
                path: set("crx/crx.csv.gz"),
                target: "class",
                attributes: crx,
                numbers: &CRX_NUMBERS,
                train: 465,
            },
            german: Table {
                path: set("german/german.csv.gz"),
                target: "class",
                attributes: Vec::new(),
                numbers: &[],
                train: 666,
            },
            folder,
        })
    }

    /// All of `full`, or in quick mode only `few`.
    pub(crate) fn pick<T: Copy>(&self, full: &[T], few: &[T]) -> Vec<T> {
        if self.quick { few.to_vec() } else { full.to_vec() }
    }
}

fn names(header: &str) -> Vec<String> {
    let mut names: Vec<String> = header.split(',').map(str::to_owned).collect();
    names.pop();
    names
}

impl Table {
    /// A requirement of one QID.
    pub(crate) fn spec(&self, qid: &[&str], k: u64) -> Spec {
        self.spec_of(vec![Qid::new(qid.iter().map(|&name| name.to_owned()).collect(), k)])
    }

    /// Any requirement. What is not said otherwise is the papers' top-down refinement.
    pub(crate) fn spec_of(&self, qids: Vec<Qid>) -> Spec {
        let mut spec = Spec::default();
        spec.input.path = Some(self.path.to_string_lossy().into_owned());
        spec.input.null = vec!["?".to_owned()];
        spec.input.missing = Some(IfMissing::Complete);
        spec.purpose.target = Some(self.target.to_owned());
        spec.search.algorithm = Some(Algorithm::Tdr);
        spec.qid = qids;
        for &name in self.numbers {
            spec.attributes.entry(name.to_owned()).or_default().kind = Some(Kind::Continuous);
        }
        spec
    }

    /// Leaves all attributes but these and the target out of the table, so that no classifier sees them.
    pub(crate) fn only(&self, spec: &mut Spec, kept: &[&str]) {
        for name in self.attributes.iter().filter(|name| !kept.contains(&&name[..])) {
            spec.attributes.entry(name.clone()).or_default().role = Some(Role::Identifier);
        }
    }

    /// Training and test part, masked together as in the papers on top-down refinement.
    pub(crate) fn together(&self, learn: Learn) -> JobOptions {
        JobOptions { measuring: measuring(Split::TrainRecords(self.train), learn), together: true }
    }
}

impl Table {
    /// The recoding is learned from the training part alone, and applied to the test part.
    pub(crate) fn honest(&self, learn: Learn) -> JobOptions {
        JobOptions { together: false, ..self.together(learn) }
    }
}

/// How to measure, with the seed that all experiments have.
pub(crate) fn measuring(split: Split, learn: Learn) -> Measuring {
    Measuring { split, seed: 1, learn }
}

/// The job of a spec.
pub(crate) fn job(spec: Spec, categories: Categories) -> Result<Job, Error> {
    match categories {
        Categories::Generalized => generalizing(spec),
        Categories::Suppressed => Job::new(spec),
    }
}

/// Masks, learns and tests.
pub(crate) fn evaluate(spec: Spec, categories: Categories, options: &JobOptions) -> Result<Evaluation, Error> {
    let job = job(spec, categories)?;
    evaluate_job(&job, &job.open()?, options, &Silent)
}

/// One learner's figures in percent.
#[derive(Clone, Copy)]
pub(crate) struct Errors {
    pub(crate) baseline: f64,
    pub(crate) removed: f64,
    pub(crate) masked: f64,
    pub(crate) cost: f64,
}

impl Errors {
    /// Those of the learner at this place: C4.5 comes first, then Naive Bayes.
    pub(crate) fn of(evaluation: &Evaluation, learner: usize) -> Result<Self, Error> {
        let measure = evaluation.measures.get(learner).ok_or_else(|| defect("a learner is missing"))?;
        let Measure { baseline, removed, masked, cost, .. } = *measure;
        let [baseline, removed, masked, cost] = [baseline, removed, masked, cost].map(|share| 100.0 * share);
        Ok(Errors { baseline, removed, masked, cost })
    }

    /// Baseline, removed, masked, cost.
    pub(crate) fn cells(&self) -> [String; 4] {
        let Errors { baseline, removed, masked, cost } = self;
        [format!("{baseline:.2}"), format!("{removed:.2}"), format!("{masked:.2}"), format!("{cost:+.2}")]
    }
}

/// How many records were tested.
pub(crate) fn tested(evaluation: &Evaluation) -> u64 {
    evaluation.parts.iter().map(|part| part.test).sum()
}

/// The share of records that were suppressed, in percent.
pub(crate) fn suppressed(evaluation: &Evaluation, together: bool) -> f64 {
    let searched = |part: &cutline_study::evaluate::Part| if together { part.train + part.test } else { part.train };
    let (hidden, all) =
        evaluation.parts.iter().fold((0, 0), |(hidden, all), part| (hidden + part.suppressed, all + searched(part)));
    100.0 * hidden as f64 / all.max(1) as f64
}

/// The largest of some figures.
pub(crate) fn largest(figures: impl IntoIterator<Item = f64>) -> f64 {
    figures.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// Something that cannot happen with the tables of this repository.
pub(crate) fn defect(what: impl ToString) -> Error {
    Error::Defect(what.to_string())
}

/// The data sets of the repository that `cargo run` runs in; of that the program was built in, if it is started by itself.
fn datasets() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&folder).join("../../../datasets")
}
