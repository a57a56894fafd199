//! Trees that can be checked by hand.

use cutline_measure::classify::{C45, Confidence, Model, Pruning, Tree};

use crate::data::{golf, nominal, table};

fn unpruned() -> C45 {
    C45 { pruning: Pruning::Off, ..C45::default() }
}

fn replacing() -> C45 {
    C45 { pruning: Pruning::Replace(Confidence::default()), ..C45::default() }
}

#[track_caller]
fn assert_shows(tree: &Tree, expected: &str) {
    assert_eq!(tree.to_string().trim_end(), expected);
}

/// C4.5, chapter 2. The book's cut of humidity is 75, the largest value of the table below the middle of 70 and 85.
#[test]
fn golf_gives_the_tree_of_the_book() {
    let tree = C45::default().tree(&golf());
    let expected = "\
outlook = overcast: play (4.0)
outlook = rain
|   windy = false: play (3.0)
|   windy = true: don't (2.0)
outlook = sunny
|   humidity <= 75: play (2.0)
|   humidity > 75: don't (3.0)";
    assert_shows(&tree, expected);
    assert_eq!((tree.root(), tree.leaves(), tree.size()), (Some("outlook"), 5, 8));
}

/// C4.5, chapter 3: the case without outlook is 5/13, 3/13 and 5/13 of a case.
#[test]
fn golf_with_a_missing_outlook_divides_the_case() {
    let mut cells = crate::golf::GOLF.map(|row| row.map(Some));
    cells[5][0] = None;
    let tree = unpruned().tree(&table(&crate::data::GOLF_COLUMNS, &cells));
    let expected = "\
outlook = overcast: play (3.23)
outlook = rain
|   windy = false: play (3.0)
|   windy = true: don't (2.38/0.38)
outlook = sunny
|   humidity <= 75: play (2.0)
|   humidity > 75: don't (3.38/0.38)";
    assert_shows(&tree, expected);
}

/// C4.5, chapter 3: sunny, no wind, humidity unknown: 2.0/5.4 of the case is play, 3.4/5.4 is play by 12 in 100.
#[test]
fn a_row_with_a_missing_value_gets_the_classes_of_all_branches() {
    let mut cells: Vec<[Option<&str>; 5]> = crate::golf::GOLF.iter().map(|row| row.map(Some)).collect();
    cells[5][0] = None;
    cells.push([Some("sunny"), Some("70"), None, Some("false"), Some("play")]);
    let (train, test) = table(&crate::data::GOLF_COLUMNS, &cells).split_at(14);
    let distribution = unpruned().tree(&train).distribution(&test, 0);
    let play = (2.0 + 5.0 / 13.0) / (5.0 + 5.0 / 13.0);
    assert!((distribution[1] - play).abs() < 1e-12 && (play - 0.44).abs() < 0.01, "{distribution:?}");
    assert!((distribution[0] + distribution[1] - 1.0).abs() < 1e-12);
}

/// Two of sixteen cases are told apart by `rare` (gain 0.138, ratio 0.254); `many` gains 0.5 at ratio 0.167.
fn rare_and_many(copies: usize) -> Vec<[&'static str; 3]> {
    let rows = [
        ["y", "1", "A"],
        ["y", "1", "A"],
        ["n", "2", "A"],
        ["n", "2", "A"],
        ["n", "3", "B"],
        ["n", "3", "B"],
        ["n", "4", "B"],
        ["n", "4", "B"],
        ["n", "5", "A"],
        ["n", "5", "B"],
        ["n", "6", "A"],
        ["n", "6", "B"],
        ["n", "7", "A"],
        ["n", "7", "B"],
        ["n", "8", "A"],
        ["n", "8", "B"],
    ];
    rows.repeat(copies)
}

#[test]
fn a_column_with_less_than_average_gain_is_not_chosen_for_its_ratio() {
    let tree = unpruned().tree(&nominal(&["rare", "many"], &rare_and_many(4)));
    assert_eq!(tree.root(), Some("many"), "the average gain is 0.319");
}

#[test]
fn a_column_with_values_for_a_third_of_the_rows_does_not_raise_the_average() {
    let tree = unpruned().tree(&nominal(&["rare", "many"], &rare_and_many(1)));
    assert_eq!(
        tree.root(),
        Some("rare"),
        "eight values are more than 0.3 of sixteen rows: the average is that of rare"
    );
}

#[test]
fn two_branches_need_the_minimum_of_cases() {
    let rows = [["x", "A"], ["x", "A"], ["x", "A"], ["x", "A"], ["y", "B"]];
    let table = nominal(&["column"], &rows);
    assert_eq!(unpruned().tree(&table).size(), 1);
    assert_eq!(C45 { min_cases: 1, ..unpruned() }.tree(&table).size(), 3);
}

