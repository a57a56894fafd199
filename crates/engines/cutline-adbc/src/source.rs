//! What is read, and what are its cells?

use arrow_schema::Schema;
use cutline_arrow::kind_of;
use cutline_engine::{CellKind, Column, EngineError, Unwatched};
use cutline_remote::batches::texts;
use cutline_remote::{ALIAS, Opened, ServerColumn, ServerError};
use cutline_sql::TableName;

use crate::product::Product;
use crate::session::Session;

/// What is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A table or view.
    Table(TableName),
    /// The result of a query.
    Query(String),
}

const LOOKING: &str = "looking at the table";

/// The columns of a table, as a database has them.
pub(crate) struct Columns {
    pub(crate) columns: Vec<ServerColumn>,
    /// The type that a column gets that is published as it is; empty where values keep their own.
    pub(crate) types: Vec<&'static str>,
    records: u64,
}

impl Source {
    pub(crate) fn open(&self, session: &Session) -> Result<(Opened, Vec<&'static str>), EngineError> {
        let (name, relation) = match self {
            Source::Table(name) => {
                (name.to_string(), name.quoted(session.product().dialect()).map_err(ServerError::from)?)
            }
            // A comment may end the query: the bracket stands on a line of its own.
            Source::Query(query) => ("the query".to_owned(), format!("({}\n)", query.trim().trim_end_matches(';'))),
        };
        let Columns { columns, types, records } = Columns::of(session, &relation)?;
        Ok((Opened { name, relation, columns, records }, types))
    }
}

impl Columns {
    pub(crate) fn of(session: &Session, relation: &str) -> Result<Self, EngineError> {
        let all = format!("SELECT * FROM {relation} AS {ALIAS} LIMIT 0");
        let schema = session.query(LOOKING, &Unwatched, &all, |_| Ok(()))?;
        let product = session.product();
        let quoted = schema.fields().iter().map(|field| product.dialect().quote_name(field.name()));
        let quoted = quoted.collect::<Result<Vec<_>, _>>().map_err(ServerError::from)?;
        let asked = match product {
            Product::DuckDb => String::new(),
            Product::Sqlite => quoted.iter().map(|quoted| classes(&format!("{ALIAS}.{quoted}"))).collect(),
        };
        let asked = format!("SELECT count(*) AS n{asked} FROM {relation} AS {ALIAS}");
        let mut row = Vec::new();
        session.query(LOOKING, &Unwatched, &asked, |batch| {
            row = texts(batch)?.pop().unwrap_or_default();
            Ok(())
        })?;
        let number = |place: usize| row.get(place).and_then(|text| text.as_deref()?.parse::<u64>().ok());
        let records = number(0).ok_or(ServerError::Answer { doing: LOOKING, problem: "a count is missing" })?;
        let (kinds, types): (Vec<CellKind>, Vec<&'static str>) = match product {
            Product::DuckDb => (schema.fields().iter().map(|field| kind_of(field.data_type())).collect(), Vec::new()),
            Product::Sqlite => {
                (0..quoted.len()).map(|column| stored(number(2 * column + 1), number(2 * column + 2))).unzip()
            }
        };
        let columns = columns(product, &schema, quoted, kinds);
        Ok(Columns { columns, types, records })
    }
}

fn columns(product: Product, schema: &Schema, quoted: Vec<String>, kinds: Vec<CellKind>) -> Vec<ServerColumn> {
    let column = |((name, quoted), cells): ((&String, String), CellKind)| {
        let cell = cell(product, &format!("{ALIAS}.{quoted}"), cells);
        ServerColumn { column: Column { name: name.clone(), cells }, quoted, cell }
    };
    let names = schema.fields().iter().map(|field| field.name());
    names.zip(quoted).zip(kinds).map(column).collect()
}

/// Whatever a column of SQLite was declared as, its values have the types that they have: which are there, from the least telling one on.
fn classes(name: &str) -> String {
    let class = format!(
        "CASE typeof({name}) WHEN 'integer' THEN 1 WHEN 'real' THEN 2 WHEN 'text' THEN 3 WHEN 'blob' THEN 4 END"
    );
    format!(", min({class}), max({class})")
}

/// What cells are that have values of these classes, and the type of a column for them: numbers beside texts are texts, but keep their type
/// where they are published as they are.
fn stored(least: Option<u64>, most: Option<u64>) -> (CellKind, &'static str) {
    let pure = |name| if least == most { name } else { "" };
    match most {
        Some(1) => (CellKind::Integer, "INTEGER"),
        Some(2) => (CellKind::Number, pure("REAL")),
        Some(4) => (CellKind::Binary, pure("BLOB")),
        _ => (CellKind::Text, pure("TEXT")),
    }
}

/// The cell as statements group and join by it: texts by their bytes, whatever collation a column was declared with, and zero without a sign,
/// which is equal to the other zero and has another text.
fn cell(product: Product, name: &str, kind: CellKind) -> String {
    match (kind, product) {
        (CellKind::Text, _) => product.dialect().exact_text(name),
        (CellKind::Number, Product::DuckDb) => format!("(CASE WHEN {name} = 0 THEN 0 ELSE {name} END)"),
        // Some may be whole.
        (CellKind::Number, Product::Sqlite) => format!("(CASE WHEN {name} = 0 THEN 0.0 ELSE CAST({name} AS REAL) END)"),
        _ => name.to_owned(),
    }
}
