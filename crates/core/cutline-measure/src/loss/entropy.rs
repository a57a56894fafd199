//! Non-uniform entropy: the bits that the published labels do not tell about the values.
//!
//! De Waal & Willenborg, "Information loss through global recoding and local suppression", 1999; Gionis & Tassa, "k-Anonymization
//! with minimal loss of information", IEEE TKDE 2009. With *n(v)* the records that have value *v* and *n(l)* those whose value
//! has label *l*, all in the raw table, an entry with value *v* and label *l* loses
//!
//! ```text
//!   −log2( n(v) / n(l) )
//! ```
//!
//! bits. A suppressed entry loses what it would if all values had one label: n(l) = N. Unlike LM this looks at how frequent the
//! values behind a label are: to merge a rare value with a frequent one costs little. "Missing" is a value like any other.

use super::CodeCounts;

/// Bits for each record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bits {
    /// What was lost.
    pub lost: f64,
    /// What would be lost if nothing of the attribute was published: its entropy.
    pub all: f64,
}

/// What the labels of an attribute lose on average. `labels` has the label of each code, as
/// [`Masked::labels`](cutline_table::Masked::labels) gives it.
pub fn attribute_entropy(labels: &[u32], counts: &CodeCounts) -> Bits {
    let mut with_label = vec![0; labels.iter().max().map_or(0, |&label| label as usize + 1)];
    for (code, &label) in labels.iter().enumerate() {
        with_label[label as usize] += counts.of(code);
    }
    let records = counts.records();
    let mut bits = Bits::default();
    // A code that no record has loses nothing, and its logarithm is none.
    for (code, &label) in labels.iter().enumerate().filter(|&(code, _)| counts.of(code) > 0) {
        let unknown_among = |others: u64| (others as f64 / counts.of(code) as f64).log2();
        let (kept, all) = (unknown_among(with_label[label as usize]), unknown_among(records));
        bits.lost += counts.kept[code] as f64 * kept + counts.suppressed[code] as f64 * all;
        bits.all += counts.of(code) as f64 * all;
    }
    if records > 0 {
        bits = Bits { lost: bits.lost / records as f64, all: bits.all / records as f64 };
    }
    bits
}

/// The share of all bits that was lost, from 0 to 1; 0 if there were none to lose.
pub fn entropy_share(attributes: impl IntoIterator<Item = Bits>) -> f64 {
    let add = |sum: Bits, bits: Bits| Bits { lost: sum.lost + bits.lost, all: sum.all + bits.all };
    let Bits { lost, all } = attributes.into_iter().fold(Bits::default(), add);
    // Rounding may say that more was lost than there was.
    if all > 0.0 { (lost / all).min(1.0) } else { 0.0 }
}
