//! Which persons have the same history?

use std::collections::HashMap;
use std::sync::Arc;

use cutline_model::Qid;
use cutline_table::{Codes, Histories, History, Numbering, Patterns};

use super::published::{PersonKey, Published, everybody};
use crate::Error;

/// The pattern of persons who are in no earlier release.
const UNSEEN: u32 = 0;

/// What is known of persons from earlier releases.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) key: PersonKey,
    everybody: Arc<Everybody>,
    patterns: Patterns,
}

/// Everybody who is in some release, in the order of digests, and the pattern of each. Digests are spread evenly, so the first bits of one tell
/// where it would be.
struct Everybody {
    digests: Vec<u128>,
    patterns: Vec<u32>,
    /// Where the digests with each beginning are, and where the last ones end.
    starts: Vec<u32>,
    /// All bits but the first ones.
    rest: u32,
}

impl Everybody {
    fn new(digests: Vec<u128>, patterns: Vec<u32>) -> Self {
        let first_bits = digests.len().max(1).ilog2() + 1;
        let rest = u128::BITS - first_bits;
        let mut starts = vec![0; (1 << first_bits) + 1];
        digests.iter().for_each(|digest| starts[(digest >> rest) as usize + 1] += 1);
        (1..starts.len()).for_each(|place| starts[place] += starts[place - 1]);
        Everybody { digests, patterns, starts, rest }
    }

    fn pattern(&self, person: u128) -> u32 {
        let beginning = (person >> self.rest) as usize;
        let (start, end) = (self.starts[beginning] as usize, self.starts[beginning + 1] as usize);
        let place = (start..end).find(|&place| self.digests[place] == person);
        place.map_or(UNSEEN, |place| self.patterns[place])
    }
}

impl Known {
    /// What releases tell of the attributes of some QIDs.
    pub(crate) fn new(key: PersonKey, releases: &[Published], qids: &[Qid]) -> Self {
        let asked = |name: &String| qids.iter().any(|qid| qid.attributes.contains(name));
        let everybody = everybody(releases);
        let places: Vec<Vec<Place>> = releases.iter().map(|release| Place::all(release, asked)).collect();
        let told = places.iter().flatten().map(|place| place.told.clone()).collect();
        // Nobody comes first, who is in none of them; the others are numbered as they come.
        let mut numbering = Numbering::new(everybody.len() + 1);
        let mut rows_of: Vec<Vec<Option<u32>>> = Vec::new();
        for release in releases {
            let rows: Vec<Option<u32>> = std::iter::once(None).chain(release.persons.of(&everybody)).collect();
            numbering.refine(rows.iter().map(|row| row.map_or(0, |row| row + 1)), release.rows.len() + 1);
            rows_of.push(rows);
        }
        let pattern = |&first: &u32| {
            let rows = rows_of.iter().map(|rows| rows[first as usize]);
            places.iter().zip(rows).flat_map(|(places, row)| places.iter().map(move |p| p.number(row))).collect()
        };
        let patterns: Vec<Box<[u32]>> = numbering.first_rows().iter().map(pattern).collect();
        let mut absent = vec![Some(0); patterns.len()];
        absent[UNSEEN as usize] = None;
        let of_person = numbering.of_row[1..].to_vec();
        let patterns = Patterns { told, patterns, absent, promised: Vec::new() };
        Known { key, everybody: Arc::new(Everybody::new(everybody, of_person)), patterns }
    }

    /// The pattern of a person.
    pub(crate) fn pattern(&self, person: u128) -> u32 {
        self.everybody.pattern(person)
    }

    /// The patterns of some persons.
    pub(crate) fn patterns_of(&self, persons: &[u128]) -> Vec<u32> {
        persons.iter().map(|&person| self.pattern(person)).collect()
    }

    /// Counts the persons of each pattern who are not in the table, in which persons with these patterns are.
    pub(crate) fn count_absent(&mut self, present: &[u32]) {
        let mut absent = vec![0_u64; self.patterns.patterns.len()];
        self.everybody.patterns.iter().for_each(|&pattern| absent[pattern as usize] += 1);
        for &pattern in present {
            absent[pattern as usize] = absent[pattern as usize].saturating_sub(1);
        }
        let counted = self.patterns.absent.iter_mut().zip(absent);
        counted.for_each(|(counted, absent)| *counted = counted.map(|_| absent));
    }

