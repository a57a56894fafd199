//! What a release was made from.

use crate::spec::Spec;

/// The settings that reproduce a release, as the report tells them. Nothing reads them back: what a release depends on is checked
/// and stands in the job itself.
#[derive(Clone, Debug)]
pub(crate) struct Arguments(Spec);

impl Arguments {
    pub(crate) fn new(spec: Spec) -> Self {
        Arguments(spec)
    }

    /// What the report says.
    pub(crate) fn told(&self) -> Spec {
        self.0.clone()
    }

    /// Is a search named, so that everybody may know which it was?
    pub(crate) fn names_search(&self) -> bool {
        self.0.search.algorithm.is_some() || self.0.search.local.is_some()
    }

    /// One of several combinations was chosen.
    pub(crate) fn choose(&mut self, clusters: u32, k: Option<u64>) {
        let purpose = &mut self.0.purpose;
        purpose.clusters = vec![clusters];
        purpose.clustering.choose = None;
        purpose.clustering.thresholds = Vec::new();
        if let Some(k) = k {
            self.0.qid.iter_mut().for_each(|qid| qid.k = k);
        }
    }
}
