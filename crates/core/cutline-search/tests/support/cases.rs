//! Random small tables with requirements.

use std::fmt;
use std::sync::Arc;

use cutline_model::{Masking, Qid, Requirement, Taxonomy};
use cutline_search::top_down::Score;
use cutline_table::LabelKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{Cell, Record, Sample};

/// A search to run.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) sample: Sample,
    pub(crate) requirement: Requirement,
    pub(crate) score: Score,
}

impl Case {
    /// With fewer records than k there is nothing to search.
    pub(crate) fn is_solvable(&self) -> bool {
        self.sample.records.len() as u64 >= self.requirement.largest_k()
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.sample)?;
        self.requirement.qids().iter().try_for_each(|qid| writeln!(f, "{qid} k = {}", qid.k))?;
        writeln!(f, "{:?}", self.score)
    }
}

/// How an attribute is masked, and the values that its records may have.
#[derive(Clone, Debug)]
struct Column {
    masking: Masking,
    pool: Vec<String>,
    missing: bool,
}

/// Searches for a purpose.
pub(crate) fn case(label: LabelKind) -> impl Strategy<Value = Case> {
    let score = prop_oneof![Just(Score::Tdr), Just(Score::Tds)];
    prop_oneof![1 => vec(column(), 1..=2), 3 => vec(column(), 3..=4)].prop_flat_map(move |columns| {
        let width = columns.len();
        let qids = requirement(width);
        (sample(label, columns), qids, score.clone()).prop_map(|(sample, requirement, score)| Case {
            sample,
            requirement,
            score,
        })
    })
}

/// Searches for all purposes, in tables that have enough records.
pub(crate) fn any_solvable_case() -> impl Strategy<Value = Case> {
    prop_oneof![case(LabelKind::Classes), case(LabelKind::Numbers), case(LabelKind::None)]
        .prop_filter("records fewer than k", Case::is_solvable)
}

/// Searches in a table with more different numbers than a bottom-up search starts from, some of them frequent.
pub(crate) fn many_numbers() -> impl Strategy<Value = Case> {
    let label = prop_oneof![Just(LabelKind::Classes), Just(LabelKind::Numbers), Just(LabelKind::None)];
    let record = (0i32..=150, any::<u8>(), any::<u8>(), 1usize..=3);
    let range = prop_oneof![Just(None), Just(Some((-1.0, 40.0)))];
    (label, vec(record, 90..=160), range, any::<bool>(), 2u64..=40).prop_map(|(label, records, range, missing, k)| {
        let mut sample =
            Sample::new(label).attribute("age", Masking::numbers(range)).attribute("city", Masking::Suppress);
        for (age, other, target, count) in records {
            // A fifth of the records has one of three numbers.
            let age = if other % 5 == 0 { age % 3 * 60 } else { age };
            let quarters = (!missing || other > 20).then(|| (f64::from(age) / 4.0).to_string());
            let city = ["a", "b"][usize::from(other % 16 == 1)].to_owned();
            let target = Some((i32::from(target % 3) + age / 40).to_string());
            let record = Record { quasi: vec![quarters, Some(city)], target };
            sample.records.extend(std::iter::repeat_n(record, count));
        }
        let qid = |name: &str, k| Qid::new(vec![name.to_owned()], k);
        let requirement = Requirement::new(vec![qid("age", k), qid("city", k)]).unwrap();
        Case { sample, requirement, score: Score::Tdr }
    })
}

/// Searches in a table with many names of two attributes, most of them rare and alike, one perhaps more frequent than all others.
pub(crate) fn many_names() -> impl Strategy<Value = Case> {
    let label = prop_oneof![Just(LabelKind::Classes), Just(LabelKind::Numbers), Just(LabelKind::None)];
    let score = prop_oneof![Just(Score::Tdr), Just(Score::Tds)];
    let record = (0u8..40, 0u8..12, any::<u8>(), 0u8..3);
    let usual = prop_oneof![Just(0_u8), 1_u8..4];
    (label, vec(record, 40..=120), usual, 1u64..=4, score, any::<bool>()).prop_map(
        |(label, records, usual, k, score, apart)| {
            let mut sample =
                Sample::new(label).attribute("town", Masking::Suppress).attribute("job", Masking::Suppress);
            for (town, job, other, target) in records {
                let town = if other % 4 >= usual { format!("t{town}") } else { "usual".to_owned() };
                let quasi = vec![(other % 16 > 0).then_some(town), Some(format!("j{job}"))];
                sample.records.push(Record { quasi, target: Some(target.to_string()) });
            }
            let mut qids = vec![Qid::new(vec!["town".to_owned(), "job".to_owned()], k)];
            qids.extend(apart.then(|| Qid::new(vec!["town".to_owned()], k + 1)));
            Case { sample, requirement: Requirement::new(qids).unwrap(), score }
        },
    )
}

/// So many cases, unless `PROPTEST_CASES` asks for another number.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(cases),
        max_shrink_iters: 5000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The record's profile (its quasi values), and how its target comes about.
type RawRecord = (Index, bool, u8);

