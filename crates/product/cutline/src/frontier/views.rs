//! Counts by views, taken where the records are.

use std::collections::HashMap;

use cutline_engine::{Coarse, CompressPlan, Engine, EngineError, Order};
use cutline_model::AttributeRecoding;
use cutline_model::recoding::Labeler;
use cutline_search::top_down::{Tallied, Tally, View};
use cutline_table::{Codes, CompressedTable, Labels, RawTable, Sensitive};

use super::known::{Ground, Values, plan};
use crate::memory::combinations;
use crate::observer::Watching;
use crate::{Error, Observer};

/// Counting more rows at once would take longer than to count again; of a large table, a row for so many records. So many always fit: the
/// rest of a release takes more.
const MANY_ROWS: u64 = 2_000_000;
const RECORDS_OF_A_ROW: u64 = 20;

/// Asks the engine.
pub(super) struct Views<'g, 'a> {
    ground: &'g Ground<'a>,
    /// More rows than these do not fit into memory.
    most: Option<u64>,
    observer: &'g dyn Observer,
}

impl Tally for Views<'_, '_> {
    type Error = Error;

    fn tally(&mut self, views: &[View]) -> Result<Vec<Tallied>, Error> {
        self.count(views, self.most)
    }

    fn tally_ahead(&mut self, views: &[View]) -> Result<Option<Vec<Tallied>>, Error> {
        match self.count(views, Some(self.room())) {
            Err(Error::Engine(EngineError::TooMany(_))) => Ok(None),
            counted => counted.map(Some),
        }
    }

    fn room(&self) -> u64 {
        // What a server counts is fetched.
        let many = match self.ground.table.order() {
            Order::None => MANY_ROWS,
            _ => MANY_ROWS.max(self.ground.base.records / RECORDS_OF_A_ROW),
        };
        self.most.map_or(many, |most| most.min(many))
    }
}

impl<'g, 'a> Views<'g, 'a> {
    pub(super) fn new(ground: &'g Ground<'a>, observer: &'g dyn Observer) -> Self {
        let most = combinations(ground.job.memory, ground.columns.quasi.len());
        Views { ground, most: most.map(|most| most.max(MANY_ROWS)), observer }
    }

    /// At most so many rows in all.
    fn count(&self, views: &[View], most: Option<u64>) -> Result<Vec<Tallied>, Error> {
        let mut plans: Vec<CompressPlan> = views.iter().map(|view| self.plan(view)).collect();
        plans.iter_mut().for_each(|plan| plan.most = most);
        let counted = self.ground.table.compress_all(&plans, &Watching(self.observer))?;
        views.iter().zip(&counted).map(|(view, counted)| self.tallied(view, &counted.table)).collect()
    }

    fn plan(&self, view: &View) -> CompressPlan {
        let Ground { job, columns, .. } = self.ground;
        let quasi = view.attributes.iter().map(|&a| columns.quasi[a]);
        let mut plan = plan(job, columns, quasi.chain(columns.conditional().iter().copied()).collect());
        for (place, (&a, cells)) in view.attributes.iter().zip(&view.cells).enumerate() {
            plan.coarse.insert(place, coarse(&self.ground.values[a], cells));
        }
        self.tell_conditional(&mut plan, view.attributes.len());
        plan
    }

    /// Each value of what conditions look at, from this column on, is a cell of its own: whatever is counted by cells alone is counted
    /// fastest.
    fn tell_conditional(&self, plan: &mut CompressPlan, first: usize) {
        let told = self.ground.base.sensitive.iter().map(|known| every_value(&known.values));
        plan.coarse.extend((first..).zip(told));
    }

    fn tallied(&self, view: &View, raw: &RawTable) -> Result<Tallied, Error> {
        let ground = self.ground;
        let changed = || ground.changed(raw.records);
        if raw.records != ground.base.records {
            return Err(changed());
        }
        let mut columns = Vec::new();
        for (place, &a) in view.attributes.iter().enumerate() {
            let codes = ground.values[a].column(raw, place).ok_or_else(changed)?;
            columns.push(Codes::from_codes(codes.into_iter(), ground.base.attributes[a].domain.len()));
        }
        let sensitive = self.sensitive(raw, view.attributes.len())?;
        let sensitive = sensitive.into_iter().map(|sensitive| sensitive.codes).collect();
        Ok(Tallied { columns, sensitive, weights: raw.weights.clone() })
    }

