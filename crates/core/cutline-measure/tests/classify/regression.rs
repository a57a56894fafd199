//! Numeric targets.

use cutline_measure::classify::{
    FeatureKind, Instances, InstancesBuilder, LinearRegression, RegressionModel, RegressionTree, Regressor, Values,
    r_squared,
};

/// Predicts what it is told to.
struct Fixed(Vec<f64>);

impl RegressionModel for Fixed {
    fn predict(&self, _: &Instances<Values>, row: usize) -> f64 {
        self.0[row]
    }
}

fn numbers(x: impl Iterator<Item = f64>, y: impl Iterator<Item = f64>) -> Instances<Values> {
    let x: Vec<String> = x.map(|x| x.to_string()).collect();
    InstancesBuilder::new().column("x", FeatureKind::Numeric, x.iter().map(Some)).unwrap().values(y).unwrap()
}

fn words(rows: &[(Option<&str>, f64)]) -> Instances<Values> {
    let cells = rows.iter().map(|(word, _)| *word);
    InstancesBuilder::new()
        .column("word", FeatureKind::Nominal, cells)
        .unwrap()
        .values(rows.iter().map(|row| row.1))
        .unwrap()
}

/// Squared errors 1, squared deviations 2.25 + 0.25 + 0.25 + 2.25.
#[test]
fn r_squared_is_the_explained_share() {
    let table = numbers([0.0; 4].into_iter(), [1.0, 2.0, 3.0, 4.0].into_iter());
    assert_eq!(r_squared(&Fixed(vec![1.0, 2.0, 3.0, 5.0]), &table), 0.8);
    assert_eq!(r_squared(&Fixed(vec![2.5; 4]), &table), 0.0);
    let flat = numbers([0.0; 2].into_iter(), [3.0, 3.0].into_iter());
    assert!(r_squared(&Fixed(vec![3.0, 3.0]), &flat).is_nan());
}

#[test]
fn a_line_is_found() {
    let x = || (0..20).map(f64::from);
    let table = numbers(x(), x().map(|x| 3.0 - 2.0 * x));
    let model = LinearRegression::default().train(&table);
    assert!((model.predict(&table, 7) - -11.0).abs() < 1e-3);
    assert!(r_squared(&*model, &table) > 1.0 - 1e-9);
}

/// Least squares for (0, 0), (1, 2), (2, 1): slope 1/2, intercept 1/2; R² = 1/4.
#[test]
fn a_line_through_three_points_is_the_least_squares_one() {
    let table = numbers([0.0, 1.0, 2.0].into_iter(), [0.0, 2.0, 1.0].into_iter());
    let model = LinearRegression { ridge: 0.0 }.train(&table);
    for (row, expected) in [0.5, 1.0, 1.5].into_iter().enumerate() {
        assert!((model.predict(&table, row) - expected).abs() < 1e-12);
    }
    assert!((r_squared(&*model, &table) - 0.25).abs() < 1e-12);
}

#[test]
fn nominal_values_have_their_mean_and_a_missing_or_unseen_one_the_mean_of_all() {
    let rows = [(Some("a"), 1.0), (Some("a"), 3.0), (Some("b"), 6.0), (Some("b"), 10.0), (None, 5.0), (Some("c"), 0.0)];
    let (train, test) = words(&rows).split_at(4);
    let model = LinearRegression::default().train(&train);
    assert!((model.predict(&train, 0) - 2.0).abs() < 1e-4);
    assert!((model.predict(&train, 2) - 8.0).abs() < 1e-4);
    assert!((model.predict(&test, 0) - 5.0).abs() < 1e-9);
    assert!((model.predict(&test, 1) - 5.0).abs() < 1e-9);
}

#[test]
fn a_step_is_found_by_a_tree_with_two_leaves() {
    let x = || (0..90).map(f64::from);
    let table = numbers(x(), x().map(|x| if x <= 50.0 { 1.0 } else { 4.0 }));
    let tree = RegressionTree::default().model(&table);
    assert_eq!(tree.leaves(), 2);
    assert!((tree.predict(&table, 0), tree.predict(&table, 89)) == (1.0, 4.0));
}

/// a, c and e are 1, b, d and f are 5: one split, whatever the order of words.
#[test]
fn nominal_values_are_grouped_by_their_mean() {
    let one = ["a", "b", "c", "d", "e", "f"].iter().zip([1.0, 5.0].into_iter().cycle());
    let rows: Vec<_> = one.map(|(&word, target)| (Some(word), target)).collect::<Vec<_>>().repeat(10);
    let tree = RegressionTree::default().model(&words(&rows));
    assert_eq!(tree.leaves(), 2);
    assert_eq!(r_squared(&tree, &words(&rows)), 1.0);
}

#[test]
fn a_missing_or_unseen_value_follows_the_larger_branch() {
    let rows = [vec![(Some("a"), 1.0); 40], vec![(Some("b"), 9.0); 20], vec![(None, 0.0), (Some("c"), 0.0)]].concat();
    let (train, test) = words(&rows).split_at(60);
    let tree = RegressionTree::default().model(&train);
    assert_eq!((tree.predict(&test, 0), tree.predict(&test, 1)), (1.0, 1.0));
}

/// The target has nothing to do with the column: what growing found is not there in the rows kept for pruning.
#[test]
fn noise_is_pruned() {
    let x = || (0..300).map(f64::from);
    let noise = |x: f64| (x * 7919.0) % 101.0;
    let tree = RegressionTree::default().model(&numbers(x(), x().map(noise)));
    assert!(tree.leaves() <= 8, "{}", tree.leaves());
}

#[test]
fn degenerate_tables_are_predicted_by_their_mean() {
    let none = numbers([].into_iter(), [].into_iter());
    let one = numbers([1.0].into_iter(), [7.0].into_iter());
    for regressor in [&RegressionTree::default() as &dyn Regressor, &LinearRegression::default()] {
        assert_eq!(regressor.train(&none).predict(&one, 0), 0.0);
        assert_eq!(regressor.train(&one).predict(&one, 0), 7.0);
    }
}

/// 1e16 and the next number have no number between them.
#[test]
fn neighbouring_floats_can_be_split() {
    let x = [1e16, 1e16 + 2.0].into_iter().cycle().take(60);
    let table = numbers(x, [1.0, 2.0].into_iter().cycle().take(60));
    assert_eq!(RegressionTree::default().model(&table).leaves(), 2);
}

/// Every target is twice the one before: the best split takes off as few rows as it may, thousands of times.
#[test]
fn a_skewed_target_does_not_exhaust_the_stack() {
    let x = || (0..5000).map(f64::from);
    let table = numbers(x(), x().map(|x| (x / 10.0).exp2()));
    assert!(RegressionTree { min_leaf: 1, seed: 0 }.model(&table).leaves() > 1);
}
