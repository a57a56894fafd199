//! What the matching records tell about a person's sensitive values.

use std::collections::HashMap;

use cutline_engine::Records;

use super::groups::Groups;
use super::persons::Persons;
use super::tables::{Linkage, Sensitive};
use super::{Inference, InferenceTruth};

/// The inference about each sensitive attribute.
pub(super) fn all(tables: &Linkage, groups: &Groups, persons: &Persons) -> Vec<Inference> {
    let infer = |sensitive: &Sensitive| {
        let values = Values::new(&tables.released, sensitive.released, groups);
        let guess = |kind| values.most_frequent(persons.matched(kind, groups).groups.into_iter());
        let guesses: Vec<Guess> = (0..persons.counts.len()).map(guess).collect();
        let mut inference = inference(&sensitive.name, &values, &guesses, persons);
        inference.truth = sensitive.external.map(|place| truth(&tables.external, place, &values, &guesses, persons));
        inference
    };
    tables.sensitive.iter().map(infer).collect()
}

/// The values of a sensitive attribute in the released table.
struct Values<'a> {
    texts: Vec<Option<&'a str>>,
    /// (value, records) for each group.
    of_group: Vec<Vec<(u32, u64)>>,
    /// What one would guess of a person of whom nothing is known.
    base: Guess,
}

/// The most frequent value among some records.
#[derive(Clone, Copy, Debug, Default)]
struct Guess {
    value: u32,
    count: u64,
    records: u64,
}

impl Guess {
    fn confidence(self) -> f64 {
        if self.records == 0 { 0.0 } else { self.count as f64 / self.records as f64 }
    }

    fn is_certain(self) -> bool {
        self.records > 0 && self.count == self.records
    }
}

impl<'a> Values<'a> {
    /// Values are numbered in byte order, so that the first of equally frequent ones is the same whatever the order of records.
    fn new(released: &'a Records, place: usize, groups: &Groups) -> Self {
        let column = &released.columns()[place];
        let mut order: Vec<usize> = (0..column.texts.len()).collect();
        order.sort_unstable_by(|&a, &b| column.texts[a].cmp(&column.texts[b]));
        let mut rank = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&code, value)| rank[code] = value);
        let ranks = column.codes.iter().map(|&code| rank[code as usize]);
        let mut pairs: Vec<(u32, u32)> = groups.of_record.iter().copied().zip(ranks).collect();
        pairs.sort_unstable();
        let mut of_group = vec![Vec::new(); groups.len()];
        for run in pairs.chunk_by(|a, b| a == b) {
            of_group[run[0].0 as usize].push((run[0].1, run.len() as u64));
        }
        let texts = order.iter().map(|&code| column.texts[code].as_deref()).collect();
        let mut values = Values { texts, of_group, base: Guess::default() };
        values.base = values.most_frequent(0..groups.len() as u32);
        values
    }

    fn most_frequent(&self, groups: impl Iterator<Item = u32>) -> Guess {
        let mut counts: Vec<(u32, u64)> =
            groups.flat_map(|group| self.of_group[group as usize].iter().copied()).collect();
        counts.sort_unstable();
        let mut best = Guess::default();
        for run in counts.chunk_by(|a, b| a.0 == b.0) {
            let count = run.iter().map(|(_, count)| count).sum();
            best.records += count;
            if count > best.count {
                (best.value, best.count) = (run[0].0, count);
            }
        }
        best
    }
}

/// The figures over all persons who match any record.
fn inference(attribute: &str, values: &Values<'_>, guesses: &[Guess], persons: &Persons) -> Inference {
    let told = || guesses.iter().zip(&persons.counts).filter(|(guess, _)| guess.records > 0);
    let matched: u64 = told().map(|(_, count)| count).sum();
    let sum: f64 = told().map(|(guess, &count)| guess.confidence() * count as f64).sum();
    Inference {
        attribute: attribute.to_owned(),
        base_rate: values.base.confidence(),
        average_confidence: if matched == 0 { 0.0 } else { sum / matched as f64 },
        highest_confidence: told().map(|(guess, _)| guess.confidence()).fold(0.0, f64::max),
        certain: told().filter(|(guess, _)| guess.is_certain()).map(|(_, count)| count).sum(),
        truth: None,
    }
}

/// Compares with what the external table says itself.
fn truth(
    external: &Records,
    place: usize,
    values: &Values<'_>,
    guesses: &[Guess],
    persons: &Persons,
) -> InferenceTruth {
    let column = &external.columns()[place];
    let numbers: HashMap<Option<&str>, u32> = values.texts.iter().copied().zip(0..).collect();
    let own: Vec<Option<u32>> = column.texts.iter().map(|text| numbers.get(&text.as_deref()).copied()).collect();
    let mut truth = InferenceTruth::default();
    let (mut right, mut base) = (0_u64, 0_u64);
    for (&code, &kind) in column.codes.iter().zip(&persons.kind_of) {
        let guess = guesses[kind as usize];
        if guess.records == 0 {
            continue;
        }
        let is = |value: u32| own[code as usize] == Some(value);
        truth.persons += 1;
        right += u64::from(is(guess.value));
        base += u64::from(is(values.base.value));
        truth.certain_and_right += u64::from(guess.is_certain() && is(guess.value));
    }
    if truth.persons > 0 {
        truth.right = right as f64 / truth.persons as f64;
        truth.base_right = base as f64 / truth.persons as f64;
    }
    truth
}
