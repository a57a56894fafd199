//! Our own search against a naive implementation of its definition, on random small tables.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::Masking;
use cutline_model::recoding::{Label, SuppressHow};
use cutline_search::refine::{MOST_BINS, Refine};
use cutline_search::top_down::TopDown;
use cutline_search::{Control, Outcome, Problem, Search, Step, Stopped};
use cutline_table::LabelKind;
use proptest::prelude::*;

use support::cases::config;
use support::checks::{check_published, check_refine};
use support::guarded::{Guarded, Kind, any_guarded, guarded};
use support::pools::{all_equal, all_have_the_same_bytes, on_all_pools};
use support::{Sample, generalize, requirement, undeclared};

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn classification_follows_the_definition(guarded in guarded(LabelKind::Classes, Kind::Any)) {
        check_refine(&guarded)?;
    }

    #[test]
    fn regression_follows_the_definition(guarded in guarded(LabelKind::Numbers, Kind::Any)) {
        check_refine(&guarded)?;
    }

    #[test]
    fn general_purpose_follows_the_definition(guarded in guarded(LabelKind::None, Kind::Any)) {
        check_refine(&guarded)?;
    }

    #[test]
    fn budgets_follow_the_definition(guarded in any_guarded(Kind::Budget)) {
        check_refine(&guarded)?;
    }

    #[test]
    fn conditions_follow_the_definition(guarded in any_guarded(Kind::Conditions)) {
        check_refine(&guarded)?;
    }
}

fn limited(guarded: &Guarded, max_steps: usize) -> Outcome {
    let table = guarded.compress();
    let control = Control { max_steps: Some(max_steps), ..Control::unlimited() };
    Refine.search(&guarded.problem(&table), &control)
}

proptest! {
    #![proptest_config(config(150))]

    /// A limit ends on the way that `tdr` takes and beyond; with enough steps, whatever is best is found.
    #[test]
    fn every_number_of_steps_is_publishable(guarded in any_guarded(Kind::Any)) {
        let complete = guarded.search(&Refine);
        let tdr = guarded.search(&TopDown::default());
        let most = complete.steps.len().max(tdr.steps.len());
        let mut reached: Vec<Step> = Vec::new();
        for steps in 0..=most + 1 {
            let outcome = limited(&guarded, steps);
            prop_assert!(outcome.steps.len() <= steps);
            check_published(&guarded, &outcome)?;
            if outcome.stopped == Stopped::MaxSteps {
                prop_assert!(outcome.steps.starts_with(&reached), "{:?} {reached:?}", outcome.steps);
                prop_assert!(outcome.steps.iter().zip(&tdr.steps).all(|(one, other)| one == other));
                reached = outcome.steps;
            } else {
                prop_assert_eq!(&outcome, &complete);
            }
        }
    }

    /// Whoever may take many steps gets what whoever has no limit gets.
    #[test]
    fn a_limit_that_is_not_reached_changes_nothing(guarded in any_guarded(Kind::Any)) {
        prop_assert_eq!(limited(&guarded, usize::MAX), guarded.search(&Refine));
    }

    #[test]
    fn results_do_not_depend_on_threads(guarded in any_guarded(Kind::Any)) {
        let outcomes = on_all_pools(|| guarded.search(&Refine));
        prop_assert!(all_equal(&outcomes) && all_have_the_same_bytes(&outcomes), "{outcomes:?}");
    }
}

/// The best split, at 30, would leave 4 records on its left.
#[test]
fn an_interval_is_split_at_the_best_valid_point() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("age", undeclared())
        .records(4, "20 Y")
        .records(3, "30 N")
        .records(1, "30 Y")
        .records(6, "40 N");
    let table = sample.compress();
    let requirement = requirement(&["age:5"]);
    let problem = Problem::new(&table, &requirement).unwrap();
    assert_eq!(TopDown::default().search(&problem, &Control::unlimited()).steps.len(), 0);
    let outcome = Refine.search(&problem, &Control::unlimited());
    assert_eq!(outcome.recoding[0].labels(), ["<40", ">=40"]);
    assert_eq!(outcome.anonymity, [6]);
}

