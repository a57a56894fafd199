//! The second pass: every record is masked by a join with the labels of its cells.

use std::collections::BTreeMap;

use cutline_engine::{EngineError, Place, RewritePlan, Treatment, Unwatched, Watch, Written};
use cutline_model::recoding::{Label, SuppressHow, TOP};
use cutline_sql::Dialect;
use cutline_table::{AttributeId, Mask};
use postgres::types::ToSql;

use crate::cells::{ALIAS, Reader};
use crate::engine::{Cells, Postgres};
use crate::error::PostgresError;

const WRITING: &str = "writing the masked table";

pub(crate) fn rewrite(
    engine: &Postgres,
    plan: &RewritePlan,
    place: &Place,
    watch: &dyn Watch,
) -> Result<Written, EngineError> {
    let Place::Table { name } = place else { return Err(place.refused("the records stay in the database")) };
    if plan.cluster.is_some() {
        let what = "clusters cannot be published in a database: a statement does not know which is a record's";
        return Err(PostgresError::Unsupported(what).into());
    }
    if plan.mask.places.is_some() {
        let what = "groups with labels of their own (‹local›) cannot be published in a database yet";
        return Err(PostgresError::Unsupported(what).into());
    }
    create(engine, plan, name)?;
    let statement = Statement::new(engine, plan, watch)?;
    let session = engine.session();
    let records = session.execute(WRITING, watch, &statement.insert(engine, plan, name)?, &statement.parameters())?;
    let suppressed = match statement.rare() {
        None => 0,
        Some(rare) => {
            let query = format!("SELECT count(*){} AND ({rare})", statement.from);
            session.count(WRITING, watch, &query, &statement.parameters())?
        }
    };
    let dropped = engine.lacking(&plan.required, &plan.nulls, watch)?;
    watch.advance(engine.opened().records);
    Ok(Written { place: place.clone(), records, dropped, suppressed, delimiter: None, persons: None })
}

/// Makes the table: columns that are published as they are keep their type, NOT NULL, checks of their own and comments.
fn create(engine: &Postgres, plan: &RewritePlan, table: &str) -> Result<(), EngineError> {
    let opened = engine.opened();
    let mut definitions = Vec::new();
    let mut comments = String::new();
    for output in &plan.columns {
        let column = &opened.columns[output.source];
        if output.how != Treatment::Keep {
            definitions.push(format!("{} text", column.quoted));
            continue;
        }
        let not_null = if column.not_null { " NOT NULL" } else { "" };
        definitions.push(format!("{} {}{not_null}", column.quoted, column.declared));
        let checks = opened.checks.iter().filter(|(place, _)| *place == output.source);
        definitions.extend(checks.map(|(_, check)| check.clone()));
        if let Some(comment) = &column.comment {
            let comment = Dialect::Postgres.quote_text(comment).map_err(PostgresError::from)?;
            comments += &format!("; COMMENT ON COLUMN {table}.{} IS {comment}", column.quoted);
        }
    }
    let create = format!("CREATE TABLE {table} ({}){comments}", definitions.join(", "));
    engine.session().batch(WRITING, &Unwatched, &create)
}

/// The parts of the statement, and what it is asked with.
struct Statement {
    /// From `FROM` on: the table, the labels of its cells, rare combinations, and which records are looked at.
    from: String,
    /// The label of each masked column.
    labels: BTreeMap<usize, String>,
    /// Is a record one of those that may not appear? One condition for every QID.
    rare: Vec<String>,
    parameters: Vec<Box<dyn ToSql + Sync>>,
}

