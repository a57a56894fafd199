//! The second pass: a table is made, and filled by one statement.

use cutline_engine::{EngineError, Place, RewritePlan, Treatment, Unwatched, Watch, Written};
use cutline_remote::{Masking, Server, ServerError, lacking};
use cutline_sql::Dialect;

use crate::engine::Postgres;

const WRITING: &str = "writing the masked table";

pub(crate) fn rewrite(
    engine: &Postgres,
    plan: &RewritePlan,
    place: &Place,
    watch: &dyn Watch,
) -> Result<Written, EngineError> {
    let Place::Table { name } = place else { return Err(place.refused("the records stay in the database")) };
    let masking = Masking::new(engine, plan, watch)?;
    create(engine, plan, name)?;
    let session = engine.session();
    let parameters = masking.luggage.all();
    let names: Vec<&str> =
        plan.columns.iter().map(|output| &engine.opened().columns[output.source].quoted[..]).collect();
    let query = masking.query(engine, plan)?;
    // Rows lie in the order in which they are written, and whoever may read them may ask for it (ctid). It must not be that of the raw
    // table, nor follow from the seed of `random()`, which drawing sets.
    let insert = format!("INSERT INTO {name} ({}) {query} ORDER BY gen_random_uuid()", names.join(", "));
    let records = session.execute(WRITING, watch, &insert, &parameters)?;
    let rare = masking.count_rare(engine);
    let suppressed = rare.map_or(Ok(0), |query| session.count(WRITING, watch, &query, &parameters))?;
    let dropped = lacking(engine, &plan.required, &plan.nulls, watch)?;
    watch.advance(engine.opened().records);
    Ok(Written { place: place.clone(), records, dropped, suppressed, delimiter: None, persons: None })
}

/// Makes the table: columns that are published as they are keep their type, NOT NULL, checks of their own and comments.
fn create(engine: &Postgres, plan: &RewritePlan, table: &str) -> Result<(), EngineError> {
    let details = engine.details();
    let mut definitions = Vec::new();
    let mut comments = String::new();
    for output in &plan.columns {
        let quoted = &engine.opened().columns[output.source].quoted;
        if output.how != Treatment::Keep {
            definitions.push(format!("{quoted} text"));
            continue;
        }
        let column = &details.columns[output.source];
        let not_null = if column.not_null { " NOT NULL" } else { "" };
        definitions.push(format!("{quoted} {}{not_null}", column.declared));
        let checks = details.checks.iter().filter(|(place, _)| *place == output.source);
        definitions.extend(checks.map(|(_, check)| check.clone()));
        if let Some(comment) = &column.comment {
            let comment = Dialect::Postgres.quote_text(comment).map_err(ServerError::from)?;
            comments += &format!("; COMMENT ON COLUMN {table}.{quoted} IS {comment}");
        }
    }
    let create = format!("CREATE TABLE {table} ({}){comments}", definitions.join(", "));
    engine.session().batch(WRITING, &Unwatched, &create)
}
