//! Was an attribute refined early for little, and blocks more?

use cutline_model::recoding::{Label, TOP};

use super::objective::Objective;
use super::state::{Ground, State};
use super::{Run, Stopped};
use crate::gain::Gain;
use crate::{Control, Generalization, Step};

/// The whole phase looks at so many rows: about a second, however large a table is.
const MOST_ROWS: usize = 1 << 23;
/// Taking an attribute back and refining again costs as much as looking at the rows so many times.
const TRIAL: usize = 4;
/// But with many values to tell one by one, each so many more.
const TOLD_AT_ONCE: usize = 8;
/// What is told of an attribute may be given up if the others tell this share of it as well.
const TOLD_BY_OTHERS: f64 = 0.5;

/// Differences that are less are none.
pub(super) const ROUNDING: f64 = 1e-9;

/// Takes attributes back to the top, refines what they blocked, then them; keeps what is better, until nothing is.
///
/// Every state on the way satisfies the requirement. The first attribute whose return improves the objective is kept, and the phase
/// begins anew; it ends when none does, or when its allowance of work is used up. An attribute is not given up altogether unless the
/// others tell at least half of what it tells: the search does not see the columns that are published as they are, and what
/// only one attribute tells is lost for good.
pub(super) fn improve<G: Gain>(run: &mut Run<'_, G>, control: &Control<'_>) {
    if run.stopped != Stopped::Complete {
        return;
    }
    let ground = run.state.ground;
    let mut allowance = Allowance { rows: ground.problem.table().rows(), left: MOST_ROWS };
    if !allowance.spend(1 + 2 * run.state.trees.len()) {
        return;
    }
    let mut objective = Objective::new(ground.problem);
    let mut reached = objective.of(&Ground::<G>::labellings(&run.state.trees));
    'improved: loop {
        for Told { attribute, lost, only_here } in told(&run.state, &mut objective, reached) {
            if !allowance.spend(TRIAL.max(run.state.disclosed() / TOLD_AT_ONCE)) {
                return;
            }
            let Some(trial) = take_back(run, (attribute, lost), control) else { continue };
            if trial.stopped != Stopped::Complete {
                run.stopped = trial.stopped;
                return;
            }
            let value = objective.of(&Ground::<G>::labellings(&trial.state.trees));
            let given_up = trial.state.trees[attribute].is_top();
            if value < reached * (1.0 - ROUNDING) && !(given_up && only_here > 1.0 - TOLD_BY_OTHERS + ROUNDING) {
                if control.max_steps.is_some_and(|most| trial.steps.len() > most) {
                    run.stopped = Stopped::MaxSteps;
                    return;
                }
                trial.steps[run.steps.len()..].iter().for_each(|step| (control.progress)(step));
                *run = trial;
                reached = value;
                if !allowance.spend(1 + 2 * run.state.trees.len()) {
                    return;
                }
                continue 'improved;
            }
        }
        return;
    }
}

/// How much work is left.
struct Allowance {
    rows: usize,
    left: usize,
}

impl Allowance {
    /// Is there enough left to look at all rows so many times?
    fn spend(&mut self, times: usize) -> bool {
        let cost = self.rows.saturating_mul(times);
        let enough = cost <= self.left;
        self.left = self.left.saturating_sub(cost);
        enough
    }
}

/// An attribute that is not masked to the top.
struct Told {
    attribute: usize,
    /// What the objective loses without it.
    lost: f64,
    /// The share of what it tells that no other attribute does.
    only_here: f64,
}

/// The attributes of which something is told, those first that the others tell best.
fn told<G: Gain>(state: &State<'_, G>, objective: &mut Objective<'_>, reached: f64) -> Vec<Told> {
    let ground = state.ground;
    let now = Ground::<G>::labellings(&state.trees);
    let top = Ground::<G>::labellings(&ground.most_masked());
    let nothing = objective.of(&top);
    let mut told = Vec::new();
    for attribute in (0..now.len()).filter(|&attribute| !state.trees[attribute].is_top()) {
        let (mut without, mut alone) = (now.clone(), top.clone());
        without[attribute] = top[attribute].clone();
        alone[attribute] = now[attribute].clone();
        let (lost, tells) = (objective.of(&without) - reached, nothing - objective.of(&alone));
        told.push(Told { attribute, lost, only_here: if tells > ROUNDING { lost / tells } else { 0.0 } });
    }
    // What is as good as equal stays in the order of the table.
    let rounded = |told: &Told| (told.only_here / ROUNDING).round();
    told.sort_by(|a, b| rounded(a).total_cmp(&rounded(b)));
    told
}

/// The run with an attribute taken back, everything else refined as far as possible, and then that attribute. With conditions
/// and a budget, fewer labels may happen to hide more records: nothing then.
fn take_back<'a, G: Gain>(
    run: &Run<'a, G>,
    (attribute, lost): (usize, f64),
    control: &Control<'_>,
) -> Option<Run<'a, G>> {
    let ground = run.state.ground;
    let column = &ground.problem.table().attributes[attribute];
    let mut trees = run.state.trees.clone();
    trees[attribute] = ground.problem.starts()[attribute].opened();
    let mut trial = Run { state: State::new(ground, trees), steps: run.steps.clone(), stopped: Stopped::Complete };
    if !trial.state.holds() {
        return None;
    }
    trial.steps.push(Step::Generalization(Generalization {
        step: run.steps.len() + 1,
        attribute: column.name.clone(),
        generalized: run.state.trees[attribute].recoding(column).labels().into_iter().map(Label::Text).collect(),
        into: trial.state.trees[attribute].recoding(column).labels().pop().map_or_else(|| TOP.into(), Label::Text),
        loss: lost,
        gain: 0.0,
        ip: None,
        anonymity: trial.state.anonymity(),
    }));
    let control = Control { max_steps: None, stop: control.stop, progress: &|_| {} };
    trial.refine(Some(attribute), &control);
    trial.refine(None, &control);
    Some(trial)
}
