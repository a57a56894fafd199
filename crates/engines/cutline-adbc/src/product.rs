//! Which database is it, and what do only its statements say?

use cutline_remote::{MARK, ServerError};
use cutline_sql::{Dialect, SqlError, TableName};

/// A database whose statements are tried in the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Product {
    DuckDb,
    Sqlite,
}

impl Product {
    /// By the name that its driver tells.
    pub(crate) fn named(vendor: &str) -> Option<Self> {
        match vendor.to_ascii_lowercase().as_str() {
            "duckdb" => Some(Product::DuckDb),
            "sqlite" => Some(Product::Sqlite),
            _ => None,
        }
    }

    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Product::DuckDb => Dialect::DuckDb,
            Product::Sqlite => Dialect::Sqlite,
        }
    }

    /// What is said before the transaction begins.
    pub(crate) fn setting(self) -> Option<&'static str> {
        match self {
            Product::DuckDb => None,
            // Milliseconds. Without it, nobody waits for others at all.
            Product::Sqlite => Some("PRAGMA busy_timeout = 5000"),
        }
    }

    /// An option of statements that give rows. SQLite's values have types, its columns have none: the driver takes a column's from as many
    /// rows as it hands over at once, and fails if a later one has another. So it hands over all rows at once.
    pub(crate) fn option(self) -> Option<(&'static str, &'static str)> {
        match self {
            Product::DuckDb => None,
            Product::Sqlite => Some(("adbc.sqlite.query.batch_rows", "2000000000")),
        }
    }

    /// A number that follows from a seed and the place of a record among those that are read.
    ///
    /// SQLite has no hash, and products of large numbers become inexact: the fifth power modulo the prime 2³¹ − 1 is a permutation (5 does not
    /// divide the prime less one), and no product is above 2⁶³.
    pub(crate) fn random(self, seed: u64) -> String {
        const PRIME: u64 = (1 << 31) - 1;
        let place = "row_number() OVER ()";
        match self {
            Product::DuckDb => format!("hash({place}, {seed})"),
            Product::Sqlite => {
                let (times, plus) = (1 + seed % (PRIME - 1), (seed >> 31) % PRIME);
                let one = format!("((({place}) % {PRIME} * {times} + {plus}) % {PRIME})");
                let two = format!("({one} * {one} % {PRIME})");
                format!("({two} * {two} % {PRIME} * {one} % {PRIME})")
            }
        }
    }

    /// A random order: rows lie in the order in which they are written, and it must not be that of the raw table.
    fn shuffled(self) -> &'static str {
        match self {
            Product::DuckDb => "gen_random_uuid()",
            Product::Sqlite => "random()",
        }
    }

    /// Statements that make a table of the rows of a query, which says of itself that it is ours. `columns` are their names and types.
    pub(crate) fn create(self, table: &str, columns: &[String], query: &str) -> Result<[String; 2], ServerError> {
        let query = format!("{query} ORDER BY {}", self.shuffled());
        Ok(match self {
            Product::DuckDb => {
                let mark = self.dialect().quote_text(MARK)?;
                [format!("CREATE TABLE {table} AS {query}"), format!("COMMENT ON TABLE {table} IS {mark}")]
            }
            // There are no comments on tables, but a definition is kept as it was written.
            Product::Sqlite => [
                format!("CREATE TABLE {table} ({} /* {MARK} */)", columns.join(", ")),
                format!("INSERT INTO {table} {query}"),
            ],
        })
    }

    /// A query for what a table or view says of itself; no row if there is none. Names in other letters are the same.
    pub(crate) fn told(self, table: &TableName) -> Result<String, SqlError> {
        let dialect = self.dialect();
        let name = dialect.quote_text(table.last())?;
        let schema = table.within();
        if self == Product::Sqlite {
            let schema = schema.map_or(Ok("main".to_owned()), |schema| schema.quoted(dialect))?;
            return Ok(format!("SELECT sql FROM {schema}.sqlite_master WHERE name = {name} COLLATE NOCASE"));
        }
        let text = |name: Option<&TableName>| name.map(|name| dialect.quote_text(name.last())).transpose();
        let (inner, outer) = (text(schema.as_ref())?, text(schema.and_then(|schema| schema.within()).as_ref())?);
        let is = |column: &str, name: &str| format!("lower({column}) = lower({name})");
        let place = match (inner, outer) {
            (Some(schema), Some(database)) => {
                format!("{} AND {}", is("schema_name", &schema), is("database_name", &database))
            }
            // One name before the table's may be that of a schema or of a database.
            (Some(name), None) => format!("({} OR {})", is("schema_name", &name), is("database_name", &name)),
            _ => "schema_name = current_schema() AND database_name = current_database()".to_owned(),
        };
        let list = |kind: &str| {
            format!("SELECT comment FROM duckdb_{kind}s() WHERE {} AND {place}", is(&format!("{kind}_name"), &name))
        };
        Ok(format!("{} UNION ALL {}", list("table"), list("view")))
    }
}
