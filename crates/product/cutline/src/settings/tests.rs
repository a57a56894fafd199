//! The definitions are complete, say what is true, and are what the page says.

use std::path::Path;

use super::*;
use crate::spec::{Algorithm, PurposeKind};

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

#[test]
fn the_reference_page_is_written_from_the_definitions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/settings.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page(),
        "docs/settings.md is not what the definitions say: run UPDATE=1 cargo test -p cutline settings"
    );
}

#[test]
fn every_setting_is_said_in_full() {
    for setting in all() {
        let name = setting.name;
        assert!(!setting.help.is_empty() && !setting.doc.is_empty(), "{name}");
        assert!(!setting.help.ends_with('.') && setting.doc.ends_with('.'), "{name}");
        assert_eq!(setting.example.is_empty(), setting.shape == Shape::Flag, "{name}");
        assert_eq!(all().iter().filter(|other| other.name == name).count(), 1, "{name}");
    }
}

/// A definition whose setter is forgotten, or whose key is not the one that it sets, fails here.
#[test]
fn every_example_is_taken_and_lands_below_its_key() {
    for setting in all() {
        let said = if setting.shape == Shape::Flag { Value::Flag(true) } else { Value::from(setting.example) };
        let mut spec = Spec::default();
        spec.set(setting.name, &said).unwrap_or_else(|error| panic!("{error}"));
        assert_ne!(spec, Spec::default(), "{}", setting.name);
        let written = serde_json::to_value(&spec).unwrap();
        let lands = setting.key.split('.').try_fold(&written, |table, key| match key {
            // Any attribute will do.
            "NAME" => table.as_object().and_then(|table| table.values().next()),
            key => table.get(key),
        });
        // Threads and memory are no part of what reproduces a release.
        let of_machine = matches!(setting.name, "threads" | "memory");
        assert!(lands.is_some() || of_machine, "{} is not at {}", setting.name, setting.key);
    }
}

#[test]
fn every_choice_is_taken_and_no_other() {
    for setting in all().iter().filter(|setting| !setting.choices.is_empty()) {
        for choice in setting.choices {
            setting.check(&choice.name.into()).unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(setting.check(&"none of them".into()).is_err(), "{}", setting.name);
    }
}

/// A key of the spec that no setting sets could be reached by a file only.
#[test]
fn every_key_of_a_full_spec_is_a_setting() {
    let mut spec = Spec::default();
    for setting in all().iter().filter(|setting| !["condition"].contains(&setting.name)) {
        let said = if setting.shape == Shape::Flag { Value::Flag(true) } else { Value::from(setting.example) };
        setting.set(&mut spec, &said).unwrap();
    }
    let written = serde_json::to_value(&spec).unwrap();
    let mut keys = Vec::new();
    leaves("", &written, &mut keys);
    for key in keys {
        let known = |setting: &&Definition| key == setting.key || key.starts_with(&format!("{}.", setting.key));
        assert!(all().iter().any(|setting| known(&setting)), "no setting sets {key}");
    }
}

/// The keys of everything that is no table, with `NAME` for an attribute.
fn leaves(prefix: &str, value: &serde_json::Value, keys: &mut Vec<String>) {
    match value.as_object() {
        None => keys.push(prefix.to_owned()),
        Some(table) => table.iter().for_each(|(key, value)| {
            let key = if prefix == "attributes" { "NAME" } else { key };
            leaves(&if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }, value, keys);
        }),
    }
}

