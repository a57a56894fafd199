//! What a learner sees.

use cutline_measure::classify::{
    C45, Classifier, ClassifyError, Column, Domain, Feature, FeatureKind, InstancesBuilder, Labels, MISSING, NaiveBayes,
};

fn fruit() -> InstancesBuilder {
    InstancesBuilder::new()
        .column("shape", FeatureKind::Nominal, [Some("round"), None, Some("long")])
        .unwrap()
        .column("weight", FeatureKind::Numeric, [Some("1.5"), Some(" 2 "), None])
        .unwrap()
}

#[test]
fn dictionaries_are_sorted_and_missing_values_have_no_code() {
    let table = fruit().classes(["pear", "apple", "pear"].map(Some)).unwrap();
    assert_eq!(table.features()[0].domain, Domain::Nominal(vec!["long".to_owned(), "round".to_owned()]));
    assert_eq!(table.columns()[0], Column::Nominal(vec![1, MISSING, 0]));
    let Column::Numeric(weights) = &table.columns()[1] else { panic!("numeric") };
    assert!(weights[..2] == [1.5, 2.0] && weights[2].is_nan());
    assert_eq!((table.labels().names().join(" "), table.labels().codes()), ("apple pear".to_owned(), &[1, 0, 1][..]));
}

#[test]
fn selected_rows_keep_their_codes_and_order() {
    let table = fruit().classes(["pear", "apple", "pear"].map(Some)).unwrap();
    let part = table.select(&[2, 0]);
    assert_eq!(part.columns()[0], Column::Nominal(vec![0, 1]));
    assert_eq!(part.labels().codes(), [1, 1]);
    assert_eq!(part.features(), table.features());
    let (first, rest) = table.split_at(7);
    assert_eq!((first.len(), rest.is_empty()), (3, true));
}

#[test]
fn columns_can_be_removed() {
    let table = fruit().classes(["pear", "apple", "pear"].map(Some)).unwrap();
    let left = table.without(&["shape"]).unwrap();
    assert_eq!(left.features().iter().map(|feature| feature.name.as_str()).collect::<Vec<_>>(), ["weight"]);
    assert_eq!(left.columns().len(), 1);
    assert_eq!(table.without(&["colour"]), Err(ClassifyError::UnknownColumn { column: "colour".to_owned() }));
}

#[test]
fn wrong_tables_are_refused_with_the_place() {
    let length = |column: &str, found| ClassifyError::Length { column: column.to_owned(), found, expected: 3 };
    let column = |name: &str, kind, cells: &[&str]| {
        fruit().column(name, kind, cells.iter().map(|&cell| Some(cell))).map(|_| ()).unwrap_err()
    };
    assert_eq!(column("colour", FeatureKind::Nominal, &["red"]), length("colour", 1));
    assert_eq!(
        column("shape", FeatureKind::Nominal, &["a", "b", "c"]),
        ClassifyError::Duplicate { column: "shape".into() }
    );
    for cell in ["1-37", "inf", "NaN", ""] {
        let expected = ClassifyError::NotANumber { column: "age".to_owned(), row: 1 };
        assert_eq!(column("age", FeatureKind::Numeric, &["1", cell, "3"]), expected);
    }
    assert_eq!(fruit().classes([Some("pear"), None]).unwrap_err(), ClassifyError::MissingLabel { row: 1 });
    assert_eq!(fruit().classes([Some("pear")]).unwrap_err(), length("class", 1));
    assert_eq!(fruit().values([1.0, f64::NAN, 2.0]).unwrap_err(), ClassifyError::MissingLabel { row: 1 });
}

#[test]
fn codes_must_fit_their_domain() {
    let feature = |domain| Feature { name: "colour".to_owned(), domain };
    let two = || Domain::Nominal(vec!["red".to_owned(), "green".to_owned()]);
    assert!(fruit().coded(feature(two()), Column::Nominal(vec![0, 1, MISSING])).is_ok());
    let refused = |domain, column| fruit().coded(feature(domain), column).is_err();
    assert!(refused(two(), Column::Nominal(vec![0, 1, 2])));
    assert!(refused(two(), Column::Numeric(vec![0.0, 1.0, 2.0])));
    assert!(refused(Domain::Numeric, Column::Numeric(vec![0.0, f64::INFINITY, 2.0])));
}

#[test]
fn messages_do_not_show_cells() {
    let error = InstancesBuilder::new().column("age", FeatureKind::Numeric, [Some("secret")]).unwrap_err();
    assert_eq!(error.to_string(), "column 'age', row 0: not a finite number");
}

#[test]
fn learning_from_no_rows_or_no_columns_is_possible() {
    let table = fruit().classes(["pear", "apple", "pear"].map(Some)).unwrap();
    let bare = table.without(&["shape", "weight"]).unwrap();
    for classifier in [&C45::default() as &dyn Classifier, &NaiveBayes::default()] {
        let model = classifier.train(&table.select(&[]));
        assert_eq!(model.distribution(&table, 0), [0.5, 0.5]);
        assert_eq!(classifier.train(&bare).predict(&bare, 1), 1, "pear is more frequent");
    }
    let nothing = InstancesBuilder::new().classes([None::<&str>; 0]).unwrap();
    assert_eq!(nothing.labels().count(), 0);
    assert_eq!(C45::default().tree(&nothing).size(), 1);
}
