//! Our own search (`refine`): top-down refinement that looks at all valid splits, mends its order, and spends a budget where it pays.
//!
//! `tdr` (2007) with four changes (design, section 4.5):
//!
//! 1. *Valid splits.* An interval is split at the point of highest gain among those after which the requirement holds, and looked at
//!    again when the groups change. `tdr` looks at the one point of highest gain, and gives the interval up if that is invalid.
//!    Validity is antimonotone for single points: if some group would be too small with a bound there, some part of it would be, whatever
//!    is refined before. A node of a taxonomy is refined into all of its children or not at all: with only some of them the others
//!    would keep the node's label, which is then no longer the label of a cut.
//! 2. *A mended order.* When nothing more is valid, attributes are taken back one by one, those first of which the others tell most
//!    anyway; what they blocked is refined, then they are again as far as that is valid. It is kept if records are better told apart.
//! 3. *A budget that pays.* A step that makes groups smaller than k hides their records, and loses what was known of them: that is
//!    taken from its gain, and it must gain more than it loses.
//!
//! 4. *A second opinion.* Greedy descents end in different places, and a budget makes the difference large. `tdr` searches as well, and
//!    whichever tells records better apart, by the measure of the second change, is the result.
//!
//! | file | answers |
//! | --- | --- |
//! | `state` | How is the table masked, and what does a step change? |
//! | `partition` | Which records share a qid? |
//! | `grid`, `figures` | Where could intervals be split, and how small would groups become? |
//! | `candidates` | Which refinements are valid and beneficial, and which of them is best? |
//! | `improve`, `objective` | Should an attribute be taken back? How well are records told apart? |

mod candidates;
mod figures;
mod grid;
mod improve;
mod objective;
mod partition;
mod state;

use cutline_model::AttributeRecoding;
use cutline_table::{AttributeId, Labels, Masked};

use crate::gain::{Entropy, Gain, Records, Variance};
use crate::grouping::Labelling;
use crate::top_down::{Score, TopDown};
use crate::{Control, Outcome, Problem, Search, Step, Stopped};
use grid::Grid;
pub use grid::MOST_BINS;
use improve::{ROUNDING, improve};
use objective::Objective;
use state::{Ground, State};

/// Our own search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Refine;

impl Search for Refine {
    fn search(&self, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
        match problem.table().labels {
            Labels::None => search::<Records>(problem, control),
            Labels::Classes { .. } => search::<Entropy>(problem, control),
            Labels::Numbers { .. } => search::<Variance>(problem, control),
        }
    }
}

fn search<G: Gain>(problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
    let ground = Ground::<G>::new(problem);
    let mut run =
        Run { state: State::new(&ground, ground.most_masked()), steps: Vec::new(), stopped: Stopped::Complete };
    run.refine(None, control);
    if run.stopped == Stopped::Complete {
        improve(&mut run, control);
    }
    let Run { state, steps, stopped } = run;
    let own = Outcome { recoding: state.recoding(), regions: None, anonymity: state.anonymity(), steps, stopped };
    if stopped == Stopped::Complete { better_than_tdr(own, problem, control) } else { own }
}

/// What `tdr` finds, if it comes to its end and tells records better apart; what was found already, otherwise.
fn better_than_tdr(own: Outcome, problem: &Problem<'_>, control: &Control<'_>) -> Outcome {
    let quiet = Control { progress: &|_| {}, ..*control };
    let other = TopDown { score: Score::Tdr }.search(problem, &quiet);
    let mut objective = Objective::new(problem);
    let mut of = |outcome: &Outcome| labellings(problem, &outcome.recoding).map(|labels| objective.of(&labels));
    match (of(&own), of(&other)) {
        (Some(ours), Some(theirs)) if other.stopped == Stopped::Complete && theirs < ours * (1.0 - ROUNDING) => other,
        _ => own,
    }
}

/// The label of each code. A recoding of this very table has one for each of its values.
fn labellings(problem: &Problem<'_>, recoding: &[AttributeRecoding]) -> Option<Vec<Labelling>> {
    let masked = Masked::new(problem.table(), recoding).ok()?;
    let labelling = |a: usize| {
        let attribute = AttributeId(a);
        Labelling { label_of: masked.labels(attribute).to_vec(), labels: masked.distinct(attribute) }
    };
    Some((0..recoding.len()).map(labelling).collect())
}

/// A state, how it was reached, and why it went no further.
struct Run<'a, G: Gain> {
    state: State<'a, G>,
    steps: Vec<Step>,
    stopped: Stopped,
}

impl<G: Gain> Run<'_, G> {
    /// While some refinement is valid and beneficial, performs the one with the highest score. The attribute that is `held` waits.
    fn refine(&mut self, held: Option<usize>, control: &Control<'_>) {
        while let Some(best) = self.state.best(held) {
            if let Some(reason) = control.stopped(self.steps.len()) {
                self.stopped = reason;
                return;
            }
            if self.state.passes(&best) {
                let labels = self.state.perform(&best);
                let step = Step::Refinement(self.state.step(self.steps.len() + 1, &best, labels));
                (control.progress)(&step);
                self.steps.push(step);
            }
        }
    }
}
