//! Which label has a cell? Worked out here, by the code that masks files.

use std::sync::Arc;

use cutline_engine::{EngineError, Watch};
use cutline_model::recoding::Label;
use cutline_table::{AttributeId, Mask};

use crate::{ALIAS, Distinct, Reader, Server, ServerError};

const LABELLING: &str = "looking up values";

/// The labels of a column's distinct cells that are not null, and that of a null.
pub struct Labels<K> {
    /// All cells.
    pub distinct: Arc<Distinct<K>>,
    /// Which of them these labels are for.
    pub places: Vec<u32>,
    /// The number of each one's label.
    pub numbers: Vec<i32>,
    /// The text of each one's label; `None` is missing.
    pub labels: Vec<Option<String>>,
    /// The number of a null's label.
    pub missing_number: u32,
    /// The text of a null's label; `None` is missing.
    pub missing_label: Option<String>,
}

impl<K> Labels<K> {
    /// The texts of the cells that these labels are for.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|&place| self.distinct.texts[place as usize].as_deref().unwrap_or_default())
    }
}

/// The labels of a column's cells.
pub(crate) fn labels<S: Server>(
    server: &S,
    mask: &Mask,
    (attribute, source): (usize, usize),
    (nulls, present): (&[String], Option<&str>),
    watch: &dyn Watch,
) -> Result<Labels<S::Keys>, EngineError> {
    let column = &server.opened().columns[source].column;
    let number = |value: Option<&str>| {
        let number = mask.number(AttributeId(attribute), value);
        number.map_err(|error| EngineError::Value { attribute: column.name.clone(), error })
    };
    let texts: Vec<Option<String>> = mask.labels(AttributeId(attribute)).map(Label::into_text).collect();
    let reader = Reader::new(nulls, column.cells);
    let missing_number = number(None)?;
    let missing_label = texts[missing_number as usize].clone();
    let distinct = distinct(server, source, present, watch)?;
    let (mut places, mut numbers, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for (place, cell) in distinct.texts.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let number = number(reader.value(Some(cell)))?;
        places.push(place as u32);
        numbers.push(number as i32);
        labels.push(texts[number as usize].clone());
    }
    Ok(Labels { distinct, places, numbers, labels, missing_number, missing_label })
}

/// The distinct cells of a column, at least of the records that a condition holds for: those that were counted, or else those that are there.
pub(crate) fn distinct<S: Server>(
    server: &S,
    source: usize,
    present: Option<&str>,
    watch: &dyn Watch,
) -> Result<Arc<Distinct<S::Keys>>, EngineError> {
    if let Some(cells) = server.memory().remembered(source, present) {
        return Ok(cells);
    }
    let cell = &server.opened().columns[source].cell;
    let relation = &server.opened().relation;
    let query = format!("SELECT {cell} AS c, count(*) AS n FROM {relation} AS {ALIAS} GROUP BY 1");
    let found = server.groups(LABELLING, watch, &query, 1)?.columns.pop();
    let found = found.ok_or(ServerError::Answer { doing: LABELLING, problem: "a column is missing" })?;
    Ok(Arc::new(found.cells))
}
