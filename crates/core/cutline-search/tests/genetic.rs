//! How a genetic search is watched and stopped, and worked examples.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cutline_model::{Masking, Requirement};
use cutline_search::genetic::{Genetic, Metric, Objective};
use cutline_search::top_down::Score;
use cutline_search::{Control, Outcome, Step, Stopped};
use cutline_table::LabelKind;

use support::evolve::{improvements, reported};
use support::{Record, Sample, generalize, requirement, undeclared};

/// All three masking operations, with missing values, and a class that has to do with them.
fn sample() -> Sample {
    let mut sample = Sample::new(LabelKind::Classes)
        .attribute("age", undeclared())
        .attribute("city", Masking::Suppress)
        .attribute("level", generalize("any\n  low\n    a\n    b\n    c\n  high\n    d\n    e\n"));
    let mut random = 5u64;
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    for _ in 0..300 {
        let (age, city, level) = (below(40), below(12).min(below(12)), below(6) as usize);
        let class = (age / 10 + city / 4 + below(2)) % 3;
        let quasi = vec![
            (age > 0).then(|| age.to_string()),
            (city < 11).then(|| format!("city {city}")),
            ["a", "b", "c", "d", "e"].get(level).map(|level| (*level).to_owned()),
        ];
        sample.records.push(Record { quasi, target: Some(class.to_string()) });
    }
    sample
}

/// So many records may be suppressed.
const LIMIT: u64 = 30;

const QIDS: [&str; 2] = ["age,city:4", "city,level:6"];

fn settings() -> Genetic {
    // LM: the refinement that finds the seed is after something else.
    let objective = Some(Objective::new(Metric::General));
    Genetic { objective, population: 40, iterations: 2000, ..Genetic::default() }
}

/// Suppressing no more than the limit makes every QID large enough.
fn is_feasible(sample: &Sample, requirement: &Requirement, outcome: &Outcome) -> bool {
    let recount = sample.suppress(requirement, &outcome.recoding);
    recount.suppressed <= LIMIT
        && recount.anonymity == outcome.anonymity
        && requirement.qids().iter().zip(&outcome.anonymity).all(|(qid, &anonymity)| anonymity >= qid.k)
}

#[test]
fn seeds_decide_everything() {
    let (sample, requirement) = (sample(), requirement(&QIDS));
    let search = |seed| sample.evolve(&requirement, LIMIT, &Genetic { seed, seeded: false, ..settings() });
    let outcomes: Vec<Outcome> = (0..4).map(search).collect();
    assert_eq!(search(2), outcomes[2]);
    assert!(outcomes.iter().all(|outcome| is_feasible(&sample, &requirement, outcome)));
    assert!(outcomes.iter().any(|outcome| outcome.steps != outcomes[0].steps), "chance has no say");
}

/// Evolution goes beyond what refinement finds.
#[test]
fn evolution_improves_on_its_seed() {
    let (sample, requirement) = (sample(), requirement(&QIDS));
    let start = sample.evolve(&requirement, LIMIT, &Genetic { iterations: 0, ..settings() });
    assert_eq!(start.recoding, sample.search(&requirement, Score::Tdr).recoding);
    assert_eq!(improvements(&start).len(), 2, "the top, then the seed");
    let outcome = sample.evolve(&requirement, LIMIT, &settings());
    assert!(reported(&outcome) < reported(&start), "{} {}", reported(&outcome), reported(&start));
}

/// Children that are not mutated have what their parents have, and yet some are better than both.
#[test]
fn crossing_alone_improves() {
    let (sample, requirement) = (sample(), requirement(&QIDS));
    let search = |bias| {
        let genetic = Genetic { mutation: Some(0.0), bias, seeded: false, ..settings() };
        sample.evolve(&requirement, LIMIT, &genetic)
    };
    for bias in [1.0, 1.5, 2.0] {
        let outcome = search(bias);
        let steps = improvements(&outcome);
        let by_crossing = steps.iter().filter(|step| step.evaluations > 40 + 32).count();
        assert!(by_crossing > 3, "{steps:?}");
    }
}

#[test]
fn a_search_can_be_stopped_between_broods() {
    let (sample, requirement) = (sample(), requirement(&QIDS));
    let genetic = Genetic { seeded: false, ..settings() };
    let complete = sample.evolve(&requirement, LIMIT, &genetic);
    for (calls, reason) in [(0, Stopped::Interrupted), (1, Stopped::TimeLimit), (9, Stopped::Interrupted)] {
        let asked = AtomicUsize::new(0);
        let stop = || (asked.fetch_add(1, Ordering::Relaxed) >= calls).then_some(reason);
        let outcome =
            sample.evolve_with(&requirement, LIMIT, &genetic, &Control { stop: &stop, ..Control::unlimited() });
        assert_eq!((outcome.stopped, asked.into_inner()), (reason, calls + 1));
        assert!(is_feasible(&sample, &requirement, &outcome));
        assert_eq!(outcome.steps, complete.steps[..outcome.steps.len()]);
        let evaluations = improvements(&outcome).last().unwrap().evaluations;
        assert!(evaluations <= 1 + 32 * calls, "{evaluations} after {calls} calls");
        assert!(outcome.steps.len() < complete.steps.len());
    }
}

