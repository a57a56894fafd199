//! Other ways to search for the same release: what tuning tries.

use std::fmt;

use cutline_model::recoding::{Local, TOP};
use cutline_model::{Qid, Requirement, Share};

use super::Job;
use crate::Error;
use crate::spec::Algorithm;

/// A way to search for a job's release. The requirement and what is promised stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The algorithm, unless each group is refined by itself.
    pub algorithm: Algorithm,
    /// Is each group refined by itself, and how?
    pub local: Option<Local>,
    /// How much of the allowed suppression the search may spend.
    pub spends: Share,
    /// Attributes that stay fully masked.
    pub masked: Vec<String>,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.local {
            None => write!(f, "{}", self.algorithm)?,
            Some(Local::Nested) => f.write_str("local, nested")?,
            Some(Local::Free) => f.write_str("local, free")?,
        }
        match self.spends.get() {
            1.0 => {}
            0.0 => f.write_str(", nothing suppressed")?,
            share => write!(f, ", {:.0} % of the budget", 100.0 * share)?,
        }
        match &self.masked[..] {
            [] => Ok(()),
            masked => write!(f, ", {} left masked", masked.join(", ")),
        }
    }
}

/// Parts of the budget that are tried.
const PARTS: [f64; 3] = [1.0, 0.5, 0.0];

impl Job {
    /// Are other searches to be tried, and the best kept? Clusters are tuned in their own way.
    pub fn tunes(&self) -> bool {
        self.tune
    }

    /// The searches that may be tried: the job's own first. Whether groups are refined by themselves, and how, stays as it was said: the form
    /// of a recoding tells it, and what is chosen here follows from hidden values. The number of records is that of the table.
    pub fn variants(&self, records: u64) -> Vec<Variant> {
        let mut ways = vec![(self.algorithm_for(records), self.local)];
        let pinned = !self.pins().is_empty();
        let global = [Algorithm::Tdr, Algorithm::Refine, Algorithm::Tds, Algorithm::BottomUp];
        let possible = global.into_iter().filter(|algorithm| !pinned || *algorithm != Algorithm::BottomUp);
        ways.extend(possible.map(|algorithm| (algorithm, None)).filter(|_| self.local.is_none()));
        let parts = if self.suppression.limit == Share::NONE { &PARTS[..1] } else { &PARTS[..] };
        let mut variants: Vec<Variant> = Vec::new();
        for (algorithm, local) in ways {
            for spends in parts.iter().filter_map(|&part| Share::new(part)) {
                let variant = Variant { algorithm, local, spends, masked: Vec::new() };
                if !variants.contains(&variant) {
                    variants.push(variant);
                }
            }
        }
        variants
    }

    /// Attributes that a variant may leave fully masked: none where the search draws the line as it likes.
    pub fn maskable(&self, variant: &Variant) -> Vec<String> {
        let draws = variant.local.is_some() || matches!(variant.algorithm, Algorithm::BottomUp | Algorithm::Genetic);
        let free =
            |name: &&str| self.attributes.get(*name).is_none_or(|said| said.coded.is_none() && said.open.is_empty());
        let names = self.requirement.attributes().into_iter().filter(free).map(str::to_owned);
        if draws { Vec::new() } else { names.collect() }
    }

    /// The job, searched in another way.
    pub fn varied(&self, variant: &Variant) -> Job {
        let mut job = self.clone();
        (job.algorithm, job.local, job.spends) = (Some(variant.algorithm), variant.local, variant.spends);
        job.flatten &= job.local.is_some();
        for name in &variant.masked {
            let said = job.attributes.entry(name.clone()).or_default();
            let top = said.taxonomy.as_ref().map_or(TOP, |taxonomy| taxonomy.label(taxonomy.root())).to_owned();
            said.closed.push(top);
        }
        job
    }

    /// The job for a part of its records: thresholds in proportion.
    ///
    /// # Errors
    /// Those of [`Requirement::new`].
    pub fn in_proportion(&self, share: f64) -> Result<Job, Error> {
        let scaled = |qid: &Qid| Qid { k: ((qid.k as f64 * share).round() as u64).max(1), ..qid.clone() };
        let requirement = Requirement::new(self.requirement.qids().iter().map(scaled).collect())?;
        Ok(Job { requirement, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::with as job;

    #[test]
    fn the_own_search_comes_first_and_none_comes_twice() {
        let texts = |job: &Job| job.variants(1000).iter().map(Variant::to_string).collect::<Vec<_>>();
        assert_eq!(texts(&job(&[])), ["refine", "tdr", "tds", "bottom-up"]);
        assert_eq!(texts(&job(&[("local", "free")])), ["local, free"]);
        let budget = texts(&job(&[("suppress-limit", "1%"), ("algorithm", "refine")]));
        assert_eq!(budget[..3], ["refine", "refine, 50 % of the budget", "refine, nothing suppressed"]);
        assert_eq!(budget.len(), 12);
        assert!(!texts(&job(&[("pin-closed", "town=*")])).contains(&"bottom-up".to_owned()));
    }

    #[test]
    fn what_stays_masked_is_closed_and_the_promise_is_kept() {
        let job = job(&[("suppress-limit", "1%")]);
        let own = &job.variants(1000)[2];
        assert_eq!(job.maskable(own), ["age", "town"]);
        let varied = job.varied(&Variant { masked: vec!["town".to_owned()], ..own.clone() });
        assert_eq!((varied.pins()[0].closed.clone(), varied.spends), (vec!["*".to_owned()], Share::NONE));
        assert_eq!(varied.suppression, job.suppression, "the budget that is told is the one that was said");
        assert_eq!(job.in_proportion(0.1).unwrap().requirement().largest_k(), 1);
    }
}
