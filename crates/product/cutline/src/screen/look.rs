//! The columns of a table in memory, and what each of them says.

use std::collections::HashSet;
use std::time::Instant;

use cutline_engine::{ColumnProfile, Engine, Order, Sample, SampleColumn, SamplePlan};
use cutline_measure::screen::{Alike, Coded, Crowd, Joined, Together};
use cutline_model::Role;
use cutline_report::{LooksLike, Published, Revealed, Screen, ScreenedColumn, ScreenedQid, WithQid};
use cutline_table::Codes;
use rayon::prelude::*;

use super::identify::{Values, identifier, identifier_by_counts};
use crate::inspect::known_to_others;
use crate::observer::Watching;
use crate::{Error, Observer, Stage};

/// All records of a table that has no more, if it has no more than 50 columns: four bytes a cell.
pub(crate) const MOST_RECORDS: usize = 1_000_000;
const MOST_CELLS: usize = 50 * MOST_RECORDS;

/// So many records are drawn from a server, or if only identifiers are looked for.
pub(crate) const FEW_RECORDS: usize = 100_000;

/// So many records are enough to say of how many a column tells what another one hides.
const MOST_TOLD: usize = 250_000;

/// Records, all or drawn ones.
pub(crate) struct Look {
    pub(crate) names: Vec<String>,
    /// Their positions in the table.
    pub(crate) indexes: Vec<usize>,
    pub(crate) columns: Vec<SampleColumn>,
    /// Columns whose values are neither texts nor numbers.
    unseen: Vec<(usize, String)>,
    /// Columns that were only counted, because no record may be drawn.
    counted: Vec<(usize, ColumnProfile)>,
    /// All records of the table.
    all: u64,
    pub(crate) drawn: usize,
    /// How long reading them took.
    pub(crate) seconds: f64,
}

/// Which records to look at.
pub(crate) struct LookPlan {
    pub(crate) columns: Vec<usize>,
    pub(crate) nulls: Vec<String>,
    pub(crate) required: Vec<usize>,
    /// At most so many.
    pub(crate) most: usize,
}

impl LookPlan {
    /// The same with another column.
    pub(crate) fn beside(mut self, column: Option<usize>) -> Self {
        self.columns.extend(column.filter(|column| !self.columns.contains(column)));
        self.columns.sort_unstable();
        self
    }

    /// The columns that have values.
    fn seen(&self, engine: &dyn Engine) -> Vec<usize> {
        self.columns.iter().copied().filter(|&index| engine.columns()[index].has_values()).collect()
    }

    /// The records to draw.
    pub(crate) fn sample(&self, engine: &dyn Engine) -> SamplePlan {
        let columns = self.seen(engine);
        // What a server holds is not fetched as a whole.
        let most = if engine.order() == Order::None { self.most.min(FEW_RECORDS) } else { self.most };
        let size = (MOST_CELLS / columns.len().max(1)).min(most);
        SamplePlan { columns, nulls: self.nulls.clone(), required: self.required.clone(), size, seed: 0 }
    }
}

/// What an attacker may know, and what is hidden.
#[derive(Default)]
pub(crate) struct Knowledge<'a> {
    pub(crate) qids: Vec<KnownQid>,
    /// The masked attributes, see [`Look::behind`].
    pub(crate) hidden: Option<HiddenColumns<'a>>,
    /// Values that fewer records share are rare.
    pub(crate) k: u64,
}

/// Masked attributes, and the place of each.
pub(crate) struct HiddenColumns<'a> {
    places: Vec<usize>,
    columns: Together<'a>,
}

impl<'a> HiddenColumns<'a> {
    /// Attributes behind their labels, each with its place; nothing if there are none.
    pub(crate) fn of(columns: &'a [(usize, Joined)]) -> Option<Self> {
        let hidden = || columns.par_iter().map(|(_, column)| column.hidden());
        (!columns.is_empty()).then(|| HiddenColumns {
            columns: Together::new(hidden().collect()),
            places: columns.iter().map(|(place, _)| *place).collect(),
        })
    }
}

