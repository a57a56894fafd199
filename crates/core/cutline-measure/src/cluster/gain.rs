//! How much does an attribute tell about the cluster?

use cutline_table::{Code, Codes, with_codes};

use super::ClusterError;

/// InfoGain of telling all values of an attribute apart (the paper's equations 2 and 3), in bits. Attributes with very
/// many values tell much about any label; for a continuous one use [`split_gain`].
///
/// # Errors
/// If there are not as many codes or labels as weights.
pub fn information_gain(codes: &Codes, labels: &[u32], weights: &[u64]) -> Result<f64, ClusterError> {
    let Counts { clusters, by_code } = Counts::new(codes, labels, weights)?;
    let mut all = vec![0; clusters];
    let mut within = 0.0;
    for counts in by_code.chunks_exact(clusters.max(1)) {
        within += scaled_entropy(counts);
        add(&mut all, counts);
    }
    Ok(reduction(&all, within))
}

/// InfoGain of the best split of an attribute in two, between neighbouring codes (the paper's section 4.2.1, refinement
/// for discretization), in bits. Codes must be in the order of the values.
///
/// # Errors
/// If there are not as many codes or labels as weights.
pub fn split_gain(codes: &Codes, labels: &[u32], weights: &[u64]) -> Result<f64, ClusterError> {
    let Counts { clusters, by_code } = Counts::new(codes, labels, weights)?;
    let mut above = vec![0; clusters];
    by_code.chunks_exact(clusters.max(1)).for_each(|counts| add(&mut above, counts));
    let (all, mut below) = (above.clone(), vec![0; clusters]);
    let mut best = 0.0_f64;
    for counts in by_code.chunks_exact(clusters.max(1)) {
        add(&mut below, counts);
        above.iter_mut().zip(counts).for_each(|(above, count)| *above -= count);
        best = best.max(reduction(&all, scaled_entropy(&below) + scaled_entropy(&above)));
    }
    Ok(best)
}

/// Records for each (code, cluster).
struct Counts {
    clusters: usize,
    /// `by_code[code * clusters + cluster]`.
    by_code: Vec<u64>,
}

impl Counts {
    fn new(codes: &Codes, labels: &[u32], weights: &[u64]) -> Result<Self, ClusterError> {
        let rows = weights.len();
        for (what, found) in [("codes", codes.len()), ("labels", labels.len())] {
            if found != rows {
                return Err(ClusterError::Length { what, found, rows });
            }
        }
        let total = weights.iter().try_fold(0_u64, |sum, &weight| sum.checked_add(weight));
        total.ok_or(ClusterError::TooManyRecords)?;
        let clusters = labels.iter().max().map_or(0, |&label| label as usize + 1);
        let by_code = with_codes!(codes, column => {
            let distinct = column.iter().map(|code| code.index() + 1).max().unwrap_or(0);
            let mut by_code = vec![0; distinct * clusters];
            for ((code, &label), &weight) in column.iter().zip(labels).zip(weights) {
                by_code[code.index() * clusters + label as usize] += weight;
            }
            by_code
        });
        Ok(Counts { clusters, by_code })
    }
}

fn add(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

/// Entropy of the whole less that of its parts, never negative.
fn reduction(all: &[u64], within: f64) -> f64 {
    let records: u64 = all.iter().sum();
    if records == 0 { 0.0 } else { ((scaled_entropy(all) - within) / records as f64).max(0.0) }
}

/// |T| · I(T), equation 3 times the number of records.
fn scaled_entropy(counts: &[u64]) -> f64 {
    let records: u64 = counts.iter().sum();
    let shares = counts.iter().filter(|&&count| count > 0).map(|&count| count as f64);
    shares.map(|count| count * (records as f64 / count).log2()).sum()
}
