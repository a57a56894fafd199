use super::*;
use crate::{BlockColumn, RawTable};

fn patterns(told: &[Option<&str>], rows: &[(&[u32], Option<u64>)]) -> Arc<Patterns> {
    Arc::new(Patterns {
        told: told.iter().map(|name| name.map(str::to_owned)).collect(),
        patterns: rows.iter().map(|(row, _)| (*row).into()).collect(),
        absent: rows.iter().map(|(_, absent)| *absent).collect(),
        promised: Vec::new(),
    })
}

/// One earlier release of age and sex. Pattern 0: not in it.
fn one_release() -> Arc<Patterns> {
    let told = [None, Some("age"), Some("sex")];
    patterns(&told, &[(&[0, 0, 0], None), (&[1, 1, 1], Some(2)), (&[1, 2, 1], Some(3)), (&[1, 2, 2], Some(0))])
}

#[test]
fn a_qid_tells_histories_apart_by_its_own_attributes() {
    let history = History { of_row: Codes::from_codes([0, 1, 2, 3, 2].into_iter(), 4), patterns: one_release() };
    let on = |names: &[&str]| {
        let histories = history.on(names);
        (histories.of_row.iter().collect::<Vec<_>>(), histories.absent)
    };
    assert_eq!(on(&["age", "sex"]), (vec![0, 1, 2, 3, 2], vec![None, Some(2), Some(3), Some(0)]));
    assert_eq!(on(&["sex"]), (vec![0, 1, 1, 2, 1], vec![None, Some(5), Some(0)]));
    assert_eq!(on(&["zip"]), (vec![0, 1, 1, 1, 1], vec![None, Some(5)]), "whoever is in a release, is known");
}

#[test]
fn those_who_vanish_hide_among_others_who_are_absent() {
    let histories = Histories { of_row: Codes::from_codes([0, 1, 1].into_iter(), 2), absent: vec![None, Some(2)] };
    let exposed = |vanish: [u64; 2], k: u64| histories.exposed(vanish.to_vec(), k);
    assert!(exposed([1, 0], 9).is_empty(), "nobody knows of somebody who was never published");
    assert!(exposed([0, 1], 3).is_empty());
    assert_eq!((exposed([0, 1], 5), exposed([0, 2], 4)), (vec![(1, 2)], vec![]));
}

#[test]
fn histories_stay_apart_when_columns_are_left_out() {
    let texts = |texts: &[&str]| texts.iter().map(|&text| Some(text.to_owned())).collect();
    let age = BlockColumn { codes: vec![0, 0, 1, 1], texts: texts(&["30", "40"]) };
    let id = BlockColumn { codes: vec![0, 1, 2, 3], texts: texts(&["a", "b", "c", "d"]) };
    let table = RawTable::from_groups(&[age, id], &[1, 1, 1, 1], 0).unwrap();
    let table = table.with_history(&[Some(1), Some(2), Some(1), None], one_release());
    assert_eq!((table.records, table.columns[0].values().count()), (3, 2));
    let folded = table.select(&[0]);
    assert_eq!(folded.weights, [1, 1, 1], "the first two differ in what was told of them");
    assert_eq!(folded.history.unwrap().of_row.iter().collect::<Vec<_>>(), [1, 2, 1]);
    let without = table.with_history(&[None, None, Some(0)], one_release());
    assert_eq!(
        without.columns[0].values().map(|(text, _)| text).collect::<Vec<_>>(),
        ["40"],
        "no value of others is left"
    );
}
