//! What is a setting?

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::{Choice, Value, Wrong};

/// One setting of a `T`.
pub struct Setting<T> {
    /// Its name, as in `suppress-limit`; the command's flag is `--suppress-limit`, Python's keyword `suppress_limit`.
    pub name: &'static str,
    /// Its key in the spec, below that of the thing that it sets, as in `limit`.
    pub key: &'static str,
    /// What can be said.
    pub shape: Shape,
    /// What stands for the value in a help text, where the shape has no good word for it.
    pub placeholder: &'static str,
    /// What holds if nothing is said, in words; empty if nothing is worth saying.
    pub default: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// More about it, for the reference page.
    pub doc: &'static str,
    /// A value, as it is written as a text; nothing for a flag.
    pub example: &'static str,
    /// Who can say it.
    pub reach: Reach,
    /// Takes back what was said before and does not go with it. Everything is cleared before anything is set.
    pub clear: fn(&mut T),
    /// Puts a value where it belongs.
    pub set: fn(&mut T, &Value) -> Result<(), Wrong>,
}

/// What can be said, so that a face can ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Said or not.
    Flag,
    /// A whole number.
    Whole,
    /// One or several whole numbers, as in `2,6,10`.
    Wholes,
    /// A number.
    Number,
    /// A share, as in `1%` or `0.01`.
    Share,
    /// A time, as in `30s`.
    Duration,
    /// One of a few words.
    Choice(&'static [Choice]),
    /// A character.
    Character,
    /// A text.
    Text,
    /// Texts, one at a time.
    Texts,
    /// Things with something said of each, one at a time, as in `age,sex:10`.
    Entries,
    /// Names, as in `a,b`.
    Names,
    /// A text for each of some attributes, as in `NAME=VALUE`.
    PerAttribute,
}

/// Who can say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// Every face.
    Everywhere,
    /// The spec alone; a face has another way to say it, such as an argument of its own.
    Spec,
}

/// A setting that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// There is none of this name.
    #[error("there is no setting `{name}`")]
    Unknown {
        /// The name.
        name: String,
        /// The one that was probably meant.
        nearest: Option<&'static str>,
    },
    /// The value is not one for it.
    #[error("‹{setting}›: {}", wrong.what)]
    Value {
        /// The setting.
        setting: &'static str,
        /// What is wrong with the value.
        wrong: Wrong,
    },
}

impl SettingError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            SettingError::Unknown { nearest, .. } => nearest.map(|name| format!("did you mean ‹{name}›?")),
            SettingError::Value { wrong, .. } => wrong.hint.clone(),
        }
    }
}

impl<T> Setting<T> {
    /// A setting that sets nothing: what most definitions leave as it is.
    pub const BLANK: Setting<T> = Setting {
        name: "",
        key: "",
        shape: Shape::Flag,
        placeholder: "",
        default: "",
        help: "",
        doc: "",
        example: "",
        reach: Reach::Everywhere,
        clear: |_| {},
        set: |_, _| Ok(()),
    };

    /// Puts a value where it belongs.
    pub fn set(&self, thing: &mut T, value: &Value) -> Result<(), SettingError> {
        (self.set)(thing, value).map_err(|wrong| SettingError::Value { setting: self.name, wrong })
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Shape {
    /// Can it be said several times?
    pub fn repeats(self) -> bool {
        matches!(self, Shape::Wholes | Shape::Texts | Shape::Entries | Shape::Names | Shape::PerAttribute)
    }

    /// The words to choose from, if it is a choice.
    pub fn choices(self) -> &'static [Choice] {
        match self {
            Shape::Choice(choices) => choices,
            _ => &[],
        }
    }

    /// What stands for the value in a help text.
    pub fn placeholder(self) -> &'static str {
        match self {
            Shape::Flag => "",
            Shape::Choice(_) => "CHOICE",
            Shape::Whole | Shape::Wholes => "N",
            Shape::Number => "NUMBER",
            Shape::Share => "SHARE",
            Shape::Duration => "TIME",
            Shape::Character => "CHAR",
            Shape::Text | Shape::Texts => "TEXT",
            Shape::Names => "NAMES",
            Shape::Entries | Shape::PerAttribute => "NAME=VALUE",
        }
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Flag => "flag",
            Shape::Whole => "whole",
            Shape::Wholes => "wholes",
            Shape::Number => "number",
            Shape::Share => "share",
            Shape::Duration => "duration",
            Shape::Choice(_) => "choice",
            Shape::Character => "character",
            Shape::Text => "text",
            Shape::Texts => "texts",
            Shape::Entries => "entries",
            Shape::Names => "names",
            Shape::PerAttribute => "per-attribute",
        }
    }
}
