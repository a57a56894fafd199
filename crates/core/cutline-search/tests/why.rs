//! What is said to stand in the way does, and what is said to help helps.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use std::collections::BTreeSet;

use cutline_model::{AttributeRecoding, Requirement};
use cutline_search::bottom_up::BottomUp;
use cutline_search::refine::Refine;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{
    AttributeWhy, Bar, Control, LabelWhy, Left, Problem, Search, Why, publishable, why, with_missing,
};
use cutline_table::{Codes, CompressedTable, LabelKind, Settled};
use proptest::prelude::*;

use support::cases::config;
use support::guarded::{Guarded, Kind, any_guarded};
use support::naive_why::{Under, Way};
use support::{Sample, generalize, requirement, undeclared};

/// A table with a recoding that some search ended with.
struct Ended<'a> {
    guarded: &'a Guarded,
    table: &'a CompressedTable,
    recoding: Vec<AttributeRecoding>,
}

impl Ended<'_> {
    /// The records that a recoding suppresses, record by record, and when it is published.
    fn suppressed(&self, recoding: &[AttributeRecoding]) -> u64 {
        self.suppressed_with(recoding, &[])
    }

    /// The same under other thresholds for some QIDs.
    fn suppressed_with(&self, recoding: &[AttributeRecoding], thresholds: &[(usize, u64)]) -> u64 {
        let mut guard = self.guarded.guard();
        let problem = self.guarded.problem(self.table);
        let mut qids = problem.qids().to_vec();
        for &(qid, k) in thresholds {
            (guard.qids[qid].k, qids[qid].k) = (k, k);
        }
        let meant = guard.publish(&self.guarded.labels(recoding)).suppressed();
        let settled = Settled::new(self.table, recoding.to_vec(), None, &qids, problem.how()).unwrap();
        meant.max(settled.suppressed.records)
    }

    fn with(&self, attribute: usize, own: &AttributeRecoding) -> Vec<AttributeRecoding> {
        let mut recoding = self.recoding.clone();
        recoding[attribute] = own.clone();
        recoding
    }
}

/// The records that a recoding suppresses in a table with fewer attributes or records.
fn published(guarded: &Guarded, recoding: &[AttributeRecoding]) -> u64 {
    let table = guarded.compress();
    let problem = guarded.problem(&table);
    let meant = guarded.guard().publish(&guarded.labels(recoding)).suppressed();
    meant.max(Settled::new(&table, recoding.to_vec(), None, problem.qids(), problem.how()).unwrap().suppressed.records)
}

/// The table without an attribute, and its QIDs too. Nothing where another QID follows from the rest then: what was asked is still true.
fn without(guarded: &Guarded, attribute: usize) -> Option<Guarded> {
    let mut changed = guarded.clone();
    let (name, _) = changed.case.sample.attributes.remove(attribute);
    changed.case.sample.records.iter_mut().for_each(|record| {
        record.quasi.remove(attribute);
    });
    let mut qids = Vec::new();
    changed.rules.clear();
    for (qid, rules) in guarded.case.requirement.qids().iter().zip(&guarded.rules) {
        let mut qid = qid.clone();
        qid.attributes.retain(|other| *other != name);
        if !qid.attributes.is_empty() {
            qids.push(qid);
            changed.rules.push(rules.clone());
        }
    }
    let requirement = Requirement::new(qids.clone()).ok()?;
    changed.case.requirement = requirement;
    (changed.case.requirement.qids() == qids).then_some(changed)
}

fn without_lacking(guarded: &Guarded, attribute: usize) -> Guarded {
    let mut changed = guarded.clone();
    let keeps: Vec<bool> = guarded.case.sample.records.iter().map(|record| record.quasi[attribute].is_some()).collect();
    let mut kept = keeps.iter();
    changed.case.sample.records.retain(|_| *kept.next().unwrap());
    for (_, cells) in &mut changed.sensitive {
        let mut kept = keeps.iter();
        cells.retain(|_| *kept.next().unwrap());
    }
    changed
}

/// The refinement that is told, among all there are: none of them gains more.
fn told<'w>(under: &Under<'_>, ways: &'w [Way], left: &Left, records: &[usize]) -> &'w Way {
    let into: BTreeSet<String> = left.into.iter().cloned().collect();
    let told = ways.iter().filter(|way| way.eligible).find(|way| {
        let tells = under.tells(way, records);
        // The last suppressed value leaves nothing behind.
        tells == into || (tells.is_subset(&into) && tells.len() == 1)
    });
    let told = told.unwrap_or_else(|| panic!("{into:?} is no refinement"));
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0);
    assert!(close(told.gain, left.gain), "{} is not {}", left.gain, told.gain);
    let most = ways.iter().filter(|way| way.eligible).map(|way| way.gain).fold(0.0, f64::max);
    assert!(close(most, left.gain), "{} gains more than {}", most, left.gain);
    told
}

