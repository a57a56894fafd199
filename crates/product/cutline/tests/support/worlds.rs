//! Possible worlds: what can somebody rule out who has all releases?
//!
//! By the definition of `docs/several-releases.md`, on tables that are small enough to try everything. Knows nothing of joint groups.

/// A record as it is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// What is masked.
    pub(crate) labels: Vec<String>,
    /// What is published as it is and stays with a person: records of one person agree in it.
    pub(crate) link: String,
}

/// Everybody's record in each release, where they have one.
#[derive(Clone, Debug)]
pub(crate) struct Releases {
    pub(crate) persons: Vec<Vec<Option<Row>>>,
}

impl Releases {
    fn releases(&self) -> usize {
        self.persons.first().map_or(0, Vec::len)
    }

    /// True anonymity: for whom are the fewest records left that can be theirs, in a release that they are in?
    pub(crate) fn true_anonymity(&self) -> usize {
        let persons = 0..self.persons.len();
        persons.filter_map(|person| self.of(person)).min().unwrap_or(0)
    }

    /// The fewest records that can be a person's, over the releases that they are in.
    pub(crate) fn of(&self, victim: usize) -> Option<usize> {
        let present = (0..self.releases()).filter(|&release| self.persons[victim][release].is_some());
        present.map(|release| self.candidates(victim, release).len()).min()
    }

    /// Whose record can be the victim's? There must be a world in which it is: everybody has a record of their own in each release that
    /// they are in, with the labels that their values have there, and the records of one person agree in what links them.
    pub(crate) fn candidates(&self, victim: usize, release: usize) -> Vec<usize> {
        let possible = |owner: &usize| {
            let mut taken = vec![vec![false; self.persons.len()]; self.releases()];
            // The victim comes first, with this record in this release.
            let order: Vec<usize> =
                std::iter::once(victim).chain((0..self.persons.len()).filter(|&other| other != victim)).collect();
            self.give((&order, 0), None, Some((release, *owner)), &mut taken)
        };
        (0..self.persons.len()).filter(possible).collect()
    }

    /// Gives the first of these persons a record in each release from this one on, and then all others theirs. A person's records agree
    /// in their link; a fixed one is theirs in a release.
    fn give(
        &self,
        (persons, release): (&[usize], usize),
        link: Option<&str>,
        fixed: Option<(usize, usize)>,
        taken: &mut [Vec<bool>],
    ) -> bool {
        let Some((&person, others)) = persons.split_first() else { return true };
        if release == self.releases() {
            return self.give((others, 0), None, None, taken);
        }
        let Some(own) = &self.persons[person][release] else {
            return self.give((persons, release + 1), link, fixed, taken);
        };
        for owner in 0..self.persons.len() {
            let Some(row) = &self.persons[owner][release] else { continue };
            let is_fixed = fixed.is_none_or(|(of, only)| of != release || only == owner);
            let agrees = link.is_none_or(|link| link == row.link);
            if taken[release][owner] || row.labels != own.labels || !is_fixed || !agrees {
                continue;
            }
            taken[release][owner] = true;
            let found = self.give((persons, release + 1), Some(&row.link), fixed, taken);
            taken[release][owner] = false;
            if found {
                return true;
            }
        }
        false
    }

    /// The fewest persons who have the same labels in the same releases.
    pub(crate) fn joint_groups(&self) -> usize {
        let labels = |person: &Vec<Option<Row>>| -> Vec<Option<Vec<String>>> {
            person.iter().map(|row| row.as_ref().map(|row| row.labels.clone())).collect()
        };
        let published = self.persons.iter().filter(|person| person.iter().any(Option::is_some));
        let all: Vec<_> = published.map(labels).collect();
        all.iter().map(|own| all.iter().filter(|other| *other == own).count()).min().unwrap_or(0)
    }
}
