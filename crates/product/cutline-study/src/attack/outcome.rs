//! What an attack achieved. No value of any record is in it.

use cutline_report::{AttackOutcome, Matches};

use super::groups::Groups;
use super::persons::{Match, Persons};

/// The lower ends of the classes of [`AttackOutcome::matches`].
const FROM: [u64; 9] = [0, 1, 2, 5, 10, 20, 50, 100, 1000];

/// What comes of the matches.
pub(super) fn outcome(on: &[String], groups: &Groups, persons: &Persons, matches: &[Match]) -> AttackOutcome {
    let found = || matches.iter().zip(&persons.counts).filter(|(matched, _)| matched.members > 0);
    let matched: u64 = found().map(|(_, count)| count).sum();
    let fewest = found().map(|(matched, _)| matched.members).min().unwrap_or(0);
    let success: f64 = found().map(|(matched, &count)| count as f64 / matched.members as f64).sum();
    AttackOutcome {
        on: on.to_vec(),
        records: groups.sizes.iter().sum(),
        groups: groups.len() as u64,
        persons: persons.kind_of.len() as u64,
        counts_persons: groups.counts_persons(),
        matched,
        fewest,
        matches: distribution(persons, matches),
        expected_success: if matched == 0 { 0.0 } else { success / matched as f64 },
        highest_success: if fewest == 0 { 0.0 } else { 1.0 / fewest as f64 },
        truth: None,
        inferences: Vec::new(),
    }
}

fn distribution(persons: &Persons, matches: &[Match]) -> Vec<Matches> {
    let to = |class: usize| FROM.get(class + 1).map(|next| next - 1);
    let mut classes: Vec<Matches> =
        FROM.iter().enumerate().map(|(class, &from)| Matches { from, to: to(class), persons: 0 }).collect();
    for (matched, count) in matches.iter().zip(&persons.counts) {
        let class = FROM.partition_point(|&from| from <= matched.members) - 1;
        classes[class].persons += count;
    }
    classes
}
