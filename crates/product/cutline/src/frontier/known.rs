//! What is known of a table before its groups are counted.

use std::collections::HashMap;

use cutline_engine::{CompressPlan, Counted, Engine};
use cutline_model::{Kind, Purpose, Requirement};
use cutline_table::{Attribute, Codes, CompressedTable, LabelKind, Labels, RawTable, encode};

use crate::columns::Columns;
use crate::counts::note_unmasked;
use crate::find::{masking, round_bounds};
use crate::job::Job;
use crate::note::tell;
use crate::observer::Watching;
use crate::screen::{FEW_RECORDS, Look};
use crate::{Error, Observer, Table};

/// A table whose attributes are known one by one.
pub(super) struct Ground<'a> {
    pub(super) job: &'a Job,
    pub(super) table: &'a Table,
    pub(super) columns: Columns,
    /// Each quasi attribute alone, with the label.
    pub(super) marginals: Vec<CompressedTable>,
    /// The values of each quasi attribute.
    pub(super) values: Vec<Values>,
    /// The values of the label.
    pub(super) labels: Values,
    /// All attributes, and of the rows only what conditions look at.
    pub(super) base: CompressedTable,
    pub(super) dropped: u64,
}

/// The texts of a column and their codes: several texts may have the same.
#[derive(Default)]
pub(super) struct Values {
    pub(super) texts: Vec<Option<String>>,
    pub(super) codes: Vec<u32>,
    code_of: HashMap<Option<String>, u32>,
}

impl Values {
    fn new(raw: &RawTable, column: usize, codes: &Codes) -> Self {
        let mut values = Values::default();
        for (row, code) in codes.iter().enumerate() {
            let text = raw.columns[column].text(row).map(str::to_owned);
            if values.code_of.insert(text.clone(), code).is_none() {
                values.texts.push(text);
                values.codes.push(code);
            }
        }
        values
    }

    /// The code of a text; nothing if the table did not have it.
    pub(super) fn code(&self, text: Option<&str>) -> Option<u32> {
        self.code_of.get(&text.map(str::to_owned)).copied()
    }

    /// A code for each row.
    pub(super) fn column(&self, raw: &RawTable, column: usize) -> Option<Vec<u32>> {
        (0..raw.weights.len()).map(|row| self.code(raw.columns[column].text(row))).collect()
    }

    /// For each code, the place of a text with it.
    pub(super) fn places(&self, codes: usize) -> Vec<u32> {
        let mut places = vec![0; codes];
        for (place, &code) in self.codes.iter().enumerate().rev() {
            places[code as usize] = place as u32;
        }
        places
    }
}

/// Groups by some columns.
pub(super) fn plan(job: &Job, columns: &Columns, grouped: Vec<usize>) -> CompressPlan {
    let (nulls, required) = (job.nulls.clone(), columns.required(job));
    CompressPlan { columns: grouped, nulls, required, ..CompressPlan::default() }
}

impl<'a> Ground<'a> {
    /// Counts every quasi attribute by itself with the label, and what conditions look at.
    pub(super) fn new(job: &'a Job, table: &'a Table, observer: &dyn Observer) -> Result<Self, Error> {
        let columns = Columns::resolve(job, table.columns())?;
        note_unmasked(job, &columns, observer);
        let alone = |&quasi: &usize| plan(job, &columns, [quasi].into_iter().chain(columns.target).collect());
        let mut plans: Vec<CompressPlan> = columns.quasi.iter().map(alone).collect();
        let persons = columns.persons(table.columns());
        plans.push(CompressPlan { persons, ..plan(job, &columns, columns.conditional().to_vec()) });
        let mut counted = table.compress_all(&plans, &Watching(observer))?;
        let Some(Counted { table: sensitive, noticed }) = counted.pop() else {
            return Err(Error::NoRecords(table.name().to_owned()));
        };
        tell(&noticed, &columns.names, &[], observer);
        if sensitive.records + sensitive.dropped == 0 {
            return Err(Error::NoRecords(table.name().to_owned()));
        }
        let (mut marginals, mut values, mut labels) = (Vec::new(), Vec::new(), Values::default());
        for (Counted { table: raw, .. }, &quasi) in counted.iter().zip(&columns.quasi) {
            if raw.records != sensitive.records {
                return Err(Error::Changed { first: sensitive.records, second: raw.records });
            }
            let marginal = marginal(job, raw, (&columns, quasi), observer)?;
            values.push(Values::new(raw, 0, &marginal.attributes[0].codes));
            if let Labels::Classes { codes, .. } | Labels::Numbers { codes, .. } = &marginal.labels {
                labels = Values::new(raw, 1, codes);
            }
            marginals.push(marginal);
        }
        let base = base(job, &marginals, &sensitive)?;
        Ok(Ground { job, table, columns, marginals, values, labels, base, dropped: sensitive.dropped })
    }

