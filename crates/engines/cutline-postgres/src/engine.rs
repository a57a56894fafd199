//! A table of a database as an engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cutline_engine::{
    Column, ColumnProfile, CompressPlan, Counted, Engine, EngineError, ExplainPlan, Format, Order, Place, RewritePlan,
    Sample, SamplePlan, Statement, Unwatched, Watch, Written,
};
use cutline_remote::{Coded, Dictionary, Distinct, Groups, Labels, Memory, Opened, Server, ServerColumn, ServerError};
use cutline_sql::Dialect;
use postgres::types::ToSql;

use crate::location::Location;
use crate::rewrite;
use crate::session::Session;
use crate::source::{Details, Source};

/// A table of a database, seen in one snapshot. Clones share the transaction; when the last one goes, it is taken back.
#[derive(Clone)]
pub struct Postgres(Arc<Inner>);

struct Inner {
    session: Session,
    name: String,
    opened: Opened,
    details: Details,
    columns: Vec<Column>,
    /// The cells that the first pass found, in the same snapshot that the second one sees.
    memory: Memory<()>,
    /// How many lists of labels were left there.
    kept: AtomicUsize,
}

impl Postgres {
    /// Connects, begins a transaction and looks at the table's columns.
    pub fn open(location: &Location, source: &Source) -> Result<Self, EngineError> {
        let session = Session::begin(location)?;
        let (opened, details) = source.open(&session)?;
        let columns = opened.columns.iter().map(|column| column.column.clone()).collect();
        let (name, memory) = (source.name(), Memory::default());
        let kept = AtomicUsize::new(0);
        Ok(Postgres(Arc::new(Inner { session, name, opened, details, columns, memory, kept })))
    }

    pub(crate) fn session(&self) -> &Session {
        &self.0.session
    }

    pub(crate) fn details(&self) -> &Details {
        &self.0.details
    }
}

/// Those of some columns that hold bytes.
const BYTES: &str = "SELECT a.attname::text FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
  WHERE a.attrelid = $1::text::regclass AND a.attname = ANY($2::text[]) AND 'bytea'::regtype IN (t.oid, t.typbasetype)";

/// What a statement is asked with.
#[derive(Default)]
pub struct Parameters(Vec<Box<dyn ToSql + Sync>>);

impl Parameters {
    /// Remembers a parameter; gives its name.
    fn add(&mut self, value: impl ToSql + Sync + 'static) -> String {
        self.0.push(Box::new(value));
        format!("${}", self.0.len())
    }

    pub(crate) fn all(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.0.iter().map(|parameter| &**parameter as &(dyn ToSql + Sync)).collect()
    }
}

/// The texts of cells are their keys.
impl Server for Postgres {
    type Keys = ();
    type Luggage = Parameters;

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn opened(&self) -> &Opened {
        &self.0.opened
    }

    fn memory(&self) -> &Memory<()> {
        &self.0.memory
    }

    fn groups(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        query: &str,
        columns: usize,
    ) -> Result<Groups<()>, EngineError> {
        let mut dictionaries: Vec<(Dictionary, Vec<u32>)> = (0..columns).map(|_| Default::default()).collect();
        let mut counts = Vec::new();
        self.session().counted_rows(doing, watch, query, |cells, count| {
            for ((dictionary, codes), cell) in dictionaries.iter_mut().zip(cells) {
                codes.push(dictionary.code(cell.as_deref()));
            }
            counts.push(count);
        })?;
        let coded = |(dictionary, codes): (Dictionary, Vec<u32>)| Coded {
            codes,
            cells: Distinct { texts: dictionary.into_texts(), keys: () },
        };
        Ok(Groups { columns: dictionaries.into_iter().map(coded).collect(), counts })
    }

    fn row(&self, doing: &'static str, watch: &dyn Watch, query: &str) -> Result<Vec<Option<String>>, EngineError> {
        let mut rows = self.session().text_rows(doing, watch, query)?;
        rows.pop().ok_or_else(|| ServerError::Answer { doing, problem: "there is no row" }.into())
    }

