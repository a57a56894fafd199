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

/// The formats that are read.
pub(super) const INPUT_FORMATS: &[Choice] = &[
    FORMATS[0],
    FORMATS[1],
    FORMATS[2],
    FORMATS[3],
    Choice { name: "xlsx", help: "A sheet of an Excel file" },
    Choice { name: "ods", help: "A sheet of an OpenDocument spreadsheet" },
    Choice { name: "arff", help: "Attribute-relation file format, as Weka writes it" },
];

/// A format is written as the extension of its files.
pub(super) fn serialize<S: Serializer>(format: &Option<Format>, serializer: S) -> Result<S::Ok, S::Error> {
    format.map(Format::extension).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Format>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(serde::de::Error::custom)
}

/// The same for formats that are read.
pub(super) mod input {
    use cutline_engine::InputFormat;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::spec) fn serialize<S: Serializer>(
        format: &Option<InputFormat>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        format.map(InputFormat::extension).serialize(serializer)
    }

    pub(in crate::spec) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<InputFormat>, D::Error> {
        String::deserialize(deserializer)?.parse().map(Some).map_err(serde::de::Error::custom)
    }
}
