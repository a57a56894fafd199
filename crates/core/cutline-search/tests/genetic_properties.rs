//! What a genetic search reports, against what `cutline-measure` and a count of records say, on random small tables.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::AttributeRecoding;
use cutline_model::recoding::SuppressHow;
use cutline_search::genetic::{Genetic, Metric, Objective, Term};
use cutline_search::top_down::TopDown;
use cutline_search::{Control, Outcome, Problem, Search, Stopped};
use cutline_table::{Attribute, AttributeId, CompressedTable, Masked, TableQid};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, any_solvable_case, config, many_numbers};
use support::evolve::{Recount, add_targets, close, improvements, measured, metrics, reported};
use support::exhaustive::recodings;
use support::pools::{all_equal, all_have_the_same_bytes, on_all_pools};

/// Searches of any length: what they find is from poor to perfect.
fn settings() -> impl Strategy<Value = Genetic> {
    let mutation = prop::option::of(0.0..=1.0);
    (0usize..=30, 0usize..=300, mutation, 1.0..=2.0, any::<u64>(), any::<bool>()).prop_map(
        |(population, iterations, mutation, bias, seed, seeded)| Genetic {
            objective: None,
            population,
            iterations,
            mutation,
            bias,
            seed,
            seeded,
        },
    )
}

/// How many records may be suppressed.
fn limit() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(u64::MAX), 1 => 0u64..=30]
}

/// The compressed table with two further targets.
fn table(case: &Case) -> CompressedTable {
    let mut table = case.sample.compress();
    add_targets(&mut table);
    table
}

/// Every metric of every target by itself, and two weighted sums.
fn objectives(table: &CompressedTable, which: Index) -> Vec<Objective> {
    let all: Vec<Metric> =
        std::iter::once(Metric::General).chain((0..3).flat_map(|target| metrics(table, target))).collect();
    let term = |weight: f64, metric: &Metric| Term { weight, metric: metric.clone() };
    let two = |one: usize, other: usize| Objective {
        terms: vec![term(2.0, &all[one % all.len()]), term(0.5, &all[other % all.len()])],
    };
    let chosen = which.index(all.len());
    vec![Objective::new(all[chosen].clone()), two(chosen, chosen + 1), two(all.len() - 1, all.len() - 3)]
}

/// The outcome is what its last step says, by all independent accounts.
fn check(case: &Case, problem: &Problem<'_>, genetic: &Genetic, objective: &Objective) -> TestCaseResult {
    let outcome = genetic.search(problem, &Control::unlimited());
    let measured = measured(problem, &outcome.recoding, objective);
    prop_assert!(close(reported(&outcome), measured), "{} measured {measured} {outcome:?}", reported(&outcome));
    let last = improvements(&outcome).last().copied().unwrap().clone();
    let recount = case.sample.suppress(&case.requirement, &outcome.recoding);
    prop_assert_eq!(&recount, &Recount { suppressed: last.suppressed, anonymity: last.anonymity });
    prop_assert_eq!(&recount.anonymity, &outcome.anonymity);
    prop_assert_eq!(outcome.stopped, Stopped::Complete);
    check_steps(&outcome, problem.limit())
}

