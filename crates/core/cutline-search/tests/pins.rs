//! Where the line must be open and where it must stay closed, against a naive implementation, on random small tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use cutline_model::recoding::TOP;
use cutline_model::{AttributeRecoding, Masking, Qid, Requirement};
use cutline_search::refine::Refine;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Outcome, Pins, Problem, Search, SearchError};
use cutline_table::LabelKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use support::cases::{Case, any_solvable_case, config};
use support::{Sample, naive_pinned};

/// What could be pinned of an attribute: nodes, or the values that there are.
fn places(sample: &Sample, attribute: usize) -> Vec<String> {
    match &sample.attributes[attribute].1 {
        Masking::Generalize(taxonomy) => taxonomy.nodes().map(|node| taxonomy.label(node).to_owned()).collect(),
        Masking::Suppress => sample.records.iter().filter_map(|record| record.quasi[attribute].clone()).collect(),
        Masking::Discretize { .. } => Vec::new(),
    }
}

/// Pins by chance: of each attribute at most one open and one closed place, or everything closed.
fn pins(sample: &Sample, chances: &[(Index, Index, u8)]) -> Vec<Pins> {
    let each = sample.attributes.iter().enumerate().zip(chances);
    let pins = each.map(|((a, (name, _)), (open, closed, what))| {
        let places = places(sample, a);
        let one = |index: &Index, wanted: bool| -> Vec<String> {
            if wanted && !places.is_empty() { vec![index.get(&places).clone()] } else { Vec::new() }
        };
        let everything = places.is_empty() && what % 4 == 3;
        let closed = if everything { vec![TOP.to_owned()] } else { one(closed, what % 4 >= 2) };
        Pins { attribute: name.clone(), open: one(open, what % 2 == 1), closed }
    });
    pins.collect()
}

fn check(Case { sample, requirement, score }: &Case, pins: &[Pins]) -> TestCaseResult {
    let table = sample.compress();
    let naive = match Problem::new(&table, requirement).unwrap().pinned(pins) {
        // Open and closed at once.
        Err(SearchError::Pin { .. }) => return Ok(()),
        Err(SearchError::TooOpen { .. }) => {
            prop_assert!(naive_pinned::search(sample, requirement, *score, pins).is_none());
            return Ok(());
        }
        Err(error) => panic!("{error}"),
        Ok(problem) => {
            let ours = TopDown { score: *score }.search(&problem, &Control::unlimited());
            let refined = Refine.search(&problem, &Control::unlimited());
            respects(&refined, pins)?;
            respects(&ours, pins)?;
            let naive = naive_pinned::search(sample, requirement, *score, pins);
            naive.map(|naive| (ours, naive))
        }
    };
    let Some((ours, naive)) = naive else {
        return Err(TestCaseError::fail("the naive search says that it does not hold"));
    };
    prop_assert_eq!(&ours.recoding, &naive.recoding);
    prop_assert_eq!(&ours.anonymity, &naive.anonymity);
    prop_assert_eq!(ours.steps.len(), naive.steps.len());
    Ok(())
}

/// Is everything open and closed that must be?
fn respects(outcome: &Outcome, pins: &[Pins]) -> TestCaseResult {
    for (recoding, pins) in outcome.recoding.iter().zip(pins) {
        match recoding {
            AttributeRecoding::Generalize { cut, taxonomy, .. } => {
                for node in cut.iter().map(|label| taxonomy.node(label).unwrap()) {
                    let above =
                        |label: &String| taxonomy.ancestors(taxonomy.node(label).unwrap()).any(|other| other == node);
                    prop_assert!(taxonomy.is_leaf(node) || !pins.open.iter().any(above), "{pins:?}");
                    let mut higher = taxonomy.ancestors(node).skip(1);
                    prop_assert!(
                        !higher.any(|node| pins.closed.iter().any(|label| label == taxonomy.label(node))),
                        "{pins:?}"
                    );
                }
            }
            AttributeRecoding::Suppress { disclosed, .. } => {
                prop_assert!(pins.open.iter().all(|label| disclosed.contains(label)), "{pins:?}");
                prop_assert!(!pins.closed.iter().any(|label| disclosed.contains(label)), "{pins:?}");
            }
            AttributeRecoding::Discretize { bounds, .. } => {
                prop_assert!(pins.closed.is_empty() || bounds.len() <= 2, "{pins:?}");
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn pinned_search_follows_the_definition(
        case in any_solvable_case(),
        chances in vec((any::<Index>(), any::<Index>(), any::<u8>()), 4),
    ) {
        check(&case, &pins(&case.sample, &chances))?;
    }
}

/// Ages of two classes.
fn ages() -> (Sample, Requirement) {
    let mut sample = Sample::new(LabelKind::Classes).attribute("age", Masking::numbers(Some((0.0, 100.0))));
    for age in 20..80 {
        sample = sample.records(2, &format!("{age} {}", if (40..60).contains(&age) { "yes" } else { "no" }));
    }
    (sample, Requirement::new(vec![Qid::new(vec!["age".to_owned()], 4)]).unwrap())
}

fn labels(open: &[&str], closed: &[&str]) -> Result<Vec<Vec<String>>, SearchError> {
    let (sample, requirement) = ages();
    let table = sample.compress();
    let own = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let pins = Pins { attribute: "age".to_owned(), open: own(open), closed: own(closed) };
    let problem = Problem::new(&table, &requirement)?.pinned(&[pins])?;
    let top_down = TopDown { score: Score::Tdr }.search(&problem, &Control::unlimited());
    let refine = Refine.search(&problem, &Control::unlimited());
    Ok([top_down, refine].iter().map(|outcome| outcome.recoding[0].labels()).collect())
}

#[test]
fn bounds_are_where_they_must_be() {
    let plain = vec!["[0-40)", "[40-60)", "[60-100]"];
    assert_eq!(labels(&[], &[]).unwrap(), [plain.clone(), plain]);
    for found in labels(&["30", "50"], &[]).unwrap() {
        assert_eq!(found, ["[0-30)", "[30-40)", "[40-50)", "[50-60)", "[60-100]"]);
    }
    // No record is of this age: the bound is at the next one. Below all records there is none.
    for found in labels(&["10", "29.5"], &["*"]).unwrap() {
        assert_eq!(found, ["[0-30)", "[30-100]"]);
    }
}

#[test]
fn an_interval_that_is_closed_stays_as_it_is() {
    for found in labels(&[], &["[30-50)"]).unwrap() {
        assert_eq!(found, ["[0-30)", "[30-50)", "[50-60)", "[60-100]"]);
    }
    for found in labels(&["40"], &["*"]).unwrap() {
        assert_eq!(found, ["[0-40)", "[40-100]"]);
    }
    for found in labels(&[], &["*"]).unwrap() {
        assert_eq!(found, ["[0-100]"]);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(matches!(labels(&["40"], &["[30-50)"]), Err(SearchError::Pin { .. })));
    assert!(matches!(labels(&["old"], &[]), Err(SearchError::Pin { .. })));
    assert!(matches!(labels(&[], &["old"]), Err(SearchError::Pin { .. })));
    assert_eq!(labels(&["21", "22"], &[]).err(), Some(SearchError::TooOpen { records: 4, limit: 0 }));
}
