//! The same input gives the same result whatever the number of threads.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::{Masking, Requirement};
use cutline_search::Outcome;
use cutline_search::bottom_up::Pruning;
use cutline_search::top_down::Score;
use cutline_table::LabelKind;
use proptest::prelude::*;

use support::cases::{Case, any_solvable_case, config};
use support::pools::{POOLS, all_equal, all_have_the_same_bytes, on_all_pools};
use support::{Record, Sample, generalize, requirement, undeclared};

/// What each pool finds; the table is compressed in it, too.
fn outcomes(sample: &Sample, requirement: &Requirement, score: Score) -> Vec<Outcome> {
    on_all_pools(|| sample.search(requirement, score))
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn small_tables_do_not_depend_on_threads(case in any_solvable_case()) {
        let Case { sample, requirement, score } = &case;
        let outcomes = outcomes(sample, requirement, *score);
        prop_assert!(all_equal(&outcomes) && all_have_the_same_bytes(&outcomes), "{outcomes:?}");
    }
}

/// Enough distinct rows that single groups are counted on several threads, and codes of more than one byte.
fn large_sample(label: LabelKind) -> Sample {
    let mut sample = Sample::new(label)
        .attribute("age", undeclared())
        .attribute("city", Masking::Suppress)
        .attribute("level", generalize(LEVELS));
    let mut random = 1u64;
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    for _ in 0..40_000 {
        // The lower of two draws: frequent and rare values.
        let age = below(400).min(below(400));
        let city = below(60).min(below(60));
        let level = below(7);
        let class = (age / 90 + city / 11 + level / 3 + below(3)) % 4;
        let cells = [age.to_string(), format!("city {city}"), format!("level {level}")];
        sample.records.push(Record { quasi: cells.map(Some).to_vec(), target: Some(class.to_string()) });
    }
    sample
}

const LEVELS: &str = "Any
  Low
    level 0
    level 1
    Middle
      level 2
      level 3
  High
    level 4
    level 5
    level 6
";

#[test]
fn large_tables_do_not_depend_on_threads() {
    let requirement = requirement(&["age,city,level:20", "age,city:40", "city,level:60"]);
    for label in [LabelKind::Classes, LabelKind::Numbers, LabelKind::None] {
        let sample = large_sample(label);
        let outcomes = outcomes(&sample, &requirement, Score::Tdr);
        assert!(all_equal(&outcomes) && all_have_the_same_bytes(&outcomes));
        assert!(outcomes[0].steps.len() > 10, "{}", outcomes[0].steps.len());
        let recount = sample.recount(&requirement, &outcomes[0].recoding);
        assert_eq!(outcomes[0].anonymity, recount);
        assert!(requirement.qids().iter().zip(&recount).all(|(qid, &anonymity)| anonymity >= qid.k));
    }
}

#[test]
fn large_tables_do_not_depend_on_threads_bottom_up() {
    let requirement = requirement(&["age,city:40", "city,level:60"]);
    for label in [LabelKind::Classes, LabelKind::Numbers, LabelKind::None] {
        let sample = large_sample(label);
        let search =
            |pool: &rayon::ThreadPool, pruning| pool.install(|| sample.climb_steps(&requirement, pruning, None));
        let mut outcomes: Vec<Outcome> = POOLS.iter().map(|pool| search(pool, Pruning::On)).collect();
        outcomes.push(search(&POOLS[1], Pruning::Off));
        assert!(all_equal(&outcomes) && all_have_the_same_bytes(&outcomes));
        assert!(outcomes[0].steps.len() > 10, "{}", outcomes[0].steps.len());
        let recount = sample.recount(&requirement, &outcomes[0].recoding);
        assert_eq!(outcomes[0].anonymity, recount);
        assert!(requirement.qids().iter().zip(&recount).all(|(qid, &anonymity)| anonymity >= qid.k));
    }
}