impl Statement {
    fn new(engine: &Postgres, plan: &RewritePlan, watch: &dyn Watch) -> Result<Self, EngineError> {
        let mut statement = Statement {
            from: format!(" FROM {} AS {ALIAS}", engine.opened().relation),
            labels: BTreeMap::new(),
            rare: Vec::new(),
            parameters: Vec::new(),
        };
        let mask = Mask::new(&plan.mask);
        let mut filters: Vec<String> = engine.present(&plan.required, &plan.nulls)?.into_iter().collect();
        let mut numbers = vec![String::new(); plan.mask.attributes.len()];
        for output in &plan.columns {
            let Treatment::Mask(attribute) = output.how else { continue };
            let labelled = Labelled::new(engine, &mask, (attribute, output.source), &plan.nulls, watch)?;
            numbers[attribute] = statement.join(engine, output.source, labelled)?;
            let cell = engine.opened().columns[output.source].cell();
            // A cell without a label, which one snapshot cannot have, is a record that is missing at the end.
            filters.push(format!("({cell} IS NULL OR m{}.cell IS NOT NULL)", output.source));
        }
        for (place, qid) in plan.mask.suppress.iter().flat_map(|suppress| &suppress.qids).enumerate() {
            statement.join_rare(place, &qid.attributes, &mask.combinations(qid), &numbers);
        }
        filters.push("true".to_owned());
        statement.from += &format!(" WHERE {}", filters.join(" AND "));
        Ok(statement)
    }

    /// Remembers a parameter; gives its name.
    fn parameter(&mut self, value: impl ToSql + Sync + 'static) -> String {
        self.parameters.push(Box::new(value));
        format!("${}", self.parameters.len())
    }

    fn parameters(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.parameters.iter().map(|parameter| &**parameter as &(dyn ToSql + Sync)).collect()
    }

    /// Joins the labels of a column's cells; gives an expression for the number of the label.
    fn join(&mut self, engine: &Postgres, source: usize, labelled: Labelled) -> Result<String, PostgresError> {
        let column = &engine.opened().columns[source];
        let (cell, kind) = (column.cell(), column.cell_type());
        let missing = labelled.missing_label.as_ref().map(|label| Dialect::Postgres.quote_text(label)).transpose()?;
        let missing = missing.unwrap_or_else(|| "NULL".to_owned());
        let keys = self.parameter(labelled.cells);
        let numbers = self.parameter(labelled.numbers);
        let labels = self.parameter(labelled.labels);
        let key = if column.whole { "" } else { " COLLATE \"C\"" };
        self.from += &format!(
            " LEFT JOIN unnest({keys}::text[]::{kind}[], {numbers}::int4[], {labels}::text[]) AS m{source}(cell, number, label) \
             ON m{source}.cell{key} = {cell}"
        );
        self.labels.insert(source, format!("CASE WHEN {cell} IS NULL THEN {missing} ELSE m{source}.label END"));
        Ok(format!("(CASE WHEN {cell} IS NULL THEN {} ELSE m{source}.number END)", labelled.missing_number))
    }

    /// Joins the combinations of labels that may not appear.
    fn join_rare(&mut self, place: usize, attributes: &[AttributeId], rows: &[Box<[u32]>], numbers: &[String]) {
        let (mut lists, mut names, mut equal) = (Vec::new(), Vec::new(), Vec::new());
        for (position, AttributeId(attribute)) in attributes.iter().enumerate() {
            let list: Vec<i32> = rows.iter().map(|labels| labels[position] as i32).collect();
            lists.push(format!("{}::int4[]", self.parameter(list)));
            names.push(format!("n{position}"));
            equal.push(format!("r{place}.n{position} = {}", numbers[*attribute]));
        }
        self.from += &format!(
            " LEFT JOIN unnest({}) AS r{place}({}) ON {}",
            lists.join(", "),
            names.join(", "),
            equal.join(" AND ")
        );
        self.rare.push(format!("r{place}.n0 IS NOT NULL"));
    }

    fn rare(&self) -> Option<String> {
        (!self.rare.is_empty()).then(|| self.rare.join(" OR "))
    }

