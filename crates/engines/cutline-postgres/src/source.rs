//! What is to be read, and what are its columns?

use cutline_engine::{CellKind, Column, EngineError, Unwatched};
use cutline_remote::{ALIAS, Opened, ServerColumn, ServerError};
use cutline_sql::{Dialect, TableName};

use crate::session::Session;

/// What is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A table or view.
    Table(TableName),
    /// The result of a query.
    Query(String),
}

/// The temporary view that stands for a query.
const VIEW: &str = "pg_temp.cutline_source";

/// What only this server knows of a table.
#[derive(Clone, Debug)]
pub(crate) struct Details {
    /// In the order of the table's columns.
    pub(crate) columns: Vec<ColumnDetails>,
    /// Checks that look at one column alone: the column's number among those of the table, and its definition.
    pub(crate) checks: Vec<(usize, String)>,
    /// Are these records of one table that lie where they lie as long as the snapshot lasts?
    settled: bool,
}

/// What only this server knows of a column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnDetails {
    name: String,
    /// Has it whole numbers, whose equality is that of their texts?
    whole: bool,
    /// Is its type one of the server's own? What others say may change at any time: values of an enumeration can be renamed.
    built_in: bool,
    pub(crate) not_null: bool,
    pub(crate) comment: Option<String>,
}

impl Details {
    /// Has a column whole numbers?
    pub(crate) fn is_whole(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.whole && column.name == name)
    }

    /// Are the records settled: as long as the snapshot lasts, in the same places?
    pub(crate) fn are_settled(&self) -> bool {
        self.settled
    }

    /// Does a column have the same cells as long as the snapshot lasts?
    pub(crate) fn is_settled(&self, name: &str) -> bool {
        self.settled && self.columns.iter().any(|column| column.built_in && column.name == name)
    }
}

const COLUMNS: &str = "SELECT a.attname::text, coalesce(b.typname, t.typname)::text, coalesce(b.typcategory, t.typcategory)::text, a.attnotnull, \
    col_description(a.attrelid, a.attnum), \
    a.atttypid::bigint < 16384 \
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON b.oid = t.typbasetype AND t.typbasetype <> 0 \
  WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

const CHECKS: &str = "SELECT a.attname::text, pg_get_constraintdef(c.oid) FROM pg_constraint c \
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] \
  WHERE c.conrelid = $1::text::regclass AND c.contype = 'c' AND cardinality(c.conkey) = 1 ORDER BY c.conname";

/// The number of records, and whether they are settled: a view or a policy may show others each time, a part of the table may be foreign.
const RECORDS: &str = "SELECT greatest(reltuples, 0)::bigint, relkind IN ('r', 'm') AND NOT relhassubclass AND NOT relrowsecurity \
  FROM pg_class WHERE oid = $1::text::regclass";

impl Source {
    /// A name for messages.
    fn name(&self) -> String {
        match self {
            Source::Table(name) => name.to_string(),
            Source::Query(_) => "the query".to_owned(),
        }
    }

    /// Takes the snapshot, keeps others from changing the table's columns, and looks at these.
    pub(crate) fn open(&self, session: &Session) -> Result<(Opened, Details), EngineError> {
        const DOING: &str = "looking at the table";
        let relation = match self {
            Source::Table(name) => name.quoted(Dialect::Postgres).map_err(ServerError::from)?,
            Source::Query(query) => {
                // The extended protocol takes one statement: a query cannot end the transaction.
                let view = format!("CREATE TEMPORARY VIEW cutline_source AS {}", query.trim().trim_end_matches(';'));
                session.execute(DOING, &Unwatched, &view, &[])?;
                VIEW.to_owned()
            }
        };
        session.batch(DOING, &Unwatched, &format!("SELECT 1 FROM {relation} LIMIT 0"))?;
        let rows = session.query(DOING, &Unwatched, COLUMNS, &[&relation])?;
        let columns = rows.iter().map(server_column).collect::<Result<Vec<_>, ServerError>>()?;
        let (columns, details): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let found = session.query(DOING, &Unwatched, RECORDS, &[&relation])?;
        let found = found.first().ok_or(ServerError::Answer { doing: DOING, problem: "there is no such table" })?;
        let (records, settled) = (found.get::<_, i64>(0).unsigned_abs(), found.get(1));
        let checks = session.query(DOING, &Unwatched, CHECKS, &[&relation])?;
        let place = |name: &str| details.iter().position(|column: &ColumnDetails| column.name == name);
        let checks = checks.iter().filter_map(|row| Some((place(row.get(0))?, row.get(1)))).collect();
        Ok((Opened { name: self.name(), relation, columns, records }, Details { columns: details, checks, settled }))
    }
}

fn server_column(row: &postgres::Row) -> Result<(ServerColumn, ColumnDetails), ServerError> {
    let (name, kind, category): (String, String, String) = (row.get(0), row.get(1), row.get(2));
    let whole = ["int2", "int4", "int8"].contains(&kind.as_str());
    let quoted = Dialect::Postgres.quote_name(&name)?;
    // Whole numbers as they are, everything else by the bytes of its text, whatever the collation.
    let cell = match whole {
        true => format!("{ALIAS}.{quoted}"),
        false => format!("(({ALIAS}.{quoted})::text COLLATE \"C\")"),
    };
    let column = Column { name: name.clone(), cells: cells(&kind, &category) };
    let details = ColumnDetails { name, whole, not_null: row.get(3), comment: row.get(4), built_in: row.get(5) };
    Ok((ServerColumn { column, quoted, cell }, details))
}

/// What the cells are, by the name of their type and its category in the catalog.
fn cells(kind: &str, category: &str) -> CellKind {
    match (kind, category) {
        ("int2" | "int4" | "int8", _) => CellKind::Integer,
        ("float4" | "float8" | "numeric", _) => CellKind::Number,
        ("date", _) => CellKind::Date,
        ("bytea", _) => CellKind::Binary,
        ("json" | "jsonb" | "xml" | "tsvector", _) => CellKind::Nested,
        (_, "B") => CellKind::Boolean,
        (_, "D") => CellKind::Time,
        (_, "A" | "C" | "G" | "P") => CellKind::Nested,
        _ => CellKind::Text,
    }
}
