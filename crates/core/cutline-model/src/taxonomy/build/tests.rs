//! What holds for every tree that is built.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::{NodeId, Taxonomy};

/// Distinct values without outer blanks: short, so that many begin alike, and with stars and the names that inner nodes get.
fn values() -> impl Strategy<Value = BTreeSet<String>> {
    prop::collection::btree_set("[ab1é*]{1,6}|Any|Group [1-3]|Any \\(2\\)", 2..30)
}

fn texts(values: &BTreeSet<String>) -> impl Iterator<Item = &str> {
    values.iter().map(String::as_str)
}

/// Every value is a leaf once, no node has a single child, and the outline can be read back.
fn check(tree: &Taxonomy, values: &BTreeSet<String>) -> Result<(), TestCaseError> {
    let leaves: Vec<&str> = tree.leaves().map(|leaf| tree.label(leaf)).collect();
    prop_assert_eq!(leaves.len(), values.len());
    prop_assert_eq!(leaves.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), values.clone());
    prop_assert!(tree.nodes().all(|node| tree.children(node).len() != 1));
    prop_assert!(tree.height() <= Taxonomy::MAX_HEIGHT);
    prop_assert!(tree.fits_outline());
    prop_assert_eq!(&Taxonomy::parse(&tree.to_outline()).unwrap(), tree);
    Ok(())
}

fn shared<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    &one[..same]
}

/// What all leaves below a node begin with.
fn prefix(tree: &Taxonomy, node: NodeId) -> &str {
    let mut labels = tree.leaf_range(node).filter_map(|rank| tree.leaves().nth(rank)).map(|leaf| tree.label(leaf));
    let first = labels.next().unwrap();
    labels.fold(first, shared)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flat_trees_hold_every_value(values in values()) {
        let tree = Taxonomy::flat(texts(&values)).unwrap();
        check(&tree, &values)?;
        prop_assert_eq!(tree.height(), 1);
    }

    #[test]
    fn nodes_are_prefixes_of_all_leaves_below(values in values()) {
        let tree = Taxonomy::by_prefix(texts(&values)).unwrap();
        check(&tree, &values)?;
        for node in tree.nodes().filter(|&node| !tree.is_leaf(node)) {
            let begins = prefix(&tree, node);
            if node != tree.root() {
                let label = tree.label(node).strip_prefix(begins);
                prop_assert!(!begins.is_empty() && label.is_some_and(|rest| rest.starts_with('*')));
            }
            // Siblings share no more than what their parent says, so no level is left out.
            let children = tree.children(node);
            for (index, &one) in children.iter().enumerate() {
                for &other in &children[index + 1..] {
                    prop_assert_eq!(shared(prefix(&tree, one), prefix(&tree, other)), begins);
                }
            }
        }
    }

    #[test]
    fn groups_are_binary_and_hold_every_value(values in values(), counts in prop::collection::vec((0_u64..9, 0_u64..9), 30)) {
        let counted: Vec<_> = texts(&values).zip(counts).map(|(text, (yes, no))| (text, vec![yes, no])).collect();
        let tree = Taxonomy::by_class(&counted).unwrap();
        check(&tree, &values)?;
        prop_assert!(tree.nodes().all(|node| tree.is_leaf(node) || tree.children(node).len() == 2));
    }
}
