//! How likely is a record re-identified?

use cutline_verify::Options;

use crate::conditions::with;
use crate::{Tables, claim};

const TABLE: &str = "\
age,sex,zip
30,f,1
30,f,2
30,f,2
40,m,1
40,m,1
50,m,1
50,m,2
50,m,2
";

#[test]
fn the_risk_of_a_claim() {
    let tables = Tables::with("t.csv", TABLE);
    let verdict = tables.verify("t.csv", &[claim("age", 3)]).unwrap();
    let risk = verdict.findings[0].risk();
    assert_eq!((risk.records, risk.groups, risk.smallest), (8, 3, 2));
    assert_eq!((risk.prosecutor.highest, risk.prosecutor.average), (0.5, 0.375));
    assert_eq!((risk.prosecutor.k, risk.prosecutor.above), (3, 0.25), "two records of eight are in a group of two");
    assert_eq!((risk.journalist, risk.marketer, risk.average), (0.5, 0.375, 8.0 / 3.0));
    let shares: Vec<f64> = risk.below.iter().map(|below| below.share).collect();
    assert_eq!(shares, [0.0, 0.25, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert!(verdict.union.is_none());
}

#[test]
fn the_risk_from_someone_who_knows_the_attributes_of_all_claims() {
    let tables = Tables::with("t.csv", TABLE);
    let options = Options { union: true, ..Options::default() };
    let claims = [with("age", 2, &["distinct-l:sex=1"]), claim("zip", 4)];
    let verdict = tables.verify_with("t.csv", &claims, &options).unwrap();
    assert!(verdict.holds(), "the union is no claim");
    assert_eq!(verdict.findings.len(), 2);
    let union = verdict.union.unwrap();
    assert_eq!(union.attributes, ["age", "zip"]);
    // (30, 1), (30, 2) twice, (40, 1) twice, (50, 1), (50, 2) twice.
    assert_eq!(union.sizes, [(1, 2), (2, 3)]);
    assert_eq!((union.risk.prosecutor.highest, union.risk.prosecutor.k, union.risk.prosecutor.above), (1.0, 4, 1.0));
    assert_eq!((union.risk.marketer, union.risk.below[0].share), (0.625, 0.25));
}

#[test]
fn a_claim_with_all_attributes_is_the_union() {
    let tables = Tables::with("t.csv", TABLE);
    let options = Options { union: true, ..Options::default() };
    let verdict = tables.verify_with("t.csv", &[claim("zip", 4), claim("age,zip", 1)], &options).unwrap();
    let union = verdict.union.as_ref().unwrap();
    assert_eq!(union.attributes, ["age", "zip"]);
    assert_eq!(union.sizes, verdict.findings[1].sizes);
    let one = tables.verify_with("t.csv", &[claim("zip", 4)], &options).unwrap();
    assert!(one.union.is_none());
}
