//! What holds for every taxonomy, whatever its format.

use proptest::prelude::*;

use super::{NodeId, Taxonomy, TaxonomyError};

const EDUCATION: &str = "\
Any
  Secondary
    Junior
      9th
      10th
    11th
  University
    Bachelors
    Masters
";

fn education() -> Taxonomy {
    Taxonomy::from_outline(EDUCATION).unwrap()
}

fn ids(tree: &Taxonomy, labels: &[&str]) -> Vec<NodeId> {
    labels.iter().map(|label| tree.node(label).unwrap()).collect()
}

#[test]
fn nodes_are_in_preorder() {
    let tree = education();
    let labels: Vec<&str> = tree.nodes().map(|node| tree.label(node)).collect();
    assert_eq!(labels, EDUCATION.split_whitespace().collect::<Vec<_>>());
    assert_eq!(tree.len(), 9);
    assert_eq!(tree.root(), NodeId::ROOT);
    assert_eq!(tree.parent(tree.root()), None);
    assert_eq!(tree.node("Kindergarten"), None);
}

#[test]
fn leaves_below_a_node_are_a_range() {
    let tree = education();
    let leaves: Vec<&str> = tree.leaves().map(|leaf| tree.label(leaf)).collect();
    assert_eq!(leaves, ["9th", "10th", "11th", "Bachelors", "Masters"]);
    let range = |label| tree.leaf_range(tree.node(label).unwrap());
    assert_eq!([range("Any"), range("Secondary"), range("Junior"), range("11th")], [0..5, 0..3, 0..2, 2..3]);
    assert_eq!(tree.leaf_rank(tree.node("Bachelors").unwrap()), 3);
}

#[test]
fn depth_height_and_ancestors() {
    let tree = education();
    let tenth = tree.node("10th").unwrap();
    assert_eq!((tree.height(), tree.depth(tenth), tree.depth(tree.root())), (3, 3, 0));
    let path: Vec<&str> = tree.ancestors(tenth).map(|node| tree.label(node)).collect();
    assert_eq!(path, ["10th", "Junior", "Secondary", "Any"]);
    assert!(tree.is_leaf(tenth) && !tree.is_leaf(tree.root()));
}

#[test]
fn a_cut_has_one_node_on_every_path() {
    let tree = education();
    let is_cut = |labels: &[&str]| tree.is_cut(&ids(&tree, labels));
    assert!(is_cut(&["Any"]));
    assert!(is_cut(&["University", "11th", "Junior"]), "in any order");
    assert!(is_cut(&["9th", "10th", "11th", "Bachelors", "Masters"]));
    assert!(!is_cut(&[]));
    assert!(!is_cut(&["Junior", "University"]), "11th is not covered");
    assert!(!is_cut(&["Secondary", "11th", "University"]), "11th is covered twice");
    assert!(!is_cut(&["Any", "Any"]));
}

#[test]
fn an_only_child_and_its_parent_are_not_both_in_a_cut() {
    let tree = Taxonomy::from_outline("Any\n  A\n    a\n").unwrap();
    assert!(tree.is_cut(&ids(&tree, &["A"])));
    assert!(!tree.is_cut(&ids(&tree, &["A", "a"])));
}

#[test]
fn attached_values_come_last_and_change_no_id() {
    let tree = education();
    let more = tree.attach(["?".to_owned(), " odd\n".to_owned()]).unwrap();
    assert_eq!(more.len(), tree.len() + 2);
    assert!(tree.nodes().all(|node| tree.label(node) == more.label(node)));
    let attached: Vec<&str> = more.children(more.root())[2..].iter().map(|&node| more.label(node)).collect();
    assert_eq!(attached, ["?", " odd\n"]);
    assert_eq!(more.leaf_rank(more.node("?").unwrap()), 5);
    assert_eq!(tree.attach([]).unwrap(), tree);
}

#[test]
fn attaching_a_known_or_empty_label_is_an_error() {
    let duplicate = |label: &str| Err(TaxonomyError::DuplicateLabel { line: None, first: None, label: label.into() });
    assert_eq!(education().attach(["Junior".to_owned()]), duplicate("Junior"));
    assert_eq!(education().attach(["x".to_owned(), "x".to_owned()]), duplicate("x"));
    assert_eq!(education().attach([String::new()]), Err(TaxonomyError::EmptyLabel { line: None }));
}

