//! Supervised intervals by minimum description length.
//!
//! U. M. Fayyad and K. B. Irani, *Multi-Interval Discretization of Continuous-Valued Attributes for Classification
//! Learning* (IJCAI 1993).

use crate::classify::Classes;
use crate::classify::tolerance::between;

/// Where to cut a numeric column so that the intervals tell the classes, in rising order.
///
/// The values are cut in two where the class entropy is least, as long as the gain pays for the description of the cut; then
/// so are the parts. A cut is the middle between two values; what is equal to it belongs below. NaN values are left out.
pub fn mdl_cuts(values: &[f64], classes: &Classes) -> Vec<f64> {
    let known = values.iter().zip(&classes.codes).filter(|(value, _)| !value.is_nan());
    let mut sorted: Vec<(f64, u32)> = known.map(|(&value, &class)| (value, class)).collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut cuts = Vec::new();
    cut(&sorted, classes.names.len(), &mut cuts);
    cuts
}

fn cut(sorted: &[(f64, u32)], classes: usize, cuts: &mut Vec<f64>) {
    let Some(best) = best_cut(sorted, classes) else { return };
    let (below, above) = sorted.split_at(best);
    cut(below, classes, cuts);
    cuts.push(between(sorted[best - 1].0, sorted[best].0));
    cut(above, classes, cuts);
}

/// How many values are below the best cut, if it is accepted.
fn best_cut(sorted: &[(f64, u32)], classes: usize) -> Option<usize> {
    let mut all = Counts::new(classes);
    sorted.iter().for_each(|&(_, class)| all.add(class, 1.0));
    let (mut below, mut above) = (Counts::new(classes), all.clone());
    let mut best: Option<(usize, Counts, Counts, f64)> = None;
    for (index, pair) in sorted.windows(2).enumerate() {
        below.add(pair[0].1, 1.0);
        above.add(pair[0].1, -1.0);
        if pair[0].0 < pair[1].0 {
            let bits = below.bits() + above.bits();
            if best.as_ref().is_none_or(|(.., least)| bits < *least) {
                best = Some((index + 1, below.clone(), above.clone(), bits));
            }
        }
    }
    let (index, below, above, bits) = best?;
    let gain = (all.bits() - bits) / all.total;
    (gain > 0.0 && gain > price(&all, &below, &above)).then_some(index)
}

/// What the gain must exceed (Fayyad and Irani's criterion).
fn price(all: &Counts, below: &Counts, above: &Counts) -> f64 {
    let k = all.present();
    // 3^k - 2 has no place in a float for hundreds of classes, and the 2 none for dozens.
    let types = if k < 30.0 { (3f64.powf(k) - 2.0).log2() } else { k * 3f64.log2() };
    let entropies = |counts: &Counts| counts.present() * counts.bits() / counts.total;
    let delta = types - (entropies(all) - entropies(below) - entropies(above));
    ((all.total - 1.0).log2() + delta) / all.total
}

/// How often each class occurs.
#[derive(Clone)]
struct Counts {
    classes: Vec<f64>,
    total: f64,
}

impl Counts {
    fn new(classes: usize) -> Self {
        Self { classes: vec![0.0; classes], total: 0.0 }
    }

    fn add(&mut self, class: u32, times: f64) {
        self.classes[class as usize] += times;
        self.total += times;
    }

    /// How many classes occur.
    fn present(&self) -> f64 {
        self.classes.iter().filter(|&&count| count > 0.0).count() as f64
    }

    /// Entropy times the number of values.
    fn bits(&self) -> f64 {
        let n_log_n = |n: f64| if n > 0.0 { n * n.log2() } else { 0.0 };
        n_log_n(self.total) - self.classes.iter().map(|&count| n_log_n(count)).sum::<f64>()
    }
}
