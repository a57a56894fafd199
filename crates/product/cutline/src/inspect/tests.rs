//! What names, counts and values say.

use cutline_engine::{ColumnProfile, SampleColumn};
use cutline_model::{Kind, Role};
use cutline_report::ScreenedColumn;

use super::guess::propose;
use super::{Inspection, MissingMarker, Proposal};
use crate::screen::{Knowledge, Look, Said};
use crate::spec::Input;

/// A column of 1000 records with so many different values.
fn column(name: &str, distinct: usize, text: impl Fn(usize) -> String) -> Proposal {
    let texts: Vec<Option<String>> = (0..distinct).map(|n| Some(text(n))).collect();
    let numeric = texts.iter().flatten().all(|text| text.parse::<f64>().is_ok());
    let padded = numeric && texts.iter().flatten().any(|text| text.starts_with('0') && text.len() > 1);
    let profile = ColumnProfile {
        name: name.into(),
        records: 1000,
        missing: 0,
        distinct,
        numeric,
        whole: numeric,
        padded,
        longest: 9,
    };
    let codes = (0..1000).map(|record| record % distinct as u32).collect::<Vec<_>>().into();
    let column = SampleColumn { codes, texts, kind: Kind::Categorical, range: None };
    let look = Look::of([(name.to_owned(), column)].into_iter());
    let seen: ScreenedColumn = look.screen(&Knowledge::default(), |_| Said::default()).columns.remove(0);
    propose(profile, &look.columns[0], &seen, &[])
}

fn role(name: &str, distinct: usize) -> Role {
    column(name, distinct, |n| format!("v{n}")).role
}

#[test]
fn names_and_counts_tell_roles() {
    for (name, distinct, expected) in [
        ("Patient ID", 1000, Role::Identifier),
        ("code", 1000, Role::Identifier),
        ("birthYear", 80, Role::Quasi),
        ("ZIP", 400, Role::Quasi),
        ("diagnosis", 30, Role::Sensitive),
        ("width", 40, Role::Other),
        ("village", 40, Role::Other),
    ] {
        assert_eq!(role(name, distinct), expected, "{name}");
    }
}

#[test]
fn names_are_understood_in_several_languages_and_spellings() {
    for name in [
        "dob",
        "Hispanic Origin",
        "postcode",
        "PLZ",
        "PERSON_TYPE",
        "Geburtsdatum",
        "sexo",
        "date of birth",
        "codigo postal",
    ] {
        assert_eq!(role(name, 40), Role::Quasi, "{name}");
    }
    for name in ["year", "model_year", "charge", "charges", "vehicle_type", "person_count"] {
        assert_eq!(role(name, 40), Role::Other, "{name}");
    }
    assert_eq!(role("Einkommen", 40), Role::Sensitive);
}

#[test]
fn dates_are_known_to_others_whatever_they_are_called() {
    let seen = column("filed", 300, |n| format!("2025-{:02}-{:02}", n % 12 + 1, n % 28 + 1));
    assert_eq!((seen.role, &seen.reason[..]), (Role::Quasi, "its values are dates: others may know them"));
}

#[test]
fn why_numbers_are_taken_for_names_is_said() {
    let kind = |text: fn(usize) -> String| column("v", 40, text).kind_reason;
    assert_eq!(kind(|n| n.to_string()), None);
    assert_eq!(kind(|n| format!("{n:04}")).as_deref(), Some("its numbers have leading zeros, so they are codes"));
    let mixed = kind(|n| if n < 2 { format!("x{n}") } else { n.to_string() });
    assert_eq!(mixed.as_deref(), Some("it has numbers, but also 2 different values that are none"));
}

#[test]
fn the_proposed_spec_can_be_read() {
    let number = |n: usize| n.to_string();
    let columns = vec![
        column("a \"b\"", 3, number),
        column("sex", 2, |n| format!("s{n}")),
        column("id", 1000, number),
        column("diagnosis", 2, |n| format!("d{n}")),
    ];
    let input = Input { null: vec!["?".into()], delimiter: Some('\t'), header: Some(false), ..Input::default() };
    let missing = vec![MissingMarker { text: "N/A".into(), columns: vec!["sex".into()] }];
    let text = Inspection { records: 1000, columns, missing, pairs: Vec::new(), singled_out: Vec::new() }
        .spec("some \"table\".csv", &input);
    let spec: crate::spec::Spec = toml::from_str(&text).unwrap();
    assert_eq!(spec.qid[0].attributes, ["sex"]);
    assert_eq!(spec.qid[0].conditions[0].to_string(), "distinct-l:diagnosis=2");
    assert_eq!((&spec.input.null[..], spec.input.delimiter), (&["?".to_owned(), "N/A".to_owned()][..], Some('\t')));
    assert_eq!(spec.suppress.limit.map(|limit| limit.get()), Some(0.01));
    assert!(spec.attributes.contains_key("a \"b\""));
}
