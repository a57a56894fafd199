//! Statements in the order in which they are to be run.

use std::fmt;

use crate::Dialect;

/// A script: what masks, what verifies, and what the user should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statements {
    /// Whose SQL.
    pub dialect: Dialect,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The statements without the semicolons between them.
    pub list: Vec<Statement>,
}

/// One statement of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it is for.
    pub phase: Phase,
    /// Its text.
    pub text: String,
}

/// What a statement is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It masks, or makes ready for that.
    Mask,
    /// It recounts, and fails if the requirement does not hold.
    Verify,
    /// It publishes what was verified, and tidies up.
    Publish,
}

impl Statements {
    pub(crate) fn new(dialect: Dialect, notes: Vec<String>) -> Self {
        Statements { dialect, notes, list: Vec::new() }
    }

    pub(crate) fn push(&mut self, phase: Phase, text: impl Into<String>) {
        self.list.push(Statement { phase, text: text.into() });
    }

    pub(crate) fn extend(&mut self, phase: Phase, texts: Vec<String>) {
        texts.into_iter().for_each(|text| self.push(phase, text));
    }

    /// How to run it so that it stops at the first error.
    fn how_to_run(&self) -> &'static str {
        match self.dialect {
            Dialect::Postgres => "psql -v ON_ERROR_STOP=1 -f FILE",
            Dialect::Spark => "spark-sql -f FILE",
            Dialect::DuckDb => "duckdb -bail DATABASE < FILE",
            Dialect::Sqlite => "sqlite3 -bail DATABASE < FILE",
            Dialect::BigQuery => "bq query --use_legacy_sql=false < FILE",
            Dialect::Snowflake => "snowsql -o exit_on_error=true -f FILE",
            Dialect::Tsql => "sqlcmd -b -I -x -i FILE",
            Dialect::MySql => "mysql DATABASE < FILE",
        }
    }
}

/// The script as a file. Comments have no names or values in them, so that nothing can end them.
impl fmt::Display for Statements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "-- Run this so that it stops at the first error: {}", self.how_to_run())?;
        let mut last = None;
        for Statement { phase, text } in &self.list {
            if last != Some(*phase) {
                writeln!(f, "\n-- {}", phase.heading())?;
            }
            last = Some(*phase);
            writeln!(f, "{text};")?;
            if self.dialect == Dialect::Tsql {
                writeln!(f, "GO")?;
            }
        }
        Ok(())
    }
}

impl Phase {
    fn heading(self) -> &'static str {
        match self {
            Phase::Mask => "Mask",
            Phase::Verify => "Verify: a statement fails if the requirement does not hold",
            Phase::Publish => "Publish",
        }
    }
}
