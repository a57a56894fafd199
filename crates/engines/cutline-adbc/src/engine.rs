//! A table of a database as an engine.

use cutline_engine::{CellKind, EngineError, OutputColumn, Place, RewritePlan, Treatment, Watch, Written};
use cutline_remote::batches::{Grouping, Keys, label_table, number_table, texts};
use cutline_remote::{Groups, Labels, Masking, Memory, Opened, Remote, Server, ServerColumn, ServerError, lacking};
use cutline_sql::Dialect;

use crate::location::Location;
use crate::product::Product;
use crate::session::Session;
use crate::source::{Columns, Source};

/// A table of a database, seen in one snapshot. When the last clone goes, the transaction is taken back.
pub type Adbc = Remote<Database>;

/// A database with a table that is read.
pub struct Database {
    session: Session,
    opened: Opened,
    /// The types of columns that are published as they are.
    types: Vec<&'static str>,
    memory: Memory<Keys>,
}

const UPLOADING: &str = "uploading labels";
const WRITING: &str = "writing the masked table";

/// Loads the driver, connects, begins a transaction and looks at the table's columns.
///
/// DuckDB keeps other processes from a database that is open, and nobody else: one process must not open it twice, by this or otherwise.
pub fn open(location: &Location, source: &Source) -> Result<Adbc, EngineError> {
    let session = Session::begin(location)?;
    let (opened, types) = source.open(&session)?;
    Ok(Remote::new(Database { session, opened, types, memory: Memory::default() }))
}

impl Database {
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// The one number that a query gives.
    fn count(&self, query: &str, watch: &dyn Watch) -> Result<u64, EngineError> {
        let row = self.row(WRITING, watch, query)?;
        let count = row.first().and_then(Option::as_deref).and_then(|count| count.parse().ok());
        count.ok_or_else(|| ServerError::Answer { doing: WRITING, problem: "a count is missing" }.into())
    }

    /// A column that is published, with its type.
    fn declared(&self, output: &OutputColumn) -> String {
        let kept = output.how == Treatment::Keep;
        let of = if kept { self.types.get(output.source).copied().unwrap_or_default() } else { "TEXT" };
        format!("{} {of}", self.opened.columns[output.source].quoted)
    }
}

impl Server for Database {
    type Keys = Keys;
    /// The place of a record is known when all conditions are.
    const DRAWS_PARTS: bool = false;

    fn dialect(&self) -> Dialect {
        self.session.product().dialect()
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
        self.session.query(doing, watch, query, |batch| grouping.add(batch))?;
        grouping.finish().map_err(|problem| ServerError::Answer { doing, problem }.into())
    }

    fn row(&self, doing: &'static str, watch: &dyn Watch, query: &str) -> Result<Vec<Option<String>>, EngineError> {
        let mut row = None;
        self.session.query(doing, watch, query, |batch| {
            row = texts(batch)?.pop().or(row.take());
            Ok(())
        })?;
        row.ok_or_else(|| ServerError::Answer { doing, problem: "there is no row" }.into())
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        let Place::Table { name } = place else { return Err(place.refused("the records stay in the database")) };
        let masking = Masking::new(self, plan, watch)?;
        let columns: Vec<String> = plan.columns.iter().map(|output| self.declared(output)).collect();
        for statement in self.session.product().create(name, &columns, &masking.query(self, plan)?)? {
            self.session.run(WRITING, watch, &statement)?;
        }
        let records = self.count(&format!("SELECT count(*) AS n FROM {name}"), watch)?;
        let suppressed = masking.count_rare(self).map_or(Ok(0), |query| self.count(&query, watch))?;
        let dropped = lacking(self, &plan.required, &plan.nulls, watch)?;
        watch.advance(self.opened.records);
        Ok(Written { place: place.clone(), records, dropped, suppressed, delimiter: None, persons: None })
    }

    fn random(&self, seed: u64) -> Result<String, EngineError> {
        Ok(self.session.product().random(seed))
    }

    fn carry_labels(&self, alias: &str, _: &ServerColumn, labels: &Labels<Keys>) -> Result<String, EngineError> {
        Ok(format!("{} AS {alias}", self.session.upload(UPLOADING, label_table(labels))?))
    }

    fn keep_labels(&self, alias: &str, column: &ServerColumn, labels: &Labels<Keys>) -> Result<String, EngineError> {
        self.carry_labels(alias, column, labels)
    }

    fn carry_numbers(&self, alias: &str, columns: Vec<Vec<i32>>) -> Result<String, EngineError> {
        Ok(format!("{} AS {alias}", self.session.upload(UPLOADING, number_table(columns))?))
    }

    fn token(&self, key: &[u8; 16], value: &str) -> Result<String, EngineError> {
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        match self.session.product() {
            Product::DuckDb => Ok(format!("left(sha256(unhex('{key}') || encode({value})), 32)")),
            Product::Sqlite => Err(ServerError::Unsupported("SQLite has no hash that tokens could be made by").into()),
        }
    }

    fn bytes_among(&self, table: &str, columns: &[&String]) -> Result<Option<String>, EngineError> {
        let found = Columns::of(&self.session, table)?.columns.into_iter().map(|column| column.column);
        let mut bytes = found.filter(|column| column.cells == CellKind::Binary).map(|column| column.name);
        Ok(bytes.find(|name| columns.contains(&name)))
    }

    fn exact(&self, cell: &str) -> String {
        match self.session.product() {
            Product::DuckDb => Dialect::DuckDb.exact_text(cell),
            // A number that became a text would have fifteen digits.
            Product::Sqlite => format!(
                "(CASE typeof({cell}) WHEN 'real' THEN printf('%!.17g', {cell}) ELSE CAST({cell} AS TEXT) END) COLLATE BINARY"
            ),
        }
    }
}
