//! Names of tables.

use std::fmt;
use std::str::FromStr;

use crate::{Dialect, SqlError};

/// A table's name with the catalog and schema it is in, if they were said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableName {
    parts: Vec<String>,
}

impl TableName {
    /// The same name with something behind it: a table beside this one.
    pub fn with_suffix(&self, suffix: &str) -> TableName {
        let mut parts = self.parts.clone();
        if let Some(last) = parts.last_mut() {
            last.push_str(suffix);
        }
        TableName { parts }
    }

    /// The name alone, without what the table is in.
    pub fn without_schema(&self) -> TableName {
        TableName { parts: vec![self.last().to_owned()] }
    }

    /// Another table in the same schema.
    pub fn beside(&self, name: &str) -> TableName {
        let mut parts = self.parts.clone();
        parts.pop();
        parts.push(name.to_owned());
        TableName { parts }
    }

    /// The schema that the table is in, if it was said.
    pub fn within(&self) -> Option<TableName> {
        let (_, parts) = self.parts.split_last()?;
        (!parts.is_empty()).then(|| TableName { parts: parts.to_vec() })
    }

    /// Catalog, schema and name, each quoted.
    pub fn quoted(&self, dialect: Dialect) -> Result<String, SqlError> {
        let parts = self.parts.iter().map(|part| dialect.quote_name(part)).collect::<Result<Vec<_>, _>>()?;
        Ok(parts.join("."))
    }

    /// The name without what it is in.
    pub fn last(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.parts.join("."))
    }
}

impl FromStr for TableName {
    type Err = SqlError;

    /// Reads `name`, `schema.name` or `catalog.schema.name`. A part with a point in it stands in double quotes, which are doubled inside.
    fn from_str(text: &str) -> Result<Self, SqlError> {
        let refused = || SqlError::TableName(text.to_owned());
        let mut parts = vec![String::new()];
        let mut quoted = false;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '"' if quoted && characters.peek() == Some(&'"') => {
                    characters.next();
                    parts.last_mut().ok_or_else(refused)?.push('"');
                }
                '"' => quoted = !quoted,
                '.' if !quoted => parts.push(String::new()),
                other => parts.last_mut().ok_or_else(refused)?.push(other),
            }
        }
        let sound = !quoted && parts.len() <= 3 && parts.iter().all(|part| !part.is_empty());
        sound.then_some(TableName { parts }).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_quoted_each_by_itself() {
        let name = |text: &str| text.parse::<TableName>().unwrap().quoted(Dialect::Postgres).unwrap();
        assert_eq!(name("patients"), "\"patients\"");
        assert_eq!(name("care.patients"), "\"care\".\"patients\"");
        assert_eq!(name("\"a.b\".c"), "\"a.b\".\"c\"");
        assert_eq!(name("\"say \"\"x\"\"\""), "\"say \"\"x\"\"\"");
        assert_eq!("care.patients".parse::<TableName>().unwrap().with_suffix("_public").last(), "patients_public");
    }

    #[test]
    fn what_names_no_table_is_refused() {
        for text in ["", ".", "a.", ".a", "a..b", "a.b.c.d", "\"a"] {
            assert!(text.parse::<TableName>().is_err(), "{text}");
        }
    }
}
