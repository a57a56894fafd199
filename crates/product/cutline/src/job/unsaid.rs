//! Which algorithm searches where none is named: the one place that decides it.
//!
//! It follows from what is said and from the number of records, never from memory, threads or the machine, so that the same table and settings
//! give the same release everywhere:
//!
//! | unsaid | searched by |
//! | --- | --- |
//! | clusters are the purpose | `tdr`, as in the paper |
//! | at most [`MOST_REFINED`] records | `refine`, which tells more on average |
//! | more | `tdr`, which is faster and can do with counts that stay small |

use cutline_model::recoding::Local;

use super::Job;
use crate::cluster::Clustering;
use crate::spec::{Algorithm, Spec};

/// The most records that `refine` searches without being asked. It looks at combinations of values, of which every machine holds as many
/// whatever it is allowed: there are never more of them than records.
pub(crate) const MOST_REFINED: u64 = 200_000;

/// How the search is called where nobody named it and the number of records decides.
const DEFAULT: &str = "default";

/// The algorithm, if a spec decides it.
pub(super) fn said(spec: &Spec, clustering: Option<&Clustering>) -> Option<Algorithm> {
    spec.search.algorithm.or(clustering.map(|_| Algorithm::Tdr))
}

impl Job {
    /// The algorithm that searches a table of so many records.
    pub fn algorithm_for(&self, records: u64) -> Algorithm {
        let fitting = if records <= MOST_REFINED { Algorithm::Refine } else { Algorithm::Tdr };
        self.algorithm.unwrap_or(fitting)
    }

    /// The job, when its table is known to have so many records: parts of them are searched as all of them are.
    #[must_use]
    pub fn decided_for(&self, records: u64) -> Job {
        Job { algorithm: Some(self.algorithm_for(records)), ..self.clone() }
    }

    /// How the search is called; that of a draft is the one that ran.
    pub fn searched_by(&self) -> String {
        let local = match self.local {
            None => return self.algorithm.map_or_else(|| DEFAULT.to_owned(), |algorithm| algorithm.to_string()),
            Some(Local::Nested) => "local, nested",
            Some(Local::Free) => "local, free",
        };
        if self.flatten { format!("{local}, flattened") } else { local.to_owned() }
    }

    /// How it is called in public. Which one was kept when the search was tuned follows from what is hidden. Which one the number of records
    /// decided would tell how many there were before some were dropped, held back or left out.
    pub(crate) fn publicly_searched_by(&self) -> String {
        match self.arguments.names_search() || self.clustering.is_some() {
            _ if self.tune => "tuned".to_owned(),
            true => self.searched_by(),
            false => DEFAULT.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::with as job;

    #[test]
    fn the_number_of_records_decides_what_nobody_said() {
        let unsaid = job(&[]);
        assert_eq!(unsaid.algorithm_for(1), Algorithm::Refine);
        assert_eq!(unsaid.algorithm_for(MOST_REFINED), Algorithm::Refine);
        assert_eq!(unsaid.algorithm_for(MOST_REFINED + 1), Algorithm::Tdr);
        for (name, algorithm) in
            [("refine", Algorithm::Refine), ("tds", Algorithm::Tds), ("genetic", Algorithm::Genetic)]
        {
            let said = job(&[("algorithm", name)]);
            assert_eq!((said.algorithm_for(1), said.algorithm_for(u64::MAX)), (algorithm, algorithm));
        }
        let clusters = job(&[("clusters", "2")]);
        assert_eq!((clusters.algorithm_for(1), clusters.algorithm_for(u64::MAX)), (Algorithm::Tdr, Algorithm::Tdr));
    }

    #[test]
    fn neither_memory_nor_threads_decide() {
        let machines = [[("memory", "1MiB"), ("threads", "1")], [("memory", "900GiB"), ("threads", "64")]];
        for records in [1, MOST_REFINED, MOST_REFINED + 1] {
            assert!(machines.iter().all(|said| job(said).algorithm_for(records) == job(&[]).algorithm_for(records)));
        }
    }

    #[test]
    fn a_part_is_searched_as_the_whole() {
        let large = job(&[]).decided_for(MOST_REFINED + 1);
        assert_eq!((large.algorithm_for(10), large.searched_by()), (Algorithm::Tdr, "tdr".to_owned()));
    }

    #[test]
    fn the_public_is_not_told_what_the_number_of_records_decided() {
        let told = |settings: &[(&str, &str)]| job(settings).decided_for(10).publicly_searched_by();
        assert_eq!(told(&[]), "default");
        assert_eq!(told(&[("algorithm", "refine")]), "refine");
        assert_eq!(told(&[("clusters", "2")]), "tdr");
        assert_eq!(told(&[("local", "free")]), "local, free");
        assert_eq!(told(&[("tune", "true")]), "tuned");
        let other = job(&[]).decided_for(MOST_REFINED + 1);
        assert_eq!(other.publicly_searched_by(), "default");
    }
}