/// From the most masked table on, every step is better than the one before and none suppresses too much.
fn check_steps(outcome: &Outcome, limit: u64) -> TestCaseResult {
    let steps = improvements(outcome);
    prop_assert_eq!(steps[0].suppressed, 0);
    for (index, step) in steps.iter().enumerate() {
        prop_assert_eq!(step.step, index + 1);
        prop_assert!(step.suppressed <= limit);
    }
    for pair in steps.windows(2) {
        prop_assert!(pair[1].loss < pair[0].loss && pair[1].evaluations >= pair[0].evaluations);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn fitness_is_the_measured_loss(case in any_solvable_case(), genetic in settings(), limit in limit(), which: Index) {
        let table = table(&case);
        let problem = Problem::new(&table, &case.requirement).unwrap().suppressing(limit, SuppressHow::Mask);
        for objective in objectives(&table, which) {
            let genetic = Genetic { objective: Some(objective.clone()), ..genetic.clone() };
            check(&case, &problem, &genetic, &objective)?;
        }
    }

    /// Without an objective it is the one that fits the label.
    #[test]
    fn labels_choose_the_metric(case in any_solvable_case(), genetic in settings(), limit in limit()) {
        let table = table(&case);
        let problem = Problem::new(&table, &case.requirement).unwrap().suppressing(limit, SuppressHow::Mask);
        let fitting = metrics(&table, 0).into_iter().next().unwrap_or(Metric::General);
        check(&case, &problem, &genetic, &Objective::new(fitting))?;
    }

    #[test]
    fn nothing_is_suppressed_where_nothing_may_be(case in any_solvable_case(), genetic in settings()) {
        let outcome = case.sample.evolve(&case.requirement, 0, &genetic);
        let anonymity = case.sample.recount(&case.requirement, &outcome.recoding);
        for (qid, &anonymity) in case.requirement.qids().iter().zip(&anonymity) {
            prop_assert!(anonymity >= qid.k, "{qid} has {anonymity}");
        }
        prop_assert_eq!(anonymity, outcome.anonymity);
    }

    /// The best of the first candidates can only be replaced by better ones.
    #[test]
    fn seeded_searches_are_never_worse_than_refinement(
        case in prop_oneof![4 => any_solvable_case(), 1 => many_numbers()],
        genetic in settings(),
        limit in limit(),
        which: Index,
    ) {
        let table = table(&case);
        let problem = Problem::new(&table, &case.requirement).unwrap().suppressing(limit, SuppressHow::Mask);
        let refined = TopDown::default().search(&problem.clone().suppressing(0, SuppressHow::Mask), &Control::unlimited()).recoding;
        for objective in objectives(&table, which) {
            let genetic = Genetic { objective: Some(objective.clone()), seeded: true, ..genetic.clone() };
            let outcome = genetic.search(&problem, &Control::unlimited());
            let (ours, theirs) = (reported(&outcome), measured(&problem, &refined, &objective));
            prop_assert!(ours <= theirs || close(ours, theirs), "{ours} {theirs}");
        }
    }
}

proptest! {
    #![proptest_config(config(400))]

    /// `Masked` counts rows of codes, this counts records of texts.
    #[test]
    fn suppression_is_what_a_count_of_records_says(case in any_solvable_case(), which: [Index; 4]) {
        let table = case.sample.compress();
        let problem = Problem::new(&table, &case.requirement).unwrap();
        let choose = |(attribute, which): (&Attribute, &Index)| which.get(&recodings(attribute)).clone();
        let recoding: Vec<AttributeRecoding> = table.attributes.iter().zip(&which).map(choose).collect();
        let masked = Masked::new(&table, &recoding).unwrap();
        let suppressed = masked.suppress(problem.qids());
        let recount = case.sample.suppress(&case.requirement, &recoding);
        prop_assert_eq!(suppressed.records, recount.suppressed);
        let label = |row: usize, id: AttributeId| masked.labels(id)[table.attributes[id.0].codes.get(row) as usize];
        let labels = |row: usize, qid: &TableQid| -> Box<[u32]> {
            qid.attributes.iter().map(|&id| label(row, id)).collect()
        };
        for (row, &gone) in suppressed.rows.iter().enumerate() {
            let mut lists = problem.qids().iter().zip(&suppressed.qids);
            prop_assert_eq!(lists.any(|(qid, list)| list.contains(&labels(row, qid))), gone);
        }
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn outcomes_do_not_depend_on_threads(case in any_solvable_case(), genetic in settings(), limit in limit()) {
        let outcomes = on_all_pools(|| case.sample.evolve(&case.requirement, limit, &genetic));
        prop_assert!(all_equal(&outcomes), "{:?}", outcomes);
        prop_assert!(all_have_the_same_bytes(&outcomes), "{:?}", outcomes);
    }

    /// More different numbers than most tables have.
    #[test]
    fn many_numbers_are_measured_right(case in many_numbers(), genetic in settings(), limit in limit()) {
        let table = table(&case);
        let problem = Problem::new(&table, &case.requirement).unwrap().suppressing(limit, SuppressHow::Mask);
        for metric in [Metric::General, metrics(&table, 2).remove(1)] {
            let objective = Objective::new(metric);
            let genetic = Genetic { objective: Some(objective.clone()), ..genetic.clone() };
            check(&case, &problem, &genetic, &objective)?;
        }
    }
}
