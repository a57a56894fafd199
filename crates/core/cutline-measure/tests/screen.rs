//! The screen against definitions that are slow and plain.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use cutline_measure::screen::{
    Alike, Coded, Crowd, Hidden, Joined, Pairs, Proposal, Reveal, Runs, TellingPair, Together, propose,
};
use cutline_table::Codes;
use proptest::prelude::*;

/// Some columns of the same length with codes below 5.
fn columns(count: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1..60_usize).prop_flat_map(move |records| prop::collection::vec(prop::collection::vec(0..5_u32, records), count))
}

fn coded(codes: &Codes) -> Coded<'_> {
    Coded { codes, values: 5 }
}

/// The columns in one, two and four bytes a code, in turns.
fn stored(columns: &[Vec<u32>]) -> Vec<Codes> {
    let widths = [0x100, 0x1_0000, 0x1_0001].into_iter().cycle();
    columns.iter().zip(widths).map(|(column, width)| Codes::from_codes(column.iter().copied(), width)).collect()
}

fn by(columns: &[Codes]) -> Runs {
    let records = columns[0].len() as u32;
    columns.iter().fold(Runs::whole(records), |runs, column| runs.split(coded(column)))
}

/// How many records are like each one.
fn alike(columns: &[&Vec<u32>]) -> Vec<u64> {
    let records = 0..columns[0].len();
    let same = |a: usize, b: usize| columns.iter().all(|column| column[a] == column[b]);
    records.clone().map(|a| records.clone().filter(|&b| same(a, b)).count() as u64).collect()
}

fn naive_crowd(columns: &[&Vec<u32>], k: u64) -> Crowd {
    let sizes = alike(columns);
    Crowd {
        groups: sizes.iter().map(|&size| 1.0 / size as f64).sum::<f64>().round() as u64,
        smallest: *sizes.iter().min().unwrap(),
        single: sizes.iter().filter(|size| **size == 1).count() as u64,
        below: sizes.iter().filter(|size| **size < k).count() as u64,
    }
}

/// Each record by itself: which records have the same value and the same label, and do they agree?
fn naive_reveal(column: &[u32], hidden: &[u32], label_of: &[u32]) -> Reveal {
    let label = |record: usize| label_of[hidden[record] as usize];
    let records = 0..column.len();
    let mut told = Reveal { records: column.len() as u64, ..Reveal::default() };
    let mut variance = 0.0;
    for r in records.clone() {
        let under: Vec<usize> = records.clone().filter(|&s| label(s) == label(r)).collect();
        let cell: Vec<usize> = under.iter().copied().filter(|&s| column[s] == column[r]).collect();
        let of = |value: u32, among: &[usize]| among.iter().filter(|&&s| hidden[s] == value).count() as f64;
        let (most, base) = cell.iter().fold((0.0, 0.0), |(most, base), &s| {
            let count = of(hidden[s], &cell);
            if count > most { (count, of(hidden[s], &under) / under.len() as f64) } else { (most, base) }
        });
        if base == 1.0 {
            continue;
        }
        let size = cell.len() as f64;
        let mut values: Vec<u32> = under.iter().map(|&s| hidden[s]).collect();
        values.sort_unstable();
        values.dedup();
        let agree: f64 =
            values.into_iter().map(|value| (of(value, &under) / under.len() as f64).powi(cell.len() as i32)).sum();
        told.chance += agree;
        variance += size * agree * (1.0 - agree);
        let certain = most == size;
        let surely = most >= 0.95 * size && most >= size * base + 3.0 * (size * base * (1.0 - base)).sqrt();
        told.certain += u64::from(certain);
        told.nearly += u64::from(certain || surely);
    }
    told.deviation = variance.sqrt();
    told
}

/// Column 3 has the labels and 4 the hidden values. Does each of two columns tell more than the label and the other one?
fn naive_pair(columns: &[Vec<u32>], [a, b]: [usize; 2]) -> Option<TellingPair> {
    let joined = |one: &[u32], other: &[u32]| -> Vec<u32> { one.iter().zip(other).map(|(a, b)| a + 25 * b).collect() };
    let hidden = |known: &[u32]| joined(&columns[4], known);
    let label_of: Vec<u32> = (0..25 * 125).map(|combination| combination / 25).collect();
    let beyond = |one: usize, other: usize| {
        let known: Vec<u32> = columns[3].iter().zip(&columns[one]).map(|(label, value)| label + 5 * value).collect();
        naive_reveal(&columns[other], &hidden(&known), &label_of).matters()
    };
    let told = || naive_reveal(&joined(&columns[a], &columns[b]), &hidden(&columns[3]), &label_of);
    (beyond(a, b) && beyond(b, a)).then(|| TellingPair { columns: [a, b], told: told() })
}

