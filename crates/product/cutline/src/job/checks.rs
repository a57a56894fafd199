//! What does not go together, said before anything is read.

use cutline_model::recoding::Local;
use cutline_model::{Identifier, Kind, Purpose, Requirement, Role};

use super::attribute::coded;
use crate::Error;
use crate::screen::Depth;
use crate::spec::{self, Algorithm, AttributeSpec, Spec};

/// Is each group refined by itself?
pub(super) fn local(spec: &Spec, purpose: &Purpose, requirement: &Requirement) -> Result<Option<Local>, Error> {
    let Some(said) = spec.search.local else {
        return match spec.search.flatten {
            Some(true) => Err(Error::Contradiction {
                what: "labels are to be flattened, yet a value has one label wherever it stands".to_owned(),
                hint: "say ‹local nested› or ‹local free›, or take back ‹flatten›".to_owned(),
            }),
            _ => Ok(None),
        };
    };
    if let Some(algorithm) = spec.search.algorithm.filter(|algorithm| *algorithm != Algorithm::Refine) {
        return Err(Error::Contradiction {
            what: format!("local refinement is a search of its own, yet the algorithm is `{algorithm}`"),
            hint: "take back ‹algorithm› or ‹local›".to_owned(),
        });
    }
    if spec.weight.is_some() {
        return Err(Error::Contradiction {
            what: "local refinement counts records, each as one, yet there is a ‹weight›".to_owned(),
            hint: "take back ‹local› or ‹weight›".to_owned(),
        });
    }
    if spec.search.flatten == Some(true) && spec.input.unknown == Some(spec::IfUnknown::Root) {
        return Err(Error::Contradiction {
            what:
                "values that no taxonomy has are attached to its root, and flattened labels cannot keep them together"
                    .to_owned(),
            hint: "add them to the taxonomy, or take back ‹flatten›".to_owned(),
        });
    }
    if matches!(purpose, Purpose::Clustering { .. }) {
        return Err(Error::Contradiction {
            what: "clusters are found in tables where a value has the same label wherever it stands".to_owned(),
            hint: "take back ‹local›".to_owned(),
        });
    }
    let hidden = |said: &spec::AttributeSpec| {
        let coded = said.taxonomy.as_deref().and_then(|path| coded(path).ok().flatten());
        said.private == Some(true) || coded.is_some()
    };
    if let Some((name, _)) = spec.attributes.iter().find(|(_, said)| hidden(said)) {
        return Err(Error::Contradiction {
            what: format!("the taxonomy of `{name}` is private, and regions tell of it what groups show"),
            hint: "take back ‹local›".to_owned(),
        });
    }
    if requirement.qids().len() > 1 {
        return Err(Error::Contradiction {
            what: "there are several QIDs, and groups of one cut across those of another: they cannot be refined by themselves"
                .to_owned(),
            hint: "take back ‹local›, or put all quasi attributes into one QID".to_owned(),
        });
    }
    Ok(Some(match said {
        spec::Local::Nested => Local::Nested,
        spec::Local::Free => Local::Free,
    }))
}

/// Several releases are published together, or not at all.
pub(super) fn check_one(spec: &Spec) -> Result<(), Error> {
    match spec.release.len() {
        0 => Ok(()),
        releases => Err(Error::Contradiction {
            what: format!("the spec describes {releases} releases of the table, and one is asked for"),
            hint: "publish all of them together: only together are they safe".to_owned(),
        }),
    }
}

/// A target is published as it is. In a QID it would be masked, and the purpose would lose what it is about.
pub(super) fn check_targets(spec: &Spec, purpose: &Purpose, requirement: &Requirement) -> Result<(), Error> {
    let masked = requirement.attributes();
    let mut targets =
        purpose.target().into_iter().chain(spec.purpose.further.iter().map(|further| &further.target[..]));
    let Some(target) = targets.find(|target| masked.contains(target)) else { return Ok(()) };
    if spec.purpose.allow_target_in_qid == Some(true) {
        return Ok(());
    }
    Err(Error::Contradiction {
        what: format!("the target `{target}` is also in a QID"),
        hint: "attributes of a QID are masked, and a masked target can no longer be predicted; take it out of the QID, or if an \
               attacker knows it too and you accept that, add ‹allow-target-in-qid›"
            .to_owned(),
    })
}

/// Who a record is about is no attribute that is masked, predicted or watched.
pub(super) fn check_person(spec: &Spec, requirement: &Requirement) -> Result<(), Error> {
    let Some(person) = spec.person.as_deref() else { return Ok(()) };
    if requirement.attributes().contains(&person) {
        return Err(Error::Contradiction {
            what: format!("`{person}` says which person a record is about, but it is also in a QID"),
            hint: "take it out of the QID: it is not published, so nobody can link it".to_owned(),
        });
    }
    if requirement.sensitive().contains(&person) {
        return Err(Error::Contradiction {
            what: format!("`{person}` says which person a record is about, but there is also a condition on it"),
            hint: "take back the condition: every group has k different persons anyway".to_owned(),
        });
    }
    Ok(())
}