/// A QID and the records that are alike in it.
pub(crate) struct KnownQid {
    pub(crate) attributes: Vec<String>,
    pub(crate) k: u64,
    pub(crate) groups: Alike<'static>,
}

/// What was said of a column.
#[derive(Clone, Copy, Default)]
pub(crate) struct Said {
    pub(crate) role: Role,
    pub(crate) published: Published,
    pub(crate) kept: bool,
}

impl Said {
    /// It has tokens in place of values.
    pub(crate) fn tokens() -> Self {
        Said { role: Role::Identifier, published: Published::Tokens, kept: false }
    }

    /// It is masked.
    pub(crate) fn masked() -> Self {
        Said { role: Role::Quasi, published: Published::Masked, kept: false }
    }
}

impl Look {
    /// Columns of records that are all of a table.
    #[cfg(test)]
    pub(crate) fn of(columns: impl Iterator<Item = (String, SampleColumn)>) -> Self {
        let (names, columns): (Vec<String>, Vec<SampleColumn>) = columns.unzip();
        let drawn = columns.first().map_or(0, |column| column.codes.len());
        let indexes = (0..names.len()).collect();
        Look {
            names,
            indexes,
            columns,
            unseen: Vec::new(),
            counted: Vec::new(),
            all: drawn as u64,
            drawn,
            seconds: 0.0,
        }
    }

    /// Reads those of the columns that have values.
    pub(crate) fn at(engine: &dyn Engine, plan: &LookPlan, observer: &dyn Observer) -> Result<Self, Error> {
        let start = Instant::now();
        observer.stage(Stage::Read, Some(engine.size()));
        let sample = engine.sample(&plan.sample(engine), &Watching(observer))?;
        if sample.records == 0 {
            return Err(Error::NoRecords(engine.name().to_owned()));
        }
        Ok(Look { seconds: start.elapsed().as_secs_f64(), ..Look::of_sample(engine, plan, sample) })
    }

    /// Records that were drawn as planned.
    pub(crate) fn of_sample(engine: &dyn Engine, plan: &LookPlan, sample: Sample) -> Self {
        let indexes = plan.seen(engine);
        let name = |index: usize| engine.columns()[index].name.clone();
        let unseen = plan.columns.iter().filter(|index| !indexes.contains(index));
        Look {
            names: indexes.iter().map(|&index| name(index)).collect(),
            columns: sample.columns,
            unseen: unseen.map(|&index| (index, name(index))).collect(),
            indexes,
            counted: Vec::new(),
            all: sample.records,
            drawn: sample.drawn,
            seconds: 0.0,
        }
    }

