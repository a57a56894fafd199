//! Searches under conditions on sensitive values, against naive implementations of their definitions.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::recoding::{Labeler, SuppressHow, Unknown};
use cutline_model::{AttributeRecoding, Condition, Masking, Requirement};
use cutline_search::bottom_up::BottomUp;
use cutline_search::genetic::{Genetic, Metric, Objective};
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Problem, Search, SearchError};
use cutline_table::{LabelKind, Masked, Suppressed};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, config};
use support::checks::{check_bottom_up, check_published, check_top_down};
use support::evolve::{close, improvements, reported};
use support::exhaustive::{optimum, recodings};
use support::guard::Published;
use support::guarded::{Guarded, Kind, any_guarded, guarded, unchecked};
use support::rules::Rule;
use support::{Cell, Sample, requirement, tiny};

/// The records that the lists of labels say to suppress, as whoever rewrites the records reads them.
fn listed(guarded: &Guarded, recoding: &[AttributeRecoding], suppressed: &Suppressed) -> Vec<bool> {
    let labelers: Vec<Labeler> = recoding.iter().map(|recoding| Labeler::new(recoding, Unknown::Error)).collect();
    let label = |cell: &Cell, at: usize| {
        cell.as_ref().map_or(labelers[at].missing(), |value| labelers[at].label(value).unwrap())
    };
    let guard = guarded.guard();
    let in_lists = |quasi: &Vec<Cell>| {
        guard.qids.iter().zip(&suppressed.qids).any(|(qid, list)| {
            // A QID of the compressed table has its attributes in ascending order.
            let mut attributes = qid.attributes.clone();
            attributes.sort();
            let labels: Vec<u32> = attributes.iter().map(|&at| label(&quasi[at], at)).collect();
            list.iter().any(|listed| listed[..] == labels)
        })
    };
    guarded.case.sample.records.iter().map(|record| in_lists(&record.quasi)).collect()
}

/// Any recoding: `Masked` suppresses what the definition says, and what is written then satisfies everything.
fn check_suppression(guarded: &Guarded, chosen: &[Index]) -> TestCaseResult {
    let table = guarded.compress();
    let choose = |(attribute, index): (_, &Index)| {
        let all = recodings(attribute);
        all[index.index(all.len())].clone()
    };
    let recoding: Vec<AttributeRecoding> = table.attributes.iter().zip(chosen).map(choose).collect();
    let suppressed = Masked::new(&table, &recoding).unwrap().suppress_with(guarded.problem(&table).qids(), guarded.how);
    let guard = guarded.guard();
    let labels = guarded.labels(&recoding);
    let naive = guard.publish(&labels);
    let ours = Published { gone: listed(guarded, &recoding, &suppressed), how: suppressed.how };
    prop_assert_eq!(suppressed.records, ours.suppressed());
    if let Err(violated) = guard.recount(&labels, &ours) {
        prop_assert!(false, "{violated}\n{ours:?}");
    }
    prop_assert_eq!(ours, naive);
    Ok(())
}

