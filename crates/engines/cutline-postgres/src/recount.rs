//! Does a table of a database satisfy its requirement? Statements of its own, which know the requirement and the table's name alone.

use std::borrow::Cow;

use cutline_engine::{EngineError, Unwatched};
use cutline_sql::Dialect;
use cutline_verify::{Claim, Counts, GroupBy, Options, Recount, Verdict, VerifyError};

use crate::engine::Postgres;
use crate::error::PostgresError;
use crate::session::Session;

const VERIFYING: &str = "verifying";

/// Those of some columns that hold bytes.
const BYTES: &str = "SELECT a.attname::text FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
  WHERE a.attrelid = $1::text::regclass AND a.attname = ANY($2::text[]) AND 'bytea'::regtype IN (t.oid, t.typbasetype)";

/// A table that can be recounted where it is.
pub struct Recounted<'a> {
    session: &'a Session,
    /// Its name, quoted.
    table: String,
}

impl<'a> Recounted<'a> {
    pub(crate) fn new(session: &'a Session, table: &str) -> Self {
        Recounted { session, table: table.to_owned() }
    }

    /// The table that an engine reads.
    pub fn of(engine: &'a Postgres) -> Self {
        Recounted::new(engine.session(), &engine.opened().relation)
    }

    /// Texts of bytes are all different where the bytes are, even by a blank: they would seem more diverse than they are.
    fn check_sensitive(&self, groupings: &[GroupBy]) -> Result<(), VerifyError> {
        let names: Vec<&String> = groupings.iter().flat_map(|grouping| &grouping.sensitive).collect();
        let found = self.session.query(VERIFYING, &Unwatched, BYTES, &[&self.table, &names]);
        let found = found.map_err(|error| self.elsewhere(Box::new(error)))?;
        match found.first() {
            None => Ok(()),
            Some(row) => Err(self.elsewhere(Box::new(PostgresError::Bytes(row.get(0))))),
        }
    }

    fn elsewhere(&self, source: Box<dyn std::error::Error + Send + Sync>) -> VerifyError {
        VerifyError::Elsewhere { table: self.table.clone(), source }
    }

    fn rows(
        &self,
        columns: &[&String],
        mut row: impl FnMut(&[Option<&str>], u64) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        // As bytes: a collation that takes `a` and `A` for the same would find larger groups than there are.
        let cell = |name: &&String| Ok(format!("(t.{})::text COLLATE \"C\"", Dialect::Postgres.quote_name(name)?));
        let cells = columns.iter().map(cell).collect::<Result<Vec<_>, cutline_sql::SqlError>>();
        let cells = cells.map_err(|error| self.elsewhere(Box::new(error)))?;
        let by: Vec<String> = (1..=cells.len()).map(|number| number.to_string()).collect();
        let query =
            format!("SELECT {}, count(*) FROM {} AS t GROUP BY {}", cells.join(", "), self.table, by.join(", "));
        let mut told = Ok(());
        let counted =
            self.session.counted_rows(VERIFYING, &Unwatched, &query, |cells: &[Option<Cow<'_, str>>], count| {
                if told.is_ok() {
                    let cells: Vec<Option<&str>> = cells.iter().map(Option::as_deref).collect();
                    told = row(&cells, count);
                }
            });
        counted.map_err(|error: EngineError| self.elsewhere(Box::new(error)))?;
        told
    }
}

impl Recount for Recounted<'_> {
    fn recount(&self, claims: &[Claim], options: &Options, progress: &dyn Fn(u64)) -> Result<Verdict, VerifyError> {
        let mut counts = Counts::new(claims, options)?;
        let groupings = counts.groupings();
        self.check_sensitive(&groupings)?;
        for (grouping, GroupBy { attributes, sensitive }) in groupings.into_iter().enumerate() {
            let by: Vec<&String> = attributes.iter().collect();
            let mut records = 0;
            self.rows(&by, |cells, count| {
                records += count;
                counts.add_group(grouping, cells, count)
            })?;
            for (place, name) in sensitive.iter().enumerate() {
                let by: Vec<&String> = attributes.iter().chain([name]).collect();
                self.rows(&by, |cells, count| match cells.split_last() {
                    Some((value, group)) => counts.add_sensitive((grouping, place), group, *value, count),
                    None => Ok(()),
                })?;
            }
            progress(records);
        }
        counts.verdict()
    }
}
