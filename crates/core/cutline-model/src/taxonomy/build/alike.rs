//! Which values do records of alike classes have?
//!
//! Agglomerative, by information: at each step the two groups are put together whose union loses the least information about the
//! class. The loss is counted in records, so that rare values are put together early, whatever they are.
//!
//! Among equal losses (values whose records have the same shares of classes, which rare values often do) the two groups with the
//! fewest records together come first. Otherwise one group would take in the others one by one, and its tree would be a chain.

/// Counts of each class among the records of a value.
type Counts = Vec<u64>;

/// Two groups that are put together. Groups are numbered: first the values, then the results of the merges in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Merge {
    /// The group with the first value (in the order given).
    pub(super) first: usize,
    /// The other one.
    pub(super) second: usize,
}

/// What decides between two pairs: information lost, records, positions.
type Key = (f64, u64, usize, usize);

fn before(one: &Key, other: &Key) -> bool {
    one.0.total_cmp(&other.0).then_with(|| (one.1, one.2, one.3).cmp(&(other.1, other.2, other.3))).is_lt()
}

/// Puts all values together, two groups at a time: one merge less than there are values.
///
/// Each group keeps its best partner among the later ones. A merge changes the losses of one group only; others look for a new partner
/// only if they lost theirs.
pub(super) fn merges(values: &[Counts]) -> Vec<Merge> {
    let mut state = State::new(values);
    let mut merges = Vec::with_capacity(values.len().saturating_sub(1));
    while let Some((_, _, first, second)) = state.best() {
        merges.push(Merge { first: state.groups[first].number, second: state.groups[second].number });
        state.merge(first, second, values.len() + merges.len() - 1);
    }
    merges
}

struct Group {
    /// The group's number in a [`Merge`].
    number: usize,
    counts: Counts,
    records: u64,
    /// [`bits`] of the counts.
    bits: f64,
}

impl Group {
    fn new(number: usize, counts: Counts) -> Self {
        Group { number, records: counts.iter().sum(), bits: bits(&counts), counts }
    }
}

/// Groups are at the position of their first value; positions of groups that are no longer there are not in `alive`.
struct State {
    groups: Vec<Group>,
    alive: Vec<usize>,
    /// What merging two positions loses: at `first * values + second`, where `first` is the smaller one.
    losses: Vec<f64>,
    partner: Vec<Option<Key>>,
}

impl State {
    fn new(values: &[Counts]) -> Self {
        let groups: Vec<Group> =
            values.iter().enumerate().map(|(number, counts)| Group::new(number, counts.clone())).collect();
        let count = groups.len();
        let mut losses = vec![0.0; count * count];
        for first in 0..count {
            for second in first + 1..count {
                losses[first * count + second] = loss(&groups[first], &groups[second]);
            }
        }
        let mut state = State { groups, alive: (0..count).collect(), losses, partner: vec![None; count] };
        (0..count).for_each(|position| state.find_partner(position));
        state
    }

    fn key(&self, first: usize, second: usize) -> Key {
        let records = self.groups[first].records + self.groups[second].records;
        (self.losses[first * self.groups.len() + second], records, first, second)
    }

    fn best(&self) -> Option<Key> {
        let partners = self.alive.iter().filter_map(|&position| self.partner[position]);
        partners.reduce(|best, key| if before(&key, &best) { key } else { best })
    }

    fn find_partner(&mut self, position: usize) {
        let later = &self.alive[self.alive.partition_point(|&other| other <= position)..];
        let keys = later.iter().map(|&other| self.key(position, other));
        self.partner[position] = keys.reduce(|best, key| if before(&key, &best) { key } else { best });
    }

    fn merge(&mut self, first: usize, second: usize, number: usize) {
        let counts = self.groups[first].counts.iter().zip(&self.groups[second].counts).map(|(a, b)| a + b).collect();
        self.groups[first] = Group::new(number, counts);
        self.alive.retain(|&position| position != second);
        let (count, merged) = (self.groups.len(), &self.groups[first]);
        for &other in self.alive.iter().filter(|&&other| other != first) {
            self.losses[first.min(other) * count + first.max(other)] = loss(merged, &self.groups[other]);
        }
        for index in 0..self.alive.len() {
            self.update_partner(self.alive[index], first, second);
        }
    }