#[test]
fn a_program_says_it_with_numbers_lists_and_maps() {
    let mut spec = Spec::default();
    let said = [
        ("qid", value(r#"{"age,sex": 20, "zip": 5}"#)),
        ("range", value(r#"{"age": [0, 120]}"#)),
        ("taxonomy", value(r#"{"zip": "zip.txt"}"#)),
        ("drop", value(r#"["last, first", "phone"]"#)),
        ("suppress-limit", value("0.01")),
        ("population", value("50")),
        ("cost", value(r#"{"sick,healthy": 5}"#)),
        ("target", value("\"y\"")),
        ("choose", value(r#"{"clusters": 6}"#)),
        ("unseeded", value("true")),
        ("time-limit", value("90")),
    ];
    spec.set_all(said.iter().map(|(name, value)| (*name, value))).unwrap();
    assert_eq!(spec.qid.iter().map(|qid| qid.k).collect::<Vec<_>>(), [20, 5]);
    assert_eq!(spec.attributes["age"].range, Some((0.0, 120.0)));
    assert!(spec.attributes.contains_key("last, first") && spec.attributes.contains_key("phone"));
    assert_eq!(spec.suppress.limit.unwrap().get(), 0.01);
    assert_eq!((spec.search.genetic.population, spec.search.genetic.seeded), (Some(50), Some(false)));
    assert_eq!(spec.purpose.cost[0].cost, 5.0);
    assert_eq!(spec.purpose.clustering.choose.unwrap().clusters, Some(6));
    assert_eq!(spec.search.time_limit.unwrap().to_string(), "90s");
}

#[test]
fn errors_name_the_setting_and_set_nothing() {
    let mut spec = Spec::default();
    let error = spec.set_all([("sprinkle-of-sugar", &Value::Whole(1))]).unwrap_err();
    assert_eq!(error, SettingError::Unknown { name: "sprinkle-of-sugar".into(), nearest: None });
    let error = spec.set("supress-limit", &Value::from("1%")).unwrap_err();
    assert_eq!(error.hint().as_deref(), Some("did you mean ‹suppress-limit›?"));
    let error = spec.set_all([("seed", &Value::Whole(3)), ("population", &"many".into())]).unwrap_err();
    assert_eq!(error.to_string(), "‹population›: `many` is no whole number");
    assert_eq!(spec, Spec::default());
}

#[test]
fn what_is_set_wins_over_the_file() {
    let mut spec: Spec = toml::from_str(
        "conditions = [\"alpha:d=0.5\"]\n[input]\nnull = [\"?\"]\n[purpose]\nkind = \"regression\"\ntarget = \"x\"\nweight = 3\n\
         [search]\nalgorithm = \"tds\"\nseed = 1\n",
    )
    .unwrap();
    let said =
        [("bound", "d=x<=0.2"), ("condition", "distinct-l:d=2"), ("null", "-"), ("seed", "2"), ("target-weight", "5")];
    let said = said.map(|(name, text)| (name, Value::from(text)));
    spec.set_all(said.iter().map(|(name, value)| (*name, value))).unwrap();
    let conditions: Vec<String> = spec.conditions.iter().map(ToString::to_string).collect();
    assert_eq!(conditions, ["distinct-l:d=2", "bound:d=x<=0.2"]);
    assert_eq!(spec.input.null, ["-"]);
    assert_eq!((spec.search.algorithm, spec.search.seed), (Some(Algorithm::Tds), Some(2)));
    assert_eq!((spec.purpose.kind, spec.purpose.weight), (Some(PurposeKind::Regression), Some(5.0)));
}

#[test]
fn clusters_or_a_target_are_the_purpose_whatever_the_file_says() {
    let file = "[purpose]\nkind = \"regression\"\ntarget = \"x\"\n[purpose.clustering]\nalgorithm = \"bisecting\"\n";
    let mut spec: Spec = toml::from_str(file).unwrap();
    spec.set("clusters", &Value::from("2,6")).unwrap();
    assert_eq!((spec.purpose.kind, spec.purpose.target.clone()), (None, None));
    assert!(spec.purpose.clusters == [2, 6] && spec.purpose.clustering.algorithm.is_some());
    let (target, purpose) = (Value::from("y"), Value::from("regression"));
    spec.set_all([("purpose", &purpose), ("target", &target)]).unwrap();
    assert_eq!((spec.purpose.kind, spec.purpose.clusters.len()), (Some(PurposeKind::Regression), 0));
    assert!(spec.purpose.clustering.algorithm.is_none());
}

#[test]
fn a_face_gets_them_as_json() {
    let json = serde_json::to_value(all()).unwrap();
    let limit = json.as_array().unwrap().iter().find(|setting| setting["name"] == "suppress-how").unwrap();
    assert_eq!((limit["key"].as_str(), limit["section"].as_str()), (Some("suppress.how"), Some("requirement")));
    assert_eq!((limit["shape"].as_str(), limit["choices"][1]["name"].as_str()), (Some("choice"), Some("drop")));
}
