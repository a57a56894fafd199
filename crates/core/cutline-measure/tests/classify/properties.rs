//! What holds for every table.

use cutline_measure::classify::{
    C45, Classifier, Confidence, FeatureKind, Instances, InstancesBuilder, NaiveBayes, NumericEstimate, Pruning, errors,
};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::data::{ADULT, adult};

type Row = (Option<u8>, Option<u8>, Option<i8>, Option<u8>, u8);

fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let word = || proptest::option::weighted(0.9, 0..4u8);
    let row = (word(), word(), proptest::option::weighted(0.9, any::<i8>()), word(), 0..3u8);
    proptest::collection::vec(row, 1..60)
}

/// Two nominal columns and two numeric ones, the second with few values.
fn table(rows: &[Row]) -> Instances {
    let text = |cell: Option<u8>| cell.map(|value| value.to_string());
    InstancesBuilder::new()
        .column("a", FeatureKind::Nominal, rows.iter().map(|row| text(row.0)))
        .unwrap()
        .column("b", FeatureKind::Nominal, rows.iter().map(|row| text(row.1)))
        .unwrap()
        .column("x", FeatureKind::Numeric, rows.iter().map(|row| row.2.map(|value| value.to_string())))
        .unwrap()
        .column("y", FeatureKind::Numeric, rows.iter().map(|row| text(row.3)))
        .unwrap()
        .classes(rows.iter().map(|row| Some(row.4.to_string())))
        .unwrap()
}

fn learners() -> [Box<dyn Classifier>; 5] {
    let with = |pruning| C45 { pruning, ..C45::default() };
    [
        Box::new(C45::default()),
        Box::new(with(Pruning::Replace(Confidence::default()))),
        Box::new(with(Pruning::Off)),
        Box::new(NaiveBayes::default()),
        Box::new(NaiveBayes { numeric: NumericEstimate::Intervals }),
    ]
}

proptest! {
    #[test]
    fn distributions_add_up_to_1_and_predict_the_largest(rows in any_rows(), half in 0..60usize) {
        let table = table(&rows);
        let (train, _) = table.split_at(half);
        for learner in learners() {
            let model = learner.train(&train);
            for row in 0..table.len() {
                let shares = model.distribution(&table, row);
                prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", shares);
                prop_assert!(shares.iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)), "{:?}", shares);
                let predicted = shares[model.predict(&table, row) as usize];
                prop_assert!(shares.iter().all(|share| *share <= predicted + 1e-5));
            }
        }
    }

    #[test]
    fn without_missing_values_a_tree_has_no_more_training_errors_than_a_leaf(rows in any_rows()) {
        let known = |row: &Row| row.0.is_some() && row.1.is_some() && row.2.is_some() && row.3.is_some();
        let table = table(&rows.into_iter().filter(known).collect::<Vec<Row>>());
        let leaf = C45 { min_cases: 1000, ..C45::default() }.tree(&table);
        prop_assert_eq!(leaf.size(), 1);
        let unpruned = C45 { pruning: Pruning::Off, ..C45::default() }.tree(&table);
        prop_assert!(errors(&unpruned, &table) <= errors(&leaf, &table));
        let replaced = C45 { pruning: Pruning::Replace(Confidence::default()), ..C45::default() }.tree(&table);
        prop_assert!(replaced.size() <= unpruned.size());
        prop_assert!(errors(&unpruned, &table) <= errors(&replaced, &table));
    }

    #[test]
    fn a_column_that_is_the_class_is_learned(rows in proptest::collection::vec(0..3u8, 30..60)) {
        let classes = || rows.iter().map(|class| Some(class.to_string()));
        let table = InstancesBuilder::new().column("copy", FeatureKind::Nominal, classes()).unwrap().classes(classes()).unwrap();
        let enough = (0..3u8).all(|class| rows.iter().filter(|&&row| row == class).count() >= 5);
        prop_assume!(enough);
        prop_assert_eq!(errors(&C45::default().tree(&table), &table), 0);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (texts, train) = adult();
    let (train, _) = texts.classes(&ADULT).select(&(0..train).step_by(6).collect::<Vec<_>>()).split_at(5000);
    let learn = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (C45::default().tree(&train), NaiveBayes::default().model(&train)))
    };
    let one = learn(1);
    assert!([2, 8].into_iter().all(|threads| learn(threads) == one));
}
