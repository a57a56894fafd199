//! Several releases of overlapping persons, against possible worlds: the definition of `docs/several-releases.md`, its examples, and the
//! releases that are made after others.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "support/worlds.rs"]
mod worlds;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use cutline::spec::Spec;
use cutline::{After, Destination, Error, Job, Release, Report, Silent, publish};
use worlds::{Releases, Row};

/// Everybody's record in each release, as `labels/link`; `-` where they have none.
fn releases(persons: &[&str]) -> Releases {
    let row = |text: &str| {
        let (labels, link) = text.split_once('/')?;
        Some(Row { labels: labels.split(',').map(str::to_owned).collect(), link: link.to_owned() })
    };
    Releases { persons: persons.iter().map(|person| person.split_whitespace().map(row).collect()).collect() }
}

mod examples {
    use super::*;

    #[test]
    fn two_cuts_of_one_table() {
        // By profession in one, by sex in the other; each alone has groups of two or three.
        let both = releases(&["lawyer/flu F/flu", "lawyer/HIV M/HIV", "writer/flu F/flu", "writer/cold M/cold"]);
        assert_eq!(both.candidates(1, 0), [1], "the only one of the two lawyers who can be a man");
        assert_eq!(both.true_anonymity(), 1);
        // Without anything that links the records, there is nothing to compare.
        let unlinked = releases(&["lawyer/ F/", "lawyer/ M/", "writer/ F/", "writer/ M/"]);
        assert_eq!(unlinked.true_anonymity(), 2);
    }

    #[test]
    fn a_table_that_grew() {
        let grew = releases(&["a/flu a/flu", "a/cold a/cold", "- a/HIV"]);
        assert_eq!(grew.candidates(2, 1), [2], "the record that was not there before");
        let grew = releases(&["a/flu a/flu", "a/cold a/cold", "- a/HIV", "- a/cold"]);
        assert_eq!(grew.true_anonymity(), 2);
    }

    #[test]
    fn a_table_that_shrank() {
        let shrank = releases(&["a/flu a/flu", "a/cold a/cold", "a/HIV -"]);
        assert_eq!(shrank.candidates(2, 0), [2], "the record that is there no longer");
        assert_eq!(shrank.joint_groups(), 1);
    }

    #[test]
    fn a_value_that_was_corrected() {
        // Somebody's profession was wrong: in each table there are two lawyers and two writers at least.
        let persons =
            ["lawyer/flu lawyer/flu", "lawyer/HIV lawyer/HIV", "lawyer/gout writer/gout", "writer/cold writer/cold"];
        let corrected = releases(&[&persons[..], &["writer/flu writer/flu"]].concat());
        assert_eq!(corrected.candidates(2, 1), [2], "whoever knows of the correction finds the record that moved");
    }

    #[test]
    fn a_column_that_links_records_exactly() {
        // A token that stays: everybody's records are known to belong together, and still two persons are alike.
        let linked = releases(&["a/t1 x/t1", "a/t2 x/t2", "b/t3 x/t3", "b/t4 x/t4"]);
        assert_eq!((linked.joint_groups(), linked.true_anonymity()), (2, 2));
    }
}

/// Small numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// The theorem: nobody has fewer candidates than share their trajectory, whatever links records; and often not many more.
#[test]
fn everybody_hides_among_those_who_share_their_trajectory() {
    let (mut tight, mut small) = (0, 0);
    for seed in 0..4000 {
        let mut random = Random(seed);
        let (persons, releases, links) = (2 + random.below(5), 1 + random.below(3), 1 + random.below(4));
        let mut row = |link: u64| {
            let row = Row { labels: vec![random.below(2).to_string()], link: link.to_string() };
            (random.below(4) > 0).then_some(row)
        };
        let person = |person: u64| (0..releases).map(|_| row(person % links)).collect();
        let all = Releases { persons: (0..persons).map(person).collect() };
        let (joint, found) = (all.joint_groups(), all.true_anonymity());
        assert!(found >= joint, "seed {seed}: {found} < {joint}\n{all:?}");
        tight += usize::from(found == joint);
        small += usize::from(found < 2);
    }
    // Others who are candidates too are few: in nearly all tables nothing more could be promised.
    assert!(tight > 3000 && small > 1000, "{tight} {small}");
}