    /// What conditions look at, from this column on.
    fn sensitive(&self, raw: &RawTable, first: usize) -> Result<Vec<Sensitive>, Error> {
        let mut found = Vec::new();
        for (place, known) in self.ground.base.sensitive.iter().enumerate() {
            let code_of: HashMap<Option<&str>, u32> = known.values.iter().map(Option::as_deref).zip(0..).collect();
            let code = |row: usize| code_of.get(&raw.columns[first + place].text(row)).copied();
            let codes = (0..raw.weights.len()).map(code).collect::<Option<Vec<u32>>>();
            let codes = codes.ok_or_else(|| self.ground.changed(raw.records))?;
            found.push(Sensitive { codes: Codes::from_codes(codes.into_iter(), known.values.len()), ..known.clone() });
        }
        Ok(found)
    }

    /// The table by the labels of a recoding: each is shown by a value that has it. A missing value stays one: whether anybody lacks a value
    /// is told beside the labels.
    pub(super) fn coarse(&self, recoding: &[AttributeRecoding]) -> Result<CompressedTable, Error> {
        let ground = self.ground;
        let columns = &ground.columns;
        let quasi = columns.quasi.iter().chain(&columns.target).chain(columns.conditional());
        let mut plan = plan(ground.job, columns, quasi.copied().collect());
        for (place, recoding) in recoding.iter().enumerate() {
            let cells = self.cells(place, recoding)?;
            plan.coarse.insert(place, coarse(&ground.values[place], &cells));
        }
        let label = recoding.len();
        if columns.target.is_some() {
            plan.coarse.insert(label, every_value(&ground.labels.texts));
        }
        self.tell_conditional(&mut plan, label + usize::from(columns.target.is_some()));
        let raw = ground.table.compress(&plan, &Watching(self.observer))?.table;
        let changed = || ground.changed(raw.records);
        if raw.records != ground.base.records {
            return Err(changed());
        }
        let codes = ground.values.iter().enumerate().map(|(place, values)| values.column(&raw, place));
        let codes = codes.collect::<Option<Vec<_>>>().ok_or_else(changed)?;
        let table = ground.with_rows(codes, raw.weights.clone());
        let labels = match &ground.base.labels {
            Labels::None => Labels::None,
            Labels::Classes { names, .. } => {
                let codes = ground.labels.column(&raw, label).ok_or_else(changed)?;
                Labels::Classes { names: names.clone(), codes: Codes::from_codes(codes.into_iter(), names.len()) }
            }
            Labels::Numbers { values, .. } => {
                let codes = ground.labels.column(&raw, label).ok_or_else(changed)?;
                Labels::Numbers { values: values.clone(), codes: Codes::from_codes(codes.into_iter(), values.len()) }
            }
        };
        let sensitive = self.sensitive(&raw, label + usize::from(columns.target.is_some()))?;
        Ok(CompressedTable { labels, sensitive, ..table })
    }

    /// For each code of an attribute, the lowest code with the same label.
    fn cells(&self, attribute: usize, recoding: &AttributeRecoding) -> Result<Vec<u32>, Error> {
        let ground = self.ground;
        let of = &ground.base.attributes[attribute];
        let labeler = Labeler::new(recoding, ground.job.unknown);
        let defect = |error: &dyn std::fmt::Display| Error::Defect(format!("a value has no label: {error}"));
        let mut label_of = vec![None; of.domain.len()];
        for (text, &code) in ground.values[attribute].texts.iter().zip(&ground.values[attribute].codes) {
            if let Some(text) = text {
                label_of[code as usize] = Some(labeler.label(text).map_err(|error| defect(&error))?);
            }
        }
        let mut first: Vec<Option<u32>> = vec![None; labeler.labels().len()];
        let cell = |(code, label): (usize, &Option<u32>)| match label {
            Some(label) => *first[*label as usize].get_or_insert(code as u32),
            None => code as u32,
        };
        Ok(label_of.iter().enumerate().map(cell).collect())
    }
}

/// The cells of codes as those of values.
fn coarse(values: &Values, cells: &[u32]) -> Coarse {
    let places = values.places(cells.len());
    let counted_as = values.codes.iter().map(|&code| places[cells[code as usize] as usize]).collect();
    Coarse { values: values.texts.clone(), counted_as }
}

fn every_value(values: &[Option<String>]) -> Coarse {
    Coarse { values: values.to_vec(), counted_as: (0..values.len() as u32).collect() }
}
