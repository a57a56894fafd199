//! Which records and columns of two tables belong together?

use cutline_engine::{Engine, Records, SamplePlan};

use super::features::{first_difference, missing};
use super::pair::{PairOptions, Tables};
use cutline::Watching;
use cutline::parts::{known_position, names_of, position};
use cutline::spec::IfMissing;
use cutline::{Error, Observer, Stage};

/// The columns that both tables have.
pub(super) struct Shared {
    pub(super) names: Vec<String>,
    /// The target's place among them.
    pub(super) target: usize,
    /// The places of the attributes that were named as masked.
    pub(super) named: Vec<usize>,
    pub(super) ignored: Vec<String>,
}

impl Shared {
    pub(super) fn new(tables: Tables<'_>, options: &PairOptions) -> Result<Self, Error> {
        let (raw, masked) = (names_of(tables.raw), names_of(tables.masked));
        for name in &options.ignored {
            position(&raw, name, "to be left out")?;
        }
        let both = |name: &String| raw.contains(name) && masked.contains(name) && !options.ignored.contains(name);
        let all = raw.iter().chain(masked.iter().filter(|name| !raw.contains(name)));
        let (shared, ignored): (Vec<String>, Vec<String>) = all.cloned().partition(both);
        let Some(target) = options.purpose.target() else {
            return Err(Error::NotSaid {
                what: "nothing is said that a learner could predict".to_owned(),
                hint: "name an attribute that both tables have with ‹target›",
            });
        };
        let asked = || options.masked.iter().map(String::as_str).chain([target]);
        // What the names of a header are is known from either table.
        let is_header = asked().any(|name| raw.iter().chain(&masked).any(|other| other == name));
        let position = if is_header { known_position } else { position };
        let target = position(&shared, target, "named as target, and wanted in both tables")?;
        let named =
            options.masked.iter().map(|name| position(&shared, name, "named in a QID, and wanted in both tables"));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        Ok(Shared { names: shared, target, named, ignored })
    }

    pub(super) fn read(
        &self,
        tables: Tables<'_>,
        options: &PairOptions,
        observer: &dyn Observer,
    ) -> Result<Pair, Error> {
        let read = |table: &dyn Engine, which: &str| {
            let all = names_of(table);
            let is_header = self.names.iter().any(|name| all.contains(name));
            let position = if is_header { known_position } else { position };
            let columns = self.names.iter().map(|name| position(&all, name, which)).collect::<Result<_, _>>()?;
            let plan = SamplePlan::all(columns, options.nulls.clone(), Vec::new());
            observer.stage(Stage::Read, Some(table.size()));
            Records::read(table, &plan, &Watching(observer)).map_err(Error::from)
        };
        let raw = read(tables.raw, "which the other raw table has")?;
        let masked = read(tables.masked, "which the raw table has")?;
        let pair = Pair { raw, masked, left_out: 0 }.aligned(self, options)?;
        match first_difference(&pair.raw.columns()[self.target], &pair.masked.columns()[self.target]) {
            None => Ok(pair),
            Some(row) => Err(Error::Contradiction {
                what: format!(
                    "the tables differ in the target `{}`, first in record {} of the raw one",
                    self.names[self.target],
                    pair.raw.source(row)
                ),
                hint: "both must have the same records in the same order, with the target as it was".to_owned(),
            }),
        }
    }

    /// Which records of the raw table were not published.
    fn lacking(&self, raw: &Records, how: IfMissing) -> Result<Vec<bool>, Error> {
        let all = || (0..self.names.len()).collect();
        let required: Vec<usize> = match how {
            IfMissing::Value => Vec::new(),
            IfMissing::Complete | IfMissing::Error => all(),
            IfMissing::Drop if self.named.is_empty() => {
                return Err(Error::NotSaid {
                    what:
                        "records that lack a quasi value are to be left out, but which attributes are quasi is not said"
                            .to_owned(),
                    hint: "name them with ‹qid›, as in ‹qid age,sex,zip›",
                });
            }
            IfMissing::Drop => self.named.iter().copied().chain([self.target]).collect(),
        };
        let lacking = lacking(raw, &required);
        match lacking.iter().position(|lacking| *lacking) {
            Some(row) if how == IfMissing::Error => Err(Error::MissingValue {
                attribute: self.names[required.into_iter().find(|&c| raw.text(c, row).is_none()).unwrap_or(0)].clone(),
                record: cutline_table::RecordNumber::new(raw.source(row)),
            }),
            _ => Ok(lacking),
        }
    }
}

/// Which records lack a value in one of the columns.
fn lacking(records: &Records, columns: &[usize]) -> Vec<bool> {
    let mut lacking = vec![false; records.len()];
    for &column in columns {
        lacking.iter_mut().zip(missing(&records.columns()[column])).for_each(|(any, missing)| *any |= missing);
    }
    lacking
}

/// The records of both tables.
pub(super) struct Pair {
    pub(super) raw: Records,
    pub(super) masked: Records,
    /// Records of the raw table that are in neither.
    pub(super) left_out: u64,
}

impl Pair {
    /// Leaves out what was not published, of one table or of both, and what lacks the target.
    fn aligned(mut self, shared: &Shared, options: &PairOptions) -> Result<Self, Error> {
        let before = self.raw.len();
        let keep: Vec<bool> = shared.lacking(&self.raw, options.missing)?.iter().map(|lacking| !lacking).collect();
        let kept = keep.iter().filter(|keep| **keep).count();
        if self.masked.len() != kept && self.masked.len() != before {
            return Err(self.counts_differ(kept, options.missing));
        }
        if self.masked.len() == before {
            self.masked.retain(&keep);
        }
        self.raw.retain(&keep);
        let keep: Vec<bool> = lacking(&self.raw, &[shared.target]).iter().map(|lacking| !lacking).collect();
        self.raw.retain(&keep);
        self.masked.retain(&keep);
        if self.raw.is_empty() {
            return Err(Error::NoRecords("the raw table".to_owned()));
        }
        self.left_out = (before - self.raw.len()) as u64;
        Ok(self)
    }

    fn counts_differ(&self, kept: usize, how: IfMissing) -> Error {
        let (raw, masked) = (self.raw.len(), self.masked.len());
        let all: Vec<usize> = (0..self.raw.columns().len()).collect();
        let complete = lacking(&self.raw, &all).iter().filter(|lacking| !**lacking).count();
        let left =
            if how == IfMissing::Value { String::new() } else { format!(", {kept} of them without missing values") };
        let hint = if masked == complete {
            "the raw table has as many records without missing values: add ‹missing complete›".to_owned()
        } else {
            "both must have the same records in the same order; if records with missing values were left out, say so with \
             ‹missing complete› (and ‹null '?'› if that stands for one); if some were suppressed, publish with ‹suppress-how mask›, or \
             evaluate the raw table alone with the flags of anonymize"
                .to_owned()
        };
        Error::Contradiction { what: format!("the raw table has {raw} records{left}, the masked one {masked}"), hint }
    }
}
