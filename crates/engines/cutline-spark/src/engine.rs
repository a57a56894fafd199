//! A table of a cluster as an engine.

use arrow_array::RecordBatch;
use cutline_engine::{CellKind, EngineError, Place, RewritePlan, Unwatched, Watch, Written};
use cutline_remote::batches::{Grouping, Keys, Problem, label_table, number_table, texts};
use cutline_remote::{
    Groups, LabelCase, Labels, Memory, Opened, Remote, Server, ServerColumn, ServerError, label_case,
};
use cutline_sql::{Dialect, Unlisted};

use crate::location::Location;
use crate::proto::{Operation, Relation};
use crate::rewrite;
use crate::session::Session;
use crate::source::{Source, columns_of};
use crate::upload::pieces;

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
    fn upload(&self, alias: &str, batch: Result<RecordBatch, Problem>) -> Result<String, EngineError> {
        let wrong = |problem| ServerError::Answer { doing: UPLOADING, problem };
        let pieces = batch.and_then(|batch| pieces(&batch)).map_err(wrong)?;
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
    /// As many as a database is asked for.
    const MOST_FETCHED: u64 = 4_000_000;

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
        self.session().query(doing, watch, query, |batch| Ok(grouping.add(&batch)?))?;
        grouping.finish().map_err(|problem| ServerError::Answer { doing, problem }.into())
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

    fn hash(&self, cells: &[&str]) -> Result<Option<String>, EngineError> {
        Ok((!cells.is_empty()).then(|| format!("xxhash64({})", cells.join(", "))))
    }

    fn random(&self, seed: u64) -> Result<String, EngineError> {
        Ok(format!("rand({})", seed as i64))
    }

    fn carry_labels(&self, alias: &str, _: &ServerColumn, labels: &Labels<Keys>) -> Result<String, EngineError> {
        self.upload(alias, label_table(labels))
    }

    /// There is no snapshot: cells may have come since they were counted.
    fn label_case(&self, column: &ServerColumn, labels: &Labels<Keys>) -> Result<Option<LabelCase>, EngineError> {
        Ok(label_case(Dialect::Spark, column, labels, Unlisted::Fail)?)
    }

    fn keep_labels(&self, alias: &str, column: &ServerColumn, labels: &Labels<Keys>) -> Result<String, EngineError> {
        self.carry_labels(alias, column, labels)
    }

    fn carry_numbers(&self, alias: &str, columns: Vec<Vec<i32>>) -> Result<String, EngineError> {
        self.upload(alias, number_table(columns))
    }

    fn token(&self, key: &[u8; 16], value: &str) -> Result<String, EngineError> {
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("substring(sha2(concat(unhex('{key}'), encode({value}, 'UTF-8')), 256), 1, 32)"))
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
