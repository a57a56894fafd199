//! Groups by cells of values: several GROUP BYs in one look at the table.
//!
//! ```text
//!   SELECT w.n, CASE w.n WHEN 0 THEN g.fine_a ELSE g.coarse_a END, …, sum(g.n)
//!   FROM (SELECT fine(a), coarse(a), …, count(*) AS n FROM table JOIN (cell of each value of a) … GROUP BY …) AS g,
//!        (SELECT 0 AS n UNION ALL SELECT 1 …) AS w GROUP BY …
//! ```
//!
//! Records are counted once, by everything that a plan asks for; the plans are made of these counts, which are far fewer.
//! The cells of all distinct values go there, as labels do when records are masked; what comes back are cells and counts.

use std::collections::{BTreeMap, BTreeSet};

use cutline_engine::{Coarse, CompressPlan, Counted, EngineError, Watch};
use cutline_table::{BlockColumn, RawTable};

use crate::compress::{lacking, present};
use crate::labels::{Labels, distinct};
use crate::{ALIAS, Coded, Groups, Reader, Server, ServerColumn, ServerError};

const COUNTING: &str = "counting";

/// Groups the records by several plans at once: by cells of columns, or by their values.
pub(crate) fn compress_all<S: Server>(
    server: &S,
    plans: &[CompressPlan],
    watch: &dyn Watch,
) -> Result<Vec<Counted>, EngineError> {
    let Some(first) = plans.first().filter(|_| plans.iter().any(|plan| !plan.coarse.is_empty())) else {
        return plans.iter().map(|plan| crate::compress(server, plan, watch)).collect();
    };
    let present = present(server, &first.required, &first.nulls)?;
    let mut slots = Slots::default();
    for (number, plan) in plans.iter().enumerate() {
        for (place, &column) in plan.columns.iter().enumerate() {
            slots.add(server, (number, column), plan.coarse.get(&place), &plan.nulls, watch)?;
        }
    }
    let query = slots.query(server, plans.len(), present.as_deref());
    let groups = server.groups(COUNTING, watch, &query, slots.by_column.len() + 1)?;
    let dropped = lacking(server, &first.required, &first.nulls, watch)?;
    watch.advance(server.opened().records);
    let which = numbers(&groups.columns[0])?;
    let counted = plans.iter().enumerate().map(|(number, plan)| {
        let rows: Vec<usize> = (0..which.len()).filter(|&row| which[row] == number as u32).collect();
        slots.counted(server, plan, &groups, &rows, dropped)
    });
    counted.collect()
}

/// A column, and whether it is grouped by cells.
type Slot = (usize, bool);

/// The columns that plans group by, each once, and what they are grouped by in each plan.
#[derive(Default)]
struct Slots {
    by_column: BTreeMap<Slot, Vec<(usize, String)>>,
    /// Cells that are there already: their column, what they are, and the expression for them.
    cells: Vec<(usize, Coarse, String)>,
    joins: String,
    aliases: Vec<String>,
}

impl Slots {
    fn add<S: Server>(
        &mut self,
        server: &S,
        (plan, column): (usize, usize),
        coarse: Option<&Coarse>,
        nulls: &[String],
        watch: &dyn Watch,
    ) -> Result<(), EngineError> {
        let cell = match coarse {
            None => server.opened().columns[column].cell.clone(),
            Some(coarse) => self.join(server, column, coarse, nulls, watch)?,
        };
        let cells = self.by_column.entry((column, coarse.is_some())).or_default();
        if cells.iter().all(|(other, _)| *other != plan) {
            cells.push((plan, cell));
        }
        Ok(())
    }

    /// Joins the cells of a column's values; gives an expression for the number of the cell.
    fn join<S: Server>(
        &mut self,
        server: &S,
        column: usize,
        coarse: &Coarse,
        nulls: &[String],
        watch: &dyn Watch,
    ) -> Result<String, EngineError> {
        let known = self.cells.iter().find(|(other, cells, _)| *other == column && cells == coarse);
        if let Some((.., expression)) = known {
            return Ok(expression.clone());
        }
        let of = &server.opened().columns[column];
        let labels = cells(server, (column, coarse), nulls, watch)?;
        let expression = match case(server, of, &labels)? {
            Some(number) => number,
            None => {
                let alias = format!("k{}", self.cells.len());
                let table = server.keep_labels(&alias, of, &labels)?;
                self.joins += &format!(" LEFT JOIN {table} ON {alias}.cell = {}", of.cell);
                self.aliases.push(alias.clone());
                format!("CASE WHEN {} IS NULL THEN {} ELSE {alias}.number END", of.cell, labels.missing_number)
            }
        };
        self.cells.push((column, coarse.clone(), expression.clone()));
        Ok(expression)
    }

    fn query<S: Server>(&self, server: &S, plans: usize, present: Option<&str>) -> String {
        let cells: BTreeSet<&String> = self.by_column.values().flatten().map(|(_, cell)| cell).collect();
        let cells: Vec<&String> = cells.into_iter().collect();
        let named = |cell: &String| format!("g.e{}", cells.binary_search(&cell).unwrap_or_default());
        let slot = |(place, cells): (usize, &Vec<(usize, String)>)| {
            let same = cells.len() == plans && cells.iter().all(|(_, cell)| *cell == cells[0].1);
            let cases = cells.iter().map(|(plan, cell)| format!(" WHEN {plan} THEN {}", named(cell)));
            let cell = if same { named(&cells[0].1) } else { format!("CASE w.n{} END", cases.collect::<String>()) };
            format!(", {cell} AS c{place}")
        };
        let slots: String = self.by_column.values().enumerate().map(slot).collect();
        let numbers: Vec<String> = (0..plans).map(|plan| format!("SELECT {plan} AS n")).collect();
        format!(
            "SELECT w.n AS plan{slots}, CAST(sum(g.n) AS BIGINT) AS n FROM ({}) AS g CROSS JOIN ({}) AS w GROUP BY {}",
            self.counted_once(server, &cells, present),
            numbers.join(" UNION ALL "),
            first(self.by_column.len() + 1)
        )
    }

