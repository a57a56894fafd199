//! `cutline attack`.

use std::path::Path;
use std::process::ExitCode;

use cutline::attack::{Attack, Inference, Matches, Outcome, TruthOutcome};
use cutline::engine::Embedded;
use cutline::engine::source;
use cutline::model::Recoding;
use cutline::model::recoding::Unknown;
use cutline::{Error, cores, give_taxonomy, read_text, source_options};
use serde_json::json;

use super::verify::table_of;
use crate::args::AttackArgs;
use crate::names;
use crate::progress::Progress;
use crate::table::aligned;

pub(crate) fn run(args: AttackArgs) -> Result<ExitCode, Error> {
    let recoding = recoding(&args)?;
    let spec = args.read.spec()?;
    let open = |location: &str| {
        let location = table_of(Path::new(location)).display().to_string();
        let source = source::open(&location, &source_options(&spec)?)?;
        Ok::<_, Error>(Embedded::new(source, location, args.threads.unwrap_or_else(cores)))
    };
    let (released, external) = (open(&args.released)?, open(&args.external)?);
    let progress = Progress::new(args.json);
    let attack = |on: Vec<String>| {
        let attack = Attack {
            on,
            truth: args.truth.clone(),
            sensitive: args.sensitive.iter().flat_map(|names| names::list(names)).collect(),
            recoding: recoding.clone(),
            nulls: spec.input.null.clone(),
        };
        attack.run(&released, &external, &progress)
    };
    let attacked = attacked(&args, recoding.as_ref());
    warn_of_private(recoding.as_ref(), &attacked);
    let outcomes = attacked.into_iter().map(attack).collect::<Result<Vec<_>, _>>();
    progress.finish();
    let outcomes = outcomes?;
    if args.json {
        println!("{:#}", json!({ "attacks": outcomes }));
    } else {
        println!("{}: {} records", args.released, outcomes[0].records);
        println!("{}: {} persons", args.external, outcomes[0].persons);
        outcomes.iter().for_each(|outcome| print!("\n{}", summary(outcome)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The recoding that was named, or that of a release.
fn recoding(args: &AttackArgs) -> Result<Option<Recoding>, Error> {
    let own = Path::new(&args.released).join("recoding.json");
    let path = args.recoding.clone().or_else(|| own.is_file().then_some(own));
    let Some(path) = path else {
        return match args.taxonomy.first() {
            None => Ok(None),
            Some(_) => Err(Error::NotSaid {
                what: "a taxonomy is given, but no recoding that has a private one".to_owned(),
                hint: "name the release, or its recoding.json with --recoding",
            }),
        };
    };
    let recoding = Recoding::from_json(&read_text(&path)?);
    let mut recoding = recoding.map_err(|source| Error::Recoding { path, source })?;
    for (name, file) in &args.taxonomy {
        // Were labels that the taxonomy lacks let through, the attack with a wrong one would find nothing, and seem harmless.
        give_taxonomy(&mut recoding, name, Path::new(file), Unknown::Error)?;
    }
    Ok(Some(recoding))
}

/// An attack by somebody who knows less than the publisher finds less: that must not be taken for the whole risk.
fn warn_of_private(recoding: Option<&Recoding>, attacked: &[Vec<String>]) {
    for name in recoding.iter().flat_map(|recoding| &recoding.private_taxonomies) {
        let tells =
            recoding.and_then(|recoding| recoding.attributes.get(name)).is_some_and(|one| one.labels().len() > 1);
        if tells && attacked.iter().any(|on| on.contains(name)) {
            eprintln!(
                "note: the taxonomy of `{name}` is private, so its values match any label; whoever has it or guesses it learns more: \
                 see that with --taxonomy {name}=FILE"
            );
        }
    }
}

/// The columns of each attack: at least one, if only to say that there are none.
fn attacked(args: &AttackArgs, recoding: Option<&Recoding>) -> Vec<Vec<String>> {
    let named: Vec<Vec<String>> = args.on.iter().map(|names| names::list(names)).collect();
    let qids = recoding.iter().flat_map(|recoding| &recoding.requirement.qids).map(|qid| qid.attributes.clone());
    let attacked: Vec<Vec<String>> = if named.is_empty() { qids.collect() } else { named };
    if attacked.is_empty() { vec![Vec::new()] } else { attacked }
}

fn summary(outcome: &Outcome) -> String {
    let mut text = format!("attack on {} ({} groups of equal labels)\n", outcome.on.join(", "), outcome.groups);
    text += &distribution(outcome);
    text += &format!(
        "best guess at a person's record: right with a chance of {} on average, {} at most\n",
        percent(outcome.expected_success),
        percent(outcome.highest_success)
    );
    text += &outcome.truth.map(|truth| truth_line(&truth, outcome.persons)).unwrap_or_default();
    outcome.inferences.iter().for_each(|inference| text += &inferred(inference, outcome.matched));
    text
}

/// How many persons match how many records, from the first to the last class that has any.
fn distribution(outcome: &Outcome) -> String {
    let mut rows = vec![["records matched", "persons", ""].map(str::to_owned).to_vec()];
    for class in outcome.matches.iter().filter(|class| class.persons > 0) {
        let share = class.persons as f64 / outcome.persons as f64;
        rows.push(vec![range(class), class.persons.to_string(), percent(share)]);
    }
    aligned(&rows, &[1, 2])
}

fn range(class: &Matches) -> String {
    match class.to {
        Some(to) if to == class.from => to.to_string(),
        Some(to) => format!("{} to {to}", class.from),
        None => format!("{} or more", class.from),
    }
}

fn truth_line(truth: &TruthOutcome, persons: u64) -> String {
    format!(
        "in truth: {} of {persons} persons have a record, {} of them among those that they match; a random guess is right for {} of \
         all persons\n",
        truth.present,
        truth.among_matches,
        percent(truth.success)
    )
}

fn inferred(inference: &Inference, matched: u64) -> String {
    let Inference { attribute, certain, .. } = inference;
    let mut text = format!(
        "{attribute}: inferred with a confidence of {} on average, {} at most (without an attack {}); with certainty for {certain} of \
         {matched} persons\n",
        percent(inference.average_confidence),
        percent(inference.highest_confidence),
        percent(inference.base_rate)
    );
    if let Some(truth) = inference.truth {
        text += &format!(
            "{attribute}: the inferred value is right for {} of the persons (without an attack {})",
            percent(truth.right),
            percent(truth.base_right)
        );
        if *certain > 0 {
            text += &format!(", and for {} of the {certain} certain ones", truth.certain_and_right);
        }
        text.push('\n');
    }
    text
}

/// A share in per cent, with two decimals where that says anything.
fn percent(share: f64) -> String {
    if share == 0.0 || share == 1.0 { format!("{} %", share * 100.0) } else { format!("{:.2} %", share * 100.0) }
}
