//! How servers write things: names of types, blanks, numbers, and how a statement is made to fail.

use std::fmt;
use std::str::FromStr;

use crate::SqlError;

/// Whose SQL?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// PostgreSQL 12 and later; `MERGE` needs 15.
    Postgres,
    /// Spark SQL 3.4 and later; `MERGE` needs tables of a format that can be updated, as Delta and Iceberg.
    Spark,
    /// DuckDB; `MERGE` needs 1.4.
    DuckDb,
    /// SQLite 3.39 and later.
    Sqlite,
    /// BigQuery (GoogleSQL).
    BigQuery,
    /// Snowflake.
    Snowflake,
    /// SQL Server 2017 and later.
    Tsql,
    /// MySQL 8.0.19 and later.
    MySql,
}

/// What an expression gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// A text.
    Text,
    /// A number.
    Number,
}

/// The characters that Unicode calls white space: what is around a value and does not belong to it.
const BLANKS: [char; 25] = [
    '\u{9}', '\u{a}', '\u{b}', '\u{c}', '\u{d}', ' ', '\u{85}', '\u{a0}', '\u{1680}', '\u{2000}', '\u{2001}',
    '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}', '\u{2008}', '\u{2009}', '\u{200a}',
    '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}',
];

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 8] = [
        Dialect::Postgres,
        Dialect::Spark,
        Dialect::DuckDb,
        Dialect::Sqlite,
        Dialect::BigQuery,
        Dialect::Snowflake,
        Dialect::Tsql,
        Dialect::MySql,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Postgres => "postgres",
            Dialect::Spark => "spark",
            Dialect::DuckDb => "duckdb",
            Dialect::Sqlite => "sqlite",
            Dialect::BigQuery => "bigquery",
            Dialect::Snowflake => "snowflake",
            Dialect::Tsql => "tsql",
            Dialect::MySql => "mysql",
        }
    }

    /// Does a transaction take back a table or view that was created in it?
    pub(crate) fn undoes_definitions(self) -> bool {
        matches!(self, Dialect::Postgres | Dialect::DuckDb | Dialect::Sqlite | Dialect::Tsql)
    }

    pub(crate) fn begin(self) -> &'static str {
        match self {
            Dialect::Tsql => "SET XACT_ABORT ON; BEGIN TRANSACTION",
            Dialect::MySql => "START TRANSACTION",
            Dialect::BigQuery => "BEGIN TRANSACTION",
            _ => "BEGIN",
        }
    }

    pub(crate) fn commit(self) -> &'static str {
        match self {
            Dialect::Tsql | Dialect::BigQuery => "COMMIT TRANSACTION",
            _ => "COMMIT",
        }
    }

    /// The type of texts.
    pub(crate) fn text_type(self) -> &'static str {
        match self {
            Dialect::Postgres | Dialect::Sqlite => "TEXT",
            Dialect::Spark | Dialect::BigQuery => "STRING",
            Dialect::DuckDb | Dialect::Snowflake => "VARCHAR",
            Dialect::Tsql => "NVARCHAR(450)",
            Dialect::MySql => "VARCHAR(700)",
        }
    }

    /// The type of floating-point numbers with 64 bits.
    fn number_type(self) -> &'static str {
        match self {
            Dialect::Postgres => "DOUBLE PRECISION",
            Dialect::Sqlite => "REAL",
            Dialect::BigQuery => "FLOAT64",
            Dialect::Tsql => "FLOAT",
            Dialect::Spark | Dialect::DuckDb | Dialect::Snowflake | Dialect::MySql => "DOUBLE",
        }
    }

    /// A cell as text, in the server's own notation; `will_be` says what the text is read as.
    pub fn text(self, cell: &str, will_be: Gives) -> String {
        match (self, will_be) {
            // The usual style of a FLOAT has six digits. 3 writes all of them, 126 dates as others do.
            (Dialect::Tsql, Gives::Number) => format!("CONVERT(NVARCHAR(MAX), {cell}, 3)"),
            (Dialect::Tsql, Gives::Text) => format!("CONVERT(NVARCHAR(MAX), {cell}, 126)"),
            (Dialect::MySql, _) => format!("CONVERT({cell} USING utf8mb4)"),
            _ => format!("CAST({cell} AS {})", self.text_type()),
        }
    }

    /// A text without the blanks around it.
    pub(crate) fn trimmed(self, text: &str) -> String {
        match self {
            Dialect::Postgres => format!("BTRIM({text}, E'{}')", escaped_blanks()),
            Dialect::Spark => format!("TRIM(BOTH '{}' FROM {text})", escaped_blanks()),
            Dialect::Snowflake => format!("TRIM({text}, '{}')", escaped_blanks()),
            Dialect::Sqlite => format!("TRIM({text}, CHAR({}))", blank_codes(", ", |code| code)),
            Dialect::DuckDb => format!("TRIM({text}, {})", blank_codes(" || ", |code| format!("CHR({code})"))),
            Dialect::Tsql => format!("TRIM({} FROM {text})", blank_codes(" + ", |code| format!("NCHAR({code})"))),
            // Without a set of characters it takes what Unicode calls white space.
            Dialect::BigQuery => format!("TRIM({text})"),
            Dialect::MySql => format!("REGEXP_REPLACE({text}, '^[[:White_Space:]]+|[[:White_Space:]]+$', '')"),
        }
    }

    /// A text that is equal to another one only if both have the same bytes.
    pub(crate) fn exact(self, text: &str) -> String {
        match self {
            Dialect::Postgres | Dialect::DuckDb => format!("({text}) COLLATE \"C\""),
            Dialect::Sqlite => format!("({text}) COLLATE BINARY"),
            Dialect::Tsql => format!("({text}) COLLATE Latin1_General_100_BIN2"),
            Dialect::MySql => format!("({text}) COLLATE utf8mb4_bin"),
            // These compare bytes, unless a column was declared otherwise.
            Dialect::Spark | Dialect::BigQuery | Dialect::Snowflake => text.to_owned(),
        }
    }

    /// A text that is a number, as one.
    pub fn number(self, text: &str) -> String {
        format!("CAST({text} AS {})", self.number_type())
    }

    /// A cell as text that is equal to another one only if both have the same bytes.
    pub fn exact_text(self, cell: &str) -> String {
        self.exact(&self.text(cell, Gives::Text))
    }

    /// The number of a text's bytes, as servers with an engine say it.
    pub fn octets(self, text: &str) -> String {
        match self {
            Dialect::DuckDb => format!("STRLEN({text})"),
            Dialect::Sqlite => format!("LENGTH(CAST({text} AS BLOB))"),
            _ => format!("octet_length({text})"),
        }
    }

    /// The name of the natural logarithm.
    pub(crate) fn ln(self) -> &'static str {
        if self == Dialect::Tsql { "LOG" } else { "LN" }
    }

    /// Both texts, one behind the other.
    pub(crate) fn joined(self, one: &str, other: &str) -> String {
        match self {
            Dialect::Postgres | Dialect::Sqlite => format!("{one} || {other}"),
            _ => format!("CONCAT({one}, {other})"),
        }
    }

    /// The first none of a text's characters: an expression that is always empty, but that no server computes beforehand.
    pub(crate) fn nothing_of(self, text: &str) -> String {
        match self {
            Dialect::Tsql => format!("SUBSTRING({text}, 1, 0)"),
            _ => format!("SUBSTR({text}, 1, 0)"),
        }
    }

    /// An expression that makes the statement fail when it is evaluated. Where nothing does that by itself, a text that is no number
    /// is read as one: the server's message then quotes it. `message` must depend on a record, or servers evaluate it beforehand.
    pub(crate) fn fail(self, message: &str, gives: Gives) -> String {
        match self {
            Dialect::Spark => format!("RAISE_ERROR({message})"),
            Dialect::DuckDb | Dialect::BigQuery => format!("ERROR({message})"),
            Dialect::Sqlite => format!("JSON({message})"),
            Dialect::MySql => match gives {
                Gives::Text => format!("CAST(JSON_EXTRACT({message}, '$') AS CHAR)"),
                Gives::Number => format!("CAST(JSON_EXTRACT({message}, '$') AS DOUBLE)"),
            },
            Dialect::Postgres | Dialect::Snowflake | Dialect::Tsql => match gives {
                Gives::Text => format!("CAST(CAST({message} AS INTEGER) AS {})", self.text_type()),
                Gives::Number => format!("CAST({message} AS INTEGER)"),
            },
        }
    }
}

/// The blanks with the escapes that PostgreSQL, Spark and Snowflake share.
fn escaped_blanks() -> String {
    BLANKS.iter().map(|blank| format!("\\u{:04x}", u32::from(*blank))).collect()
}

fn blank_codes<T: fmt::Display>(between: &str, written: impl Fn(String) -> T) -> String {
    BLANKS.map(|blank| written(u32::from(blank).to_string()).to_string()).join(between)
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = SqlError;

    fn from_str(text: &str) -> Result<Self, SqlError> {
        let dialect = Dialect::ALL.into_iter().find(|dialect| dialect.name() == text);
        dialect.ok_or_else(|| SqlError::Dialect(text.to_owned()))
    }
}
