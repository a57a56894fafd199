//! Two columns that tell together what neither tells alone, where looking is cheap.

use cutline_engine::SampleColumn;
use cutline_measure::screen::{Coded, Pairs};
use cutline_report::{Published, Revealed, RevealedByPair, Screen, ScreenedColumn};
use cutline_table::Codes;
use rayon::prelude::*;

use super::look::Look;

/// What all pairs may cost, as records times pairs times masked attributes: less than a second.
const EFFORT: usize = 20_000_000;

/// Fewer records say nothing of pairs.
const FEWEST: usize = 1000;

/// A column in which more records are alone tells everything of those, by itself.
const MOST_ALONE: f64 = 0.1;

/// `masked` has the places of masked columns and the label of each record.
pub(crate) fn pairs(look: &Look, masked: &[(usize, Coded)], screen: &Screen) -> Vec<RevealedByPair> {
    let of = |place: usize| screen.columns.iter().find(|column| column.name == look.names[place]);
    let usual = |column: &ScreenedColumn| {
        column.published == Published::AsIs && !column.kept && !column.identifier && column.unique_share < MOST_ALONE
    };
    let usual: Vec<usize> = (0..look.columns.len()).filter(|&place| of(place).is_some_and(usual)).collect();
    if usual.len() < 2 {
        return Vec::new();
    }
    let tests = (usual.len() * (usual.len() - 1) / 2 * masked.len()).max(1);
    let Some(step) = step(look.drawn, EFFORT / tests) else { return Vec::new() };
    let codes: Vec<Codes> = look.columns.iter().map(|column| column.codes.every(step)).collect();
    let column = |(codes, column): (_, &SampleColumn)| Coded { codes, values: column.texts.len() };
    let columns: Vec<Coded> = codes.iter().zip(&look.columns).map(column).collect();
    let pairs = Pairs::new(&columns);
    let telling = |&(place, labels): &(usize, Coded)| -> Vec<RevealedByPair> {
        let name = &look.names[place];
        let silent =
            |&&other: &&usize| of(other).is_some_and(|other| other.reveals.iter().all(|told| told.attribute != *name));
        let candidates: Vec<usize> = usual.iter().filter(silent).copied().collect();
        let codes = labels.codes.every(step);
        let labels = Coded { codes: &codes, values: labels.values };
        let told = pairs.telling(&candidates, labels, columns[place]).into_iter().map(|pair| {
            let share = |records: u64| records as f64 / pair.told.records.max(1) as f64;
            let (share, nearly) = (share(pair.told.certain), share(pair.told.nearly));
            let revealed = Revealed { attribute: name.clone(), share, nearly };
            RevealedByPair { columns: pair.columns.map(|place| look.names[place].clone()), revealed }
        });
        told.collect()
    };
    masked.par_iter().flat_map_iter(telling).collect()
}

/// Every so many-th record is looked at; nothing if that leaves too few.
fn step(records: usize, most: usize) -> Option<usize> {
    let step = records.div_ceil(most.max(1)).max(1);
    (records <= most || records / step >= FEWEST).then_some(step)
}
