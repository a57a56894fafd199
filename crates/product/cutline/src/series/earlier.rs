//! What did earlier releases publish of whom?

use std::collections::{BTreeMap, BTreeSet};

use cutline_arrow::source::SourceOptions;
use cutline_engine::{CompressPlan, Engine, EngineError, Unwatched};
use cutline_model::Qid;
use cutline_model::recoding::Unknown;
use cutline_table::Mask;

use super::published::{PERSONS_FILE, PersonKey, Published};
use super::{After, persons};
use crate::apply::Apply;
use crate::columns::{names_of, position};
use crate::{Error, Observer, Release, Silent, Table, cores};

/// Everything that the releases tell of their persons on the attributes of some QIDs. A column says whose record each is, and a key is used
/// for those that keep none.
pub(super) fn published(
    after: &After,
    (person, otherwise): (&str, Option<PersonKey>),
    qids: &[Qid],
    observer: &dyn Observer,
) -> Result<(PersonKey, Vec<Published>), Error> {
    let After { earlier, previous, .. } = after;
    if previous.is_empty() {
        return kept(earlier, qids);
    }
    if previous.len() != earlier.len() {
        return Err(Error::Contradiction {
            what: format!(
                "there are {} earlier releases, but {} tables that they were made from",
                earlier.len(),
                previous.len()
            ),
            hint: "give one ‹previous› for each ‹after›, in the same order, or none at all".to_owned(),
        });
    }
    let key = earlier.iter().find_map(|release| Some(Published::read(&release.private_file(PERSONS_FILE)?).ok()?.0));
    let key = key.or(otherwise).map_or_else(PersonKey::fresh, Ok)?;
    let masked = |(release, table): (&Release, &Table)| {
        if observer.cancelled() { Err(Error::Interrupted) } else { masked(release, table, person, qids, key) }
    };
    Ok((key, earlier.iter().zip(previous).map(masked).collect::<Result<_, _>>()?))
}

/// What the releases themselves keep of their persons.
fn kept(earlier: &[Release], qids: &[Qid]) -> Result<(PersonKey, Vec<Published>), Error> {
    let mut key = None;
    let mut releases = Vec::new();
    for release in earlier {
        let file = release.private_file(PERSONS_FILE).ok_or_else(|| Error::Contradiction {
            what: format!("`{}` does not know whose records it has", release.folder().display()),
            hint: "give the table that it was made from with ‹previous›; releases that are made with ‹person› know their persons, as \
                   long as their private part is there"
                .to_owned(),
        })?;
        let (own, published) = Published::read(&file)?;
        if key.is_some_and(|key| key != own) {
            return Err(Error::Contradiction {
                what: format!("`{}` was not made as one of the same series", release.folder().display()),
                hint: "releases know each other's persons if each was made with ‹after› those before it; give the table that each was \
                       made from with ‹previous›"
                    .to_owned(),
            });
        }
        let unknown = |name: &&String| !published.attributes.contains(name);
        if let Some(name) = told_as_is(release, qids)?.iter().find(unknown) {
            return Err(as_is(release, name));
        }
        key = Some(own);
        releases.push(published);
    }
    Ok((key.map_or_else(PersonKey::fresh, Ok)?, releases))
}

fn as_is(release: &Release, name: &str) -> Error {
    Error::Contradiction {
        what: format!("`{}` has `{name}` as it is, which is in a QID now or was in one before", release.folder().display()),
        hint: "whoever has it knows that value of each record; give the table that it was made from with ‹previous› to see what that tells"
            .to_owned(),
    }
}

/// The attributes of the QIDs that a release publishes as they are.
pub(super) fn told_as_is(release: &Release, qids: &[Qid]) -> Result<BTreeSet<String>, Error> {
    let recoding = release.recoding();
    let told = names_of(&open(release)?);
    let asked = qids.iter().flat_map(|qid| &qid.attributes);
    let as_is = |name: &&String| {
        told.contains(name) && !recoding.attributes.contains_key(*name) && !recoding.identifiers.contains_key(*name)
    };
    Ok(asked.filter(as_is).cloned().collect())
}

