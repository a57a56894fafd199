//! What a linkage attack achieved.

use std::fmt;

use super::{Aligned, percent};
use crate::{AttackOutcome, ComparedOutcome, Inference, Matches, Narrowed, TruthOutcome};

/// An attack in plain words.
#[derive(Clone, Copy, Debug)]
pub struct AttackSummary<'a>(pub &'a AttackOutcome);

impl fmt::Display for AttackSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = self.0;
        writeln!(f, "attack on {} ({} groups of equal labels)", outcome.on.join(", "), outcome.groups)?;
        write!(f, "{}", distribution(outcome))?;
        writeln!(
            f,
            "best guess at a person's record: right with a chance of {} on average, {} at most",
            percent(outcome.expected_success),
            percent(outcome.highest_success)
        )?;
        if let Some(truth) = &outcome.truth {
            in_truth(truth, outcome.persons, f)?;
        }
        outcome.inferences.iter().try_for_each(|inference| inferred(inference, outcome.matched, f))
    }
}

/// How many persons match how many records, from the first to the last class that has any.
fn distribution(outcome: &AttackOutcome) -> Aligned {
    let row = |class: &Matches| {
        let share = class.persons as f64 / outcome.persons as f64;
        vec![range(class), class.persons.to_string(), percent(share)]
    };
    let classes = outcome.matches.iter().filter(|class| class.persons > 0);
    let matched = if outcome.counts_persons { "persons matched" } else { "records matched" };
    Aligned::new([matched, "persons", ""]).numbers(&[1, 2]).rows(classes.map(row))
}

fn range(class: &Matches) -> String {
    match class.to {
        Some(to) if to == class.from => to.to_string(),
        Some(to) => format!("{} to {to}", class.from),
        None => format!("{} or more", class.from),
    }
}

fn in_truth(truth: &TruthOutcome, persons: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(
        f,
        "in truth: {} of {persons} persons have a record, {} of them among those that they match; a random guess is right for {} of \
         all persons",
        truth.present,
        truth.among_matches,
        percent(truth.success)
    )
}

fn inferred(inference: &Inference, matched: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Inference { attribute, certain, .. } = inference;
    writeln!(
        f,
        "{attribute}: inferred with a confidence of {} on average, {} at most (without an attack {}); with certainty for {certain} of \
         {matched} persons",
        percent(inference.average_confidence),
        percent(inference.highest_confidence),
        percent(inference.base_rate)
    )?;
    let Some(truth) = inference.truth else { return Ok(()) };
    write!(
        f,
        "{attribute}: the inferred value is right for {} of the persons (without an attack {})",
        percent(truth.right),
        percent(truth.base_right)
    )?;
    if *certain > 0 {
        write!(f, ", and for {} of the {certain} certain ones", truth.certain_and_right)?;
    }
    writeln!(f)
}

/// What comparing several releases achieved: a line for each, by itself and together. `names` are those of the releases.
#[derive(Clone, Copy, Debug)]
pub struct ComparedSummary<'a> {
    /// What it came to.
    pub outcome: &'a ComparedOutcome,
    /// What the releases are called.
    pub names: &'a [String],
}

impl fmt::Display for ComparedSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ComparedOutcome { on, link, alone, together, .. } = self.outcome;
        writeln!(f, "attack on {}, records compared by {}", on.join(", "), link.join(", "))?;
        let row = |(name, (alone, together)): (&String, (&Narrowed, &Narrowed))| {
            let pairs =
                [(alone.fewest, together.fewest), (alone.found, together.found), (alone.certain, together.certain)];
            let numbers = pairs.iter().flat_map(|(alone, together)| [alone.to_string(), together.to_string()]);
            std::iter::once(name.clone()).chain(numbers).collect()
        };
        let heads = ["release", "fewest records", "compared", "persons found", "compared", "value certain", "compared"];
        let rows = self.names.iter().zip(alone.iter().zip(together)).map(row);
        write!(f, "{}", Aligned::new(heads).numbers(&[1, 2, 3, 4, 5, 6]).rows(rows))
    }
}
