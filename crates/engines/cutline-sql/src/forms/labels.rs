//! Rules for PostgreSQL Anonymizer: a masking function for every masked column, and a `SECURITY LABEL` that names it.
//!
//! A rule must keep its column's type, so discretized columns must be texts in the server. Rules say nothing about groups: the
//! verification recounts the table as a masked role sees it.

use crate::cell;
use crate::dialect::Gives;
use crate::label::{label, mapping, message};
use crate::plan::{Masked, Plan};
use crate::script::Phase;
use crate::{Dialect, SqlError, Statements};

const DIALECT: Dialect = Dialect::Postgres;

pub(super) fn statements(plan: &Plan<'_>) -> Result<Statements, SqlError> {
    // A schema is in nothing but the database.
    let schema = DIALECT.quote_name(plan.request.into.last())?;
    let table = plan.request.table.quoted(DIALECT)?;
    let mut script = Statements::new(DIALECT, plan.notes.clone());
    script.notes.push("columns with rules must be texts in the server: a rule keeps its column's type".to_owned());
    script.notes.push("run the verification as a masked role, and again when the table has changed".to_owned());
    script.push(Phase::Mask, DIALECT.begin());
    script.push(Phase::Mask, format!("CREATE SCHEMA {schema}"));
    script.push(Phase::Mask, format!("SECURITY LABEL FOR anon ON SCHEMA {schema} IS 'TRUSTED'"));
    for (name, masked) in plan.masked() {
        let column = DIALECT.quote_name(name)?;
        let function = format!("{schema}.{column}");
        script.push(Phase::Mask, masking_function(plan, &function, name, masked)?);
        let rule = DIALECT.quote_text(&format!("MASKED WITH FUNCTION {function}({column})"))?;
        script.push(Phase::Mask, format!("SECURITY LABEL FOR anon ON COLUMN {table}.{column} IS {rule}"));
    }
    for name in plan.recoding.identifiers.keys() {
        let column = DIALECT.quote_name(name)?;
        let rule = "MASKED WITH VALUE NULL";
        script.push(Phase::Mask, format!("SECURITY LABEL FOR anon ON COLUMN {table}.{column} IS '{rule}'"));
    }
    script.push(Phase::Publish, DIALECT.commit());
    script.extend(Phase::Verify, super::verification(plan, &plan.request.table)?);
    Ok(script)
}

/// A function from the text of a cell to its label. Its body is a literal, so that no value can end it.
fn masking_function(plan: &Plan<'_>, name: &str, column: &str, masked: &Masked<'_>) -> Result<String, SqlError> {
    let will_be = if masked.recoding.reads_numbers() { Gives::Number } else { Gives::Text };
    let value = cell::value(DIALECT, "cell", &plan.recoding.null, will_be)?;
    let seen = match masked.recoding.reads_numbers() {
        true => cell::number(DIALECT, "t.value", &message(DIALECT, column, "is not a number")?),
        false => "t.value".to_owned(),
    };
    let mapping = mapping(masked);
    let found = mapping.as_ref().map(|_| "m.cutline_label");
    let joined = match &mapping {
        Some(mapping) => format!(" LEFT JOIN ({}) AS m ON m.cutline_value = t.value", mapping.query(DIALECT)?),
        None => String::new(),
    };
    let label = label(DIALECT, (column, masked), "t.value", found)?;
    let body = format!("SELECT {label} FROM (SELECT {seen} AS value FROM (SELECT {value} AS value) AS t) AS t{joined}");
    let body = DIALECT.quote_text(&body)?;
    Ok(format!("CREATE FUNCTION {name}(cell TEXT) RETURNS TEXT LANGUAGE SQL STABLE AS {body}"))
}
