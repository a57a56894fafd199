//! The query that gives the masked table, one step after the other:
//!
//! | step | its columns |
//! | --- | --- |
//! | `cutline_values` | values without blanks around them, NULL where missing; without records that lack a required one |
//! | `cutline_numbers` | numbers in place of the values that are numbers |
//! | `cutline_masked` | labels in place of values |
//! | `cutline_counted`, `cutline_judged` | how many records share them, where records may be suppressed |

use crate::cell;
use crate::dialect::Gives;
use crate::label::{label, mapping, message};
use crate::mapping::{Mapping, Scope};
use crate::plan::{Column, Masked, Plan};
use crate::{Dialect, SqlError};

/// The query for the masked table and what it needs.
pub(crate) struct Query {
    /// Statements that make the tables it looks at.
    pub(crate) before: Vec<String>,
    /// The named steps, each in the form `name AS (query)`.
    steps: Vec<String>,
    /// The columns of the masked table.
    columns: String,
    /// The last step, and which of its records are published.
    from: String,
    /// Statements that remove those tables.
    pub(crate) after: Vec<String>,
}

impl Query {
    pub(crate) fn new(plan: &Plan<'_>, place: Scope) -> Result<Self, SqlError> {
        let dialect = plan.dialect();
        let lookups = Lookups::new(plan, place)?;
        let mut steps = lookups.steps;
        let table = format!("{} AS t{}", plan.request.table.quoted(dialect)?, required(plan)?);
        steps.push(step("cutline_values", &values(plan)?, &table));
        steps.push(step("cutline_numbers", &numbers(plan)?, "cutline_values AS t"));
        steps.push(step("cutline_masked", &labels(plan)?, &format!("cutline_numbers AS t{}", lookups.joins)));
        let names = plan.columns.iter().map(|column| dialect.quote_name(column.name)).collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> = names.iter().map(|name| format!("t.{name}")).collect();
        let (columns, from) = match &plan.suppress {
            None => (names.join(", "), "cutline_masked AS t".to_owned()),
            Some(suppress) => {
                steps.extend(suppress.steps(plan, &names.join(", "))?);
                (suppress.columns(plan)?, format!("cutline_judged AS t\nWHERE {} = 1", suppress.published(plan)?))
            }
        };
        Ok(Query { before: lookups.before, steps, columns, from, after: lookups.after })
    }

    /// The query; SQL Server wants to know in the midst of it which table to make.
    pub(crate) fn text(&self, into: Option<&str>) -> String {
        let into = into.map(|into| format!("\nINTO {into}")).unwrap_or_default();
        format!("WITH {}\nSELECT {}{into}\nFROM {}", self.steps.join(",\n"), self.columns, self.from)
    }
}

fn step(name: &str, columns: &[String], from: &str) -> String {
    format!("{name} AS (\n  SELECT {}\n  FROM {from}\n)", columns.join(",\n    "))
}

/// The tables in which labels of attributes with many values are looked up.
#[derive(Default)]
struct Lookups {
    before: Vec<String>,
    after: Vec<String>,
    steps: Vec<String>,
    joins: String,
}

impl Lookups {
    fn new(plan: &Plan<'_>, place: Scope) -> Result<Self, SqlError> {
        let dialect = plan.dialect();
        let mut lookups = Lookups::default();
        for (number, (column, mapping)) in mapped(plan).enumerate() {
            let number = number + 1;
            let name = match place {
                Scope::Inside => format!("cutline_labels_{number}"),
                Scope::Temporary => Mapping::name(dialect, number),
            };
            match place {
                Scope::Inside => lookups.steps.push(format!("{name} AS (\n  {}\n)", mapping.query(dialect)?)),
                Scope::Temporary => {
                    lookups.before.extend(mapping.create(dialect, number)?);
                    lookups.after.push(Mapping::drop(dialect, number));
                }
            }
            let (value, column) = (format!("m{number}.cutline_value"), dialect.quote_name(column)?);
            lookups.joins += &format!("\n  LEFT JOIN {name} AS m{number} ON {} = t.{column}", dialect.exact(&value));
        }
        Ok(lookups)
    }
}

/// The masked columns with too many values for a CASE.
fn mapped<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = (&'p str, Mapping)> {
    plan.masked().filter_map(|(name, masked)| Some((name, mapping(masked)?)))
}

/// Only records that have a value in every required column, whether that is published or not.
fn required(plan: &Plan<'_>) -> Result<String, SqlError> {
    let dialect = plan.dialect();
    let has_value = |name: &String| {
        let cell = format!("t.{}", dialect.quote_name(name)?);
        Ok(format!("{} IS NOT NULL", cell::value(dialect, &cell, &plan.recoding.null, Gives::Text)?))
    };
    let conditions = plan.recoding.required.iter().map(has_value).collect::<Result<Vec<String>, SqlError>>()?;
    if conditions.is_empty() { Ok(String::new()) } else { Ok(format!("\n  WHERE {}", conditions.join("\n    AND "))) }
}

fn values(plan: &Plan<'_>) -> Result<Vec<String>, SqlError> {
    each(plan, |dialect, quoted, _, masked| {
        let will_be = if masked.recoding.reads_numbers() { Gives::Number } else { Gives::Text };
        cell::value(dialect, quoted, &plan.recoding.null, will_be)
    })
}

fn numbers(plan: &Plan<'_>) -> Result<Vec<String>, SqlError> {
    each(plan, |dialect, quoted, name, masked| match masked.recoding.reads_numbers() {
        true => Ok(cell::number(dialect, quoted, &message(dialect, name, "is not a number")?)),
        false => Ok(quoted.to_owned()),
    })
}

fn labels(plan: &Plan<'_>) -> Result<Vec<String>, SqlError> {
    let mapped: Vec<&str> = mapped(plan).map(|(name, _)| name).collect();
    each(plan, |dialect, quoted, name, masked| {
        let number = mapped.iter().position(|other| *other == name);
        let found = number.map(|number| format!("m{}.cutline_label", number + 1));
        label(dialect, (name, masked), quoted, found.as_deref())
    })
}

/// An expression for every published column: `masked` gives those of masked ones, the others stay as they are.
fn each(
    plan: &Plan<'_>,
    masked: impl Fn(Dialect, &str, &str, &Masked<'_>) -> Result<String, SqlError>,
) -> Result<Vec<String>, SqlError> {
    let dialect = plan.dialect();
    let column = |column: &Column<'_>| {
        let name = dialect.quote_name(column.name)?;
        // With the table's name in front: SQLite takes a quoted name that is no column for a text.
        let quoted = format!("t.{name}");
        let expression = match &column.masked {
            Some(how) => masked(dialect, &quoted, column.name, how)?,
            None => quoted,
        };
        Ok(format!("{expression} AS {name}"))
    };
    plan.columns.iter().map(column).collect()
}
