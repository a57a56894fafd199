//! What the bits of a chromosome say.
//!
//! A chromosome is the concatenation of a string of bits for each attribute (2002 paper, §4):
//!
//! | attribute | bits | valid are |
//! | --- | --- | --- |
//! | with a taxonomy (`cut`) | one between neighbouring values in tree order: are they told apart? | cuts of the tree |
//! | continuous (`ends`) | one for every possible interval end point | all |
//! | without a taxonomy (`values`) | one for every value: is it disclosed? | all |
//!
//! Missing values are the last value of a tree, or one more end point after the largest number: where missing values are not told
//! apart from numbers, no numbers are told apart from each other (design §3).

mod cut;
mod ends;
mod values;

use cutline_model::{AttributeRecoding, Masking};
use cutline_table::{Attribute, AttributeId, Masked};

use super::random::Random;
use crate::grouping::Labelling;
use crate::tree::Tree;
use crate::{Problem, bins};
use cut::Cut;
use ends::Ends;
use values::Values;

/// The bits of a candidate recoding.
pub(crate) type Chromosome = Box<[bool]>;

/// The bits of one attribute.
pub(crate) trait Segment: std::fmt::Debug + Send + Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Can an entry lose anything? One of an attribute with a single possible value cannot.
    fn loses(&self) -> bool;

    /// Turns bits that are no cut into the valid ones that differ in the fewest places.
    fn repair(&self, bits: &mut [bool]);

    /// Changes a bit, and whatever else must change for the bits to stay valid.
    fn flip(&self, bits: &mut [bool], at: usize, random: &mut Random);

    /// What valid bits mean.
    fn decode(&self, bits: &[bool], decoded: Decoded<'_>);

    /// The bits of a recoding that gives codes these labels.
    fn encode(&self, label_of: &[u32], recoding: &AttributeRecoding) -> Vec<bool>;
}

/// An attribute under some bits.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    labelling: &'a mut Labelling,
    /// The loss of an entry with each label (2002 paper, §3.1).
    loss: &'a mut Vec<f64>,
}

impl Decoded<'_> {
    /// A new label for a run of codes.
    fn run(&mut self, codes: std::ops::Range<u32>, loss: f64) {
        self.labelling.label_of[codes.start as usize..codes.end as usize].fill(self.loss.len() as u32);
        self.label(loss);
    }

    /// A new label.
    fn label(&mut self, loss: f64) {
        self.loss.push(loss);
        self.labelling.labels = self.loss.len();
    }

    fn codes(&self) -> u32 {
        self.labelling.label_of.len() as u32
    }
}

/// All attributes under some bits. Its buffers are used again for other bits.
#[derive(Debug, Default)]
pub(crate) struct Labellings {
    pub(crate) labels: Vec<Labelling>,
    /// For each attribute, the loss of an entry with each label.
    pub(crate) loss: Vec<Vec<f64>>,
}

/// The layout of all chromosomes of a problem.
#[derive(Debug)]
pub(crate) struct Genes<'a> {
    attributes: &'a [Attribute],
    segments: Vec<Box<dyn Segment>>,
    /// Where each attribute's bits begin; one more for the end.
    offsets: Vec<usize>,
}

/// The most end points of a continuous attribute, and the most values of a suppressed one that may be disclosed.
const MOST: usize = 256;

impl<'a> Genes<'a> {
    /// The layout for a problem. The end points and values of `seed` are among those that are possible.
    pub(crate) fn new(problem: &Problem<'a>, seed: Option<&[AttributeRecoding]>) -> Self {
        let table = problem.table();
        let segment = |(index, attribute): (usize, &Attribute)| -> Box<dyn Segment> {
            match &attribute.masking {
                Masking::Generalize(taxonomy) => Box::new(Cut::new(taxonomy, &attribute.domain)),
                Masking::Discretize { .. } => {
                    let wanted = seed.map_or_else(Vec::new, |seed| ends::of_recoding(&seed[index], &attribute.domain));
                    let bins = bins::equal_frequency(attribute, &table.weights, MOST.saturating_sub(wanted.len()));
                    Box::new(Ends::new(&attribute.domain, bins, wanted))
                }
                Masking::Suppress => {
                    Box::new(Values::new(attribute, &table.weights, MOST, seed.map(|seed| &seed[index])))
                }
            }
        };
        let segments: Vec<_> = table.attributes.iter().enumerate().map(segment).collect();
        let mut offsets = vec![0];
        for segment in &segments {
            offsets.push(offsets[offsets.len() - 1] + segment.len());
        }
        Genes { attributes: &table.attributes, segments, offsets }
    }

    /// The number of bits.
    pub(crate) fn len(&self) -> usize {
        self.offsets[self.segments.len()]
    }

    /// Can entries of an attribute lose anything?
    pub(crate) fn loses(&self, attribute: usize) -> bool {
        self.segments[attribute].loses()
    }

    /// Everything masked to the top.
    pub(crate) fn top(&self) -> Chromosome {
        vec![false; self.len()].into()
    }

    /// Makes every attribute's bits valid, changing as few as possible.
    pub(crate) fn repair(&self, bits: &mut Chromosome) {
        for (segment, range) in self.segments.iter().zip(self.offsets.windows(2)) {
            segment.repair(&mut bits[range[0]..range[1]]);
        }
    }

    /// Changes one bit of valid ones, and what depends on it.
    pub(crate) fn flip(&self, bits: &mut Chromosome, at: usize, random: &mut Random) {
        let attribute = self.offsets.partition_point(|&offset| offset <= at) - 1;
        let start = self.offsets[attribute];
        self.segments[attribute].flip(&mut bits[start..self.offsets[attribute + 1]], at - start, random);
    }

    /// What valid bits mean for every attribute.
    pub(crate) fn decode(&self, bits: &[bool], labellings: &mut Labellings) {
        let Labellings { labels, loss } = labellings;
        labels.resize_with(self.segments.len(), Labelling::default);
        loss.resize_with(self.segments.len(), Vec::new);
        for (index, (labelling, loss)) in labels.iter_mut().zip(loss).enumerate() {
            labelling.label_of.clear();
            labelling.label_of.resize(self.attributes[index].domain.len(), 0);
            loss.clear();
            let bits = &bits[self.offsets[index]..self.offsets[index + 1]];
            self.segments[index].decode(bits, Decoded { labelling, loss });
        }
    }

    /// The bits of a recoding.
    pub(crate) fn encode(&self, masked: &Masked<'_>, recoding: &[AttributeRecoding]) -> Chromosome {
        let bits = |index: usize| self.segments[index].encode(masked.labels(AttributeId(index)), &recoding[index]);
        let mut bits: Chromosome = (0..self.segments.len()).flat_map(bits).collect();
        self.repair(&mut bits);
        bits
    }

    /// The recoding of valid bits.
    pub(crate) fn recoding(&self, bits: &[bool]) -> Vec<AttributeRecoding> {
        let mut labellings = Labellings::default();
        self.decode(bits, &mut labellings);
        let recoding = |(attribute, labelling): (&Attribute, &Labelling)| {
            Tree::labelled(attribute, &labelling.label_of).recoding(attribute)
        };
        self.attributes.iter().zip(&labellings.labels).map(recoding).collect()
    }
}

#[cfg(test)]
mod tests;
