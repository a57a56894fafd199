//! All metrics of a recoding.

use cutline_model::AttributeRecoding;
use cutline_model::recoding::SuppressHow;
use cutline_table::{Attribute, AttributeId, CompressedTable, Costs, MaskError, Masked, Suppressed, TableQid};
use rayon::prelude::*;
use serde::Serialize;

use super::entropy::{Bits, attribute_entropy, entropy_share};
use super::general::attribute_loss;
use super::groups::QidLoss;
use super::partition::told_apart;
use super::regional::Regional;
use super::regression::{Dispersion, Numbers};
use super::{CodeCounts, Partition, classification};

/// What a recoding loses, by every metric that applies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Losses {
    /// LM: the sum of the attributes' general losses, from 0 to their number.
    pub general: f64,
    /// The share of the attributes' entropy that was lost, from 0 to 1.
    pub entropy: f64,
    /// CM: the share of records that are suppressed or not of their group's majority class. For a class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<f64>,
    /// CM with the cost matrix: what taking every record for its group's majority class costs on average. For a class with costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification_cost: Option<f64>,
    /// RM by variance: the share of the dispersion that is within groups. For a numeric target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regression_variance: Option<f64>,
    /// RM by distance from the median. For a numeric target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regression_median: Option<f64>,
    /// The weighted average of the metrics of several targets, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighted: Option<f64>,
    /// What each attribute loses, in the order of the table.
    pub attributes: Vec<AttributeLoss>,
    /// How large the groups of each QID are.
    pub qids: Vec<QidLoss>,
}

/// What one attribute loses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttributeLoss {
    /// Its name.
    pub name: String,
    /// Its summand of LM: the average loss of its entries, from 0 to 1.
    pub general: f64,
    /// The bits for each record that its labels do not tell.
    pub entropy_bits: f64,
    /// The bits for each record if nothing of it was published.
    pub entropy_bits_of_all: f64,
}

impl Losses {
    /// Measures a recoding.
    ///
    /// `masked` must be the table under this recoding, `suppressed` say so for each of its rows, and `costs` be those of the
    /// classes that are the table's labels.
    pub fn measure(
        table: &CompressedTable,
        recoding: &[AttributeRecoding],
        masked: &Masked<'_>,
        suppressed: &Suppressed,
        qids: &[TableQid],
        costs: Option<&Costs>,
    ) -> Losses {
        let (attributes, groups) = rayon::join(
            || attributes(table, recoding, masked, suppressed),
            || Groups::new(table, masked, suppressed, qids),
        );
        let union = groups.union();
        let classes = classification::tally(&table.labels, union, table.worth());
        let numbers = Numbers::new(&table.labels, union, table.worth());
        let bits = |loss: &AttributeLoss| Bits { lost: loss.entropy_bits, all: loss.entropy_bits_of_all };
        Losses {
            general: attributes.iter().fold(0.0, |sum, attribute| sum + attribute.general),
            entropy: entropy_share(attributes.iter().map(bits)),
            classification: classes.as_ref().map(classification::penalty),
            classification_cost: classes
                .as_ref()
                .zip(costs)
                .map(|(classes, costs)| classification::cost(classes, costs)),
            regression_variance: numbers.as_ref().map(|numbers| numbers.metric(Dispersion::Variance)),
            regression_median: numbers.as_ref().map(|numbers| numbers.metric(Dispersion::Median)),
            weighted: None,
            attributes,
            qids: (0..).zip(qids).map(|(qid, of)| QidLoss::new(table, of, groups.of_qid(qid))).collect(),
        }
    }
}

impl Losses {
    /// The same, where the table that was measured shows values only by their labels: what attributes lose follows from each of them alone.
    /// Nothing may be suppressed.
    ///
    /// # Errors
    /// If the recoding is not one of these attributes.
    pub fn with_marginals(
        self,
        marginals: &[CompressedTable],
        recoding: &[AttributeRecoding],
    ) -> Result<Losses, MaskError> {
        let mut losses = Vec::new();
        for (table, recoding) in marginals.iter().zip(recoding.chunks(1)) {
            let masked = Masked::new(table, recoding)?;
            let nothing = masked.suppress_with(&[], SuppressHow::Mask);
            losses.extend(attributes(table, recoding, &masked, &nothing));
        }
        let bits = |loss: &AttributeLoss| Bits { lost: loss.entropy_bits, all: loss.entropy_bits_of_all };
        Ok(Losses {
            general: losses.iter().fold(0.0, |sum, attribute| sum + attribute.general),
            entropy: entropy_share(losses.iter().map(bits)),
            attributes: losses,
            ..self
        })
    }
}

fn attributes(
    table: &CompressedTable,
    recoding: &[AttributeRecoding],
    masked: &Masked<'_>,
    suppressed: &Suppressed,
) -> Vec<AttributeLoss> {
    let regional = masked.regions().map(|(places, of_row)| Regional { table, places, of_row, suppressed });
    let loss = |(a, attribute): (usize, &Attribute)| {
        let counts = CodeCounts::new(attribute, table.worth(), suppressed);
        let labels = masked.labels(AttributeId(a));
        let (general, bits) = match &regional {
            Some(regional) => regional.losses(a, &recoding[a], &counts),
            None => (attribute_loss(attribute, &recoding[a], labels, &counts), attribute_entropy(labels, &counts)),
        };
        AttributeLoss { name: attribute.name.clone(), general, entropy_bits: bits.lost, entropy_bits_of_all: bits.all }
    };
    table.attributes.par_iter().enumerate().map(loss).collect()
}

/// The partitions of all QIDs and of their union. Those that cannot differ are made once.
struct Groups {
    partitions: Vec<Partition>,
    /// The partition of the union, then that of each QID.
    of: Vec<usize>,
}

impl Groups {
    fn new(table: &CompressedTable, masked: &Masked<'_>, suppressed: &Suppressed, qids: &[TableQid]) -> Self {
        let mut union: Vec<AttributeId> = qids.iter().flat_map(|qid| qid.attributes.iter().copied()).collect();
        union.sort_unstable();
        union.dedup();
        let mut distinct: Vec<Vec<AttributeId>> = Vec::new();
        let mut position = |attributes: &Vec<AttributeId>| {
            let attributes = told_apart(masked, attributes.iter().copied());
            distinct.iter().position(|other| *other == attributes).unwrap_or_else(|| {
                distinct.push(attributes);
                distinct.len() - 1
            })
        };
        let of = std::iter::once(&union).chain(qids.iter().map(|qid| &qid.attributes)).map(&mut position).collect();
        let partition = |attributes: Vec<AttributeId>| Partition::new(table, masked, suppressed, attributes);
        Groups { partitions: distinct.into_par_iter().map(partition).collect(), of }
    }

    fn union(&self) -> &Partition {
        &self.partitions[self.of[0]]
    }

    fn of_qid(&self, qid: usize) -> &Partition {
        &self.partitions[self.of[qid + 1]]
    }
}
