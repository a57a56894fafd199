//! One example for every dialect and form, as it is printed.

#![allow(clippy::unwrap_used)]

mod support;

use cutline_sql::{Dialect, Form, statements};

#[test]
fn tables_of_every_dialect() {
    for dialect in Dialect::ALL {
        let script = statements(&support::example(), &support::request(dialect, Form::Table)).unwrap();
        insta::assert_snapshot!(format!("table_{dialect}"), script);
    }
}

#[test]
fn views_where_a_transaction_takes_them_back_and_where_not() {
    for dialect in [Dialect::DuckDb, Dialect::BigQuery] {
        let script = statements(&support::with_budget("mask"), &support::request(dialect, Form::View)).unwrap();
        insta::assert_snapshot!(format!("view_{dialect}"), script);
    }
}

#[test]
fn merges_with_and_without_merge() {
    for dialect in [Dialect::Postgres, Dialect::Spark, Dialect::MySql] {
        let mut recoding = support::with_budget("drop");
        recoding.attributes.retain(|name, _| name == "education" || name == "sex");
        let script = statements(&recoding, &support::request(dialect, Form::Merge)).unwrap();
        insta::assert_snapshot!(format!("merge_{dialect}"), script);
    }
}

#[test]
fn rules_for_postgresql_anonymizer() {
    let script = statements(&support::example(), &support::request(Dialect::Postgres, Form::Labels)).unwrap();
    insta::assert_snapshot!("labels_postgres", script);
}
