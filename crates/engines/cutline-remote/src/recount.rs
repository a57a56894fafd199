//! Does a table of a server satisfy its requirement? Statements of its own, which know the requirement and the table's name alone.

use cutline_engine::{EngineError, Unwatched};
use cutline_sql::SqlError;
use cutline_verify::{Claim, Counts, GroupBy, Options, Recount, Verdict, VerifyError};

use crate::Server;
use crate::compress::bytes;

const VERIFYING: &str = "verifying";

/// A table that can be recounted where it is.
pub struct Recounted<'a, S> {
    server: &'a S,
    /// Its name, quoted.
    table: String,
}

impl<'a, S: Server> Recounted<'a, S> {
    /// A table of a server, by its quoted name.
    pub fn new(server: &'a S, table: &str) -> Self {
        Recounted { server, table: table.to_owned() }
    }

    fn elsewhere(&self, source: Box<dyn std::error::Error + Send + Sync>) -> VerifyError {
        VerifyError::Elsewhere { table: self.table.clone(), source }
    }

    /// Texts of bytes are all different where the bytes are, even by a blank: they would seem more diverse than they are.
    fn check_sensitive(&self, groupings: &[GroupBy]) -> Result<(), VerifyError> {
        let names: Vec<&String> = groupings.iter().flat_map(|grouping| &grouping.sensitive).collect();
        if names.is_empty() {
            return Ok(());
        }
        let found = self.server.bytes_among(&self.table, &names);
        match found.map_err(|error| self.elsewhere(Box::new(error)))? {
            None => Ok(()),
            Some(column) => Err(self.elsewhere(Box::new(bytes(self.server, column)))),
        }
    }

    fn rows(
        &self,
        columns: &[&String],
        mut row: impl FnMut(&[Option<&str>], u64) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let cell = |(place, name): (usize, &&String)| {
            let name = format!("t.{}", self.server.dialect().quote_name(name)?);
            Ok(format!("{} AS c{place}", self.server.exact(&name)))
        };
        let cells = columns.iter().enumerate().map(cell).collect::<Result<Vec<_>, SqlError>>();
        let cells = cells.map_err(|error| self.elsewhere(Box::new(error)))?;
        let by: Vec<String> = (1..=cells.len()).map(|number| number.to_string()).collect();
        let query =
            format!("SELECT {}, count(*) AS n FROM {} AS t GROUP BY {}", cells.join(", "), self.table, by.join(", "));
        let groups = self.server.groups(VERIFYING, &Unwatched, &query, columns.len());
        let groups = groups.map_err(|error: EngineError| self.elsewhere(Box::new(error)))?;
        let mut cells = vec![None; groups.columns.len()];
        for (place, &count) in groups.counts.iter().enumerate() {
            for (cell, column) in cells.iter_mut().zip(&groups.columns) {
                *cell = column.cells.texts[column.codes[place] as usize].as_deref();
            }
            row(&cells, count)?;
        }
        Ok(())
    }
}

impl<S: Server> Recount for Recounted<'_, S> {
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