    /// A partner after `first` and `second` were merged.
    fn update_partner(&mut self, position: usize, first: usize, second: usize) {
        let lost = self.partner[position].is_some_and(|(_, _, _, partner)| partner == first || partner == second);
        if lost || position == first {
            self.find_partner(position);
        } else if position < first {
            let key = self.key(position, first);
            if self.partner[position].is_none_or(|partner| before(&key, &partner)) {
                self.partner[position] = Some(key);
            }
        }
    }
}

/// The information about the class that is lost if two groups can no longer be told apart: that of their union, less their own.
fn loss(one: &Group, other: &Group) -> f64 {
    let union: Counts = one.counts.iter().zip(&other.counts).map(|(a, b)| a + b).collect();
    let together = bits(&union);
    let lost = together - (one.bits + other.bits);
    // Of equal shares nothing is lost, whatever is left by rounding.
    if lost <= together * 1e-12 { 0.0 } else { lost }
}

/// Records times the entropy of their classes.
fn bits(counts: &[u64]) -> f64 {
    let term = |count: u64| if count == 0 { 0.0 } else { count as f64 * (count as f64).log2() };
    term(counts.iter().sum()) - counts.iter().map(|&count| term(count)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by its definition: all pairs are looked at before every step.
    fn naive(values: &[Counts]) -> Vec<Merge> {
        let mut groups: Vec<(usize, Counts)> = values.iter().cloned().enumerate().collect();
        let mut merges = Vec::new();
        while groups.len() > 1 {
            let mut best: Option<Key> = None;
            for first in 0..groups.len() {
                for second in first + 1..groups.len() {
                    let (one, other) = (&groups[first].1, &groups[second].1);
                    let lost = loss(&Group::new(0, one.clone()), &Group::new(0, other.clone()));
                    let records = one.iter().chain(other).sum();
                    let key = (lost, records, first, second);
                    if best.is_none_or(|best| before(&key, &best)) {
                        best = Some(key);
                    }
                }
            }
            let (_, _, first, second) = best.unwrap();
            let (number, counts) = groups.remove(second);
            merges.push(Merge { first: groups[first].0, second: number });
            groups[first].1.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            groups[first].0 = values.len() + merges.len() - 1;
        }
        merges
    }

    /// Records times the mutual information of the value (one of two) and the class.
    fn mutual_information(one: &[u64], other: &[u64]) -> f64 {
        let all = one.iter().chain(other).sum::<u64>() as f64;
        let mut information = 0.0;
        for row in [one, other] {
            let records = row.iter().sum::<u64>() as f64;
            for (class, &count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
                let of_class = (one[class] + other[class]) as f64;
                information += count as f64 * (count as f64 * all / (records * of_class)).log2();
            }
        }
        information
    }

    #[test]
    fn values_of_alike_classes_come_together_first() {
        let values = [vec![90, 10], vec![10, 90], vec![88, 12], vec![15, 85]];
        assert_eq!(
            merges(&values),
            [Merge { first: 0, second: 2 }, Merge { first: 1, second: 3 }, Merge { first: 4, second: 5 }]
        );
    }

    #[test]
    fn equal_losses_make_no_chain() {
        let values = vec![vec![3, 0]; 8];
        let merges = merges(&values);
        let mut depth = vec![0; 8];
        merges.iter().for_each(|merge| depth.push(1 + depth[merge.first].max(depth[merge.second])));
        assert_eq!(depth.last(), Some(&3));
        assert_eq!(super::merges(&[vec![1, 2]]), []);
        assert_eq!(super::merges(&[]), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_fast_way_agrees_with_the_definition(
            values in (1_usize..4).prop_flat_map(|classes| {
                prop::collection::vec(prop::collection::vec(0_u64..6, classes), 0..14)
            })
        ) {
            prop_assert_eq!(merges(&values), naive(&values));
        }

        #[test]
        fn the_loss_is_the_mutual_information(
            pairs in prop::collection::vec((0_u64..1000, 0_u64..1000), 1..6)
        ) {
            let (one, other): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            let lost = loss(&Group::new(0, one.clone()), &Group::new(1, other.clone()));
            prop_assert!((lost - mutual_information(&one, &other)).abs() < 1e-6 * (1.0 + lost));
        }
    }
}
