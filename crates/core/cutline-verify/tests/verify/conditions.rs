//! Does a table that is k-anonymous also satisfy its conditions?

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use cutline_verify::{Absent, Blame, Claim, ConditionFinding, Options, Verdict, VerifyError};

use crate::formats::{write_arrow, write_parquet};
use crate::{Tables, claim};

/// Two groups of 4: {flu, flu, hiv, cancer} and {flu, flu, flu, hiv}; and the same with numbers.
const TABLE: &str = "\
zip,diagnosis,visits
1,flu,1
1,flu,1
2,flu,1
2,flu,1
1,hiv,2
1,cancer,10
2,hiv,2
2,flu,1
";

pub(crate) fn with(attributes: &str, k: u64, conditions: &[&str]) -> Claim {
    Claim { conditions: conditions.iter().map(|text| text.parse().unwrap()).collect(), ..claim(attributes, k) }
}

fn verdict(table: &str, conditions: &[&str]) -> Verdict {
    Tables::with("t.csv", table).verify("t.csv", &[with("zip", 2, conditions)]).unwrap()
}

/// The finding about one condition on a table that is k-anonymous.
fn found(table: &str, condition: &str) -> ConditionFinding {
    let verdict = verdict(table, &[condition]);
    let finding = &verdict.findings[0];
    assert!(finding.anonymity >= finding.k);
    assert_eq!(verdict.holds(), finding.conditions[0].holds());
    finding.conditions[0].clone()
}

#[test]
fn each_condition_just_holds_and_just_fails() {
    let entropy = (-(0.75f64 * 0.75f64.ln() + 0.25 * 0.25f64.ln())).exp();
    // (holds, fails, violating groups, worst figure)
    let cases = [
        ("distinct-l:diagnosis=2", "distinct-l:diagnosis=3", 1, 2.0),
        ("entropy-l:diagnosis=1.75", "entropy-l:diagnosis=1.76", 1, entropy),
        ("recursive-l:diagnosis=3.1,2", "recursive-l:diagnosis=3,2", 1, 3.0),
        ("alpha:diagnosis=0.75", "alpha:diagnosis=0.74", 1, 0.75),
        ("alpha:diagnosis=0.75", "alpha:diagnosis=0.49", 2, 0.75),
        ("bound:diagnosis=flu<=0.75", "bound:diagnosis=flu<=0.7", 1, 0.75),
        ("bound:diagnosis=hiv<=0.25", "bound:diagnosis=hiv<=0.2", 2, 0.25),
        ("bound:diagnosis=cancer<=0.25", "bound:diagnosis= cancer <=0", 1, 0.25),
        ("t-close:diagnosis=0.125", "t-close:diagnosis=0.12", 2, 0.125),
        // 1, 2, 10: the running sums differ by -1/8 and -1/8 in one group, 1/8 and 1/8 in the other.
        ("t-close-ordered:visits=0.125", "t-close-ordered:visits=0.12", 2, 0.125),
        // Bytes: cancer, flu, hiv. The running sums differ by 1/8 and 0, or by -1/8 and 0.
        ("t-close-ordered:diagnosis=0.0625", "t-close-ordered:diagnosis=0.06", 2, 0.0625),
    ];
    for (holds, fails, groups, worst) in cases {
        let [holds, fails] = [holds, fails].map(|condition| found(TABLE, condition));
        assert!(holds.holds() && !fails.holds(), "{fails:?}");
        assert_eq!((holds.violating_groups, holds.violating_records), (0, 0), "{holds:?}");
        assert_eq!((fails.violating_groups, fails.violating_records), (groups, 4 * groups), "{fails:?}");
        for finding in [holds, fails] {
            assert!((finding.worst.unwrap() - worst).abs() < 1e-12, "{finding:?}");
        }
    }
}

#[test]
fn fewer_than_l_values_are_never_recursively_diverse() {
    let finding = found(TABLE, "recursive-l:diagnosis=1000,3");
    assert_eq!((finding.violating_groups, finding.worst), (1, Some(f64::INFINITY)));
}