/// Weights are neither masked nor predicted.
pub(super) fn check_weight(spec: &Spec, purpose: &Purpose, requirement: &Requirement) -> Result<(), Error> {
    let Some(weight) = spec.weight.as_deref() else { return Ok(()) };
    let dropped = spec
        .attributes
        .get(weight)
        .is_some_and(|attribute| attribute.identifier.is_some() || attribute.role == Some(Role::Identifier));
    let instead = if requirement.attributes().contains(&weight) {
        "in a QID"
    } else if purpose.target() == Some(weight) {
        "the target"
    } else if dropped {
        "an identifier"
    } else {
        return Ok(());
    };
    Err(Error::Contradiction {
        what: format!("`{weight}` has survey weights, but is also {instead}"),
        hint: "take back one of them; a recipient needs the weights".to_owned(),
    })
}

/// Refuses a spec that asks for figures that there cannot be.
pub(super) fn check_evaluate(spec: &Spec, purpose: &Purpose, requirement: &Requirement) -> Result<(), Error> {
    if spec.output.evaluate != Some(true) {
        return Ok(());
    }
    if purpose.target().is_none() {
        return Err(Error::NotSaid {
            what: "‹evaluate› needs a target, and nothing is said that a model could predict".to_owned(),
            hint: "name an attribute with ‹target›, or publish without ‹evaluate›; what happens to clusters is told anyway",
        });
    }
    predicted(purpose, requirement).map(|_| ())
}

/// Where no record may be drawn, there is nothing to cluster and nothing to learn from.
pub(super) fn check_sample(spec: &Spec, purpose: &Purpose) -> Result<(), Error> {
    let clusters = matches!(purpose, Purpose::Clustering { .. });
    match spec.output.sample == Some(false) && (clusters || spec.output.evaluate == Some(true)) {
        false => Ok(()),
        true => Err(Error::Contradiction {
            what: "clusters and models are made of drawn records, and ‹no-sample› says that none may be drawn"
                .to_owned(),
            hint: "take back ‹no-sample›, or ask for neither".to_owned(),
        }),
    }
}

/// What is looked for in published columns.
pub(super) fn depth(spec: &Spec) -> Depth {
    match (spec.output.sample, spec.output.screen) {
        (Some(false), _) => Depth::Counts,
        (_, Some(false)) => Depth::Identifiers,
        _ => Depth::Everything,
    }
}

/// Only what goes down from the top can begin somewhere and leave something closed.
pub(super) fn check_pins(spec: &Spec) -> Result<(), Error> {
    let pinned = spec.attributes.values().any(|said| !(said.open.is_empty() && said.closed.is_empty()));
    if pinned && spec.search.local.is_some() {
        return Err(Error::Contradiction {
            what: "the line is pinned, and local refinement goes below it".to_owned(),
            hint: "take back ‹local›, or what is pinned".to_owned(),
        });
    }
    match spec.search.algorithm {
        Some(algorithm @ (Algorithm::BottomUp | Algorithm::Genetic)) if pinned => Err(Error::Contradiction {
            what: format!("the line is pinned, and {algorithm} draws it as it likes"),
            hint: "use ‹algorithm tdr›, tds or refine, or take back what is pinned".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// The attribute that is predicted, if there is one and it is published as it is.
pub(super) fn predicted<'a>(purpose: &'a Purpose, requirement: &Requirement) -> Result<&'a str, Error> {
    let Some(target) = purpose.target() else {
        return Err(Error::NotSaid {
            what: "nothing is said that a learner could predict".to_owned(),
            hint: "name an attribute with ‹target›",
        });
    };
    if requirement.attributes().contains(&target) {
        return Err(Error::Contradiction {
            what: format!("the target `{target}` is also in a QID, so it would be masked itself"),
            hint: "figures for a masked target cannot be compared with others; take it out of the QID".to_owned(),
        });
    }
    Ok(target)
}

/// A key is for tokens and for moved dates.
pub(super) fn check_tokens(spec: &Spec) -> Result<(), Error> {
    let keyed = |how| matches!(how, Some(Identifier::Tokenize | Identifier::Shift));
    let keyed = spec.attributes.values().any(|said| keyed(said.identifier));
    match spec.output.token_key.is_some() && !keyed {
        false => Ok(()),
        true => Err(Error::Contradiction {
            what: "there is a key of tokens, but no column is to have any".to_owned(),
            hint: "name one with ‹tokenize›, or leave out ‹token-key›".to_owned(),
        }),
    }
}

/// Dates are moved by person, and are published as dates.
pub(super) fn check_shift(spec: &Spec) -> Result<(), Error> {
    let contradiction = |what: String, hint: &str| Err(Error::Contradiction { what, hint: hint.to_owned() });
    let moved = |said: &AttributeSpec| said.identifier == Some(Identifier::Shift);
    for (name, said) in spec.attributes.iter().filter(|(_, said)| moved(said)) {
        match spec.person.as_ref() {
            None => {
                let hint = "name the column that tells persons apart with ‹person›";
                return contradiction(
                    format!("the dates of `{name}` are to be moved, and nobody said whose they are"),
                    hint,
                );
            }
            Some(person) if person == name => {
                let hint = "name a column of dates with ‹shift›";
                return contradiction(format!("`{name}` says whose record each is, so it has no dates to move"), hint);
            }
            Some(_) if said.age_at.is_some() => {
                let hint = "put it into a QID to publish ages, or take back ‹age-at›";
                return contradiction(format!("the dates of `{name}` are moved, and published as dates"), hint);
            }
            Some(_) if matches!(said.kind, Some(Kind::Categorical | Kind::Continuous)) => {
                let hint = "leave out one of them";
                return contradiction(
                    format!("the dates of `{name}` are to be moved, but it is said to have none"),
                    hint,
                );
            }
            Some(_) => {}
        }
    }
    Ok(())
}
