#[path = "../../tests/support/worlds.rs"]
mod worlds;

use std::collections::HashMap;
use std::sync::Arc;

use cutline_model::Qid;

use super::anonymity::Trajectories;
use super::hold_back::hold_back;
use super::patterns::Known;
use super::published::{PersonKey, PersonRows, Published};

/// A release of one attribute: who has which label.
fn release(persons: &[(u128, &str)]) -> Published {
    let mut published = Published { attributes: vec!["town".to_owned()], ..Published::default() };
    let mut rows = Vec::new();
    for &(person, label) in persons {
        let row = vec![Some(label.to_owned())];
        let number = published.rows.iter().position(|other| *other == row).unwrap_or_else(|| {
            published.rows.push(row.clone());
            published.rows.len() - 1
        });
        rows.push((person, number as u32));
    }
    published.persons = PersonRows::new(rows);
    published
}

fn qids(k: u64) -> Vec<Qid> {
    vec![Qid::new(vec!["town".to_owned()], k)]
}

#[test]
fn what_a_release_keeps_of_its_persons_reads_back() {
    let key = PersonKey::fresh().unwrap();
    let published = release(&[(key.digest("ann"), "Oslo"), (key.digest("bob"), "*"), (key.digest("cy"), "Oslo")]);
    let text = published.to_text(key);
    assert!(!text.contains("ann"), "no names");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    assert_eq!(Published::read(file.path()).unwrap(), (key, published));
    let cut_off = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    let other = text.replace("persons/1", "persons/9");
    for damaged in [String::new(), "{}".to_owned(), other, cut_off, text.clone() + "zz 1\n", text + "00 9\n"] {
        std::fs::write(file.path(), damaged).unwrap();
        let error = Published::read(file.path()).unwrap_err().to_string();
        assert!(error.contains("is not what a release keeps"), "{error}");
    }
    assert_eq!(format!("{key:?}"), "PersonKey");
}

#[test]
fn those_who_stand_out_are_held_back_and_no_others() {
    let towns = |persons: std::ops::Range<u128>, town: &'static str| persons.map(move |person| (person, town));
    let first: Vec<(u128, &str)> = towns(0..10, "Oslo").chain(towns(10..13, "Bern")).collect();
    // Two of Oslo left, nobody of Bern; one entered.
    let present: Vec<u128> = (2..13).chain([99]).collect();
    let mut known = Known::new(PersonKey::fresh().unwrap(), &[release(&first)], &qids(3));
    known.count_absent(&present);
    known.check(&present, &qids(3)).unwrap();
    let held = hold_back(&mut known, &present, &[], &qids(3));
    let held: Vec<u128> = present.iter().zip(held).filter(|(_, held)| *held).map(|(person, _)| *person).collect();
    assert_eq!(held, [2, 99], "one more of Oslo, so that three are absent, and the one who entered");
}

#[test]
fn what_earlier_releases_tell_is_told() {
    let first = release(&[(1, "Oslo"), (2, "Oslo"), (3, "Oslo"), (4, "Bern"), (5, "Bern"), (6, "Bern")]);
    let second = release(&[(1, "Oslo"), (2, "Oslo"), (3, "Bern"), (4, "Bern"), (5, "Bern"), (6, "Bern")]);
    let releases = [first, second];
    let mut known = Known::new(PersonKey::fresh().unwrap(), &releases, &qids(3));
    known.count_absent(&[]);
    let error = known.check(&[], &qids(3)).unwrap_err().to_string();
    assert!(error.contains("3 persons in 2 groups of {town}") && error.contains("the smallest 1"), "{error}");
    let trajectories = Trajectories::new(&releases, &qids(3));
    let together = &trajectories.together().qids[0];
    let figures = (together.anonymity, together.trajectories, together.too_small, together.persons_in_those);
    assert_eq!(figures, (1, 3, 2, 3));
    let timeline = trajectories.timeline(vec![Some("a".to_owned()), None]);
    assert_eq!((timeline[1].alone[0], timeline[1].together[0], timeline[1].entered, timeline[1].left), (2, 1, 0, 0));
}

#[test]
fn a_person_who_is_in_no_release_is_known_by_that() {
    let known = Known::new(PersonKey::fresh().unwrap(), &[release(&[(1, "Oslo")])], &qids(2));
    assert_ne!(known.pattern(1), known.pattern(2));
    let histories: HashMap<u32, u32> = [(0, 0), (1, 1)].into();
    let found = known.histories(&["age".to_owned()]);
    assert!(histories.iter().all(|(&pattern, &history)| found.of_row.get(pattern as usize) == history));
}

/// Whole series in memory, against possible worlds.
mod in_memory {
    use cutline_model::recoding::{SuppressHow, Unknown};
    use cutline_model::{Masking, Requirement};
    use cutline_search::top_down::{Score, TopDown};
    use cutline_search::{Control, Problem, publishable};
    use cutline_table::{BlockColumn, LabelKind, Mask, MaskPlan, RawTable, encode};

    use super::super::{People, Series};
    use super::worlds::{Releases, Row};
    use super::*;

