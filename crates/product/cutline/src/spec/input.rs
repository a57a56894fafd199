//! Where the records are and how they are read.

use cutline_engine::InputFormat;
use cutline_settings::{Reach, Setting, Shape, Wrong, choices};
use serde::{Deserialize, Serialize};

use super::format::{self, INPUT_FORMATS};
use super::names;

/// Where the records are and how they are read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A file, a folder or a pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The table of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// A query of a database, in place of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Texts that stand for a missing value, beside the empty one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub null: Vec<String>,
    /// The format, where the extension does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "format::input")]
    pub format: Option<InputFormat>,
    /// The character between fields of a CSV file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Has a CSV file a header line?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// Names of the columns of a file without a header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// How the characters of a text file are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// What stands before the decimals of numbers in a CSV file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// What stands between the thousands of numbers in a CSV file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thousands: Option<char>,
    /// The sheet of a spreadsheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// What to do with missing values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<IfMissing>,
    /// What to do with values that a taxonomy does not contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<IfUnknown>,
}

choices! {
    /// What to do with missing values.
    #[derive(Default)]
    pub enum IfMissing {
        /// Are values like others
        #[default]
        Value = "value",
        /// Leave out records that lack a quasi value or the target
        Drop = "drop",
        /// Leave out records that lack any published value
        Complete = "complete",
        /// Refuse the table
        Error = "error",
    }
}

choices! {
    /// What to do with values that a taxonomy does not contain.
    #[derive(Default)]
    pub enum IfUnknown {
        /// Refuse the table
        #[default]
        Error = "error",
        /// Attach them to the root
        Root = "root",
    }
}

