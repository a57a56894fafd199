//! A first look at a table: what could each column be?

mod guess;
mod missing;
mod spec;
#[cfg(test)]
mod tests;
mod words;

use cutline_arrow::crew::on_threads;
use cutline_engine::{CellKind, Column, ColumnProfile, Engine, MOST_DISTINCT};
use cutline_model::{Kind, Role};
use cutline_report::{ProposedQid, RevealedByPair, Screen};

use crate::observer::Watching;
use crate::screen::{HiddenColumns, Knowledge, Look, LookPlan, MOST_RECORDS, Said, names_persons, proposals};
use crate::{Error, Observer, Stage};

pub use missing::MissingMarker;
pub(crate) use words::known_to_others;

/// A table and what its columns could be.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// The table's records.
    pub records: u64,
    /// One for each column.
    pub columns: Vec<Proposal>,
    /// Texts that look like a missing value, beside those that were said to be one.
    pub missing: Vec<MissingMarker>,
    /// Two columns that together give one away that is proposed to be masked.
    pub pairs: Vec<RevealedByPair>,
    /// Columns that together single out most records.
    pub singled_out: Vec<ProposedQid>,
}

/// What a column could be.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// What was seen.
    pub profile: ColumnProfile,
    /// The proposed role.
    pub role: Role,
    /// The proposed kind.
    pub kind: Kind,
    /// Why this role.
    pub reason: String,
    /// Why this kind, where that is not plain.
    pub kind_reason: Option<String>,
    /// What else a steward should know.
    pub findings: Vec<String>,
}

/// Looks at every column of a table and proposes roles. Two passes.
pub fn inspect(engine: &dyn Engine, nulls: &[String], observer: &dyn Observer) -> Result<Inspection, Error> {
    let all: Vec<usize> = (0..engine.columns().len()).collect();
    let plan = LookPlan { columns: all, nulls: nulls.to_vec(), required: Vec::new(), most: MOST_RECORDS };
    let look = Look::at(engine, &plan, observer)?;
    let missing = missing::markers(&look);
    let nulls: Vec<String> = nulls.iter().cloned().chain(missing.iter().map(|marker| marker.text.clone())).collect();
    observer.stage(Stage::Read, Some(engine.size()));
    let profiles = engine.profile(&nulls, &Watching(observer))?;
    Ok(on_threads(0, || look.inspection(engine.columns(), profiles, missing)))
}

/// Persons with more records each are rare; kinds of accounts, doctors and wards are not.
const MOST_OF_ONE_PERSON: u64 = 50;

impl Inspection {
    /// The first column that names persons and of which several records have the same value: k should count persons by it. Where a value
    /// stands for more records than a person usually has, it names something else.
    pub fn repeating(&self) -> Option<&Proposal> {
        let repeats = |profile: &ColumnProfile| {
            let known = self.records.saturating_sub(profile.missing);
            let distinct = profile.distinct as u64;
            profile.distinct < MOST_DISTINCT && distinct < known && known <= distinct * MOST_OF_ONE_PERSON
        };
        let names = |column: &&Proposal| column.role == Role::Identifier || names_persons(&column.profile.name);
        self.columns.iter().filter(names).find(|column| repeats(&column.profile))
    }
}

fn of_role(columns: &[Proposal], role: Role) -> impl Iterator<Item = &Proposal> {
    columns.iter().filter(move |column| column.role == role)
}

impl Look {
    /// What the columns could be, one for each column of the table.
    fn inspection(&self, told: &[Column], profiles: Vec<ColumnProfile>, missing: Vec<MissingMarker>) -> Inspection {
        let records = profiles.first().map_or(0, |profile| profile.records);
        let alone = self.screen(&Knowledge::default(), |_| Said::default());
        // Both are of the columns that have values, in the order of the table.
        let seen = alone.columns.iter().filter(|column| self.place(&column.name).is_some());
        let each = profiles.into_iter().zip(&self.columns).zip(seen);
        let mut columns: Vec<Proposal> =
            each.map(|((profile, column), seen)| guess::propose(profile, column, seen, &missing)).collect();
        let is_told = |name: &str| told.iter().any(|told| told.name == name && told.cells == CellKind::Category);
        let categories = columns.iter_mut().filter(|column| is_told(&column.profile.name));
        categories.for_each(|column| column.kind = Kind::Categorical);
        let mut beside = self.beside_masked(&columns);
        let masked: Vec<String> = of_role(&columns, Role::Quasi).map(|column| column.profile.name.clone()).collect();
        beside.pairs = self.raw_pairs(masked.iter(), &beside);
        columns.iter_mut().zip(&beside.columns).for_each(|(column, seen)| column.found(seen));
        let singled_out = proposals(self, &alone);
        Inspection { records, columns, missing, pairs: beside.pairs, singled_out }
    }

    /// What columns tell of those that are proposed to be masked.
    fn beside_masked(&self, columns: &[Proposal]) -> Screen {
        let quasi = |place: &usize| columns[*place].role == Role::Quasi;
        let hidden = self.raw_hidden((0..columns.len()).filter(quasi).map(|place| &self.names[place]));
        let hidden = HiddenColumns::of(&hidden);
        let known = Knowledge { hidden, ..Knowledge::default() };
        let said = |index: usize| {
            let place = self.indexes.iter().position(|other| *other == index);
            let masked = place.is_some_and(|place| quasi(&place));
            if masked { Said::masked() } else { Said::default() }
        };
        let mut screen = self.screen(&known, said);
        screen.columns.retain(|column| self.place(&column.name).is_some());
        screen
    }
}