/// 5 to 60 records. They share few profiles, so that duplicates are common.
fn sample(label: LabelKind, columns: Vec<Column>) -> impl Strategy<Value = Sample> {
    let profile = vec(any::<u8>(), columns.len());
    let profiles = prop_oneof![1 => vec(profile.clone(), 1..=6), 3 => vec(profile, 6..=60)];
    let record = (any::<Index>(), prop::bool::weighted(0.6), any::<u8>());
    let targets = target_pool(label);
    (profiles, vec(record, 5..=60), targets, prop::bool::weighted(0.3)).prop_map(
        move |(profiles, records, targets, missing)| {
            let make = |&(profile, follows_profile, raw): &RawRecord| {
                let profile = profile.index(profiles.len());
                let raw = if follows_profile { profile as u8 } else { raw };
                Record {
                    quasi: columns.iter().zip(&profiles[profile]).map(pick).collect(),
                    target: cell(&targets, missing, raw),
                }
            };
            let names = ["first", "second", "third", "fourth"].map(str::to_owned);
            let maskings = columns.iter().map(|column| column.masking.clone());
            Sample {
                attributes: names.into_iter().zip(maskings).collect(),
                label,
                records: records.iter().map(make).collect(),
            }
        },
    )
}

fn pick((column, raw): (&Column, &u8)) -> Cell {
    cell(&column.pool, column.missing, *raw)
}

/// One value in eight is missing, if any may be.
fn cell(pool: &[String], missing: bool, raw: u8) -> Cell {
    (!missing || raw < 224).then(|| pool[raw as usize % pool.len()].clone())
}

/// 2 to 5 classes, or small whole numbers and quarters.
fn target_pool(label: LabelKind) -> BoxedStrategy<Vec<String>> {
    match label {
        LabelKind::Numbers => vec(-6i32..=12, 2..=6).prop_map(quarters).boxed(),
        _ => (2usize..=5).prop_map(|classes| names(&["yes", "no", "Maybe", "", "ja"], classes)).boxed(),
    }
}

fn column() -> impl Strategy<Value = Column> {
    let masked = prop_oneof![taxonomy(), suppressed(), continuous()];
    (masked, prop::bool::weighted(0.3)).prop_map(|((masking, pool), missing)| Column { masking, pool, missing })
}

fn suppressed() -> BoxedStrategy<(Masking, Vec<String>)> {
    // Byte order is not the order of the list.
    const VALUES: [&str; 7] = ["b", "a9", "a10", "B", "é", "z z", "a"];
    (1..=VALUES.len()).prop_map(|values| (Masking::Suppress, names(&VALUES, values))).boxed()
}

fn names(all: &[&str], count: usize) -> Vec<String> {
    all.iter().take(count).map(|name| (*name).to_owned()).collect()
}

/// Few different numbers, some of them spelled in two ways; the range may end with the smallest and largest of them.
fn continuous() -> BoxedStrategy<(Masking, Vec<String>)> {
    let margins = prop::option::of((0i32..=3, 0i32..=3));
    (vec(-8i32..=20, 1..=9), margins)
        .prop_map(|(values, margins)| {
            let lowest = values.iter().copied().min().unwrap_or(0);
            let highest = values.iter().copied().max().unwrap_or(0);
            let quarter = |value: i32| f64::from(value) / 4.0;
            let range = margins.map(|(below, above)| (quarter(lowest - below), quarter(highest + above)));
            (Masking::numbers(range), quarters(values))
        })
        .boxed()
}

fn quarters(values: Vec<i32>) -> Vec<String> {
    let spell = |(index, value): (usize, i32)| {
        let number = f64::from(value) / 4.0;
        if index % 3 == 2 { format!("{number:.3}") } else { number.to_string() }
    };
    values.into_iter().enumerate().map(spell).collect()
}

/// Trees of any shape, with chains of only children; not all leaves occur in the records.
fn taxonomy() -> BoxedStrategy<(Masking, Vec<String>)> {
    let parent = (any::<Index>(), prop::bool::weighted(0.2));
    (vec(parent, 1..=13), vec(prop::bool::weighted(0.75), 13))
        .prop_map(|(parents, present)| {
            let parent_of = |(node, (parent, of_last)): (usize, &(Index, bool))| {
                if *of_last { node } else { parent.index(node + 1) }
            };
            let parents: Vec<usize> = parents.iter().enumerate().map(parent_of).collect();
            let mut outline = String::new();
            write_outline(&parents, 0, 0, &mut outline);
            let taxonomy = Taxonomy::from_outline(&outline).unwrap();
            let leaves: Vec<String> = taxonomy.leaves().map(|leaf| taxonomy.label(leaf).to_owned()).collect();
            let some = leaves.iter().zip(present).filter(|(_, present)| *present);
            let some: Vec<String> = some.map(|(leaf, _)| leaf.clone()).collect();
            let pool = if some.is_empty() { leaves } else { some };
            (Masking::Generalize(Arc::new(taxonomy)), pool)
        })
        .boxed()
}

/// `parents[i]` is the parent of node `i + 1`.
fn write_outline(parents: &[usize], node: usize, level: usize, outline: &mut String) {
    outline.push_str(&format!("{}n{node}\n", "  ".repeat(level)));
    for child in (1..=parents.len()).filter(|&child| parents[child - 1] == node) {
        write_outline(parents, child, level + 1, outline);
    }
}

/// 1 to 3 QIDs that together have all attributes.
fn requirement(width: usize) -> impl Strategy<Value = Requirement> {
    let k = prop_oneof![3 => 1u64..=3, 1 => 4u64..=8];
    let qid = (1usize..1 << width, k);
    prop_oneof![1 => vec(qid.clone(), 1), 3 => vec(qid, 2..=3)].prop_map(move |mut qids| {
        let covered = qids.iter().fold(0, |covered, (attributes, _)| covered | attributes);
        qids[0].0 |= !covered;
        let all = ["first", "second", "third", "fourth"];
        let qid = |(attributes, k): (usize, u64)| {
            let chosen = (0..width).filter(|index| attributes >> index & 1 == 1);
            Qid::new(chosen.map(|index| all[index].to_owned()).collect(), k)
        };
        Requirement::new(qids.into_iter().map(qid).collect()).unwrap()
    })
}
