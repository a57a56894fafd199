//! How much less would releases have to be masked if only *cracked* records were subtracted (2009 paper, §4.1), instead of whole joint groups?
//!
//! The same search makes releases one after the other, and asks one of two notions whether a refinement is valid: that k persons share each
//! trajectory, or that everybody has k candidates. Candidates are counted exactly: on small registers by all possible worlds, on Adult by
//! flows. `docs/several-releases.md` has the definitions and the figures that this prints.

mod flow;
mod register;
mod search;
#[allow(dead_code, reason = "tests use what this does not")]
#[path = "../../../../product/cutline/tests/support/worlds.rs"]
mod worlds;

use std::collections::BTreeMap;
use std::io;

use register::{Register, Year};
use search::{Masked, Table, search};
use worlds::{Releases, Row};

use crate::markdown;

/// When are several releases safe together?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Notion {
    /// They are not asked for: every release is made alone.
    Alone,
    /// At least k persons share each trajectory.
    Joint,
    /// Everybody has at least k candidates.
    Cracked,
}

impl Notion {
    const ALL: [Notion; 3] = [Notion::Alone, Notion::Joint, Notion::Cracked];

    fn name(self) -> &'static str {
        match self {
            Notion::Alone => "alone",
            Notion::Joint => "joint groups",
            Notion::Cracked => "cracked records",
        }
    }
}

/// Releases that were made: the group of each person, where they are in one.
struct Series<'a> {
    register: &'a Register,
    k: u64,
    notion: Notion,
    releases: Vec<Vec<Option<u32>>>,
}

/// What became of a year.
struct Made {
    masked: Option<Masked>,
    held_back: usize,
    /// LM of everybody in the table; whoever is not published loses everything.
    loss: f64,
}

impl Series<'_> {
    /// Publishes a year's table after what is published already. Whoever would stand out however the table is masked is held back.
    fn publish(&mut self, year: &Year) -> Made {
        let everybody: Vec<usize> = (0..year.values.len()).filter(|&person| year.values[person].is_some()).collect();
        let kept = self.without_exposed(&everybody);
        let tries = if self.notion == Notion::Cracked { vec![everybody.clone(), kept] } else { vec![kept] };
        let found = tries.into_iter().find_map(|kept| Some((self.masked(year, &kept)?, kept)));
        let Some((masked, kept)) = found else {
            return Made { masked: None, held_back: everybody.len(), loss: 1.0 };
        };
        self.releases.push(self.told(&kept, &masked.groups));
        let held_back = everybody.len() - kept.len();
        let loss = (masked.loss * kept.len() as f64 + held_back as f64) / everybody.len() as f64;
        Made { masked: Some(masked), held_back, loss }
    }

    fn masked(&self, year: &Year, kept: &[usize]) -> Option<Masked> {
        if (kept.len() as u64) < self.k {
            return None;
        }
        let values = kept.iter().filter_map(|&person| year.values[person].clone()).collect();
        let classes =
            if year.classified { kept.iter().map(|&person| self.register.links[person]).collect() } else { Vec::new() };
        search(&Table { values, classes }, &self.register.trees, |groups| self.is_valid(kept, groups))
    }

    /// The group of everybody who is published.
    fn told(&self, kept: &[usize], groups: &[u32]) -> Vec<Option<u32>> {
        let mut told = vec![None; self.register.links.len()];
        kept.iter().zip(groups).for_each(|(&person, &group)| told[person] = Some(group));
        told
    }

    fn is_valid(&self, kept: &[usize], groups: &[u32]) -> bool {
        let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
        groups.iter().for_each(|&group| *sizes.entry(group).or_default() += 1);
        if sizes.values().any(|&size| size < self.k) {
            return false;
        }
        let new = self.told(kept, groups);
        match self.notion {
            Notion::Alone => true,
            Notion::Joint => self.joint(Some(&new)) >= self.k,
            Notion::Cracked => self.candidates(Some(&new)) >= self.k,
        }
    }

    /// What is told of a person by all releases.
    fn trajectory(&self, person: usize, new: Option<&Vec<Option<u32>>>) -> Vec<Option<u32>> {
        self.releases.iter().chain(new).map(|told| told[person]).collect()
    }

    /// The fewest persons who share a trajectory.
    fn joint(&self, new: Option<&Vec<Option<u32>>>) -> u64 {
        let mut persons: BTreeMap<Vec<Option<u32>>, u64> = BTreeMap::new();
        let all = (0..self.register.links.len()).map(|person| self.trajectory(person, new));
        all.filter(|told| told.iter().any(Option::is_some)).for_each(|told| *persons.entry(told).or_default() += 1);
        persons.into_values().min().unwrap_or(0)
    }

    /// True anonymity: by flows where there are two releases and two values, by all worlds where everything is small.
    fn candidates(&self, new: Option<&Vec<Option<u32>>>) -> u64 {
        let links = &self.register.links;
        let all = (0..links.len()).map(|person| (self.trajectory(person, new), links[person]));
        if links.iter().all(|&link| link < 2) && self.releases.len() + usize::from(new.is_some()) <= 2 {
            let two = |told: Vec<Option<u32>>| [0, 1].map(|release| told.get(release).copied().flatten());
            return flow::true_anonymity(all.map(|(told, link)| (two(told), link == 1)));
        }
        let row = |group: u32, link: usize| Row { labels: vec![group.to_string()], link: link.to_string() };
        let rows = |(told, link): (Vec<Option<u32>>, usize)| {
            told.into_iter().map(|group| group.map(|group| row(group, link))).collect()
        };
        Releases { persons: all.map(rows).collect() }.true_anonymity() as u64
    }

    /// Those of a table who need not be held back: at least k of each history, while at least k of it or nobody are absent.
    fn without_exposed(&self, everybody: &[usize]) -> Vec<usize> {
        if self.notion == Notion::Alone || self.releases.is_empty() {
            return everybody.to_vec();
        }
        let mut present: BTreeMap<Vec<Option<u32>>, Vec<usize>> = BTreeMap::new();
        let mut all: BTreeMap<Vec<Option<u32>>, usize> = BTreeMap::new();
        for person in 0..self.register.links.len() {
            *all.entry(self.trajectory(person, None)).or_default() += 1;
        }
        everybody.iter().for_each(|&person| present.entry(self.trajectory(person, None)).or_default().push(person));
        let k = self.k as usize;
        let mut kept = Vec::new();
        for (history, mut persons) in present {
            let absent = all[&history] - persons.len();
            if absent > 0 && history.iter().any(Option::is_some) {
                persons.truncate(persons.len().saturating_sub(k.saturating_sub(absent)));
            }
            kept.extend(if persons.len() < k { Vec::new() } else { persons });
        }
        kept.sort_unstable();
        kept
    }
}

