//! Values that lie on a line, numbers and dates, by stretches of it.

use super::super::draft::Draft;
use super::super::{Taxonomy, TaxonomyError};
use super::{Names, ROOT};
use crate::axis::{date, multiple, number};
use crate::recoding::{DateSpan, Interval};
use crate::{Scale, Unit, parse_number};

/// A value and where it lies.
type Placed<'a> = (f64, &'a str);

/// Cuts the line into stretches, each of which has a label.
type Level = Box<dyn Fn(f64) -> (f64, String)>;

/// No more stretches than this on the finest level of equal widths.
const MOST_STRETCHES: f64 = 64.0;

/// So many times equal frequencies are halved: 32 groups.
const HALVINGS: usize = 5;

impl Taxonomy {
    /// Dates by decade, year, quarter and month, as far as these distinguish anything; not by week, since that may lie in two months and a
    /// node has one parent. `None` if a value is no date of ISO 8601.
    ///
    /// # Errors
    ///
    /// As [`Taxonomy::flat`].
    pub fn by_calendar(values: &[&str]) -> Option<Result<Taxonomy, TaxonomyError>> {
        let placed = placed(values, |text| Scale::dates().read(text))?;
        let within_each_other = [Unit::Decade, Unit::Year, Unit::Quarter, Unit::Month];
        Some(nested(placed, &within_each_other.map(of_unit)))
    }

    /// Numbers by stretches of equal width, of 5, 10, 50, 100, … or what fits the numbers; the ends of none tell the least or the largest
    /// number. `None` if a value is no number.
    ///
    /// # Errors
    ///
    /// As [`Taxonomy::flat`].
    pub fn by_width(values: &[&str]) -> Option<Result<Taxonomy, TaxonomyError>> {
        let placed = placed(values, parse_number)?;
        let range = placed.last().map_or(0.0, |last| last.0 - placed[0].0);
        let exponents = (-12..=300).flat_map(|exponent| [(1, exponent), (5, exponent)]);
        let steps = exponents.filter_map(|(digit, exponent)| format!("{digit}e{exponent}").parse::<f64>().ok());
        let useful = steps.filter(|step| range / step <= MOST_STRETCHES && *step <= 2.0 * range);
        let mut levels: Vec<Level> = useful.take(Taxonomy::MAX_HEIGHT / 2).map(of_width).collect();
        levels.reverse();
        Some(nested(placed, &levels))
    }

    /// Numbers by stretches with about as many records each, halved five times. `None` if a value is no number.
    ///
    /// # Errors
    ///
    /// As [`Taxonomy::flat`].
    pub fn by_frequency(values: &[(&str, u64)]) -> Option<Result<Taxonomy, TaxonomyError>> {
        let texts: Vec<&str> = values.iter().map(|(text, _)| *text).collect();
        let placed = placed(&texts, parse_number)?;
        let mut counted: Vec<(f64, u64)> =
            values.iter().filter_map(|(text, records)| Some((parse_number(text)?, *records))).collect();
        counted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut bounds = Vec::new();
        let mut levels: Vec<Level> = Vec::new();
        for _ in 0..HALVINGS {
            bounds = halved(&counted, &bounds);
            levels.push(between(bounds.clone()));
        }
        Some(nested(placed, &levels))
    }
}

/// The values in their order on the line.
fn placed<'a>(values: &[&'a str], read: impl Fn(&str) -> Option<f64>) -> Option<Vec<Placed<'a>>> {
    let mut placed = values.iter().map(|&text| Some((read(text)?, text))).collect::<Option<Vec<Placed<'a>>>>()?;
    placed.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(other.1)));
    Some(placed)
}

fn of_unit(unit: Unit) -> Level {
    Box::new(move |at| {
        let Some(day) = date(at) else { return (at, String::new()) };
        let start = unit.start(day);
        let (lower, upper) = (number(start), number(unit.end(start)));
        (lower, DateSpan { lower: Some(lower), upper: Some(upper) }.to_string())
    })
}

fn of_width(step: f64) -> Level {
    Box::new(move |at| {
        let lower = multiple(at, step);
        let upper = multiple(lower + 1.5 * step, step);
        (lower, Interval { lower: Some(lower), upper: Some(upper), closed: false }.to_string())
    })
}

fn between(bounds: Vec<f64>) -> Level {
    Box::new(move |at| {
        let place = bounds.partition_point(|&bound| bound <= at);
        let lower = place.checked_sub(1).map(|below| bounds[below]);
        let upper = bounds.get(place).copied();
        (lower.unwrap_or(f64::NEG_INFINITY), Interval { lower, upper, closed: upper.is_none() }.to_string())
    })
}

