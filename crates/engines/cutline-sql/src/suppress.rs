//! Records of groups that are too small, found by the statement itself: `Suppressor` of `cutline-table` for one QID without conditions.

use cutline_model::Share;
use cutline_model::recoding::TOP;

use crate::SqlError;
use crate::dialect::Gives;
use crate::plan::{Column, Plan};

/// How suppressed records are found, and what becomes of them.
pub(crate) struct Suppress<'a> {
    /// The QID.
    pub(crate) attributes: Vec<&'a str>,
    pub(crate) k: u64,
    /// The largest share of records that may be suppressed.
    pub(crate) limit: Share,
    /// Do they become `*`? If they are too few to be a group, they are left out all the same.
    pub(crate) mask: bool,
}

impl Suppress<'_> {
    /// The size of every record's group, then how many records are suppressed altogether.
    pub(crate) fn steps(&self, plan: &Plan<'_>, columns: &str) -> Result<Vec<String>, SqlError> {
        let quoted = |name: &&str| plan.dialect().quote_name(name).map(|name| format!("t.{name}"));
        let group = self.attributes.iter().map(quoted).collect::<Result<Vec<_>, _>>()?.join(", ");
        let rare = format!("SUM(CASE WHEN t.cutline_size < {} THEN 1 ELSE 0 END) OVER ()", self.k);
        let counted = format!(
            "SELECT {columns}, COUNT(*) OVER (PARTITION BY {group}) AS cutline_size\n  FROM cutline_masked AS t"
        );
        let judged = format!(
            "SELECT {columns}, t.cutline_size,\n    {rare} AS cutline_rare, COUNT(*) OVER () AS cutline_records\n  FROM cutline_counted AS t"
        );
        Ok(vec![format!("cutline_counted AS (\n  {counted}\n)"), format!("cutline_judged AS (\n  {judged}\n)")])
    }

    /// The columns of published records.
    pub(crate) fn columns(&self, plan: &Plan<'_>) -> Result<String, SqlError> {
        let dialect = plan.dialect();
        let column = |column: &Column<'_>| {
            let name = dialect.quote_name(column.name)?;
            let top = dialect.quote_text(TOP)?;
            Ok(match &column.masked {
                Some(_) if self.mask => {
                    let label = format!("CASE WHEN t.cutline_size < {} THEN {top} ELSE t.{name} END", self.k);
                    format!("{} AS {name}", dialect.exact(&label))
                }
                _ => format!("t.{name}"),
            })
        };
        Ok(plan.columns.iter().map(column).collect::<Result<Vec<_>, SqlError>>()?.join(", "))
    }

    /// 1 for records that are published; if more are suppressed than the limit allows, the statement fails.
    pub(crate) fn published(&self, plan: &Plan<'_>) -> Result<String, SqlError> {
        let dialect = plan.dialect();
        // As `Share::of`, which rounds up what floating point has made a little less than a whole number.
        let limit = format!("{:e} * t.cutline_records", self.limit.get() * (1.0 + 1e-9));
        let message = dialect.quote_text("cutline: more records must be suppressed than allowed: ")?;
        let message = dialect.joined(&message, &dialect.text("t.cutline_rare", Gives::Text));
        let fail = dialect.fail(&message, Gives::Number);
        let together = if self.mask { format!(" OR t.cutline_rare >= {}", self.k) } else { String::new() };
        let kept = format!("WHEN t.cutline_size >= {}{together} THEN 1", self.k);
        Ok(format!("CASE WHEN t.cutline_rare > {limit} THEN {fail} {kept} ELSE 0 END"))
    }
}
