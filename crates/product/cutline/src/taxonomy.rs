//! A taxonomy from the values of a column, for a person to edit.

use std::collections::BTreeMap;

use cutline_engine::{CompressPlan, Engine};
use cutline_model::recoding::Unknown;
use cutline_model::taxonomy::build::{ClassCounts, look_like_codes};
use cutline_model::{Kind, Masking, Taxonomy, TaxonomyError};
use cutline_table::{LabelKind, Labels, RawColumn, RawTable, RecordNumber, encode};

use crate::columns::{names_of, position};
use crate::observer::Watching;
use crate::{Error, Note, Observer, Stage};

/// A target with more classes is rather a number or a name.
const MOST_CLASSES: usize = 100;

/// What puts values together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Codes that begin alike.
    Prefix,
    /// Values whose records have alike classes of a target.
    Target,
    /// Dates of the same decade, year, quarter and month.
    Calendar,
    /// Numbers of a stretch of equal width.
    Width,
    /// Numbers of stretches with about as many records each.
    Frequency,
    /// Nothing: all values are directly below the root.
    Values,
}

/// Of what, and how, to build a taxonomy.
#[derive(Clone, Debug, Default)]
pub struct TaxonomyPlan {
    /// What the table is called in messages.
    pub table: String,
    /// The column.
    pub attribute: String,
    /// What puts values together; if it is not said, the target or the values tell.
    pub by: Option<By>,
    /// The column whose classes are looked at.
    pub target: Option<String>,
    /// Texts that stand for a missing value, beside the empty one.
    pub nulls: Vec<String>,
}

/// A taxonomy whose leaves are the values of a column.
#[derive(Clone, Debug)]
pub struct TaxonomyProposal {
    /// The tree.
    pub taxonomy: Taxonomy,
    /// What put values together.
    pub by: By,
    /// The first record with a value that an outline cannot hold, if there is one.
    pub outside_outline: Option<RecordNumber>,
}

/// Reads the values of a column and proposes a taxonomy. The leaves are values of records: it is an input, not to be published.
pub fn build_taxonomy(
    engine: &dyn Engine,
    plan: &TaxonomyPlan,
    observer: &dyn Observer,
) -> Result<TaxonomyProposal, Error> {
    check_target(plan)?;
    let table = read(engine, plan, observer)?;
    let by = choose(plan, &table.columns[0], observer)?;
    let outside_outline =
        table.columns[0].values().find(|(text, _)| !Taxonomy::outline_holds(text)).map(|(_, record)| record);
    let built = match by {
        By::Prefix => Taxonomy::by_prefix(sorted(&table.columns[0])),
        By::Values => Taxonomy::flat(sorted(&table.columns[0])),
        By::Calendar => Taxonomy::by_calendar(&sorted(&table.columns[0])).ok_or_else(|| unread(plan, "dates"))?,
        By::Width => Taxonomy::by_width(&sorted(&table.columns[0])).ok_or_else(|| unread(plan, "numbers"))?,
        By::Frequency => Taxonomy::by_frequency(&counted(&table)).ok_or_else(|| unread(plan, "numbers"))?,
        By::Target => by_target(plan, table)?,
    };
    // Values are distinct and not empty, and there is more than one. The error would tell one of them.
    let taxonomy = built.map_err(|_| Error::Defect("the values make no taxonomy".to_owned()))?;
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    if by == By::Prefix && taxonomy.height() == 1 {
        observer.note(&Note::FlatTree { attribute: plan.attribute.clone() });
    }
    Ok(TaxonomyProposal { taxonomy, by, outside_outline })
}

/// Groups the records by the attribute, and the target if there is one.
fn read(engine: &dyn Engine, plan: &TaxonomyPlan, observer: &dyn Observer) -> Result<RawTable, Error> {
    let names = names_of(engine);
    let mut columns = vec![position(&names, &plan.attribute, "named as attribute")?];
    if let Some(target) = &plan.target {
        columns.push(position(&names, target, "named as target")?);
    }
    observer.stage(Stage::Read, Some(engine.size()));
    let compress = CompressPlan { columns, nulls: plan.nulls.clone(), ..CompressPlan::default() };
    let table = engine.compress(&compress, &Watching(observer))?.table;
    if table.records == 0 { Err(Error::NoRecords(plan.table.clone())) } else { Ok(table) }
}

