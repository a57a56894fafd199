//! How an attribute is masked, as a list of pieces that together cover its values.

use cutline_model::recoding::{Label, Missing};
use cutline_model::{AttributeRecoding, Bound, Masking, NodeId, Taxonomy, parse_number};

use super::{Cell, Sample};

/// What is published in place of the values that it covers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Piece {
    /// A node of a taxonomy. The root covers missing values, too.
    Node(NodeId),
    /// All numbers and missing values: the root above the full range and "missing".
    Everything,
    /// Numbers. A bound of `None` is an extreme that was not declared; the last interval has its upper bound in it.
    Interval { lower: Option<f64>, upper: Option<f64>, last: bool },
    /// ⊥: all values that no other piece covers.
    Suppressed,
    /// A disclosed value.
    Value(String),
    /// Nothing but missing values.
    Missing,
}

/// One quasi attribute of the table.
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    masking: &'a Masking,
    cells: Vec<&'a Cell>,
}

impl<'a> Column<'a> {
    pub(crate) fn new(sample: &'a Sample, index: usize) -> Self {
        let (name, masking) = &sample.attributes[index];
        Column { name, masking, cells: sample.records.iter().map(|record| &record.quasi[index]).collect() }
    }

    pub(crate) fn most_masked(&self) -> Vec<Piece> {
        match self.masking {
            Masking::Generalize(taxonomy) => vec![Piece::Node(taxonomy.root())],
            Masking::Discretize { .. } if self.has_missing() => vec![Piece::Everything],
            Masking::Discretize { .. } => vec![self.full_range()],
            Masking::Suppress => vec![Piece::Suppressed],
        }
    }

    fn has_missing(&self) -> bool {
        self.cells.iter().any(|cell| cell.is_none())
    }

    fn full_range(&self) -> Piece {
        let range = self.range();
        Piece::Interval { lower: range.map(|(lower, _)| lower), upper: range.map(|(_, upper)| upper), last: true }
    }

    fn range(&self) -> Option<(f64, f64)> {
        match self.masking {
            Masking::Discretize { range, .. } => *range,
            _ => None,
        }
    }

    fn taxonomy(&self) -> &Taxonomy {
        match self.masking {
            Masking::Generalize(taxonomy) => taxonomy,
            other => panic!("no taxonomy: {other:?}"),
        }
    }

    fn covers(&self, piece: &Piece, cell: &Cell) -> bool {
        match (piece, cell) {
            (Piece::Everything | Piece::Suppressed, _) | (Piece::Missing, None) => true,
            (Piece::Node(node), None) => *node == NodeId::ROOT,
            (Piece::Node(node), Some(value)) => {
                let leaf = self.taxonomy().node(value).unwrap();
                self.taxonomy().ancestors(leaf).any(|above| above == *node)
            }
            (Piece::Interval { lower, upper, last }, Some(value)) => {
                let number = parse_number(value).unwrap();
                let right_of = |bound: &f64| number >= *bound;
                lower.as_ref().is_none_or(right_of) && (*last || !upper.as_ref().is_none_or(right_of))
            }
            (Piece::Value(disclosed), Some(value)) => disclosed == value,
            (Piece::Interval { .. } | Piece::Value(_), None) | (Piece::Missing, Some(_)) => false,
        }
    }

    /// For each record, which of the pieces its value is published as. ⊥ comes after all disclosed values.
    pub(crate) fn masked(&self, pieces: &[Piece]) -> Vec<usize> {
        let covering =
            |cell: &&Cell| pieces.iter().position(|piece| self.covers(piece, cell)).expect("a cut covers all values");
        self.cells.iter().map(covering).collect()
    }

    /// The records that are masked to a piece of the cut.
    pub(crate) fn members(&self, pieces: &[Piece], piece: usize) -> Vec<usize> {
        let masked = self.masked(pieces);
        (0..masked.len()).filter(|&record| masked[record] == piece).collect()
    }

    /// The records, out of those that are refined into the pieces, that one of the pieces gets.
    pub(crate) fn members_among(&self, records: &[usize], into: &[Piece], part: usize) -> Vec<usize> {
        let first = |record: usize| into.iter().position(|piece| self.covers(piece, self.cells[record]));
        records.iter().copied().filter(|&record| first(record) == Some(part)).collect()
    }