#[test]
fn a_bound_on_a_value_that_no_record_has_is_an_error_unless_it_is_allowed() {
    let tables = Tables::with("t.csv", TABLE);
    let claims = [with("zip", 2, &["bound:diagnosis=plague<=0"])];
    let error = tables.verify("t.csv", &claims).unwrap_err();
    assert_eq!(error.to_string(), "no record has the value that the condition `bound:diagnosis=plague<=0` is about");
    assert_eq!(error.blame(), Blame::Request);
    let allowed = Options { absent: Absent::Allow, ..Options::default() };
    let verdict = tables.verify_with("t.csv", &claims, &allowed).unwrap();
    assert_eq!((verdict.holds(), verdict.findings[0].conditions[0].worst), (true, Some(0.0)));
    assert!(found(TABLE, "bound:diagnosis=<=0").holds(), "nobody lacks a value, and that is no misspelling");
}

#[test]
fn nine_hiv_and_one_blank_are_not_diverse() {
    let blank =
        |missing: usize| "zip,s\n".to_owned() + &"1,HIV\n".repeat(9) + &"1,\n".repeat(missing) + "2,flu\n2,asthma\n";
    for condition in ["distinct-l:s=2", "entropy-l:s=1.01", "recursive-l:s=20,2", "alpha:s=0.9", "bound:s=HIV<=0.9"] {
        for missing in [0, 1, 9, 90] {
            let finding = found(&blank(missing), condition);
            assert_eq!(finding.violating_records, 9 + missing as u64, "{condition} with {missing} missing");
        }
    }
    // Of the known, all of group 1 have the value that 9 of 11 have.
    let distance = found(&blank(9), "t-close:s=0.1").worst.unwrap();
    assert!(distance > 2.0 / 11.0 - 1e-12, "{distance}");
}

#[test]
fn texts_of_the_same_number_are_one_value() {
    let table = "zip,s\n1,1000\n1,1000.0\n1, 1e3\n1,1000\n";
    assert_eq!(found(table, "distinct-l:s=2").worst, Some(1.0));
    assert_eq!(found(table, "bound:s=1000.00<=0.9").worst, Some(1.0));
    assert_eq!(found(&table.replace("1e3", "01000"), "distinct-l:s=2").worst, Some(2.0), "a code");
}

#[test]
fn several_conditions_on_several_attributes_and_claims() {
    let tables = Tables::with("t.csv", TABLE);
    let conditions = ["alpha:diagnosis=0.75", "distinct-l:visits=3", "distinct-l:diagnosis=2", "alpha:diagnosis=0.5"];
    let claims = [with("zip", 4, &conditions), claim("zip", 4), with("visits", 1, &["bound:diagnosis=hiv<=0.5"])];
    let verdict = tables.verify("t.csv", &claims).unwrap();
    let [first, plain, visits] = &verdict.findings[..] else { panic!("three findings") };
    let texts: Vec<String> = first.conditions.iter().map(|found| found.condition.to_string()).collect();
    assert_eq!(texts, conditions);
    let holds: Vec<bool> = first.conditions.iter().map(ConditionFinding::holds).collect();
    assert_eq!(holds, [true, false, true, false]);
    assert!(!first.holds() && plain.holds() && plain.conditions.is_empty());
    assert_eq!(visits.conditions[0].worst, Some(1.0), "2 visits, always hiv");
    assert!(!verdict.holds());
}

#[test]
fn k_and_the_conditions_must_both_hold() {
    let tables = Tables::with("t.csv", TABLE);
    let verdict = tables.verify("t.csv", &[with("zip", 5, &["distinct-l:diagnosis=2"])]).unwrap();
    assert!(verdict.findings[0].conditions[0].holds() && !verdict.holds());
    let tables = Tables::with("t.csv", "zip,diagnosis\n");
    let verdict =
        tables.verify("t.csv", &[with("zip", 1, &["distinct-l:diagnosis=2", "t-close:diagnosis=0"])]).unwrap();
    assert_eq!(verdict.findings[0].conditions[1].worst, None);
    assert!(!verdict.holds(), "no records, nothing verified");
}

