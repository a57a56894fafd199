//! The comparison against one that takes records away one by one.

use super::*;

type Cell = Option<String>;

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

fn rows(before: &[Record], after: &[Record]) -> Rows {
    let mut rows = Rows::new(3);
    for (side, records) in [(Side::Before, before), (Side::After, after)] {
        for (labels, values) in records {
            rows.add(side, labels.iter().chain(values).map(Option::as_deref), 1);
        }
    }
    rows
}

/// Records without all values but these.
fn only(records: &[Record], chosen: &[usize]) -> Vec<Record> {
    let chosen = |values: &[Cell]| chosen.iter().map(|&value| values[value].clone()).collect();
    records.iter().map(|(labels, values)| (labels.clone(), chosen(values))).collect()
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
            let rows = rows(&before, &after);
            let mut refused_by_some = false;
            for chosen in [&[0, 1][..], &[], &[0], &[1]] {
                let columns: Vec<usize> = chosen.iter().map(|value| value + 1).collect();
                let expected = naive(&only(&before, chosen), &only(&after, chosen), k);
                assert_eq!(rows.told(&[0], &columns, k), expected, "{before:?} {after:?} {chosen:?} {k}");
                refused_by_some |= expected.groups > 0;
            }
            assert_eq!(worst(&rows, &[0], &[1, 2], k).groups > 0, refused_by_some);
            refused += u64::from(refused_by_some);
        }
    }
    assert!((1_000..9_500).contains(&refused), "both happen: {refused}");
}

#[test]
fn cells_that_say_the_same_number_are_the_same() {
    let told = |before: &str, after: &str| {
        let mut rows = Rows::new(1);
        rows.add(Side::Before, [Some(before)].into_iter(), 1);
        rows.add(Side::After, [Some(after)].into_iter(), 1);
        rows.told(&[], &[0], 2).groups
    };
    assert_eq!((told("2.5", "2.50"), told("7", "7.0"), told("1e3", "1000")), (0, 0, 0));
    assert_eq!((told("2.5", "2.51"), told("x", "X"), told("12345678901234567", "12345678901234568")), (1, 1, 1));
}