    fn insert(&self, engine: &Postgres, plan: &RewritePlan, table: &str) -> Result<String, EngineError> {
        let columns = &engine.opened().columns;
        let names: Vec<&str> = plan.columns.iter().map(|output| &columns[output.source].quoted[..]).collect();
        let mut cells = Vec::new();
        for output in &plan.columns {
            let column = &columns[output.source];
            cells.push(match &output.how {
                Treatment::Keep => format!("{ALIAS}.{}", column.quoted),
                Treatment::Mask(_) => self.starred(plan, &self.labels[&output.source]),
                Treatment::Tokenize(key) => {
                    let value = column.value(&plan.nulls).map_err(PostgresError::from)?;
                    token(key, &value)
                }
            });
        }
        let left_out = match (self.rare(), plan.mask.how()) {
            (Some(rare), Some(SuppressHow::Drop)) => format!(" AND NOT ({rare})"),
            _ => String::new(),
        };
        // Rows lie in the order in which they are written, and whoever may read them may ask for it (ctid). It must not be that of the raw
        // table, nor follow from the seed of `random()`, which drawing sets.
        Ok(format!(
            "INSERT INTO {table} ({}) SELECT {}{}{left_out} ORDER BY gen_random_uuid()",
            names.join(", "),
            cells.join(", "),
            self.from
        ))
    }

    /// A label, or `*` where the record's labels are too rare.
    fn starred(&self, plan: &RewritePlan, label: &str) -> String {
        match (self.rare(), plan.mask.how()) {
            (Some(rare), Some(SuppressHow::Mask)) => format!("CASE WHEN {rare} THEN '{TOP}' ELSE {label} END"),
            _ => label.to_owned(),
        }
    }
}

/// A keyed hash of the value, cut to 128 bits: a function nobody can evaluate without the key, which is used once.
fn token(key: &[u8; 16], value: &str) -> String {
    let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("left(encode(sha256('\\x{key}'::bytea || convert_to({value}, 'UTF8')), 'hex'), 32)")
}

/// The labels of a column's distinct cells.
struct Labelled {
    cells: Vec<String>,
    numbers: Vec<i32>,
    labels: Vec<Option<String>>,
    missing_number: u32,
    missing_label: Option<String>,
}

impl Labelled {
    fn new(
        engine: &Postgres,
        mask: &Mask,
        (attribute, source): (usize, usize),
        nulls: &[String],
        watch: &dyn Watch,
    ) -> Result<Self, EngineError> {
        let name = &engine.opened().columns[source].column.name;
        let number = |value: Option<&str>| {
            let number = mask.number(AttributeId(attribute), value);
            number.map_err(|error| EngineError::Value { attribute: name.clone(), error })
        };
        let texts: Vec<Option<String>> = mask.labels(AttributeId(attribute)).map(Label::into_text).collect();
        let reader = Reader::new(nulls);
        let missing_number = number(None)?;
        let missing_label = texts[missing_number as usize].clone();
        let mut labelled =
            Labelled { cells: Vec::new(), numbers: Vec::new(), labels: Vec::new(), missing_number, missing_label };
        for cell in distinct(engine, source, watch)?.iter().flatten() {
            let number = number(reader.value(Some(cell)))?;
            labelled.cells.push(cell.clone());
            labelled.numbers.push(number as i32);
            labelled.labels.push(texts[number as usize].clone());
        }
        Ok(labelled)
    }
}

/// The distinct cells of a column: those that were counted, or else those that are there.
fn distinct(engine: &Postgres, source: usize, watch: &dyn Watch) -> Result<Cells, EngineError> {
    if let Some(cells) = engine.remembered(source) {
        return Ok(cells);
    }
    let cell = engine.opened().columns[source].cell();
    let query = format!("SELECT {cell}, count(*) FROM {} AS {ALIAS} GROUP BY 1", engine.opened().relation);
    let mut cells = Vec::new();
    engine.session().counted_rows(WRITING, watch, &query, |row, _| cells.push(row[0].as_deref().map(str::to_owned)))?;
    Ok(Cells::new(cells))
}