/// The middle of 10 and 20 is 15; other rows of the table have 14.
#[test]
fn a_threshold_is_a_value_of_the_whole_table() {
    let part = |group, x, class| [[group, x, class]; 3];
    let rows = [part("p", "10", "A"), part("p", "20", "B"), part("q", "14", "C"), part("q", "14", "C")].concat();
    let cells: Vec<_> = rows.iter().map(|row| row.map(Some)).collect();
    let expected = "\
group = p
|   x <= 14: A (3.0)
|   x > 14: B (3.0)
group = q: C (6.0)";
    assert_shows(&C45::default().tree(&table(&["group", "#x"], &cells)), expected);
}

/// 1e16 and the next number have no number between them.
#[test]
fn neighbouring_floats_can_be_split() {
    let rows = [["10000000000000000", "A"]; 4].into_iter().chain([["10000000000000002", "B"]; 4]);
    let cells: Vec<_> = rows.map(|row| row.map(Some)).collect();
    let table = table(&["#x"], &cells);
    let tree = C45::default().tree(&table);
    assert_eq!((tree.leaves(), tree.predict(&table, 0), tree.predict(&table, 7)), (2, 0, 1));
}

/// C4.5, chapter 4: 6 * 0.206 + 9 * 0.143 + 1 * 0.750 = 3.273 as a tree, 16 * 0.157 = 2.512 as a leaf.
#[test]
fn a_subtree_with_more_pessimistic_errors_than_a_leaf_is_replaced() {
    let rows = [vec![["n", "democrat"]; 6], vec![["y", "democrat"]; 9], vec![["u", "republican"]]].concat();
    let table = nominal(&["education spending"], &rows);
    assert_eq!(unpruned().tree(&table).leaves(), 3);
    assert_shows(&replacing().tree(&table), ": democrat (16.0/1.0)");
    assert_shows(&C45::default().tree(&table), ": democrat (16.0/1.0)");
}

/// With a leaf for each side of 8 and 8 the pessimistic errors are 2.5; a leaf has 8 and more.
#[test]
fn a_subtree_with_fewer_pessimistic_errors_stays() {
    let rows = [[["n", "A"]; 8], [["y", "B"]; 8]].concat();
    assert_eq!(C45::default().tree(&nominal(&["x"], &rows)).leaves(), 2);
}

/// As a tree: 1.110 (3 cases) + 2.172 (4 cases, 1 error) + 1.110 = 4.392. With the branch `second` alone: 2.304 (6 cases,
/// 1 error) + 2.172 = 4.476, at most 0.1 more. Weka's J48 raises this tree, too.
#[test]
fn the_largest_branch_is_raised_if_it_is_about_as_good() {
    let rows = [
        ["0", "0", "A"],
        ["0", "0", "A"],
        ["0", "1", "A"],
        ["1", "0", "A"],
        ["1", "0", "A"],
        ["1", "0", "A"],
        ["1", "0", "B"],
        ["1", "1", "B"],
        ["1", "1", "B"],
        ["1", "1", "B"],
    ];
    let table = nominal(&["first", "second"], &rows);
    let replaced = "\
first = 0: A (3.0)
first = 1
|   second = 0: A (4.0/1.0)
|   second = 1: B (3.0)";
    assert_shows(&replacing().tree(&table), replaced);
    let raised = "\
second = 0: A (6.0/1.0)
second = 1: B (4.0/1.0)";
    assert_shows(&C45::default().tree(&table), raised);
}

/// Both branches say A: the split gains 0.085 bits a case and no training error.
#[test]
fn a_subtree_without_fewer_training_errors_collapses() {
    let rows = [vec![["x", "A"]; 12], vec![["y", "A"]; 8], vec![["y", "B"]; 4]].concat();
    let table = nominal(&["column"], &rows);
    assert_eq!(unpruned().tree(&table).size(), 1);
    assert_eq!(C45 { collapse: false, ..unpruned() }.tree(&table).size(), 3);
}

#[test]
fn a_value_no_training_row_of_the_node_had_gets_the_classes_of_the_node() {
    let rows = [vec![["x", "A"]; 5], vec![["y", "B"]; 3], vec![["z", "A"]]].concat();
    let (train, test) = nominal(&["column"], &rows).split_at(8);
    let tree = unpruned().tree(&train);
    assert_eq!(tree.distribution(&test, 0), [5.0 / 8.0, 3.0 / 8.0]);
    assert_shows(&tree, "column = x: A (5.0)\ncolumn = y: B (3.0)\ncolumn = z: A (0.0)");
}

#[test]
fn confidence_is_above_0_and_at_most_one_half() {
    assert!(Confidence::new(0.5).is_ok());
    assert_eq!(Confidence::new(0.1).unwrap().get(), 0.1);
    for wrong in [0.0, -0.1, 0.51, f64::NAN] {
        assert!(Confidence::new(wrong).is_err(), "{wrong}");
    }
}
