//! What a user asks for, as written: the spec file, and the same keys from flags.
//!
//! A [`Spec`] may be incomplete or wrong. [`crate::Job::new`] checks it once; only a job can run.

mod clustering;
mod purpose;
mod search;

use std::path::{Path, PathBuf};

use cutline_model::{Condition, Identifier, Kind, Qid, Role};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

pub use clustering::{Choice, ClusteringSpec};
pub use cutline_measure::cluster::{ClusteringKind, MaskedNames};
pub use purpose::{CostSpec, FurtherTarget, PurposeKind, PurposeSpec};
pub use search::{Algorithm, GeneticSpec, MetricKind, SearchSpec, SuppressSpec};

use crate::Error;
use crate::error::read_text;

/// A release as it is written down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Where the records are and how they are read.
    #[serde(default)]
    pub input: Input,
    /// What the table is published for.
    #[serde(default)]
    pub purpose: PurposeSpec,
    /// What an attacker may know together.
    #[serde(default)]
    pub qid: Vec<Qid>,
    /// What must hold of the sensitive values of the groups of every QID, beside what single QIDs say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// What is known of single attributes.
    #[serde(default)]
    pub attributes: IndexMap<String, AttributeSpec>,
    /// How to search.
    #[serde(default)]
    pub search: SearchSpec,
    /// May records be suppressed?
    #[serde(default)]
    pub suppress: SuppressSpec,
    /// What to write.
    #[serde(default)]
    pub output: OutputSpec,
}

/// Where the records are and how they are read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A file, a folder or a pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Texts that stand for a missing value, beside the empty one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub null: Vec<String>,
    /// `csv`, `parquet`, `arrow` or `jsonl`, where the extension does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The character between fields of a CSV file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Has a CSV file a header line?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// Names of the columns of a file without a header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// What to do with missing values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// What to do with values that a taxonomy does not contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Unknown>,
}

/// What to do with missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// A missing value is a value.
    Value,
    /// Leave out records that lack a quasi value or the target.
    Drop,
    /// Leave out records that lack any published value.
    Complete,
    /// Refuse the table.
    Error,
}

/// What to do with values that a taxonomy does not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unknown {
    /// Refuse the table.
    Error,
    /// Attach them to the root.
    Root,
}

/// What is known of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeSpec {
    /// Its role. Quasi attributes and the target follow from the QIDs and the purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// What becomes of an identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<Identifier>,
    /// Overrides the guessed kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The file of its taxonomy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taxonomy: Option<PathBuf>,
    /// Is the taxonomy not to be published? What is below the cut is in no file of the release then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<bool>,
    /// The declared range of a continuous attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
}

/// What to write.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputSpec {
    /// `csv`, `parquet`, `arrow` or `jsonl`; by default the input's own, and CSV for JSON lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Write interval bounds that are no values of records, as far as that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_bounds: Option<bool>,
    /// Tell in the report what the masking cost a model that predicts the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate: Option<bool>,
}

impl Spec {
    /// Reads a spec file. Paths in it are relative to its folder.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let mut spec: Spec = toml::from_str(&text)
            .map_err(|error| Error::Spec { path: path.to_owned(), message: error.to_string().trim_end().to_owned() })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(input) = &mut spec.input.path {
            *input = folder.join(&input).to_string_lossy().into_owned();
        }
        for attribute in spec.attributes.values_mut() {
            if let Some(taxonomy) = &mut attribute.taxonomy {
                *taxonomy = folder.join(&taxonomy);
            }
        }
        Ok(spec)
    }

    /// This spec with everything that `flags` says in place of what it said: flags win.
    pub fn overlaid(mut self, flags: Spec) -> Self {
        set(&mut self.input.path, flags.input.path);
        set(&mut self.input.format, flags.input.format);
        set(&mut self.input.delimiter, flags.input.delimiter);
        set(&mut self.input.header, flags.input.header);
        set(&mut self.input.columns, flags.input.columns);
        set(&mut self.input.missing, flags.input.missing);
        set(&mut self.input.unknown, flags.input.unknown);
        if !flags.input.null.is_empty() {
            self.input.null = flags.input.null;
        }
        if !flags.qid.is_empty() {
            self.qid = flags.qid;
        }
        if !flags.conditions.is_empty() {
            self.conditions = flags.conditions;
        }
        // Clusters or a target given by flag are the purpose, whatever the spec said of another one.
        if !flags.purpose.clusters.is_empty() {
            let clustering = self.purpose.clustering;
            self.purpose = PurposeSpec { clusters: flags.purpose.clusters, clustering, ..PurposeSpec::default() };
        } else if flags.purpose.target.is_some() {
            (self.purpose.clusters, self.purpose.clustering) = Default::default();
        }
        // A target given by flag without a kind means classification, whatever the spec said of another target.
        if flags.purpose.target.is_some() || flags.purpose.kind.is_some() {
            self.purpose.kind = flags.purpose.kind;
        }
        set(&mut self.purpose.target, flags.purpose.target);
        set(&mut self.purpose.allow_target_in_qid, flags.purpose.allow_target_in_qid);
        self.purpose.clustering.overlay(flags.purpose.clustering);
        for (name, flag) in flags.attributes {
            let attribute = self.attributes.entry(name).or_default();
            set(&mut attribute.role, flag.role);
            set(&mut attribute.identifier, flag.identifier);
            set(&mut attribute.kind, flag.kind);
            set(&mut attribute.taxonomy, flag.taxonomy);
            set(&mut attribute.private, flag.private);
            set(&mut attribute.range, flag.range);
        }
        if !flags.purpose.further.is_empty() {
            self.purpose.further = flags.purpose.further;
        }
        if !flags.purpose.cost.is_empty() {
            self.purpose.cost = flags.purpose.cost;
        }
        self.search.overlay(flags.search);
        set(&mut self.suppress.limit, flags.suppress.limit);
        set(&mut self.suppress.how, flags.suppress.how);
        set(&mut self.output.format, flags.output.format);
        set(&mut self.output.round_bounds, flags.output.round_bounds);
        set(&mut self.output.evaluate, flags.output.evaluate);
        self
    }
}

/// A flag that was given takes the place of what the file said.
fn set<T>(slot: &mut Option<T>, flag: Option<T>) {
    if flag.is_some() {
        *slot = flag;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_contract_is_read() {
        let spec: Spec = toml::from_str(
            r#"
[input]
path = "patients.csv"
null = ["?"]

[purpose]
kind = "classification"
target = "readmitted"

[[qid]]
attributes = ["birth_year", "sex", "zip"]
k = 20

[attributes.zip]
taxonomy = "zip.txt"

[attributes.birth_year]
range = [1900, 2026]
"#,
        )
        .unwrap();
        assert_eq!(spec.qid[0].k, 20);
        assert_eq!(spec.attributes["birth_year"].range, Some((1900.0, 2026.0)));
        assert_eq!(spec.purpose.kind, Some(PurposeKind::Classification));
    }

    #[test]
    fn flags_win() {
        let file: Spec =
            toml::from_str("[input]\npath = \"a\"\n[purpose]\nkind = \"regression\"\ntarget = \"x\"").unwrap();
        let mut flags = Spec::default();
        flags.purpose.target = Some("y".into());
        let spec = file.overlaid(flags);
        assert_eq!((spec.purpose.kind, spec.purpose.target.as_deref()), (None, Some("y")));
        assert_eq!(spec.input.path.as_deref(), Some("a"));
    }

    #[test]
    fn misspelled_keys_are_refused() {
        assert!(toml::from_str::<Spec>("[input]\npaht = \"a\"").is_err());
    }
}