/// A step that hides 2 records must be worth more than they are.
#[test]
fn a_budget_is_not_spent_for_less_than_it_loses() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("age", undeclared())
        .records(1, "20 Y")
        .records(1, "20 N")
        .records(10, "30 Y")
        .records(10, "30 N");
    let table = sample.compress();
    let problem = Problem::new(&table, &requirement(&["age:5"])).unwrap().suppressing(2, SuppressHow::Mask);
    assert_eq!(TopDown::default().search(&problem, &Control::unlimited()).steps.len(), 1);
    assert_eq!(Refine.search(&problem, &Control::unlimited()).steps.len(), 0);
}

/// `room` tells of the class what `house` tells already, and parts a house so that nothing of `grade` can be told.
#[test]
fn an_attribute_that_blocks_a_better_one_is_taken_back() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("house", generalize("All\n  A\n  B\n"))
        .attribute("room", generalize("Any\n  a\n  b1\n  b2\n"))
        .attribute("grade", generalize("Both\n  1\n  2\n"))
        .records(15, "A a 1 Y")
        .records(10, "A a 2 Y")
        .records(5, "A a 2 N")
        .records(6, "B b1 1 N")
        .records(6, "B b1 2 N")
        .records(6, "B b2 1 N")
        .records(6, "B b2 2 N");
    let table = sample.compress();
    let problem = Problem::new(&table, &requirement(&["house,room,grade:10"])).unwrap();
    let outcome = Refine.search(&problem, &Control::unlimited());
    let attributes: Vec<Option<&str>> = outcome.steps.iter().map(Step::attribute).collect();
    assert_eq!(attributes, [Some("house"), Some("room"), Some("room"), Some("grade")]);
    assert!(matches!(&outcome.steps[2], Step::Generalization(step) if step.into == Label::from("Any")));
    assert_eq!(outcome.recoding.iter().map(|recoding| recoding.is_top()).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(outcome.anonymity, [12]);
}

/// With more values than bins, splits lie between bins of about equally many records. The best split of all would leave 23 records on
/// its right.
#[test]
fn many_values_are_split_between_bins() {
    let mut sample = Sample::new(LabelKind::Classes).attribute("income", undeclared());
    for value in 0..4 * MOST_BINS {
        sample = sample.records(1, &format!("{value} {}", if value < 1001 { "Y" } else { "N" }));
    }
    let table = sample.compress();
    let problem = Problem::new(&table, &requirement(&["income:24"])).unwrap();
    let outcome = Refine.search(&problem, &Control::unlimited());
    assert_eq!(outcome.steps[0].as_refinement().unwrap().into, ["<1000", ">=1000"].map(Label::from));
}

/// Many names of three records each, and ages of which only our own search tells something.
fn names_and_ages(names: usize) -> [Outcome; 2] {
    let mut sample = Sample::new(LabelKind::None).attribute("name", Masking::Suppress).attribute("age", undeclared());
    for record in 0..3 * names {
        let age = match record % 14 {
            0..4 => 20,
            4..8 => 30,
            _ => 40,
        };
        sample = sample.records(1, &format!("n{} {age} -", record % names));
    }
    let table = sample.compress();
    let requirement = requirement(&["name:3", &format!("age:{}", 15 * names / 14)]);
    let problem = Problem::new(&table, &requirement).unwrap();
    [&TopDown::default() as &dyn Search, &Refine].map(|search| search.search(&problem, &Control::unlimited()))
}

/// Each value that is told takes a look at all that are not: a second way down would take as long as all of them together.
#[test]
fn where_very_many_values_are_told_no_other_way_down_is_looked_for() {
    let told = |outcome: &Outcome| outcome.recoding[1].labels().len();
    let [tdr, own] = names_and_ages(280);
    assert_eq!((told(&tdr), told(&own)), (1, 2));
    let [tdr, own] = names_and_ages(3_080);
    assert_eq!((tdr.steps.len(), told(&tdr)), (3_080, 1));
    assert_eq!(own, tdr);
}
