//! Groups by cells of values.
//!
//! ```text
//!   SELECT cell(a) + 4 * cell(b) + …, count(*) FROM table JOIN (cell of each value of a) … GROUP BY 1
//! ```
//!
//! The cells of all distinct values go there, as labels do when records are masked; what comes back are cells and counts. All cells of a
//! record are the digits of one number: servers group by one column in half the time that they take for eight.

use std::collections::BTreeSet;

use cutline_engine::{Coarse, CompressPlan, Counted, EngineError, Watch};
use cutline_table::{BlockColumn, RawTable};

use crate::compress::{lacking, present};
use crate::labels::{Labels, distinct};
use crate::{ALIAS, Coded, Groups, Reader, Server, ServerColumn, ServerError};

const COUNTING: &str = "counting";

/// Groups the records by several plans: by cells of columns, or by their values.
pub(crate) fn compress_all<S: Server>(
    server: &S,
    plans: &[CompressPlan],
    watch: &dyn Watch,
) -> Result<Vec<Counted>, EngineError> {
    let Some(first) = plans.first().filter(|_| plans.iter().any(|plan| !plan.coarse.is_empty())) else {
        return plans.iter().map(|plan| crate::compress(server, plan, watch)).collect();
    };
    let present = present(server, &first.required, &first.nulls)?;
    let dropped = lacking(server, &first.required, &first.nulls, watch)?;
    let most = plans.iter().filter_map(|plan| plan.most).min();
    let (mut known, mut rows, mut counted) = (Vec::new(), 0, Vec::new());
    for plan in plans {
        let grouping = Grouping::new(server, plan, &mut known, watch)?;
        let query = grouping.query(server, present.as_deref(), most.map(|most| most - rows));
        let groups = server.groups(COUNTING, watch, &query, grouping.columns.len())?;
        rows += groups.counts.len() as u64;
        if let Some(most) = most.filter(|&most| rows > most) {
            return Err(EngineError::TooMany(most));
        }
        counted.push(grouping.table(server, plan, &groups, dropped)?.into());
    }
    watch.advance(server.opened().records);
    Ok(counted)
}

/// The columns that a statement groups by.
struct Grouping {
    columns: Vec<Key>,
    /// What becomes of each column of the plan.
    by: Vec<By>,
}

/// A column of a statement.
#[derive(Default)]
struct Key {
    text: String,
    joins: Vec<Join>,
    /// If it is a number made of cells: how many there are.
    numbers: Option<u64>,
}

/// What a column of a plan is grouped by.
enum By {
    /// All of its values are in the cell of this one.
    Nothing(Option<String>),
    /// Its values, in a column of the statement.
    Values(usize),
    /// Cells, each of which is a digit with this worth of a number in a column of the statement. Those in this list.
    Cells { column: usize, worth: u64, cells: Vec<u32> },
}

/// Cells that the server can tell.
#[derive(Clone)]
struct Known {
    column: usize,
    coarse: Coarse,
    /// The cells, each by the value that stands for it.
    cells: Vec<u32>,
    /// An expression for the place of a value's cell among them, and the table that it looks at.
    place: String,
    join: Option<Join>,
}

#[derive(Clone)]
struct Join {
    alias: String,
    /// As it stands behind FROM.
    text: String,
}

/// Numbers made of cells are less than this.
const MOST_NUMBERS: u64 = 1 << 62;

impl Grouping {
    fn new<S: Server>(
        server: &S,
        plan: &CompressPlan,
        known: &mut Vec<Known>,
        watch: &dyn Watch,
    ) -> Result<Self, EngineError> {
        let mut grouping = Grouping { columns: Vec::new(), by: Vec::new() };
        for (place, &column) in plan.columns.iter().enumerate() {
            let by = match plan.coarse.get(&place) {
                None => grouping.values(server.opened().columns[column].cell.clone()),
                Some(coarse) => match only_cell(coarse) {
                    Some(value) => By::Nothing(value),
                    None => grouping.cells(&tell(server, (column, coarse), &plan.nulls, known, watch)?),
                },
            };
            grouping.by.push(by);
        }
        Ok(grouping)
    }

    fn values(&mut self, text: String) -> By {
        self.columns.push(Key { text, ..Key::default() });
        By::Values(self.columns.len() - 1)
    }

    /// Another digit, of a number that has room for it.
    fn cells(&mut self, known: &Known) -> By {
        let cells = known.cells.clone();
        let many = cells.len() as u64;
        let has_room = |key: &Key| key.numbers.is_some_and(|numbers| numbers < MOST_NUMBERS / many);
        let column = self.columns.iter().position(has_room).unwrap_or(self.columns.len());
        if column == self.columns.len() {
            self.columns.push(Key { numbers: Some(1), ..Key::default() });
        }
        let key = &mut self.columns[column];
        let worth = key.numbers.unwrap_or(1);
        let plus = if key.text.is_empty() { "" } else { " + " };
        key.text += &format!("{plus}CAST({} AS BIGINT) * {worth}", known.place);
        key.joins.extend(known.join.clone());
        key.numbers = Some(worth * many);
        By::Cells { column, worth, cells }
    }

