//! The second pass: a table is made of the masked records by one statement.

use cutline_engine::{EngineError, Place, RewritePlan, Unwatched, Watch, Written};
use cutline_remote::{MARK, Masking, Server, ServerError, lacking};
use cutline_sql::Dialect;
use uuid::Uuid;

use crate::engine::Cluster;
use crate::proto::Operation;
use crate::source::files;

/// What a folder of Parquet files where the cluster writes is called.
pub(crate) const PATH: &str = "a path of the cluster";

const WRITING: &str = "writing the masked table";

pub(crate) fn rewrite(
    cluster: &Cluster,
    plan: &RewritePlan,
    place: &Place,
    watch: &dyn Watch,
) -> Result<Written, EngineError> {
    let written = written(place)?;
    let masking = Masking::new(cluster, plan, watch)?;
    let query = format!("{} {}", masking.query(cluster, plan)?, order(cluster));
    let operation = match place {
        Place::Other { location, .. } => Operation::write_parquet(location, &query),
        _ => {
            let mark = Dialect::Spark.quote_text(MARK).map_err(ServerError::from)?;
            Operation::statement(&format!("CREATE TABLE {written} USING parquet COMMENT {mark} AS {query}"))
        }
    };
    cluster.session().run(WRITING, watch, operation)?;
    let count = |query: &str| count(cluster, query, watch);
    let records = count(&format!("SELECT count(*) AS n FROM {written}"))?;
    let suppressed = masking.count_rare(cluster).map_or(Ok(0), |query| count(&query))?;
    let dropped = lacking(cluster, &plan.required, &plan.nulls, watch)?;
    watch.advance(cluster.opened().records);
    Ok(Written { place: place.clone(), records, dropped, suppressed, delimiter: None, persons: None })
}

/// A random order: records lie in files in the order in which they are written, and it must not be that of the raw table.
///
/// Each record goes to a part by chance, and is sorted by chance there. To sort all of them a cluster would look at the records twice, to
/// find out first where parts begin. Sail knows no other way.
fn order(cluster: &Cluster) -> String {
    let seed = || Uuid::new_v4().as_u64_pair().0 >> 1;
    let parts = "SELECT 1 AS n DISTRIBUTE BY rand(1) SORT BY rand(2)";
    match cluster.session().query(WRITING, &Unwatched, parts, |_| Ok(())) {
        Ok(()) => format!("DISTRIBUTE BY rand({}) SORT BY rand({})", seed(), seed()),
        Err(_) => "ORDER BY uuid()".to_owned(),
    }
}

/// What a place is called in statements.
pub(crate) fn written(place: &Place) -> Result<String, EngineError> {
    match place {
        Place::Table { name } => Ok(name.clone()),
        Place::Other { system, location, .. } if system == PATH => Ok(files(location)?),
        place => Err(place.refused("the records stay on the cluster")),
    }
}

fn count(cluster: &Cluster, query: &str, watch: &dyn Watch) -> Result<u64, EngineError> {
    let row = cluster.row(WRITING, watch, query)?;
    let count = row.first().and_then(Option::as_deref).and_then(|count| count.parse().ok());
    count.ok_or_else(|| ServerError::Answer { doing: WRITING, problem: "a count is missing" }.into())
}
