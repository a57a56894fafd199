//! Tables that follow each other.

use std::io;

use cutline::model::Taxonomy;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::search::{Node, Tree};
use crate::attributes::TAXONOMIES;
use crate::enlarge::complete_records;

/// Everybody who is in some table, by number.
pub(super) struct Register {
    pub(super) trees: Vec<Tree>,
    pub(super) years: Vec<Year>,
    /// What everybody's records agree in, whichever table they are in. It is the class, too.
    pub(super) links: Vec<usize>,
}

/// A table.
pub(super) struct Year {
    /// The values of everybody who is in it.
    pub(super) values: Vec<Option<Vec<u32>>>,
    /// Is it published to tell classes apart, or for no purpose?
    pub(super) classified: bool,
}

/// The quasi attributes of the series in the guide.
const QUASI: [&str; 7] = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"];

/// So many are in each year's table, and so many leave and enter.
const PERSONS: usize = 30_000;
const CHANGE: usize = 2_400;

impl Register {
    /// A small one, in which persons enter, leave and move; and a k.
    pub(super) fn drawn(seed: u64, links: usize) -> (Self, u64) {
        let mut random = StdRng::seed_from_u64(seed);
        let trees = vec![Tree::halves(4), Tree::flat(2), Tree::flat(2)];
        let k = random.random_range(2..=3);
        let persons = random.random_range(5..=8);
        let draw = |random: &mut StdRng| [4, 2, 2].map(|values| random.random_range(0..values)).to_vec();
        let mut own: Vec<Vec<u32>> = (0..persons).map(|_| draw(&mut random)).collect();
        let links = (0..persons).map(|_| random.random_range(0..links)).collect();
        let mut years = Vec::new();
        for _ in 0..random.random_range(2..=3) {
            let values = own.iter().map(|own| (random.random_range(0..4) > 0).then(|| own.clone())).collect();
            years.push(Year { values, classified: false });
            let moved = random.random_range(0..persons);
            own[moved][2] = random.random_range(0..2);
        }
        (Register { trees, years, links }, k)
    }

    /// Two years of a register made of Adult, published to tell incomes apart.
    pub(super) fn adult_years() -> io::Result<Self> {
        let (trees, persons, links) = adult()?;
        let year = |start: usize| {
            let inside =
                |(person, own): (usize, &Vec<u32>)| (start..start + PERSONS).contains(&person).then(|| own.clone());
            Year { values: persons.iter().enumerate().map(inside).collect(), classified: true }
        };
        Ok(Register { trees, years: vec![year(0), year(CHANGE)], links })
    }

    /// Two versions of Adult: one that tells incomes apart, one for no purpose.
    pub(super) fn adult_versions() -> io::Result<Self> {
        let (trees, persons, links) = adult()?;
        let version = |classified| Year { values: persons.iter().cloned().map(Some).collect(), classified };
        Ok(Register { trees, years: vec![version(true), version(false)], links })
    }
}

/// The trees of Adult's quasi attributes, and everybody's values and income.
type Adult = (Vec<Tree>, Vec<Vec<u32>>, Vec<usize>);

fn adult() -> io::Result<Adult> {
    let (header, records) = complete_records()?;
    let header: Vec<&str> = header.split(',').collect();
    let column = |name: &str| header.iter().position(|other| *other == name).ok_or(io::ErrorKind::InvalidData);
    let (mut trees, mut values) = (Vec::new(), vec![Vec::new(); records.len()]);
    for name in QUASI {
        let column = column(name)?;
        let texts = records.iter().map(|record| &record[column][..]);
        let (tree, own) = match TAXONOMIES.iter().find(|(other, _)| *other == name) {
            Some((_, outline)) => generalized(outline, texts)?,
            None => numbers(texts)?,
        };
        trees.push(tree);
        values.iter_mut().zip(own).for_each(|(values, own)| values.push(own));
    }
    let income = column("income")?;
    let links = records.iter().map(|record| usize::from(record[income].starts_with('>'))).collect();
    Ok((trees, values, links))
}

/// A taxonomy, and the places of values among its leaves.
fn generalized<'t>(outline: &str, texts: impl Iterator<Item = &'t str>) -> io::Result<(Tree, Vec<u32>)> {
    let taxonomy = Taxonomy::from_outline(outline).map_err(io::Error::other)?;
    let node = |node| {
        let leaves = taxonomy.leaf_range(node);
        let children = taxonomy.children(node).iter().map(|child| child.index()).collect();
        Node { values: leaves.start as u32..leaves.end as u32, children }
    };
    let nodes = taxonomy.nodes().map(node).collect();
    let place = |text: &str| Some(taxonomy.leaf_rank(taxonomy.node(text)?) as u32);
    let own = texts.map(place).collect::<Option<_>>().ok_or(io::ErrorKind::InvalidData)?;
    Ok((Tree { nodes }, own))
}

/// Halves of halves of the numbers that occur, and the places of numbers among them.
fn numbers<'t>(texts: impl Iterator<Item = &'t str>) -> io::Result<(Tree, Vec<u32>)> {
    let numbers = texts.map(str::parse).collect::<Result<Vec<u32>, _>>().map_err(io::Error::other)?;
    let mut all = numbers.clone();
    all.sort_unstable();
    all.dedup();
    let own = numbers.iter().map(|number| all.partition_point(|other| other < number) as u32).collect();
    Ok((Tree::halves(all.len() as u32), own))
}
