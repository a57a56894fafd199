//! The JSON format: nested objects with a label and children.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::draft::Draft;
use super::format::without_bom;
use super::{NodeId, Taxonomy, TaxonomyError};

impl Taxonomy {
    /// Reads nested JSON objects. A leaf has no children, or is just a string.
    ///
    /// ```json
    /// { "label": "Any", "children": [ { "label": "Secondary", "children": ["11th", "12th"] }, { "label": "University" } ] }
    /// ```
    ///
    /// # Errors
    ///
    /// [`TaxonomyError::Json`] with line and column if the text is no JSON or has another form, and a [`TaxonomyError`] with
    /// the label if the objects are no taxonomy.
    pub fn from_json(text: &str) -> Result<Taxonomy, TaxonomyError> {
        let text = without_bom(text);
        if text.trim().is_empty() {
            return Err(TaxonomyError::Empty);
        }
        let root: ReadNode = serde_json::from_str(text).map_err(|error| json_error(&error))?;
        root.into_draft()?.finish()
    }

    /// Writes indented JSON, every node as an object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a tree of strings can be written as JSON")
    }
}

/// As [`Taxonomy::to_json`], so that a taxonomy can be part of a larger document.
impl Serialize for Taxonomy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenNode { taxonomy: self, node: self.root() }.serialize(serializer)
    }
}

/// As [`Taxonomy::from_json`], but a root may be alone, as [`Taxonomy::above`] leaves it; the message of a [`TaxonomyError`] becomes
/// the deserializer's error.
impl<'de> Deserialize<'de> for Taxonomy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ReadNode::deserialize(deserializer)?.into_draft().and_then(Draft::finish_part).map_err(D::Error::custom)
    }
}

/// A node as it is written. Recursion is safe here: [`Taxonomy::MAX_HEIGHT`] bounds it.
struct WrittenNode<'a> {
    taxonomy: &'a Taxonomy,
    node: NodeId,
}

impl Serialize for WrittenNode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let below = !self.taxonomy.is_leaf(self.node);
        let mut object = serializer.serialize_struct("Node", 1 + usize::from(below))?;
        object.serialize_field("label", self.taxonomy.label(self.node))?;
        if below {
            object.serialize_field("children", &WrittenChildren(self))?;
        }
        object.end()
    }
}

/// What is written below a node.
struct WrittenChildren<'a>(&'a WrittenNode<'a>);

impl Serialize for WrittenChildren<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WrittenNode { taxonomy, node } = self.0;
        serializer.collect_seq(taxonomy.children(*node).iter().map(|&node| WrittenNode { taxonomy, node }))
    }
}

/// A node as the text has it, before labels are checked.
struct ReadNode {
    label: String,
    children: Vec<ReadNode>,
}

/// The object form. A misspelled `children` must not turn a group into a value, so nothing unknown is let through.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadObject {
    label: String,
    #[serde(default)]
    children: Vec<ReadNode>,
}

impl ReadNode {
    fn into_draft(self) -> Result<Draft, TaxonomyError> {
        let mut draft = Draft::default();
        let mut pending = vec![(None, self)];
        while let Some((parent, node)) = pending.pop() {
            let position = draft.add(parent, &node.label, None)?;
            pending.extend(node.children.into_iter().rev().map(|child| (Some(position), child)));
        }
        Ok(draft)
    }
}

