//! Tables at the edge: hardly any records, values or bits.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::{AttributeRecoding, Masking};
use cutline_search::genetic::{Dispersion, Genetic, Metric, Objective};
use cutline_search::{Outcome, Problem, SearchError, Stopped};
use cutline_table::LabelKind;

use support::evolve::{Recount, close, improvements, measured, reported};
use support::{Sample, generalize, requirement, undeclared, within};

const TREE: &str = "any\n  low\n    a\n    b\n  high\n    c\n    d\n";

fn settings(metric: Metric) -> Genetic {
    Genetic { objective: Some(Objective::new(metric)), population: 50, iterations: 1000, ..Genetic::default() }
}

/// Searches with and without a seed; the outcome is what is measured and counted.
fn evolve(sample: &Sample, qids: &[&str], metric: Metric) -> Outcome {
    let requirement = requirement(qids);
    let table = sample.compress();
    let problem = Problem::new(&table, &requirement).unwrap();
    let [outcome, unseeded] = [true, false].map(|seeded| {
        let genetic = Genetic { seeded, ..settings(metric.clone()) };
        let outcome = sample.evolve(&requirement, u64::MAX, &genetic);
        let measured = measured(&problem, &outcome.recoding, &Objective::new(metric.clone()));
        assert!(close(reported(&outcome), measured), "{} {measured}", reported(&outcome));
        let last = improvements(&outcome).last().copied().unwrap().clone();
        let recount = sample.suppress(&requirement, &outcome.recoding);
        assert_eq!(recount, Recount { suppressed: last.suppressed, anonymity: last.anonymity });
        assert_eq!(outcome.stopped, Stopped::Complete);
        outcome
    });
    assert_eq!(reported(&outcome), reported(&unseeded));
    outcome
}

fn classification() -> Metric {
    Metric::Classification { target: 0, costs: None }
}

fn labels(outcome: &Outcome) -> Vec<Vec<String>> {
    outcome.recoding.iter().map(AttributeRecoding::labels).collect()
}

#[test]
fn as_many_records_as_k_are_one_group() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("level", generalize(TREE))
        .attribute("age", undeclared())
        .records(1, "a 1 yes")
        .records(1, "c 2 no")
        .records(1, "d 3 no");
    for metric in [Metric::General, classification()] {
        let outcome = evolve(&sample, &["level,age:3"], metric);
        assert_eq!(outcome.anonymity, [3]);
        assert_eq!(improvements(&outcome).last().unwrap().suppressed, 0);
    }
    let table = sample.compress();
    let too_few = Problem::new(&table, &requirement(&["level,age:4"])).err();
    assert_eq!(too_few, Some(SearchError::TooFewRecords { records: 3, k: 4 }));
}

/// A group one short of k must go, and three suppressed records are no group of four.
#[test]
fn groups_one_short_of_k_are_suppressed() {
    let sample = Sample::new(LabelKind::None)
        .attribute("city", Masking::Suppress)
        .attribute("level", generalize(TREE))
        .records(20, "x a -")
        .records(20, "y c -")
        .records(3, "z d -");
    let outcome = evolve(&sample, &["city,level:4"], Metric::General);
    let last = improvements(&outcome).last().copied().unwrap().clone();
    assert_eq!((last.suppressed, last.anonymity), (3, vec![20]));
    // Both attributes lose all of the three records.
    assert!(close(last.loss, 2.0 * 3.0 / 43.0), "{}", last.loss);
    // One more, and the suppressed ones are the smallest group.
    let outcome = evolve(&sample.records(1, "w b -"), &["city,level:4"], Metric::General);
    assert_eq!(improvements(&outcome).last().unwrap().suppressed, 4);
    assert_eq!(outcome.anonymity, [4]);
}

/// The table has no bits: what is published is what there is, and there is nothing to lose.
#[test]
fn tables_without_bits_are_published_as_they_are() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("level", generalize(TREE))
        .attribute("age", within(0.0, 9.0))
        .records(2, "b 5 yes")
        .records(3, "b 5 no");
    for (metric, loss) in [(Metric::General, 0.0), (classification(), 0.4)] {
        let outcome = evolve(&sample, &["level,age:5"], metric);
        // The lowest nodes that say as much; beside them the cut stays as high as it can.
        assert_eq!(labels(&outcome), [vec!["a", "b", "high"], vec!["[0-9]"]]);
        assert_eq!((outcome.anonymity.clone(), reported(&outcome), outcome.steps.len()), (vec![5], loss, 1));
    }
}

