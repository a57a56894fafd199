//! What does the verdict say?

use std::cell::RefCell;

use cutline_verify::{Options, verify};

use crate::{Tables, all_values, claim, groups};

const TABLE: &str = "\
age,sex,zip
30,f,1
30,f,2
30,f,2
40,m,1
40,m,1
50,m,1
";

#[test]
fn one_claim_that_holds_and_one_that_does_not() {
    let tables = Tables::with("t.csv", TABLE);
    let claims = [claim("sex", 3), claim("sex,age", 3), claim("zip,sex", 2)];
    let verdict = tables.verify("t.csv", &claims).unwrap();
    assert_eq!(verdict.records, 6);
    assert!(!verdict.holds());
    let [sex, age, zip] = &verdict.findings[..] else { panic!("three findings") };
    assert!(sex.holds() && !age.holds() && !zip.holds());
    assert_eq!((sex.anonymity, sex.groups, sex.violating_groups), (3, 2, 0));
    assert_eq!(sex.sizes, [(3, 2)]);
    assert_eq!(age.attributes, ["sex", "age"]);
    assert_eq!((age.k, age.anonymity, age.groups), (3, 1, 3));
    assert_eq!((age.violating_groups, age.violating_records), (2, 3));
    assert_eq!(age.sizes, [(1, 1), (2, 1), (3, 1)]);
    assert_eq!(zip.sizes, [(1, 1), (2, 1), (3, 1)]);
}

#[test]
fn k_is_the_smallest_size_that_does_not_violate() {
    let tables = Tables::with("t.csv", TABLE);
    let holds = |k| tables.verify("t.csv", &[claim("sex", k)]).unwrap().holds();
    assert!(holds(3));
    assert!(!holds(4));
}

#[test]
fn the_worst_groups_are_listed_by_size_then_by_content() {
    let tables = Tables::with("t.csv", "a,b\ny,1\nx,2\nz,1\nz,1\nx,1\n");
    let verdict = tables.verify_with("t.csv", &[claim("a,b", 2)], &all_values()).unwrap();
    assert_eq!(groups(&verdict.findings[0]), ["1 x|1", "1 x|2", "1 y|1", "2 z|1"]);
    let options = Options { worst: 2, ..all_values() };
    let verdict = tables.verify_with("t.csv", &[claim("b,a", 2)], &options).unwrap();
    assert_eq!(groups(&verdict.findings[0]), ["1 1|x", "1 1|y"]);
}

#[test]
fn values_are_kept_only_if_asked_for_and_never_printed() {
    let tables = Tables::with("t.csv", "a\nsecret\nsecret\nother\n");
    let verdict = tables.verify("t.csv", &[claim("a", 2)]).unwrap();
    let worst = &verdict.findings[0].worst;
    assert_eq!(worst.iter().map(|group| group.size).collect::<Vec<_>>(), [1, 2]);
    assert!(worst.iter().all(|group| group.values.is_none()));
    let verdict = tables.verify_with("t.csv", &[claim("a", 2)], &all_values()).unwrap();
    assert_eq!(groups(&verdict.findings[0]), ["1 other", "2 secret"]);
    assert!(!format!("{verdict:?}").contains("secret"));
}

#[test]
fn five_groups_are_listed_unless_told_otherwise() {
    let content: String = (0..9).map(|i| format!("{i}\n")).collect();
    let tables = Tables::with("t.csv", format!("a\n{content}"));
    let listed = |options: &Options| {
        let verdict = tables.verify_with("t.csv", &[claim("a", 2)], options).unwrap();
        verdict.findings[0].worst.len()
    };
    assert_eq!(listed(&Options::default()), 5);
    assert_eq!(listed(&Options { worst: 0, ..Options::default() }), 0);
    assert_eq!(listed(&Options { worst: 9, ..Options::default() }), 9);
}

#[test]
fn high_cardinality_in_every_column_is_counted_exactly() {
    let columns: Vec<String> = (0..12).map(|column| format!("c{column}")).collect();
    let mut content = columns.join(",") + "\n";
    for record in 0..40_000u64 {
        // Every combination twice, and no two columns alike.
        let cell = |column: u64| ((record / 2) * (2 * column + 1) % 20_011).to_string();
        content.push_str(&((0..12).map(cell).collect::<Vec<_>>().join(",") + "\n"));
    }
    let tables = Tables::with("t.csv", content);
    let verdict = tables.verify("t.csv", &[claim(&columns.join(","), 2)]).unwrap();
    assert!(verdict.holds());
    assert_eq!(verdict.findings[0].sizes, [(2, 20_000)]);
}

#[test]
fn progress_ends_with_the_number_of_records() {
    let content: String = (0..5_000).map(|i| format!("{}\n", i % 2)).collect();
    let tables = Tables::with("t.csv", format!("a\n{content}"));
    let calls = RefCell::new(Vec::new());
    let progress = |records| calls.borrow_mut().push(records);
    verify(&tables.path("t.csv"), &[claim("a", 2)], &Options::default(), &progress).unwrap();
    let calls = calls.into_inner();
    assert!(calls.is_sorted() && calls.len() > 1);
    assert_eq!(calls.last(), Some(&5_000));
}