#[test]
fn the_nearest_leaf_is_what_was_meant() {
    let tree =
        Taxonomy::from_outline("Any\n  Female\n  Male\n  HS-grad\n  Bachelors\n  Married\n    Widowed\n").unwrap();
    for (value, meant) in [
        ("female", "Female"),
        (" Male", "Male"),
        ("Femlae", "Female"),
        ("F", "Female"),
        ("HS grad", "HS-grad"),
        ("bachelor", "Bachelors"),
        ("Wdiowed", "Widowed"),
    ] {
        assert_eq!(tree.nearest_leaf(value), Some(meant), "{value}");
    }
    // Something is always named: a person sees at once that it was not meant.
    assert!(tree.nearest_leaf("Zxqzq").is_some());
}

#[test]
fn formats_give_the_same_tree() {
    let tree = education();
    assert_eq!(tree.to_outline(), EDUCATION);
    for text in [tree.to_outline(), tree.to_arx(), tree.to_json()] {
        assert_eq!(Taxonomy::parse(&text).unwrap(), tree);
    }
}

#[test]
fn a_large_hierarchy_is_read_without_quadratic_work() {
    let mut text = String::new();
    for zip in 0..50_000 {
        text.push_str(&format!("{zip:05};{:04}*;{:03}**;{:02}***;*\n", zip / 10, zip / 100, zip / 1000));
    }
    let tree = Taxonomy::parse(&text).unwrap();
    assert_eq!((tree.leaves().len(), tree.len(), tree.height()), (50_000, 50_000 + 5_000 + 500 + 50 + 1, 4));
    assert_eq!(tree.to_arx(), text);
}

/// Trees of any shape: node `i + 1` hangs below one of the nodes before it, and the `i`-th label is made unique by its number.
fn trees(label: &'static str) -> impl Strategy<Value = Taxonomy> {
    prop::collection::vec((any::<prop::sample::Index>(), label), 1..40).prop_map(|nodes| {
        let mut draft = super::Draft::default();
        draft.add(None, "Any", None).unwrap();
        for (number, (parent, label)) in nodes.into_iter().enumerate() {
            let parent = parent.index(number + 1);
            draft.add(Some(parent), &format!("{label}{number}{label}"), None).unwrap();
        }
        draft.finish().unwrap()
    })
}

proptest! {
    /// ARX and JSON hold any label: quotes, delimiters, line breaks, blanks.
    #[test]
    fn any_tree_survives_arx_and_json(tree in trees("(?s)[\"; ,\\[{\r\n\t\u{feff}a]{0,3}")) {
        // The order of first appearance is the order of the tree, so nothing is moved.
        prop_assert_eq!(&Taxonomy::from_arx(&tree.to_arx()).unwrap(), &tree);
        prop_assert_eq!(&Taxonomy::from_json(&tree.to_json()).unwrap(), &tree);
    }

    /// Labels without line breaks and outer blanks survive all formats, and the format is recognized.
    #[test]
    fn any_tree_of_ordinary_labels_survives_every_format(tree in trees("[a-z#;,\"*é-]([ a-z;]?[a-z\"])?")) {
        prop_assert!(tree.fits_outline());
        for text in [tree.to_outline(), tree.to_arx(), tree.to_json()] {
            prop_assert_eq!(&Taxonomy::parse(&text).unwrap(), &tree);
        }
    }

    /// The definition of a cut, path by path.
    #[test]
    fn is_cut_agrees_with_its_definition(
        tree in trees("[a-z]"),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut nodes: Vec<NodeId> = picks.iter().map(|pick| NodeId::at(pick.index(tree.len()))).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let naive = tree.leaves().all(|leaf| tree.ancestors(leaf).filter(|node| nodes.contains(node)).count() == 1);
        prop_assert_eq!(tree.is_cut(&nodes), naive);
    }

    /// No text makes a reader panic.
    #[test]
    fn every_text_is_a_tree_or_an_error(text in "(?s)[ab;,\"\n {}\\[\\]:\t*]{0,40}") {
        for read in [Taxonomy::parse, Taxonomy::from_outline, Taxonomy::from_arx, Taxonomy::from_json] {
            if let Ok(tree) = read(&text) {
                prop_assert!(tree.is_cut(&[tree.root()]));
            }
        }
    }
}
