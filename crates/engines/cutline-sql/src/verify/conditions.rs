//! Conditions on sensitive values, each as a query that gives the groups that violate it.
//!
//! Conditions come as texts and are understood here anew, as in `cutline-verify`; so is what a sensitive value is. All missing values are
//! one value.

use cutline_model::Condition;

use super::Groups;
use crate::SqlError;
use crate::dialect::Gives;

/// Comparisons of real numbers allow for rounding by this much.
const TOLERANCE: f64 = 1e-9;

/// A statement that fails if a group violates the condition.
pub(super) fn statement(groups: &Groups, condition: &Condition, nulls: &[String]) -> Result<String, SqlError> {
    let text = condition.to_string();
    let refused = || SqlError::Condition(text.clone());
    let arguments = text.split_once('=').map(|(_, arguments)| arguments.trim()).ok_or_else(refused)?;
    let counts = counts(groups, condition.attribute(), nulls)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| refused());
    let violated = match condition.name() {
        "distinct-l" => format!("COUNT(*) < {}", arguments.parse::<u64>().map_err(|_| refused())?),
        "entropy-l" => entropy(groups, number(arguments)?),
        "recursive-l" => {
            let (c, l) = arguments.split_once(',').ok_or_else(refused)?;
            recursive(number(c)?, l.trim().parse().map_err(|_| refused())?)
        }
        "alpha" => format!("MAX(c.records) > {:e} * SUM(c.records)", number(arguments)? + TOLERANCE),
        "bound" => {
            let (value, share) = arguments.rsplit_once("<=").ok_or_else(refused)?;
            bound(groups, value.trim(), number(share)?)?
        }
        "t-close" => t_close(number(arguments)?),
        _ => return Err(refused()),
    };
    let group = group_names(groups).join(", ");
    let violating = format!("SELECT 1 AS violates FROM ({counts}) AS c GROUP BY {group} HAVING {violated}");
    groups.none_of(&violating, &text)
}

/// For each group and sensitive value, the number of records; beside it the value's rank in the group by that number, the group's
/// records, the value's in the whole table, and all.
fn counts(groups: &Groups, attribute: &str, nulls: &[String]) -> Result<String, SqlError> {
    let names = group_names(groups);
    let columns: Vec<String> = groups.by.iter().zip(&names).map(|(by, name)| format!("{by} AS {name}")).collect();
    let columns = columns.join(", ");
    let names = names.join(", ");
    let value = sensitive(groups, attribute, nulls)?;
    let values = format!("SELECT {columns}, {value} AS said FROM {} AS t", groups.table);
    let counted = format!("SELECT {names}, said, COUNT(*) AS records FROM ({values}) AS v GROUP BY {names}, said");
    Ok(format!(
        "SELECT {names}, said, records,\n    \
         ROW_NUMBER() OVER (PARTITION BY {names} ORDER BY records DESC) AS place,\n    \
         SUM(records) OVER (PARTITION BY {names}) AS in_group,\n    \
         SUM(records) OVER (PARTITION BY said) AS in_value,\n    \
         SUM(records) OVER () AS in_all\n  \
         FROM ({counted}) AS n"
    ))
}

fn group_names(groups: &Groups) -> Vec<String> {
    (1..=groups.by.len()).map(|number| format!("g{number}")).collect()
}

/// A sensitive value: the text without blanks around it, NULL if missing.
fn sensitive(groups: &Groups, attribute: &str, nulls: &[String]) -> Result<String, SqlError> {
    let dialect = groups.dialect;
    let column = format!("t.{}", dialect.quote_name(attribute)?);
    let text = dialect.exact(&dialect.trimmed(&dialect.text(&column, Gives::Text)));
    let markers = nulls.iter().map(|null| dialect.quote_text(null.trim())).collect::<Result<Vec<_>, _>>()?;
    let empty = dialect.quote_text("")?;
    let markers: Vec<String> = std::iter::once(empty).chain(markers).collect();
    Ok(format!("CASE WHEN {text} IN ({}) THEN NULL ELSE {text} END", markers.join(", ")))
}

/// −Σ (c/n) ln (c/n) = ln n − (Σ c ln c) / n is less than ln ℓ.
fn entropy(groups: &Groups, l: f64) -> String {
    let ln = groups.dialect.ln();
    let sum = format!("SUM(c.records * {ln}(1e0 * c.records))");
    format!("{ln}(1e0 * SUM(c.records)) - {sum} / SUM(c.records) < {:e}", l.ln() - TOLERANCE)
}

/// The most frequent value has no fewer records than c times those from the ℓ-th on.
fn recursive(c: f64, l: u64) -> String {
    format!("MAX(c.records) >= {c:e} * SUM(CASE WHEN c.place >= {l} THEN c.records ELSE 0 END)")
}

/// The value's share is larger than the bound.
fn bound(groups: &Groups, value: &str, share: f64) -> Result<String, SqlError> {
    let value = groups.dialect.quote_text(value)?;
    let of_value = format!("SUM(CASE WHEN c.said = {value} THEN c.records ELSE 0 END)");
    Ok(format!("{of_value} > {:e} * SUM(c.records)", share + TOLERANCE))
}

/// Half of the differences is their sum where the group's share is the larger one.
fn t_close(t: f64) -> String {
    let excess = "1e0 * c.records / c.in_group - 1e0 * c.in_value / c.in_all";
    format!("SUM(CASE WHEN {excess} > 0 THEN {excess} ELSE 0 END) > {:e}", t + TOLERANCE)
}
