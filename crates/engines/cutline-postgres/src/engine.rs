//! A table of a database as an engine.

use std::sync::atomic::{AtomicUsize, Ordering};

use cutline_engine::{EngineError, Place, RewritePlan, Unwatched, Watch, Written};
use cutline_remote::{
    Groups, LabelCase, Labels, Memory, Opened, Remote, Server, ServerColumn, ServerError, label_case,
};
use cutline_sql::{Dialect, Unlisted};

use crate::copy::{Grouping, texts};
use crate::labels;
use crate::location::Location;
use crate::rewrite;
use crate::session::Session;
use crate::source::{Details, Source};

/// A table of a database, seen in one snapshot. When the last clone goes, the transaction is taken back.
pub type Postgres = Remote<Database>;

/// A database with a table that is read.
pub struct Database {
    session: Session,
    opened: Opened,
    details: Details,
    /// The cells that the first pass found, in the same snapshot that the second one sees.
    memory: Memory<()>,
    /// How many lists of labels were left there.
    kept: AtomicUsize,
}

/// Connects, begins a transaction and looks at the table's columns.
pub fn open(location: &Location, source: &Source) -> Result<Postgres, EngineError> {
    let session = Session::begin(location)?;
    let (opened, details) = source.open(&session)?;
    let (memory, kept) = (Memory::default(), AtomicUsize::new(0));
    Ok(Remote::new(Database { session, opened, details, memory, kept }))
}

impl Database {
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn details(&self) -> &Details {
        &self.details
    }
}

/// Those of some columns that hold bytes.
const BYTES: &str = "SELECT a.attname::text FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
  WHERE a.attrelid = $1::text::regclass AND a.attname = ANY($2::text[]) AND 'bytea'::regtype IN (t.oid, t.typbasetype)";

/// So many labels are part of every statement that needs them: one that reads a temporary table runs on one core.
const MOST_CARRIED: usize = 5_000;

/// The texts of cells are their keys.
impl Server for Database {
    type Keys = ();
    /// Some hundred megabytes, and as many for the codes here.
    const MOST_FETCHED: u64 = 4_000_000;

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn opened(&self) -> &Opened {
        &self.opened
    }

    fn memory(&self) -> &Memory<()> {
        &self.memory
    }

    fn groups(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        query: &str,
        columns: usize,
    ) -> Result<Groups<()>, EngineError> {
        let mut grouping = Grouping::new(columns);
        self.session().copy(doing, watch, query, |line| grouping.add(line))?;
        Ok(grouping.finish())
    }

    fn row(&self, doing: &'static str, watch: &dyn Watch, query: &str) -> Result<Vec<Option<String>>, EngineError> {
        let mut row = None;
        self.session().copy(doing, watch, query, |line| {
            row = Some(texts(line)?);
            Ok(())
        })?;
        row.ok_or_else(|| ServerError::Answer { doing, problem: "there is no row" }.into())
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        rewrite::rewrite(self, plan, place, watch)
    }

    fn hash(&self, cells: &[&str]) -> Result<Option<String>, EngineError> {
        // Records have a hash since version 14.
        let version = "SELECT 1 WHERE current_setting('server_version_num')::int >= 140000";
        let known = self.session().query("counting", &Unwatched, version, &[])?;
        // Some types can be grouped by and have no hash. Every text has one.
        let texts: Vec<String> = cells.iter().map(|cell| format!("({cell})::text")).collect();
        Ok(known.first().map(|_| format!("hash_record_extended(ROW({}), 0)", texts.join(", "))))
    }

    fn random(&self, seed: u64) -> Result<String, EngineError> {
        // From -1 to 1, as the generator wants it.
        let seed = seed as f64 / u64::MAX as f64;
        self.session().query("drawing records", &Unwatched, "SELECT setseed($1)", &[&seed])?;
        Ok("random()".to_owned())
    }

    fn carry_labels(&self, alias: &str, column: &ServerColumn, labels: &Labels<()>) -> Result<String, EngineError> {
        Ok(labels::table(alias, self.details().is_whole(&column.column.name), labels)?)
    }

    fn label_case(&self, column: &ServerColumn, labels: &Labels<()>) -> Result<Option<LabelCase>, EngineError> {
        let unlisted = if self.details().is_settled(&column.column.name) { Unlisted::Never } else { Unlisted::Fail };
        let case = label_case(Dialect::Postgres, column, labels, unlisted)?;
        // A label that is the cell itself would have its collation.
        let collated = |case: LabelCase| LabelCase { label: format!("({}) COLLATE \"default\"", case.label), ..case };
        Ok(case.map(collated))
    }

    fn keep_labels(&self, alias: &str, column: &ServerColumn, labels: &Labels<()>) -> Result<String, EngineError> {
        let few = labels.places.len() <= MOST_CARRIED;
        let labels = self.carry_labels(alias, column, labels)?;
        if few {
            return Ok(labels);
        }
        let table = format!("cutline_kept_{}", self.kept.fetch_add(1, Ordering::Relaxed));
        let create = format!("CREATE TEMPORARY TABLE {table} ON COMMIT DROP AS SELECT {alias}.* FROM {labels}");
        self.session().batch("keeping the cells of values", &Unwatched, &format!("{create}; ANALYZE {table}"))?;
        Ok(format!("pg_temp.{table} AS {alias}"))
    }

    fn carry_numbers(&self, alias: &str, columns: Vec<Vec<i32>>) -> Result<String, EngineError> {
        let names: Vec<String> = (0..columns.len()).map(|number| format!("n{number}")).collect();
        let lists = columns.iter().map(|list| labels::numbers_array(list)).collect::<Result<Vec<_>, _>>();
        let lists = lists.map_err(ServerError::from)?.join(", ");
        Ok(format!("unnest({lists}) AS {alias}({})", names.join(", ")))
    }

    fn token(&self, key: &[u8; 16], value: &str) -> Result<String, EngineError> {
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("left(encode(sha256('\\x{key}'::bytea || convert_to({value}, 'UTF8')), 'hex'), 32)"))
    }

    fn bytes_among(&self, table: &str, columns: &[&String]) -> Result<Option<String>, EngineError> {
        let found = self.session().query("verifying", &Unwatched, BYTES, &[&table, &columns])?;
        Ok(found.first().map(|row| row.get(0)))
    }

    fn exact(&self, cell: &str) -> String {
        // As bytes: a collation that takes `a` and `A` for the same would find larger groups than there are.
        format!("({cell})::text COLLATE \"C\"")
    }
}
