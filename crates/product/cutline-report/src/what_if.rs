//! The same release under other requirements.

use cutline_model::Share;
use serde::Serialize;

/// What would be published if something was asked for otherwise. The first one is the release as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WhatIf {
    /// The alternatives.
    pub alternatives: Vec<Alternative>,
    /// What `error` is, if it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorKind>,
}

/// One thing that is asked for otherwise, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// What is otherwise.
    pub change: Change,
    /// What would be published; nothing if nothing can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Why nothing can be published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible: Option<String>,
}

/// What is otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Nothing.
    Nothing,
    /// The threshold of each QID.
    Thresholds(Vec<u64>),
    /// The largest share of records that may be suppressed.
    Limit(Share),
    /// An attribute is not published.
    Without(String),
}

/// What would be published.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// LM, for each attribute that is masked in the release: the share of its domain that an entry can no longer be told from, from 0
    /// to 1. An attribute that is not published is lost.
    pub loss: f64,
    /// The groups of all QIDs.
    pub groups: u64,
    /// The smallest of them.
    pub smallest: u64,
    /// Suppressed records.
    pub suppressed: u64,
    /// The error that the masking forces on who predicts the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// What an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// CM: the share of records that are suppressed or not of their group's majority class.
    Classes,
    /// RM: the share of the variance of the target that is within groups.
    Numbers,
}