    /// How many records have each combination of what the plans ask for.
    fn counted_once<S: Server>(&self, server: &S, cells: &[&String], present: Option<&str>) -> String {
        let named: String = cells.iter().enumerate().map(|(place, cell)| format!("{cell} AS e{place}, ")).collect();
        let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
        let (hint, relation, joins) = (server.hint(&self.aliases), &server.opened().relation, &self.joins);
        let by = first(cells.len());
        format!("SELECT {hint}{named}count(*) AS n FROM {relation} AS {ALIAS}{joins}{filter} GROUP BY {by}")
    }

    /// The column that came back for a slot; the first one has the numbers of plans.
    fn coded<'g, K>(&self, groups: &'g Groups<K>, slot: Slot) -> &'g Coded<K> {
        let place = self.by_column.keys().position(|other| *other == slot).unwrap_or_default();
        &groups.columns[place + 1]
    }

    /// The rows that belong to a plan, as a table.
    fn counted<S: Server>(
        &self,
        server: &S,
        plan: &CompressPlan,
        groups: &Groups<S::Keys>,
        rows: &[usize],
        dropped: u64,
    ) -> Result<Counted, EngineError> {
        let mut columns = Vec::new();
        for (place, column) in plan.columns.iter().enumerate() {
            let coded = self.coded(groups, (*column, plan.coarse.contains_key(&place)));
            let codes = rows.iter().map(|&row| coded.codes[row]).collect();
            let texts = match plan.coarse.get(&place) {
                None => coded.cells.values(Reader::new(&plan.nulls, server.opened().columns[*column].column.cells)),
                Some(coarse) => coded.cells.texts.iter().map(|cell| value_of(coarse, cell.as_deref())).collect(),
            };
            columns.push(BlockColumn { codes, texts });
        }
        let counts: Vec<u64> = rows.iter().map(|&row| groups.counts[row]).collect();
        let unknown = plan.coarse.keys().any(|&place| {
            let coded = self.coded(groups, (plan.columns[place], true));
            rows.iter().any(|&row| coded.cells.texts[coded.codes[row] as usize].is_none())
        });
        if unknown {
            return Err(EngineError::Changed(server.opened().relation.clone()));
        }
        let table = RawTable::from_groups(&columns, &counts, dropped);
        let table = table
            .map_err(|_| ServerError::Answer { doing: COUNTING, problem: "the counts are not those of a table" })?;
        Ok(table.into())
    }
}

/// The numbers of the first columns.
fn first(columns: usize) -> String {
    (1..=columns).map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

/// More cells than these are joined: a CASE tries one after the other.
const MOST_CASES: usize = 24;

/// The number of a value's cell as an expression, where cells are few and every value has one.
fn case<S: Server>(server: &S, column: &ServerColumn, labels: &Labels<S::Keys>) -> Result<Option<String>, EngineError> {
    let different: BTreeSet<i32> = labels.numbers.iter().copied().collect();
    let all = labels.distinct.texts.iter().flatten().count() == labels.places.len();
    match all && different.len() <= MOST_CASES {
        true => Ok(server.label_case(column, labels)?.map(|case| case.number)),
        false => Ok(None),
    }
}

/// The value that stands for a cell.
fn value_of(coarse: &Coarse, cell: Option<&str>) -> Option<String> {
    let number: usize = cell?.parse().ok()?;
    coarse.values.get(number)?.clone()
}

/// The cell of every distinct value of a column.
fn cells<S: Server>(
    server: &S,
    (column, coarse): (usize, &Coarse),
    nulls: &[String],
    watch: &dyn Watch,
) -> Result<Labels<S::Keys>, EngineError> {
    let known = coarse.lookup();
    let reader = Reader::new(nulls, server.opened().columns[column].column.cells);
    let distinct = distinct(server, column, None, watch)?;
    let (mut places, mut numbers) = (Vec::new(), Vec::new());
    for (place, text) in distinct.texts.iter().enumerate() {
        let cell = text.as_deref().and_then(|text| known.get(&reader.value(Some(text))));
        if let Some(&cell) = cell {
            places.push(place as u32);
            numbers.push(cell as i32);
        }
    }
    let labels = vec![None; places.len()];
    let missing_number = known.get(&None).copied().unwrap_or_default();
    Ok(Labels { distinct, places, numbers, labels, missing_number, missing_label: None })
}

/// A column of whole numbers.
fn numbers<K>(coded: &Coded<K>) -> Result<Vec<u32>, EngineError> {
    let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse().ok());
    let numbers: Option<Vec<u32>> = coded.cells.texts.iter().map(number).collect();
    let numbers = numbers.ok_or(ServerError::Answer { doing: COUNTING, problem: "the number of a plan is none" })?;
    Ok(coded.codes.iter().map(|&code| numbers[code as usize]).collect())
}