    /// The refinements of a piece that is no interval.
    pub(crate) fn children(&self, piece: &Piece, members: &[usize]) -> Vec<Vec<Piece>> {
        match piece {
            Piece::Node(node) => {
                let mut children: Vec<Piece> =
                    self.taxonomy().children(*node).iter().copied().map(Piece::Node).collect();
                if *node == NodeId::ROOT && self.has_missing() {
                    children.push(Piece::Missing);
                }
                Some(children).into_iter().filter(|children| !children.is_empty()).collect()
            }
            // A column without a single number has nothing to tell missing values from.
            Piece::Everything if self.cells.iter().any(|cell| cell.is_some()) => {
                vec![vec![self.full_range(), Piece::Missing]]
            }
            Piece::Suppressed => self.disclosures(members),
            _ => Vec::new(),
        }
    }

    /// `⊥ → {v, ⊥}` for every suppressed value in byte order; "missing" comes last.
    fn disclosures(&self, members: &[usize]) -> Vec<Vec<Piece>> {
        let mut values: Vec<&String> = members.iter().filter_map(|&record| self.cells[record].as_ref()).collect();
        values.sort();
        values.dedup();
        let missing = members.iter().any(|&record| self.cells[record].is_none());
        let values = values.into_iter().cloned().map(Piece::Value);
        let disclosed = values.chain(missing.then_some(Piece::Missing));
        disclosed.map(|value| vec![value, Piece::Suppressed]).collect()
    }

    /// Every way to split an interval in two, by ascending split value.
    pub(crate) fn splits(&self, piece: &Piece, members: &[usize]) -> Vec<(f64, Vec<Piece>)> {
        let Piece::Interval { lower, upper, last } = *piece else { return Vec::new() };
        let mut numbers: Vec<f64> = members.iter().map(|&record| self.number(record)).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let halves = |value: f64| {
            let left = Piece::Interval { lower, upper: Some(value), last: false };
            let right = Piece::Interval { lower: Some(value), upper, last };
            (value, vec![left, right])
        };
        numbers.into_iter().skip(1).map(halves).collect()
    }

    /// How many of the records have no greater value.
    pub(crate) fn at_or_below(&self, value: f64, records: &[usize]) -> usize {
        records.iter().filter(|&&record| self.number(record) <= value).count()
    }

    fn number(&self, record: usize) -> f64 {
        self.cells[record].as_deref().and_then(parse_number).expect("an interval has numbers")
    }

    /// A piece as the trace has it.
    pub(crate) fn told(&self, piece: &Piece) -> Label {
        if *piece == Piece::Missing { Label::Missing } else { Label::Text(self.label(piece)) }
    }

    /// A piece in words.
    pub(crate) fn label(&self, piece: &Piece) -> String {
        match piece {
            Piece::Node(node) => self.taxonomy().label(*node).to_owned(),
            Piece::Everything | Piece::Suppressed => "*".to_owned(),
            Piece::Interval { lower: None, upper: None, .. } => "*".to_owned(),
            Piece::Interval { lower: None, upper: Some(upper), .. } => format!("<{upper}"),
            Piece::Interval { lower: Some(lower), upper: None, .. } => format!(">={lower}"),
            Piece::Interval { lower: Some(lower), upper: Some(upper), last } => {
                format!("[{lower}-{upper}{}", if *last { ']' } else { ')' })
            }
            Piece::Value(value) => value.clone(),
            Piece::Missing => "missing".to_owned(),
        }
    }

    /// The cut as it is stored.
    pub(crate) fn recoding(&self, pieces: &[Piece]) -> AttributeRecoding {
        let published = if pieces.contains(&Piece::Missing) { Missing::Published } else { Missing::Masked };
        let missing = self.has_missing().then_some(published);
        match self.masking {
            Masking::Generalize(taxonomy) => AttributeRecoding::Generalize {
                cut: pieces.iter().filter(|piece| **piece != Piece::Missing).map(|piece| self.label(piece)).collect(),
                missing,
                taxonomy: taxonomy.as_ref().clone(),
            },
            Masking::Suppress => AttributeRecoding::Suppress { disclosed: disclosed(pieces), missing },
            Masking::Discretize { .. } => AttributeRecoding::numbers(self.bounds(pieces), missing),
        }
    }

    fn bounds(&self, pieces: &[Piece]) -> Vec<Bound> {
        let inner = pieces.iter().filter_map(|piece| match piece {
            Piece::Interval { upper, last: false, .. } => Some(Bound(*upper)),
            _ => None,
        });
        let first = Bound(self.range().map(|(lower, _)| lower));
        let last = Bound(self.range().map(|(_, upper)| upper));
        std::iter::once(first).chain(inner).chain([last]).collect()
    }
}

fn disclosed(pieces: &[Piece]) -> Vec<String> {
    let value = |piece: &Piece| match piece {
        Piece::Value(value) => Some(value.clone()),
        _ => None,
    };
    let mut values: Vec<String> = pieces.iter().filter_map(value).collect();
    values.sort();
    values
}