/// A person of a register: what is known of them in each year.
#[derive(Clone, Debug)]
struct Member {
    id: usize,
    age: u64,
    sex: &'static str,
    town: &'static str,
    ill: &'static str,
}

/// A register over some years: persons enter, leave, move.
fn register(random: &mut Random, years: usize) -> Vec<Vec<Member>> {
    let mut next = 0;
    let mut enter = |random: &mut Random| {
        next += 1;
        let town = ["Oslo", "Bern", "Rome"][random.below(3) as usize];
        let (sex, ill) = (["F", "M"][random.below(2) as usize], ["flu", "cold", "HIV"][random.below(3) as usize]);
        Member { id: next, age: 20 + random.below(6) * 10, sex, town, ill }
    };
    let mut members: Vec<Member> = (0..4 + random.below(3)).map(|_| enter(random)).collect();
    let mut tables = vec![members.clone()];
    for _ in 1..years {
        let leaving = random.below(3);
        for _ in 0..leaving.min(members.len() as u64 - 2) {
            members.remove(random.below(members.len() as u64) as usize);
        }
        for _ in 0..random.below(3) {
            let one = enter(random);
            members.push(one);
        }
        if random.below(3) == 0 {
            let moved = random.below(members.len() as u64) as usize;
            members[moved].town = ["Oslo", "Bern", "Rome"][random.below(3) as usize];
        }
        tables.push(members.clone());
    }
    tables
}

fn write(members: &[Member], path: &Path) {
    // The token is published as it is, so that the test knows whose record is in a table.
    let mut text = "id,token,age,sex,town,ill\n".to_owned();
    for Member { id, age, sex, town, ill } in members {
        writeln!(text, "{id},t{id},{age},{sex},{town},{ill}").unwrap();
    }
    std::fs::write(path, text).unwrap();
}

/// A release to make.
struct Desk {
    folder: tempfile::TempDir,
    k: u64,
    algorithm: &'static str,
    more: &'static str,
    conditions: &'static str,
}

impl Desk {
    fn new(k: u64, algorithm: &'static str, more: &'static str) -> Self {
        Desk { folder: tempfile::tempdir().unwrap(), k, algorithm, more, conditions: "" }
    }

    fn table(&self, year: usize) -> PathBuf {
        self.folder.path().join(format!("{year}.csv"))
    }

    fn release(&self, year: usize) -> PathBuf {
        self.folder.path().join(format!("release-{year}"))
    }

    fn job(&self, year: usize) -> Job {
        let text = format!(
            "person = \"id\"\nconditions = [{}]\n[input]\npath = {:?}\n[[qid]]\nattributes = [\"age\", \"sex\", \"town\"]\nk = {}\n\
             [attributes.age]\nrange = [0, 120]\n[attributes.token]\nkeep = true\n[search]\nalgorithm = \"{}\"\nthreads = 1\n{}",
            self.conditions,
            self.table(year),
            self.k,
            self.algorithm,
            self.more
        );
        let spec: Spec = toml::from_str(&text).unwrap();
        Job::new(spec).unwrap()
    }

    /// Publishes a year's table after the years that are published already.
    fn publish(&self, year: usize, earlier: &[usize]) -> Result<Report, Error> {
        let mut job = self.job(year);
        let earlier: Vec<Release> = earlier.iter().map(|&year| Release::open(&self.release(year)).unwrap()).collect();
        job.set_after(After::new(earlier));
        let destination = Destination { path: self.release(year), force: false };
        publish(&job, &job.open().unwrap(), &destination, &Silent)
    }

    /// The published tables, and nothing else: who has which labels, and what else is told of them.
    fn published(&self, years: &[usize], link: Link) -> Releases {
        let mut persons: BTreeMap<String, Vec<Option<Row>>> = BTreeMap::new();
        for (place, &year) in years.iter().enumerate() {
            let text = std::fs::read_to_string(self.release(year).join("public/table.csv")).unwrap();
            let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<String>>());
            assert_eq!(lines.next().unwrap(), ["token", "age", "sex", "town", "ill"]);
            for cells in lines {
                let link = match link {
                    Link::Illness => &cells[4],
                    Link::Token => &cells[0],
                };
                let row = Row { labels: cells[1..4].to_vec(), link: link.clone() };
                persons.entry(cells[0].clone()).or_insert_with(|| vec![None; years.len()])[place] = Some(row);
            }
        }
        Releases { persons: persons.into_values().collect() }
    }
}

