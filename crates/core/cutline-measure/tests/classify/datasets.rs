//! The data sets of the papers. Expected figures are those of Weka 3.6.14, run once on the same rows: J48's leaves, nodes and
//! test errors, and NaiveBayes' test errors.

use cutline_measure::classify::{
    C45, Classifier, Confidence, Instances, LinearRegression, NaiveBayes, NumericEstimate, Pruning, RegressionTree,
    Regressor, cross_validate, error_rate, errors, r_squared, stratified_folds,
};

use crate::data::{ADULT, CRX, GERMAN, Texts, adult};

const INTERVALS: NaiveBayes = NaiveBayes { numeric: NumericEstimate::Intervals };

#[track_caller]
fn assert_tree(c45: &C45, (train, test): &(Instances, Instances), expected: (usize, usize, usize)) {
    let tree = c45.tree(train);
    assert_eq!((tree.leaves(), tree.size(), errors(&tree, test)), expected);
}

#[track_caller]
fn assert_bayes((train, test): &(Instances, Instances), normal: usize, intervals: usize) {
    let wrong = |bayes: NaiveBayes| errors(&bayes.model(train), test);
    assert_eq!((wrong(NaiveBayes::default()), wrong(INTERVALS)), (normal, intervals));
}

fn with(pruning: Pruning) -> C45 {
    C45 { pruning, ..C45::default() }
}

/// 14.69 % for C4.5 and 17.46 % for Naive Bayes. The papers have 14.7 % and 18.07 %; how theirs was set is not known.
#[test]
fn adult_has_the_errors_of_weka() {
    let (texts, train) = adult();
    let parts = texts.classes(&ADULT).split_at(train);
    assert_eq!((parts.0.len(), parts.1.len()), (30_162, 15_060));
    assert_tree(&C45::default(), &parts, (560, 724, 2212));
    assert_tree(&with(Pruning::Replace(Confidence::default())), &parts, (868, 1062, 2228));
    assert_tree(&with(Pruning::Off), &parts, (6182, 7346, 2477));
    assert_bayes(&parts, 2630, 2437);
    assert!((error_rate(&C45::default().tree(&parts.0), &parts.1) - 0.147).abs() < 0.001);
}

#[test]
fn adult_with_missing_values_has_the_errors_of_weka() {
    let (texts, ends) = Texts::read(&["adult/train.csv.gz", "adult/test.csv.gz"]);
    let parts = texts.classes(&ADULT).split_at(ends[0]);
    assert_eq!((parts.0.len(), parts.1.len()), (32_561, 16_281));
    assert_tree(&C45::default(), &parts, (564, 710, 2304));
    assert_bayes(&parts, 2747, 2560);
}

#[test]
fn crx_has_the_errors_of_weka() {
    let parts = Texts::complete(&["crx/crx.csv.gz"]).0.classes(&CRX).split_at(435);
    assert_eq!(parts.1.len(), 218);
    assert_tree(&C45::default(), &parts, (39, 55, 30));
    assert_tree(&with(Pruning::Off), &parts, (77, 99, 36));
    assert_bayes(&parts, 42, 30);
    let parts = Texts::read(&["crx/crx.csv.gz"]).0.classes(&CRX).split_at(460);
    assert_tree(&C45::default(), &parts, (40, 57, 34));
    assert_tree(&with(Pruning::Off), &parts, (52, 73, 35));
    assert_bayes(&parts, 47, 34);
}

#[test]
fn german_has_the_errors_of_weka() {
    let parts = Texts::complete(&["german/german.csv.gz"]).0.classes(&GERMAN).split_at(667);
    assert_tree(&C45::default(), &parts, (79, 108, 96));
    assert_tree(&with(Pruning::Off), &parts, (225, 302, 108));
    assert_bayes(&parts, 76, 79);
}

/// What the papers call the upper error: without the columns that would be masked.
#[test]
fn removed_columns_cost_accuracy() {
    let (texts, train) = adult();
    let table = texts.classes(&ADULT);
    let error = |table: Instances| {
        let (train, test) = table.split_at(train);
        error_rate(&*C45::default().train(&train), &test)
    };
    let left = table.without(&["marital-status", "relationship", "capital-gain", "education", "education-num"]);
    assert!(error(left.unwrap()) > 0.18);
}

#[test]
fn cross_validation_of_crx_agrees_with_its_test_part() {
    let table = Texts::complete(&["crx/crx.csv.gz"]).0.classes(&CRX);
    let folds = stratified_folds(table.labels(), 10, 1).unwrap();
    let error = cross_validate(&C45::default(), &table, &folds);
    assert!((0.12..0.17).contains(&error), "{error}");
}

/// The years of education follow from the name of the education. Hours of work are hardly predictable.
#[test]
fn regression_explains_of_adult_what_can_be_explained() {
    let (texts, train) = adult();
    for (target, tree, line) in [("education-num", 0.999, 0.999), ("age", 0.35, 0.30), ("hours-per-week", 0.15, 0.15)] {
        let (train, test) = texts.values(target, &ADULT).split_at(train);
        let (by_tree, by_line) = (RegressionTree::default().train(&train), LinearRegression::default().train(&train));
        let explained = (r_squared(&*by_tree, &test), r_squared(&*by_line, &test));
        assert!(explained.0 > tree && explained.1 > line, "{target}: {explained:?}");
    }
}
