//! A view on the table.

use super::{staging, verification};
use crate::mapping::Scope;
use crate::mask::Query;
use crate::plan::Plan;
use crate::script::Phase;
use crate::{SqlError, Statements};

/// The view is made and verified in one transaction; where that does not take back a view, another one is verified before.
pub(super) fn statements(plan: &Plan<'_>) -> Result<Statements, SqlError> {
    let dialect = plan.dialect();
    let query = Query::new(plan, Scope::Inside)?.text(None);
    let into = plan.request.into.quoted(dialect)?;
    let mut script = Statements::new(dialect, plan.notes.clone());
    if dialect.undoes_definitions() {
        script.push(Phase::Mask, dialect.begin());
        script.push(Phase::Mask, format!("CREATE VIEW {into} AS\n{query}"));
        script.extend(Phase::Verify, verification(plan, &plan.request.into)?);
        script.push(Phase::Publish, dialect.commit());
    } else {
        let staging = staging(plan);
        let hidden = staging.quoted(dialect)?;
        script.push(Phase::Mask, format!("CREATE VIEW {hidden} AS\n{query}"));
        script.extend(Phase::Verify, verification(plan, &staging)?);
        script.push(Phase::Publish, format!("CREATE VIEW {into} AS\n{query}"));
        script.push(Phase::Publish, format!("DROP VIEW {hidden}"));
    }
    Ok(script)
}