// By hand and not as an untagged enum, which would lose line and column.
impl<'de> Deserialize<'de> for ReadNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = ReadNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object {\"label\": …, \"children\": […]}, or a string for a value without children")
    }

    fn visit_str<E: Error>(self, label: &str) -> Result<ReadNode, E> {
        Ok(ReadNode { label: label.to_owned(), children: Vec::new() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ReadNode, A::Error> {
        let ReadObject { label, children } = ReadObject::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ReadNode { label, children })
    }
}

/// Takes the position out of `serde_json`'s message, because ours starts with it.
fn json_error(error: &serde_json::Error) -> TaxonomyError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let position = format!(" at line {line} column {column}");
    TaxonomyError::Json { line, column, message: message.strip_suffix(&position).unwrap_or(&message).to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDUCATION: &str = r#"
        {"label": "Any", "children": [
            {"label": "Secondary", "children": ["11th", {"label": "12th", "children": []}]},
            {"children": ["Bachelors"], "label": "University"}]}"#;

    fn message(text: &str) -> String {
        Taxonomy::from_json(text).unwrap_err().to_string()
    }

    #[test]
    fn reads_objects_and_strings() {
        let outline = "Any\n  Secondary\n    11th\n    12th\n  University\n    Bachelors\n";
        let tree = Taxonomy::from_outline(outline).unwrap();
        assert_eq!(Taxonomy::from_json(EDUCATION).unwrap(), tree);
        assert_eq!(Taxonomy::from_json(&format!("\u{feff}{EDUCATION}")).unwrap(), tree);
    }

    #[test]
    fn writes_objects() {
        let tree = Taxonomy::from_outline("Any\n  \"F\"\n  M\n").unwrap();
        let expected = "{\n  \"label\": \"Any\",\n  \"children\": [\n    {\n      \"label\": \"\\\"F\\\"\"\n    },\n    {\n      \
                        \"label\": \"M\"\n    }\n  ]\n}";
        assert_eq!(tree.to_json(), expected);
    }

    #[test]
    fn syntax_errors_have_line_and_column() {
        assert_eq!(
            message("{\"label\": \"Any\",\n  \"children\": [\"a\" \"b\"]}"),
            "line 2, column 20: expected `,` or `]`"
        );
    }

    #[test]
    fn another_form_is_an_error() {
        assert!(message(r#"["a", "b"]"#).contains("invalid type: sequence, expected an object"));
        assert!(message(r#"{"label": "Any", "children": [1]}"#).contains("invalid type: integer `1`"));
        assert!(
            message(r#"{"label": "Any", "kids": ["a"]}"#)
                .contains("unknown field `kids`, expected `label` or `children`")
        );
        assert!(message(r#"{"children": ["a"]}"#).contains("missing field `label`"));
        assert!(message(r#"{"label": "Any", "children": ["a"]} x"#).contains("trailing characters"));
    }

    #[test]
    fn structural_errors_name_the_label() {
        let duplicate = TaxonomyError::DuplicateLabel { line: None, first: None, label: "a".into() };
        assert_eq!(Taxonomy::from_json(r#"{"label": "Any", "children": ["a", "a"]}"#), Err(duplicate.clone()));
        assert!(duplicate.to_string().starts_with("the label `a` is already used: "));
        assert_eq!(message(r#"{"label": "Any", "children": [""]}"#), "a label is empty: every node needs one");
        assert_eq!(message(r#"{"label": "Any"}"#), "the root `Any` has no values: write them below it");
        assert_eq!(message(r#""Any""#), "the root `Any` has no values: write them below it");
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_crash() {
        let text = r#"{"label": "x", "children": ["#.repeat(100_000);
        assert!(message(&text).contains("recursion limit exceeded"));
    }

    #[test]
    fn the_deepest_tree_survives_inside_a_larger_document() {
        let levels: String =
            (0..=Taxonomy::MAX_HEIGHT).map(|level| format!("{}n{level}\n", "  ".repeat(level))).collect();
        let tree = Taxonomy::from_outline(&levels).unwrap();
        let document = serde_json::json!({"attributes": {"zip": {"inner": {"taxonomy": tree}}}}).to_string();
        let mut read: serde_json::Value = serde_json::from_str(&document).unwrap();
        let part = read["attributes"]["zip"]["inner"]["taxonomy"].take();
        assert_eq!(serde_json::from_value::<Taxonomy>(part).unwrap(), tree);
    }

    #[test]
    fn an_embedded_taxonomy_is_checked() {
        let error = serde_json::from_str::<Vec<Taxonomy>>(r#"[{"label": "a", "children": ["a"]}]"#).unwrap_err();
        assert!(error.to_string().starts_with("the label `a` is already used"));
    }
}
