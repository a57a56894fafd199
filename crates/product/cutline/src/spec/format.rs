//! File formats by their names.

use cutline_engine::Format;
use cutline_settings::Choice;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The names, and what they stand for.
pub(super) const FORMATS: &[Choice] = &[
    Choice { name: "csv", help: "Text, a record a line" },
    Choice { name: "parquet", help: "Apache Parquet" },
    Choice { name: "arrow", help: "Apache Arrow IPC, also known as Feather" },
    Choice { name: "jsonl", help: "A JSON object a line" },
];

/// A format is written as the extension of its files.
pub(super) fn serialize<S: Serializer>(format: &Option<Format>, serializer: S) -> Result<S::Ok, S::Error> {
    format.map(Format::extension).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Format>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(serde::de::Error::custom)
}
