//! Genetic search (2002): all cuts and all interval end points at once, for the least loss by a usage-based metric.
//!
//! A candidate is a string of bits that says where neighbouring values are told apart. Its groups smaller than k are suppressed,
//! and the loss counts that. A population of candidates evolves: two parents, chosen by rank, are crossed, their children mutated
//! and repaired, and a child that is better than the worst takes its place (GENITOR).
//!
//! | file | answers |
//! | --- | --- |
//! | `genes` | What do the bits mean, and which are valid? |
//! | `objective` | What is minimized? |
//! | `params` | What can be set, and what makes sense? |
//! | `evaluator` | How good is a candidate? (`majority`, `dispersion`: the metrics; `tally`, `columns`: the same where groups are few) |
//! | `population` | Who survives, and who has children? |

mod columns;
mod dispersion;
mod evaluator;
mod genes;
mod majority;
mod objective;
mod params;
mod population;
mod random;
mod tally;

use cutline_model::AttributeRecoding;
use cutline_table::Masked;
use hashbrown::HashMap;
use rayon::prelude::*;

use crate::top_down::TopDown;
use crate::{Control, Improvement, Outcome, Problem, Search, Step, Stopped};
use evaluator::{Evaluator, Fitness};
use genes::{Chromosome, Genes};
pub use objective::{Dispersion, Metric, Objective, Term};
pub use params::{GeneticParams, MetricKind, ParamsError, SETTINGS};
use population::Population;
use random::Random;

/// Genetic search.
#[derive(Clone, Debug, PartialEq)]
pub struct Genetic {
    /// What is minimized; by default the metric that fits the table's label.
    pub objective: Option<Objective>,
    /// Candidates that live at a time.
    pub population: usize,
    /// Candidates that are evaluated.
    pub iterations: usize,
    /// The probability that a bit of a child is changed; by default such that one is changed on average.
    pub mutation: Option<f64>,
    /// How much more often the best is chosen as a parent than the median: 1 (not at all) to 2.
    pub bias: f64,
    /// For everything that is left to chance.
    pub seed: u64,
    /// Does the result of top-down refinement belong to the first candidates?
    pub seeded: bool,
}

impl Default for Genetic {
    fn default() -> Self {
        Genetic {
            objective: None,
            population: 200,
            iterations: 50_000,
            mutation: None,
            bias: 1.5,
            seed: 0,
            seeded: true,
        }
    }
}

/// Children that are made before the population changes. They are evaluated on all cores; the number is the same on any machine,
/// so that the result is, too.
const BROOD: usize = 32;

/// Evaluated candidates are remembered up to so many bits in all.
const REMEMBERED: usize = 1 << 26;

impl Search for Genetic {
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        let seed = self.seeded.then(|| {
            let quiet = Control { max_steps: None, stop: control.stop, progress: &|_| {} };
            // Without suppression: what a refinement may suppress it would, whatever it costs.
            let strict = problem.clone().suppressing(0, problem.how());
            TopDown::default().search(&strict, &quiet).recoding
        });
        let genes = Genes::new(problem, seed.as_deref());
        let chosen = || Objective::of_labels(&problem.table().labels);
        let objective = self.objective.clone().unwrap_or_else(chosen);
        let evaluator = Evaluator::new(problem, &genes, &objective);
        let seed = seed.and_then(|recoding| seed_bits(problem, &genes, &recoding));
        Evolution::new(self, &genes, &evaluator).run(seed, control)
    }
}

fn seed_bits(problem: &Problem<'_>, genes: &Genes<'_>, recoding: &[AttributeRecoding]) -> Option<Chromosome> {
    // A recoding of this very table has a label for each of its values.
    let masked = Masked::new(problem.table(), recoding).ok()?;
    Some(genes.encode(&masked, recoding))
}

/// A run of the search.
struct Evolution<'a> {
    settings: &'a Genetic,
    genes: &'a Genes<'a>,
    evaluator: &'a Evaluator<'a>,
    random: Random,
    population: Population,
    /// The fitness of candidates seen before; nothing for those that were not worth evaluating, and never will be.
    seen: HashMap<Chromosome, Option<Fitness>>,
    evaluations: usize,
    steps: Vec<Step>,
}

impl<'a> Evolution<'a> {
    fn new(settings: &'a Genetic, genes: &'a Genes<'a>, evaluator: &'a Evaluator<'a>) -> Self {
        Evolution {
            settings,
            genes,
            evaluator,
            random: Random::new(settings.seed),
            population: Population::new(settings.population.max(2)),
            seen: HashMap::new(),
            evaluations: 0,
            steps: Vec::new(),
        }
    }

