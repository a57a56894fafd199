//! Naive Bayes and Fayyad and Irani's cuts, by hand.

use cutline_measure::classify::{Instances, Model, NaiveBayes, NumericEstimate, mdl_cuts};

use crate::data::{nominal, table};

/// The golf table with words only, as in most textbooks, and the day that is asked for.
const WEATHER: [[&str; 5]; 15] = [
    ["sunny", "hot", "high", "false", "no"],
    ["sunny", "hot", "high", "true", "no"],
    ["overcast", "hot", "high", "false", "yes"],
    ["rainy", "mild", "high", "false", "yes"],
    ["rainy", "cool", "normal", "false", "yes"],
    ["rainy", "cool", "normal", "true", "no"],
    ["overcast", "cool", "normal", "true", "yes"],
    ["sunny", "mild", "high", "false", "no"],
    ["sunny", "cool", "normal", "false", "yes"],
    ["rainy", "mild", "normal", "false", "yes"],
    ["sunny", "mild", "normal", "true", "yes"],
    ["overcast", "mild", "high", "true", "yes"],
    ["overcast", "hot", "normal", "false", "yes"],
    ["rainy", "mild", "high", "true", "no"],
    ["sunny", "cool", "high", "true", "no"],
];

#[test]
fn nominal_columns_count_with_laplace() {
    let (train, test) = nominal(&["outlook", "temperature", "humidity", "windy"], &WEATHER).split_at(14);
    let yes = 10.0 / 16.0 * 3.0 / 12.0 * 4.0 / 12.0 * 4.0 / 11.0 * 4.0 / 11.0;
    let no = 6.0 / 16.0 * 4.0 / 8.0 * 2.0 / 8.0 * 5.0 / 7.0 * 4.0 / 7.0;
    let distribution = NaiveBayes::default().model(&train).distribution(&test, 0);
    assert!((distribution[1] - yes / (yes + no)).abs() < 1e-12, "{distribution:?}");
}

#[test]
fn missing_values_are_left_out_in_training_and_prediction() {
    let cells = [
        [Some("x"), Some("1"), Some("A")],
        [None, Some("1"), Some("A")],
        [Some("y"), None, Some("B")],
        [None, None, Some("A")],
    ];
    let (train, test) = table(&["n", "#x"], &cells).split_at(3);
    let model = NaiveBayes::default().model(&train);
    let prior = model.distribution(&test, 0);
    assert!((prior[0] - 3.0 / 5.0).abs() < 1e-12, "{prior:?}");
}

fn numbers(values: &[f64], classes: &str) -> Instances {
    let texts: Vec<(String, String)> =
        values.iter().map(f64::to_string).zip(classes.chars().map(|class| class.to_string())).collect();
    let cells: Vec<_> = texts.iter().map(|(value, class)| [Some(value.as_str()), Some(class.as_str())]).collect();
    table(&["#x"], &cells)
}

/// Six values from 1 to 9: precision 1.6. Class A is 1.6, 1.6, 3.2 when rounded, class B 4.8, 6.4, 9.6; 5 is 4.8. The interval
/// 4.0 to 5.6 has probability 0.006662 in A (mean 2.13, deviation 0.754) and 0.181229 in B (mean 6.93, deviation 1.996).
#[test]
fn numeric_columns_are_normal_at_the_precision_of_the_data() {
    let (train, test) = numbers(&[1.0, 2.0, 3.0, 5.0, 7.0, 9.0, 5.0], "AAABBBA").split_at(6);
    let distribution = NaiveBayes::default().model(&train).distribution(&test, 0);
    assert!((distribution[0] - 0.035457).abs() < 1e-6, "{distribution:?}");
}

/// Class A has one value only: its deviation is a sixth of the precision 2, and 3 is three deviations and more away.
#[test]
fn the_deviation_is_at_least_a_sixth_of_the_precision() {
    let (train, test) = numbers(&[2.0, 2.0, 4.0, 6.0, 4.0, 2.0], "AABBAB").split_at(4);
    let model = NaiveBayes::default().model(&train);
    assert_eq!(model.predict(&test, 1), 0);
    assert_eq!(model.predict(&test, 0), 1);
    assert!(model.distribution(&test, 0)[0] > 0.0, "no class is ruled out by rounding");
}

/// Accepted: gain 1 > (log2 7 + log2 7 - 2)/8 = 0.452. Then both sides are pure.
#[test]
fn a_cut_between_pure_sides_is_accepted() {
    let table = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "AAAABBBB");
    assert_eq!(cuts(&table), [4.5]);
}

/// Refused: the best gain is 0.138, the price (log2 7 + log2 7 - 0.030)/8 = 0.698.
#[test]
fn a_cut_of_alternating_classes_is_refused() {
    let table = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "ABABABAB");
    assert_eq!(cuts(&table), [0.0; 0]);
}

/// A B A: the first cut gains 0.252 and costs (log2(N - 1) + 2.971)/N: 0.312 for 24 rows, 0.178 for 48.
#[test]
fn the_price_of_a_cut_falls_with_the_rows() {
    let part = |rows: usize| {
        let values: Vec<f64> = (0..3 * rows).map(|row| row as f64).collect();
        cuts(&numbers(&values, &["A", "B", "A"].map(|class| class.repeat(rows)).concat()))
    };
    assert_eq!(part(8), [0.0; 0]);
    assert_eq!(part(16), [15.5, 31.5]);
}

#[test]
fn intervals_are_counted_like_nominal_values() {
    let (train, test) = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 4.5], "AAAABBBBA").split_at(8);
    let model = NaiveBayes { numeric: NumericEstimate::Intervals }.model(&train);
    let distribution = model.distribution(&test, 0);
    assert!((distribution[0] - 5.0 / 6.0).abs() < 1e-12, "five sixths against one sixth: {distribution:?}");
}

fn cuts(table: &Instances) -> Vec<f64> {
    let cutline_measure::classify::Column::Numeric(values) = &table.columns()[0] else { panic!("numeric") };
    mdl_cuts(values, table.labels())
}
