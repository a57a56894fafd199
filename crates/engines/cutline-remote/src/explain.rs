//! The statements that a release would send, and how many rows come back.

use cutline_engine::{CompressPlan, EngineError, ExplainPlan, OutputColumn, Rows, Statement, Treatment, Watch};

use crate::compress::{groups_of, number, present, repeats_query, tells_records_apart};
use crate::sample::drawing;
use crate::{ALIAS, Server, ServerError};

const EXPLAINING: &str = "explaining";

/// Explains a release. One statement is sent for it: how many combinations there are, and how many records.
pub(crate) fn explain<S: Server>(
    server: &S,
    plan: &ExplainPlan,
    watch: &dyn Watch,
) -> Result<Vec<Statement>, EngineError> {
    let compress = &plan.compress;
    let present = present(server, &compress.required, &compress.nulls)?;
    let counted = groups_of(server, &compress.columns, present.as_deref());
    let (groups, records) = combinations(server, compress, watch)?;
    let mut statements = match plan.most.is_some_and(|most| groups > most) {
        false if tells_records_apart(server, &compress.columns, watch)? => {
            let text = drawing(server, &compress.columns, present.as_deref(), None, None);
            vec![statement(
                "fetch the combinations of values, which most records do not share",
                &text,
                Rows::Exactly(records),
            )]
        }
        false => vec![statement("count the combinations of values", &counted, Rows::Exactly(groups))],
        true => small(server, plan, groups, present.as_deref()),
    };
    for &person in &compress.persons {
        let text = repeats_query(server, person, &compress.nulls)?;
        statements.push(statement("see whether an identifier repeats", &text, Rows::Exactly(1)));
    }
    statements.push(look(server, plan, present.as_deref(), records)?);
    let write = rewrite(server, &plan.columns, present.as_deref());
    statements.push(statement("write the masked records aside", &write, Rows::None));
    for (columns, k) in &plan.qids {
        let text = recount(server, columns);
        statements.push(statement("recount what was written", &text, Rows::AtMost(records / k.max(&1))));
    }
    Ok(statements)
}

/// Are there more than so many combinations of cells? Not if there are no more records, which are counted sooner.
pub(crate) fn exceeds<S: Server>(
    server: &S,
    plan: &CompressPlan,
    most: u64,
    watch: &dyn Watch,
) -> Result<bool, EngineError> {
    let relation = &server.opened().relation;
    let row = server.row(EXPLAINING, watch, &format!("SELECT count(*) AS n FROM {relation} AS {ALIAS}"))?;
    let records = number(EXPLAINING, &row, 0)?;
    server.memory().remember_records(records);
    Ok(records > most && about(server, plan, watch)? > most)
}

/// Of the combinations one in so many is counted, by their hashes: to group all of them takes longest of all.
const COUNTED: u64 = 64;

/// About how many combinations of cells there are. Of two million, one in 64 tells the number to less than a percent.
fn about<S: Server>(server: &S, plan: &CompressPlan, watch: &dyn Watch) -> Result<u64, EngineError> {
    let cells: Vec<&str> = plan.columns.iter().map(|&column| &server.opened().columns[column].cell[..]).collect();
    let Some(hash) = server.hash(&cells)? else { return Ok(combinations(server, plan, watch)?.0) };
    let few = format!("({hash} & {}) = 0", COUNTED - 1);
    let present = present(server, &plan.required, &plan.nulls)?;
    let filter = present.map_or(few.clone(), |present| format!("{present} AND {few}"));
    let groups = groups_of(server, &plan.columns, Some(&filter));
    let row = server.row(EXPLAINING, watch, &format!("SELECT count(*) AS groups FROM ({groups}) AS g"))?;
    Ok(number::<u64>(EXPLAINING, &row, 0)? * COUNTED)
}

/// How many combinations of cells there are, and how many records.
fn combinations<S: Server>(server: &S, plan: &CompressPlan, watch: &dyn Watch) -> Result<(u64, u64), EngineError> {
    let present = present(server, &plan.required, &plan.nulls)?;
    let counted = groups_of(server, &plan.columns, present.as_deref());
    let size =
        format!("SELECT count(*) AS groups, CAST(coalesce(sum(n), 0) AS BIGINT) AS records FROM ({counted}) AS g");
    let row = server.row(EXPLAINING, watch, &size)?;
    let (groups, records) = (number(EXPLAINING, &row, 0)?, number(EXPLAINING, &row, 1)?);
    server.memory().remember_records(records);
    Ok((groups, records))
}