/// Short: what it finds is seldom good, but always valid.
fn check_genetic(guarded: &Guarded, seed: u64, seeded: bool) -> TestCaseResult {
    let genetic = Genetic { population: 20, iterations: 200, seed, seeded, ..Genetic::default() };
    let outcome = guarded.search(&genetic);
    check_published(guarded, &outcome)?;
    let published = guarded.guard().publish(&guarded.labels(&outcome.recoding));
    prop_assert_eq!(improvements(&outcome).last().unwrap().suppressed, published.suppressed());
    Ok(())
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn what_is_suppressed_follows_the_definition(
        guarded in any_guarded(Kind::Any),
        chosen in prop::array::uniform4(any::<Index>()),
    ) {
        check_suppression(&guarded, &chosen)?;
    }

    /// A condition that the most masked table violates, no masking can satisfy.
    #[test]
    fn only_conditions_that_can_be_satisfied_are_accepted(guarded in unchecked(Kind::Conditions)) {
        let violated = |(at, rule): &&(usize, Rule)| {
            let whole: Vec<&Cell> = guarded.sensitive[*at].1.iter().collect();
            !rule.holds(&whole, &whole)
        };
        let first = guarded.rules.iter().flatten().find(violated);
        let text = first.map(|(at, rule)| rule.text(&guarded.sensitive[*at].0).parse::<Condition>().unwrap().to_string());
        let table = guarded.compress();
        let error = Problem::new(&table, &guarded.requirement()).err();
        prop_assert_eq!(error, text.map(SearchError::Condition));
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn classification_follows_the_definition(guarded in guarded(LabelKind::Classes, Kind::Conditions)) {
        check_top_down(&guarded)?;
    }

    #[test]
    fn regression_follows_the_definition(guarded in guarded(LabelKind::Numbers, Kind::Conditions)) {
        check_top_down(&guarded)?;
    }

    #[test]
    fn general_purpose_follows_the_definition(guarded in guarded(LabelKind::None, Kind::Conditions)) {
        check_top_down(&guarded)?;
    }

    #[test]
    fn bottom_up_follows_the_definition(guarded in any_guarded(Kind::Conditions)) {
        check_bottom_up(&guarded)?;
    }

    /// Conditions that always hold change nothing.
    #[test]
    fn idle_conditions_change_nothing(mut guarded in any_guarded(Kind::Conditions)) {
        let idle = [Rule::Distinct(1), Rule::Entropy(1.0), Rule::Alpha(1.0), Rule::TClose(1.0)];
        let (with, without) = (idle.map(|rule| (0, rule)).to_vec(), Vec::new());
        let searches: [&dyn Search; 2] = [&TopDown { score: guarded.case.score }, &BottomUp::default()];
        for search in searches {
            guarded.rules.fill(with.clone());
            let idle = guarded.search(search);
            guarded.rules.fill(without.clone());
            prop_assert_eq!(idle, guarded.search(search));
        }
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn genetic_outcomes_are_valid(guarded in any_guarded(Kind::Any), seed: u64, seeded: bool) {
        check_genetic(&guarded, seed, seeded)?;
    }
}

/// A table that is so small that all recodings can be tried, with a sensitive attribute and a condition that often matters.
fn tiny_guarded(index: usize, tiny: tiny::Tiny) -> Guarded {
    let records = tiny.sample.records.len();
    let value = |record: usize| Some(["flu", "cold", "HIV"][record * (index + 3) / 2 % 7 % 3].to_owned());
    let rules = [Rule::Distinct(2), Rule::Alpha(0.7), Rule::TClose(0.35), Rule::Entropy(1.5), Rule::Recursive(3.0, 2)];
    let qids = tiny.requirement.qids().len();
    Guarded {
        case: Case { sample: tiny.sample, requirement: tiny.requirement, score: Score::Tdr },
        sensitive: vec![("illness".to_owned(), (0..records).map(value).collect())],
        rules: vec![vec![(0, rules[index % rules.len()].clone())]; qids],
        limit: tiny.limit,
        how: SuppressHow::Mask,
    }
}

#[test]
fn genetic_search_finds_the_optimum_of_tiny_tables() {
    let mut dearer = 0;
    for (index, tiny) in tiny::tables(60).into_iter().enumerate() {
        let guarded = tiny_guarded(index, tiny);
        let table = guarded.compress();
        let Ok(problem) = Problem::new(&table, &guarded.requirement()) else { continue };
        let problem = problem.suppressing(guarded.limit, SuppressHow::Mask);
        let best = optimum(&problem, guarded.limit).general;
        let genetic = Genetic {
            objective: Some(Objective::new(Metric::General)),
            population: 100,
            iterations: 2000,
            seed: index as u64,
            seeded: false,
            ..Genetic::default()
        };
        let found = reported(&genetic.search(&problem, &Control::unlimited()));
        assert!(close(found, best), "{found} instead of {best}: {guarded:?}");
        let plain = Problem::new(&table, &guarded.case.requirement).unwrap();
        dearer += usize::from(!close(optimum(&plain, guarded.limit).general, best));
    }
    // The condition costs something in many of them.
    assert!(dearer > 15, "{dearer}");
}

#[test]
fn an_unknown_sensitive_attribute_is_refused() {
    let sample = Sample::new(LabelKind::None).attribute("city", Masking::Suppress).records(5, "a x");
    let mut qid = requirement(&["city:2"]).qids()[0].clone();
    qid.conditions = vec!["alpha:illness=1".parse().unwrap()];
    let requirement = Requirement::new(vec![qid]).unwrap();
    let table = sample.compress();
    let error = Problem::new(&table, &requirement).err();
    assert_eq!(error, Some(SearchError::UnknownSensitive("illness".to_owned())));
}
