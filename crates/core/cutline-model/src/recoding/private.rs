//! Taxonomies that are not to be published: what is stored of them, and how they are given again.
//!
//! A taxonomy that was made from the values of a table tells which values there are. Of such a one a recoding stores the labels that
//! published records show and what is above them, and nothing else.

use thiserror::Error;

use super::{AttributeRecoding, Recoding, Unknown};
use crate::{NodeId, Taxonomy};

/// Why a taxonomy is not the one that a recoding was made with.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RestoreError {
    /// The recoding does not mask the attribute, or has its whole taxonomy.
    #[error("the recoding has no private taxonomy of `{0}`")]
    NotPrivate(String),
    /// The roots have different labels.
    #[error("the root of the taxonomy of `{attribute}` is `{given}`, that of the recoding is `{stored}`")]
    OtherRoot {
        /// The attribute.
        attribute: String,
        /// The root of the taxonomy that was given.
        given: String,
        /// The root of the stored one.
        stored: String,
    },
    /// A published label is no node.
    #[error("the recoding publishes `{label}` of `{attribute}`, but the taxonomy has no such node")]
    NoSuchNode {
        /// The attribute.
        attribute: String,
        /// The label.
        label: String,
    },
    /// A published label is below another one.
    #[error("the cut of `{0}` is not a cut of the taxonomy: a node of it is below another one")]
    NotACut(String),
}

impl AttributeRecoding {
    /// Hides everything but the labels of the cut that are shown, and what is above them. Without any, the root is left.
    pub fn hide_taxonomy(&mut self, shown: impl Fn(&Taxonomy, NodeId) -> bool) {
        let AttributeRecoding::Generalize { cut, taxonomy, .. } = self else { return };
        let nodes = cut.iter().filter_map(|label| taxonomy.node(label)).filter(|&node| shown(taxonomy, node));
        let nodes: Vec<NodeId> = nodes.collect();
        let left = taxonomy.above(&nodes);
        *cut = left.leaves().map(|leaf| left.label(leaf).to_owned()).collect();
        *taxonomy = left;
    }
}

impl Recoding {
    /// Is only a part of the attribute's taxonomy stored?
    pub fn has_private_taxonomy(&self, attribute: &str) -> bool {
        self.private_taxonomies.iter().any(|private| private == attribute)
    }

    /// What to do with values of an attribute that its taxonomy does not contain, if that is asked for in general.
    ///
    /// Without its taxonomy, no value of a private attribute is known, so that none is known to be outside of it: [`Unknown::Root`] would
    /// publish nothing but the root. Where only that is published anyway, nothing need be known.
    pub fn unknown_of(&self, attribute: &str, asked: Unknown) -> Unknown {
        let taxonomy = self.attributes.get(attribute).and_then(AttributeRecoding::taxonomy);
        match taxonomy.filter(|_| self.has_private_taxonomy(attribute)) {
            Some(taxonomy) if taxonomy.len() == 1 => Unknown::Root,
            Some(_) => Unknown::Error,
            None => asked,
        }
    }

    /// Gives the recoding a private taxonomy again, so that it knows what is below the cut.
    ///
    /// Labels that no published record showed are not stored; where the cut lacks them it is completed. With [`Unknown::Root`] a
    /// published label directly below the root may be a value that was attached there, which the taxonomy lacks.
    pub fn restore_taxonomy(&mut self, name: &str, given: Taxonomy, unknown: Unknown) -> Result<(), RestoreError> {
        let private = self.has_private_taxonomy(name);
        let attribute = self.attributes.get_mut(name).filter(|_| private);
        let Some(AttributeRecoding::Generalize { cut, taxonomy, .. }) = attribute else {
            return Err(RestoreError::NotPrivate(name.to_owned()));
        };
        let (restored, nodes) = fit(name, cut, taxonomy, given, unknown)?;
        *cut = nodes.into_iter().map(|node| restored.label(node).to_owned()).collect();
        *taxonomy = restored;
        self.private_taxonomies.retain(|private| private != name);
        Ok(())
    }
}