/// Counts that stay small, in place of all combinations.
fn small<S: Server>(server: &S, plan: &ExplainPlan, groups: u64, present: Option<&str>) -> Vec<Statement> {
    let masked = |output: &&OutputColumn| matches!(output.how, Treatment::Mask(_));
    let quasi: Vec<usize> = plan.columns.iter().filter(masked).map(|output| output.source).collect();
    let label = plan.compress.columns.get(quasi.len());
    let alone = |&column: &usize| {
        let columns: Vec<usize> = [column].into_iter().chain(label.copied()).collect();
        statement("count an attribute by itself", &groups_of(server, &columns, present), Rows::AtMost(groups))
    };
    let mut statements: Vec<Statement> = quasi.iter().map(alone).collect();
    let cell = |&column: &usize| format!("<cell of {}>", server.opened().columns[column].quoted);
    let cells: Vec<String> = quasi.iter().map(cell).collect();
    let (number, relation) = (cells.join(" + … * "), &server.opened().relation);
    let by_cells = format!("SELECT {number} AS c0, count(*) AS n FROM {relation} AS {ALIAS} GROUP BY 1");
    let deeper = "count groups by labels with some attributes a step finer, and again where the search goes deeper";
    statements.push(statement(deeper, &by_cells, Rows::ByGroup));
    statements.push(statement("count groups by their final labels", &by_cells, Rows::ByGroup));
    statements
}

fn statement(what: &str, text: &str, rows: Rows) -> Statement {
    Statement { what: what.to_owned(), text: text.to_owned(), rows }
}

/// What is drawn, or what is counted in place of it.
fn look<S: Server>(
    server: &S,
    plan: &ExplainPlan,
    present: Option<&str>,
    records: u64,
) -> Result<Statement, EngineError> {
    let (relation, all) = (&server.opened().relation, &server.opened().columns);
    let published = plan.columns.iter().map(|output| output.source);
    let drawn: Vec<usize> = published.filter(|&source| all[source].column.has_values()).collect();
    let Some(most) = plan.drawn else {
        let values = drawn.iter().map(|&source| all[source].value(server.dialect(), &plan.compress.nulls));
        let values: Vec<String> = values.collect::<Result<_, _>>().map_err(ServerError::from)?;
        let text =
            format!("SELECT <counts and lengths> FROM (SELECT {} FROM {relation} AS {ALIAS})", values.join(", "));
        return Ok(statement("look at columns by counts", &text, Rows::Exactly(1)));
    };
    let text = drawing(server, &drawn, present, Some(("<random>", most)), None);
    Ok(statement("draw records to look at", &text, Rows::AtMost(records.min(most as u64))))
}

/// The labels are known when the search is done.
fn rewrite<S: Server>(server: &S, columns: &[OutputColumn], present: Option<&str>) -> String {
    let all = &server.opened().columns;
    let cell = |output: &OutputColumn| {
        let column = &all[output.source];
        match output.how {
            Treatment::Keep => column.name(),
            Treatment::Mask(_) => format!("m{}.label AS {}", output.source, column.quoted),
            Treatment::Tokenize(_) => format!("<token of {}> AS {0}", column.quoted),
            Treatment::Shift(_) => format!("<moved dates of {}> AS {0}", column.quoted),
        }
    };
    let join = |output: &&OutputColumn| {
        let column = &all[output.source];
        let alias = format!("m{}", output.source);
        format!(" LEFT JOIN <labels of {}> AS {alias} ON {alias}.cell = {}", column.quoted, column.cell)
    };
    let cells: Vec<String> = columns.iter().map(cell).collect();
    let joins = columns.iter().filter(|output| matches!(output.how, Treatment::Mask(_))).map(|output| join(&output));
    let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
    let (relation, joins) = (&server.opened().relation, joins.collect::<String>());
    format!(
        "CREATE TABLE <aside> AS SELECT {} FROM {relation} AS {ALIAS}{joins}{filter} ORDER BY <random>",
        cells.join(", ")
    )
}

fn recount<S: Server>(server: &S, columns: &[usize]) -> String {
    let names = columns.iter().map(|&column| server.exact(&format!("t.{}", server.opened().columns[column].quoted)));
    let numbers: Vec<String> = (1..=columns.len()).map(|number| number.to_string()).collect();
    format!(
        "SELECT {}, count(*) FROM <aside> AS t GROUP BY {}",
        names.collect::<Vec<_>>().join(", "),
        numbers.join(", ")
    )
}
