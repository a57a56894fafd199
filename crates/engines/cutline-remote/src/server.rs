//! What must a server be able to do?

use cutline_engine::{CellKind, Column, EngineError, Place, RewritePlan, Watch, Written};
use cutline_sql::{Dialect, SqlError, value_of};

use crate::{Groups, Labels, Memory};

/// A server that holds a table and is sent statements. What a statement needs beside the table (labels, rare combinations) is part of its
/// text, or was uploaded before.
pub trait Server: Send + Sync {
    /// The distinct cells of a column as they can be sent back, beside their texts.
    type Keys: Send + Sync;

    /// Where nearly every record has a combination of cells of its own, those of so many records are fetched sooner than they are grouped
    /// there; 0 if they never are.
    const MOST_FETCHED: u64 = 0;

    /// Can a condition ask for a random number? Then a part of the records is drawn first, so that few have to be sorted by chance.
    const DRAWS_PARTS: bool = true;

    /// How it writes things.
    fn dialect(&self) -> Dialect;

    /// What is read.
    fn opened(&self) -> &Opened;

    /// The cells that the first pass found.
    fn memory(&self) -> &Memory<Self::Keys>;

    /// The rows of a query that has so many columns of cells, and then one of counts.
    fn groups(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        query: &str,
        columns: usize,
    ) -> Result<Groups<Self::Keys>, EngineError>;

    /// The one row of a query, as texts.
    fn row(&self, doing: &'static str, watch: &dyn Watch, query: &str) -> Result<Vec<Option<String>>, EngineError>;

    /// Masks every record and writes the table: see [`cutline_engine::Engine::rewrite`], and [`crate::Masking`] for the query.
    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError>;

    /// An expression for a random number that follows from a seed and from where a record lies.
    fn random(&self, seed: u64) -> Result<String, EngineError>;

    /// An expression for a hash of cells, a whole number of which every bit depends on all of them; nothing if there is none.
    fn hash(&self, _cells: &[&str]) -> Result<Option<String>, EngineError> {
        Ok(None)
    }

    /// Takes labels along: gives what stands in FROM for a table `alias` with the columns `cell`, `number` and `label`.
    fn carry_labels(
        &self,
        alias: &str,
        column: &ServerColumn,
        labels: &Labels<Self::Keys>,
    ) -> Result<String, EngineError>;

    /// Labels as expressions, on a server that looks up these cells sooner in a CASE than by a join.
    fn label_case(&self, _: &ServerColumn, _: &Labels<Self::Keys>) -> Result<Option<LabelCase>, EngineError> {
        Ok(None)
    }

    /// Leaves labels there until the session ends: gives the same as [`Server::carry_labels`], for several statements.
    fn keep_labels(
        &self,
        alias: &str,
        column: &ServerColumn,
        labels: &Labels<Self::Keys>,
    ) -> Result<String, EngineError>;

    /// Takes rows of numbers along: gives what stands in FROM for a table `alias` with the columns `n0`, `n1` and so on.
    fn carry_numbers(&self, alias: &str, columns: Vec<Vec<i32>>) -> Result<String, EngineError>;

    /// An expression for the token of a value: a keyed hash, cut to 128 bits, which nobody can evaluate without the key.
    fn token(&self, key: &[u8; 16], value: &str) -> Result<String, EngineError>;

    /// One of these columns of a table that holds bytes, if there is one.
    fn bytes_among(&self, table: &str, columns: &[&String]) -> Result<Option<String>, EngineError>;

    /// A cell of another table as text, equal to others only if it has the same bytes.
    fn exact(&self, cell: &str) -> String;

    /// What stands behind SELECT of a query that joins these tables that were taken along.
    fn hint(&self, _aliases: &[String]) -> String {
        String::new()
    }
}

/// The label of a column's cell as expressions, which fail for a cell that was not counted.
pub struct LabelCase {
    /// Its text.
    pub label: String,
    /// Its number.
    pub number: String,
}

/// What is read, made ready.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its name, for messages.
    pub name: String,
    /// The table as statements name it.
    pub relation: String,
    /// Its columns.
    pub columns: Vec<ServerColumn>,
    /// About how many records there are; 0 if nobody knows.
    pub records: u64,
}

/// A column as a server knows it.
#[derive(Clone, Debug)]
pub struct ServerColumn {
    /// What the release knows of it.
    pub column: Column,
    /// Its name, quoted.
    pub quoted: String,
    /// The cell as statements group and join by it: cells are equal if and only if their texts are.
    pub cell: String,
}

impl ServerColumn {
    /// The column of the table that is read.
    pub fn name(&self) -> String {
        format!("{}.{}", crate::ALIAS, self.quoted)
    }

    /// The value as text without blanks around it, NULL where it is missing.
    pub fn value(&self, dialect: Dialect, nulls: &[String]) -> Result<String, SqlError> {
        let value = value_of(dialect, &self.name(), nulls)?;
        Ok(match self.column.cells {
            // What is no number is missing in a column of numbers.
            CellKind::Number => format!("NULLIF({value}, 'NaN')"),
            _ => value,
        })
    }
}
