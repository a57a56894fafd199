//! A table of a cluster as an engine.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::ArrowError;
use arrow_select::take::take;
use cutline_engine::{CellKind, EngineError, Place, RewritePlan, Unwatched, Watch, Written};
use cutline_remote::{Groups, Labels, Memory, Opened, Remote, Server, ServerColumn, ServerError};
use cutline_sql::Dialect;

use crate::batches::{Grouping, Keys, pieces, texts};
use crate::location::Location;
use crate::proto::{Operation, Relation};
use crate::rewrite;
use crate::session::Session;
use crate::source::{Source, columns_of};

const UPLOADING: &str = "uploading labels";

/// A table of a cluster.
pub type Spark = Remote<Cluster>;

/// A cluster with a table that is read.
pub struct Cluster {
    session: Session,
    opened: Opened,
    memory: Memory<Keys>,
}

/// Connects and looks at the table's columns.
pub fn open(location: &Location, source: &Source) -> Result<Spark, EngineError> {
    let session = Session::begin(location)?;
    let opened = source.open(&session)?;
    Ok(Remote::new(Cluster { session, opened, memory: Memory::default() }))
}

impl Cluster {
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Uploads a table; gives what stands for it in FROM.
    fn upload(&self, alias: &str, batch: Result<RecordBatch, ArrowError>) -> Result<String, EngineError> {
        let wrong = |_| ServerError::Answer { doing: UPLOADING, problem: "labels are no table" };
        let pieces = pieces(&batch.map_err(wrong)?).map_err(|failure| failure.during(UPLOADING))?;
        let mut selects = Vec::new();
        for piece in pieces {
            let name = self.session().fresh_name();
            self.session().run(UPLOADING, &Unwatched, Operation::view(&name, Relation::local(piece)))?;
            selects.push(format!("SELECT * FROM {name}"));
        }
        Ok(format!("({}) AS {alias}", selects.join(" UNION ALL ")))
    }
}

impl Server for Cluster {
    type Keys = Keys;

    fn dialect(&self) -> Dialect {
        Dialect::Spark
    }

    fn opened(&self) -> &Opened {
        &self.opened
    }

    fn memory(&self) -> &Memory<Keys> {
        &self.memory
    }

    fn groups(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        query: &str,
        columns: usize,
    ) -> Result<Groups<Keys>, EngineError> {
        let mut grouping = Grouping::new(columns);
        self.session().query(doing, watch, query, |batch| grouping.add(&batch))?;
        grouping.finish().map_err(|failure| failure.during(doing))
    }

    fn row(&self, doing: &'static str, watch: &dyn Watch, query: &str) -> Result<Vec<Option<String>>, EngineError> {
        let mut rows = Vec::new();
        self.session().query(doing, watch, query, |batch| {
            rows.extend(texts(&batch)?);
            Ok(())
        })?;
        rows.pop().ok_or_else(|| ServerError::Answer { doing, problem: "there is no row" }.into())
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        rewrite::rewrite(self, plan, place, watch)
    }

    fn random(&self, seed: u64) -> Result<String, EngineError> {
        Ok(format!("rand({})", seed as i64))
    }

    fn carry_labels(&self, alias: &str, _: &ServerColumn, labels: &Labels<Keys>) -> Result<String, EngineError> {
        let places = UInt32Array::from(labels.places.clone());
        let cells = match &labels.distinct.keys {
            Some(keys) => take(keys, &places, None),
            None => Ok(Arc::new(StringArray::new_null(0)) as ArrayRef),
        };
        let numbers = Arc::new(Int32Array::from(labels.numbers.clone())) as ArrayRef;
        let texts = Arc::new(StringArray::from(labels.labels.clone())) as ArrayRef;
        let table = |cells| {
            RecordBatch::try_from_iter_with_nullable([
                ("cell", cells, true),
                ("number", numbers, true),
                ("label", texts, true),
            ])
        };
        self.upload(alias, cells.and_then(table))
    }

    fn keep_labels(&self, alias: &str, column: &ServerColumn, labels: &Labels<Keys>) -> Result<String, EngineError> {
        self.carry_labels(alias, column, labels)
    }

    fn carry_numbers(&self, alias: &str, columns: Vec<Vec<i32>>) -> Result<String, EngineError> {
        let column = |(place, list): (usize, Vec<i32>)| {
            (format!("n{place}"), Arc::new(Int32Array::from(list)) as ArrayRef, true)
        };
        self.upload(alias, RecordBatch::try_from_iter_with_nullable(columns.into_iter().enumerate().map(column)))
    }

    fn token(&self, key: &[u8; 16], value: &str) -> String {
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("substring(sha2(concat(unhex('{key}'), encode({value}, 'UTF-8')), 256), 1, 32)")
    }

    fn bytes_among(&self, table: &str, columns: &[&String]) -> Result<Option<String>, EngineError> {
        let columns_of_table = columns_of(self.session(), table)?;
        let bytes =
            columns_of_table.into_iter().map(|column| column.column).filter(|column| column.cells == CellKind::Binary);
        Ok(bytes.map(|column| column.name).find(|name| columns.contains(&name)))
    }

    fn exact(&self, cell: &str) -> String {
        // As bytes: a collation that takes `a` and `A` for the same would find larger groups than there are.
        format!("CAST(CAST(CAST({cell} AS STRING) AS BINARY) AS STRING)")
    }

    fn hint(&self, aliases: &[String]) -> String {
        match aliases {
            [] => String::new(),
            // Otherwise the records would be sorted by each column whose labels are not few.
            aliases => format!("/*+ BROADCAST({}) */ ", aliases.join(", ")),
        }
    }
}
