//! On which line do the values of an attribute lie, and where may it be cut?

use cutline_model::{Axis, Grain, Kind, Scale};

use crate::Error;
use crate::spec::AttributeSpec;

/// What a spec says of it, if it says anything.
pub(super) fn of(name: &str, spec: &AttributeSpec) -> Result<Option<Axis>, Error> {
    check(name, spec)?;
    let form = spec.date_format.clone();
    let scale = match spec.age_at {
        Some(at) => Scale::Ages { at, form },
        None if form.is_some() || spec.kind == Some(Kind::Date) => return Ok(Some(Axis::dates(Scale::Dates { form }))),
        None => Scale::Numbers,
    };
    let grain = match (&spec.bins, spec.round) {
        (Some(bins), _) => Grain::Bounds(bins.clone()),
        (None, Some(step)) => Grain::Step(step),
        (None, None) => Grain::Values,
    };
    Ok(Some(Axis { scale, grain, clamp: spec.clamp }).filter(|axis| *axis != Axis::PLAIN))
}

/// The word for what was said.
pub(super) fn said(axis: &Axis) -> &'static str {
    match (&axis.scale, &axis.grain) {
        (Scale::Ages { .. }, _) => "date to tell the age at",
        (Scale::Dates { .. }, _) => "kind of dates",
        (Scale::Numbers, Grain::Bounds(_)) => "list of bins",
        (Scale::Numbers, Grain::Step(_)) => "step to round to",
        (Scale::Numbers, _) => "bottom and top code",
    }
}

fn contradiction(what: String, hint: &str) -> Result<(), Error> {
    Err(Error::Contradiction { what, hint: hint.to_owned() })
}

/// Do two things that are said of the attribute contradict each other, or one itself?
fn check(name: &str, spec: &AttributeSpec) -> Result<(), Error> {
    let numbers = [
        (spec.bins.is_some(), "bins"),
        (spec.round.is_some(), "a step to round to"),
        (spec.clamp.is_some(), "a bottom and top code"),
        (spec.range.is_some(), "a range"),
    ];
    let of_numbers = numbers.into_iter().find(|(said, _)| *said).map(|(_, word)| word);
    let dates = spec.kind == Some(Kind::Date) || spec.date_format.is_some() || spec.age_at.is_some();
    if spec.taxonomy.is_some() && (dates || spec.bins.is_some() || spec.round.is_some() || spec.clamp.is_some()) {
        let what = format!("`{name}` has a taxonomy, and is also to be cut into intervals");
        return contradiction(what, "leave out one of them");
    }
    if let (Some(word), Some(Kind::Categorical)) = (of_numbers, spec.kind) {
        return contradiction(format!("`{name}` has {word}, but is declared categorical"), "leave out one of them");
    }
    if let (Some(Kind::Categorical | Kind::Continuous), true) = (spec.kind, dates) {
        return contradiction(
            format!("`{name}` is said to be a date, and also not to be one"),
            "leave out one of them",
        );
    }
    if let (Some(word), true, None) = (of_numbers, dates, spec.age_at) {
        let hint = "dates are cut where the calendar cuts; to publish ages, say ‹age-at NAME=DATE›";
        return contradiction(format!("`{name}` has {word}, but is a date"), hint);
    }
    check_grain(name, spec)
}

/// Bounds ascend, steps are positive, and nobody can have both.
fn check_grain(name: &str, spec: &AttributeSpec) -> Result<(), Error> {
    if spec.bins.is_some() && spec.round.is_some() {
        return contradiction(format!("`{name}` has bins and a step to round to"), "leave out one of them");
    }
    let ascending = |bins: &Vec<f64>| {
        !bins.is_empty() && bins.iter().all(|bound| bound.is_finite()) && bins.windows(2).all(|pair| pair[0] < pair[1])
    };
    if spec.bins.as_ref().is_some_and(|bins| !ascending(bins)) {
        let hint = "write ‹bins NAME=0,18,30,65› from the lowest to the highest";
        return contradiction(format!("the bounds of the bins of `{name}` do not ascend"), hint);
    }
    if spec.round.is_some_and(|step| !(step.is_finite() && step > 0.0)) {
        return contradiction(
            format!("`{name}` cannot be rounded to that"),
            "write ‹round NAME=STEP› with a step above 0",
        );
    }
    if spec.clamp.is_some_and(|(lower, upper)| !(lower.is_finite() && upper.is_finite() && lower < upper)) {
        let hint = "write ‹clamp NAME=LOW..HIGH› with LOW below HIGH";
        return contradiction(format!("the bottom code of `{name}` is not below its top code"), hint);
    }
    Ok(())
}
