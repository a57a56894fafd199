//! What a refinement is worth, from the targets of the records one by one.
//!
//! Gains that are equal must be equal here, not only nearly, because ties are decided by other rules. So the formulas are evaluated
//! with whole numbers, and rounded once at the end.

use cutline_model::parse_number;
use cutline_table::LabelKind;

use super::Cell;

/// What the purpose looks at.
pub(crate) enum Worth {
    Entropy,
    Variance,
    Records,
}

impl Worth {
    pub(crate) fn of(label: LabelKind) -> Self {
        match label {
            LabelKind::Classes => Worth::Entropy,
            LabelKind::Numbers => Worth::Variance,
            LabelKind::None | LabelKind::Sensitive | LabelKind::Person | LabelKind::Weight => Worth::Records,
        }
    }

    /// Have the records more than one class (or known number)? Without a target, are there any?
    pub(crate) fn beneficial(&self, targets: &[&Cell]) -> bool {
        match self {
            Worth::Entropy => targets.iter().any(|target| target != &targets[0]),
            Worth::Variance => {
                let numbers = known(targets);
                numbers.iter().any(|number| number != &numbers[0])
            }
            Worth::Records => !targets.is_empty(),
        }
    }

    /// The measure of the whole, less the average of the parts' measures, weighted by records.
    pub(crate) fn gain(&self, whole: &[&Cell], parts: &[Vec<&Cell>]) -> f64 {
        match self {
            Worth::Entropy => information_gain(whole, parts),
            Worth::Variance => {
                let parts: Vec<Vec<i128>> = parts.iter().map(|part| known(part)).collect();
                variance_reduction(&known(whole), &parts)
            }
            Worth::Records => whole.len() as f64,
        }
    }
}

/// A sum of whole multiples of logarithms: the factor of log₂(n) at position n.
type Logarithms = Vec<i64>;

/// I(R) − Σ |R_c|/|R| · I(R_c).
fn information_gain(whole: &[&Cell], parts: &[Vec<&Cell>]) -> f64 {
    let mut sum = vec![0; whole.len() + 1];
    add_entropy(&mut sum, whole, 1);
    parts.iter().for_each(|part| add_entropy(&mut sum, part, -1));
    let primes = over_primes(sum);
    // Reduced to lowest terms, the same gain is the same sum.
    let divisor = primes.iter().fold(whole.len() as i64, |divisor, &factor| gcd(divisor, factor));
    let term = |(prime, &factor): (usize, &i64)| (factor / divisor) as f64 * (prime.max(1) as f64).log2();
    primes.iter().enumerate().map(term).sum::<f64>() / (whole.len() as i64 / divisor) as f64
}

/// |R| · I(R) = |R| · log₂ |R| − Σ freq · log₂ freq.
fn add_entropy(sum: &mut Logarithms, targets: &[&Cell], times: i64) {
    let mut classes = targets.to_vec();
    classes.sort();
    sum[targets.len()] += times * targets.len() as i64;
    for class in classes.chunk_by(|a, b| a == b) {
        sum[class.len()] -= times * class.len() as i64;
    }
}

/// The logarithm of a product is the sum of those of its factors, and the logarithms of primes are independent.
fn over_primes(mut sum: Logarithms) -> Logarithms {
    for number in (2..sum.len()).rev() {
        if let Some(divisor) = (2..number).find(|divisor| number % divisor == 0) {
            let factor = std::mem::take(&mut sum[number]);
            sum[divisor] += factor;
            sum[number / divisor] += factor;
        }
    }
    // log₂(1) is nothing.
    sum[0] = 0;
    if let Some(one) = sum.get_mut(1) {
        *one = 0;
    }
    sum
}

/// Var(R) − Σ |R_c|/|R| · Var(R_c), with all fractions over one denominator.
fn variance_reduction(whole: &[i128], parts: &[Vec<i128>]) -> f64 {
    let records = whole.len() as i128;
    let parts: Vec<&Vec<i128>> = parts.iter().filter(|part| !part.is_empty()).collect();
    let sizes: i128 = parts.iter().map(|part| part.len() as i128).product();
    let within = |part: &&Vec<i128>| records * scatter(part) * (sizes / part.len() as i128);
    let numerator = scatter(whole) * sizes - parts.iter().map(within).sum::<i128>();
    numerator as f64 / (records * records * sizes) as f64 / (UNIT * UNIT)
}

/// |R|² · Var(R) = |R| · Σ x² − (Σ x)².
fn scatter(numbers: &[i128]) -> i128 {
    let squares: i128 = numbers.iter().map(|number| number * number).sum();
    numbers.len() as i128 * squares - numbers.iter().sum::<i128>().pow(2)
}

/// Targets are multiples of a quarter.
const UNIT: f64 = 4.0;

/// The targets in quarters. Records without a number do not count.
fn known(targets: &[&Cell]) -> Vec<i128> {
    let quarters = |target: &&Cell| target.as_deref().map(|text| (parse_number(text).unwrap() * UNIT) as i128);
    targets.iter().filter_map(quarters).collect()
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