    /// The error for values that were not there at first.
    pub(super) fn changed(&self, records: u64) -> Error {
        Error::Changed { first: self.base.records, second: records }
    }

    /// The base with other rows.
    pub(super) fn with_rows(&self, columns: Vec<Vec<u32>>, weights: Vec<u64>) -> CompressedTable {
        let attribute = |(attribute, codes): (&Attribute, Vec<u32>)| Attribute {
            codes: Codes::from_codes(codes.into_iter(), attribute.domain.len()),
            ..attribute.clone()
        };
        CompressedTable {
            attributes: self.base.attributes.iter().zip(columns).map(attribute).collect(),
            labels: Labels::None,
            further: Vec::new(),
            sensitive: Vec::new(),
            records: weights.iter().sum(),
            weights,
            persons: None,
            worth: None,
            history: None,
        }
    }

    /// Some of the records that were looked at, with the codes of the whole table. Each stands for as many as there are records for one of
    /// them, so that groups are about as large as those of the whole table; and no threshold is below what a floor of them stand for: a search
    /// with none goes down to single records. Few of them, unless that leaves too little of a threshold. Nothing if none were looked at.
    pub(super) fn guess(&self, look: &Look, floor: u64) -> Result<Option<(CompressedTable, Requirement)>, Error> {
        let place = |index: &usize| look.indexes.iter().position(|other| other == index);
        let places = self.columns.quasi.iter().map(place).collect::<Option<Vec<usize>>>();
        let Some(places) = places.filter(|_| look.drawn > 0) else { return Ok(None) };
        let worth = |drawn: usize| (self.base.records / drawn as u64).max(1);
        let mut qids = self.job.requirement.qids().to_vec();
        let enough = qids.iter().all(|qid| qid.k >= floor.saturating_mul(worth(FEW_RECORDS)));
        let step = if enough { look.drawn.div_ceil(FEW_RECORDS) } else { 1 };
        let drawn = look.drawn.div_ceil(step);
        for qid in &mut qids {
            qid.k = qid.k.max(floor.saturating_mul(worth(drawn)));
            qid.conditions.clear();
        }
        let mut codes = Vec::new();
        for (values, place) in self.values.iter().zip(places) {
            let column = &look.columns[place];
            let of_text = column.texts.iter().map(|text| values.code(text.as_deref())).collect::<Vec<_>>();
            let column: Option<Vec<u32>> = column.codes.every(step).each(&of_text).into_iter().collect();
            codes.push(column.ok_or_else(|| self.changed(self.base.records))?);
        }
        let table = self.with_rows(codes, vec![worth(drawn); drawn]);
        Ok(Some((table, Requirement::new(qids)?)))
    }
}

/// An attribute alone, with the label.
fn marginal(
    job: &Job,
    raw: &RawTable,
    (columns, quasi): (&Columns, usize),
    observer: &dyn Observer,
) -> Result<CompressedTable, Error> {
    let name = &columns.names[quasi];
    let told = columns.is_category(quasi).then_some(Kind::Categorical);
    let masking = masking(job, name, (&raw.columns[0], told), observer);
    let label = match &job.purpose {
        Purpose::Classification { target } => (target.clone(), LabelKind::Classes),
        Purpose::Regression { target } => (target.clone(), LabelKind::Numbers),
        Purpose::Clustering { .. } | Purpose::General => (String::new(), LabelKind::None),
    };
    let mut marginal = encode(raw, vec![(name.to_owned(), masking)], &[label], job.unknown)?;
    round_bounds(job, &mut marginal.attributes);
    Ok(marginal)
}

/// All attributes; the rows are those of what conditions look at, and say nothing of attributes or labels.
fn base(job: &Job, marginals: &[CompressedTable], sensitive: &RawTable) -> Result<CompressedTable, Error> {
    let names = job.requirement.sensitive().into_iter().map(|name| (name.to_owned(), LabelKind::Sensitive));
    let names: Vec<(String, LabelKind)> = [(String::new(), LabelKind::None)].into_iter().chain(names).collect();
    let known = encode(sensitive, Vec::new(), &names, job.unknown)?;
    let nothing = || Codes::from_codes(std::iter::repeat_n(0, known.weights.len()), 1);
    let attribute = |marginal: &CompressedTable| Attribute { codes: nothing(), ..marginal.attributes[0].clone() };
    let labels = match marginals.first().map(|marginal| &marginal.labels) {
        Some(Labels::Classes { names, .. }) => Labels::Classes { names: names.clone(), codes: nothing() },
        Some(Labels::Numbers { values, .. }) => Labels::Numbers { values: values.clone(), codes: nothing() },
        Some(Labels::None) | None => Labels::None,
    };
    Ok(CompressedTable { attributes: marginals.iter().map(attribute).collect(), labels, ..known })
}
