//! C4.5 release 8.
//!
//! After J. R. Quinlan, *C4.5: Programs for Machine Learning* (1993) and *Improved Use of Continuous Attributes in C4.5*
//! (JAIR 4, 1996), which made release 8. Where the book leaves a choice (tolerances, ties, the normal approximation of the
//! error's upper bound, when a subtree is raised), Weka's J48 is followed, so that figures can be compared with papers that
//! used either. One thing of the book is left out, as in J48: grouping of nominal values (`-s`).
//!
//! | file | question |
//! | --- | --- |
//! | `criterion` | How much does a split tell? |
//! | `candidate` | How would this column split these cases? |
//! | `grow` | Which column splits, and where does a case go? |
//! | `prune` | What of the tree is worth keeping? |
//! | `tree` | What does the tree say about a row? |

mod candidate;
mod criterion;
mod grow;
mod prune;
#[cfg(test)]
mod tests;
mod tree;

use super::{Classifier, ClassifyError, Instances, Model};
use grow::Learner;
use prune::Pruner;
pub use tree::Tree;

/// How sure pruning has to be, above 0 and at most one half: less prunes more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence(f64);

impl Confidence {
    /// Checks the figure.
    pub fn new(confidence: f64) -> Result<Self, ClassifyError> {
        if confidence > 0.0 && confidence <= 0.5 { Ok(Self(confidence)) } else { Err(ClassifyError::Confidence) }
    }

    /// The figure.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Confidence {
    /// 0.25, as in C4.5.
    fn default() -> Self {
        Self(0.25)
    }
}

/// What happens to a grown tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pruning {
    /// Nothing.
    Off,
    /// A subtree becomes a leaf where a leaf's pessimistic error is not higher.
    Replace(Confidence),
    /// In addition, a node is replaced by its largest branch where that is better: subtree raising.
    Raise(Confidence),
}

/// The learner and its options; the defaults are those of C4.5 and J48.
#[derive(Debug, Clone, PartialEq)]
pub struct C45 {
    /// At least two branches of every split have this many cases.
    pub min_cases: u32,
    /// Whether a subtree without fewer training errors than a leaf becomes one before pruning.
    pub collapse: bool,
    /// How the tree is pruned.
    pub pruning: Pruning,
}

impl Default for C45 {
    fn default() -> Self {
        Self { min_cases: 2, collapse: true, pruning: Pruning::Raise(Confidence::default()) }
    }
}

impl C45 {
    /// Learns a tree from every row of the table.
    pub fn tree(&self, rows: &Instances) -> Tree {
        let learner = Learner::new(rows, f64::from(self.min_cases));
        let cases = learner.all_cases();
        let mut root = learner.grow(&cases, 0);
        if self.collapse {
            root.collapse();
        }
        if let Pruning::Replace(Confidence(confidence)) | Pruning::Raise(Confidence(confidence)) = self.pruning {
            let raise = matches!(self.pruning, Pruning::Raise(_));
            Pruner::new(&learner, confidence, raise).prune(&mut root, &cases);
        }
        Tree::new(rows, root)
    }
}

impl Classifier for C45 {
    fn train(&self, rows: &Instances) -> Box<dyn Model> {
        Box::new(self.tree(rows))
    }
}
