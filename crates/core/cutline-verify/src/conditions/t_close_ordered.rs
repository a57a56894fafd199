//! t-closeness with the ordered distance (Li, Li, Venkatasubramanian 2007, section 4.1): with m values in order,
//! Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1) ≤ t for the shares p in the group and q in the whole table; 0 for one value.
//!
//! The distance is convex in p: that of a union is at most the larger one of the two groups.

use std::borrow::Cow;
use std::sync::Arc;

use super::{ConditionKind, Judge, Rule, Worst, at_most, zero_to_one};
use crate::notation::Notation;
use crate::sensitive::{Cell, Values, size};

pub(super) const KIND: ConditionKind =
    ConditionKind { name: "t-close-ordered", form: "t-close-ordered:ATTR=0.2", parse };

struct TCloseOrdered(f64);

fn parse(text: &str) -> Result<Arc<dyn Rule>, &'static str> {
    zero_to_one(text).map(|t| Arc::new(TCloseOrdered(t)) as _).ok_or("the distance must be a number from 0 to 1")
}

impl Rule for TCloseOrdered {
    fn parameter(&self) -> String {
        self.0.to_string()
    }

    fn judge<'a>(&'a self, table: &'a Values<'_>) -> Judge<'a> {
        let axis = Axis::new(table);
        Box::new(move |group: &[Cell]| at_most(self.0, axis.distance(group)))
    }

    fn worst(&self) -> Worst {
        Worst::Largest
    }
}

/// The whole table's values in order.
struct Axis {
    /// The rank of every value.
    ranks: Vec<usize>,
    /// By rank, the records whose value has this rank or a lower one.
    upto: Vec<u128>,
    /// By rank, the sum of `upto` over all lower ranks; one entry more than there are values.
    area: Vec<u128>,
}

impl Axis {
    fn new(table: &Values<'_>) -> Axis {
        let order = order(&table.texts);
        let mut axis = Axis { ranks: vec![0; order.len()], upto: Vec::new(), area: vec![0] };
        let (mut records, mut area) = (0, 0);
        for (rank, value) in order.into_iter().enumerate() {
            axis.ranks[value] = rank;
            records += u128::from(table.counts[value]);
            area += records;
            axis.upto.push(records);
            axis.area.push(area);
        }
        axis
    }

    /// The distance of a group. Between two values that the group has, its own running sum does not change, so that the
    /// work grows with the group's values, not with the table's. In whole numbers up to the last division.
    fn distance(&self, group: &[Cell]) -> f64 {
        let values = self.upto.len();
        let (Some(&all), true) = (self.upto.last(), values > 1 && !group.is_empty()) else { return 0.0 };
        let mut here: Vec<(usize, u64)> =
            group.iter().map(|cell| (self.ranks[cell.value as usize], cell.count)).collect();
        here.sort_unstable();
        let n = u128::from(size(group));
        let (mut sum, mut seen, mut start) = (0, 0, 0);
        for (rank, count) in here {
            sum += self.between(start, rank, seen * all, n);
            seen += u128::from(count);
            start = rank;
        }
        sum += self.between(start, values, seen * all, n);
        sum as f64 / (n * all) as f64 / (values - 1) as f64
    }

    /// The sum of |level − n·upto(i)| over the ranks i from `start` to before `end`. The second term rises with i.
    fn between(&self, start: usize, end: usize, level: u128, n: u128) -> u128 {
        let turn = start + self.upto[start..end].partition_point(|&upto| upto * n <= level);
        let area = |from: usize, to: usize| n * (self.area[to] - self.area[from]);
        let (below, above) = (level * (turn - start) as u128, level * (end - turn) as u128);
        (below - area(start, turn)) + (area(turn, end) - above)
    }
}

/// The values in ascending order: numbers (two texts of the same number by their bytes), then words by their bytes, which is the order
/// they come in, so that a word among numbers does not change their order. A missing value is the last.
fn order(texts: &[Option<Cow<'_, str>>]) -> Vec<usize> {
    let place = |text: &Option<Cow<'_, str>>| match text.as_deref().map(|text| Notation::default().number(text)) {
        Some(Some(number)) => (0, number),
        Some(None) => (1, 0.0),
        None => (2, 0.0),
    };
    let places: Vec<(u8, f64)> = texts.iter().map(place).collect();
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by(|&a, &b| places[a].0.cmp(&places[b].0).then_with(|| places[a].1.total_cmp(&places[b].1)));
    order
}
