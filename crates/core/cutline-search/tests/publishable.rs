//! A requirement that can be satisfied without suppressing anything is satisfied where records may be suppressed.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_search::bottom_up::BottomUp;
use cutline_search::genetic::Genetic;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Search, publishable};
use cutline_table::Settled;
use proptest::prelude::*;

use support::cases::config;
use support::guarded::{Guarded, Kind, any_guarded};

/// The records that publishing what a search finds suppresses.
fn suppressed(guarded: &Guarded, search: &dyn Search) -> u64 {
    let table = guarded.compress();
    let problem = guarded.problem(&table);
    let outcome = publishable(search, &problem, &Control::unlimited());
    Settled::new(&table, outcome.recoding, outcome.regions, problem.qids(), problem.how()).unwrap().suppressed.records
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn what_is_found_with_a_budget_can_be_published(guarded in any_guarded(Kind::Any)) {
        let genetic = Genetic { population: 10, iterations: 60, ..Genetic::default() };
        let searches: [&dyn Search; 4] =
            [&TopDown { score: Score::Tdr }, &TopDown { score: Score::Tds }, &BottomUp::default(), &genetic];
        for search in searches {
            prop_assert!(suppressed(&guarded, search) <= guarded.limit);
        }
    }
}