    fn random(&self, seed: u64) -> Result<String, EngineError> {
        // From -1 to 1, as the generator wants it.
        let seed = seed as f64 / u64::MAX as f64;
        self.session().query("drawing records", &Unwatched, "SELECT setseed($1)", &[&seed])?;
        Ok("random()".to_owned())
    }

    fn carry_labels(
        &self,
        luggage: &mut Parameters,
        alias: &str,
        column: &ServerColumn,
        labels: &Labels<()>,
    ) -> Result<String, EngineError> {
        let whole = self.details().is_whole(&column.column.name);
        let (kind, collation) = if whole { ("bigint", "") } else { ("text", " COLLATE \"C\"") };
        let cells = luggage.add(labels.texts().map(str::to_owned).collect::<Vec<_>>());
        let numbers = luggage.add(labels.numbers.clone());
        let texts = luggage.add(labels.labels.clone());
        Ok(format!(
            "(SELECT u.cell{collation} AS cell, u.number, u.label \
             FROM unnest({cells}::text[]::{kind}[], {numbers}::int4[], {texts}::text[]) AS u(cell, number, label)) AS {alias}"
        ))
    }

    fn keep_labels(&self, alias: &str, column: &ServerColumn, labels: &Labels<()>) -> Result<String, EngineError> {
        const KEEPING: &str = "keeping the cells of values";
        let mut parameters = Parameters::default();
        let labels = self.carry_labels(&mut parameters, alias, column, labels)?;
        let table = format!("cutline_kept_{}", self.0.kept.fetch_add(1, Ordering::Relaxed));
        let create = format!("CREATE TEMPORARY TABLE {table} ON COMMIT DROP AS SELECT {alias}.* FROM {labels}");
        self.session().execute(KEEPING, &Unwatched, &create, &parameters.all())?;
        self.session().batch(KEEPING, &Unwatched, &format!("ANALYZE {table}"))?;
        Ok(format!("pg_temp.{table} AS {alias}"))
    }

    fn carry_numbers(
        &self,
        luggage: &mut Parameters,
        alias: &str,
        columns: Vec<Vec<i32>>,
    ) -> Result<String, EngineError> {
        let names: Vec<String> = (0..columns.len()).map(|number| format!("n{number}")).collect();
        let lists: Vec<String> = columns.into_iter().map(|list| format!("{}::int4[]", luggage.add(list))).collect();
        Ok(format!("unnest({}) AS {alias}({})", lists.join(", "), names.join(", ")))
    }

    fn token(&self, key: &[u8; 16], value: &str) -> String {
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("left(encode(sha256('\\x{key}'::bytea || convert_to({value}, 'UTF8')), 'hex'), 32)")
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

impl Engine for Postgres {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn size(&self) -> u64 {
        self.0.opened.records
    }

    fn format(&self) -> Option<Format> {
        None
    }

    fn order(&self) -> Order {
        Order::None
    }

    fn columns(&self) -> &[Column] {
        &self.0.columns
    }

    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        cutline_remote::profile(self, nulls, watch)
    }

    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
        cutline_remote::sample(self, plan, watch)
    }

    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
        cutline_remote::compress(self, plan, watch)
    }

    fn exceeds(&self, plan: &CompressPlan, most: u64, watch: &dyn Watch) -> Result<Option<bool>, EngineError> {
        cutline_remote::exceeds(self, plan, most, watch).map(Some)
    }

    fn compress_all(&self, plans: &[CompressPlan], watch: &dyn Watch) -> Result<Vec<Counted>, EngineError> {
        cutline_remote::compress_all(self, plans, watch)
    }

    fn explain(&self, plan: &ExplainPlan, watch: &dyn Watch) -> Result<Vec<Statement>, EngineError> {
        cutline_remote::explain(self, plan, watch)
    }

    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        rewrite::rewrite(self, plan, place, watch)
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Postgres({} of {})", self.0.name, self.0.session.location())
    }
}
