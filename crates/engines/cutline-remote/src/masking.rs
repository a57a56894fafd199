//! The second pass as a query: every record is masked by the labels of its cells, which it looks up or joins.

use std::collections::BTreeMap;

use cutline_engine::{EngineError, RewritePlan, Treatment, Watch};
use cutline_model::recoding::{SuppressHow, TOP};
use cutline_table::{AttributeId, Mask};

use crate::compress::present;
use crate::labels::labels;
use crate::{ALIAS, LabelCase, Labels, Server, ServerError};

/// A query that gives the masked records, and what it takes along.
pub struct Masking {
    /// From `FROM` on: the table, the labels of its cells, rare combinations, and which records are looked at.
    from: String,
    /// The label of each masked column.
    labels: BTreeMap<usize, String>,
    /// Is a record one of those that may not appear? One condition for every QID.
    rare: Vec<String>,
    /// The tables that were taken along.
    aliases: Vec<String>,
    /// Which records are looked at: all of these conditions hold.
    filters: Vec<String>,
}

/// What a statement cannot write.
fn refuse(plan: &RewritePlan) -> Result<(), ServerError> {
    if plan.cluster.is_some() {
        let what = "clusters cannot be published by a statement: it does not know which is a record's";
        return Err(ServerError::Unsupported(what));
    }
    if plan.mask.places.is_some() {
        let what = "groups with labels of their own (‹local›) cannot be published by a statement yet";
        return Err(ServerError::Unsupported(what));
    }
    Ok(())
}

/// The combinations of one QID's labels that may not appear.
struct Rare<'a> {
    place: usize,
    attributes: &'a [AttributeId],
    rows: Vec<Box<[u32]>>,
}

impl Masking {
    /// Works out the labels of all cells, and takes them along.
    pub fn new<S: Server>(server: &S, plan: &RewritePlan, watch: &dyn Watch) -> Result<Self, EngineError> {
        refuse(plan)?;
        let present = present(server, &plan.required, &plan.nulls)?;
        let asked = (&plan.nulls[..], present.as_deref());
        let mut masking = Masking {
            from: format!(" FROM {} AS {ALIAS}", server.opened().relation),
            labels: BTreeMap::new(),
            rare: Vec::new(),
            aliases: Vec::new(),
            filters: present.iter().cloned().collect(),
        };
        let mask = Mask::new(&plan.mask);
        let mut numbers = vec![String::new(); plan.mask.attributes.len()];
        for output in &plan.columns {
            let Treatment::Mask(attribute) = output.how else { continue };
            let labels = labels(server, &mask, (attribute, output.source), asked, watch)?;
            numbers[attribute] = masking.look_up(server, output.source, &labels)?;
        }
        for (place, qid) in plan.mask.suppress.iter().flat_map(|suppress| &suppress.qids).enumerate() {
            let rare = Rare { place, attributes: &qid.attributes, rows: mask.combinations(qid) };
            masking.join_rare(server, &rare, &numbers)?;
        }
        masking.filters.push("true".to_owned());
        masking.from += &format!(" WHERE {}", masking.filters.join(" AND "));
        Ok(masking)
    }

    /// Looks up the labels of a column's cells; gives an expression for the number of the label.
    fn look_up<S: Server>(
        &mut self,
        server: &S,
        source: usize,
        labels: &Labels<S::Keys>,
    ) -> Result<String, EngineError> {
        let column = &server.opened().columns[source];
        match server.label_case(column, labels)? {
            None => self.join(server, source, labels),
            Some(LabelCase { label, number }) => {
                self.labels.insert(source, label);
                Ok(number)
            }
        }
    }

    /// The same by a join.
    fn join<S: Server>(&mut self, server: &S, source: usize, labels: &Labels<S::Keys>) -> Result<String, EngineError> {
        let column = &server.opened().columns[source];
        let quote = |label: &String| server.dialect().quote_text(label);
        let missing = labels.missing_label.as_ref().map(quote).transpose().map_err(ServerError::from)?;
        let missing = missing.unwrap_or_else(|| "NULL".to_owned());
        let alias = format!("m{source}");
        let table = server.carry_labels(&alias, column, labels)?;
        let cell = &column.cell;
        self.from += &format!(" LEFT JOIN {table} ON {alias}.cell = {cell}");
        // A cell that the first pass did not see has no label: its record is missing at the end.
        self.filters.push(format!("({cell} IS NULL OR {alias}.cell IS NOT NULL)"));
        self.labels.insert(source, format!("CASE WHEN {cell} IS NULL THEN {missing} ELSE {alias}.label END"));
        let number = format!("(CASE WHEN {cell} IS NULL THEN {} ELSE {alias}.number END)", labels.missing_number);
        self.aliases.push(alias);
        Ok(number)
    }

    /// Joins the combinations of labels that may not appear.
    fn join_rare<S: Server>(&mut self, server: &S, rare: &Rare<'_>, numbers: &[String]) -> Result<(), EngineError> {
        let list = |position: usize| -> Vec<i32> { rare.rows.iter().map(|labels| labels[position] as i32).collect() };
        let alias = format!("r{}", rare.place);
        let lists = (0..rare.attributes.len()).map(list).collect();
        let table = server.carry_numbers(&alias, lists)?;
        let attributes = rare.attributes.iter().enumerate();
        let equal = attributes.map(|(position, AttributeId(a))| format!("{alias}.n{position} = {}", numbers[*a]));
        self.from += &format!(" LEFT JOIN {table} ON {}", equal.collect::<Vec<_>>().join(" AND "));
        self.rare.push(format!("{alias}.n0 IS NOT NULL"));
        self.aliases.push(alias);
        Ok(())
    }

    fn rare(&self) -> Option<String> {
        (!self.rare.is_empty()).then(|| self.rare.join(" OR "))
    }

    /// A query that counts suppressed records, if there may be any.
    pub fn count_rare<S: Server>(&self, server: &S) -> Option<String> {
        let hint = server.hint(&self.aliases);
        self.rare().map(|rare| format!("SELECT {hint}count(*) AS n{} AND ({rare})", self.from))
    }

    /// The query that gives the masked records, its columns in the order of the plan.
    pub fn query<S: Server>(&self, server: &S, plan: &RewritePlan) -> Result<String, EngineError> {
        let columns = &server.opened().columns;
        let mut cells = Vec::new();
        for output in &plan.columns {
            let column = &columns[output.source];
            let cell = match &output.how {
                Treatment::Keep => column.name(),
                Treatment::Mask(_) => self.starred(plan, &self.labels[&output.source]),
                Treatment::Tokenize(key) => {
                    let value = column.value(server.dialect(), &plan.nulls).map_err(ServerError::from)?;
                    server.token(key, &value)?
                }
                Treatment::Shift(_) => return Err(EngineError::Shift(column.quoted.clone())),
            };
            cells.push(format!("{cell} AS {}", column.quoted));
        }
        let left_out = match (self.rare(), plan.mask.how()) {
            (Some(rare), Some(SuppressHow::Drop)) => format!(" AND NOT ({rare})"),
            _ => String::new(),
        };
        let (hint, cells) = (server.hint(&self.aliases), cells.join(", "));
        Ok(format!("SELECT {hint}{cells}{}{left_out}", self.from))
    }

    /// A label, or `*` where the record's labels are too rare.
    fn starred(&self, plan: &RewritePlan, label: &str) -> String {
        match (self.rare(), plan.mask.how()) {
            (Some(rare), Some(SuppressHow::Mask)) => format!("CASE WHEN {rare} THEN '{TOP}' ELSE {label} END"),
            _ => label.to_owned(),
        }
    }
}
