//! What a user asks for, as written: the spec file, and the same from flags, keywords or a form.
//!
//! A [`Spec`] may be incomplete or contradict itself. [`crate::Job::new`] checks it once; only a job can run. Every file here has a
//! part of the spec and, beside it, the definitions of its settings; [`crate::settings`] lists them all.

mod attributes;
mod clustering;
mod format;
mod input;
mod memory;
mod output;
mod purpose;
mod release;
mod requirement;
mod search;
mod settings;
mod suppress;
#[cfg(test)]
mod tests;
mod time_limit;

use std::path::{Path, PathBuf};

use cutline_model::{Classification, Condition, Qid};
use cutline_settings::{Value, Wrong};
use serde::{Deserialize, Serialize};

pub use attributes::{AttributeSpec, Attributes};
pub use clustering::{ChosenClusters, ClusteringSpec};
pub use cutline_measure::cluster::{ClusteringKind, EncodeNames, MaskedNames};
pub use cutline_search::genetic::{GeneticParams, MetricKind};
pub use input::{IfMissing, IfUnknown, Input};
pub use memory::{Memory, NoSize};
pub use output::OutputSpec;
pub use purpose::{CostSpec, FurtherTarget, PurposeKind, PurposeSpec};
pub use release::ReleaseSpec;
pub use search::{Algorithm, Local, SearchSpec};
pub(crate) use settings::definitions;
pub use suppress::SuppressSpec;
pub use time_limit::{NoDuration, TimeLimit};

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
    /// The column that says which person a record is about: groups count persons then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The column of survey weights: how many persons of a population a record stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// The share of the population that is in the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling_fraction: Option<f64>,
    /// What must hold of the sensitive values of the groups of every QID, beside what single QIDs say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// What is known of single attributes.
    #[serde(default)]
    pub attributes: Attributes,
    /// How to search.
    #[serde(default)]
    pub search: SearchSpec,
    /// May records be suppressed?
    #[serde(default)]
    pub suppress: SuppressSpec,
    /// What to write.
    #[serde(default)]
    pub output: OutputSpec,
    /// Several releases of the table, for different uses or recipients; none if there is only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub release: Vec<ReleaseSpec>,
}

impl Spec {
    /// Reads a spec file. Paths in it are relative to its folder.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let mut spec: Spec = toml::from_str(&text)
            .map_err(|error| Error::Spec { path: path.to_owned(), message: error.to_string().trim_end().to_owned() })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(input) = spec.input.path.as_mut().filter(|path| is_file(path)) {
            *input = folder.join(&input).to_string_lossy().into_owned();
        }
        let Spec { attributes, output, release, .. } = &mut spec;
        relative_to(folder, attributes, output);
        release.iter_mut().for_each(|release| relative_to(folder, &mut release.attributes, &mut release.output));
        Ok(spec)
    }
}

/// Standard input has no folder, nor has a server, nor what a driver opens.
fn is_file(table: &str) -> bool {
    table != "-" && !table.contains("://") && !table.starts_with("adbc:")
}

/// What a spec in a file says of a table that somebody named in the working folder.
pub fn seen_from(file: &Path, table: &str) -> String {
    let is_here = file.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder == Path::new("."));
    let absolute = std::path::absolute(table).ok().filter(|_| is_file(table) && !is_here);
    // A path that is no text cannot be said in a spec.
    absolute.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or_else(|| table.to_owned())
}

/// Paths in a spec are relative to its folder.
fn relative_to(folder: &Path, attributes: &mut Attributes, output: &mut OutputSpec) {
    let is_file = |path: &&mut PathBuf| path.to_str().and_then(Classification::of).is_none();
    for attribute in attributes.values_mut() {
        if let Some(taxonomy) = attribute.taxonomy.as_mut().filter(is_file) {
            *taxonomy = folder.join(&taxonomy);
        }
    }
    for key in [&mut output.shuffle_key, &mut output.token_key].into_iter().flatten() {
        *key = folder.join(&key);
    }
}

/// Names separated by commas; a name with a comma in it stands in double quotes.
fn list(text: &str) -> Vec<String> {
    let names = cutline_model::split_names(text).unwrap_or_else(|| vec![text.to_owned()]);
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// Names: a list has them as they are, a text separates them by commas.
fn names(value: &Value) -> Result<Vec<String>, Wrong> {
    match value {
        Value::List(_) => value.texts(),
        text => Ok(list(&text.text()?)),
    }
}
