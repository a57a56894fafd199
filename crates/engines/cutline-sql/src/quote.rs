//! Names and texts as a server reads them back, whatever characters they have.

use crate::{Dialect, SqlError};

impl Dialect {
    /// A name of a column or table, quoted. Names that the server cannot have, or would cut off, are refused.
    pub fn quote_name(self, name: &str) -> Result<String, SqlError> {
        let refuse = |problem| Err(SqlError::Name { name: name.escape_debug().to_string(), problem });
        if name.is_empty() {
            return refuse("it is empty");
        }
        if name.contains('\0') {
            return refuse("it has a NUL character, which no server can write");
        }
        if self.too_long(name) {
            return refuse("it is longer than the server's names, which would be cut off");
        }
        // BigQuery reads a point between backticks as the end of a part, and has no names with these characters.
        let forbidden = |character: char| "!\"$()*,./;?@[\\]^`{}~".contains(character) || character.is_control();
        if self == Dialect::BigQuery && name.contains(forbidden) {
            return refuse("it has a character that names in BigQuery cannot have");
        }
        Ok(match self {
            Dialect::Postgres | Dialect::DuckDb | Dialect::Sqlite | Dialect::Snowflake => {
                format!("\"{}\"", name.replace('"', "\"\""))
            }
            Dialect::Spark | Dialect::MySql | Dialect::BigQuery => format!("`{}`", name.replace('`', "``")),
            Dialect::Tsql => format!("[{}]", name.replace(']', "]]")),
        })
    }

    fn too_long(self, name: &str) -> bool {
        match self {
            Dialect::Postgres => name.len() > 63,
            Dialect::MySql => name.chars().count() > 64,
            Dialect::Tsql => name.encode_utf16().count() > 128,
            Dialect::Snowflake => name.chars().count() > 255,
            Dialect::Spark | Dialect::DuckDb | Dialect::Sqlite | Dialect::BigQuery => false,
        }
    }

    /// A text as a literal. It reads back as the same text whatever the session's settings are, where the dialect allows that.
    pub fn quote_text(self, text: &str) -> Result<String, SqlError> {
        if text.contains('\0') {
            return Err(SqlError::Nul);
        }
        let doubled = text.replace('\'', "''");
        Ok(match self {
            Dialect::DuckDb | Dialect::Sqlite => format!("'{doubled}'"),
            // Whether a backslash is an escape in plain literals depends on `standard_conforming_strings`; here it always is.
            Dialect::Postgres if text.contains('\\') => format!("E'{}'", doubled.replace('\\', "\\\\")),
            Dialect::Postgres => format!("'{doubled}'"),
            Dialect::Snowflake => format!("'{}'", doubled.replace('\\', "\\\\")),
            // Whether a backslash is an escape depends on `NO_BACKSLASH_ESCAPES`; in digits there is none.
            Dialect::MySql if text.contains('\\') => format!("CONVERT(X'{}' USING utf8mb4)", hexadecimal(text)),
            Dialect::MySql => format!("'{doubled}'"),
            Dialect::Spark => format!("'{}'", spark(text)),
            Dialect::BigQuery => format!("'{}'", bigquery(text)),
            Dialect::Tsql => tsql(&doubled),
        })
    }
}

/// Two quotes are the end of a literal and the start of another one for Spark, and `${…}` is replaced before it reads a statement, even in a
/// literal: what could be taken for one of these has its number.
fn spark(text: &str) -> String {
    text.replace('\\', "\\u005c").replace('\'', "\\u0027").replace('$', "\\u0024")
}

/// A literal ends with its line.
fn bigquery(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r")
}

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

/// Clients cut a script at a line `GO` even inside a literal, the server takes a backslash before a line's end away, and clients replace
/// `$(…)`: a literal has no line's end and no `$(`.
fn tsql(doubled: &str) -> String {
    let mut literal = format!("N'{doubled}'");
    for (apart, code) in [('\n', 10), ('\r', 13)] {
        literal = literal.replace(apart, &format!("' + NCHAR({code}) + N'"));
    }
    literal = literal.replace("$(", "$' + N'(");
    if literal.contains("' + N") { format!("({literal})") } else { literal }
}
