//! The comparison against one that takes records away one by one.

use super::*;

type Record = (Vec<Cell>, Vec<Cell>);

/// Records with few distinct labels and values, from a generator that is good enough for this.
fn records(seed: &mut u64, most: u64) -> Vec<Record> {
    let mut draw = |below: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    let cell = |number: u64| (number > 0).then(|| number.to_string());
    (0..draw(most)).map(|_| (vec![cell(draw(3))], vec![cell(draw(3)), cell(draw(2))])).collect()
}

fn counted(records: &[Record]) -> Counted {
    let mut counted = Counted::new();
    for (labels, values) in records.iter().cloned() {
        *counted.entry(labels).or_default().entry(values).or_default() += 1;
    }
    counted
}

/// Strikes out every record that the other table has too, then counts what is left of each group.
fn naive(before: &[Record], after: &[Record], k: u64) -> Told {
    let (mut vanished, mut appeared) = (before.to_vec(), Vec::new());
    for record in after {
        match vanished.iter().position(|other| other == record) {
            Some(place) => drop(vanished.remove(place)),
            None => appeared.push(record.clone()),
        }
    }
    let mut few: Vec<Vec<Cell>> = Vec::new();
    for left in [vanished, appeared] {
        let mut groups: Vec<&Vec<Cell>> = left.iter().map(|(labels, _)| labels).collect();
        groups.sort();
        groups.dedup();
        for group in groups {
            let records = left.iter().filter(|(labels, _)| labels == group).count() as u64;
            if records < k {
                few.extend((0..records).map(|_| group.clone()));
            }
        }
    }
    let records = few.len() as u64;
    few.sort();
    few.dedup();
    Told { groups: few.len() as u64, records }
}

#[test]
fn what_a_comparison_tells_is_what_is_left_when_all_common_records_are_struck_out() {
    let mut seed = 7;
    let mut refused = 0;
    for round in 0..2_000 {
        let mut before = records(&mut seed, 30);
        let mut after = if round % 2 == 0 { before.clone() } else { Vec::new() };
        after.extend(records(&mut seed, 8));
        before.extend(records(&mut seed, 4));
        for k in 1..6 {
            let told = told(&counted(&before), &counted(&after), k);
            assert_eq!(told, naive(&before, &after, k), "{before:?} {after:?} {k}");
            refused += u64::from(told.groups > 0);
        }
    }
    assert!((1_000..9_000).contains(&refused), "both happen: {refused}");
}
