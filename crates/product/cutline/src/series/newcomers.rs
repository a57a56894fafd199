//! Whose records a new table has, and what of them is published.

use std::collections::HashSet;

use cutline_engine::{CompressPlan, Engine};
use cutline_model::{Qid, Requirement};
use cutline_table::RawTable;

use super::After;
use super::published::PersonKey;
use super::sensed::Census;
use crate::columns::{Columns, names_of, position};
use crate::job::Job;
use crate::{Error, Observer, Stage, Table, Watching};

/// Whose records a new table has.
pub(crate) struct Newcomers<'a> {
    /// The column that says whose record each is, and its name.
    pub(crate) person: (usize, &'a str),
    /// Texts that stand for a missing value, beside the empty one.
    pub(crate) nulls: &'a [String],
    /// Records that lack a value of these are left out.
    pub(crate) required: Vec<usize>,
    /// What must hold.
    pub(crate) requirement: &'a Requirement,
    /// What its conditions look at, and what those of earlier releases do beyond that.
    pub(crate) sensitive: Vec<String>,
    /// The names of the columns that are published, but not masked.
    pub(crate) unmasked: Vec<String>,
    /// What digests are made with, unless an earlier release says it.
    pub(crate) key: Option<PersonKey>,
}

impl<'a> Newcomers<'a> {
    /// Those of a job that names earlier releases.
    pub(crate) fn of_job(job: &'a Job, columns: &'a Columns) -> Result<Option<(Self, &'a After)>, Error> {
        let Some(after) = &job.after else { return Ok(None) };
        check_purpose(job)?;
        let person = columns.person().ok_or_else(|| nobody_says(after))?;
        let newcomers = Newcomers {
            person: (person, &columns.names[person]),
            nulls: &job.nulls,
            required: columns.required(job),
            requirement: &job.requirement,
            sensitive: columns.sensed_names(),
            unmasked: columns.unmasked(),
            key: job.among.as_ref().map(|among| among.key),
        };
        Ok(Some((newcomers, after)))
    }

    /// An error if the new table would tell an attribute of a QID as it is: no masking keeps what was promised then.
    pub(super) fn check_masked(&self, qids: &[Qid]) -> Result<(), Error> {
        let mut names = qids.iter().flat_map(|qid| &qid.attributes);
        match names.find(|name| self.unmasked.contains(name)) {
            None => Ok(()),
            Some(name) => Err(Error::Contradiction {
                what: format!(
                    "`{name}` is in a QID of an earlier release or of this one, and would be published without being masked"
                ),
                hint: format!(
                    "together the releases would tell more than was promised: mask it by naming it in a ‹qid›, or leave it out with ‹drop {name}›"
                ),
            }),
        }
    }

    /// Counts the records of each person, by the sensitive attributes of conditions: the person comes first, then these.
    pub(crate) fn count(&self, table: &Table, observer: &dyn Observer) -> Result<RawTable, Error> {
        observer.stage(Stage::Read, Some(table.size()));
        let names = names_of(table);
        let sensitive = self.sensitive.iter().map(|name| position(&names, name, "named in a condition"));
        let plan = CompressPlan {
            columns: std::iter::once(Ok(self.person.0)).chain(sensitive).collect::<Result<_, _>>()?,
            nulls: self.nulls.to_vec(),
            required: self.required.clone(),
            ..CompressPlan::default()
        };
        Ok(table.compress(&plan, &Watching(observer))?.table)
    }

    /// Counted records by person, if the sensitive attributes are in the columns after some others.
    pub(crate) fn census<'t>(&self, raw: &'t RawTable, person: usize, others: usize) -> Census<'t> {
        let sensitive = self.sensitive.iter().cloned().zip(others..).collect();
        Census { raw, person, sensitive }
    }
}

pub(crate) fn nobody_says(after: &After) -> Error {
    let earlier = after.earlier.len();
    Error::NotSaid {
        what: format!("{earlier} earlier releases are named, and nothing says who is who in them"),
        hint: "name the column that says whose record each is with ‹person›",
    }
}

/// What searches other tables than the one that is published does not know of histories.
pub(super) fn check_purpose(job: &Job) -> Result<(), Error> {
    match &job.clustering {
        Some(clustering) if clustering.tune || clustering.compares() => Err(Error::Contradiction {
            what: "clusters can be neither tuned nor compared after other releases".to_owned(),
            hint: "take back ‹tune›, and say one number of clusters and one k".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// The persons of a table after earlier releases.
pub(crate) struct Present {
    /// The pattern of each value of the column that says whose record each is; nothing for those who are held back.
    pub(super) patterns: Vec<Option<u32>>,
    /// Those who are held back.
    pub(crate) held: HashSet<String>,
}

impl Present {
    /// From the values of that column with their records; and, in any order, the place of each with its pattern and whether it is held
    /// back. How many records are comes with it.
    pub(super) fn new(counted: &[(&str, u64)], known: impl Iterator<Item = ((usize, u32), bool)>) -> (Self, u64) {
        let mut present = Present { patterns: vec![None; counted.len()], held: HashSet::new() };
        let mut held_back = 0;
        for ((value, pattern), held) in known {
            let (text, records) = counted[value];
            match held {
                false => present.patterns[value] = Some(pattern),
                true => {
                    held_back += records;
                    present.held.insert(text.to_owned());
                }
            }
        }
        (present, held_back)
    }
}
