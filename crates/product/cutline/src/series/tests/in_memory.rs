//! Whole series in memory, against possible worlds.

use std::collections::BTreeMap;

use cutline_model::conditions::Group;
use cutline_model::recoding::{SuppressHow, Unknown};
use cutline_model::{Condition, Masking, Requirement};
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Problem, publishable};
use cutline_table::{BlockColumn, LabelKind, Mask, MaskPlan, RawTable, encode};

use super::super::{People, Series};
use super::worlds::{Releases, Row};
use super::*;

const NAMES: [&str; 3] = ["age", "sex", "town"];
const ILLS: [&str; 3] = ["flu", "cold", "gout"];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn one_of(&mut self, texts: &[&str]) -> String {
        texts[self.below(texts.len() as u64) as usize].to_owned()
    }
}

/// Somebody of a register: who they are, what is masked of them, and what links their records.
#[derive(Clone, Debug)]
struct Member {
    id: u64,
    quasi: [String; 3],
    ill: String,
}

fn member(random: &mut Random, id: u64) -> Member {
    let quasi = [random.one_of(&["20", "40", "60"]), random.one_of(&["F", "M"]), random.one_of(&["Oslo", "Bern"])];
    Member { id, quasi, ill: random.one_of(&ILLS) }
}

/// Persons enter, leave and move.
fn next_year(random: &mut Random, members: &mut Vec<Member>, next: &mut u64) {
    for _ in 0..random.below(3).min(members.len() as u64) {
        members.remove(random.below(members.len() as u64) as usize);
    }
    for _ in 0..random.below(3) {
        *next += 1;
        members.push(member(random, *next));
    }
    if let (0, Some(moved)) = (random.below(3), members.first_mut()) {
        moved.quasi[2] = random.one_of(&["Oslo", "Bern"]);
    }
}

fn raw(members: &[&Member]) -> RawTable {
    let column = |text: &dyn Fn(&Member) -> String| BlockColumn {
        codes: (0..members.len() as u32).collect(),
        texts: members.iter().map(|member| Some(text(member))).collect(),
    };
    let quasi = (0..3).map(|a| column(&move |member: &Member| member.quasi[a].clone()));
    let further = [column(&|member| member.id.to_string()), column(&|member| member.ill.clone())];
    let columns: Vec<BlockColumn> = quasi.chain(further).collect();
    RawTable::from_groups(&columns, &vec![1; members.len()], 0).unwrap()
}

/// How a series is made.
struct Making {
    key: PersonKey,
    requirement: Requirement,
    limit: u64,
    how: SuppressHow,
    after: bool,
}

