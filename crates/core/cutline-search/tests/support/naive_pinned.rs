//! Top-down search with pins, straight from their definition: what must be open is opened first, what is closed is left out.

use cutline_model::recoding::TOP;
use cutline_model::{Masking, Requirement};
use cutline_search::top_down::Score;
use cutline_search::{Outcome, Pins};

use super::Sample;
use super::naive::{Candidate, Naive, Piece, State, best};

/// Searches to the end; nothing if the requirement does not hold with what must be open.
pub(crate) fn search(sample: &Sample, requirement: &Requirement, score: Score, pins: &[Pins]) -> Option<Outcome> {
    let naive = Naive::new(sample, requirement, score);
    let mut state = naive.most_masked();
    for pins in pins {
        let attribute = sample.attributes.iter().position(|(name, _)| *name == pins.attribute).unwrap();
        while let Some((piece, into)) = forced(&naive, &sample.attributes[attribute].1, &state, (attribute, pins)) {
            state[attribute].splice(piece..=piece, into);
        }
    }
    if !naive.is_valid(&naive.anonymity(&state)) {
        return None;
    }
    let mut steps = Vec::new();
    let allowed = |candidate: &Candidate| naive.is_valid(&candidate.anonymity) && !is_closed(&naive, candidate, pins);
    while let Some(best) = best(naive.candidates(&state).into_iter().filter(allowed)) {
        steps.push(naive.step(steps.len() + 1, &best));
        state = best.after;
    }
    Some(naive.outcome(&state, steps))
}

/// The first piece that must still be opened, and what takes its place.
fn forced(
    naive: &Naive<'_>,
    masking: &Masking,
    state: &State,
    (attribute, pins): (usize, &Pins),
) -> Option<(usize, Vec<Piece>)> {
    let column = &naive.columns[attribute];
    state[attribute].iter().enumerate().find_map(|(at, piece)| {
        let members = column.members(&state[attribute], at);
        let mut ways = column.children(piece, &members).into_iter();
        let into = match (masking, piece) {
            (Masking::Generalize(taxonomy), Piece::Node(node)) => {
                let above =
                    |label: &String| taxonomy.ancestors(taxonomy.node(label).unwrap()).any(|other| other == *node);
                ways.next().filter(|_| !taxonomy.is_leaf(*node) && pins.open.iter().any(above))
            }
            (Masking::Suppress, Piece::Suppressed) => ways.find(|into| pins.open.contains(&column.label(&into[0]))),
            _ => None,
        };
        into.map(|into| (at, into))
    })
}

fn is_closed(naive: &Naive<'_>, candidate: &Candidate, pins: &[Pins]) -> bool {
    let column = &naive.columns[candidate.attribute];
    let Some(pins) = pins.iter().find(|pins| pins.attribute == column.name) else { return false };
    let all = pins.closed.iter().any(|label| label == TOP);
    match candidate.refined {
        Piece::Node(_) => pins.closed.contains(&column.label(&candidate.refined)),
        Piece::Suppressed => all || pins.closed.contains(&column.label(&candidate.into[0])),
        Piece::Interval { .. } => all,
        _ => false,
    }
}