fn check_label(ended: &Ended<'_>, under: &Under<'_>, label: &LabelWhy, records: &[usize], best: bool) {
    assert_eq!(label.records, records.len() as u64);
    let ways = under.ways(label.label.as_deref(), records);
    match &label.why {
        Why::Finest => assert!(ways.is_empty(), "{ways:?}"),
        Why::NothingToGain => assert!(!ways.is_empty() && !under.beneficial(records)),
        Why::Allowed(left) => {
            let way = told(under, &ways, left, records);
            let after = ended.with(under.attribute, &way.recoding);
            assert!(under.beneficial(records) && ended.suppressed(&after) <= ended.guarded.limit);
        }
        Why::Forbidden { left, bar } => {
            let way = told(under, &ways, left, records);
            let after = ended.with(under.attribute, &way.recoding);
            // With this limit the refinement is valid, and with any smaller one it is not.
            assert_eq!(bar.limit, ended.suppressed(&after));
            assert!(bar.limit > ended.guarded.limit && !bar.broken.is_empty());
            check_ways(ended, under, &after, bar, best);
        }
    }
}

fn check_ways(ended: &Ended<'_>, under: &Under<'_>, after: &[AttributeRecoding], bar: &Bar, best: bool) {
    let Ended { guarded, .. } = ended;
    let simple = guarded.rules.iter().all(Vec::is_empty);
    if !bar.thresholds.is_empty() {
        assert!(ended.suppressed_with(after, &bar.thresholds) <= guarded.limit);
        assert!(bar.thresholds.iter().all(|&(qid, k)| k > 1 && k < guarded.case.requirement.qids()[qid].k));
    }
    if let ([qid], true) = (guarded.case.requirement.qids(), simple) {
        let helps = |k: u64| ended.suppressed_with(after, &[(0, k)]) <= guarded.limit;
        let largest = (2..qid.k).rev().find(|&k| helps(k));
        assert_eq!(bar.thresholds.first().map(|&(_, k)| k), largest);
    }
    if best {
        let names: Vec<&String> = guarded.case.sample.attributes.iter().map(|(name, _)| name).collect();
        for other in (0..names.len()).filter(|&other| other != under.attribute) {
            let Some(fewer) = without(guarded, other) else { continue };
            let mut after = after.to_vec();
            after.remove(other);
            let helps = published(&fewer, &after) <= guarded.limit;
            let said = bar.without.contains(names[other]);
            assert!(helps || !said, "without {} it does not hold", names[other]);
            // With a budget a smaller table may be published by other suppressed records: what is said then is right, if not all.
            assert!(said || !helps || !simple || guarded.limit > 0, "without {} it holds", names[other]);
        }
    } else {
        assert_eq!(bar.without.len(), 0);
    }
    if let (Some(lacking), true) = (bar.lacking, simple) {
        let fewer = without_lacking(guarded, under.attribute);
        assert_eq!((guarded.case.sample.records.len() - fewer.case.sample.records.len()) as u64, lacking);
        assert!(published(&fewer, after) <= guarded.limit);
    }
}

