//! Which of a few words is meant?

use serde::Serialize;
use thiserror::Error;

/// A word that can be said, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
}

/// A word that is none of those that can be said.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{word}` is none of: {}", choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", "))]
pub struct NoChoice {
    /// The word.
    pub word: String,
    /// Those that can be said.
    pub choices: &'static [Choice],
}

/// An enum of words: each variant has its word and, as its doc comment, what it means. It gets `CHOICES`, `name`, `FromStr` and
/// the same words in files.
///
/// ```
/// cutline_settings::choices! {
///     /// A season.
///     #[derive(Default)]
///     pub enum Season {
///         /// It is warm
///         #[default]
///         Summer = "summer",
///         /// It is cold
///         Winter = "winter",
///     }
/// }
///
/// assert_eq!("winter".parse(), Ok(Season::Winter));
/// assert_eq!((Season::CHOICES[0].name, Season::CHOICES[0].help), ("summer", "It is warm"));
/// assert!("spring".parse::<Season>().is_err());
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $kind:ident {
            $(#[doc = $help:literal] $(#[$variant_meta:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $(#[doc = $help] $(#[$variant_meta])* $variant,)+
        }

        impl $kind {
            /// The words, and what they mean.
            pub const CHOICES: &'static [$crate::Choice] =
                &[$($crate::Choice { name: $name, help: $help.trim_ascii() },)+];

            /// The word.
            pub fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $name,)+
                }
            }
        }

        impl ::std::str::FromStr for $kind {
            type Err = $crate::NoChoice;

            fn from_str(word: &str) -> Result<Self, $crate::NoChoice> {
                match word {
                    $($name => Ok($kind::$variant),)+
                    _ => Err($crate::NoChoice { word: word.to_owned(), choices: Self::CHOICES }),
                }
            }
        }

        impl ::serde::Serialize for $kind {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $kind {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <String as ::serde::Deserialize>::deserialize(deserializer)?;
                word.parse().map_err(::serde::de::Error::custom)
            }
        }
    };
}
