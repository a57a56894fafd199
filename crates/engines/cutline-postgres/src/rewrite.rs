//! The second pass: a table is made of the masked records by one statement.

use cutline_engine::{EngineError, Place, RewritePlan, Treatment, Unwatched, Watch, Written};
use cutline_remote::{ALIAS, Masking, Server, ServerError, lacking};
use cutline_sql::Dialect;

use crate::engine::Database;

const WRITING: &str = "writing the masked table";

pub(crate) fn rewrite(
    database: &Database,
    plan: &RewritePlan,
    place: &Place,
    watch: &dyn Watch,
) -> Result<Written, EngineError> {
    let Place::Table { name } = place else { return Err(place.refused("the records stay in the database")) };
    let masking = Masking::new(database, plan, watch)?;
    let session = database.session();
    // Unlike an INSERT, this runs on several workers.
    let create = format!("CREATE TABLE {name} AS {} ORDER BY {}", masking.query(database, plan)?, order(database)?);
    let records = session.execute(WRITING, watch, &create, &[])?;
    declare(database, plan, name)?;
    let rare = masking.count_rare(database);
    let suppressed = rare.map_or(Ok(0), |query| session.count(WRITING, watch, &query, &[]))?;
    let dropped = lacking(database, &plan.required, &plan.nulls, watch)?;
    watch.advance(database.opened().records);
    Ok(Written { place: place.clone(), records, dropped, suppressed, delimiter: None, persons: None })
}

/// A random order. Rows lie in the order in which they are written, and whoever may read them may ask for it (ctid). It must not be that
/// of the raw table, nor follow from the seed of `random()`, which drawing sets.
///
/// A number that nobody can guess takes the server 2 µs, longer than to sort a record. So there are three, and each record's key follows
/// from them and from where it lies: a hash that is keyed with a hash that is keyed with a hash. That is no cipher, but there are 192 secret
/// bits, nobody sees anything of a key but which is the larger one, and nothing keeps the numbers but the statement.
fn order(database: &Database) -> Result<String, EngineError> {
    // There is a hash of places since version 14.
    let number = "uuid_hash_extended(gen_random_uuid(), 0)";
    let numbers =
        format!("SELECT {number}, {number}, {number} WHERE current_setting('server_version_num')::int >= 140000");
    let rows = database.session().query(WRITING, &Unwatched, &numbers, &[])?;
    let Some(row) = rows.first().filter(|_| database.details().are_settled()) else {
        return Ok("gen_random_uuid()".to_owned());
    };
    let hashed = |key: String, place: usize| {
        let number: i64 = row.get(place);
        format!("hashtidextended({ALIAS}.ctid, ({number})::bigint # {key})")
    };
    Ok((0..3).fold("0".to_owned(), hashed))
}

/// Columns that are published as they are have their type and collation from the query; here they get back NOT NULL, checks of their own
/// and comments.
fn declare(database: &Database, plan: &RewritePlan, table: &str) -> Result<(), EngineError> {
    let details = database.details();
    let mut changes = Vec::new();
    let mut statements = Vec::new();
    for output in plan.columns.iter().filter(|output| output.how == Treatment::Keep) {
        let (quoted, column) = (&database.opened().columns[output.source].quoted, &details.columns[output.source]);
        if column.not_null {
            changes.push(format!("ALTER COLUMN {quoted} SET NOT NULL"));
        }
        let checks = details.checks.iter().filter(|(place, _)| *place == output.source);
        changes.extend(checks.map(|(_, check)| format!("ADD {check}")));
        if let Some(comment) = &column.comment {
            let comment = Dialect::Postgres.quote_text(comment).map_err(ServerError::from)?;
            statements.push(format!("COMMENT ON COLUMN {table}.{quoted} IS {comment}"));
        }
    }
    if !changes.is_empty() {
        statements.push(format!("ALTER TABLE {table} {}", changes.join(", ")));
    }
    database.session().batch(WRITING, &Unwatched, &statements.join("; "))
}