    /// How many records have each combination; where there are more than `most`, one more than that.
    fn query<S: Server>(&self, server: &S, present: Option<&str>, most: Option<u64>) -> String {
        let named = self.columns.iter().enumerate().map(|(place, key)| format!("{} AS c{place}, ", key.text));
        let joins = || self.columns.iter().flat_map(|key| &key.joins);
        let aliases: Vec<String> = joins().map(|join| join.alias.clone()).collect();
        let joined: String = joins().map(|join| &join.text[..]).collect();
        let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
        let numbers: Vec<String> = (1..=self.columns.len()).map(|number| number.to_string()).collect();
        let by = match self.columns.is_empty() {
            true => " HAVING count(*) > 0".to_owned(),
            false => format!(" GROUP BY {}", numbers.join(", ")),
        };
        let limit = most.map(|most| format!(" LIMIT {}", most.saturating_add(1))).unwrap_or_default();
        let (hint, named, relation) = (server.hint(&aliases), named.collect::<String>(), &server.opened().relation);
        format!("SELECT {hint}{named}count(*) AS n FROM {relation} AS {ALIAS}{joined}{filter}{by}{limit}")
    }

    /// What came back, as a table.
    fn table<S: Server>(
        &self,
        server: &S,
        plan: &CompressPlan,
        groups: &Groups<S::Keys>,
        dropped: u64,
    ) -> Result<RawTable, EngineError> {
        let mut columns = Vec::new();
        for (place, (&column, by)) in plan.columns.iter().zip(&self.by).enumerate() {
            columns.push(match by {
                By::Nothing(value) => BlockColumn { codes: vec![0; groups.counts.len()], texts: vec![value.clone()] },
                By::Values(at) => {
                    let coded = &groups.columns[*at];
                    let reader = Reader::new(&plan.nulls, server.opened().columns[column].column.cells);
                    BlockColumn { codes: coded.codes.clone(), texts: coded.cells.values(reader) }
                }
                By::Cells { column: at, worth, cells } => {
                    let coded = &groups.columns[*at];
                    let digit = |number: u64| (number / worth % cells.len() as u64) as u32;
                    let digits: Vec<u32> = numbers(server, coded)?.into_iter().map(digit).collect();
                    let codes = coded.codes.iter().map(|&code| digits[code as usize]).collect();
                    let value = |&cell: &u32| plan.coarse[&place].values[cell as usize].clone();
                    BlockColumn { codes, texts: cells.iter().map(value).collect() }
                }
            });
        }
        let table = RawTable::from_groups(&columns, &groups.counts, dropped);
        let answer = |_| ServerError::Answer { doing: COUNTING, problem: "the counts are not those of a table" };
        Ok(table.map_err(answer)?)
    }
}

/// The numbers that cells are digits of. A value that is in no cell makes a null of them.
fn numbers<S: Server>(server: &S, coded: &Coded<S::Keys>) -> Result<Vec<u64>, EngineError> {
    let number = |text: &Option<String>| match text {
        None => Err(EngineError::Changed(server.opened().relation.clone())),
        Some(text) => text.parse().map_err(|_| {
            EngineError::from(ServerError::Answer { doing: COUNTING, problem: "the number of a cell is none" })
        }),
    };
    coded.cells.texts.iter().map(number).collect()
}

/// The value that stands for all of them, if they are in one cell. A value that was not there when cells were made would be in it too: the
/// records are counted, and whoever masks them looks at every value.
fn only_cell(coarse: &Coarse) -> Option<Option<String>> {
    let &cell = coarse.counted_as.first()?;
    coarse.counted_as.iter().all(|other| *other == cell).then(|| coarse.values[cell as usize].clone())
}

/// Makes the server tell the cells of a column's values, unless it can already.
fn tell<S: Server>(
    server: &S,
    (column, coarse): (usize, &Coarse),
    nulls: &[String],
    known: &mut Vec<Known>,
    watch: &dyn Watch,
) -> Result<Known, EngineError> {
    if let Some(known) = known.iter().find(|known| known.column == column && known.coarse == *coarse) {
        return Ok(known.clone());
    }
    let of = &server.opened().columns[column];
    let different: BTreeSet<u32> = coarse.counted_as.iter().copied().collect();
    let cells: Vec<u32> = different.into_iter().collect();
    let labels = labels(server, (column, coarse, &cells), nulls, watch)?;
    let (place, join) = match case(server, of, &labels)? {
        Some(place) => (place, None),
        None => {
            let alias = format!("k{}", known.len());
            let table = server.keep_labels(&alias, of, &labels)?;
            let place = format!("CASE WHEN {} IS NULL THEN {} ELSE {alias}.number END", of.cell, labels.missing_number);
            (place, Some(Join { text: format!(" LEFT JOIN {table} ON {alias}.cell = {}", of.cell), alias }))
        }
    };
    known.push(Known { column, coarse: coarse.clone(), cells, place, join });
    Ok(known[known.len() - 1].clone())
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

/// For every distinct value of a column, the place of its cell.
fn labels<S: Server>(
    server: &S,
    (column, coarse, cells): (usize, &Coarse, &[u32]),
    nulls: &[String],
    watch: &dyn Watch,
) -> Result<Labels<S::Keys>, EngineError> {
    let known = coarse.lookup();
    let place = |cell: &u32| cells.partition_point(|other| other < cell);
    let reader = Reader::new(nulls, server.opened().columns[column].column.cells);
    let distinct = distinct(server, column, None, watch)?;
    let (mut places, mut numbers) = (Vec::new(), Vec::new());
    for (number, text) in distinct.texts.iter().enumerate() {
        let cell = text.as_deref().and_then(|text| known.get(&reader.value(Some(text))));
        if let Some(cell) = cell {
            places.push(number as u32);
            numbers.push(place(cell) as i32);
        }
    }
    let labels = vec![None; places.len()];
    let missing_number = known.get(&None).map_or(0, |cell| place(cell) as u32);
    Ok(Labels { distinct, places, numbers, labels, missing_number, missing_label: None })
}
