//! Groupings of the same records, many of which differ in one column.
//!
//! The views of a search are such: each tells all attributes apart as the others do, and one of them a little finer. So records are grouped
//! once by what all views of a family tell apart, and then for each view by the one column in which it tells more.

use std::cmp::Reverse;

use cutline_engine::{Coarse, CompressPlan};
use cutline_table::{BlockColumn, BlockGroups, Numbering};
use hashbrown::HashMap;

use crate::error::FileError;

/// What is grouped by what, for plans that leave out the same records.
pub(crate) struct Groupings<'a> {
    /// The columns as plans see them.
    shades: Vec<Shade<'a>>,
    families: Vec<Family>,
    plans: usize,
}

/// Plans that group by the same columns.
struct Family {
    /// How all of them see the columns at least.
    base: Vec<usize>,
    members: Vec<Member>,
}

/// A plan of a family.
struct Member {
    plan: usize,
    /// How it sees the columns.
    shades: Vec<usize>,
}

impl<'a> Groupings<'a> {
    pub(crate) fn new(plans: &'a [CompressPlan]) -> Self {
        let mut groupings = Groupings { shades: Vec::new(), families: Vec::new(), plans: plans.len() };
        let shades: Vec<Vec<usize>> = plans.iter().map(|plan| groupings.shades_of(plan)).collect();
        for (plan, own) in shades.iter().enumerate() {
            let kin = plans.iter().zip(&shades).filter(|(other, _)| other.columns == plans[plan].columns);
            let kin: Vec<&Vec<usize>> = kin.map(|(_, shades)| shades).collect();
            let usual: Vec<usize> = (0..own.len()).map(|place| most(kin.iter().map(|shades| shades[place]))).collect();
            let fits = own.iter().zip(&usual).all(|(&own, &usual)| groupings.refines(own, usual));
            groupings.admit(if fits { usual } else { own.clone() }, Member { plan, shades: own.clone() });
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

    fn refines(&self, one: usize, other: usize) -> bool {
        one == other || self.shades[one].refines(&self.shades[other])
    }

    fn admit(&mut self, base: Vec<usize>, member: Member) {
        match self.families.iter_mut().find(|family| family.base == base) {
            Some(family) => family.members.push(member),
            None => self.families.push(Family { base, members: vec![member] }),
        }
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
        let mut groups: Vec<BlockGroups> = (0..self.plans).map(|_| BlockGroups::default()).collect();
        for Family { base, members } in &self.families {
            let all = refined(Numbering::new(kept.len()), base.iter().map(|&shade| &seen[shade]));
            for Member { plan, shades } in members {
                let finer = shades.iter().zip(base).filter(|(own, base)| own != base).map(|(&own, _)| &seen[own]);
                let of_plan = refined(all.clone(), finer);
                groups[*plan] = grouped(&of_plan, shades.iter().map(|&shade| &seen[shade]), &kept);
                groups[*plan].left_out = (records - kept.len()) as u64;
            }
        }
        Ok(groups)
    }
}

/// The number that comes most often; the smallest of several.
fn most(numbers: impl Iterator<Item = usize> + Clone) -> usize {
    let often = |number: &usize| (numbers.clone().filter(|other| other == number).count(), Reverse(*number));
    numbers.clone().max_by_key(often).unwrap_or(0)
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
    let first = rows.iter().map(|&row| kept[row as usize]).collect();
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

    /// Does this tell apart whatever another shade of the same column does?
    fn refines(&self, other: &Shade<'_>) -> bool {
        match (self.coarse, other.coarse) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => {
                let mut cell_of = vec![None; own.values.len()];
                let mut cells = own.counted_as.iter().zip(&other.counted_as);
                own.values == other.values
                    && cells.all(|(&own, other)| cell_of[own as usize].get_or_insert(other) == &other)
            }
        }
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