/// A target is needed by `By::Target`, and by nothing else.
fn check_target(plan: &TaxonomyPlan) -> Result<(), Error> {
    match (plan.by, &plan.target) {
        (Some(By::Target), None) => Err(Error::NotSaid {
            what: "‹by target› needs a target".to_owned(),
            hint: "name the column whose classes are to be predicted, as in ‹target income›",
        }),
        (Some(By::Prefix | By::Values | By::Calendar | By::Width | By::Frequency), Some(target)) => {
            Err(Error::Contradiction {
                what: format!("the target `{target}` is looked at only by ‹by target›"),
                hint: "use ‹by target›, or leave ‹target› out".to_owned(),
            })
        }
        (_, Some(target)) if *target == plan.attribute => Err(Error::Contradiction {
            what: format!("`{target}` cannot be the attribute and the target"),
            hint: "the target is what a model predicts from the attribute".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// What puts values together, if there is anything to put together.
fn choose(plan: &TaxonomyPlan, column: &RawColumn, observer: &dyn Observer) -> Result<By, Error> {
    let name = &plan.attribute;
    match column.values().take(2).count() {
        0 => {
            return Err(Error::NotSaid {
                what: format!("`{name}` has no values"),
                hint: "it is missing in all records; is this the right column?",
            });
        }
        1 => {
            return Err(Error::NotSaid {
                what: format!("`{name}` has a single value: there is nothing to put together"),
                hint: "a column that is the same in all records needs no masking",
            });
        }
        _ => {}
    }
    let numbers = column.guess_kind() == Kind::Continuous;
    match plan.by {
        None if numbers => Err(Error::NotSaid {
            what: format!("`{name}` has numbers, which need no taxonomy: they are published as intervals"),
            hint: "if they are codes, such as zip codes, use ‹by prefix›; for bins of your own, ‹by width› or ‹by frequency›",
        }),
        None if column.guess_kind() == Kind::Date => Err(Error::NotSaid {
            what: format!(
                "`{name}` has dates, which need no taxonomy: they are published as stretches of the calendar"
            ),
            hint: "for a tree to edit, use ‹by calendar›",
        }),
        None => Ok(guess(plan, column, observer)),
        Some(by) => {
            if numbers && matches!(by, By::Target | By::Values) {
                observer.note(&Note::NumbersNeedNoTree { attribute: name.to_owned() });
            }
            Ok(by)
        }
    }
}

fn guess(plan: &TaxonomyPlan, column: &RawColumn, observer: &dyn Observer) -> By {
    if plan.target.is_some() {
        By::Target
    } else if look_like_codes(&sorted(column)) {
        By::Prefix
    } else {
        observer.note(&Note::UngroupedTree);
        By::Values
    }
}

fn sorted(column: &RawColumn) -> Vec<&str> {
    let mut texts: Vec<&str> = column.values().map(|(text, _)| text).collect();
    texts.sort_unstable();
    texts
}

/// The values with their records.
fn counted(table: &RawTable) -> Vec<(&str, u64)> {
    let mut records: BTreeMap<&str, u64> = BTreeMap::new();
    for (row, weight) in table.weights.iter().enumerate() {
        if let Some(text) = table.columns[0].text(row) {
            *records.entry(text).or_default() += weight;
        }
    }
    records.into_iter().collect()
}

fn unread(plan: &TaxonomyPlan, what: &str) -> Error {
    Error::NotSaid {
        what: format!("`{}` has values that are no {what}", plan.attribute),
        hint: "use ‹by prefix› for codes, or ‹by values›; texts that stand for a missing value are named by ‹null›",
    }
}

/// Counts classes by value and puts alike values together. A missing class is a class, as in a search.
fn by_target(plan: &TaxonomyPlan, table: RawTable) -> Result<Result<Taxonomy, TaxonomyError>, Error> {
    let target = plan.target.clone().unwrap_or_default();
    let attributes = vec![(plan.attribute.clone(), Masking::Suppress)];
    let table = encode(&table, attributes, &[(target.clone(), LabelKind::Classes)], Unknown::Error)?;
    let (Some(attribute), Labels::Classes { names, codes }) = (table.attributes.first(), &table.labels) else {
        return Err(Error::Defect("values have no classes".to_owned()));
    };
    check_size(plan, &target, attribute.domain.known(), names.len())?;
    let mut counts = vec![vec![0; names.len()]; attribute.domain.len()];
    for ((value, class), records) in attribute.codes.iter().zip(codes.iter()).zip(&table.weights) {
        counts[value as usize][class as usize] += records;
    }
    let counted = counts.into_iter().enumerate();
    // Missing values have no name, and are no values.
    let values: Vec<ClassCounts> =
        counted.filter_map(|(code, counts)| Some((attribute.domain.name(code as u32)?, counts))).collect();
    Ok(Taxonomy::by_class(&values))
}

fn check_size(plan: &TaxonomyPlan, target: &str, values: usize, classes: usize) -> Result<(), Error> {
    if values > Taxonomy::MOST_ALIKE {
        return Err(Error::NotSaid {
            what: format!(
                "`{}` has {values} distinct values; at most {} can be compared with each other",
                plan.attribute,
                Taxonomy::MOST_ALIKE
            ),
            hint: "use ‹by prefix› if they are codes; a column in which most values differ is rather an identifier (‹drop›)",
        });
    }
    if classes > MOST_CLASSES {
        return Err(Error::NotSaid {
            what: format!("the target `{target}` has {classes} classes; at most {MOST_CLASSES} can be told apart"),
            hint: "name a column with classes; put numbers into a few ranges first",
        });
    }
    Ok(())
}