    /// One person with a pattern less is in the table.
    pub(crate) fn hold_back(&mut self, pattern: u32) {
        let absent = &mut self.patterns.absent[pattern as usize];
        *absent = absent.map(|absent| absent + 1);
    }

    /// For each pattern, its history as far as some attributes tell it.
    pub(crate) fn histories(&self, attributes: &[String]) -> Histories {
        let all = self.patterns.patterns.len();
        let of_row = Codes::from_codes(0..all as u32, all);
        let names: Vec<&str> = attributes.iter().map(String::as_str).collect();
        History { of_row, patterns: Arc::new(self.patterns.clone()) }.on(&names)
    }

    /// How many persons share each trajectory of the earlier releases, on a QID.
    fn trajectories(&self, present: &[u32], qid: &Qid) -> impl Iterator<Item = u64> {
        let histories = self.histories(&qid.attributes);
        let mut persons = histories.absent;
        for &pattern in present {
            let history = histories.of_row.get(pattern as usize) as usize;
            persons[history] = persons[history].map(|persons| persons + 1);
        }
        persons.into_iter().flatten().filter(|&persons| persons > 0)
    }

    /// Has earlier releases' promises kept, as far as these releases themselves have. What is left of those that are not kept comes back.
    pub(crate) fn promise(&mut self, present: &[u32], promised: Vec<Qid>) -> &[Qid] {
        let kept = |qid: Qid| {
            let smallest = self.trajectories(present, &qid).min().unwrap_or(qid.k);
            Qid { k: qid.k.min(smallest), ..qid }
        };
        self.patterns.promised = promised.into_iter().map(kept).collect();
        &self.patterns.promised
    }

    /// What is asked, and what was promised beyond it.
    pub(crate) fn with_promised(&self, asked: &[Qid]) -> Vec<Qid> {
        [asked, &self.patterns.promised].concat()
    }

    /// An error if the earlier releases alone tell too much: no further release can take that back.
    pub(crate) fn check(&self, present: &[u32], qids: &[Qid]) -> Result<(), Error> {
        for qid in qids {
            let few: Vec<u64> = self.trajectories(present, qid).filter(|&persons| persons < qid.k).collect();
            if let Some(&smallest) = few.iter().min() {
                return Err(Error::AlreadyTold {
                    qid: qid.attributes.clone(),
                    k: qid.k,
                    groups: few.len() as u64,
                    persons: few.iter().sum(),
                    smallest,
                });
            }
        }
        Ok(())
    }

    /// What the records of a table are told apart by.
    pub(crate) fn patterns(&self) -> Arc<Patterns> {
        Arc::new(self.patterns.clone())
    }
}

/// A place of a pattern: whether a person is in a release, or what it tells of an attribute.
struct Place {
    told: Option<String>,
    /// The number of what each row of the release tells.
    numbers: Vec<u32>,
}

impl Place {
    /// What a release tells.
    fn all(release: &Published, asked: impl Fn(&String) -> bool) -> Vec<Self> {
        let presence = Place { told: None, numbers: vec![1; release.rows.len()] };
        let attributes = release.attributes.iter().enumerate().filter(|(_, name)| asked(name));
        let attribute = |(index, name): (usize, &String)| {
            let mut found: HashMap<Option<&str>, u32> = HashMap::new();
            let mut numbers = Vec::with_capacity(release.rows.len());
            for row in &release.rows {
                let next = found.len() as u32 + 1;
                numbers.push(*found.entry(row[index].as_deref()).or_insert(next));
            }
            Place { told: Some(name.clone()), numbers }
        };
        std::iter::once(presence).chain(attributes.map(attribute)).collect()
    }

    /// What is told of a person with a row, or of one who is not there.
    fn number(&self, row: Option<u32>) -> u32 {
        row.map_or(0, |row| self.numbers[row as usize])
    }
}
