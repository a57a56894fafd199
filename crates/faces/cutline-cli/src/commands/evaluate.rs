//! `cutline evaluate`.

use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use cutline::model::{Kind, Purpose, Share};
use cutline::spec::{IfMissing, PurposeKind, Spec};
use cutline::{Error, Job, Table, cores, source_options};
use cutline_report::text::EvaluationSummary;
use cutline_study::evaluate::{
    Evaluation, JobOptions, Learn, Measuring, PairOptions, Split, Tables, evaluate_job, evaluate_pair,
};

use super::verify::table_of;
use crate::args::{ClassifierArg, EvaluateArgs, SplitArgs};
use crate::database;
use crate::out;
use crate::progress::Progress;
use crate::settings::reason;

pub(crate) fn run(args: EvaluateArgs) -> Result<ExitCode, Error> {
    if let Some(masked) = &args.masked {
        database::check_ordered([&args.input, masked])?;
    }
    if let Some(clusters) = args.clusters {
        return super::clusters::evaluate(args, clusters);
    }
    let json = args.json;
    let title = args.input.clone();
    let progress = Progress::new(json);
    let evaluation = match args.masked.clone() {
        Some(masked) => pair(args, &masked, &progress),
        None => experiment(args, &progress),
    };
    progress.finish();
    let evaluation = evaluation?;
    if json {
        // Plain data: writing it as JSON cannot fail.
        out::print(format_args!("{}\n", serde_json::to_string_pretty(&evaluation).unwrap_or_default()))?;
    } else {
        out::print(EvaluationSummary { evaluation: &evaluation, title: &title })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The whole experiment on one table.
fn experiment(args: EvaluateArgs, progress: &Progress) -> Result<Evaluation, Error> {
    let said = args.settings.spec()?;
    if let Some(qid) = said.qid.iter().find(|qid| qid.k == 0) {
        return Err(Error::NotSaid {
            what: format!("the QID {{{}}} has no k", qid.attributes.join(", ")),
            hint: "write it as in --qid age,sex,zip:10; only two tables are compared without it",
        });
    }
    let is_spec = Path::new(&args.input).extension().is_some_and(|extension| extension == "toml");
    let mut spec = if is_spec { Spec::read(Path::new(&args.input))? } else { Spec::default() };
    if !is_spec {
        spec.input.path = Some(args.input.clone());
    }
    let spec = args.settings.over(spec)?;
    let measuring = Measuring { split: args.split.split(), seed: spec.search.seed.unwrap_or(0), learn: args.learn() };
    let database = database::open(&spec)?;
    let job = Job::new(spec)?;
    let engine = database.map_or_else(|| job.open(), |database| Ok(database.table()))?;
    evaluate_job(&job, &engine, &JobOptions { measuring, together: args.together }, progress)
}

/// Two tables, and two more to test with if they were given.
fn pair(args: EvaluateArgs, masked: &str, progress: &Progress) -> Result<Evaluation, Error> {
    let raw = args.input.clone();
    let test = args.split.test.clone().zip(args.split.masked_test.clone());
    let (split, learn) = (args.split.split(), args.learn());
    let spec = args.settings.spec()?;
    let threads = spec.search.threads.filter(|&threads| threads > 0).unwrap_or_else(cores);
    let open = |location: &str| {
        let location = table_of(Path::new(location))?.display().to_string();
        Table::open(&location, &source_options(&spec)?, threads)
    };
    let options = PairOptions {
        purpose: purpose(&spec)?,
        measuring: Measuring { split, seed: spec.search.seed.unwrap_or(0), learn },
        masked: spec.qid.iter().flat_map(|qid| qid.attributes.iter().cloned()).collect(),
        ignored: ignored(&spec),
        kinds: kinds(&spec),
        nulls: spec.input.null.clone(),
        missing: spec.input.missing.unwrap_or(IfMissing::Value),
        threads,
    };
    let (raw, masked) = (open(&raw)?, open(masked)?);
    let test = test.map(|(raw, masked)| Ok::<_, Error>((open(&raw)?, open(&masked)?))).transpose()?;
    let test = test.as_ref().map(|(raw, masked)| Tables { raw, masked });
    evaluate_pair(Tables { raw: &raw, masked: &masked }, test, &options, progress)
}

fn purpose(spec: &Spec) -> Result<Purpose, Error> {
    match (spec.purpose.target.clone(), spec.purpose.kind) {
        (None, _) => Err(Error::NotSaid {
            what: "nothing is said that a learner could predict".to_owned(),
            hint: "name an attribute that both tables have with --target",
        }),
        (Some(target), Some(PurposeKind::Regression)) => Ok(Purpose::Regression { target }),
        (Some(target), None | Some(PurposeKind::Classification)) => Ok(Purpose::Classification { target }),
        (Some(_), Some(_)) => Err(Error::Contradiction {
            what: "tables are compared for classification or for regression".to_owned(),
            hint: "leave out --purpose, or use --purpose regression for numbers".to_owned(),
        }),
    }
}

pub(super) fn ignored(spec: &Spec) -> Vec<String> {
    let identifiers = spec.attributes.iter().filter(|(_, attribute)| attribute.identifier.is_some());
    identifiers.map(|(name, _)| name.clone()).collect()
}

pub(super) fn kinds(spec: &Spec) -> HashMap<String, Kind> {
    spec.attributes.iter().filter_map(|(name, attribute)| Some((name.clone(), attribute.kind?))).collect()
}

impl EvaluateArgs {
    fn learn(&self) -> Learn {
        match self.classifier {
            ClassifierArg::Both => Learn::Both,
            ClassifierArg::C45 => Learn::C45,
            ClassifierArg::NaiveBayes => Learn::NaiveBayes,
        }
    }
}

impl SplitArgs {
    fn split(&self) -> Split {
        let third = Share::new(1.0 / 3.0).unwrap_or_default();
        match (self.train_records, self.folds) {
            (Some(train), _) => Split::TrainRecords(train),
            (None, Some(folds)) => Split::Folds(folds),
            (None, None) => Split::Holdout(self.holdout.unwrap_or(third)),
        }
    }
}

/// A QID with its k, or names alone: two tables are compared without one.
pub(crate) fn qid(text: &str) -> Result<String, String> {
    let check = |text: &str| Spec::default().set("qid", &text.into());
    let Err(error) = check(text) else { return Ok(text.to_owned()) };
    let alone = format!("{text}:0");
    check(&alone).map(|()| alone).map_err(|_| reason(&error))
}

/// A share, also written as a fraction.
pub(crate) fn share(text: &str) -> Result<Share, String> {
    let Some((part, whole)) = text.split_once('/') else {
        return text.parse().map_err(|error: <Share as FromStr>::Err| error.to_string());
    };
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let share =
        number(part).zip(number(whole)).and_then(|(part, whole)| Share::new(f64::from(part) / f64::from(whole)));
    share.ok_or_else(|| format!("`{text}` is no share; write it as in 1/3, 20% or 0.2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_may_be_fractions() {
        assert_eq!(share("1/3").unwrap().of(300), 100);
        assert_eq!(share("20%"), Ok(Share::new(0.2).unwrap()));
        for text in ["1/0", "3/2", "x/3", "1/3/4", "2", ""] {
            assert!(share(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_qid_may_be_names_alone() {
        let parsed = |text: &str| {
            let mut spec = Spec::default();
            spec.set("qid", &qid(text).ok()?[..].into()).ok()?;
            Some((spec.qid[0].attributes.len(), spec.qid[0].k))
        };
        assert_eq!((parsed("age,sex"), parsed("age,sex:10"), parsed("")), (Some((2, 0)), Some((2, 10)), None));
    }
}
