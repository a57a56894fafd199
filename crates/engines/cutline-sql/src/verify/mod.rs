//! Statements that recount a masked table and fail if it does not satisfy its requirement.
//!
//! They know the requirement, the null markers and the table's name, and nothing of how it was masked. Each gives one row that
//! ends with `holds`, or fails and says how many groups violate what.

mod conditions;

use cutline_model::Qid;

use crate::dialect::Gives;
use crate::{Dialect, SqlError, TableName};

/// One statement for every QID, and one for every condition of it.
pub fn statements(
    dialect: Dialect,
    qids: &[Qid],
    nulls: &[String],
    table: &TableName,
) -> Result<Vec<String>, SqlError> {
    let mut statements = Vec::new();
    for qid in qids {
        let groups = Groups::new(dialect, &qid.attributes, table)?;
        statements.push(groups.sizes(qid.k)?);
        for condition in &qid.conditions {
            statements.push(conditions::statement(&groups, condition, nulls)?);
        }
    }
    Ok(statements)
}

/// The groups of one QID in a table.
struct Groups {
    dialect: Dialect,
    /// The table, quoted.
    table: String,
    /// What a group's records share.
    by: Vec<String>,
    /// The attributes, for the statement's result.
    names: String,
}

impl Groups {
    fn new(dialect: Dialect, attributes: &[String], table: &TableName) -> Result<Self, SqlError> {
        let by = attributes.iter().map(|name| {
            let column = format!("t.{}", dialect.quote_name(name)?);
            // As bytes: a collation that takes `a` and `A` for the same would find larger groups than there are.
            Ok(dialect.exact(&dialect.text(&column, Gives::Text)))
        });
        Ok(Groups {
            dialect,
            table: table.quoted(dialect)?,
            by: by.collect::<Result<_, SqlError>>()?,
            names: attributes.join(", "),
        })
    }

    /// Does every group have k records?
    fn sizes(&self, k: u64) -> Result<String, SqlError> {
        let small = format!(
            "SELECT COUNT(*) AS size FROM {} AS t GROUP BY {} HAVING COUNT(*) < {k}",
            self.table,
            self.by.join(", ")
        );
        self.none_of(&small, &format!("k = {k}"))
    }

    /// A statement that fails if the query gives any group. What it says has no values in it.
    fn none_of(&self, violating: &str, rule: &str) -> Result<String, SqlError> {
        let dialect = self.dialect;
        let message = dialect
            .quote_text(&format!("cutline: {rule} does not hold for {}: groups that violate it: ", self.names))?;
        let number = dialect.text("COUNT(*)", Gives::Text);
        let fail = dialect.fail(&dialect.joined(&message, &number), Gives::Text);
        let (qid, rule) = (dialect.quote_text(&self.names)?, dialect.quote_text(rule)?);
        Ok(format!(
            "SELECT {qid} AS qid, {rule} AS requirement,\n  CASE WHEN COUNT(*) = 0 THEN {} ELSE {fail} END AS verdict\n\
             FROM ({violating}) AS violating",
            dialect.quote_text("holds")?
        ))
    }
}
