//! How alike are two clusterings of the same records?

use std::fmt;

use serde::Serialize;

use super::ClusterError;

/// How many records are in each pair of a raw cluster C_i and a masked cluster K_j (the paper's Tables 4 and 7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contingency {
    /// n_ij, by raw cluster.
    counts: Vec<Vec<u64>>,
    /// |C_i|.
    raw: Vec<u64>,
    /// |K_j|.
    masked: Vec<u64>,
    /// |T|.
    records: u64,
}

/// The masked cluster that describes a raw cluster best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BestMatch {
    /// The masked cluster.
    pub masked: usize,
    /// The share of the raw cluster's records that are in it.
    pub recall: f64,
    /// The share of its records that are in the raw cluster.
    pub precision: f64,
    /// The harmonic mean of both.
    pub f_measure: f64,
}

impl Contingency {
    /// Counts the records of each pair of clusters in one pass over the rows.
    ///
    /// # Errors
    /// If there are not as many labels as weights, or too many records.
    pub fn new(raw: &[u32], masked: &[u32], weights: &[u64]) -> Result<Self, ClusterError> {
        let rows = weights.len();
        if let Some(found) = [raw.len(), masked.len()].into_iter().find(|&found| found != rows) {
            return Err(ClusterError::Length { what: "labels", found, rows });
        }
        // The total is checked first: then no count can overflow.
        let records = weights.iter().try_fold(0_u64, |sum, &weight| sum.checked_add(weight));
        records.ok_or(ClusterError::TooManyRecords)?;
        let clusters = |labels: &[u32]| labels.iter().max().map_or(0, |&label| label as usize + 1);
        let mut counts = vec![vec![0; clusters(masked)]; clusters(raw)];
        for ((&raw, &masked), &weight) in raw.iter().zip(masked).zip(weights) {
            counts[raw as usize][masked as usize] += weight;
        }
        Contingency::from_counts(counts)
    }

    /// A table of counts: a row for each raw cluster, a column for each masked cluster.
    ///
    /// # Errors
    /// If the rows have different lengths, or there are too many records.
    pub fn from_counts(counts: Vec<Vec<u64>>) -> Result<Self, ClusterError> {
        let columns = counts.first().map_or(0, Vec::len);
        if let Some(row) = counts.iter().find(|row| row.len() != columns) {
            return Err(ClusterError::Length { what: "counts", found: row.len(), rows: columns });
        }
        let records = counts.iter().flatten().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        let records = records.ok_or(ClusterError::TooManyRecords)?;
        let raw = counts.iter().map(|row| row.iter().sum()).collect();
        let masked = (0..columns).map(|column| counts.iter().map(|row| row[column]).sum()).collect();
        Ok(Contingency { counts, raw, masked, records })
    }

    /// The counts, by raw cluster.
    pub fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// The records of each raw cluster.
    pub fn raw(&self) -> &[u64] {
        &self.raw
    }

    /// The records of each masked cluster.
    pub fn masked(&self) -> &[u64] {
        &self.masked
    }

    /// All records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The share of a raw cluster's records that are in a masked cluster (equation 6); 0 if it has none.
    ///
    /// # Panics
    /// If there are no such clusters.
    pub fn recall(&self, raw: usize, masked: usize) -> f64 {
        ratio(self.counts[raw][masked], self.raw[raw])
    }

    /// The share of a masked cluster's records that are in a raw cluster (equation 7); 0 if it has none.
    ///
    /// # Panics
    /// If there are no such clusters.
    pub fn precision(&self, raw: usize, masked: usize) -> f64 {
        ratio(self.counts[raw][masked], self.masked[masked])
    }

    /// F(C_i, K_j), the harmonic mean of recall and precision (equation 8); 0 if they are.
    ///
    /// # Panics
    /// If there are no such clusters.
    pub fn f_measure(&self, raw: usize, masked: usize) -> f64 {
        let (recall, precision) = (self.recall(raw, masked), self.precision(raw, masked));
        if recall + precision > 0.0 { 2.0 * recall * precision / (recall + precision) } else { 0.0 }
    }

    /// For every raw cluster the masked cluster with the largest F-measure, the first one of several. Nothing without
    /// masked clusters.
    pub fn best_matches(&self) -> Vec<BestMatch> {
        let all = |raw| {
            (0..self.masked.len()).map(move |masked| BestMatch {
                masked,
                recall: self.recall(raw, masked),
                precision: self.precision(raw, masked),
                f_measure: self.f_measure(raw, masked),
            })
        };
        let best = |raw| all(raw).reduce(|best, other| if other.f_measure > best.f_measure { other } else { best });
        (0..self.raw.len()).filter_map(best).collect()
    }

    /// F(𝒞_g): the F-measures of the best matches, weighted by the sizes of the raw clusters (equation 9). 1 without
    /// records: nothing was lost.
    pub fn overall_f_measure(&self) -> f64 {
        if self.records == 0 {
            return 1.0;
        }
        let parts = self.best_matches();
        self.raw.iter().zip(&parts).map(|(&size, best)| ratio(size, self.records) * best.f_measure).sum()
    }

    /// How many of the |T|² pairs of records are together in both clusterings or apart in both: the numerator of
    /// equation 10.
    ///
    /// Pairs together in both are Σn_ij²; those together in one only are Σ|C_i|² or Σ|K_j|² less these. All others
    /// match.
    pub fn matching_pairs(&self) -> u128 {
        let squares = |counts: &[u64]| counts.iter().map(|&count| square(count)).sum::<u128>();
        let both: u128 = self.counts.iter().map(|row| squares(row)).sum();
        square(self.records) - (squares(&self.raw) - both) - (squares(&self.masked) - both)
    }

    /// The share of pairs of records that match (equation 10). 1 without records.
    pub fn match_point(&self) -> f64 {
        if self.records == 0 { 1.0 } else { self.matching_pairs() as f64 / square(self.records) as f64 }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn square(count: u64) -> u128 {
    u128::from(count) * u128::from(count)
}

/// The table with the best match of each raw cluster, then both figures.
impl fmt::Display for Contingency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = |text: String| text.len().max("all".len());
        let width = longest(self.records.to_string()).max(longest(format!("K{}", self.masked.len())));
        let side = longest(format!("C{}", self.raw.len()));
        let cells = |f: &mut fmt::Formatter<'_>, counts: &[u64]| {
            counts.iter().try_for_each(|count| write!(f, "  {count:>width$}"))?;
            write!(f, "  {:>width$}", counts.iter().sum::<u64>())
        };
        write!(f, "{:side$}", "")?;
        (1..=self.masked.len()).try_for_each(|masked| write!(f, "  {:>width$}", format!("K{masked}")))?;
        writeln!(f, "  {:>width$}  recall  precision  F-measure  best", "all")?;
        for (raw, (counts, best)) in self.counts.iter().zip(self.best_matches()).enumerate() {
            write!(f, "{:side$}", format!("C{}", raw + 1))?;
            cells(f, counts)?;
            let BestMatch { masked, recall, precision, f_measure } = best;
            writeln!(f, "  {recall:>6.2}  {precision:>9.2}  {f_measure:>9.2}  K{}", masked + 1)?;
        }
        write!(f, "{:side$}", "all")?;
        cells(f, &self.masked)?;
        writeln!(f)?;
        write!(f, "overall F-measure {:.2}, match point {:.2}", self.overall_f_measure(), self.match_point())
    }
}
