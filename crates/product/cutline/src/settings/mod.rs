//! Every setting of a release, for whoever asks for them: flags, keywords, form fields, the reference page.
//!
//! A setting is defined once, beside the thing that it sets (`spec/`, and the parameters of an algorithm beside the algorithm).
//! [`all`] lists them, [`Spec::set`] sets them, and messages name them as `‹name›`, which [`mentions`] writes as a face does.
//!
//! ```
//! use cutline::settings::{Value, all, mentions};
//! use cutline::spec::Spec;
//!
//! let mut spec = Spec::default();
//! spec.set("suppress-limit", &Value::from("1%"))?;
//! let error = spec.set("suppress-limit", &Value::from("many")).unwrap_err().to_string();
//! let keyword = |name: &str, _: Option<&str>| name.replace('-', "_");
//! assert!(mentions(&error, keyword).starts_with("suppress_limit: `many` is no share"));
//! assert!(all().iter().any(|setting| setting.name == "suppress-limit" && setting.key == "suppress.limit"));
//! # Ok::<(), cutline::settings::SettingError>(())
//! ```

mod page;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use cutline_settings::Setting;
pub use cutline_settings::{Choice, Reach, SettingError, Shape, Value, Wrong, mentions};
use serde::Serialize;

pub use page::page;

use crate::nearest::nearest;
use crate::spec::{Spec, definitions};

/// Puts a value into a spec.
type Setter = dyn Fn(&mut Spec, &Value) -> Result<(), SettingError> + Send + Sync;

/// A setting of a release.
#[derive(Serialize)]
pub struct Definition {
    /// Its name, as in `suppress-limit`.
    pub name: &'static str,
    /// Its key in the spec, as in `suppress.limit`.
    pub key: String,
    /// What it belongs to.
    pub section: Section,
    /// What can be said.
    pub shape: Shape,
    /// The words to choose from, if it is a choice.
    pub choices: &'static [Choice],
    /// What stands for the value in a help text.
    pub placeholder: &'static str,
    /// What holds if nothing is said, in words.
    pub default: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// More about it.
    pub doc: &'static str,
    /// A value.
    pub example: &'static str,
    /// Who can say it.
    pub reach: Reach,
    #[serde(skip)]
    clear: Box<dyn Fn(&mut Spec) + Send + Sync>,
    #[serde(skip)]
    set: Box<Setter>,
}

/// What a setting belongs to: a heading of a help text, a part of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    /// What must hold.
    Requirement,
    /// What the table is published for.
    Purpose,
    /// The purpose clustering.
    Clusters,
    /// What is known of single attributes.
    Attributes,
    /// How the table is read.
    Input,
    /// How to search.
    Search,
    /// The genetic search.
    Genetic,
    /// What is written.
    Output,
}

impl Section {
    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Section::Requirement => "Requirement",
            Section::Purpose => "Purpose",
            Section::Clusters => "Clusters",
            Section::Attributes => "Attributes",
            Section::Input => "Input",
            Section::Search => "Search",
            Section::Genetic => "Genetic search",
            Section::Output => "Output",
        }
    }
}

impl Definition {
    /// A setting of a part as a setting of the whole; `table` is the part's own key.
    pub(crate) fn new<P: 'static>(
        section: Section,
        table: &str,
        setting: &'static Setting<P>,
        part: fn(&mut Spec) -> &mut P,
    ) -> Self {
        let key = if table.is_empty() { setting.key.to_owned() } else { format!("{table}.{}", setting.key) };
        let placeholder = match setting.placeholder {
            "" => setting.shape.placeholder(),
            placeholder => placeholder,
        };
        Definition {
            name: setting.name,
            key,
            section,
            shape: setting.shape,
            choices: setting.shape.choices(),
            placeholder,
            default: setting.default,
            help: setting.help,
            doc: setting.doc,
            example: setting.example,
            reach: setting.reach,
            clear: Box::new(move |spec| (setting.clear)(part(spec))),
            set: Box::new(move |spec, value| setting.set(part(spec), value)),
        }
    }

    /// Is this a value for it? What depends on other settings is checked by [`crate::Job::new`].
    pub fn check(&self, value: &Value) -> Result<(), SettingError> {
        (self.set)(&mut Spec::default(), value)
    }

    pub(crate) fn clear(&self, spec: &mut Spec) {
        (self.clear)(spec);
    }

    pub(crate) fn set(&self, spec: &mut Spec, value: &Value) -> Result<(), SettingError> {
        (self.set)(spec, value)
    }
}

/// All settings of a release, by section.
pub fn all() -> &'static [Definition] {
    static ALL: LazyLock<Vec<Definition>> = LazyLock::new(definitions);
    &ALL
}

/// The place of a setting in the list of all.
pub(crate) fn find(name: &str) -> Result<usize, SettingError> {
    let unknown = || {
        let names: Vec<String> = all().iter().map(|setting| setting.name.to_owned()).collect();
        let meant = nearest(name, &names);
        let nearest = all().iter().map(|setting| setting.name).find(|&other| Some(other) == meant.as_deref());
        SettingError::Unknown { name: name.to_owned(), nearest }
    };
    all().iter().position(|setting| setting.name == name).ok_or_else(unknown)
}
