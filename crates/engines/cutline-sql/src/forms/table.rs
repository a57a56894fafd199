//! A table of its own.

use super::{staging, verification};
use crate::mapping::Scope;
use crate::mask::Query;
use crate::plan::Plan;
use crate::script::Phase;
use crate::{Dialect, SqlError, Statements, TableName};

/// The table is made and verified in one transaction; where that does not take back a table, it gets its name when it is verified.
pub(super) fn statements(plan: &Plan<'_>) -> Result<Statements, SqlError> {
    let dialect = plan.dialect();
    let query = Query::new(plan, Scope::Temporary)?;
    let (hidden, one_transaction) = match dialect.undoes_definitions() {
        true => (plan.request.into.clone(), true),
        false => (staging(plan), false),
    };
    let mut script = Statements::new(dialect, plan.notes.clone());
    if one_transaction {
        script.push(Phase::Mask, dialect.begin());
    }
    script.extend(Phase::Mask, query.before.clone());
    let name = hidden.quoted(dialect)?;
    script.push(
        Phase::Mask,
        match dialect {
            Dialect::Tsql => query.text(Some(&name)),
            _ => format!("CREATE TABLE {name} AS\n{}", query.text(None)),
        },
    );
    script.extend(Phase::Verify, verification(plan, &hidden)?);
    match one_transaction {
        true => script.push(Phase::Publish, dialect.commit()),
        false => script.push(Phase::Publish, rename(dialect, &hidden, &plan.request.into)?),
    }
    script.extend(Phase::Publish, query.after);
    Ok(script)
}

/// Gives a table its name. None of the servers replaces a table that has it already.
fn rename(dialect: Dialect, from: &TableName, to: &TableName) -> Result<String, SqlError> {
    let old = from.quoted(dialect)?;
    let new = match dialect {
        // It stays in its dataset.
        Dialect::BigQuery => dialect.quote_name(to.last())?,
        _ => to.quoted(dialect)?,
    };
    Ok(format!("ALTER TABLE {old} RENAME TO {new}"))
}
