//! The same attack on several releases, compared.
//!
//! A person who is in all of them has a record in each, and these agree in what stays with a person: a diagnosis, a place of birth. So of the
//! records that a person matches in one release, those are left whose linking values some matching record of every other release has.

use std::collections::{BTreeMap, HashMap};

use cutline_engine::{Engine, Records};
use cutline_model::Recoding;
use cutline_report::{ComparedOutcome, Narrowed};
use cutline_table::Numbering;

use super::groups::Groups;
use super::persons::Persons;
use super::tables::Linkage;
use super::{Attack, Error, Observer};

/// Linking values of matching records, and how many records have each.
type Links = BTreeMap<u32, u64>;

impl Attack {
    /// Attacks several releases, and compares them. [`Attack::sensitive`] are the columns that stay with a person; the external table is of
    /// persons who are in all releases.
    ///
    /// # Errors
    /// As those of [`Attack::run`]; and if nothing links records.
    pub fn compare(
        &self,
        releases: &[(&dyn Engine, Option<Recoding>)],
        external: &dyn Engine,
        observer: &dyn Observer,
    ) -> Result<ComparedOutcome, Error> {
        if self.on.is_empty() || self.sensitive.is_empty() {
            return Err(Error::NotSaid {
                what: "nothing is said that the tables have in common, or that links records of one person".to_owned(),
                hint: "name what an adversary knows with ‹on age,sex›, and what stays with a person with ‹sensitive diagnosis›",
            });
        }
        let mut numbers = HashMap::new();
        let mut matched = Vec::new();
        for (released, recoding) in releases {
            let attack = Attack { recoding: recoding.clone(), truth: None, ..self.clone() };
            let mut tables = Linkage::read(&attack, *released, external, observer)?;
            let persons = attack.persons(&mut tables);
            matched.push(Matched::new(persons, &tables, &mut numbers));
        }
        Ok(outcome(self, &matched))
    }
}

/// What persons match in one release.
struct Matched {
    /// The kind of each person.
    kind_of: Vec<u32>,
    /// What persons of each kind match.
    links: Vec<Links>,
}

impl Matched {
    fn new(persons: Persons, tables: &Linkage, numbers: &mut HashMap<Vec<Option<String>>, u32>) -> Self {
        let groups = Groups::new(tables);
        let places: Vec<usize> = tables.sensitive.iter().map(|sensitive| sensitive.released).collect();
        let mut of_group: Vec<Links> = vec![Links::new(); groups.len()];
        for (record, &group) in groups.of_record.iter().enumerate() {
            *of_group[group as usize].entry(link(&tables.released, &places, record, numbers)).or_default() += 1;
        }
        let links = |kind: usize| {
            let mut links = Links::new();
            for group in persons.matched(kind, &groups).groups {
                of_group[group as usize].iter().for_each(|(&link, records)| *links.entry(link).or_default() += records);
            }
            links
        };
        Matched { links: (0..persons.counts.len()).map(links).collect(), kind_of: persons.kind_of }
    }
}

/// The number of a record's linking values.
fn link(released: &Records, places: &[usize], record: usize, numbers: &mut HashMap<Vec<Option<String>>, u32>) -> u32 {
    let values = places.iter().map(|&place| released.text(place, record).map(str::to_owned)).collect();
    let next = numbers.len() as u32;
    *numbers.entry(values).or_insert(next)
}

fn outcome(attack: &Attack, releases: &[Matched]) -> ComparedOutcome {
    let persons = releases.first().map_or(0, |release| release.kind_of.len());
    let mut alike = Numbering::new(persons);
    for release in releases {
        alike.refine(release.kind_of.iter().copied(), release.links.len());
    }
    let counts = alike.sizes(&vec![1; persons]);
    let mut alone = vec![Narrowed::default(); releases.len()];
    let mut together = alone.clone();
    for (&first, &persons) in alike.first_rows().iter().zip(&counts) {
        let links: Vec<&Links> =
            releases.iter().map(|release| &release.links[release.kind_of[first as usize] as usize]).collect();
        let everywhere = |link: &u32| links.iter().all(|links| links.contains_key(link));
        for (release, links) in links.iter().enumerate() {
            let left: Links = links.iter().filter(|(link, _)| everywhere(link)).map(|(&l, &n)| (l, n)).collect();
            add(&mut alone[release], links, persons);
            add(&mut together[release], &left, persons);
        }
    }
    ComparedOutcome { on: attack.on.clone(), link: attack.sensitive.clone(), persons: persons as u64, alone, together }
}

/// Persons who match these records.
fn add(narrowed: &mut Narrowed, links: &Links, persons: u64) {
    let records: u64 = links.values().sum();
    if records == 0 {
        return;
    }
    narrowed.fewest = if narrowed.matched == 0 { records } else { narrowed.fewest.min(records) };
    narrowed.matched += persons;
    narrowed.found += if records == 1 { persons } else { 0 };
    narrowed.certain += if links.len() == 1 { persons } else { 0 };
}
