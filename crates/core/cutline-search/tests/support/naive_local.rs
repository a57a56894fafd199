//! Local refinement as it is defined, record by record.

use std::collections::{BTreeMap, BTreeSet};

use cutline_model::recoding::Local;
use cutline_model::{Masking, NodeId, Taxonomy};
use cutline_table::LabelKind;

use super::Cell;
use super::guarded::Guarded;

/// What is known of an attribute in a group.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    /// Numbers and missing values.
    Anything,
    /// Values from one to another, by their order in the table.
    Numbers(usize, usize),
    Node(NodeId),
    Others(usize),
    Told,
}

#[derive(Clone)]
struct Group {
    records: Vec<usize>,
    known: Vec<Known>,
    budget: u64,
}

struct Candidate {
    gain: f64,
    parts: Vec<Group>,
}

struct Naive<'a> {
    guarded: &'a Guarded,
    local: Local,
    /// The history of each record.
    histories: &'a [usize],
    /// The numbers of each attribute, ascending.
    numbers: Vec<Vec<f64>>,
    price: f64,
}

/// The groups that local refinement ends with, as sets of records, and how many refinements it took.
pub(crate) fn groups(guarded: &Guarded, local: Local) -> (BTreeSet<Vec<usize>>, usize) {
    groups_after(guarded, local, &vec![0; guarded.case.sample.records.len()])
}

/// The same where earlier releases tell of the records: those of each history in a group must satisfy the requirement.
pub(crate) fn groups_after(guarded: &Guarded, local: Local, histories: &[usize]) -> (BTreeSet<Vec<usize>>, usize) {
    let sample = &guarded.case.sample;
    let numbers = |a: usize| {
        let texts = sample.records.iter().filter_map(|record| record.quasi[a].as_ref());
        let mut numbers: Vec<f64> = texts.filter_map(|text| text.parse().ok()).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        numbers
    };
    let all: Vec<usize> = (0..sample.records.len()).collect();
    let numbers = (0..sample.attributes.len()).map(numbers).collect();
    let mut naive = Naive { guarded, local, histories, numbers, price: 0.0 };
    naive.price = match sample.label {
        LabelKind::None => sample.attributes.len() as f64,
        _ => naive.impurity(&all),
    };
    let known = (0..sample.attributes.len()).map(|a| naive.whole(a)).collect();
    let mut open = vec![Group { records: all, known, budget: guarded.limit }];
    let (mut done, mut steps) = (BTreeSet::new(), 0);
    while let Some(group) = open.pop() {
        let k = guarded.case.requirement.qids()[0].k;
        let depth = if (group.records.len() as u64) < 64 * k { 3 } else { 2 };
        match naive.promising(&group, depth) {
            None => {
                done.insert(group.records);
            }
            Some((_, best)) => {
                steps += 1;
                open.extend(best.parts);
            }
        }
    }
    (done, steps)
}

