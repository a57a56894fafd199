//! What to write.

use std::path::PathBuf;

use cutline_engine::Format;
use cutline_settings::{Setting, Shape};
use serde::{Deserialize, Serialize};

use super::format::{self, FORMATS};

/// What to write.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputSpec {
    /// The format of the published table; by default the input's own, and CSV for JSON lines.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "format")]
    pub format: Option<Format>,
    /// The table to publish, in the database of the records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// Write interval bounds that are no values of records, as far as that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_bounds: Option<bool>,
    /// Publish the records in a random order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shuffle: Option<bool>,
    /// The file with the key of that order, if the release is to be made again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shuffle_key: Option<PathBuf>,
    /// The file with the key of tokens, if they are to be the same in every release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_key: Option<PathBuf>,
    /// Are warnings errors?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// Look at what the published columns tell together, beside whether they name persons?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<bool>,
    /// May records be drawn to be looked at?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<bool>,
    /// Tell in the report what the masking cost a model that predicts the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate: Option<bool>,
    /// Tell in the report what other requirements would come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what_if: Option<bool>,
}

/// What is written.
pub(super) const SETTINGS: &[Setting<OutputSpec>] = &[
    Setting {
        name: "format",
        key: "format",
        shape: Shape::Choice(FORMATS),
        placeholder: "FORMAT",
        default: "that of the input, csv for jsonl",
        help: "Format of the published table",
        doc: "The table is `table.csv`, `table.parquet` and so on.",
        example: "parquet",
        set: |output, value| value.put(&mut output.format),
        ..Setting::BLANK
    },
    Setting {
        name: "into",
        key: "into",
        shape: Shape::Text,
        help: "The table to publish, in the database of the records",
        doc: "It appears complete and verified, or not at all. ‹output› gets the recoding and the reports, and no table. Who may read it is up to \
              its owner: grants, keys and indexes are not copied.",
        example: "patients_public",
        set: |output, value| value.put(&mut output.into),
        ..Setting::BLANK
    },
    Setting {
        name: "round-bounds",
        key: "round_bounds",
        shape: Shape::Flag,
        default: "not said",
        help: "Write interval bounds that are no values of records, where their decimals leave room",
        doc: "A bound is otherwise the value of a record: `[37-99]` tells that somebody has 37. A rounded one is the shortest number \
              strictly between two neighbouring values.",
        set: |output, value| value.flag(&mut output.round_bounds),
        ..Setting::BLANK
    },
    Setting {
        name: "shuffle",
        key: "shuffle",
        shape: Shape::Flag,
        default: "not said",
        help: "Publish the records in a random order, so that their positions tell nothing",
        doc: "A table in the order of a dropped identifier tells who is who by position. Every order is as likely as any other; it follows \
              from a new random key, which is kept in `private/shuffle.key`: with ‹shuffle-key› the same release can be made again. Memory is bounded: records are put aside on disk, beside the release, in \
              up to 256 buckets of about 64 MiB of the input, which are shuffled one by one.",
        set: |output, value| value.flag(&mut output.shuffle),
        ..Setting::BLANK
    },
    Setting {
        name: "shuffle-key",
        key: "shuffle_key",
        shape: Shape::Text,
        placeholder: "FILE",
        default: "a new one",
        help: "Publish the records in the random order of this key: the private/shuffle.key of a release that is to be made again",
        doc: "The same table, settings and key give the same bytes; another table has another order under the same key. Whoever has the key \
              and the published table knows the order of the raw one: it is never published. A path in a spec is relative to the spec's \
              folder.",
        example: "release/private/shuffle.key",
        set: |output, value| {
            output.shuffle_key = Some(value.text()?.into());
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "token-key",
        key: "token_key",
        shape: Shape::Text,
        placeholder: "FILE",
        default: "a new one, which nobody keeps",
        help: "Make the tokens of tokenized columns with this key, so that a person has the same one in other releases and tables",
        doc: "HMAC-SHA-256 of the value. `cutline key new FILE` makes a key; nobody but its owner may have a right to the file. Whoever has \
              it can try out whose token is whose, and whoever has several releases can link their records by tokens: see \
              [the same token again](how-to/tokens.md). A path in a spec is relative to the spec's folder.",
        example: "tokens.key",
        set: |output, value| {
            output.token_key = Some(value.text()?.into());
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "strict",
        key: "strict",
        shape: Shape::Flag,
        default: "not said",
        help: "Publish nothing if there is a warning",
        doc: "What single columns tell of masked ones or of persons, sensitive values that become certain, and k = 1. To accept what is \
              said of a column, name it with ‹keep›.",
        set: |output, value| value.flag(&mut output.strict),
        ..Setting::BLANK
    },
    Setting {
        name: "no-screen",
        key: "screen",
        shape: Shape::Flag,
        default: "not said",
        help: "Only look whether columns name persons, not what else they tell",
        doc: "The screen reads the table once more. Without it 100,000 records are drawn, and what columns tell of masked ones or together \
              with a QID is not found. In a spec this is said the other way round: `screen = false`.",
        set: |output, value| {
            output.screen = Some(!value.said()?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "no-sample",
        key: "sample",
        shape: Shape::Flag,
        default: "not said",
        help: "Draw no records of the table: only counts leave where they are",
        doc: "For tables of servers. Whether a column names persons is then told by its name and by how many different values it has, and what \
              columns tell of masked ones is not found. Clusters and ‹evaluate› need drawn records. In a spec this is said the other way \
              round: `sample = false`.",
        set: |output, value| {
            output.sample = Some(!value.said()?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "evaluate",
        key: "evaluate",
        shape: Shape::Flag,
        default: "not said",
        help: "Tell in the report what masking cost models that predict the target (learned from two thirds of the records, tested on \
               the others; of more than 100,000 records, so many are drawn)",
        doc: "C4.5 and Naive Bayes for classes, regression for numbers: on the raw table, on the masked one, and on the raw one without \
              the masked attributes.",
        set: |output, value| value.flag(&mut output.evaluate),
        ..Setting::BLANK
    },
    Setting {
        name: "what-if",
        key: "what_if",
        shape: Shape::Flag,
        default: "not said",
        help: "Tell what other requirements would come to: other k, a budget, without each QID attribute (for you alone)",
        doc: "The search is repeated on what was counted, without reading the table again, and told on the console and in the private \
              report: loss, groups, suppressed records and, with a target, how many records are not of their group's majority class.",
        set: |output, value| value.flag(&mut output.what_if),
        ..Setting::BLANK
    },
];