fn open(release: &Release) -> Result<Table, Error> {
    Table::open(&release.table().to_string_lossy(), &SourceOptions::default(), cores())
}

/// What a release made of the table that it was made from.
fn masked(release: &Release, table: &Table, person: &str, qids: &[Qid], key: PersonKey) -> Result<Published, Error> {
    let mut apply = Apply::new(release.recoding().clone());
    // What a table that was published lacked in its taxonomies, it had attached to their roots.
    apply.unknown = Unknown::Root;
    let names = names_of(table);
    let masking = apply.masking(table, &Silent)?;
    let as_is: Vec<String> = told_as_is(release, qids)?.into_iter().collect();
    let further = as_is.iter().map(|name| position(&names, name, "published by an earlier release"));
    let further = further.collect::<Result<Vec<_>, _>>()?;
    let person_column = position(&names, person, "named as person")?;
    let plan = CompressPlan {
        columns: [&masking.sources[..], &further, &[person_column]].concat(),
        nulls: apply.recoding.null.clone(),
        required: masking.required.clone(),
        ..CompressPlan::default()
    };
    let raw = table.compress(&plan, &Unwatched)?.table;
    let own = persons(&raw, plan.columns.len() - 1, person)?;
    let digests: Vec<u128> = own.iter().map(|name| key.digest(name)).collect();
    let masked = masking.sources.len();
    let attributes: Vec<String> = apply.recoding.attributes.keys().cloned().chain(as_is).collect();
    let attribute = |column: usize| attributes[column].clone();
    let found = Published::of(&raw, &Mask::new(&masking.plan), masked, attributes.clone(), &digests);
    let published = found.map_err(|(column, error)| EngineError::Value { attribute: attribute(column), error })?;
    let mut records = vec![0; published.rows.len()];
    for (digest, weight) in digests.iter().zip(&raw.weights) {
        if let Some(row) = published.persons.get(*digest) {
            records[row as usize] += weight;
        }
    }
    check_same(release, &published, masked, &records)?;
    Ok(published)
}

/// An error unless the release has just these labels, so many records of each row.
fn check_same(release: &Release, published: &Published, masked: usize, records: &[u64]) -> Result<(), Error> {
    let table = open(release)?;
    let names = names_of(&table);
    let columns = published.attributes[..masked].iter().map(|name| position(&names, name, "masked by the recoding"));
    let plan = CompressPlan { columns: columns.collect::<Result<_, _>>()?, ..CompressPlan::default() };
    let raw = table.compress(&plan, &Unwatched)?.table;
    let mut told: BTreeMap<Vec<Option<&str>>, u64> = BTreeMap::new();
    for (row, &records) in raw.weights.iter().enumerate() {
        *told.entry(raw.columns.iter().map(|column| column.text(row)).collect()).or_default() += records;
    }
    let mut expected: BTreeMap<Vec<Option<&str>>, u64> = BTreeMap::new();
    for (row, records) in published.rows.iter().zip(records) {
        *expected.entry(row[..masked].iter().map(Option::as_deref).collect()).or_default() += records;
    }
    if told == expected {
        return Ok(());
    }
    let hint = match release.private_file(PERSONS_FILE) {
        Some(_) => {
            "masked as its recoding says, that table has other labels; it may have held records back, and it knows its persons itself: a \
             release that was made with ‹person›, or ‹after› others, needs no ‹previous›"
        }
        None => {
            "masked as its recoding says, that table has other labels; give one ‹previous› for each ‹after›, in the same order (of a \
             release that held records back, or has private taxonomies, only what it keeps itself tells its persons: keep its private part)"
        }
    };
    Err(Error::Contradiction {
        what: format!("`{}` was not made from the table that is given as its previous one", release.folder().display()),
        hint: hint.to_owned(),
    })
}