/// What records of one person are known by to belong together.
#[derive(Clone, Copy)]
enum Link {
    Illness,
    Token,
}

/// Publishes a register year by year, as long as that is possible. Returns the years that are published.
fn series(desk: &Desk, tables: &[Vec<Member>], after: bool) -> Vec<usize> {
    let mut published = Vec::new();
    for (year, members) in tables.iter().enumerate() {
        write(members, &desk.table(year));
        let earlier = if after { &published[..] } else { &[] };
        match desk.publish(year, earlier) {
            Ok(_) => published.push(year),
            Err(Error::HeldBack { .. } | Error::Search(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    published
}

/// For so many registers: how many series are of several releases, and in how many of these somebody has fewer candidates than k.
fn narrowed(seeds: std::ops::Range<u64>, algorithm: &'static str, more: &'static str, after: bool) -> (usize, usize) {
    let (mut several, mut narrowed) = (0, 0);
    for seed in seeds {
        let mut random = Random(seed);
        let (k, years) = (2 + random.below(2), 2 + random.below(2) as usize);
        let tables = register(&mut random, years);
        let desk = Desk::new(k, algorithm, more);
        let years = series(&desk, &tables, after);
        let (ill, token) = (desk.published(&years, Link::Illness), desk.published(&years, Link::Token));
        assert!(ill.true_anonymity() >= token.true_anonymity(), "more links rule out more");
        several += usize::from(years.len() > 1);
        narrowed += usize::from(years.len() > 1 && (ill.true_anonymity() as u64) < k);
        if after && !years.is_empty() {
            assert!(token.true_anonymity() as u64 >= k, "seed {seed}: {tables:?}\n{token:?}");
        }
    }
    (several, narrowed)
}

#[test]
fn releases_made_after_others_leave_everybody_k_candidates() {
    let (several, narrowed) = narrowed(0..16, "tdr", "", true);
    assert_eq!(narrowed, 0);
    assert!(several > 3, "{several}");
}

#[test]
fn releases_made_one_by_one_often_do_not() {
    let (several, narrowed) = narrowed(0..10, "tdr", "", false);
    assert!(several > 5 && narrowed * 3 > several, "{narrowed} of {several}");
}

#[test]
fn every_algorithm_and_a_budget_keep_that() {
    for (seeds, algorithm, more) in [
        (0..4, "refine", ""),
        (20..24, "bottom-up", ""),
        (40..44, "tds", "[suppress]\nlimit = \"30%\"\n"),
        (80..83, "genetic", "[search.genetic]\npopulation = 10\niterations = 50\n"),
        (100..104, "refine", "local = \"free\"\n"),
        (120..124, "refine", "local = \"nested\"\n[suppress]\nlimit = \"30%\"\n"),
        (60..64, "tdr", "[suppress]\nlimit = \"30%\"\nhow = \"drop\"\n"),
    ] {
        assert_eq!(narrowed(seeds, algorithm, more, true).1, 0, "{algorithm}");
    }
}

/// A register in which everybody has a twin and a cousin, so that there is something to tell.
fn large_register(random: &mut Random, years: usize) -> Vec<Vec<Member>> {
    let mut register = register(random, years);
    let relative = |member: &Member, way: usize| Member {
        id: member.id + way * 100,
        ill: ["flu", "cold", "HIV"][(member.id * way + member.age as usize / 10) % 3],
        ..member.clone()
    };
    for members in &mut register {
        let own = members.clone();
        members.extend((1..3).flat_map(|way| own.iter().map(move |member| relative(member, way))));
    }
    register
}

/// Whatever can be published without a budget can be with one, and nothing else than the requirement stands in the way.
#[test]
fn conditions_and_a_budget_refuse_nothing_that_can_be() {
    let algorithms = ["tdr", "refine", "bottom-up", "tds"];
    let conditions = ["\"distinct-l:ill=2\"", "\"alpha:ill=0.7\"", "\"t-close:ill=0.5\"", "\"bound:ill=HIV<=0.5\""];
    let (mut published, mut held) = (0, 0);
    for seed in 0..60 {
        let mut random = Random(seed);
        let register = large_register(&mut random, 3);
        let mut desk = Desk::new(2 + random.below(2), algorithms[seed as usize % 4], "[suppress]\nlimit = \"40%\"\n");
        desk.conditions = conditions[random.below(4) as usize];
        let mut years = Vec::new();
        for (year, members) in register.iter().enumerate() {
            write(members, &desk.table(year));
            match desk.publish(year, &years) {
                Ok(report) => {
                    held += report.series.map_or(0, |series| series.held_back);
                    years.push(year);
                }
                Err(error) => {
                    let (status, strict) = (error.exit_status(), Desk { more: "", ..desk });
                    let nobody_has_it = members.iter().all(|member| member.ill != "HIV");
                    assert!(status == 1 || nobody_has_it, "seed {seed}: {error}");
                    assert!(strict.publish(year, &years).is_err(), "seed {seed}: {error}");
                    desk = Desk { more: "[suppress]\nlimit = \"40%\"\n", ..strict };
                }
            }
        }
        published += usize::from(years.len() > 1);
        if !years.is_empty() {
            let told = desk.published(&years, Link::Token);
            assert!(told.joint_groups() as u64 >= desk.k, "seed {seed}: {told:?}");
        }
    }
    assert!(published > 20 && held > 50, "{published} {held}");
}

/// Is `HIV` the illness of at most half of some persons?
fn is_bounded<'a>(ills: impl Iterator<Item = &'a str> + Clone) -> bool {
    ills.clone().filter(|ill| *ill == "HIV").count() * 2 <= ills.count()
}

/// Of whom a year tells, those who share a trajectory over all years: their illnesses.
fn joint_illnesses(desk: &Desk, years: &[usize]) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<Vec<Option<Vec<String>>>, Vec<String>> = BTreeMap::new();
    for person in desk.published(years, Link::Illness).persons {
        let trajectory = person.iter().map(|row| row.as_ref().map(|row| row.labels.clone())).collect();
        if let Some(row) = person.last().and_then(Option::as_ref) {
            groups.entry(trajectory).or_default().push(row.link.clone());
        }
    }
    groups.into_values().collect()
}

/// How many later releases there are after a first one that promises a bound, or does not, and how many of them break it.
fn bounds_broken(promised: &'static str) -> (usize, usize) {
    let (mut later, mut broken) = (0, 0);
    for seed in 0..40 {
        let mut random = Random(seed);
        let register = large_register(&mut random, 3);
        let more = if seed % 4 == 0 { "[suppress]\nlimit = \"30%\"\n" } else { "" };
        let mut desk = Desk::new(2, ["tdr", "refine", "bottom-up"][seed as usize % 3], more);
        desk.conditions = promised;
        let mut years = Vec::new();
        for (year, members) in register.iter().enumerate() {
            write(members, &desk.table(year));
            let can_hold = is_bounded(members.iter().map(|member| member.ill));
            match desk.publish(year, &years) {
                Ok(_) => years.push(year),
                Err(error) => {
                    let nobody_has_it = members.iter().all(|member| member.ill != "HIV");
                    assert!(error.exit_status() == 1 || nobody_has_it, "seed {seed}: {error}");
                }
            }
            if years.last() == Some(&year) && years.len() > 1 && can_hold {
                let groups = joint_illnesses(&desk, &years);
                later += 1;
                broken += usize::from(!groups.iter().all(|ills| is_bounded(ills.iter().map(String::as_str))));
            }
            // Only the first release that appears promises it.
            desk.conditions = if years.is_empty() { promised } else { "" };
        }
    }
    (later, broken)
}

#[test]
fn what_an_earlier_release_promised_of_illnesses_is_kept() {
    let (later, broken) = bounds_broken("\"bound:ill=HIV<=0.5\"");
    assert!(later > 20 && broken == 0, "{broken} of {later}");
    let (later, broken) = bounds_broken("");
    assert!(later > 20 && broken > 5, "{broken} of {later}");
}
