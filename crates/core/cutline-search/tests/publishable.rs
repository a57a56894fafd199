//! A requirement that can be satisfied without suppressing anything is satisfied where records may be suppressed, and what is published of a
//! recoding follows from the published records.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use std::collections::HashSet;

use cutline_model::recoding::{Labeler, Unknown};
use cutline_model::{AttributeRecoding, Masking, NodeId};
use cutline_search::bottom_up::BottomUp;
use cutline_search::genetic::Genetic;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Search, publishable};
use cutline_table::{Attribute, CompressedTable, Settled};
use proptest::prelude::*;

use support::cases::config;
use support::guarded::{Guarded, Kind, any_guarded};

/// What publishing what a search finds comes to.
fn settled(guarded: &Guarded, table: &CompressedTable, search: &dyn Search) -> Settled {
    let problem = guarded.problem(table);
    let outcome = publishable(search, &problem, &Control::unlimited());
    Settled::new(table, outcome.recoding, outcome.regions, problem.qids(), problem.how()).unwrap()
}

/// Does the recoding of an attribute tell nothing but what published records show? `None` is a missing value.
fn tells_only_what_is_shown(recoding: &AttributeRecoding, shown: &[Option<String>]) -> bool {
    let labeler = Labeler::new(recoding, Unknown::Error);
    let values = || shown.iter().flatten();
    let labels: HashSet<u32> = values().map(|value| labeler.label(value).unwrap()).collect();
    let told = match recoding {
        AttributeRecoding::Generalize { cut, taxonomy, .. } => {
            let above = |value: &String| taxonomy.ancestors(taxonomy.node(value).unwrap()).collect::<Vec<_>>();
            let used: HashSet<NodeId> = values().flat_map(above).collect();
            cut.iter()
                .map(|label| taxonomy.node(label).unwrap())
                .all(|node| used.contains(&node) || taxonomy.parent(node).is_none_or(|parent| used.contains(&parent)))
        }
        AttributeRecoding::Suppress { disclosed, .. } => {
            disclosed.iter().all(|value| shown.contains(&Some(value.clone())))
        }
        AttributeRecoding::Discretize { bounds, .. } => {
            let inner = || bounds[1..bounds.len() - 1].iter().filter_map(|bound| bound.0);
            let is_value = |bound: f64| values().any(|value| value.parse() == Ok(bound));
            bounds.len() == 2 || labels.len() == bounds.len() - 1 && inner().all(is_value)
        }
    };
    told && (recoding.missing().is_none() || shown.contains(&None))
}

/// The values of an attribute in the records that are published.
fn shown(attribute: &Attribute, suppressed: &[bool]) -> Vec<Option<String>> {
    let text = |code: u32| {
        let domain = &attribute.domain;
        if domain.missing() == Some(code) {
            return None;
        }
        Some(match &attribute.masking {
            Masking::Generalize(taxonomy) => taxonomy.label(domain.as_leaves()[code as usize]).to_owned(),
            Masking::Suppress => domain.name(code).unwrap().to_owned(),
            Masking::Discretize { .. } => domain.as_numbers()[code as usize].to_string(),
        })
    };
    attribute.codes.iter().zip(suppressed).filter(|(_, suppressed)| !**suppressed).map(|(code, _)| text(code)).collect()
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn what_is_found_with_a_budget_can_be_published_and_tells_only_what_is_shown(guarded in any_guarded(Kind::Any)) {
        let genetic = Genetic { population: 10, iterations: 60, ..Genetic::default() };
        let searches: [&dyn Search; 4] =
            [&TopDown { score: Score::Tdr }, &TopDown { score: Score::Tds }, &BottomUp::default(), &genetic];
        for search in searches {
            let table = guarded.compress();
            let Settled { recoding, suppressed, .. } = settled(&guarded, &table, search);
            prop_assert!(suppressed.records <= guarded.limit);
            for (attribute, recoding) in table.attributes.iter().zip(&recoding) {
                let shown = shown(attribute, &suppressed.rows);
                prop_assert!(tells_only_what_is_shown(recoding, &shown), "{:?} {:?}", recoding, shown);
            }
        }
    }
}
