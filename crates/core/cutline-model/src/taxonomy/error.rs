//! What can be wrong with a taxonomy file.

use std::fmt;

use super::Taxonomy;

/// Why a text is no taxonomy. The text is always to blame, never the program.
///
/// Messages name the line (from 1) where there is one and say what to do. They show labels of the taxonomy, which are no
/// record values. They do not name the file: whoever read it does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaxonomyError {
    // What no format allows.
    /// There is nothing but blank lines.
    #[error("the taxonomy is empty: write a root and the values below it")]
    Empty,

    /// There is a root and nothing below it.
    #[error("the root `{root}` has no values: write them below it")]
    NoValues {
        /// The root's label.
        root: String,
    },

    /// A node has no label.
    #[error("{}a label is empty: every node needs one", At(*line))]
    EmptyLabel {
        /// Where, if the format has lines.
        line: Option<usize>,
    },

    /// Two nodes have the same label.
    #[error(
        "{}the label `{label}` is already used{}: every label, of a value or of a group, must be unique; remove or rename one",
        At(*line), OnLine(*first)
    )]
    DuplicateLabel {
        /// The second occurrence, if the format has lines.
        line: Option<usize>,
        /// The first occurrence, if the format has lines.
        first: Option<usize>,
        /// The label of both.
        label: String,
    },

    /// A second node has no parent.
    #[error(
        "line {line}: `{label}` is a second root beside `{root}`: a taxonomy is one tree; put both under a common root"
    )]
    TwoRoots {
        /// The line that starts or names the second root.
        line: usize,
        /// The first root's label.
        root: String,
        /// The second root's label.
        label: String,
    },

    /// A node is too far from the root.
    #[error(
        "{}the label `{label}` is more than {} levels below the root: leave out levels that no one would publish",
        At(*line), Taxonomy::MAX_HEIGHT
    )]
    TooDeep {
        /// Where, if the format has lines.
        line: Option<usize>,
        /// The first label beyond the limit.
        label: String,
    },

    /// There are more nodes than a [`NodeId`](super::NodeId) can number.
    #[error("the taxonomy has more than {} nodes: group the values into fewer", u32::MAX)]
    TooLarge,

    // Outline.
    /// A line is indented by a tab, another kind of blank, or an odd number of spaces.
    #[error("line {line}: bad indent: use two spaces a level, and no tabs")]
    BadIndent {
        /// The line.
        line: usize,
    },

    /// The first line is indented.
    #[error(
        "line {line}: the root is indented: start its line with the label, and indent what is below by two spaces a level"
    )]
    IndentedRoot {
        /// The line.
        line: usize,
    },

    /// A line is more than one level below the line before it.
    #[error("line {line}: indented by more than one level below the line before: use two spaces a level")]
    IndentJump {
        /// The line.
        line: usize,
    },

    // ARX hierarchy.
    /// The first line has a single field.
    #[error(
        "line {line}: found one field: write a line for every value, `value;…;root`, with `;` or `,` between labels"
    )]
    NoDelimiter {
        /// The line.
        line: usize,
    },

    /// A line has more or fewer fields than the first one.
    #[error(
        "line {line}: found {found} fields, but the lines before have {expected}: repeat a label where a line has fewer levels"
    )]
    FieldCount {
        /// The line.
        line: usize,
        /// The number of fields in the first line.
        expected: usize,
        /// The number of fields in this line.
        found: usize,
    },

    /// A quoted field is not closed, or goes on after the closing quote.
    #[error("line {line}: bad quotes: close a quoted label before the delimiter, and write a quote inside it twice")]
    BadQuote {
        /// The line in which the field starts.
        line: usize,
    },

    /// A label is below two different labels.
    #[error(
        "line {line}: `{label}` is below `{parent}` here, but below `{first_parent}` on line {first}: rename one of them"
    )]
    TwoParents {
        /// The line of the second parent.
        line: usize,
        /// The line of the first parent.
        first: usize,
        /// The label that has both parents.
        label: String,
        /// The parent in the first line.
        first_parent: String,
        /// The parent in this line.
        parent: String,
    },

    /// A label is a value in one line and stands above another value in a second one.
    #[error(
        "line {line}: `{label}` is both a value and a group of values (see line {first}): rename the group or the value"
    )]
    ValueAndGroup {
        /// The line that contradicts the first.
        line: usize,
        /// The line that has the label in its first role.
        first: usize,
        /// The label.
        label: String,
    },

    /// The root's label also appears below the root, or is a line's only label.
    #[error("line {line}: the root `{label}` is also used as a value or group: remove that line or rename the label")]
    RootBelow {
        /// The line.
        line: usize,
        /// The root's label.
        label: String,
    },

    // JSON.
    /// The text is not JSON, or not of the form `{"label": …, "children": […]}`.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// The line.
        line: usize,
        /// The column, in bytes from 1.
        column: usize,
        /// What is wrong, as `serde_json` says it.
        message: String,
    },
}

/// The start of a message: `line 3: `, or nothing in a format without lines.
struct At(Option<usize>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, "line {line}: "))
    }
}

/// A reference to another line: ` on line 3`, or nothing in a format without lines.
struct OnLine(Option<usize>);

impl fmt::Display for OnLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, " on line {line}"))
    }
}
