//! Dates are cut where the calendar cuts, against a naive search that walks through the calendar day by day.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_model::recoding::DateSpan;
use cutline_model::{AttributeRecoding, Axis, Grain, Masking, Qid, Requirement, Scale};
use cutline_search::bottom_up::BottomUp;
use cutline_search::genetic::Genetic;
use cutline_search::refine::Refine;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Outcome, Problem, Search, Step};
use cutline_table::LabelKind;
use proptest::collection::vec;
use proptest::prelude::*;

use support::cases::config;
use support::{Record, Sample};

/// The days of a month, by the rules of school.
fn month_length(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// All days from 1890 to 2130 as (year, month, day), and the day with which the list begins.
fn days() -> Vec<(i64, i64, i64)> {
    let months = (1890..2130).flat_map(|year| (1..=12).map(move |month| (year, month)));
    months.flat_map(|(year, month)| (1..=month_length(year, month)).map(move |day| (year, month, day))).collect()
}

fn text((year, month, day): (i64, i64, i64)) -> String {
    format!("{year}-{month:02}-{day:02}")
}

/// How long a unit begins with a day: 0 a decade, 1 a year, 2 a quarter, 3 a month, 4 a week, 5 a day.
fn length(calendar: &[(i64, i64, i64)], place: usize) -> usize {
    let (year, month, day) = calendar[place];
    match (year % 10, month, day) {
        (0, 1, 1) => 0,
        (_, 1, 1) => 1,
        (_, 4 | 7 | 10, 1) => 2,
        (_, _, 1) => 3,
        // The first Monday of the list is the sixth of January.
        _ if place % 7 == 5 => 4,
        _ => 5,
    }
}

fn table(cells: &[String], axis: Axis) -> Sample {
    let mut sample = Sample::new(LabelKind::None).attribute("birth", Masking::Discretize { range: None, axis });
    let record = |cell: &String| Record { quasi: vec![Some(cell.clone())], target: None };
    sample.records = cells.iter().map(record).collect();
    sample
}

fn search(sample: &Sample, k: u64, search: &dyn Search) -> Outcome {
    let requirement = Requirement::new(vec![Qid::new(vec!["birth".to_owned()], k)]).unwrap();
    let table = sample.compress();
    search.search(&Problem::new(&table, &requirement).unwrap(), &Control::unlimited())
}

/// The bounds of top-down search for an unknown purpose, as places in the list of days: the largest interval is cut first, where its
/// longest unit begins, as evenly as that can be, if both parts are large enough.
fn naive(calendar: &[(i64, i64, i64)], births: &[usize], k: usize) -> Vec<usize> {
    let mut open = vec![(0, calendar.len())];
    let mut bounds = Vec::new();
    let size = |(from, to): (usize, usize)| births.iter().filter(|birth| (from..to).contains(*birth)).count();
    // Of equally large ones the earliest.
    while let Some(next) = (0..open.len()).max_by_key(|&index| (size(open[index]), std::cmp::Reverse(open[index].0))) {
        let (from, to) = open.remove(next);
        let before = |cut: usize| births.iter().filter(|birth| (from..cut).contains(*birth)).max();
        // Bounds between the same two births are one: the first day of the last of the longest units.
        let tells = |cut: &usize| size((from, *cut)) > 0 && size((*cut, to)) > 0;
        let Some(longest) = (from + 1..to).filter(tells).map(|cut| length(calendar, cut)).min() else { continue };
        let cuts = (from + 1..to).filter(|cut| tells(cut) && length(calendar, *cut) == longest);
        let mut cuts: Vec<usize> = cuts.collect();
        cuts.dedup_by(|next, kept| {
            let same = before(*next) == before(*kept);
            if same {
                *kept = *next;
            }
            same
        });
        let even = |cut: usize| size((from, cut)).min(size((cut, to)));
        let best = cuts.iter().copied().max_by_key(|&cut| (even(cut), std::cmp::Reverse(cut)));
        let Some(cut) = best.filter(|&cut| even(cut) >= k) else { continue };
        bounds.push(cut);
        open.extend([(from, cut), (cut, to)]);
    }
    bounds.sort_unstable();
    bounds
}

fn spans(outcome: &Outcome) -> Vec<DateSpan> {
    outcome.recoding[0].labels().iter().map(|label| label.parse().unwrap()).collect()
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn top_down_search_cuts_where_the_naive_one_does(
        births in vec(0usize..87_658, 1..40),
        near in any::<bool>(),
        k in 1u64..5,
    ) {
        let calendar = days();
        // All over two centuries, or within some months around a leap day.
        let births: Vec<usize> = births.into_iter().map(|day| if near { 40_050 + day % 200 } else { day }).collect();
        prop_assume!(births.len() as u64 >= k);
        let cells: Vec<String> = births.iter().map(|&day| text(calendar[day])).collect();
        let sample = table(&cells, Axis::dates(Scale::dates()));
        let outcome = search(&sample, k, &TopDown { score: Score::Tdr });
        let AttributeRecoding::Discretize { bounds, .. } = &outcome.recoding[0] else { panic!("no intervals") };
        let expected = naive(&calendar, &births, k as usize);
        let expected: Vec<f64> =
            expected.into_iter().map(|day| Scale::dates().read(&text(calendar[day])).unwrap()).collect();
        let found: Vec<f64> = bounds.iter().filter_map(|bound| bound.0).collect();
        prop_assert_eq!(found, expected);
    }

    /// Labels read back, every date has exactly one, and all groups are large enough, whatever searches.
    #[test]
    fn every_search_gives_every_date_one_label(births in vec(0usize..87_658, 1..60), k in 1u64..6, classes: bool) {
        let calendar = days();
        prop_assume!(births.len() as u64 >= k);
        let cells: Vec<String> = births.iter().map(|&day| text(calendar[day])).collect();
        let mut sample = table(&cells, Axis::dates(Scale::dates()));
        if classes {
            sample.label = LabelKind::Classes;
            let class = |day: usize| Some(if day.is_multiple_of(3) { "a" } else { "b" }.to_owned());
            sample.records.iter_mut().zip(&births).for_each(|(record, &day)| record.target = class(day));
        }
        let genetic = Genetic { population: 10, iterations: 40, ..Genetic::default() };
        for found in [&TopDown { score: Score::Tdr } as &dyn Search, &Refine, &BottomUp::default(), &genetic] {
            let outcome = search(&sample, k, found);
            let spans = spans(&outcome);
            let labels = outcome.recoding[0].labels();
            let mut sizes = vec![0; spans.len()];
            for cell in &cells {
                let day = Scale::dates().read(cell).unwrap();
                let having: Vec<usize> = (0..spans.len()).filter(|&span| spans[span].contains(day)).collect();
                prop_assert_eq!(having.len(), 1, "{} in {:?}", cell, labels);
                sizes[having[0]] += 1;
            }
            prop_assert!(sizes.iter().all(|&size| size >= k), "{:?}: {:?}", labels, sizes);
        }
    }
}

#[test]
fn years_are_told_apart_before_months_are() {
    let cells: Vec<String> =
        ["1979-11-30", "1980-01-01", "1984-02-29", "1984-03-01", "1984-07-04", "1990-01-01"].map(String::from).to_vec();
    let outcome = search(&table(&cells, Axis::dates(Scale::dates())), 1, &TopDown { score: Score::Tdr });
    let labels = outcome.recoding[0].labels();
    let expected = ["<1980", "[1980, 1984)", "[1984, 1984-03)", "[1984-03, 1984-07)", "[1984-07, 1990)", ">=1990"];
    assert_eq!(labels, expected);
    let first = outcome.steps.first().and_then(|step| match step {
        Step::Refinement(step) => Some((step.refined.clone(), step.into.clone())),
        _ => None,
    });
    assert_eq!(first, Some(("*".into(), vec!["<1980".into(), ">=1980".into()])));
}

/// Half of a week lies in February and half of it in March: each is told for itself.
#[test]
fn weeks_are_told_apart_after_months_and_before_days() {
    let labels = |cells: &[&str], k| {
        let cells: Vec<String> = cells.iter().map(|&cell| cell.to_owned()).collect();
        search(&table(&cells, Axis::dates(Scale::dates())), k, &TopDown { score: Score::Tdr }).recoding[0].labels()
    };
    assert_eq!(
        labels(&["2024-02-27", "2024-03-01", "2024-03-04", "2024-03-10", "2024-03-11", "2024-03-12"], 1),
        ["<2024-03", "[2024-03, 2024-03-04)", "[2024-03-04, 2024-03-10)", "2024-03-10", "2024-03-11", ">=2024-03-12"]
    );
    assert_eq!(
        labels(&["2024-03-01", "2024-03-01", "2024-03-05", "2024-03-08", "2024-03-11", "2024-03-11"], 2),
        ["<2024-03-04", "2024-W10", ">=2024-03-11"]
    );
}

/// Bins, steps and ends: intervals have no other bounds, and what is beyond the ends cannot be told apart.
#[test]
fn numbers_are_cut_at_the_stewards_bounds_only() {
    let cells: Vec<String> = (0..200).map(|age| (age % 100).to_string()).collect();
    let bounds = |axis: Axis| -> Vec<f64> {
        let outcome = search(&table(&cells, axis), 2, &Refine);
        let AttributeRecoding::Discretize { bounds, .. } = &outcome.recoding[0] else { panic!("no intervals") };
        bounds.iter().filter_map(|bound| bound.0).collect()
    };
    let axis = |grain: Grain, clamp| Axis { scale: Scale::Numbers, grain, clamp };
    assert_eq!(bounds(axis(Grain::Bounds(vec![0.0, 18.0, 30.0, 65.0]), None)), [18.0, 30.0, 65.0]);
    assert_eq!(bounds(axis(Grain::Step(25.0), None)), [25.0, 50.0, 75.0]);
    let clamped = bounds(axis(Grain::Values, Some((10.0, 20.0))));
    assert_eq!(clamped.first().zip(clamped.last()), Some((&11.0, &20.0)));
}