/// Every set of columns, the smallest ones first.
fn naive_best(columns: &[Vec<u32>], size: usize) -> u64 {
    let sets = (1_u32..1 << columns.len()).filter(|set| set.count_ones() as usize == size);
    let of = |set: u32| columns.iter().enumerate().filter(|(c, _)| set & (1 << c) != 0).map(|(_, c)| c).collect();
    let single = |set: u32| {
        let chosen: Vec<&Vec<u32>> = of(set);
        alike(&chosen).iter().filter(|size| **size == 1).count() as u64
    };
    sets.map(single).max().unwrap()
}

proptest! {
    #[test]
    fn groups_are_those_of_the_definition(columns in columns(3), k in 1..6_u64) {
        let all: Vec<&Vec<u32>> = columns.iter().collect();
        let stored = stored(&columns);
        prop_assert_eq!(by(&stored).crowd(k), naive_crowd(&all, k));
        let alike = Alike::by_all(columns[0].len() as u32, stored.iter().map(coded));
        prop_assert_eq!(alike.crowd(k), naive_crowd(&all, k));
        let two = Alike::by_all(columns[0].len() as u32, stored[..2].iter().map(coded));
        prop_assert_eq!(two.crowd_with(coded(&stored[2]), k), naive_crowd(&all, k));
        prop_assert_eq!(two.runs().crowd_with(coded(&stored[2]), k), naive_crowd(&all, k));
        let together = |run: &[u32]| all.iter().all(|column| run.iter().all(|&r| column[r as usize] == column[run[0] as usize]));
        prop_assert!(alike.runs().iter().all(together));
        prop_assert_eq!(by(&stored[..2]).crowd_with(coded(&stored[2]), k), naive_crowd(&all, k));
    }

    #[test]
    fn a_split_keeps_every_record_once(columns in columns(2)) {
        let runs = by(&stored(&columns));
        let mut records: Vec<u32> = runs.iter().flatten().copied().collect();
        records.sort_unstable();
        prop_assert_eq!(records, (0..columns[0].len() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn what_a_column_tells_is_what_the_definition_says(columns in columns(2), label_of in prop::collection::vec(0..3_u32, 5)) {
        let stored = stored(&columns);
        let hidden = Hidden::new(coded(&stored[1]), label_of.clone());
        let naive = naive_reveal(&columns[0], &columns[1], &label_of);
        let one_label = vec![0; 5];
        let hidden_at_all = Hidden::new(coded(&stored[1]), one_label.clone());
        let naive_at_all = naive_reveal(&columns[0], &columns[1], &one_label);
        for told in [hidden_at_all.told_by(&Alike::by(coded(&stored[0]))), hidden_at_all.told_by_runs(&by(&stored[..1]))] {
            prop_assert_eq!((told.certain, told.nearly, told.records), (naive_at_all.certain, naive_at_all.nearly, naive_at_all.records));
            prop_assert!((told.chance - naive_at_all.chance).abs() < 1e-6, "{} {}", told.chance, naive_at_all.chance);
        }
        // Where there are few records they are looked at run by run in any case.
        for told in [hidden.told_by(&Alike::by(coded(&stored[0]))), hidden.told_by_runs(&by(&stored[..1]))] {
            prop_assert_eq!((told.certain, told.nearly, told.records), (naive.certain, naive.nearly, naive.records));
            prop_assert!((told.chance - naive.chance).abs() < 1e-6, "{} {}", told.chance, naive.chance);
            prop_assert!((told.deviation - naive.deviation).abs() < 1e-6, "{} {}", told.deviation, naive.deviation);
        }
    }

    #[test]
    fn what_is_not_counted_would_not_have_mattered(
        records in 1..3000_usize, values in 65..400_u32, groups in 1..400_u32, labels in 1..5_u32, noise in 1..40_u32, seed in any::<u32>(),
    ) {
        let drawn = |record: u32, column: u32| (record ^ seed).wrapping_mul(0x9e37_79b9).wrapping_add(column).wrapping_mul(0x85eb_ca6b) >> 7;
        // Some values are frequent, and the column follows from them but for some noise.
        let value = |record: u32| (drawn(record, 0) % values).min(drawn(record, 1) % values);
        let hidden = Codes::from((0..records as u32).map(value).collect::<Vec<_>>());
        let group = |record: u32| match drawn(record, 2) % noise {
            0 => drawn(record, 3) % groups,
            _ => value(record) % groups,
        };
        let column = Codes::from((0..records as u32).map(group).collect::<Vec<_>>());
        let column = Alike::by(Coded { codes: &column, values: groups as usize });
        let hidden = Hidden::new(
            Coded { codes: &hidden, values: values as usize },
            (0..values).map(|value| value * labels / values).collect(),
        );
        prop_assert_eq!(hidden.telling(&column), Some(hidden.told_by(&column)).filter(Reveal::matters));
    }

    #[test]
    fn columns_that_are_looked_at_together_tell_what_each_tells(
        records in 1..2500_u32, values in prop::collection::vec((1..90_u32, 1..4_u32), 0..7),
        groups in prop_oneof![1..300_u32, 1..6_u32], noise in 1..20_u32, seed in any::<u32>(),
    ) {
        let drawn = |record: u32, column: u32| (record ^ seed).wrapping_mul(0x9e37_79b9).wrapping_add(column).wrapping_mul(0x85eb_ca6b) >> 7;
        let group = |record: u32| drawn(record, 0) % groups;
        let value = |record: u32, column: u32, values: u32| match drawn(record, column) % noise {
            0 => drawn(record, column + 50) % values,
            _ => group(record) * (column + 3) % values,
        };
        let codes = |column: usize| Codes::from((0..records).map(|record| value(record, column as u32 + 1, values[column].0)).collect::<Vec<_>>());
        let columns: Vec<Codes> = (0..values.len()).map(codes).collect();
        let hidden = || columns.iter().zip(&values).map(|(codes, &(values, labels))| {
            Hidden::new(Coded { codes, values: values as usize }, (0..values).map(|value| value * labels / values).collect())
        });
        let by = Codes::from((0..records).map(group).collect::<Vec<_>>());
        let alike = Alike::by(Coded { codes: &by, values: groups as usize });
        let each = hidden().enumerate().filter_map(|(place, hidden)| Some((place, hidden.telling(&alike)?)));
        prop_assert_eq!(Together::new(hidden().collect()).telling(&alike), each.collect::<Vec<_>>());
    }

    #[test]
    fn a_label_for_each_record_is_as_one_for_each_value(columns in columns(3)) {
        // Labels that do not follow from the value: those of suppressed records, for example.
        let stored = stored(&columns);
        let joined = Joined::new(coded(&stored[2]), coded(&stored[1]));
        let told = joined.hidden().told_by(&Alike::by(coded(&stored[0])));
        let combined: Vec<u32> = columns[1].iter().zip(&columns[2]).map(|(value, label)| value + 5 * label).collect();
        let label_of: Vec<u32> = (0..25).map(|combination| combination / 5).collect();
        let naive = naive_reveal(&columns[0], &combined, &label_of);
        prop_assert_eq!((told.certain, told.nearly, told.records), (naive.certain, naive.nearly, naive.records));
        prop_assert!((told.chance - naive.chance).abs() < 1e-6, "{} {}", told.chance, naive.chance);
    }

    #[test]
    fn pairs_tell_what_the_definition_says(columns in columns(5)) {
        let stored = stored(&columns);
        let coded: Vec<Coded> = stored.iter().map(coded).collect();
        let found = Pairs::new(&coded).telling(&[0, 1, 2], coded[3], coded[4]);
        let naive: Vec<TellingPair> = [[0, 1], [0, 2], [1, 2]].into_iter().filter_map(|pair| naive_pair(&columns, pair)).collect();
        prop_assert_eq!(found.len(), naive.len());
        for (found, naive) in found.iter().zip(&naive) {
            prop_assert_eq!((found.columns, found.told.certain, found.told.nearly), (naive.columns, naive.told.certain, naive.told.nearly));
        }
    }

    #[test]
    fn proposals_are_the_smallest_sets_that_single_out_most(columns in columns(4)) {
        let stored = stored(&columns);
        let coded: Vec<Coded> = stored.iter().map(coded).collect();
        let records = columns[0].len() as u32;
        let proposals = propose(&coded, &[0, 1, 2, 3], records);
        let last = proposals.last().unwrap().columns.len();
        for size in 1..=last {
            let first = proposals.iter().find(|set| set.columns.len() == size).unwrap();
            prop_assert_eq!(first.single, naive_best(&columns, size));
            prop_assert!(size == last || first.single * 2 <= u64::from(records));
        }
        prop_assert!(last == 4 || naive_best(&columns, last) * 2 > u64::from(records));
    }
}

#[test]
fn a_column_that_repeats_a_hidden_one_tells_it_and_chance_does_not() {
    let hidden: Vec<u32> = (0..1000).map(|record| record % 4).collect();
    let codes: Vec<u32> = hidden.iter().map(|value| 3 - value).collect();
    let serial: Vec<u32> = (0..1000).collect();
    let pairs: Vec<u32> = (0..1000).map(|record| record * 7 % 1000 / 2).collect();
    let hidden = Codes::from(hidden);
    let told = |column: &[u32]| {
        let column = Codes::from(column.to_vec());
        Hidden::new(coded(&hidden), vec![0; 5]).told_by(&Alike::by(Coded { codes: &column, values: 1000 }))
    };
    assert_eq!((told(&codes).certain, told(&codes).matters()), (1000, true));
    assert_eq!((told(&serial).certain, told(&serial).matters()), (1000, false), "who is alone is known by other means");
    assert!(!told(&pairs).matters());
}

/// One run of so many records all but one of which have the same value; others are alone.
fn nearly_beyond_those_who_are_alone(run: u32) -> u64 {
    let hidden = Codes::from(
        (0..1000).map(|record| if record < run { u32::from(record == 0) } else { record % 2 }).collect::<Vec<_>>(),
    );
    let column = Codes::from((0..1000_u32).map(|record| record.saturating_sub(run - 1)).collect::<Vec<_>>());
    let hidden = Hidden::new(Coded { codes: &hidden, values: 2 }, vec![0; 2]);
    let told = hidden.told_by_runs(&Runs::by(Coded { codes: &column, values: 1000 }));
    assert_eq!(told.certain, u64::from(1000 - run));
    told.nearly - told.certain
}

#[test]
fn nineteen_of_twenty_are_nearly_certain_and_eighteen_of_nineteen_are_not() {
    assert_eq!([19, 20, 21].map(nearly_beyond_those_who_are_alone), [0, 20, 21]);
}

/// The shares of some numbers of equally frequent values add up to more than one in floating-point numbers.
#[test]
fn who_is_alone_is_certain_without_any_deviation() {
    for records in 1..64_u32 {
        let codes = Codes::from((0..records).collect::<Vec<_>>());
        let column = Coded { codes: &codes, values: records as usize };
        let told = Hidden::new(column, vec![0; records as usize]).told_by(&Alike::by(column));
        assert!(told.deviation < 1e-6 && told.chance <= f64::from(records), "{records} {told:?}");
    }
}

#[test]
fn two_columns_that_add_up_to_a_hidden_one_tell_it_together() {
    let mut state = 7_u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (state >> 16) % below
    };
    let columns: Vec<Vec<u32>> = (0..3).map(|_| (0..2000).map(|_| draw(5)).collect()).collect();
    let hidden: Vec<u32> = columns[0].iter().zip(&columns[1]).map(|(a, b)| (a + b) % 5).collect();
    let (stored, hidden, labels) = (stored(&columns), Codes::from(hidden), Codes::from(vec![0; 2000]));
    let coded: Vec<Coded> = stored.iter().map(coded).collect();
    let found = Pairs::new(&coded).telling(
        &[0, 1, 2],
        Coded { codes: &labels, values: 1 },
        Coded { codes: &hidden, values: 5 },
    );
    assert_eq!(found.iter().map(|pair| (pair.columns, pair.told.certain)).collect::<Vec<_>>(), [([0, 1], 2000)]);
}

#[test]
fn a_table_without_records_tells_nothing() {
    let empty = Coded { codes: &Codes::default(), values: 0 };
    assert_eq!(Runs::by(empty).crowd(5), Crowd::default());
    assert_eq!(Alike::by(empty).crowd_with(empty, 5), Crowd::default());
    assert!(!Hidden::new(empty, Vec::new()).told_by(&Alike::by(empty)).matters());
    assert_eq!(propose(&[empty], &[0], 0), [Proposal { columns: vec![0], single: 0 }]);
}