/// The given taxonomy and the cut through it that has the labels of the stored one.
fn fit(
    name: &str,
    cut: &[String],
    stored: &Taxonomy,
    given: Taxonomy,
    unknown: Unknown,
) -> Result<(Taxonomy, Vec<NodeId>), RestoreError> {
    let attribute = name.to_owned();
    let root = |taxonomy: &Taxonomy| taxonomy.label(taxonomy.root()).to_owned();
    if root(stored) != root(&given) {
        return Err(RestoreError::OtherRoot { attribute, given: root(&given), stored: root(stored) });
    }
    let attached = |label: &&String| {
        let parent = stored.node(label).and_then(|node| stored.parent(node));
        unknown == Unknown::Root && given.node(label).is_none() && parent == Some(stored.root())
    };
    let attached: Vec<String> = cut.iter().filter(attached).cloned().collect();
    // Labels that the tree lacks can be attached: those of a cut are distinct and not empty.
    let restored = given.attach(attached).unwrap_or(given);
    let node = |label: &String| {
        let missing = || RestoreError::NoSuchNode { attribute: attribute.clone(), label: label.clone() };
        restored.node(label).ok_or_else(missing)
    };
    let nodes = cut.iter().map(node).collect::<Result<Vec<_>, _>>()?;
    let completed = restored.completed_cut(&nodes).ok_or_else(|| RestoreError::NotACut(name.to_owned()))?;
    Ok((restored, completed))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZIP: &str = "Any\n  021**\n    02138\n    02139\n  100**\n    10001\n  94110\n";

    /// A recoding that publishes these nodes of [`ZIP`], of which those with a `!` are not shown.
    fn hidden(cut: &[&str]) -> Recoding {
        let stored = r#"{"format": "cutline-recoding/1", "attributes": {}, "requirement": {"qids": []}, "private_taxonomies": ["zip"]}"#;
        let mut recoding = Recoding::from_json(stored).unwrap();
        let labels = cut.iter().map(|label| label.trim_end_matches('!').to_owned()).collect();
        let mut zip = AttributeRecoding::Generalize {
            cut: labels,
            missing: None,
            taxonomy: Taxonomy::from_outline(ZIP).unwrap(),
        };
        zip.hide_taxonomy(|taxonomy, node| cut.contains(&taxonomy.label(node)));
        recoding.attributes.insert("zip".to_owned(), zip);
        Recoding::from_json(&recoding.to_json()).unwrap()
    }

    fn restored(cut: &[&str], outline: &str, unknown: Unknown) -> Result<Vec<String>, RestoreError> {
        let mut recoding = hidden(cut);
        recoding.restore_taxonomy("zip", Taxonomy::from_outline(outline).unwrap(), unknown)?;
        assert!(!recoding.has_private_taxonomy("zip"));
        Ok(recoding.attributes["zip"].labels())
    }

    #[test]
    fn only_what_is_shown_is_stored() {
        let text = hidden(&["021**", "10001!", "94110"]).to_json();
        assert!(text.contains("021**") && text.contains("94110"), "{text}");
        assert!(!text.contains("02138") && !text.contains("10001") && !text.contains("100**"), "{text}");
        assert_eq!(hidden(&["021**!", "100**!", "94110!"]).attributes["zip"].labels(), ["Any"]);
        assert!(hidden(&["Any"]).attributes["zip"].is_top());
    }

    #[test]
    fn the_given_taxonomy_has_the_same_cut() {
        assert_eq!(restored(&["021**", "10001!", "94110"], ZIP, Unknown::Error).unwrap(), ["021**", "100**", "94110"]);
        assert_eq!(restored(&["Any"], ZIP, Unknown::Error).unwrap(), ["Any"]);
        let cut = ["02138", "02139", "100**", "94110"];
        assert_eq!(restored(&cut, ZIP, Unknown::Error).unwrap(), cut);
    }

    #[test]
    fn another_taxonomy_is_refused() {
        let cut = &["021**", "100**", "94110"];
        let error = |outline: &str, unknown| restored(cut, outline, unknown).unwrap_err().to_string();
        assert!(error(&ZIP.replace("Any", "All"), Unknown::Error).contains("is `All`, that of the recoding is `Any`"));
        let lacking = ZIP.replace("94110", "94111");
        assert!(error(&lacking, Unknown::Error).contains("publishes `94110` of `zip`"));
        assert_eq!(restored(cut, &lacking, Unknown::Root).unwrap(), ["021**", "100**", "94111", "94110"]);
        assert!(error("Any\n  021**\n    100**\n  94110\n", Unknown::Error).contains("is below another one"));
        let mut recoding = hidden(cut);
        let other = recoding.restore_taxonomy("sex", Taxonomy::from_outline(ZIP).unwrap(), Unknown::Error);
        assert_eq!(other, Err(RestoreError::NotPrivate("sex".to_owned())));
    }
}