    /// Draws nothing: what counts tell of the columns.
    pub(crate) fn by_counts(engine: &dyn Engine, plan: &LookPlan, observer: &dyn Observer) -> Result<Self, Error> {
        let start = Instant::now();
        observer.stage(Stage::Read, Some(engine.size()));
        let profiles = engine.profile(&plan.nulls, &Watching(observer))?;
        let name = |index: usize| &engine.columns()[index].name;
        let profile = |index: usize| profiles.iter().find(|profile| profile.name == *name(index));
        let (counted, unseen): (Vec<usize>, Vec<usize>) =
            plan.columns.iter().partition(|&&index| profile(index).is_some());
        Ok(Look {
            names: Vec::new(),
            indexes: Vec::new(),
            columns: Vec::new(),
            unseen: unseen.into_iter().map(|index| (index, name(index).clone())).collect(),
            counted: counted.into_iter().filter_map(|index| Some((index, profile(index)?.clone()))).collect(),
            all: profiles.first().map_or(0, |profile| profile.records),
            drawn: 0,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Records that were looked at.
    pub(crate) fn records(&self) -> u32 {
        self.drawn as u32
    }

    /// The place of a column.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// Are all these columns of the table among those that were looked at, or cannot be?
    pub(crate) fn covers(&self, columns: &[usize]) -> bool {
        let unseen = |index: &usize| self.unseen.iter().any(|(other, _)| other == index);
        let counted = |index: &usize| self.counted.iter().any(|(other, _)| other == index);
        columns.iter().all(|index| self.indexes.contains(index) || unseen(index) || counted(index))
    }

    /// Are these all records of the table, or at least so many?
    pub(crate) fn is_enough(&self, records: usize) -> bool {
        self.drawn as u64 >= self.all.min(records.min(MOST_CELLS / self.columns.len().max(1)) as u64)
    }

    /// The records but for those of some persons, whom a column names, so many records; and of the columns those that are wanted. Nothing if
    /// they are not those that should be left out.
    pub(crate) fn without(&self, person: usize, held: (&HashSet<String>, u64), columns: &[usize]) -> Option<Self> {
        let place = self.indexes.iter().position(|&index| index == person)?;
        let SampleColumn { codes, texts, .. } = &self.columns[place];
        let is_held: Vec<bool> =
            texts.iter().map(|name| name.as_ref().is_some_and(|name| held.0.contains(name))).collect();
        let left_out = codes.each(&is_held);
        let found = left_out.iter().filter(|left_out| **left_out).count() as u64;
        let as_told = found == held.1 || found < held.1 && (self.drawn as u64) < self.all;
        as_told.then(|| Look { all: self.all - held.1, ..self.part(columns, &left_out) })
    }

    /// The records without some (no mark at all is none), and of the columns those that are wanted.
    pub(crate) fn part(&self, columns: &[usize], left_out: &[bool]) -> Self {
        let places: Vec<usize> =
            (0..self.indexes.len()).filter(|&place| columns.contains(&self.indexes[place])).collect();
        let column = |&place: &usize| {
            let SampleColumn { codes, texts, kind, range } = &self.columns[place];
            SampleColumn { codes: codes.unmarked(left_out), texts: texts.clone(), kind: *kind, range: *range }
        };
        Look {
            names: places.iter().map(|&place| self.names[place].clone()).collect(),
            indexes: places.iter().map(|&place| self.indexes[place]).collect(),
            columns: places.iter().map(column).collect(),
            unseen: self.unseen.iter().filter(|(index, _)| columns.contains(index)).cloned().collect(),
            counted: self.counted.clone(),
            drawn: self.drawn - left_out.iter().filter(|left_out| **left_out).count(),
            ..*self
        }
    }

    /// Columns that were only counted and seem to name persons: their positions, names and what they look like.
    pub(crate) fn suspicious(&self) -> impl Iterator<Item = (usize, &str, LooksLike)> {
        self.counted
            .iter()
            .filter_map(|(index, profile)| Some((*index, &profile.name[..], identifier_by_counts(profile)?)))
    }

    /// What a column looks like, if it names persons.
    pub(crate) fn looks_like(&self, place: usize) -> Option<LooksLike> {
        let column = &self.columns[place];
        identifier(&values(&self.names[place], column, &coded(column).counts()))
    }

    /// A masked column behind its labels, of every so many-th record.
    pub(crate) fn behind(&self, place: usize, labels: Coded) -> Joined {
        let (labels_of, codes) = (self.thinned(labels.codes), self.thinned(&self.columns[place].codes));
        let values = self.columns[place].texts.len();
        Joined::new(Coded { codes: &labels_of, values: labels.values }, Coded { codes: &codes, values })
    }

    fn thinned(&self, codes: &Codes) -> Codes {
        codes.every(self.drawn.div_ceil(MOST_TOLD).max(1))
    }

    /// What every column says; `said` has what was said of the column at a position of the table.
    pub(crate) fn screen(&self, known: &Knowledge, said: impl Fn(usize) -> Said + Sync) -> Screen {
        let seen = (0..self.columns.len()).into_par_iter();
        let seen = seen.map(|place| (self.indexes[place], self.column(place, known, said(self.indexes[place]))));
        let mut columns: Vec<(usize, ScreenedColumn)> = seen.collect();
        columns.extend(self.unseen.iter().map(|(index, name)| (*index, unseen(name, said(*index)))));
        columns.extend(self.counted.iter().map(|(index, profile)| (*index, counted(profile, said(*index)))));
        columns.sort_by_key(|(index, _)| *index);
        let qid = |qid: &KnownQid| {
            let crowd = qid.groups.crowd(qid.k);
            let (attributes, k) = (qid.attributes.clone(), qid.k);
            ScreenedQid { attributes, k, smallest: crowd.smallest, records_below_k: crowd.below }
        };
        Screen {
            records: self.all,
            looked_at: u64::from(self.records()),
            k: known.k,
            columns: columns.into_iter().map(|(_, column)| column).collect(),
            qids: known.qids.iter().map(qid).collect(),
            ..Screen::default()
        }
    }

    fn column(&self, place: usize, known: &Knowledge, said: Said) -> ScreenedColumn {
        let (name, column) = (&self.names[place], &self.columns[place]);
        let counts = coded(column).counts();
        let crowd = Crowd::of(&counts, known.k);
        let values = values(name, column, &counts);
        let as_is = said.published == Published::AsIs;
        let looks_like = if as_is { identifier(&values) } else { None };
        let role = if said.role == Role::Other && looks_like.is_some() { Role::Identifier } else { said.role };
        ScreenedColumn {
            name: name.clone(),
            role,
            published: said.published,
            kept: said.kept,
            distinct: values.texts.len() as u64,
            unique_share: crowd.single as f64 / f64::from(self.records().max(1)),
            rare_records: crowd.below,
            identifier: looks_like.is_some(),
            looks_like,
            known_to_others: role == Role::Other && known_to_others(name),
            reveals: if as_is { self.revealed(column, known) } else { Vec::new() },
            with_qid: if as_is { with_qid(column, known) } else { None },
        }
    }

    /// What a column tells of masked ones, if that is more than chance.
    fn revealed(&self, column: &SampleColumn, known: &Knowledge) -> Vec<Revealed> {
        let Some(HiddenColumns { places, columns: hidden }) = &known.hidden else { return Vec::new() };
        let codes = self.thinned(&column.codes);
        let alike = Alike::by(Coded { codes: &codes, values: column.texts.len() });
        let revealed = hidden.telling(&alike).into_iter().map(|(at, told)| Revealed {
            attribute: self.names[places[at]].clone(),
            share: told.certain as f64 / told.records.max(1) as f64,
            nearly: told.nearly as f64 / told.records.max(1) as f64,
        });
        let mut revealed: Vec<Revealed> = revealed.collect();
        revealed.sort_by(|one, other| {
            (other.share, other.nearly).partial_cmp(&(one.share, one.nearly)).unwrap_or(std::cmp::Ordering::Equal)
        });
        revealed
    }
}

fn unseen(name: &str, said: Said) -> ScreenedColumn {
    ScreenedColumn {
        published: if said.published == Published::AsIs { Published::Unseen } else { said.published },
        ..untold(name, said)
    }
}

fn counted(profile: &ColumnProfile, said: Said) -> ScreenedColumn {
    let looks_like = identifier_by_counts(profile).filter(|_| said.published == Published::AsIs);
    let role = if said.role == Role::Other && looks_like.is_some() { Role::Identifier } else { said.role };
    ScreenedColumn {
        role,
        distinct: profile.distinct as u64,
        identifier: looks_like.is_some(),
        looks_like,
        known_to_others: role == Role::Other && known_to_others(&profile.name),
        ..untold(&profile.name, said)
    }
}

/// A column of which nothing was found.
fn untold(name: &str, said: Said) -> ScreenedColumn {
    ScreenedColumn {
        name: name.to_owned(),
        role: said.role,
        published: said.published,
        kept: said.kept,
        distinct: 0,
        unique_share: 0.0,
        rare_records: 0,
        identifier: false,
        looks_like: None,
        known_to_others: false,
        reveals: Vec::new(),
        with_qid: None,
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

/// The values that occur, given the records of each: texts of records that were not drawn may be there too.
fn values<'a>(name: &'a str, column: &'a SampleColumn, counts: &[u64]) -> Values<'a> {
    let mut values = Values { name, texts: Vec::new(), known: 0 };
    for (text, &count) in column.texts.iter().zip(counts).filter(|(_, count)| **count > 0) {
        if let Some(text) = text {
            values.texts.push(text);
            values.known += count;
        }
    }
    values
}

/// Shows no cell.
impl std::fmt::Debug for Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Look({} of {} records, {} columns)", self.drawn, self.all, self.columns.len())
    }
}
