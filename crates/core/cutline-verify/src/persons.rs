//! How many persons are behind the records of a group?
//!
//! k records of one person protect nobody. Whoever says which person a record is about gets groups counted in persons too.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use crate::dictionary::Dictionary;
use crate::groups::Groups;
use crate::{Risk, VerifyError};

/// Which person each record of a table is about.
#[derive(Clone, PartialEq, Eq)]
pub enum Persons {
    /// A column of the table says it: two records are about the same person if the values are equal without blanks around them.
    /// Records without a value are about one person: nobody knows that they are about several.
    Column(String),
    /// It is not in the table. Here is a number for each record, in the order of the table; the same one for the same person, and
    /// none of them much larger than the number of persons.
    Numbers(Arc<[u32]>),
}

/// Shows nobody's number.
impl fmt::Debug for Persons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Persons::Column(name) => write!(f, "Column({name})"),
            Persons::Numbers(numbers) => write!(f, "Numbers({} records)", numbers.len()),
        }
    }
}

/// The persons in the groups of one claim. A person counts once in every group that has a record of theirs.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonFinding {
    /// The number of persons in the group that has the fewest; 0 if there are no records.
    pub smallest: u64,
    /// The number of groups with fewer than k persons.
    pub violating_groups: u64,
    /// The number of records in these groups.
    pub violating_records: u64,
    /// (persons, number of groups with so many), the fewest first.
    pub sizes: Vec<(u64, u64)>,
    /// The risk from someone who knows the claim's attributes, where a group of s persons gives each of them the risk 1/s.
    pub risk: Risk,
}

impl PersonFinding {
    pub(crate) fn new(persons: &[u64], groups: &Groups, k: u64) -> Self {
        let mut sizes = BTreeMap::new();
        persons.iter().for_each(|&size| *sizes.entry(size).or_insert(0) += 1);
        let sizes: Vec<(u64, u64)> = sizes.into_iter().collect();
        let violating = || persons.iter().zip(groups.counts()).filter(|(size, _)| **size < k);
        PersonFinding {
            smallest: sizes.first().map_or(0, |(size, _)| *size),
            violating_groups: violating().count() as u64,
            violating_records: violating().map(|(_, records)| records).sum(),
            risk: Risk::new(&sizes, k),
            sizes,
        }
    }
}

/// The different persons of each group, from pairs of a group and the id of a person.
pub(crate) fn by_column(pairs: &Groups, groups: usize, dictionary: &Dictionary, nulls: &[String]) -> Vec<u64> {
    let person_of = same_persons(dictionary, nulls);
    let pair = |pair: usize| {
        let [group, id] = *pairs.key(pair) else { unreachable!("a pair has two parts") };
        (group, person_of[id as usize])
    };
    let mut members: Vec<(u32, u32)> = (0..pairs.counts().len()).map(pair).collect();
    members.sort_unstable();
    members.dedup();
    let mut sizes = vec![0; groups];
    members.iter().for_each(|&(group, _)| sizes[group as usize] += 1);
    sizes
}

/// The person behind each id: blanks do not matter, and all missing names are one.
fn same_persons(dictionary: &Dictionary, nulls: &[String]) -> Vec<u32> {
    let mut known: HashMap<Option<&str>, u32> = HashMap::new();
    let name = |id| {
        let text = dictionary.text(id).map(str::trim);
        text.filter(|text| !text.is_empty() && nulls.iter().all(|null| null.trim() != *text))
    };
    dictionary
        .ids()
        .map(|id| {
            let next = known.len() as u32;
            *known.entry(name(id)).or_insert(next)
        })
        .collect()
}

/// The different persons of each group, from the group and the person of every record.
pub(crate) fn by_number(
    group_of: impl ExactSizeIterator<Item = u32>,
    groups: usize,
    persons: &[u32],
) -> Result<Vec<u64>, VerifyError> {
    if group_of.len() != persons.len() {
        return Err(VerifyError::BadCounts { problem: "persons were told of another number of records" });
    }
    // The groups of each person lie together.
    let mut ends = vec![0; persons.iter().max().map_or(0, |&last| last as usize + 1)];
    persons.iter().for_each(|&person| ends[person as usize] += 1);
    let mut next = 0;
    ends.iter_mut().for_each(|end| next += std::mem::replace(end, next));
    let mut own = vec![0; persons.len()];
    for (group, &person) in group_of.zip(persons) {
        let place: &mut usize = &mut ends[person as usize];
        own[*place] = group;
        *place += 1;
    }
    let mut sizes = vec![0; groups];
    let mut start = 0;
    for end in ends {
        let groups = &mut own[start..end];
        groups.sort_unstable();
        groups.chunk_by(|one, other| one == other).for_each(|same| sizes[same[0] as usize] += 1);
        start = end;
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_counts_once_in_every_group() {
        let groups = [0, 0, 0, 1, 1, 2];
        assert_eq!(by_number(groups.into_iter(), 3, &[4, 4, 0, 4, 2, 2]).unwrap(), [2, 2, 1]);
        assert!(by_number(groups.into_iter(), 3, &[1, 2]).is_err());
        assert!(by_number([].into_iter(), 0, &[]).unwrap().is_empty());
    }

    #[test]
    fn blanks_do_not_make_another_person_and_those_without_a_name_are_one() {
        let mut dictionary = Dictionary::new();
        let mut pairs = Groups::new(2);
        for (group, name) in [(0, "ann"), (0, " ann"), (0, ""), (0, "?"), (1, "ann"), (1, "ben")] {
            let id = dictionary.id(name.as_bytes()).unwrap();
            pairs.add(&[group, id], 1).unwrap();
        }
        assert_eq!(by_column(&pairs, 2, &dictionary, &["?".into()]), [2, 2]);
    }
}
