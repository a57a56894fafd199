//! The first pass: GROUP BY cells, count.

use std::collections::HashMap;

use cutline_engine::{CellKind, CompressPlan, Counted, Engine, EngineError, Noticed, Watch};
use cutline_table::{BlockColumn, RawTable};

use crate::cells::{ALIAS, Reader, present};
use crate::engine::Postgres;
use crate::error::PostgresError;
use crate::source::ServerColumn;

const COUNTING: &str = "counting";

/// The distinct cells of a column, as the server wrote them.
#[derive(Default)]
pub(crate) struct Dictionary {
    codes: HashMap<Option<String>, u32>,
    pub(crate) cells: Vec<Option<String>>,
}

impl Dictionary {
    pub(crate) fn code(&mut self, cell: Option<&str>) -> u32 {
        // Nearly all cells were seen before; a look-up by a borrowed text needs a text of its own.
        let cell = cell.map(str::to_owned);
        let next = self.cells.len() as u32;
        *self.codes.entry(cell).or_insert_with_key(|cell| {
            self.cells.push(cell.clone());
            next
        })
    }

    /// What each cell says.
    pub(crate) fn texts(&self, reader: &Reader<'_>) -> Vec<Option<String>> {
        self.cells.iter().map(|cell| reader.value(cell.as_deref()).map(str::to_owned)).collect()
    }
}

/// Groups of records as they come.
struct Groups {
    dictionaries: Vec<Dictionary>,
    codes: Vec<Vec<u32>>,
    counts: Vec<u64>,
}

pub(crate) fn compress(engine: &Postgres, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
    let mut wanted = plan.columns.clone();
    let clustered = plan.cluster.as_ref().map_or(&[][..], |(_, cluster)| &cluster.columns);
    for &column in clustered {
        if !wanted.contains(&column) {
            wanted.push(column);
        }
    }
    let bytes = wanted.iter().map(|&column| &engine.columns()[column]).find(|column| column.cells == CellKind::Binary);
    if let Some(column) = bytes {
        return Err(PostgresError::Bytes(column.name.clone()).into());
    }
    let groups = grouped(engine, &wanted, plan, watch)?;
    let dropped = engine.lacking(&plan.required, &plan.nulls, watch)?;
    let reader = Reader::new(&plan.nulls);
    let texts: Vec<_> = groups.dictionaries.iter().map(|dictionary| dictionary.texts(&reader)).collect();
    let block = |place: usize| BlockColumn { codes: groups.codes[place].clone(), texts: texts[place].clone() };
    let mut columns: Vec<BlockColumn> = (0..plan.columns.len()).map(block).collect();
    if let Some((at, cluster)) = &plan.cluster {
        let place = |column: &usize| wanted.iter().position(|other| other == column).unwrap_or_default();
        let cells: Vec<BlockColumn> = cluster.columns.iter().map(|column| block(place(column))).collect();
        let cells: Vec<&BlockColumn> = cells.iter().collect();
        let clusters = cluster.rule.assign(groups.counts.len(), &cells);
        let clusters = clusters.map_err(|error| EngineError::Cluster(error.to_string()))?;
        let most = clusters.iter().copied().max().unwrap_or_default();
        let names = (0..=most).map(|cluster| Some(cluster.to_string())).collect();
        columns.insert(*at, BlockColumn { codes: clusters, texts: names });
    }
    let table = RawTable::from_groups(&columns, &groups.counts, dropped)
        .map_err(|_| PostgresError::Answer { doing: COUNTING, problem: "the counts are not those of a table" })?;
    let mut noticed = Vec::new();
    for &person in &plan.persons {
        noticed.extend(repeats(engine, person, &plan.nulls, watch)?);
    }
    watch.advance(engine.opened().records);
    for (column, dictionary) in wanted.into_iter().zip(groups.dictionaries) {
        engine.remember(column, dictionary.cells);
    }
    Ok(Counted { table, noticed })
}

fn grouped(
    engine: &Postgres,
    columns: &[usize],
    plan: &CompressPlan,
    watch: &dyn Watch,
) -> Result<Groups, EngineError> {
    let present = engine.present(&plan.required, &plan.nulls)?;
    let cells: Vec<String> = columns.iter().map(|&column| engine.opened().columns[column].cell()).collect();
    let query = groups_of(&cells, &engine.opened().relation, present.as_deref());
    let mut groups = Groups {
        dictionaries: columns.iter().map(|_| Dictionary::default()).collect(),
        codes: vec![Vec::new(); columns.len()],
        counts: Vec::new(),
    };
    engine.session().counted_rows(COUNTING, watch, &query, |cells, count| {
        for ((dictionary, codes), cell) in groups.dictionaries.iter_mut().zip(&mut groups.codes).zip(cells) {
            codes.push(dictionary.code(cell.as_deref()));
        }
        groups.counts.push(count);
    })?;
    Ok(groups)
}

/// Every combination of cells, and how many records have it.
fn groups_of(cells: &[String], relation: &str, present: Option<&str>) -> String {
    let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
    if cells.is_empty() {
        return format!("SELECT count(*) FROM {relation} AS {ALIAS}{filter} HAVING count(*) > 0");
    }
    let numbers: Vec<String> = (1..=cells.len()).map(|number| number.to_string()).collect();
    let (cells, numbers) = (cells.join(", "), numbers.join(", "));
    format!("SELECT {cells}, count(*) FROM {relation} AS {ALIAS}{filter} GROUP BY {numbers}")
}

/// Tells if values of an identifier repeat.
fn repeats(
    engine: &Postgres,
    column: usize,
    nulls: &[String],
    watch: &dyn Watch,
) -> Result<Option<Noticed>, EngineError> {
    let value = engine.opened().columns[column].value(nulls).map_err(PostgresError::from)?;
    let query = format!(
        "SELECT coalesce(sum(n), 0)::bigint, count(*) FROM (SELECT count(*) AS n FROM {} AS {ALIAS} WHERE ({value}) IS NOT NULL GROUP BY {value}) AS v",
        engine.opened().relation
    );
    let rows = engine.session().query(COUNTING, watch, &query, &[])?;
    let (records, different) = rows.first().map_or((0, 0), |row| (row.get::<_, i64>(0), row.get::<_, i64>(1)));
    let repeats = || Noticed::Repeats { column, records: records as u64, different: different as u64 };
    Ok((different < records).then(repeats))
}

impl Postgres {
    /// The condition for records that lack nothing of what they must have.
    pub(crate) fn present(&self, required: &[usize], nulls: &[String]) -> Result<Option<String>, EngineError> {
        let columns: Vec<&ServerColumn> = required.iter().map(|&column| &self.opened().columns[column]).collect();
        Ok(present(&columns, nulls).map_err(PostgresError::from)?)
    }

    /// How many records lack something that they must have.
    pub(crate) fn lacking(&self, required: &[usize], nulls: &[String], watch: &dyn Watch) -> Result<u64, EngineError> {
        let Some(present) = self.present(required, nulls)? else { return Ok(0) };
        let query = format!("SELECT count(*) FROM {} AS {ALIAS} WHERE NOT ({present})", self.opened().relation);
        self.session().count(COUNTING, watch, &query, &[])
    }
}
