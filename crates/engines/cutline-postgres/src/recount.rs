//! Does a table of a database satisfy its requirement? Statements of its own, which know the requirement and the table's name alone.

use std::borrow::Cow;

use cutline_engine::{EngineError, Unwatched};
use cutline_sql::Dialect;
use cutline_verify::{Claim, Counts, GroupBy, Options, Recount, Verdict, VerifyError};

use crate::engine::Postgres;
use crate::session::Session;

const VERIFYING: &str = "verifying";

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

    fn rows(
        &self,
        columns: &[&String],
        mut row: impl FnMut(&[Option<&str>], u64) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let elsewhere = |source: Box<dyn std::error::Error + Send + Sync>| VerifyError::Elsewhere {
            table: self.table.clone(),
            source,
        };
        // As bytes: a collation that takes `a` and `A` for the same would find larger groups than there are.
        let cell = |name: &&String| Ok(format!("(t.{})::text COLLATE \"C\"", Dialect::Postgres.quote_name(name)?));
        let cells = columns.iter().map(cell).collect::<Result<Vec<_>, cutline_sql::SqlError>>();
        let cells = cells.map_err(|error| elsewhere(Box::new(error)))?;
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
        counted.map_err(|error: EngineError| elsewhere(Box::new(error)))?;
        told
    }
}

impl Recount for Recounted<'_> {
    fn recount(&self, claims: &[Claim], options: &Options, progress: &dyn Fn(u64)) -> Result<Verdict, VerifyError> {
        let mut counts = Counts::new(claims, options)?;
        for (grouping, GroupBy { attributes, sensitive }) in counts.groupings().into_iter().enumerate() {
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
