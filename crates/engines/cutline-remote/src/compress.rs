//! The first pass: GROUP BY cells, count.

use cutline_engine::{CellKind, CompressPlan, Counted, EngineError, Noticed, Watch};
use cutline_sql::{Dialect, SqlError};
use cutline_table::{BlockColumn, RawTable};

use crate::sample::drawing;
use crate::{ALIAS, Groups, Reader, Server, ServerError};

const COUNTING: &str = "counting";

/// Groups the records by the cells of some columns and counts.
pub(crate) fn compress<S: Server>(server: &S, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
    if !plan.coarse.is_empty() {
        let mut counted = crate::compress_all(server, std::slice::from_ref(plan), watch)?;
        return Ok(counted.remove(0));
    }
    let mut wanted = plan.columns.clone();
    let clustered = plan.cluster.as_ref().map_or(&[][..], |(_, cluster)| &cluster.columns);
    for &column in clustered {
        if !wanted.contains(&column) {
            wanted.push(column);
        }
    }
    let mut columns = wanted.iter().map(|&column| &server.opened().columns[column].column);
    if let Some(column) = columns.find(|column| column.cells == CellKind::Binary) {
        return Err(bytes(server, column.name.clone()).into());
    }
    let present = present(server, &plan.required, &plan.nulls)?;
    let query = match tells_records_apart(server, &wanted, watch)? {
        true => drawing(server, &wanted, present.as_deref(), None, None),
        false => groups_of(server, &wanted, present.as_deref()),
    };
    let groups = server.groups(COUNTING, watch, &query, wanted.len())?;
    let dropped = lacking(server, &plan.required, &plan.nulls, watch)?;
    let columns = blocks(server, &groups, &wanted, plan)?;
    let table = RawTable::from_groups(&columns, &groups.counts, dropped)
        .map_err(|_| ServerError::Answer { doing: COUNTING, problem: "the counts are not those of a table" })?;
    let mut noticed = Vec::new();
    for &person in &plan.persons {
        noticed.extend(repeats(server, person, &plan.nulls, watch)?);
    }
    watch.advance(server.opened().records);
    for (column, coded) in wanted.into_iter().zip(groups.columns) {
        server.memory().remember(column, present.as_deref(), coded.cells);
    }
    Ok(Counted { table, noticed })
}

/// Bytes are no values.
pub(crate) fn bytes<S: Server>(server: &S, column: String) -> ServerError {
    let kind = if server.dialect() == Dialect::Postgres { "bytea" } else { "binary" };
    ServerError::Bytes { column, kind }
}

/// The columns of the plan, and the cluster of each group.
fn blocks<S: Server>(
    server: &S,
    groups: &Groups<S::Keys>,
    wanted: &[usize],
    plan: &CompressPlan,
) -> Result<Vec<BlockColumn>, EngineError> {
    let block = |place: usize| {
        let reader = Reader::new(&plan.nulls, server.opened().columns[wanted[place]].column.cells);
        let coded = &groups.columns[place];
        BlockColumn { codes: coded.codes.clone(), texts: coded.cells.values(reader) }
    };
    let mut columns: Vec<BlockColumn> = (0..plan.columns.len()).map(block).collect();
    if let Some((at, cluster)) = &plan.cluster {
        let place = |column: &usize| wanted.iter().position(|other| other == column).unwrap_or_default();
        let cells: Vec<BlockColumn> = cluster.columns.iter().map(|column| block(place(column))).collect();
        let cells: Vec<&BlockColumn> = cells.iter().collect();
        let clusters = cluster.rule.assign(groups.counts.len(), &cells);
        let clusters = clusters.map_err(|error| EngineError::Cluster(error.to_string()))?;
        let names = (0..cluster.rule.clusters()).map(|cluster| Some(cluster.to_string())).collect();
        columns.insert(*at, BlockColumn { codes: clusters, texts: names });
    }
    Ok(columns)
}

/// So many records say whether most have a combination of their own.
const PROBED: u64 = 50_000;

