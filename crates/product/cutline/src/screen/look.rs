//! The columns of a table in memory, and what each of them says.

use cutline_engine::{Engine, Sample, SampleColumn, SamplePlan};
use cutline_measure::screen::{Coded, Hidden, Runs};
use cutline_model::Role;
use cutline_report::{Revealed, Screen, ScreenedColumn, ScreenedQid, WithQid};
use rayon::prelude::*;

use super::identify::{Values, identifier};
use crate::inspect::known_to_others;
use crate::observer::Watching;
use crate::{Error, Observer, Stage};

/// All records of a table that has no more, if it has no more than 50 columns: four bytes a cell.
const MOST_RECORDS: usize = 1_000_000;
const MOST_CELLS: usize = 50 * MOST_RECORDS;

/// Records, all or drawn ones.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) names: Vec<String>,
    pub(crate) columns: Vec<SampleColumn>,
    /// All records of the table.
    all: u64,
    drawn: usize,
}

/// What an attacker may know, and what is hidden.
pub(crate) struct Knowledge<'a> {
    pub(crate) qids: Vec<KnownQid>,
    /// The masked attributes by place.
    pub(crate) hidden: Vec<(usize, Hidden<'a>)>,
    /// Values that fewer records share are rare.
    pub(crate) k: u64,
}

/// A QID and the records that are alike in it.
pub(crate) struct KnownQid {
    pub(crate) attributes: Vec<String>,
    pub(crate) k: u64,
    pub(crate) groups: Runs,
}

impl Look {
    /// Reads those of the columns that have values.
    pub(crate) fn at(
        engine: &dyn Engine,
        columns: &[usize],
        nulls: &[String],
        required: Vec<usize>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let table = engine.columns();
        let read: Vec<usize> = columns.iter().copied().filter(|&index| table[index].has_values()).collect();
        let names = read.iter().map(|&index| table[index].name.clone()).collect();
        let size = (MOST_CELLS / read.len().max(1)).min(MOST_RECORDS);
        observer.stage(Stage::Read, Some(engine.size()));
        let plan = SamplePlan { columns: read, nulls: nulls.to_vec(), required, size, seed: 0 };
        let Sample { columns, drawn, records, .. } = engine.sample(&plan, &Watching(observer))?;
        if records == 0 {
            return Err(Error::NoRecords(engine.name().to_owned()));
        }
        Ok(Look { names, columns, all: records, drawn })
    }

    /// Records that were looked at.
    pub(crate) fn records(&self) -> u32 {
        self.drawn as u32
    }

    /// The place of a column.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// What every column says. Those in no QID have the role that is given.
    pub(crate) fn screen(&self, known: &Knowledge, role: impl Fn(&str) -> Role + Sync) -> Screen {
        let columns = (0..self.columns.len()).into_par_iter();
        let columns = columns.map(|place| self.column(place, known, &role)).collect();
        let qid = |qid: &KnownQid| {
            let crowd = qid.groups.crowd(qid.k);
            let (attributes, k) = (qid.attributes.clone(), qid.k);
            ScreenedQid { attributes, k, smallest: crowd.smallest, records_below_k: crowd.below }
        };
        Screen {
            records: self.all,
            looked_at: u64::from(self.records()),
            k: known.k,
            columns,
            qids: known.qids.iter().map(qid).collect(),
            ..Screen::default()
        }
    }

    fn column(&self, place: usize, known: &Knowledge, role: impl Fn(&str) -> Role) -> ScreenedColumn {
        let (name, column) = (&self.names[place], &self.columns[place]);
        let runs = Runs::whole(self.records()).split(coded(column));
        let crowd = runs.crowd(known.k);
        let values = values(name, column, &runs);
        let masked = known.hidden.iter().any(|(hidden, _)| *hidden == place);
        let looks_like = if masked { None } else { identifier(&values) };
        let role = match (masked, role(name)) {
            (true, _) => Role::Quasi,
            (false, Role::Other) if looks_like.is_some() => Role::Identifier,
            (false, role) => role,
        };
        ScreenedColumn {
            name: name.clone(),
            role,
            distinct: values.texts.len() as u64,
            unique_share: crowd.single as f64 / f64::from(self.records().max(1)),
            rare_records: crowd.below,
            identifier: looks_like.is_some(),
            looks_like,
            known_to_others: role == Role::Other && known_to_others(name),
            reveals: if masked { Vec::new() } else { self.revealed(&runs, known) },
            with_qid: if masked { None } else { with_qid(column, known) },
        }
    }

    /// What the column by which the records are ordered tells of masked ones, if that is more than chance.
    fn revealed(&self, runs: &Runs, known: &Knowledge) -> Vec<Revealed> {
        let told = known.hidden.iter().map(|(place, hidden)| (*place, hidden.told_by(runs)));
        let records = f64::from(self.records().max(1));
        let revealed = told.filter(|(_, told)| told.matters()).map(|(place, told)| Revealed {
            attribute: self.names[place].clone(),
            share: told.certain as f64 / records,
            nearly: told.nearly as f64 / records,
        });
        let mut revealed: Vec<Revealed> = revealed.collect();
        revealed.sort_by(|one, other| {
            (other.share, other.nearly).partial_cmp(&(one.share, one.nearly)).unwrap_or(std::cmp::Ordering::Equal)
        });
        revealed
    }
}

fn with_qid(column: &SampleColumn, known: &Knowledge) -> Option<WithQid> {
    let crowds = known.qids.iter().map(|qid| qid.groups.crowd_with(coded(column), qid.k));
    let with = crowds.map(|crowd| WithQid { smallest: crowd.smallest, records_below_k: crowd.below });
    with.reduce(|one, other| WithQid {
        smallest: one.smallest.min(other.smallest),
        records_below_k: one.records_below_k.max(other.records_below_k),
    })
}

pub(crate) fn coded(column: &SampleColumn) -> Coded<'_> {
    Coded { codes: &column.codes, values: column.texts.len() }
}

/// The values that occur: texts of records that were not drawn may be there too.
fn values<'a>(name: &'a str, column: &'a SampleColumn, runs: &Runs) -> Values<'a> {
    let mut values = Values { name, texts: Vec::new(), known: 0 };
    for run in runs.iter() {
        let text = run.first().and_then(|&record| column.texts[column.codes[record as usize] as usize].as_deref());
        if let Some(text) = text {
            values.texts.push(text);
            values.known += run.len() as u64;
        }
    }
    values
}
