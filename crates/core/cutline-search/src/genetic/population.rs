//! Candidates, best first.

use hashbrown::HashSet;

use super::evaluator::Fitness;
use super::genes::Chromosome;
use super::random::Random;

/// Distinct candidates in the order of their fitness; of equally fit ones, the one that was there first.
#[derive(Debug)]
pub(crate) struct Population {
    members: Vec<(Fitness, Chromosome)>,
    known: HashSet<Chromosome>,
    size: usize,
}

impl Population {
    /// An empty population that will have at most so many members.
    pub(crate) fn new(size: usize) -> Self {
        Population { members: Vec::with_capacity(size + 1), known: HashSet::new(), size }
    }

    pub(crate) fn best(&self) -> Option<&(Fitness, Chromosome)> {
        self.members.first()
    }

    /// What a newcomer must be better than.
    pub(crate) fn bound(&self) -> Option<Fitness> {
        (self.members.len() >= self.size).then(|| self.members.last().map(|member| member.0)).flatten()
    }

    /// Takes the candidate in if it is new and better than the worst, which has to go.
    pub(crate) fn insert(&mut self, fitness: Fitness, candidate: Chromosome) {
        let place = self.members.partition_point(|member| member.0.compare(&fitness).is_le());
        if place >= self.size || !self.known.insert(candidate.clone()) {
            return;
        }
        self.members.insert(place, (fitness, candidate));
        if self.members.len() > self.size
            && let Some((_, worst)) = self.members.pop()
        {
            self.known.remove(&worst);
        }
    }

    /// A parent, by rank: with a bias of 1.5 the best is chosen 1.5 times as often as the median (GENITOR's linear ranking).
    pub(crate) fn choose(&self, bias: f64, random: &mut Random) -> &Chromosome {
        let slope = 2.0 * (bias - 1.0);
        let rank = if slope > 0.0 {
            (bias - (bias * bias - 2.0 * slope * random.unit()).sqrt()) / slope
        } else {
            random.unit()
        };
        let place = (rank * self.members.len() as f64) as usize;
        &self.members[place.min(self.members.len() - 1)].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitness(loss: f64) -> Fitness {
        Fitness { excess: 0, loss }
    }

    fn bits(number: usize) -> Chromosome {
        (0..8).map(|bit| number >> bit & 1 == 1).collect()
    }

    #[test]
    fn the_worst_goes_and_duplicates_do_not_come() {
        let mut population = Population::new(2);
        population.insert(fitness(3.0), bits(3));
        population.insert(fitness(3.0), bits(3));
        assert_eq!(population.bound(), None);
        population.insert(fitness(1.0), bits(1));
        population.insert(fitness(2.0), bits(2));
        assert!(!population.known.contains(&bits(3)));
        population.insert(fitness(9.0), bits(9));
        assert_eq!((population.bound(), population.best().unwrap().0), (Some(fitness(2.0)), fitness(1.0)));
        let infeasible = Fitness { excess: 1, loss: 0.0 };
        assert!(infeasible.compare(&fitness(9.0)).is_gt());
    }

    #[test]
    fn better_ranks_are_chosen_more_often() {
        let mut population = Population::new(100);
        (0..100).for_each(|number| population.insert(fitness(number as f64), bits(number)));
        let mut random = Random::new(1);
        let mut chosen = [0u32; 4];
        for _ in 0..100_000 {
            let number: usize =
                population.choose(1.5, &mut random).iter().enumerate().map(|(bit, &set)| usize::from(set) << bit).sum();
            chosen[number / 25] += 1;
        }
        // Linear from 1.5 down to 0.5: quarters get 1.375, 1.125, 0.875, 0.625 of 25,000.
        for (count, expected) in chosen.iter().zip([34_375u32, 28_125, 21_875, 15_625]) {
            assert!(count.abs_diff(expected) < 600, "{chosen:?}");
        }
    }
}