/// Prints how much less masking the finer notion needs: on so many small registers, and on Adult.
pub(crate) fn run(registers: u64) -> io::Result<()> {
    let names = [
        "records agree in",
        "later releases",
        "loss alone",
        "joint groups",
        "cracked records",
        "masked less",
        "linked exactly",
    ];
    println!("{}", markdown::table(&names, &small(registers), "---:"));
    let names =
        ["k", "second release", "notion", "held back", "groups", "LM", "CM", "candidates", "share a trajectory"];
    println!("{}", markdown::table(&names, &adult()?, "---:"));
    Ok(())
}

/// Small registers, by how many values the records agree in.
fn small(registers: u64) -> Vec<Vec<String>> {
    [1, 2, 3].map(|links| small_row(registers, links)).to_vec()
}

fn small_row(registers: u64, links: usize) -> Vec<String> {
    let (mut releases, mut less, mut narrowed, mut losses) = (0, 0, 0, [0.0; 3]);
    for seed in 0..registers {
        let (register, k) = Register::drawn(seed, links);
        let made = Notion::ALL.map(|notion| {
            let mut series = Series { register: &register, k, notion, releases: Vec::new() };
            let made: Vec<Made> = register.years.iter().map(|year| series.publish(year)).collect();
            (made, series.joint(None))
        });
        let [_, (joint, _), (cracked, linked)] = &made;
        releases += joint.len() - 1;
        less += joint.iter().zip(cracked).skip(1).filter(|(joint, cracked)| cracked.loss < joint.loss).count();
        narrowed += u64::from(*linked < k);
        for (sum, (made, _)) in losses.iter_mut().zip(&made) {
            *sum += made.iter().skip(1).map(|made| made.loss).sum::<f64>();
        }
    }
    let [alone, joint, cracked] = losses.map(|sum| format!("{:.3}", sum / releases as f64));
    let said = if links == 1 { "nothing".to_owned() } else { format!("one of {links} values") };
    vec![
        said,
        releases.to_string(),
        alone,
        joint,
        cracked,
        less.to_string(),
        format!("{narrowed} of {registers} below k"),
    ]
}

/// Two releases of Adult, whose records agree in their income: a later year, and another version of the same table.
fn adult() -> io::Result<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    for (second, register) in
        [("next year", Register::adult_years()?), ("another version", Register::adult_versions()?)]
    {
        for k in [10, 50] {
            for notion in Notion::ALL {
                let mut series = Series { register: &register, k, notion, releases: Vec::new() };
                let Some(made) = register.years.iter().map(|year| series.publish(year)).last() else { continue };
                let Some(masked) = &made.masked else { continue };
                let groups = masked.groups.iter().max().map_or(0, |most| most + 1);
                let errors = masked.errors.map_or(String::new(), |errors| format!("{errors:.3}"));
                let figures = [groups.to_string(), format!("{:.3}", masked.loss), errors];
                let anonymity = [series.candidates(None).to_string(), series.joint(None).to_string()];
                let said = [k.to_string(), second.to_owned(), notion.name().to_owned(), made.held_back.to_string()];
                rows.push(said.into_iter().chain(figures).chain(anonymity).collect());
            }
        }
    }
    Ok(rows)
}
