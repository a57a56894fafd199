//! What is to be read, and what are its columns?

use arrow_schema::{FieldRef, Schema};
use cutline_arrow::kind_of;
use cutline_engine::{CellKind, Column, EngineError, Unwatched};
use cutline_remote::{ALIAS, Opened, ServerColumn, ServerError};
use cutline_sql::{Dialect, TableName};

use crate::proto::Operation;
use crate::session::Session;

/// What is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A table or view of the catalog.
    Table(TableName),
    /// A Parquet file, or a folder of them, where the cluster finds it.
    Path(String),
    /// The result of a query.
    Query(String),
}

/// The temporary view that stands for a query.
const VIEW: &str = "cutline_source";

const LOOKING: &str = "looking at the table";

impl Source {
    /// A table by its name, or by its path if there is a `/` in it.
    pub fn named(text: &str) -> Result<Self, ServerError> {
        match text.contains('/') {
            true => Ok(Source::Path(text.to_owned())),
            false => Ok(Source::Table(text.parse()?)),
        }
    }

    /// A name for messages.
    fn name(&self) -> String {
        match self {
            Source::Table(name) => name.to_string(),
            Source::Path(path) => path.clone(),
            Source::Query(_) => "the query".to_owned(),
        }
    }

    pub(crate) fn open(&self, session: &Session) -> Result<Opened, EngineError> {
        let relation = match self {
            Source::Table(name) => name.quoted(Dialect::Spark).map_err(ServerError::from)?,
            Source::Path(path) => files(path).map_err(EngineError::from)?,
            Source::Query(query) => {
                let query = query.trim().trim_end_matches(';');
                let view = format!("CREATE OR REPLACE TEMPORARY VIEW {VIEW} AS {query}");
                session.run(LOOKING, &Unwatched, Operation::statement(&view))?;
                VIEW.to_owned()
            }
        };
        let columns = columns_of(session, &relation)?;
        Ok(Opened { name: self.name(), relation, columns, records: 0 })
    }
}

/// The columns of a table.
pub(crate) fn columns_of(session: &Session, relation: &str) -> Result<Vec<ServerColumn>, EngineError> {
    let mut schema = None;
    session.query(LOOKING, &Unwatched, &format!("SELECT * FROM {relation} AS {ALIAS} LIMIT 0"), |batch| {
        schema = Some(batch.schema());
        Ok(())
    })?;
    let schema = schema.ok_or(ServerError::Answer { doing: LOOKING, problem: "it has no columns" })?;
    Ok(columns(&schema)?)
}

/// Parquet files as a table.
pub(crate) fn files(path: &str) -> Result<String, ServerError> {
    Ok(format!("parquet.{}", Dialect::Spark.quote_name(path)?))
}

fn columns(schema: &Schema) -> Result<Vec<ServerColumn>, ServerError> {
    let column = |field: &FieldRef| {
        let quoted = Dialect::Spark.quote_name(field.name())?;
        let column = Column { name: field.name().clone(), cells: kind_of(field.data_type()) };
        let cell = cell(&format!("{ALIAS}.{quoted}"), column.cells);
        Ok(ServerColumn { column, quoted, cell })
    };
    schema.fields().iter().map(column).collect()
}

/// The cell as statements group and join by it. Texts go through their bytes: a column may have been declared with a collation that takes
/// `a` and `A` for the same.
fn cell(name: &str, kind: CellKind) -> String {
    match kind {
        CellKind::Text => format!("CAST(CAST({name} AS BINARY) AS STRING)"),
        _ => name.to_owned(),
    }
}