/// How a table is read.
pub(super) const SETTINGS: &[Setting<Input>] = &[
    Setting {
        name: "path",
        key: "path",
        shape: Shape::Text,
        help: "The table: a file, a folder or a pattern",
        doc: "A path in a spec is relative to the spec's folder. The command takes it as its argument.",
        example: "patients.csv",
        reach: Reach::Spec,
        set: |input, value| value.put(&mut input.path),
        ..Setting::BLANK
    },
    Setting {
        name: "table",
        key: "table",
        shape: Shape::Text,
        help: "The table of a database, as in patients or care.patients",
        doc: "The path is then that of the database, as in postgresql://user@host/database or adbc:sqlite:care.db. A name with a point in it stands in double quotes.",
        example: "care.patients",
        set: |input, value| value.put(&mut input.table),
        ..Setting::BLANK
    },
    Setting {
        name: "query",
        key: "query",
        shape: Shape::Text,
        help: "A query of a database, whose result is read in place of a table",
        doc: "One statement that only reads. Its columns must have names of their own.",
        example: "select age, sex, diagnosis from visits",
        set: |input, value| value.put(&mut input.query),
        ..Setting::BLANK
    },
    Setting {
        name: "null",
        key: "null",
        shape: Shape::Texts,
        help: "Text that stands for a missing value, beside the empty one; repeat for several",
        doc: "Such values are missing in every column. Whether that is a value like others says ‹missing›.",
        example: "?",
        set: |input, value| {
            input.null = value.texts()?;
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "input-format",
        key: "format",
        shape: Shape::Choice(INPUT_FORMATS),
        placeholder: "FORMAT",
        default: "what the extension tells",
        help: "Format of the input, where its extension does not tell",
        doc: "`.gz`, `.zst`, `.xz` and `.bz2` are looked through. What comes through a pipe has no extension: of that it must be said.",
        example: "csv",
        set: |input, value| value.put(&mut input.format),
        ..Setting::BLANK
    },
    Setting {
        name: "delimiter",
        key: "delimiter",
        shape: Shape::Character,
        default: "guessed from the first lines",
        help: "Character between the fields of a CSV file",
        doc: "`tab` and `\\t` are the tab.",
        example: "tab",
        set: |input, value| {
            input.delimiter = Some(delimiter(&value.text()?)?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "no-header",
        key: "header",
        shape: Shape::Flag,
        default: "not said",
        help: "The CSV file has no header line; columns are named column1, column2 and so on",
        doc: "In a spec this is said the other way round: `header = false`. ‹columns› gives better names.",
        set: |input, value| {
            input.header = Some(!value.said()?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "columns",
        key: "columns",
        shape: Shape::Names,
        default: "column1, column2, …",
        help: "Names of the columns of a file without a header, separated by commas",
        doc: "As many as the file has columns. A name with a comma in it stands in double quotes. A first line of values is a record, one with \
              these very names a header, also if some of them have numbers to tell them apart there (`name`, `name_2`); if it could be either, \
              ‹no-header› must be said. `header = true` beside it in a spec renames columns.",
        example: "age,sex,zip",
        set: |input, value| {
            input.columns = Some(names(value)?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "encoding",
        key: "encoding",
        shape: Shape::Text,
        default: "utf-8, or what a byte order mark says",
        help: "How the characters of a CSV or JSON lines file are stored, as in windows-1252",
        doc: "A name of the Encoding Standard: `utf-16le`, `windows-1252`, `iso-8859-15`, `shift_jis` and so on; `latin1` is Windows-1252 there. \
              UTF-8 and UTF-16 are known by their byte order mark, which wins over what is said. Bytes that are no such text are an error. \
              What is published is UTF-8.",
        example: "windows-1252",
        set: |input, value| value.put(&mut input.encoding),
        ..Setting::BLANK
    },
    Setting {
        name: "decimal",
        key: "decimal",
        shape: Shape::Character,
        default: "a point",
        help: "Character before the decimals of numbers in a CSV file, as the comma in 2,5",
        doc: "Every number is then read so, and written with a point in labels; columns that are published as they are keep their text. A \
              column that has numbers with a decimal point beside such ones is an error.",
        example: ",",
        set: |input, value| {
            input.decimal = Some(character(&value.text()?)?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "thousands",
        key: "thousands",
        shape: Shape::Character,
        default: "nothing",
        help: "Character between the thousands of numbers in a CSV file, as the point in 1.234,5",
        doc: "`space` is the blank. Only groups of three digits are read so.",
        example: ".",
        set: |input, value| {
            input.thousands = Some(character(&value.text()?)?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "sheet",
        key: "sheet",
        shape: Shape::Text,
        default: "the only one that is not empty",
        help: "Sheet of an Excel or OpenDocument file",
        doc: "By its name. The first row has the names of the columns, unless ‹no-header› is said.",
        example: "Patients",
        set: |input, value| value.put(&mut input.sheet),
        ..Setting::BLANK
    },
];

/// What becomes of values that are none.
pub(super) const VALUES: &[Setting<Input>] = &[
    Setting {
        name: "missing",
        key: "missing",
        shape: Shape::Choice(IfMissing::CHOICES),
        placeholder: "HOW",
        default: "value",
        help: "Missing values",
        doc: "As values like others they have a leaf of their own directly below the root of a taxonomy, and are told apart from the \
              full range of a continuous attribute. The papers drop such records.",
        example: "drop",
        set: |input, value| value.put(&mut input.missing),
        ..Setting::BLANK
    },
    Setting {
        name: "unknown",
        key: "unknown",
        shape: Shape::Choice(IfUnknown::CHOICES),
        placeholder: "HOW",
        default: "error",
        help: "Values that a taxonomy does not contain",
        doc: "The message of a refusal names the value and the nearest leaf, so that it can be added to the taxonomy.",
        example: "root",
        set: |input, value| value.put(&mut input.unknown),
        ..Setting::BLANK
    },
];

/// One character; `space` is the blank.
fn character(text: &str) -> Result<char, Wrong> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("space", ..) => Ok(' '),
        (_, Some(character), None) => Ok(character),
        _ => Err(Wrong::new("this is one character, or `space`")),
    }
}

/// A delimiter is one character; `\t` and `tab` are the tab.
fn delimiter(text: &str) -> Result<char, Wrong> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        (_, Some(character), None) => Ok(character),
        _ => Err(Wrong::new("a delimiter is one character, or `tab`")),
    }
}