/// Whatever stops the refinement that finds the seed stops the evolution, too.
#[test]
fn the_search_for_the_seed_can_be_stopped() {
    let (sample, requirement) = (sample(), requirement(&QIDS));
    for calls in [0, 1, 3] {
        let asked = AtomicUsize::new(0);
        let stop = || (asked.fetch_add(1, Ordering::Relaxed) >= calls).then_some(Stopped::TimeLimit);
        let control = Control { stop: &stop, ..Control::unlimited() };
        let outcome = sample.evolve_with(&requirement, LIMIT, &settings(), &control);
        assert_eq!(outcome.stopped, Stopped::TimeLimit);
        assert!(improvements(&outcome).iter().all(|step| step.evaluations <= 2));
        assert!(is_feasible(&sample, &requirement, &outcome));
        if calls == 0 {
            assert!(outcome.recoding.iter().all(cutline_model::AttributeRecoding::is_top));
        }
    }
}

#[test]
fn the_steps_end_when_enough_were_made() {
    let (sample, requirement) = (sample(), requirement(&QIDS));
    let complete = sample.evolve(&requirement, LIMIT, &settings());
    for max_steps in [1, 2, 3, 7] {
        let control = Control { max_steps: Some(max_steps), ..Control::unlimited() };
        let outcome = sample.evolve_with(&requirement, LIMIT, &settings(), &control);
        assert_eq!(outcome.stopped, Stopped::MaxSteps);
        assert_eq!(outcome.steps.len(), max_steps);
        assert_eq!(outcome.steps, complete.steps[..outcome.steps.len()]);
        assert!(is_feasible(&sample, &requirement, &outcome));
    }
    let control = Control { max_steps: Some(complete.steps.len() + 1), ..Control::unlimited() };
    assert_eq!(sample.evolve_with(&requirement, LIMIT, &settings(), &control), complete);
    assert_eq!(complete.stopped, Stopped::Complete);
}

#[test]
fn every_step_is_told() {
    let (sample, requirement) = (sample(), requirement(&QIDS));
    let told = Mutex::new(Vec::<Step>::new());
    let progress = |step: &Step| told.lock().unwrap().push(step.clone());
    let control = Control { progress: &progress, ..Control::unlimited() };
    let outcome = sample.evolve_with(&requirement, LIMIT, &settings(), &control);
    assert_eq!(told.into_inner().unwrap(), outcome.steps);
    assert!(outcome.steps.len() > 5, "{}", outcome.steps.len());
}

/// Figure 4 of the 2002 paper in small: the best intervals of two numbers keep the classes apart.
#[test]
fn intervals_follow_the_classes() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("x", undeclared())
        .attribute("y", undeclared())
        .records(5, "1 1 round")
        .records(5, "6 2 round")
        .records(5, "2 8 round")
        .records(4, "8 6 square")
        .records(4, "9 7 square")
        .records(1, "8.5 6.5 round")
        .records(1, "1.5 1.5 square");
    let outcome = sample.evolve(&requirement(&["x,y:5"]), u64::MAX, &Genetic { seeded: false, ..Genetic::default() });
    // The two in the midst of others are a minority in any group that is large enough, or suppressed.
    assert_eq!(reported(&outcome), 2.0 / 25.0);
}

/// More values than bits: those that refinement discloses are among them, however rare they are.
#[test]
fn seeds_with_very_many_values_are_kept() {
    let mut sample = Sample::new(LabelKind::Classes).attribute("name", Masking::Suppress);
    for value in 0..300 {
        sample = sample.records(4, &format!("common{value} no"));
    }
    sample = sample.records(3, "rare yes").records(2, "rarer yes");
    let requirement = requirement(&["name:2"]);
    let refined = sample.search(&requirement, Score::Tdr).recoding;
    assert_eq!(refined[0].labels().len(), 3, "the two rare ones and `*`");
    let outcome = sample.evolve(&requirement, u64::MAX, &Genetic { iterations: 0, ..Genetic::default() });
    assert_eq!((reported(&outcome), outcome.recoding), (0.0, refined));
}

/// The distance of the numbers, and their squares, are too large for a floating-point number.
#[test]
fn huge_numbers_have_a_loss() {
    let sample = Sample::new(LabelKind::Numbers)
        .attribute("x", undeclared())
        .records(3, "-1.5e308 -1.7e308")
        .records(3, "0 1e200")
        .records(3, "1.5e308 1.7e308");
    let metrics = [Metric::General, Metric::Regression { target: 0, dispersion: Default::default() }];
    for metric in metrics {
        let genetic = Genetic { objective: Some(Objective::new(metric.clone())), ..settings() };
        let outcome = sample.evolve(&requirement(&["x:3"]), LIMIT, &genetic);
        assert_eq!(improvements(&outcome)[0].loss, 1.0, "{metric:?}");
        assert_eq!(reported(&outcome), 0.0, "{metric:?}");
    }
}