#[test]
fn a_missing_value_is_one_value_in_every_format() {
    let cells = [Some("7"), None, Some(""), Some(" "), Some("?"), Some(" 7")];
    let column = |cells: &[Option<&str>]| Arc::new(StringArray::from(cells.to_vec())) as ArrayRef;
    let batch =
        RecordBatch::try_from_iter_with_nullable([("zip", column(&[Some("1"); 6]), true), ("s", column(&cells), true)])
            .unwrap();
    let tables = Tables::with("t.csv", "zip,s\n1,7\n1,\n1,\"\"\n1, \n1,?\n1, 7\n");
    write_parquet(&tables.path("t.parquet"), std::slice::from_ref(&batch));
    write_arrow(&tables.path("t.arrow"), &[batch]);
    let line = |cell: &Option<&str>| serde_json::json!({ "zip": 1, "s": cell }).to_string() + "\n";
    tables.write("t.jsonl", cells.iter().map(line).collect::<String>());
    let conditions = ["distinct-l:s=3", "alpha:s=0.5", "bound:s=<=0.5", "bound:s=?<=0.1", "t-close-ordered:s=0"];
    for name in ["t.csv", "t.parquet", "t.arrow", "t.jsonl"] {
        let worst = |nulls: &[&str]| {
            let nulls = nulls.iter().map(|&null| null.into()).collect();
            let options = Options { nulls, ..Options::default() };
            let verdict = tables.verify_with(name, &[with("zip", 6, &conditions)], &options).unwrap();
            verdict.findings[0].conditions.iter().map(|found| found.worst.unwrap()).collect::<Vec<f64>>()
        };
        // Known are 7, 7 and perhaps ?; a bound on the missing value is on its share of all.
        assert_eq!(worst(&[]), [2.0, 2.0 / 3.0, 0.5, 1.0 / 3.0, 0.0], "{name}");
        assert_eq!(worst(&["?"]), [1.0, 1.0, 4.0 / 6.0, 4.0 / 6.0, 0.0], "{name}");
    }
}

#[test]
fn a_missing_value_comes_last_even_among_numbers() {
    // Missing is the farthest from -5: group 1 has {-5, -5, 9}, group 2 has no values. Of the known ones, both are like the table.
    let finding = found("zip,s\n1,-5\n1,-5\n1,9\n2,\n2,\n2,\n", "t-close-ordered:s=1");
    // Shares of -5, 9, missing: 2/6, 1/6, 3/6. Group 1: |4/6 - 2/6| + |6/6 - 3/6| over 2.
    assert!((finding.worst.unwrap() - 5.0 / 12.0).abs() < 1e-12, "{finding:?}");
}

#[test]
fn columns_of_conditions_must_exist_and_not_be_in_the_qid() {
    let tables = Tables::with("t.csv", TABLE);
    let error = tables.verify("t.csv", &[with("zip", 2, &["alpha:diagnoses=0.5"])]).unwrap_err();
    assert!(error.to_string().contains("no column `diagnoses`, the nearest is `diagnosis`"), "{error}");
    let error = tables.verify("t.csv", &[with("zip,visits", 2, &["alpha:visits=0.5"])]).unwrap_err();
    assert!(matches!(error, VerifyError::SensitiveInQid { claim: 1, .. }), "{error}");
}

#[test]
fn no_value_of_a_record_is_printed() {
    let verdict = verdict(TABLE, &["alpha:diagnosis=0.5", "bound:diagnosis=hiv<=0.1"]);
    let printed = format!("{verdict:?}");
    assert!(printed.contains("hiv<=0.1") && !printed.contains("flu"), "{printed}");
}

#[test]
fn many_batches_groups_and_values_are_counted_exactly() {
    // 5,000 groups of 4; their values are {n, n, n+1, n+2} for the group's number n.
    let record = |i: u64| format!("{},{}\n", i % 5_000, i % 5_000 + (i / 5_000).saturating_sub(1));
    let table = "zip,s\n".to_owned() + &(0..20_000).map(record).collect::<String>();
    let conditions = ["distinct-l:s=3", "alpha:s=0.5", "recursive-l:s=2,3", "t-close:s=0.5", "t-close-ordered:s=0.5"];
    let verdict = Tables::with("t.csv", table).verify("t.csv", &[with("zip", 4, &conditions)]).unwrap();
    let found = &verdict.findings[0].conditions;
    let violating: Vec<u64> = found.iter().map(|found| found.violating_records).collect();
    assert_eq!(violating, [0, 0, 20_000, 20_000, 0]);
    assert_eq!((found[0].worst, found[1].worst, found[2].worst), (Some(3.0), Some(0.5), Some(2.0)));
    assert!(found[3].worst.unwrap() > 0.999, "every group is far from the table");
    assert!((found[4].worst.unwrap() - 0.5).abs() < 1e-3, "the lowest and the highest value are half a range off");
}
