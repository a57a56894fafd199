//! Genetic search against the best of all recodings, in tables so small that all can be tried.

mod support;

use cutline_model::recoding::SuppressHow;
use cutline_search::genetic::{Genetic, Metric, Objective};
use cutline_search::{Control, Problem, Search};

use support::evolve::{close, reported};
use support::exhaustive::optimum;
use support::tiny::tables;

fn settings(metric: Metric, seed: u64) -> Genetic {
    Genetic {
        objective: Some(Objective::new(metric)),
        population: 100,
        iterations: 3000,
        seed,
        // From nothing but chance, so that the search has to find everything itself.
        seeded: false,
        ..Genetic::default()
    }
}

#[test]
fn the_optimum_of_tiny_tables_is_found() {
    let tables = tables(200);
    let mut suppressing = 0;
    for (index, tiny) in tables.iter().enumerate() {
        let table = tiny.sample.compress();
        let problem = Problem::new(&table, &tiny.requirement).unwrap().suppressing(tiny.limit, SuppressHow::Mask);
        let best = optimum(&problem, tiny.limit);
        let classification = Metric::Classification { target: 0, costs: None };
        for (metric, best) in [(Metric::General, best.general), (classification, best.classification)] {
            let genetic = settings(metric, index as u64);
            let outcome = genetic.search(&problem, &Control::unlimited());
            let found = reported(&outcome);
            assert!(close(found, best), "{found} instead of {best}: {:?}\n{tiny:?}", genetic.objective);
            suppressing += usize::from(tiny.sample.suppress(&tiny.requirement, &outcome.recoding).suppressed > 0);
        }
    }
    // The tables are such that suppression is often worth it.
    assert!(suppressing > 50, "{suppressing}");
}