impl Making {
    /// Records as conditions look at them.
    fn census<'t>(&self, raw: &'t RawTable) -> Census<'t> {
        let sensitive = self.requirement.sensitive().into_iter().map(|name| (name.to_owned(), 4));
        Census { raw, person: 3, sensitive: sensitive.collect() }
    }

    /// What is published of a table, if anything can be.
    fn publish(&self, members: &[Member], earlier: &[Published]) -> Option<Published> {
        let qids = self.requirement.qids();
        let mut known = Known::new(self.key, if self.after { earlier } else { &[] }, qids);
        let mut members: Vec<(u128, &Member)> =
            members.iter().map(|member| (self.key.digest(&member.id.to_string()), member)).collect();
        members.sort_by_key(|(digest, _)| *digest);
        let digests: Vec<u128> = members.iter().map(|(digest, _)| *digest).collect();
        let patterns = known.patterns_of(&digests);
        known.count_absent(&patterns);
        known.check(&patterns, qids).unwrap();
        let all = raw(&members.iter().map(|(_, member)| *member).collect::<Vec<_>>());
        let place = |text: &str| digests.binary_search(&self.key.digest(text)).ok();
        let sensed = Sensed::new(&self.census(&all), qids, digests.len(), place).unwrap();
        let held = hold_back(&mut known, &patterns, &[], qids, &sensed);
        let kept: Vec<(u128, &Member)> =
            members.into_iter().zip(held).filter(|(_, held)| !held).map(|(member, _)| member).collect();
        let (digests, members): (Vec<u128>, Vec<&Member>) = kept.into_iter().unzip();
        if (members.len() as u64) < self.requirement.largest_k() {
            return None;
        }
        let raw = raw(&members);
        let patterns: Vec<Option<u32>> = digests.iter().map(|&digest| Some(known.pattern(digest))).collect();
        let labels: Vec<(String, LabelKind)> = std::iter::once((String::new(), LabelKind::None))
            .chain(self.requirement.sensitive().into_iter().map(|name| (name.to_owned(), LabelKind::Sensitive)))
            .collect();
        let told = raw.with_history(&patterns, known.patterns()).select(&[0, 1, 2, 4][..2 + labels.len()]);
        let range = Masking::numbers(Some((0.0, 100.0)));
        let attributes = NAMES.map(str::to_owned).into_iter().zip([range, Masking::Suppress, Masking::Suppress]);
        let table = encode(&told, attributes.collect(), &labels, Unknown::Error).unwrap();
        let problem = Problem::new(&table, &self.requirement).unwrap().suppressing(self.limit, self.how);
        let outcome = publishable(&TopDown { score: Score::Tdr }, &problem, &Control::unlimited());
        // Where a budget lets some stand out, they are held back.
        let names = NAMES.map(str::to_owned).to_vec();
        let mask = Mask::new(&MaskPlan::new(&outcome.recoding, Unknown::Error));
        let series = Series { known, earlier: Arc::new(Vec::new()), held_back: 0 };
        let people = People::new(raw.select(&[0, 1, 2, 3]), None);
        let (_, held) = series.hold_back(&people, &mask, (&names, "id"), qids, &self.census(&raw)).unwrap();
        assert!(held.is_empty() || self.limit > 0);
        let kept = (0..members.len()).filter(|&row| !held.contains(&members[row].id.to_string()));
        let (digests, members): (Vec<u128>, Vec<&Member>) = kept.map(|row| (digests[row], members[row])).unzip();
        Some(Published::of(&self::raw(&members), &mask, 3, names, &digests).unwrap())
    }
}

impl Making {
    /// Whoever is in the last release, and has the same labels in all of them, satisfies the conditions.
    fn check_conditions(&self, releases: &[Published], everybody: &[Member]) {
        let Some(last) = releases.last() else { return };
        let present = |member: &&Member| last.persons.get(self.key.digest(&member.id.to_string())).is_some();
        let ills = |members: &[&Member]| -> Vec<u64> {
            let count = |ill: &&str| members.iter().filter(|member| member.ill == **ill).count() as u64;
            ILLS.iter().map(count).collect()
        };
        let present: Vec<&Member> = everybody.iter().filter(present).collect();
        for qid in self.requirement.qids() {
            let mut groups: BTreeMap<Vec<String>, Vec<&Member>> = BTreeMap::new();
            for member in &present {
                let labels = |release: &Published| {
                    let row = release.persons.get(self.key.digest(&member.id.to_string()));
                    let told = release.attributes.iter().enumerate().filter(|(_, name)| qid.attributes.contains(name));
                    let label = |(a, _): (usize, &String)| row.map(|row| &release.rows[row as usize][a]);
                    format!("{:?}", told.map(label).collect::<Vec<_>>())
                };
                groups.entry(releases.iter().map(labels).collect()).or_default().push(member);
            }
            for condition in &qid.conditions {
                let values: Vec<Option<String>> = ILLS.iter().map(|&ill| Some(ill.to_owned())).collect();
                let (check, whole) = (condition.prepare(&values).unwrap(), ills(&present));
                for group in groups.values() {
                    assert!(check.holds(&Group { counts: &ills(group), whole: &whole }), "{condition}: {group:?}");
                }
            }
        }
    }
}

fn worlds(making: &Making, releases: &[Published], everybody: &[Member], link: impl Fn(&Member) -> String) -> Releases {
    let row = |member: &Member, release: &Published| {
        let number = release.persons.get(making.key.digest(&member.id.to_string()))?;
        let labels = release.rows[number as usize].iter().map(|label| format!("{label:?}")).collect();
        Some(Row { labels, link: link(member) })
    };
    let person = |member: &Member| releases.iter().map(|release| row(member, release)).collect();
    Releases { persons: everybody.iter().map(person).collect() }
}

