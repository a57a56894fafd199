//! Tables of values and their labels, for attributes with many values.

use crate::{Dialect, SqlError};

/// A value and its label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub(crate) value: String,
    pub(crate) label: String,
}

/// The labels of an attribute's values. Other values have none of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mapping {
    pub(crate) pairs: Vec<Pair>,
}

/// Where a statement finds the labels of an attribute with many values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// In the statement itself: a view cannot lean on a temporary table.
    Inside,
    /// In a temporary table that is made before.
    Temporary,
}

/// The most rows of an INSERT: SQL Server takes no more, and others are slow to read longer ones.
const ROWS: usize = 1000;

impl Mapping {
    /// The name of the table of the column with this number.
    pub(crate) fn name(dialect: Dialect, number: usize) -> String {
        let local = if dialect == Dialect::Tsql { "#" } else { "" };
        format!("{local}cutline_labels_{number}")
    }

    /// A query that gives the pairs.
    pub(crate) fn query(&self, dialect: Dialect) -> Result<String, SqlError> {
        let row = if dialect == Dialect::MySql { "ROW" } else { "" };
        let rows = rows(dialect, &self.pairs, row)?;
        let select = "SELECT cutline_value, cutline_label FROM";
        let named = |one: &str, other: &str| format!("SELECT {one} AS cutline_value, {other} AS cutline_label FROM");
        Ok(match dialect {
            Dialect::Postgres | Dialect::DuckDb | Dialect::Spark | Dialect::Tsql => {
                format!("{select} (VALUES {rows}) AS v(cutline_value, cutline_label)")
            }
            Dialect::Sqlite | Dialect::Snowflake => format!("{} (VALUES {rows})", named("column1", "column2")),
            Dialect::MySql => format!("{} (VALUES {rows}) AS v", named("column_0", "column_1")),
            Dialect::BigQuery => format!("{select} UNNEST([{}])", structs(&self.pairs)?),
        })
    }

    /// The statements that make the table.
    pub(crate) fn create(&self, dialect: Dialect, number: usize) -> Result<Vec<String>, SqlError> {
        let name = Mapping::name(dialect, number);
        if dialect == Dialect::Spark {
            return Ok(vec![format!("CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{}", self.query(dialect)?)]);
        }
        let collation = match dialect {
            Dialect::Tsql => " COLLATE Latin1_General_100_BIN2",
            Dialect::MySql => " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            _ => "",
        };
        let create = match dialect {
            Dialect::Tsql => "CREATE TABLE",
            Dialect::MySql | Dialect::Snowflake => "CREATE TEMPORARY TABLE",
            _ => "CREATE TEMP TABLE",
        };
        let key = if matches!(dialect, Dialect::BigQuery) { "" } else { " PRIMARY KEY" };
        let kind = dialect.text_type();
        let column = format!("{kind}{collation} NOT NULL");
        let columns = format!("cutline_value {column}{key}, cutline_label {column}");
        let mut statements = vec![format!("{create} {name} ({columns})")];
        for pairs in self.pairs.chunks(ROWS) {
            let rows = rows(dialect, pairs, "")?;
            statements.push(format!("INSERT INTO {name} (cutline_value, cutline_label) VALUES {rows}"));
        }
        Ok(statements)
    }

    /// The statement that removes it.
    pub(crate) fn drop(dialect: Dialect, number: usize) -> String {
        let kind = if dialect == Dialect::Spark { "VIEW" } else { "TABLE" };
        format!("DROP {kind} {}", Mapping::name(dialect, number))
    }
}

/// The pairs in parentheses, each with `row` in front.
fn rows(dialect: Dialect, pairs: &[Pair], row: &str) -> Result<String, SqlError> {
    let rows = pairs.iter().map(|pair| {
        let (value, label) = (dialect.quote_text(&pair.value)?, dialect.quote_text(&pair.label)?);
        Ok(format!("{row}({value}, {label})"))
    });
    Ok(rows.collect::<Result<Vec<_>, SqlError>>()?.join(", "))
}

fn structs(pairs: &[Pair]) -> Result<String, SqlError> {
    let pairs = pairs.iter().map(|pair| {
        let quote = |text: &str| Dialect::BigQuery.quote_text(text);
        Ok(format!("STRUCT({} AS cutline_value, {} AS cutline_label)", quote(&pair.value)?, quote(&pair.label)?))
    });
    Ok(pairs.collect::<Result<Vec<_>, SqlError>>()?.join(", "))
}