#[test]
fn constant_columns_do_not_matter() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("country", Masking::Suppress)
        .attribute("level", generalize(TREE))
        .attribute("year", undeclared())
        .records(3, "here a 2002 yes")
        .records(3, "here b 2002 no")
        .records(3, "here c 2002 no");
    for metric in [Metric::General, classification()] {
        let outcome = evolve(&sample, &["country,level,year:3"], metric);
        assert_eq!(reported(&outcome), 0.0);
        assert_eq!(labels(&outcome)[1], ["a", "b", "c", "d"]);
    }
}

/// A column without any value has nothing to tell, whatever its masking operation. Where a taxonomy knows of values, LM takes
/// even that for something to lose.
#[test]
fn columns_may_be_missing_altogether() {
    let maskings = [(generalize(TREE), 0.5), (undeclared(), 0.25), (within(0.0, 1.0), 0.25), (Masking::Suppress, 0.25)];
    for (masking, general) in maskings {
        let sample = Sample::new(LabelKind::Classes)
            .attribute("nothing", masking)
            .attribute("level", generalize(TREE))
            .records(3, "? a yes")
            .records(3, "? ? no")
            .records(2, "? d no");
        for (metric, loss) in [(Metric::General, general), (classification(), 0.25)] {
            let outcome = evolve(&sample, &["nothing,level:2", "level:3"], metric);
            // The two records with `d` are too few, and there is nobody to join them with.
            assert_eq!((reported(&outcome), outcome.anonymity), (loss, vec![3, 3]));
        }
        let alone = Sample { attributes: vec![sample.attributes[0].clone()], ..sample.clone() };
        let records = alone.records.iter().map(|record| support::Record { quasi: vec![None], ..record.clone() });
        let alone = Sample { records: records.collect(), ..alone };
        let outcome = evolve(&alone, &["nothing:8"], Metric::General);
        assert_eq!((reported(&outcome), outcome.anonymity), (0.0, vec![8]));
    }
}

/// With one class nothing can be mistaken, and the most masked table is as good as any.
#[test]
fn one_class_needs_no_distinction() {
    let sample =
        Sample::new(LabelKind::Classes).attribute("level", generalize(TREE)).records(2, "a yes").records(2, "c yes");
    let outcome = evolve(&sample, &["level:2"], classification());
    assert_eq!((reported(&outcome), outcome.steps.len()), (0.0, 1));
    assert_eq!(labels(&outcome), [["any"]]);
}

/// Numbers that are all the same, or all missing, have no dispersion.
#[test]
fn targets_may_be_constant_or_missing() {
    for targets in [["7", "7.0"], ["0.1", "0.1"], ["?", "?"], ["?", "7"]] {
        let sample = Sample::new(LabelKind::Numbers)
            .attribute("age", undeclared())
            .records(2, &format!("1 {}", targets[0]))
            .records(3, &format!("2 {}", targets[1]));
        for dispersion in [Dispersion::Variance, Dispersion::Deviation] {
            let outcome = evolve(&sample, &["age:2"], Metric::Regression { target: 0, dispersion });
            assert_eq!((reported(&outcome), outcome.steps.len()), (0.0, 1));
        }
    }
}

/// No label, one attribute: the least loss by hand. `{a, b}` as `low` loses 1/3 for four records, `c` and `d` nothing.
#[test]
fn a_single_attribute_without_a_label() {
    let sample = Sample::new(LabelKind::None)
        .attribute("level", generalize(TREE))
        .records(1, "a -")
        .records(3, "b -")
        .records(2, "c -")
        .records(2, "d -");
    let genetic = Genetic { seeded: false, ..Genetic::default() };
    let outcome = sample.evolve(&requirement(&["level:2"]), 0, &genetic);
    assert_eq!(labels(&outcome), [["low", "c", "d"]]);
    assert!(close(reported(&outcome), 4.0 / 3.0 / 8.0), "{}", reported(&outcome));
    // To suppress one record costs less: 1/8.
    let outcome = evolve(&sample, &["level:2"], Metric::General);
    assert_eq!(labels(&outcome), [["a", "b", "c", "d"]]);
    assert!(close(reported(&outcome), 1.0 / 8.0), "{}", reported(&outcome));
}

/// Searches with hardly any candidates still have the most masked one.
#[test]
fn the_smallest_settings_work() {
    let sample =
        Sample::new(LabelKind::Classes).attribute("level", generalize(TREE)).records(2, "a yes").records(2, "c no");
    for (population, iterations) in [(0, 0), (0, 100), (1, 1), (1, 500), (1000, 10)] {
        for bias in [1.0, 1.5, 2.0] {
            let genetic = Genetic { population, iterations, bias, seeded: false, ..Genetic::default() };
            let outcome = sample.evolve(&requirement(&["level:2"]), u64::MAX, &genetic);
            assert_eq!(outcome.anonymity, [if outcome.steps.len() > 1 { 2 } else { 4 }]);
            assert!(iterations > 0 || outcome.steps.len() == 1);
        }
    }
}
