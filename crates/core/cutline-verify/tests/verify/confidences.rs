//! How surely can a sensitive value be inferred?

use cutline_verify::{NULL_TEXT, Options, VerifyError};

use crate::{Tables, all_values, claim};

const TABLE: &str = "\
zip,age,diagnosis,job
1,30,flu,a
1,30,flu,b
1,40,flu,c
1,40,hiv,d
2,30,hiv,a
2,30,,b
2,40,,c
2,40,,d
";

fn sensitive(names: &[&str], options: Options) -> Options {
    Options { sensitive: names.iter().map(|&name| name.into()).collect(), ..options }
}

#[test]
fn the_highest_share_of_any_value_in_any_group() {
    let tables = Tables::with("t.csv", TABLE);
    let claims = [claim("zip", 4), claim("zip,age", 2)];
    let verdict = tables.verify_with("t.csv", &claims, &sensitive(&["diagnosis", "job"], Options::default())).unwrap();
    assert!(verdict.holds());
    let confidences = |finding: usize| {
        let list = verdict.findings[finding].confidences.iter();
        list.map(|found| (found.attribute.as_str(), found.highest_confidence)).collect::<Vec<_>>()
    };
    assert_eq!(confidences(0), [("diagnosis", 0.75), ("job", 0.25)]);
    assert_eq!(confidences(1), [("diagnosis", 1.0), ("job", 0.5)]);
    let certain = |finding: usize| {
        let found = &verdict.findings[finding].confidences[0];
        (found.homogeneous_groups, found.homogeneous_records)
    };
    assert_eq!((certain(0), certain(1)), ((0, 0), (2, 4)));
    assert!(verdict.findings.iter().flat_map(|finding| &finding.confidences).all(|found| found.values.is_none()));
}

#[test]
fn values_are_listed_only_if_asked_for_and_never_printed() {
    let tables = Tables::with("t.csv", TABLE);
    let options = sensitive(&["diagnosis"], all_values());
    let verdict = tables.verify_with("t.csv", &[claim("zip", 4)], &options).unwrap();
    let values = verdict.findings[0].confidences[0].values.as_ref().unwrap();
    let listed: Vec<_> =
        values.iter().map(|value| (value.value.as_str(), value.highest_confidence, value.base_rate)).collect();
    assert_eq!(listed, [("flu", 0.75, 0.375), (NULL_TEXT, 0.75, 0.375), ("hiv", 0.25, 0.25)]);
    assert!(!format!("{verdict:?}").contains("flu"));
}

#[test]
fn nothing_is_sure_about_an_empty_table() {
    let tables = Tables::with("t.csv", "zip,diagnosis\n");
    let options = sensitive(&["diagnosis"], all_values());
    let verdict = tables.verify_with("t.csv", &[claim("zip", 4)], &options).unwrap();
    assert_eq!(verdict.findings[0].confidences[0].highest_confidence, 0.0);
}

#[test]
fn sensitive_columns_must_exist_and_not_be_in_a_qid() {
    let tables = Tables::with("t.csv", TABLE);
    let error = |names: &[&str]| {
        let options = sensitive(names, Options::default());
        tables.verify_with("t.csv", &[claim("zip", 2), claim("age,job", 2)], &options).unwrap_err()
    };
    assert!(matches!(error(&["jobs"]), VerifyError::UnknownColumn { column, .. } if column == "jobs"));
    assert!(matches!(error(&["job"]), VerifyError::SensitiveInQid { claim: 2, .. }));
}