/// Does nearly every record have a combination of cells of its own, in a table that is not too long to be fetched? What comes back is then
/// the same, less the grouping.
pub(crate) fn tells_records_apart<S: Server>(
    server: &S,
    columns: &[usize],
    watch: &dyn Watch,
) -> Result<bool, EngineError> {
    let records = server.opened().records.max(server.memory().records());
    if records <= PROBED || records > S::MOST_FETCHED || columns.is_empty() {
        return Ok(false);
    }
    let some = drawing(server, columns, None, None, None);
    let by: Vec<String> = (0..columns.len()).map(|place| format!("c{place}")).collect();
    let groups = format!("SELECT count(*) AS n FROM ({some} LIMIT {PROBED}) AS f GROUP BY {}", by.join(", "));
    let query =
        format!("SELECT count(*) AS groups, CAST(coalesce(sum(n), 0) AS BIGINT) AS records FROM ({groups}) AS g");
    let row = server.row(COUNTING, watch, &query)?;
    let (groups, records): (u64, u64) = (number(COUNTING, &row, 0)?, number(COUNTING, &row, 1)?);
    Ok(groups * 5 > records * 3)
}

/// Every combination of cells, and how many records have it.
pub(crate) fn groups_of<S: Server>(server: &S, columns: &[usize], present: Option<&str>) -> String {
    let relation = &server.opened().relation;
    let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
    if columns.is_empty() {
        return format!("SELECT count(*) FROM {relation} AS {ALIAS}{filter} HAVING count(*) > 0");
    }
    let cells: Vec<&str> = columns.iter().map(|&column| &server.opened().columns[column].cell[..]).collect();
    let named: Vec<String> = cells.iter().enumerate().map(|(place, cell)| format!("{cell} AS c{place}")).collect();
    let numbers: Vec<String> = (1..=cells.len()).map(|number| number.to_string()).collect();
    let (named, numbers) = (named.join(", "), numbers.join(", "));
    format!("SELECT {named}, count(*) AS n FROM {relation} AS {ALIAS}{filter} GROUP BY {numbers}")
}

/// Tells if values of an identifier repeat.
fn repeats<S: Server>(
    server: &S,
    column: usize,
    nulls: &[String],
    watch: &dyn Watch,
) -> Result<Option<Noticed>, EngineError> {
    let row = server.row(COUNTING, watch, &repeats_query(server, column, nulls)?)?;
    let (records, different) = (number(COUNTING, &row, 0)?, number(COUNTING, &row, 1)?);
    Ok((different < records).then_some(Noticed::Repeats { column, records, different }))
}

/// How many records have a value of a column, and how many values these have.
pub(crate) fn repeats_query<S: Server>(server: &S, column: usize, nulls: &[String]) -> Result<String, EngineError> {
    let value = server.opened().columns[column].value(server.dialect(), nulls).map_err(ServerError::from)?;
    Ok(format!(
        "SELECT CAST(coalesce(sum(n), 0) AS BIGINT) AS records, count(*) AS n FROM (SELECT count(*) AS n FROM {} AS {ALIAS} \
         WHERE ({value}) IS NOT NULL GROUP BY {value}) AS v",
        server.opened().relation
    ))
}

/// A condition that holds for records with a value in every one of these columns; nothing if that is not asked for.
pub(crate) fn present<S: Server>(
    server: &S,
    required: &[usize],
    nulls: &[String],
) -> Result<Option<String>, EngineError> {
    let columns = required.iter().map(|&column| &server.opened().columns[column]);
    let there = columns.map(|column| Ok(format!("({}) IS NOT NULL", column.value(server.dialect(), nulls)?)));
    let there = there.collect::<Result<Vec<_>, SqlError>>().map_err(ServerError::from)?;
    Ok((!there.is_empty()).then(|| there.join(" AND ")))
}

/// How many records lack something that they must have.
pub fn lacking<S: Server>(
    server: &S,
    required: &[usize],
    nulls: &[String],
    watch: &dyn Watch,
) -> Result<u64, EngineError> {
    let Some(present) = present(server, required, nulls)? else { return Ok(0) };
    let relation = &server.opened().relation;
    let query = format!("SELECT count(*) AS n FROM {relation} AS {ALIAS} WHERE NOT ({present})");
    number(COUNTING, &server.row(COUNTING, watch, &query)?, 0)
}

/// A number of a row.
pub(crate) fn number<T: std::str::FromStr>(
    doing: &'static str,
    row: &[Option<String>],
    place: usize,
) -> Result<T, EngineError> {
    let number = row.get(place).and_then(Option::as_deref).and_then(|text| text.parse().ok());
    number.ok_or_else(|| ServerError::Answer { doing, problem: "a count is missing" }.into())
}