impl Naive<'_> {
    fn cell(&self, a: usize, record: usize) -> Option<&String> {
        self.guarded.case.sample.records[record].quasi[a].as_ref()
    }

    fn has_missing(&self, a: usize) -> bool {
        (0..self.guarded.case.sample.records.len()).any(|record| self.cell(a, record).is_none())
    }

    fn taxonomy(&self, a: usize) -> Option<&Taxonomy> {
        match &self.guarded.case.sample.attributes[a].1 {
            Masking::Generalize(taxonomy) => Some(taxonomy),
            _ => None,
        }
    }

    fn whole(&self, a: usize) -> Known {
        match &self.guarded.case.sample.attributes[a].1 {
            Masking::Generalize(taxonomy) => Known::Node(taxonomy.root()),
            Masking::Suppress => Known::Others(0),
            Masking::Discretize { .. } if self.has_missing(a) => Known::Anything,
            Masking::Discretize { .. } => Known::Numbers(0, self.numbers[a].len()),
        }
    }

    /// The entropy of the classes, or the variance of the numbers.
    fn impurity(&self, records: &[usize]) -> f64 {
        let sample = &self.guarded.case.sample;
        let targets: Vec<&Cell> = records.iter().map(|&record| &sample.records[record].target).collect();
        match sample.label {
            LabelKind::Numbers => {
                let numbers: Vec<f64> =
                    targets.iter().flat_map(|cell| cell.as_ref()).map(|text| text.parse().unwrap()).collect();
                let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
                numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / numbers.len().max(1) as f64
            }
            _ => {
                let mut counts: BTreeMap<&Cell, f64> = BTreeMap::new();
                targets.into_iter().for_each(|target| *counts.entry(target).or_default() += 1.0);
                counts.values().map(|count| -count / records.len() as f64 * (count / records.len() as f64).log2()).sum()
            }
        }
    }

    /// Records that count for the impurity: of numbers those that are known.
    fn weight(&self, records: &[usize]) -> f64 {
        let sample = &self.guarded.case.sample;
        let counts = |record: &&usize| sample.label != LabelKind::Numbers || sample.records[**record].target.is_some();
        records.iter().filter(counts).count() as f64
    }

    /// LM of an entry.
    fn loss(&self, a: usize, known: &Known) -> f64 {
        let missing = usize::from(self.has_missing(a));
        let share = |behind: usize, all: usize| if all > 1 { (behind as f64 - 1.0) / (all as f64 - 1.0) } else { 0.0 };
        match known {
            Known::Told => 0.0,
            Known::Anything => 1.0,
            Known::Numbers(from, to) => {
                let numbers = &self.numbers[a];
                let all = numbers.last().unwrap_or(&0.0) - numbers.first().unwrap_or(&0.0);
                if from < to && all > 0.0 { (numbers[to - 1] - numbers[*from]) / all } else { 0.0 }
            }
            Known::Node(node) => {
                let taxonomy = self.taxonomy(a).unwrap();
                let root = if *node == taxonomy.root() { missing } else { 0 };
                share(taxonomy.leaf_range(*node).len() + root, taxonomy.leaves().len() + missing)
            }
            Known::Others(told) => {
                let records = 0..self.guarded.case.sample.records.len();
                let values: BTreeSet<Option<&String>> = records.map(|record| self.cell(a, record)).collect();
                share(values.len() - told, values.len())
            }
        }
    }

    fn holds(&self, records: &[usize]) -> bool {
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        records.iter().for_each(|&record| parts.entry(self.histories[record]).or_default().push(record));
        !parts.is_empty() && parts.values().all(|part| self.part_holds(part))
    }

    fn part_holds(&self, records: &[usize]) -> bool {
        let k = self.guarded.case.requirement.qids()[0].k;
        let rule = |(at, rule): &(usize, super::rules::Rule)| {
            let cells = &self.guarded.sensitive[*at].1;
            let group: Vec<&Cell> = records.iter().map(|&record| &cells[record]).collect();
            rule.holds(&group, &cells.iter().collect::<Vec<_>>())
        };
        records.len() as u64 >= k && self.guarded.rules[0].iter().all(rule)
    }

    /// What a split of a group gains, whether it is valid or not.
    fn gain(&self, group: &Group, a: usize, parts: &[(Vec<usize>, Known)]) -> f64 {
        match self.guarded.case.sample.label {
            LabelKind::None => {
                let before = self.loss(a, &group.known[a]);
                let narrower =
                    |(records, known): &(Vec<usize>, Known)| records.len() as f64 * (before - self.loss(a, known));
                parts.iter().map(narrower).sum::<f64>() / group.records.len() as f64
            }
            _ => {
                let within = |(records, _): &(Vec<usize>, Known)| self.weight(records) * self.impurity(records);
                let all = self.weight(&group.records).max(1.0);
                self.impurity(&group.records) - parts.iter().map(within).sum::<f64>() / all
            }
        }
    }

    /// A split of a group by an attribute, if it is valid and beneficial.
    fn candidate(&self, group: &Group, a: usize, parts: Vec<(Vec<usize>, Known)>) -> Option<Candidate> {
        let parts: Vec<(Vec<usize>, Known)> = parts.into_iter().filter(|(records, _)| !records.is_empty()).collect();
        let hidden: usize =
            parts.iter().filter(|(records, _)| !self.holds(records)).map(|(records, _)| records.len()).sum();
        let gain = self.gain(group, a, &parts);
        let gain = gain - self.price * hidden as f64 / group.records.len() as f64;
        let valid = hidden as u64 <= group.budget && hidden < group.records.len();
        let left = group.budget.checked_sub(hidden as u64)?;
        let published = (group.records.len() - hidden) as u64;
        let part = |(records, known): (Vec<usize>, Known)| {
            let budget = left * records.len() as u64 / published.max(1);
            let mut all = group.known.clone();
            all[a] = known;
            Group { records, known: all, budget }
        };
        let parts = parts.into_iter().filter(|(records, _)| self.holds(records)).map(part).collect();
        (valid && gain > 1e-12).then_some(Candidate { gain, parts })
    }

    /// Splits the records by what is said of each.
    fn split(
        &self,
        group: &Group,
        a: usize,
        known: Vec<Known>,
        part: impl Fn(Option<&String>) -> usize,
    ) -> Option<Candidate> {
        let mut parts: Vec<(Vec<usize>, Known)> = known.into_iter().map(|known| (Vec::new(), known)).collect();
        group.records.iter().for_each(|&record| parts[part(self.cell(a, record))].0.push(record));
        self.candidate(group, a, parts)
    }

    fn number(text: Option<&String>) -> f64 {
        text.unwrap().parse().unwrap()
    }

    fn at(&self, group: &Group, a: usize, (from, to): (usize, usize), middle: usize) -> Option<Candidate> {
        let bound = self.numbers[a][middle];
        let known = vec![Known::Numbers(from, middle), Known::Numbers(middle, to)];
        self.split(group, a, known, |text| usize::from(Self::number(text) >= bound))
    }

    /// Where all groups split a run of numbers: where the records of the whole table that have them gain most.
    fn middle(&self, a: usize, (from, to): (usize, usize)) -> usize {
        let all = 0..self.guarded.case.sample.records.len();
        let inside = |record: &usize| {
            let cell = self.cell(a, *record);
            cell.is_some_and(|_| (self.numbers[a][from]..=self.numbers[a][to - 1]).contains(&Self::number(cell)))
        };
        let mut known: Vec<Known> = (0..self.numbers.len()).map(|a| self.whole(a)).collect();
        known[a] = Known::Numbers(from, to);
        let group = Group { records: all.filter(inside).collect(), known, budget: 0 };
        let gain = |middle: usize| {
            let below = |record: &usize| Self::number(self.cell(a, *record)) < self.numbers[a][middle];
            let (left, right): (Vec<usize>, Vec<usize>) = group.records.iter().partition(|record| below(record));
            self.gain(&group, a, &[(left, Known::Numbers(from, middle)), (right, Known::Numbers(middle, to))])
        };
        (from + 1..to)
            .reduce(|best, other| if gain(other) > gain(best) + 1e-9 * gain(best).abs() { other } else { best })
            .unwrap()
    }

    fn of_attribute(&self, group: &Group, a: usize) -> Option<Candidate> {
        let cells: BTreeSet<Option<&String>> = group.records.iter().map(|&record| self.cell(a, record)).collect();
        match group.known[a].clone() {
            Known::Told => None,
            Known::Anything => {
                let known = vec![Known::Numbers(0, self.numbers[a].len()), Known::Told];
                if cells.len() < 2 || !cells.contains(&None) {
                    return self.below_anything(group, a, &cells);
                }
                self.split(group, a, known, |text| usize::from(text.is_none()))
            }
            Known::Numbers(from, to) => self.of_numbers(group, a, (from, to)),
            Known::Node(node) => self.of_node(group, a, node),
            Known::Others(told) if cells.len() > 1 => {
                let tell = |value: &Option<&String>| {
                    self.split(group, a, vec![Known::Told, Known::Others(told + 1)], |text| usize::from(text != *value))
                };
                // Missing values come last.
                let (missing, values): (Vec<_>, Vec<_>) = cells.iter().partition(|value| value.is_none());
                best(values.iter().chain(&missing).map(tell))
            }
            Known::Others(_) => None,
        }
    }

    /// Labels go down where no record is elsewhere.
    fn below_anything(&self, group: &Group, a: usize, cells: &BTreeSet<Option<&String>>) -> Option<Candidate> {
        if cells.contains(&None) { None } else { self.of_numbers(group, a, (0, self.numbers[a].len())) }
    }

    fn of_numbers(&self, group: &Group, a: usize, (mut from, mut to): (usize, usize)) -> Option<Candidate> {
        if self.local == Local::Free {
            let present = |&middle: &usize| {
                let here = |&record: &usize| Self::number(self.cell(a, record)) == self.numbers[a][middle];
                let below = |&record: &usize| Self::number(self.cell(a, record)) < self.numbers[a][middle];
                group.records.iter().any(here) && group.records.iter().any(below)
            };
            return best((from + 1..to).filter(present).map(|middle| self.at(group, a, (from, to), middle)));
        }
        let numbers: Vec<f64> = group.records.iter().map(|&record| Self::number(self.cell(a, record))).collect();
        while to - from > 1 {
            let middle = self.middle(a, (from, to));
            let bound = self.numbers[a][middle];
            match numbers.iter().filter(|&&number| number < bound).count() {
                0 => from = middle,
                all if all == numbers.len() => to = middle,
                _ => return self.at(group, a, (from, to), middle),
            }
        }
        None
    }

    fn of_node(&self, group: &Group, a: usize, mut node: NodeId) -> Option<Candidate> {
        let taxonomy = self.taxonomy(a).unwrap();
        loop {
            let children = taxonomy.children(node);
            if children.is_empty() {
                return None;
            }
            let child = |text: Option<&String>| {
                let leaf = text.and_then(|text| taxonomy.node(text));
                let has =
                    |child: &NodeId| leaf.is_some_and(|leaf| taxonomy.ancestors(leaf).any(|above| above == *child));
                children.iter().position(has).unwrap_or(children.len())
            };
            let places: BTreeSet<usize> = group.records.iter().map(|&record| child(self.cell(a, record))).collect();
            match (places.len(), places.first()) {
                (1, Some(&place)) if place < children.len() => node = children[place],
                (1, _) => return None,
                _ => {
                    let known = children.iter().map(|&child| Known::Node(child)).chain([Known::Told]).collect();
                    return self.split(group, a, known, child);
                }
            }
        }
    }

    fn promising(&self, group: &Group, depth: usize) -> Option<(f64, Candidate)> {
        let mut found: Vec<Candidate> = (0..group.known.len()).filter_map(|a| self.of_attribute(group, a)).collect();
        let mut looked_at = Vec::new();
        while looked_at.len() < 3 && !found.is_empty() {
            let best = (0..found.len())
                .reduce(|best, other| if higher(found[other].gain, found[best].gain) { other } else { best });
            looked_at.push(found.remove(best.unwrap()));
        }
        if depth == 1 || looked_at.len() == 1 {
            return looked_at.into_iter().next().map(|best| (best.gain, best));
        }
        let promise = |candidate: Candidate| {
            let then = |part: &Group| {
                let gain = self.promising(part, depth - 1).map_or(0.0, |(gain, _)| gain);
                gain * part.records.len() as f64 / group.records.len() as f64
            };
            (candidate.gain + candidate.parts.iter().map(then).sum::<f64>(), candidate)
        };
        looked_at.into_iter().map(promise).reduce(|best, other| if higher(other.0, best.0) { other } else { best })
    }
}

fn higher(one: f64, other: f64) -> bool {
    one - other > 1e-10 * one.abs().max(other.abs())
}

/// The first of the best.
fn best(candidates: impl Iterator<Item = Option<Candidate>>) -> Option<Candidate> {
    candidates.flatten().reduce(|best, other| if higher(other.gain, best.gain) { other } else { best })
}