/// A series that follows from a seed: how it is made, what is published, and everybody who is in it.
fn drawn(seed: u64, after: bool, conditions: Vec<Condition>) -> (Making, Vec<Published>, Vec<Member>) {
    let mut random = Random(seed);
    let k = 2 + random.below(2);
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let mut qids = vec![Qid::new(names(&NAMES), k)];
    if random.below(3) == 0 {
        qids = vec![Qid::new(names(&["age", "sex"]), k), Qid::new(names(&["town"]), 2 + random.below(2))];
    }
    let how = if random.below(2) == 0 { SuppressHow::Mask } else { SuppressHow::Drop };
    let limit = if random.below(2) == 0 { 0 } else { random.below(4) };
    qids.iter_mut().for_each(|qid| qid.conditions = conditions.clone());
    let requirement = Requirement::new(qids).unwrap();
    let making = Making { key: PersonKey::fresh().unwrap(), requirement, limit, how, after };
    let mut next = 4 + random.below(3);
    let mut members: Vec<Member> = (1..=next).map(|id| member(&mut random, id)).collect();
    let (mut everybody, mut releases) = (members.clone(), Vec::new());
    for _ in 0..2 + random.below(2) {
        releases.extend(making.publish(&members, &releases));
        making.check_conditions(&releases, &everybody);
        next_year(&mut random, &mut members, &mut next);
        everybody.extend(members.iter().filter(|m| m.id as usize > everybody.len()).cloned().collect::<Vec<_>>());
    }
    (making, releases, everybody)
}

/// How many of the series that have several releases leave somebody fewer than k candidates.
fn narrowed(seeds: std::ops::Range<u64>, after: bool) -> (u32, u32) {
    let (mut several, mut narrowed) = (0, 0);
    for seed in seeds {
        let (making, releases, everybody) = drawn(seed, after, Vec::new());
        let told = Trajectories::new(&releases, making.requirement.qids());
        let told = told.together();
        let [Qid { k, .. }] = *making.requirement.qids() else {
            // The labels of both QIDs together are more than is promised.
            assert!(!after || told.holds(), "seed {seed}");
            continue;
        };
        let ill = worlds(&making, &releases, &everybody, |member| member.ill.clone());
        let token = worlds(&making, &releases, &everybody, |member| member.id.to_string());
        let published = releases.iter().any(|release| release.persons.len() > 0);
        several += u32::from(releases.len() > 1);
        narrowed += u32::from(releases.len() > 1 && (ill.true_anonymity() as u64) < k);
        assert!(!after || !published || token.true_anonymity() as u64 >= k, "seed {seed}: {token:?}");
        assert_eq!(told.qids[0].anonymity as usize, token.joint_groups(), "seed {seed}");
    }
    (several, narrowed)
}

#[test]
fn conditions_hold_of_whoever_shares_a_trajectory() {
    let conditions = ["distinct-l:ill=2", "alpha:ill=0.7", "t-close:ill=0.4"];
    let mut several = 0;
    for seed in 0..600 {
        let condition = conditions[seed as usize % 3].parse().unwrap();
        let (making, releases, _) = drawn(seed, true, vec![condition]);
        let told = Trajectories::new(&releases, making.requirement.qids());
        assert!(told.together().holds(), "seed {seed}");
        several += u32::from(releases.iter().filter(|release| release.persons.len() > 0).count() > 1);
    }
    assert!(several > 100, "{several}");
}

#[test]
fn releases_made_after_others_leave_everybody_k_candidates() {
    let (several, narrowed) = narrowed(0..1000, true);
    assert_eq!(narrowed, 0);
    assert!(several > 100, "{several}");
}

#[test]
fn releases_made_one_by_one_often_do_not() {
    let (several, narrowed) = narrowed(0..500, false);
    assert!(narrowed * 3 > several, "{narrowed} of {several}");
}
