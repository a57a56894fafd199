//! Searches that may suppress a few records, against naive implementations of their definitions.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::Masking;
use cutline_model::recoding::{Label, SuppressHow};
use cutline_search::bottom_up::BottomUp;
use cutline_search::refine::Refine;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Outcome, Problem, Search, Stopped};
use cutline_table::LabelKind;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, any_solvable_case, config};
use support::checks::{check_bottom_up, check_published, check_top_down};
use support::guarded::{Guarded, Kind, any_guarded, guarded};
use support::pools::{all_equal, all_have_the_same_bytes, on_all_pools};
use support::{Sample, generalizations, generalize, refinements, requirement, undeclared};

/// Any step may be the last one that is published.
fn check_every_state(guarded: &Guarded) -> TestCaseResult {
    let table = guarded.compress();
    let search = |max_steps: Option<usize>| {
        let control = Control { max_steps, ..Control::unlimited() };
        TopDown { score: guarded.case.score }.search(&guarded.problem(&table), &control)
    };
    let complete = search(None);
    for steps in 0..complete.steps.len() {
        let stopped = search(Some(steps));
        prop_assert_eq!(stopped.stopped, Stopped::MaxSteps);
        prop_assert_eq!(&stopped.steps[..], &complete.steps[..steps]);
        prop_assert!(stopped.steps.last().is_none_or(|step| step.anonymity() == stopped.anonymity));
        check_published(guarded, &stopped)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn classification_follows_the_definition(guarded in guarded(LabelKind::Classes, Kind::Budget)) {
        check_top_down(&guarded)?;
    }

    #[test]
    fn regression_follows_the_definition(guarded in guarded(LabelKind::Numbers, Kind::Budget)) {
        check_top_down(&guarded)?;
    }

    #[test]
    fn general_purpose_follows_the_definition(guarded in guarded(LabelKind::None, Kind::Budget)) {
        check_top_down(&guarded)?;
    }

    #[test]
    fn conditions_with_a_budget_follow_the_definition(guarded in any_guarded(Kind::Any)) {
        check_top_down(&guarded)?;
    }

    #[test]
    fn bottom_up_follows_the_definition(guarded in any_guarded(Kind::Budget)) {
        check_bottom_up(&guarded)?;
    }

    #[test]
    fn bottom_up_with_conditions_follows_the_definition(guarded in any_guarded(Kind::Any)) {
        check_bottom_up(&guarded)?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn every_state_can_be_published(guarded in any_guarded(Kind::Any)) {
        check_every_state(&guarded)?;
    }

    #[test]
    fn an_empty_budget_changes_nothing(case in any_solvable_case(), drop: bool) {
        let Case { sample, requirement, score } = &case;
        let table = sample.compress();
        let problem = || Problem::new(&table, requirement).unwrap();
        let how = if drop { SuppressHow::Drop } else { SuppressHow::Mask };
        let searches: [&dyn Search; 2] = [&TopDown { score: *score }, &BottomUp::default()];
        for search in searches {
            let plain = search.search(&problem(), &Control::unlimited());
            prop_assert_eq!(plain, search.search(&problem().suppressing(0, how), &Control::unlimited()));
        }
    }

    #[test]
    fn outcomes_do_not_depend_on_threads(guarded in any_guarded(Kind::Any)) {
        let searches: [&(dyn Search + Sync); 2] = [&TopDown { score: guarded.case.score }, &BottomUp::default()];
        for search in searches {
            let outcomes = on_all_pools(|| guarded.search(search));
            prop_assert!(all_equal(&outcomes), "{:?}", outcomes);
            prop_assert!(all_have_the_same_bytes(&outcomes), "{:?}", outcomes);
        }
    }
}

/// A budget that nothing can be spent on is none.
#[test]
fn where_single_records_may_be_groups_a_budget_changes_nothing() {
    let mut sample =
        Sample::new(LabelKind::Classes).attribute("age", undeclared()).attribute("sex", generalize("Any\n  M\n  F\n"));
    for age in 0..40 {
        sample = sample.records(1, &format!("{} {} {}", age * age % 37, ["M", "F"][age % 2], ["Y", "N"][age % 3 % 2]));
    }
    let searches: [&dyn Search; 4] =
        [&TopDown { score: Score::Tdr }, &TopDown { score: Score::Tds }, &BottomUp::default(), &Refine];
    for search_by in searches {
        for qids in [&["age,sex:1"][..], &["age:1", "sex:1"]] {
            let strict = search(&sample, qids, search_by, 0, SuppressHow::Mask);
            assert_eq!(strict, search(&sample, qids, search_by, 20, SuppressHow::Mask));
        }
    }
}

fn search(sample: &Sample, qids: &[&str], search: &dyn Search, limit: u64, how: SuppressHow) -> Outcome {
    let table = sample.compress();
    let problem = Problem::new(&table, &requirement(qids)).unwrap().suppressing(limit, how);
    search.search(&problem, &Control::unlimited())
}

/// One odd record forces the masking of everyone else, unless it may be suppressed.
#[test]
fn one_odd_record_is_suppressed() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  M\n  F\n  X\n"))
        .records(5, "M Y")
        .records(6, "F N")
        .records(1, "X N");
    let top_down = TopDown { score: Score::Tdr };
    let strict = search(&sample, &["sex:3"], &top_down, 0, SuppressHow::Mask);
    assert_eq!((strict.steps.len(), &strict.anonymity[..]), (0, &[12][..]));
    // One record is no group of three, so it is left out.
    let lenient = search(&sample, &["sex:3"], &top_down, 1, SuppressHow::Mask);
    assert_eq!(refinements(&lenient)[0].into, ["M", "F", "X"].map(Label::from));
    // A falls from 12 to k, not to 1.
    assert_eq!((refinements(&lenient)[0].loss, &lenient.anonymity[..]), (9.0, &[5][..]));
    let climbed = search(&sample, &["sex:3"], &BottomUp::default(), 1, SuppressHow::Mask);
    assert_eq!((generalizations(&climbed).len(), &climbed.anonymity[..]), (0, &[5][..]));
}

/// Suppressed records are a group of their own where they are published.
#[test]
fn suppressed_records_count_as_a_group_only_where_they_are_published() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("city", Masking::Suppress)
        .records(9, "a Y")
        .records(9, "b N")
        .records(2, "c Y")
        .records(2, "d N");
    for (how, anonymity) in [(SuppressHow::Mask, 4), (SuppressHow::Drop, 9)] {
        let climbed = search(&sample, &["city:3"], &BottomUp::default(), 4, how);
        assert_eq!((climbed.steps.len(), &climbed.anonymity[..]), (0, &[anonymity][..]));
    }
}

/// Large taxonomies of which a table has few values: the combinations of their labels are more than a `u32` can number.
#[test]
fn large_taxonomies_with_few_values_do_not_overflow() {
    let mut outline = "Any\n".to_owned();
    (0..700).for_each(|leaf| outline.push_str(&format!("  v{leaf}\n")));
    let mut sample = Sample::new(LabelKind::Classes);
    for name in ["first", "second", "third", "fourth"] {
        sample = sample.attribute(name, generalize(&outline));
    }
    let sample = sample.records(5, "v3 v3 v3 v3 Y").records(5, "v690 v690 v690 v690 N").records(1, "v690 v3 v3 v3 Y");
    let outcome =
        search(&sample, &["first,second,third,fourth:2"], &TopDown { score: Score::Tdr }, 1, SuppressHow::Drop);
    assert_eq!((outcome.steps.len(), &outcome.anonymity[..]), (4, &[5][..]));
}
