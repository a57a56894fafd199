use super::*;

fn named(name: &str) -> &'static Classification {
    Classification::of(&format!("builtin:{name}")).unwrap().unwrap()
}

/// What is above a value, from its parent to just below the root.
fn above(name: &str, value: &str) -> String {
    let taxonomy = named(name).taxonomy([value], &[]).unwrap();
    let node = taxonomy.node(value).unwrap();
    let labels: Vec<&str> =
        taxonomy.ancestors(node).skip(1).map(|node| taxonomy.label(node)).filter(|label| *label != ROOT).collect();
    labels.join(" < ")
}

#[test]
fn examples_say_what_is_so() {
    for classification in Classification::all() {
        let (value, labels) = classification.example.split_once(" < ").unwrap();
        assert_eq!(above(classification.name, value), labels, "{}", classification.name);
        assert!(!classification.source.is_empty() && !classification.licence.is_empty());
    }
}

#[test]
fn every_country_is_there_once_in_each_notation() {
    for name in ["countries", "countries-3", "country-names"] {
        let taxonomy = named(name).taxonomy([], &[]).unwrap();
        assert_eq!(taxonomy.leaves().count(), 249, "{name}");
        assert_eq!(taxonomy.children(taxonomy.root()).len(), 6, "five regions and Antarctica");
        assert!(named(name).is_listed());
    }
    assert_eq!(above("countries", "TZ"), "Eastern Africa < Africa");
    assert_eq!(above("countries-3", "NZL"), "Australia and New Zealand < Oceania");
    assert_eq!(above("country-names", "Bolivia"), "South America < Americas");
    assert_eq!(above("countries", "AQ"), "Antarctica");
}

#[test]
fn codes_lie_where_their_classification_puts_them() {
    let cases = [
        ("icd-10", "A00", "A00-A09 < A00-B99"),
        ("icd-10", "C50.9", "C50 < C50-C50 < C00-C75 < C00-C97 < C00-D48"),
        ("icd-10", "M05.1", "M05 < M05-M14 < M00-M25 < M00-M99"),
        ("icd-10", "S7201XA", "S72 < S70-S79 < S00-T98"),
        ("icd-10", "W19", "W00-W19 < W00-X59 < V01-X59 < V01-Y98"),
        ("icd-10", "U07.1", "U07 < U00-U49 < U00-U99"),
        ("icd-10", "K95.0", "K95 < K00-K93"),
        ("isco-08", "0110", "011 < 01 < 0"),
        ("isco-08", "9", ""),
        ("nace-2", "01", "A"),
        ("nace-2", "6201", "620 < 62 < J"),
        ("nace-2", "C10.11", "C10.1 < C10 < C"),
        ("nuts", "EL30", "EL3 < EL"),
        ("nuts", "FR", ""),
    ];
    for (name, value, labels) in cases {
        assert_eq!(above(name, value), labels, "{value}");
    }
}

#[test]
fn what_is_no_code_is_left_out() {
    let cases = [
        ("icd-10", "I21", &["I2", "i21", "21.4", "I21.", "I21.12345", "ÄÖ1", "I21-I25", ""][..]),
        ("isco-08", "2512", &["", "27", "25123", "2x", "04"]),
        ("nace-2", "10.11", &["04", "1", "10.", "10.111", "B10", "AB10", "V", "10111", "1.11", ""]),
        ("nuts", "DE1", &["XX1", "D", "DE1111", "de1", ""]),
    ];
    for (name, good, values) in cases {
        let outcome = named(name).taxonomy(values.iter().copied(), &[]);
        let outline = outcome.as_ref().map(|taxonomy| taxonomy.to_outline());
        assert!(matches!(outcome, Err(TaxonomyError::NoValues { .. })), "{name}: {outline:?}");
        let taxonomy = named(name).taxonomy(values.iter().copied().chain([good]), &[]).unwrap();
        assert_eq!(taxonomy.leaves().map(|leaf| taxonomy.label(leaf)).collect::<Vec<_>>(), [good]);
    }
}

#[test]
fn a_code_that_others_begin_with_is_a_leaf_beside_them() {
    let taxonomy = named("icd-10").taxonomy(["I21.4", "I21", "I22"], &[]).unwrap();
    assert_eq!(
        taxonomy.to_outline(),
        "Any\n  I00-I99\n    I20-I25\n      I21*\n        I21\n        I21.4\n      I22\n"
    );
}

#[test]
fn nodes_of_a_cut_are_in_the_tree_whatever_a_table_has() {
    let cut = ["I21*", "I20-I25", "C00-D48", "DE"];
    let taxonomy = named("icd-10").taxonomy(["I21.0"], &cut[..3]).unwrap();
    let labels: Vec<&str> = taxonomy.nodes().map(|node| taxonomy.label(node)).collect();
    assert_eq!(labels, ["Any", "I00-I99", "I20-I25", "I21*", "I21.0", "C00-D48"]);
    assert!(named("nuts").taxonomy([], &cut[3..]).unwrap().node("DE").is_some());
}

#[test]
fn the_order_of_values_does_not_matter() {
    let values = ["10.11", "62.01", "01.1", "C"];
    let one = named("nace-2").taxonomy(values, &[]).unwrap();
    let other = named("nace-2").taxonomy(values.into_iter().rev(), &[]).unwrap();
    assert_eq!(one.to_outline(), other.to_outline());
}

#[test]
fn only_names_with_the_prefix_are_asked_for() {
    assert!(Classification::of("icd-10").is_none());
    assert!(Classification::of("builtin:klingon").unwrap().is_none());
}
