//! Which records can be a person's, in two releases whose records agree in one of two values?
//!
//! Whoever has both releases knows everybody's trajectory: (their labels in the first, their labels in the second), or that they are not in
//! one. Let *x(t)* of the *n(t)* persons with trajectory *t* have the second value. A world is any *x* with 0 ≤ *x(t)* ≤ *n(t)* that gives
//! each group of each release as many records with that value as it has: a flow between the groups of the first release and those of the
//! second, of which the truth is one. Those who are not in a release are bound by none of its groups. So *x(t)* can become another number if
//! and only if it lies on a cycle of the residual graph: if its two ends are in one strongly connected component.
//!
//! With three values, or three releases, worlds are three-way tables with given margins, and to find one is hard in general.

use std::collections::BTreeMap;

/// Somebody's group in each of two releases; nothing where they are in none.
pub(super) type Trajectory = [Option<u32>; 2];

/// The groups of both releases as nodes; whoever is not in a release is at the first one.
const NOWHERE: usize = 0;

#[derive(Clone, Copy, Default)]
struct Persons {
    all: u64,
    /// Those whose records have the second value.
    second: u64,
}

/// True anonymity: the fewest records that can be somebody's, in a release that they are in.
pub(super) fn true_anonymity(persons: impl Iterator<Item = (Trajectory, bool)>) -> u64 {
    let mut by_trajectory: BTreeMap<Trajectory, Persons> = BTreeMap::new();
    for (trajectory, second) in persons.filter(|(trajectory, _)| trajectory.iter().any(Option::is_some)) {
        let own = by_trajectory.entry(trajectory).or_default();
        own.all += 1;
        own.second += u64::from(second);
    }
    let component = components(&by_trajectory);
    let mut records: BTreeMap<(usize, u32), Persons> = BTreeMap::new();
    for (trajectory, own) in &by_trajectory {
        for (release, group) in trajectory.iter().enumerate().filter_map(|(release, group)| Some((release, (*group)?)))
        {
            let group = records.entry((release, group)).or_default();
            group.all += own.all;
            group.second += own.second;
        }
    }
    let fewest = |(trajectory, own): (&Trajectory, &Persons)| {
        let varies = component[&node(0, trajectory)] == component[&node(1, trajectory)];
        let (first, second) = (own.second < own.all || varies, own.second > 0 || varies);
        let left = |group: &Persons| {
            let of_first = if first { group.all - group.second } else { 0 };
            of_first + if second { group.second } else { 0 }
        };
        let own = trajectory.iter().enumerate().filter_map(|(release, group)| Some((release, (*group)?)));
        own.map(|group| left(&records[&group])).min().unwrap_or(u64::MAX)
    };
    by_trajectory.iter().map(fewest).min().unwrap_or(0)
}

/// A group of a release, or that somebody is not in it.
type Node = Option<(usize, u32)>;

fn node(release: usize, trajectory: &Trajectory) -> Node {
    trajectory[release].map(|group| (release, group))
}

/// The strongly connected component of each group in the residual graph (Kosaraju's algorithm).
fn components(persons: &BTreeMap<Trajectory, Persons>) -> BTreeMap<Node, usize> {
    let mut number: BTreeMap<Node, usize> = BTreeMap::from([(None, NOWHERE)]);
    let mut ends = Vec::new();
    for (trajectory, own) in persons {
        let [from, to] = [0, 1].map(|release| {
            let next = number.len();
            *number.entry(node(release, trajectory)).or_insert(next)
        });
        ends.extend((own.second < own.all).then_some((from, to)));
        ends.extend((own.second > 0).then_some((to, from)));
    }
    let (mut forth, mut back) = (vec![Vec::new(); number.len()], vec![Vec::new(); number.len()]);
    for (from, to) in ends {
        forth[from].push(to);
        back[to].push(from);
    }
    let mut order = Vec::new();
    let mut seen = vec![false; number.len()];
    (0..number.len()).for_each(|start| visit(start, &forth, &mut seen, &mut order));
    let mut component = vec![0; number.len()];
    let mut seen = vec![false; number.len()];
    for &start in order.iter().rev() {
        let mut found = Vec::new();
        visit(start, &back, &mut seen, &mut found);
        found.into_iter().for_each(|node| component[node] = start);
    }
    number.into_iter().map(|(node, place)| (node, component[place])).collect()
}

/// Whatever can be reached and was not seen before, each after all that follows from it.
fn visit(start: usize, edges: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.pop() {
        match edges[node].get(next) {
            None => order.push(node),
            Some(&other) => {
                path.push((node, next + 1));
                if !std::mem::replace(&mut seen[other], true) {
                    path.push((other, 0));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::super::worlds::{Releases, Row};
    use super::*;

    #[test]
    fn flows_find_the_candidates_that_all_worlds_have() {
        let mut random = StdRng::seed_from_u64(1);
        let mut more = 0;
        for _ in 0..3000 {
            let mut group = |_| (random.random_range(0..4) > 0).then(|| random.random_range(0..3));
            let mut persons: Vec<(Trajectory, bool)> = (0..6).map(|_| ([0, 1].map(&mut group), false)).collect();
            persons.iter_mut().for_each(|(_, second)| *second = random.random_range(0..2) > 0);
            let row = |group: u32, second: bool| Row { labels: vec![group.to_string()], link: second.to_string() };
            let rows = |(trajectory, second): &(Trajectory, bool)| {
                trajectory.iter().map(|group| group.map(|group| row(group, *second))).collect()
            };
            let all = Releases { persons: persons.iter().map(rows).collect() };
            let found = true_anonymity(persons.iter().copied());
            assert_eq!(found as usize, all.true_anonymity(), "{persons:?}");
            more += usize::from(found as usize > all.joint_groups());
        }
        assert!(more > 50, "{more}: often more than those who share a trajectory");
    }
}
