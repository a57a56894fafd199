//! What does a column tell of several masked ones?

use cutline_table::{Code, Codes, combine, with_codes};
use rayon::prelude::*;

use super::{Alike, Coded, Hidden, Reveal};

/// Masked columns that are looked at together: those of few values are counted as one, whose table has the tables of all of them in it.
#[derive(Debug)]
pub struct Together<'a> {
    hidden: Vec<Hidden<'a>>,
    bundles: Vec<Bundle>,
}

/// More combinations are not counted as one.
const MOST_VALUES: usize = 512;

/// Columns as one: a code for each combination of theirs that there could be. One alone needs none, nor do columns of no records.
#[derive(Debug)]
struct Bundle {
    codes: Option<Codes>,
    values: usize,
    members: Vec<Member>,
}

/// One of them.
#[derive(Debug)]
struct Member {
    /// Which it is of all columns.
    hidden: usize,
    values: usize,
    /// Its code in each combination.
    code_of: Vec<u32>,
}

impl<'a> Together<'a> {
    /// Columns of the same records.
    pub fn new(hidden: Vec<Hidden<'a>>) -> Self {
        // First those of many values: what fits beside them is found last.
        let mut order: Vec<usize> = (0..hidden.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(hidden[place].values_looked_at()));
        let mut bundles: Vec<(usize, Vec<usize>)> = Vec::new();
        for place in order {
            let values = hidden[place].values_looked_at();
            match bundles.iter_mut().find(|(product, _)| product.saturating_mul(values) <= MOST_VALUES) {
                Some((product, members)) => {
                    *product *= values;
                    members.push(place);
                }
                None => bundles.push((values, vec![place])),
            }
        }
        let bundles = bundles.into_par_iter().map(|(_, members)| Bundle::new(&hidden, &members)).collect();
        Together { hidden, bundles }
    }

    /// What somebody learns of each of the columns who knows which records are alike, as far as it [matters](Reveal::matters).
    pub fn telling(&self, alike: &Alike) -> Vec<(usize, Reveal)> {
        let told = self.bundles.par_iter().flat_map_iter(|bundle| self.told_of(bundle, alike));
        let mut told: Vec<(usize, Reveal)> = told.collect();
        told.sort_by_key(|(hidden, _)| *hidden);
        told
    }

    fn told_of(&self, bundle: &Bundle, alike: &Alike) -> Vec<(usize, Reveal)> {
        let table = bundle.coded().and_then(|coded| alike.table(coded));
        let told = |member: &Member| {
            let hidden = &self.hidden[member.hidden];
            let told = match &table {
                Some(table) => hidden.telling_in(alike, &member.out_of(table)),
                None => hidden.telling(alike),
            };
            told.map(|told| (member.hidden, told))
        };
        bundle.members.par_iter().filter_map(told).collect()
    }
}

impl Bundle {
    fn new(hidden: &[Hidden<'_>], members: &[usize]) -> Self {
        let columns: Vec<Coded> = members.iter().map(|&place| hidden[place].looked_at()).collect();
        let values: usize = columns.iter().map(|column| column.values).product();
        if columns.len() < 2 || values == 0 {
            let alone = members.iter().zip(&columns).map(|(&hidden, column)| Member::new(hidden, column, 0, 0));
            return Bundle { codes: None, values: 0, members: alone.collect() };
        }
        // The last one changes fastest.
        let mut stride = values;
        let member = |(&hidden, column): (&usize, &Coded)| {
            stride /= column.values;
            Member::new(hidden, column, stride, values)
        };
        let members = members.iter().zip(&columns).map(member).collect();
        Bundle { codes: Some(combined(&columns, values)), values, members }
    }

    fn coded(&self) -> Option<Coded<'_>> {
        self.codes.as_ref().map(|codes| Coded { codes, values: self.values })
    }
}

/// The combination of each record.
fn combined(columns: &[Coded], values: usize) -> Codes {
    let mut combined = vec![0_u32; columns.first().map_or(0, |column| column.codes.len())];
    for Coded { codes, values } in columns {
        with_codes!(*codes, codes => combine(&mut combined, *values, codes.iter().map(|code| code.index() as u32)));
    }
    Codes::from_codes(combined.into_iter(), values)
}

impl Member {
    /// Its code changes after so many of the combinations.
    fn new(hidden: usize, column: &Coded, stride: usize, combinations: usize) -> Self {
        let code_of = (0..combinations).map(|combination| (combination / stride % column.values) as u32);
        Member { hidden, values: column.values, code_of: code_of.collect() }
    }

    /// Its own table: how many records have each combination of group and code.
    fn out_of(&self, table: &[u32]) -> Vec<u32> {
        let groups = table.len() / self.code_of.len().max(1);
        let mut own = vec![0; groups * self.values];
        for (of_group, own) in table.chunks_exact(self.code_of.len()).zip(own.chunks_exact_mut(self.values)) {
            of_group.iter().zip(&self.code_of).for_each(|(records, &code)| own[code as usize] += records);
        }
        own
    }
}
