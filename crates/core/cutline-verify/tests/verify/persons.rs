//! Groups in persons, against sets of names.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use cutline_verify::{Claim, Options, Persons, VerifyError};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Tables, claim};

/// Records of an age, a sex and a person.
fn csv(records: &[(u8, bool, u8)]) -> String {
    let line = |(age, sex, person): &(u8, bool, u8)| format!("{age},{},p{person}\n", if *sex { "f" } else { "m" });
    std::iter::once("age,sex,person\n".to_owned()).chain(records.iter().map(line)).collect()
}

/// The persons of each group, ascending.
fn naive(records: &[(u8, bool, u8)], attributes: &[String]) -> Vec<u64> {
    let mut groups: BTreeMap<(Option<u8>, Option<bool>), BTreeSet<u8>> = BTreeMap::new();
    let has = |name: &str| attributes.iter().any(|other| other == name);
    for &(age, sex, person) in records {
        groups.entry((has("age").then_some(age), has("sex").then_some(sex))).or_default().insert(person);
    }
    let mut sizes: Vec<u64> = groups.values().map(|persons| persons.len() as u64).collect();
    sizes.sort_unstable();
    sizes
}

fn check(records: &[(u8, bool, u8)], claims: &[Claim], persons: Persons, threads: usize) {
    let tables = Tables::with("t.csv", csv(records));
    let threads = NonZeroUsize::new(threads);
    let options = Options { persons: Some(persons), threads, union: true, ..Options::default() };
    let verdict = tables.verify_with("t.csv", claims, &options).unwrap();
    for (finding, claim) in verdict.findings.iter().zip(claims) {
        let expected = naive(records, &claim.attributes);
        let found = finding.persons.as_ref().unwrap();
        let sizes: Vec<u64> =
            found.sizes.iter().flat_map(|&(size, groups)| std::iter::repeat_n(size, groups as usize)).collect();
        assert_eq!(sizes, expected);
        assert_eq!(found.smallest, expected.first().copied().unwrap_or(0));
        assert_eq!(found.violating_groups, expected.iter().filter(|&&size| size < claim.k).count() as u64);
        assert_eq!(finding.holds(), !records.is_empty() && expected.iter().all(|&size| size >= claim.k));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn persons_are_counted_once_in_every_group(
        records in vec((0u8..4, any::<bool>(), 0u8..6), 0..60),
        k in 1u64..4,
        threads in 1usize..4,
    ) {
        let claims = [claim("age,sex", k), claim("sex", 2)];
        check(&records, &claims, Persons::Column("person".into()), threads);
        let numbers: Vec<u32> = records.iter().map(|(.., person)| u32::from(*person)).collect();
        check(&records, &claims, Persons::Numbers(numbers.into()), threads);
    }
}

/// So long that several threads read pieces of it: the persons still belong to their records.
#[test]
fn the_order_of_records_is_kept_on_all_threads() {
    let records: Vec<(u8, bool, u8)> =
        (0..200_000u32).map(|n| ((n % 97) as u8, n % 2 == 0, (n % 251 / (1 + n % 3)) as u8)).collect();
    let numbers: Vec<u32> = records.iter().map(|(.., person)| u32::from(*person)).collect();
    for threads in [1, 4] {
        check(&records, &[claim("age,sex", 3)], Persons::Numbers(numbers.clone().into()), threads);
    }
}

#[test]
fn persons_must_be_told_of_every_record_and_be_nothing_else() {
    let tables = Tables::with("t.csv", csv(&[(1, true, 1), (2, true, 2)]));
    let verify = |persons: Persons, claims: &[Claim], sensitive: &[&str]| {
        let sensitive = sensitive.iter().map(|&name| name.into()).collect();
        let options = Options { persons: Some(persons), sensitive, ..Options::default() };
        tables.verify_with("t.csv", claims, &options).unwrap_err()
    };
    let one = verify(Persons::Numbers(vec![1].into()), &[claim("age", 1)], &[]);
    assert!(matches!(one, VerifyError::BadCounts { .. }), "{one}");
    let in_qid = verify(Persons::Column("age".into()), &[claim("sex", 1), claim("age", 1)], &[]);
    assert!(matches!(in_qid, VerifyError::PersonClash { claim: 2, .. }), "{in_qid}");
    let sensitive = verify(Persons::Column("person".into()), &[claim("age", 1)], &["person"]);
    assert!(matches!(sensitive, VerifyError::PersonClash { claim: 1, .. }), "{sensitive}");
}
