//! Files that people and other programs write: taxonomies in all formats, and recodings. Whatever a text says, reading it ends with a
//! value or an error, and what was read can be written and read again.
//!
//! Plain property tests: they need no other toolchain, and `PROPTEST_CASES=100000` runs them for as long as one likes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use cutline_model::{Recoding, Taxonomy};
use proptest::collection::vec;
use proptest::prelude::*;

const OUTLINE: &str = "Any\n  School\n    9th\n    \"10th\"\n  University\n    Bachelors\n    Masters é\n";
const ARX: &str = "9th;School;Any\n\"10;th\";School;Any\nBachelors;University;Any\n";
const JSON: &str = r#"{"label": "Any", "children": [{"label": "School", "children": ["9th", "10th"]}, "None"]}"#;
const RECODING: &str = r#"{
  "format": "cutline-recoding/1",
  "attributes": {
    "age": { "operation": "discretize", "bounds": [0, 30.5, 1e2], "missing": "published" },
    "weight": { "operation": "discretize", "bounds": [null, 62.5, null] },
    "education": { "operation": "generalize", "cut": ["School", "None"], "missing": "masked",
      "taxonomy": {"label": "Any", "children": [{"label": "School", "children": ["9th", "10th"]}, "None"]} },
    "city": { "operation": "suppress", "disclosed": ["Köln", "a \"b\" c"] }
  },
  "identifiers": { "name": "drop" },
  "requirement": { "qids": [ { "attributes": ["age"], "k": 2, "anonymity": 3, "conditions": ["distinct-l:ill=2"] } ] },
  "suppression": { "limit": 0.1, "how": "mask" },
  "null": ["?"]
}"#;

/// Pieces that mean something in one of the formats.
const PIECES: [&str; 24] = [
    "", " ", "  ", "\t", "\n", "\r\n", "\"", "\"\"", ";", ",", ":", "{", "}", "[", "]", "null", "1e999", "-0", "NaN",
    "\\u0000", "\u{feff}", "Any", "é", "\u{0}",
];

/// Replaces some stretches of a text by pieces, or takes them out, or doubles them.
fn damaged(whole: &'static str) -> impl Strategy<Value = String> {
    vec((0..whole.len(), 0..12usize, 0..PIECES.len() + 1), 1..6).prop_map(move |changes| {
        let mut characters: Vec<String> = whole.chars().map(String::from).collect();
        for (at, length, piece) in changes {
            let from = at.min(characters.len());
            let to = (from + length).min(characters.len());
            let doubled = characters[from..to].concat().repeat(2);
            let piece = PIECES.get(piece).map_or(doubled, |piece| (*piece).to_owned());
            characters.splice(from..to, [piece]);
        }
        characters.concat()
    })
}

fn any_text() -> impl Strategy<Value = String> {
    vec(prop_oneof![3 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned), 1 => ".{0,3}"], 0..20)
        .prop_map(|pieces| pieces.concat())
}

/// What a format reads, it writes, and reads again as the same tree. All formats, because files are guessed at by their extension.
fn taxonomies_survive(text: &str) -> Result<(), TestCaseError> {
    let read = [Taxonomy::from_outline(text), Taxonomy::from_arx(text), Taxonomy::from_json(text)];
    for taxonomy in read.into_iter().flatten() {
        prop_assert_eq!(&Taxonomy::from_json(&taxonomy.to_json()).unwrap().to_json(), &taxonomy.to_json());
    }
    Ok(())
}

fn recodings_survive(text: &str) -> Result<(), TestCaseError> {
    if let Ok(recoding) = Recoding::from_json(text) {
        let written = recoding.to_json();
        prop_assert_eq!(Recoding::from_json(&written).unwrap().to_json(), written);
        for attribute in recoding.attributes.values() {
            prop_assert!(attribute.is_top() || !attribute.labels().is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(2000)))]

    #[test]
    fn a_damaged_outline_is_read_or_refused(text in damaged(OUTLINE)) {
        taxonomies_survive(&text)?;
    }

    #[test]
    fn a_damaged_arx_file_is_read_or_refused(text in damaged(ARX)) {
        taxonomies_survive(&text)?;
    }

    #[test]
    fn a_damaged_json_taxonomy_is_read_or_refused(text in damaged(JSON)) {
        taxonomies_survive(&text)?;
    }

    #[test]
    fn a_damaged_recoding_is_read_or_refused(text in damaged(RECODING)) {
        recodings_survive(&text)?;
    }

    #[test]
    fn any_text_is_read_or_refused(text in any_text()) {
        taxonomies_survive(&text)?;
        recodings_survive(&text)?;
    }
}

#[test]
fn the_whole_texts_are_read() {
    assert!(Taxonomy::from_outline(OUTLINE).is_ok() && Taxonomy::from_arx(ARX).is_ok());
    assert!(Taxonomy::from_json(JSON).is_ok() && Recoding::from_json(RECODING).is_ok());
}
