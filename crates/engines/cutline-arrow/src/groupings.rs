//! Groupings of the same records by values or cells.

use cutline_engine::{Coarse, CompressPlan};
use cutline_table::{BlockColumn, BlockGroups, Numbering};
use hashbrown::HashMap;

use crate::error::FileError;

/// What is grouped by what, for plans that leave out the same records.
pub(crate) struct Groupings<'a> {
    /// The columns as plans see them.
    shades: Vec<Shade<'a>>,
    /// How each plan sees its columns.
    plans: Vec<Vec<usize>>,
}

impl<'a> Groupings<'a> {
    pub(crate) fn new(plans: &'a [CompressPlan]) -> Self {
        let mut groupings = Groupings { shades: Vec::new(), plans: Vec::new() };
        for plan in plans {
            let shades = groupings.shades_of(plan);
            groupings.plans.push(shades);
        }
        groupings
    }

    fn shades_of(&mut self, plan: &'a CompressPlan) -> Vec<usize> {
        let shade = |(place, &column): (usize, &usize)| {
            let coarse = plan.coarse.get(&place);
            let known = self.shades.iter().position(|shade| shade.column == column && shade.coarse == coarse);
            known.unwrap_or_else(|| {
                self.shades.push(Shade::new(column, coarse));
                self.shades.len() - 1
            })
        };
        plan.columns.iter().enumerate().map(shade).collect()
    }

    /// The records of a batch by each plan. `encode` gives a column of it, and is asked once for each.
    pub(crate) fn of_batch(
        &self,
        records: usize,
        left_out: &[bool],
        encode: impl Fn(usize) -> Result<BlockColumn, FileError>,
    ) -> Result<Vec<BlockGroups>, FileError> {
        let kept: Vec<u32> = (0..records as u32).filter(|&row| left_out.get(row as usize) != Some(&true)).collect();
        let mut encoded: HashMap<usize, BlockColumn> = HashMap::new();
        let mut seen = Vec::with_capacity(self.shades.len());
        for shade in &self.shades {
            if !encoded.contains_key(&shade.column) {
                encoded.insert(shade.column, encode(shade.column)?);
            }
            seen.push(shade.of(&encoded[&shade.column], &kept));
        }
        let by_plan = self.plans.iter().map(|shades| {
            let columns = || shades.iter().map(|&shade| &seen[shade]);
            let groups = grouped(&refined(Numbering::new(kept.len()), columns()), columns(), &kept);
            BlockGroups { left_out: (records - kept.len()) as u64, ..groups }
        });
        Ok(by_plan.collect())
    }
}

fn refined<'c>(mut groups: Numbering, columns: impl Iterator<Item = &'c BlockColumn>) -> Numbering {
    for column in columns.filter(|column| column.texts.len() > 1) {
        groups.refine(column.codes.iter().copied(), column.texts.len());
    }
    groups
}

/// The combinations with their texts and counts.
fn grouped<'c>(groups: &Numbering, columns: impl Iterator<Item = &'c BlockColumn>, kept: &[u32]) -> BlockGroups {
    let rows = groups.first_rows();
    let column = |column: &BlockColumn| BlockColumn {
        codes: rows.iter().map(|&row| column.codes[row as usize]).collect(),
        texts: column.texts.clone(),
    };
    let mut counts = vec![0; groups.len];
    groups.of_row.iter().for_each(|&group| counts[group as usize] += 1);
    let first = rows.iter().map(|&row| u64::from(kept[row as usize])).collect();
    BlockGroups { columns: columns.map(column).collect(), first, counts, left_out: 0 }
}

/// A column, by values or by cells.
struct Shade<'a> {
    column: usize,
    coarse: Option<&'a Coarse>,
    /// The cell of each value.
    counted_as: HashMap<Option<&'a str>, u32>,
}

impl<'a> Shade<'a> {
    fn new(column: usize, coarse: Option<&'a Coarse>) -> Self {
        Shade { column, coarse, counted_as: coarse.map(Coarse::lookup).into_iter().flatten().collect() }
    }

    /// The column with one code for each text that is told apart, of the records that are kept. A value that is in no cell stays: whoever
    /// asked knows that it was not there, unless its record is left out.
    fn of(&self, column: &BlockColumn, kept: &[u32]) -> BlockColumn {
        let mut numbers: HashMap<Option<&str>, u32> = HashMap::new();
        let mut texts: Vec<Option<String>> = Vec::new();
        let mut code_of = Vec::with_capacity(column.texts.len());
        for text in &column.texts {
            let text = self.shown(text.as_deref());
            code_of.push(*numbers.entry(text).or_insert_with(|| {
                texts.push(text.map(str::to_owned));
                texts.len() as u32 - 1
            }));
        }
        let code = |&row: &u32| code_of[column.codes[row as usize] as usize];
        BlockColumn { codes: kept.iter().map(code).collect(), texts }
    }

    /// The value that another one is counted as.
    fn shown<'t>(&'t self, text: Option<&'t str>) -> Option<&'t str> {
        match (self.coarse, self.counted_as.get(&text)) {
            (Some(coarse), Some(&cell)) => coarse.values[cell as usize].as_deref(),
            _ => text,
        }
    }
}