/// Bounds that halve the records of each stretch between those given.
fn halved(counted: &[(f64, u64)], bounds: &[f64]) -> Vec<f64> {
    let mut all = bounds.to_vec();
    let mut rest = counted;
    for end in bounds.iter().copied().chain([f64::INFINITY]) {
        let (stretch, after) = rest.split_at(rest.partition_point(|(at, _)| *at < end));
        all.extend(middle(stretch));
        rest = after;
    }
    all.sort_by(f64::total_cmp);
    all
}

/// The bound with as many records below it as above it, as near as can be; none if all are the same number.
fn middle(stretch: &[(f64, u64)]) -> Option<f64> {
    let records: u64 = stretch.iter().map(|(_, records)| records).sum();
    let mut below = 0;
    let mut best: Option<(u64, f64)> = None;
    for pair in stretch.windows(2) {
        below += pair[0].1;
        let apart = below.abs_diff(records - below);
        if pair[0].0 < pair[1].0 && best.is_none_or(|(least, _)| apart < least) {
            best = Some((apart, roundest(pair[0].0, pair[1].0)));
        }
    }
    best.map(|(_, bound)| bound)
}

/// The number with the fewest digits between two others; the larger one if whole numbers are neighbours. It is no value, if it can be.
fn roundest(above: f64, most: f64) -> f64 {
    let finest = if above.fract() == 0.0 && most.fract() == 0.0 { 0 } else { -12 };
    let powers = (finest..=300).rev().filter_map(|exponent| format!("1e{exponent}").parse::<f64>().ok());
    powers.map(|power| multiple(most.next_down(), power)).find(|&number| above < number).unwrap_or(most)
}

/// A tree of stretches within stretches. One that has a single value, or all values of the one that it lies in, is left out.
fn nested(placed: Vec<Placed<'_>>, levels: &[Level]) -> Result<Taxonomy, TaxonomyError> {
    let values: Vec<&str> = placed.iter().map(|(_, text)| *text).collect();
    let mut names = Names::beside(&values);
    let mut draft = Draft::default();
    let root = draft.add(None, &names.unused(ROOT.to_owned()), None)?;
    add_below(&mut draft, &mut names, root, levels, &placed)?;
    draft.finish()
}

fn add_below(
    draft: &mut Draft,
    names: &mut Names,
    parent: usize,
    levels: &[Level],
    placed: &[Placed<'_>],
) -> Result<(), TaxonomyError> {
    let Some((level, finer)) = levels.split_first() else {
        return placed.iter().try_for_each(|(_, text)| draft.add(Some(parent), text, None).map(drop));
    };
    for stretch in placed.chunk_by(|one, other| level(one.0).0 == level(other.0).0) {
        match stretch {
            [(_, text)] => drop(draft.add(Some(parent), text, None)?),
            _ if stretch.len() == placed.len() => add_below(draft, names, parent, finer, stretch)?,
            _ => {
                let node = draft.add(Some(parent), &names.unused(level(stretch[0].0).1), None)?;
                add_below(draft, names, node, finer, stretch)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_put_together_by_the_calendar() {
        let dates = ["1984-03-05", "1984-11-20", "1985-01-01", "1984-03-31", "1999-12-31", "1896-02-29"];
        assert_eq!(
            Taxonomy::by_calendar(&dates).unwrap().unwrap().to_outline(),
            "Any\n  1896-02-29\n  1980s\n    1984\n      1984-Q1\n        1984-03-05\n        1984-03-31\n      1984-11-20\n    \
             1985-01-01\n  1999-12-31\n"
        );
        assert!(Taxonomy::by_calendar(&["1984-03-05", "soon"]).is_none());
    }

    #[test]
    fn numbers_are_put_together_by_equal_widths() {
        assert_eq!(
            Taxonomy::by_width(&["3", "4", "7", "12", "19", "-2"]).unwrap().unwrap().to_outline(),
            "Any\n  -2\n  [0-10)\n    [0-5)\n      3\n      4\n    7\n  [10-20)\n    12\n    19\n"
        );
        assert!(Taxonomy::by_width(&["3", "x"]).is_none());
    }

    #[test]
    fn numbers_are_put_together_by_equal_frequencies() {
        let counted = [("1", 10), ("2", 1), ("3", 1), ("40", 8), ("90", 4)];
        assert_eq!(
            Taxonomy::by_frequency(&counted).unwrap().unwrap().to_outline(),
            "Any\n  <30\n    1\n    [2-30)\n      2\n      3\n  >=30\n    40\n    90\n"
        );
    }

    #[test]
    fn odd_numbers_make_a_tree_too() {
        for values in [&["1", "1.0"][..], &["1e300", "-1e300", "0"], &["1e-300", "2e-300", "5"]] {
            assert_eq!(Taxonomy::by_width(values).unwrap().unwrap().leaves().len(), values.len());
            let counted: Vec<(&str, u64)> = values.iter().map(|&value| (value, 1)).collect();
            assert_eq!(Taxonomy::by_frequency(&counted).unwrap().unwrap().leaves().len(), values.len());
        }
    }
}
