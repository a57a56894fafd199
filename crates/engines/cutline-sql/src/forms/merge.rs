//! An earlier masked table, brought up to date: after it, the table holds what masking the table anew would give.

use super::verification;
use crate::mapping::Scope;
use crate::mask::Query;
use crate::plan::Plan;
use crate::script::Phase;
use crate::{Dialect, SqlError, Statements, TableName};

/// Where the masked records wait.
const WAITING: &str = "cutline_masked_now";

pub(super) fn statements(plan: &Plan<'_>) -> Result<Statements, SqlError> {
    let dialect = plan.dialect();
    let merge = Merge::new(plan)?;
    let query = Query::new(plan, Scope::Temporary)?;
    let mut script = Statements::new(dialect, plan.notes.clone());
    script
        .notes
        .push("who has the table from before as well can compare the two, and find whom they differ by".to_owned());
    script.extend(Phase::Mask, query.before.clone());
    script.push(Phase::Mask, create(dialect, &query));
    // Without transactions, what the table will hold is verified before.
    if dialect == Dialect::Spark {
        script.extend(Phase::Verify, verification(plan, &WAITING.parse::<TableName>()?)?);
        script.extend(Phase::Publish, merge.statements());
    } else {
        script.push(Phase::Mask, dialect.begin());
        script.extend(Phase::Mask, merge.statements());
        script.extend(Phase::Verify, verification(plan, &plan.request.into)?);
        script.push(Phase::Publish, dialect.commit());
    }
    let kind = if dialect == Dialect::Spark { "VIEW" } else { "TABLE" };
    script.push(Phase::Publish, format!("DROP {kind} {}", waiting(dialect)));
    script.extend(Phase::Publish, query.after);
    Ok(script)
}

fn waiting(dialect: Dialect) -> String {
    if dialect == Dialect::Tsql { format!("#{WAITING}") } else { WAITING.to_owned() }
}

fn create(dialect: Dialect, query: &Query) -> String {
    let name = waiting(dialect);
    match dialect {
        Dialect::Tsql => query.text(Some(&name)),
        Dialect::Spark => format!("CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{}", query.text(None)),
        Dialect::MySql | Dialect::Snowflake => format!("CREATE TEMPORARY TABLE {name} AS\n{}", query.text(None)),
        _ => format!("CREATE TEMP TABLE {name} AS\n{}", query.text(None)),
    }
}

/// The names that the statements are made of, quoted.
struct Merge {
    dialect: Dialect,
    into: String,
    key: String,
    columns: Vec<String>,
}

impl Merge {
    fn new(plan: &Plan<'_>) -> Result<Self, SqlError> {
        let dialect = plan.dialect();
        let key = plan.request.key.as_ref().ok_or(SqlError::NoKey)?;
        if plan.recoding.attributes.contains_key(key) {
            return Err(SqlError::MaskedKey(key.clone()));
        }
        let columns = plan.columns.iter().map(|column| dialect.quote_name(column.name)).collect::<Result<_, _>>()?;
        Ok(Merge { dialect, into: plan.request.into.quoted(dialect)?, key: dialect.quote_name(key)?, columns })
    }

    /// Records that are masked no more go first; then the others are changed or added.
    fn statements(&self) -> Vec<String> {
        let mut statements = vec![self.delete()];
        match self.dialect {
            Dialect::Sqlite | Dialect::MySql => statements.extend([self.update(), self.insert()]),
            _ => statements.push(self.merge()),
        }
        statements
    }

    fn delete(&self) -> String {
        let Merge { into, key, .. } = self;
        let waiting = waiting(self.dialect);
        let kept = format!("SELECT s.{key} FROM {waiting} AS s WHERE s.{key} IS NOT NULL");
        format!("DELETE FROM {into} WHERE {key} IS NULL OR {key} NOT IN ({kept})")
    }

    fn merge(&self) -> String {
        let Merge { into, key, .. } = self;
        let waiting = waiting(self.dialect);
        let columns = self.columns.join(", ");
        let values: Vec<String> = self.columns.iter().map(|column| format!("s.{column}")).collect();
        let changes = self.changes("");
        format!(
            "MERGE INTO {into} AS p USING {waiting} AS s ON s.{key} = p.{key}\n\
             WHEN MATCHED THEN UPDATE SET {changes}\n\
             WHEN NOT MATCHED THEN INSERT ({columns}) VALUES ({})",
            values.join(", ")
        )
    }

    /// What becomes of each column but the key.
    fn changes(&self, prefix: &str) -> String {
        let others = self.columns.iter().filter(|column| **column != self.key);
        others.map(|column| format!("{prefix}{column} = s.{column}")).collect::<Vec<_>>().join(", ")
    }

    fn update(&self) -> String {
        let Merge { into, key, .. } = self;
        match self.dialect {
            Dialect::MySql => {
                format!("UPDATE {into} AS p JOIN {WAITING} AS s ON s.{key} = p.{key} SET {}", self.changes("p."))
            }
            _ => format!("UPDATE {into} AS p SET {} FROM {WAITING} AS s WHERE s.{key} = p.{key}", self.changes("")),
        }
    }

    fn insert(&self) -> String {
        let Merge { into, key, .. } = self;
        let columns = self.columns.join(", ");
        let values: Vec<String> = self.columns.iter().map(|column| format!("s.{column}")).collect();
        format!(
            "INSERT INTO {into} ({columns}) SELECT {} FROM {WAITING} AS s\n\
             WHERE NOT EXISTS (SELECT 1 FROM {into} AS p WHERE p.{key} = s.{key})",
            values.join(", ")
        )
    }
}