    fn run(mut self, seed: Option<Chromosome>, control: &Control<'_>) -> Outcome {
        // The most masked candidate is always feasible: from here on there is something to publish.
        self.welcome([self.genes.top()].into_iter().chain(seed).collect(), control);
        let mut stopped = Stopped::Complete;
        while self.evaluations < self.settings.iterations && self.genes.len() > 0 {
            if let Some(reason) = control.stopped(self.steps.len()) {
                stopped = reason;
                break;
            }
            let mut brood =
                if self.evaluations < self.settings.population { self.strangers() } else { self.children() };
            brood.truncate(self.settings.iterations - self.evaluations);
            self.welcome(brood, control);
        }
        let best = self.population.best().map_or_else(|| self.genes.top(), |best| best.1.clone());
        let standing = self.evaluator.standing(&best);
        Outcome {
            recoding: self.genes.recoding(&best),
            regions: None,
            steps: self.steps,
            stopped,
            anonymity: standing.anonymity,
        }
    }

    /// Random candidates for the first population, from a few distinctions to many.
    fn strangers(&mut self) -> Vec<Chromosome> {
        let stranger = |_| {
            let density = self.random.unit().powi(3);
            let mut bits: Chromosome = (0..self.genes.len()).map(|_| self.random.chance(density)).collect();
            self.genes.repair(&mut bits);
            bits
        };
        (0..BROOD).map(stranger).collect()
    }

    /// Parents are chosen by rank; each pair has two children.
    fn children(&mut self) -> Vec<Chromosome> {
        let mut brood = Vec::with_capacity(BROOD);
        while brood.len() < BROOD {
            let (mut one, mut other) = (self.parent(), self.parent());
            self.cross(&mut one, &mut other);
            brood.extend([one, other]);
        }
        for child in &mut brood {
            self.genes.repair(child);
            self.mutate(child);
        }
        brood
    }

    fn parent(&mut self) -> Chromosome {
        self.population.choose(self.settings.bias, &mut self.random).clone()
    }

    /// Exchanges the bits between two places.
    fn cross(&mut self, one: &mut Chromosome, other: &mut Chromosome) {
        let (a, b) = (self.random.below(one.len() + 1), self.random.below(one.len() + 1));
        let between = a.min(b)..a.max(b);
        one[between.clone()].swap_with_slice(&mut other[between]);
    }

    fn mutate(&mut self, child: &mut Chromosome) {
        let rate = self.settings.mutation.unwrap_or(1.0 / child.len() as f64);
        for at in 0..child.len() {
            if self.random.chance(rate) {
                self.genes.flip(child, at, &mut self.random);
            }
        }
    }

    /// Evaluates a brood on all cores, then lets its members into the population one after the other.
    fn welcome(&mut self, brood: Vec<Chromosome>, control: &Control<'_>) {
        let bound = self.population.bound();
        let known = |child: &Chromosome| self.seen.get(child).copied();
        let evaluate =
            |child: &Chromosome| known(child).unwrap_or_else(|| self.evaluator.evaluate(child, bound.as_ref()));
        let fitness: Vec<Option<Fitness>> = brood.par_iter().map(evaluate).collect();
        self.evaluations += brood.len();
        if self.seen.len().saturating_mul(self.genes.len()) > REMEMBERED {
            self.seen.clear();
        }
        for (child, fitness) in brood.into_iter().zip(fitness) {
            self.seen.insert(child.clone(), fitness);
            let Some(fitness) = fitness else { continue };
            let improves = self.population.best().is_none_or(|best| fitness.compare(&best.0).is_lt());
            if improves {
                // No better candidate is let in after the last step that was asked for.
                if control.max_steps.is_some_and(|limit| self.steps.len() >= limit) {
                    return;
                }
                self.report(&child, &fitness, control);
            }
            self.population.insert(fitness, child);
        }
    }

    fn report(&mut self, child: &Chromosome, fitness: &Fitness, control: &Control<'_>) {
        let standing = self.evaluator.standing(child);
        let step = Step::Improvement(Improvement {
            step: self.steps.len() + 1,
            evaluations: self.evaluations,
            loss: fitness.loss,
            suppressed: standing.suppressed,
            anonymity: standing.anonymity,
        });
        (control.progress)(&step);
        self.steps.push(step);
    }
}
