//! Groups by cells of values.
//!
//! ```text
//!   SELECT cell(a), cell(b), …, count(*) FROM table JOIN (cell of each value of a) … GROUP BY …
//! ```
//!
//! The cells of all distinct values go there, as labels do when records are masked; what comes back are cells and counts.

use std::collections::BTreeSet;

use cutline_engine::{Coarse, CompressPlan, Counted, EngineError, Watch};
use cutline_table::{BlockColumn, RawTable};

use crate::compress::{lacking, present};
use crate::labels::{Labels, distinct};
use crate::{ALIAS, Groups, Reader, Server, ServerColumn, ServerError};

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
    let (mut grouping, mut rows, mut counted) = (Grouping::default(), 0, Vec::new());
    for plan in plans {
        let grouped = grouping.columns(server, plan, watch)?;
        let asked: Vec<&Expression> = grouped.iter().filter_map(By::expression).collect();
        let query = query(server, &asked, present.as_deref(), most.map(|most| most - rows));
        let groups = server.groups(COUNTING, watch, &query, asked.len())?;
        rows += groups.counts.len() as u64;
        if let Some(most) = most.filter(|&most| rows > most) {
            return Err(EngineError::TooMany(most));
        }
        counted.push(table(server, plan, &grouped, &groups, dropped)?.into());
    }
    watch.advance(server.opened().records);
    Ok(counted)
}

/// What a column is grouped by.
enum By {
    /// All of its values are in the cell of this one.
    Nothing(Option<String>),
    /// Cells, of which the server tells the numbers.
    Cells(Expression),
    /// Its values.
    Values(Expression),
}

impl By {
    fn expression(&self) -> Option<&Expression> {
        match self {
            By::Nothing(_) => None,
            By::Cells(expression) | By::Values(expression) => Some(expression),
        }
    }
}

/// What a statement asks for, and the table that it joins for that.
#[derive(Clone)]
struct Expression {
    text: String,
    join: Option<Join>,
}

#[derive(Clone)]
struct Join {
    alias: String,
    /// As it stands behind FROM.
    text: String,
}

/// Cells that the server knows already, with their column.
#[derive(Default)]
struct Grouping {
    cells: Vec<(usize, Coarse, Expression)>,
}

impl Grouping {
    fn columns<S: Server>(
        &mut self,
        server: &S,
        plan: &CompressPlan,
        watch: &dyn Watch,
    ) -> Result<Vec<By>, EngineError> {
        let by = |(place, &column): (usize, &usize)| {
            let Some(coarse) = plan.coarse.get(&place) else {
                return Ok(By::Values(Expression { text: server.opened().columns[column].cell.clone(), join: None }));
            };
            match only_cell(coarse) {
                Some(value) => Ok(By::Nothing(value)),
                None => self.cell(server, column, coarse, &plan.nulls, watch).map(By::Cells),
            }
        };
        plan.columns.iter().enumerate().map(by).collect()
    }

    /// An expression for the number of a value's cell.
    fn cell<S: Server>(
        &mut self,
        server: &S,
        column: usize,
        coarse: &Coarse,
        nulls: &[String],
        watch: &dyn Watch,
    ) -> Result<Expression, EngineError> {
        let known = self.cells.iter().find(|(other, cells, _)| *other == column && cells == coarse);
        if let Some((.., expression)) = known {
            return Ok(expression.clone());
        }
        let of = &server.opened().columns[column];
        let labels = cells(server, (column, coarse), nulls, watch)?;
        let expression = match case(server, of, &labels)? {
            Some(text) => Expression { text, join: None },
            None => {
                let alias = format!("k{}", self.cells.len());
                let table = server.keep_labels(&alias, of, &labels)?;
                Expression {
                    text: format!(
                        "CASE WHEN {} IS NULL THEN {} ELSE {alias}.number END",
                        of.cell, labels.missing_number
                    ),
                    join: Some(Join { text: format!(" LEFT JOIN {table} ON {alias}.cell = {}", of.cell), alias }),
                }
            }
        };
        self.cells.push((column, coarse.clone(), expression.clone()));
        Ok(expression)
    }
}

/// The value that stands for all of them, if they are in one cell. A value that was not there when cells were made would be in it too: the
/// records are counted, and whoever masks them looks at every value.
fn only_cell(coarse: &Coarse) -> Option<Option<String>> {
    let &cell = coarse.counted_as.first()?;
    coarse.counted_as.iter().all(|other| *other == cell).then(|| coarse.values[cell as usize].clone())
}

/// How many records have each combination; where there are more than `most`, one more than that.
fn query<S: Server>(server: &S, asked: &[&Expression], present: Option<&str>, most: Option<u64>) -> String {
    let named = asked.iter().enumerate().map(|(place, Expression { text, .. })| format!("{text} AS c{place}, "));
    let joins: Vec<&Join> = asked.iter().filter_map(|expression| expression.join.as_ref()).collect();
    let aliases: Vec<String> = joins.iter().map(|join| join.alias.clone()).collect();
    let joined: String = joins.iter().map(|join| &join.text[..]).collect();
    let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
    let numbers: Vec<String> = (1..=asked.len()).map(|number| number.to_string()).collect();
    let by = match asked.is_empty() {
        true => " HAVING count(*) > 0".to_owned(),
        false => format!(" GROUP BY {}", numbers.join(", ")),
    };
    let limit = most.map(|most| format!(" LIMIT {}", most.saturating_add(1))).unwrap_or_default();
    let (hint, named, relation) = (server.hint(&aliases), named.collect::<String>(), &server.opened().relation);
    format!("SELECT {hint}{named}count(*) AS n FROM {relation} AS {ALIAS}{joined}{filter}{by}{limit}")
}

/// What came back, as a table.
fn table<S: Server>(
    server: &S,
    plan: &CompressPlan,
    grouped: &[By],
    groups: &Groups<S::Keys>,
    dropped: u64,
) -> Result<RawTable, EngineError> {
    let mut columns = Vec::new();
    let mut answered = groups.columns.iter();
    for (place, (column, by)) in plan.columns.iter().zip(grouped).enumerate() {
        let coded = by.expression().and_then(|_| answered.next());
        let texts = match (by, coded) {
            (By::Nothing(value), _) => vec![value.clone()],
            (_, None) => return Err(ServerError::Answer { doing: COUNTING, problem: "a column is missing" }.into()),
            (By::Values(_), Some(coded)) => {
                coded.cells.values(Reader::new(&plan.nulls, server.opened().columns[*column].column.cells))
            }
            (By::Cells(_), Some(coded)) => {
                if coded.cells.texts.iter().any(Option::is_none) {
                    return Err(EngineError::Changed(server.opened().relation.clone()));
                }
                let coarse = &plan.coarse[&place];
                coded.cells.texts.iter().map(|cell| value_of(coarse, cell.as_deref())).collect()
            }
        };
        let codes = coded.map_or_else(|| vec![0; groups.counts.len()], |coded| coded.codes.clone());
        columns.push(BlockColumn { codes, texts });
    }
    let table = RawTable::from_groups(&columns, &groups.counts, dropped);
    let answer = |_| ServerError::Answer { doing: COUNTING, problem: "the counts are not those of a table" };
    Ok(table.map_err(answer)?)
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