    const NAMES: [&str; 3] = ["age", "sex", "town"];

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
        Member { id, quasi, ill: random.one_of(&["flu", "cold", "gout"]) }
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
        let columns: Vec<BlockColumn> = quasi.chain([column(&|member| member.id.to_string())]).collect();
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
        /// What is published of a table, if anything can be.
        fn publish(&self, members: &[Member], earlier: &[Published]) -> Option<Published> {
            let qids = self.requirement.qids();
            let mut known = Known::new(self.key, if self.after { earlier } else { &[] }, qids);
            let mut members: Vec<(u128, &Member)> =
                members.iter().map(|member| (self.key.digest(&member.id.to_string()), member)).collect();
            members.sort_by_key(|(digest, _)| *digest);
            let digests: Vec<u128> = members.iter().map(|(digest, _)| *digest).collect();
            known.count_absent(&digests);
            known.check(&digests, qids).unwrap();
            let held = hold_back(&mut known, &digests, &[], qids);
            let kept: Vec<(u128, &Member)> =
                members.into_iter().zip(held).filter(|(_, held)| !held).map(|(member, _)| member).collect();
            let (digests, members): (Vec<u128>, Vec<&Member>) = kept.into_iter().unzip();
            if (members.len() as u64) < self.requirement.largest_k() {
                return None;
            }
            let raw = raw(&members);
            let patterns: Vec<Option<u32>> = digests.iter().map(|&digest| Some(known.pattern(digest))).collect();
            let told = raw.with_history(&patterns, known.patterns()).select(&[0, 1, 2]);
            let range = Masking::numbers(Some((0.0, 100.0)));
            let attributes = NAMES.map(str::to_owned).into_iter().zip([range, Masking::Suppress, Masking::Suppress]);
            let table =
                encode(&told, attributes.collect(), &[(String::new(), LabelKind::None)], Unknown::Error).unwrap();
            let problem = Problem::new(&table, &self.requirement).unwrap().suppressing(self.limit, self.how);
            let outcome = publishable(&TopDown { score: Score::Tdr }, &problem, &Control::unlimited());
            // Where a budget lets some stand out, they are held back.
            let names = NAMES.map(str::to_owned).to_vec();
            let mask = Mask::new(&MaskPlan::new(&outcome.recoding, Unknown::Error));
            let series = Series { known, earlier: Arc::new(Vec::new()), held_back: 0 };
            let (_, held) = series.hold_back(&People::new(raw, None), &mask, (&names, "id"), qids).unwrap();
            assert!(held.is_empty() || self.limit > 0);
            let kept = (0..members.len()).filter(|&row| !held.contains(&members[row].id.to_string()));
            let (digests, members): (Vec<u128>, Vec<&Member>) = kept.map(|row| (digests[row], members[row])).unzip();
            Some(Published::of(&self::raw(&members), &mask, 3, names, &digests).unwrap())
        }
    }

    fn worlds(
        making: &Making,
        releases: &[Published],
        everybody: &[Member],
        link: impl Fn(&Member) -> String,
    ) -> Releases {
        let row = |member: &Member, release: &Published| {
            let number = release.persons.get(making.key.digest(&member.id.to_string()))?;
            let labels = release.rows[number as usize].iter().map(|label| format!("{label:?}")).collect();
            Some(Row { labels, link: link(member) })
        };
        let person = |member: &Member| releases.iter().map(|release| row(member, release)).collect();
        Releases { persons: everybody.iter().map(person).collect() }
    }

    /// How many of the series that have several releases leave somebody fewer than k candidates.
    fn narrowed(seeds: std::ops::Range<u64>, after: bool) -> (u32, u32) {
        let (mut several, mut narrowed) = (0, 0);
        for seed in seeds {
            let mut random = Random(seed);
            let k = 2 + random.below(2);
            let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
            let mut qids = vec![Qid::new(names(&NAMES), k)];
            if random.below(3) == 0 {
                qids = vec![Qid::new(names(&["age", "sex"]), k), Qid::new(names(&["town"]), 2 + random.below(2))];
            }
            let how = if random.below(2) == 0 { SuppressHow::Mask } else { SuppressHow::Drop };
            let limit = if random.below(2) == 0 { 0 } else { random.below(4) };
            let requirement = Requirement::new(qids).unwrap();
            let making = Making { key: PersonKey::fresh().unwrap(), requirement, limit, how, after };
            let mut next = 4 + random.below(3);
            let mut members: Vec<Member> = (1..=next).map(|id| member(&mut random, id)).collect();
            let (mut everybody, mut releases) = (members.clone(), Vec::new());
            for _ in 0..2 + random.below(2) {
                releases.extend(making.publish(&members, &releases));
                next_year(&mut random, &mut members, &mut next);
                everybody
                    .extend(members.iter().filter(|m| m.id as usize > everybody.len()).cloned().collect::<Vec<_>>());
            }
            if making.requirement.qids().len() > 1 {
                // The labels of both QIDs together are more than is promised.
                let told = Trajectories::new(&releases, making.requirement.qids());
                let told = told.together();
                assert!(!after || told.holds(), "seed {seed}");
                continue;
            }
            let ill = worlds(&making, &releases, &everybody, |member| member.ill.clone());
            let token = worlds(&making, &releases, &everybody, |member| member.id.to_string());
            let published = releases.iter().any(|release| release.persons.len() > 0);
            several += u32::from(releases.len() > 1);
            narrowed += u32::from(releases.len() > 1 && (ill.true_anonymity() as u64) < k);
            assert!(!after || !published || token.true_anonymity() as u64 >= k, "seed {seed}: {token:?}");
            let told = Trajectories::new(&releases, making.requirement.qids());
            let told = told.together();
            assert_eq!(told.qids[0].anonymity as usize, token.joint_groups(), "seed {seed}");
        }
        (several, narrowed)
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
}