fn check(guarded: &Guarded, search: &dyn Search, max_steps: Option<usize>) {
    let table = guarded.compress();
    let problem = guarded.problem(&table);
    let outcome = publishable(search, &problem, &Control { max_steps, ..Control::unlimited() });
    // As the search left it: what is published says less where only suppressed records have a value, and why is asked of that, too.
    let recoding = with_missing(&table, &outcome.recoding);
    let ended = Ended { guarded, table: &table, recoding };
    let whys = why(&problem, &guarded.requirement(), &ended.recoding).unwrap();
    assert_eq!(whys.len(), ended.recoding.len());
    for (attribute, AttributeWhy { labels, missing, .. }) in whys.iter().enumerate() {
        let under = Under { sample: &guarded.case.sample, attribute, recoding: &ended.recoding };
        let lacks = guarded.case.sample.records.iter().filter(|record| record.quasi[attribute].is_none());
        assert_eq!(*missing, lacks.count() as u64);
        let mut present = under.present();
        let best = whys[attribute].best_forbidden().map(|(label, ..)| label.label.clone());
        for label in labels {
            let at = present.iter().position(|(text, _)| *text == label.label).unwrap();
            let (_, records) = present.swap_remove(at);
            check_label(&ended, &under, label, &records, best.as_ref() == Some(&label.label));
        }
        assert!(present.is_empty(), "every label is accounted for");
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn why_is_exact_for_k_alone(guarded in any_guarded(Kind::Budget)) {
        check(&Guarded { limit: 0, ..guarded }, &TopDown { score: Score::Tdr }, None);
    }

    #[test]
    fn why_is_exact_with_a_budget(guarded in any_guarded(Kind::Budget)) {
        check(&guarded, &TopDown { score: Score::Tdr }, None);
        check(&guarded, &Refine, None);
    }

    #[test]
    fn why_is_exact_with_conditions(guarded in any_guarded(Kind::Any)) {
        check(&guarded, &TopDown { score: Score::Tdr }, None);
    }

    #[test]
    fn why_is_exact_wherever_a_search_ends(guarded in any_guarded(Kind::Any), steps in 0usize..4) {
        check(&guarded, &TopDown { score: Score::Tds }, Some(steps));
        check(&guarded, &BottomUp::default(), None);
    }
}

fn explained(sample: &Sample, qid: &str, limit: u64) -> Vec<AttributeWhy> {
    let (table, requirement) = (sample.compress(), requirement(&[qid]));
    let problem = Problem::new(&table, &requirement).unwrap().suppressing(limit, Default::default());
    let outcome = publishable(&TopDown { score: Score::Tdr }, &problem, &Control::unlimited());
    why(&problem, &requirement, &outcome.recoding).unwrap()
}

#[test]
fn two_records_without_an_age_are_named() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("age", undeclared())
        .records(20, "30 yes")
        .records(20, "60 no")
        .records(2, "? no");
    let whys = explained(&sample, "age:5", 0);
    let (label, left, bar) = whys[0].best_forbidden().unwrap();
    assert_eq!((label.label.as_deref(), label.records, whys[0].missing), (Some("*"), 42, 2));
    assert_eq!(left.into, ["*", "missing"]);
    assert_eq!((bar.limit, bar.lacking, &bar.thresholds[..]), (2, Some(2), &[(0, 2)][..]));
    // With this limit they no longer stand in the way.
    assert!(explained(&sample, "age:5", 2)[0].best_forbidden().is_none());
}

#[test]
fn an_attribute_that_stands_in_the_way_is_named() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  f\n  m\n"))
        .attribute("job", generalize("All\n  a\n  b\n"))
        .records(9, "f a yes")
        .records(9, "m b no")
        .records(1, "f b yes")
        .records(1, "m a no");
    let whys = explained(&sample, "sex,job:5", 0);
    let (_, left, bar) = whys[1].best_forbidden().unwrap();
    assert_eq!(
        (&left.into[..], bar.limit, &bar.without[..]),
        (&["a".to_owned(), "b".to_owned()][..], 2, &["sex".to_owned()][..])
    );
    assert_eq!((bar.broken[0].groups, bar.broken[0].records, bar.lacking), (2, 2, None));
    assert!(matches!(whys[0].labels[0].why, Why::Finest));
    assert_eq!(format!("{:?}", left), format!("Left(2 labels, gain {})", left.gain), "values are not shown");
}

/// The same table, each of whose rows is there several times: next to each other, or after all others.
fn repeated(table: &CompressedTable, times: u32, are_neighbours: bool) -> CompressedTable {
    let all = table.rows() as u32;
    let row = |place: u32| if are_neighbours { place / times } else { place % all };
    let rows: Vec<u32> = (0..all * times).map(row).collect();
    let mut repeated = table.clone();
    for attribute in &mut repeated.attributes {
        let codes = rows.iter().map(|&row| attribute.codes.get(row as usize));
        attribute.codes = Codes::from_codes(codes, attribute.domain.len());
    }
    repeated.weights = rows.iter().map(|&row| table.weights[row as usize]).collect();
    repeated.records *= u64::from(times);
    repeated
}

#[test]
fn it_does_not_matter_whether_rows_that_are_alike_are_neighbours() {
    // In the middle of the table no rows are alike, or most are: then they are looked at as one.
    const ROWS: u64 = 16_384;
    let mut sample = Sample::new(LabelKind::None);
    for name in ["x", "y", "z"] {
        sample = sample.attribute(name, undeclared());
    }
    for row in 0..ROWS {
        let random = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (row * row * row).wrapping_mul(0xd6e8_feb8_6659_fd93);
        sample = sample.records(1, &format!("{} {} {} -", random >> 58, random >> 52 & 63, random >> 46 & 63));
    }
    let (table, requirement) = (sample.compress(), requirement(&["x:1500", "y:1500", "z:1500"]));
    let tables = [true, false].map(|are_neighbours| repeated(&table, 5, are_neighbours));
    let problems = tables.each_ref().map(|table| Problem::new(table, &requirement).unwrap());
    let outcome = TopDown { score: Score::Tdr }.search(&problems[0], &Control::unlimited());
    let whys = problems.each_ref().map(|problem| why(problem, &requirement, &outcome.recoding).unwrap());
    assert!(whys[0].iter().all(|why| why.labels.len() > 16 && why.best_forbidden().is_some()));
    assert_eq!(whys[0], whys[1]);
}
