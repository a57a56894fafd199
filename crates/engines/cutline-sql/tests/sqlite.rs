//! The statements, run by SQLite: the masked table is what the labeler says of every cell, and bad tables are refused.

#![allow(clippy::unwrap_used)]

mod support;

use cutline_model::recoding::{Label, Labeler, Unknown};
use cutline_sql::{Dialect, Form, Recoding, Request, statements};
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;

/// A table of cells as they are stored.
fn table(columns: &[&str], rows: &[Vec<Value>]) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    let names: Vec<String> = columns.iter().map(|name| Dialect::Sqlite.quote_name(name).unwrap()).collect();
    connection.execute_batch(&format!("CREATE TABLE patients ({})", names.join(", "))).unwrap();
    let marks = vec!["?"; columns.len()].join(", ");
    for row in rows {
        let insert = format!("INSERT INTO patients VALUES ({marks})");
        connection.execute(&insert, rusqlite::params_from_iter(row)).unwrap();
    }
    connection
}

fn run(connection: &Connection, recoding: &Recoding, request: &Request) -> Result<(), String> {
    let script = statements(recoding, request).map_err(|error| error.to_string())?;
    let result = connection.execute_batch(&script.to_string()).map_err(|error| error.to_string());
    // As a client does that stops at the first error.
    if result.is_err() {
        connection.execute_batch("ROLLBACK").ok();
    }
    result
}

fn published(connection: &Connection) -> Vec<Vec<Option<String>>> {
    let mut query = connection.prepare("SELECT * FROM patients_public ORDER BY rowid").unwrap();
    let width = query.column_count();
    let rows = query.query_map([], |row| (0..width).map(|index| row.get(index)).collect()).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn request(form: Form) -> Request {
    Request::new(Dialect::Sqlite, form, "patients".parse().unwrap())
}

fn recoding(attributes: &serde_json::Value, k: u64) -> Recoding {
    let names: Vec<&String> = attributes.as_object().unwrap().keys().collect();
    let stored = serde_json::json!({"format": "cutline-recoding/1", "attributes": attributes, "null": ["?", " NA "],
        "requirement": {"qids": [{"attributes": names, "k": k, "anonymity": k}]}});
    Recoding::from_json(&stored.to_string()).unwrap()
}

/// What the engine does with the text of a cell.
fn expected(recoding: &Recoding, name: &str, cell: &str) -> Option<Label> {
    let labeler = Labeler::new(&recoding.attributes[name], Unknown::Error);
    let value = cell.trim();
    let missing = value.is_empty() || recoding.null.iter().any(|null| null.trim() == value);
    let label = if missing { labeler.missing() } else { labeler.label(value).ok()? };
    Some(labeler.labels()[label as usize].clone())
}

/// One cell, masked by SQLite: `None` if the statement failed.
fn masked(recoding: &Recoding, name: &str, cell: Value) -> Option<Label> {
    let connection = table(&[name], &[vec![cell]]);
    run(&connection, recoding, &request(Form::Table)).ok()?;
    Some(match published(&connection).remove(0).remove(0) {
        Some(text) => Label::Text(text),
        None => Label::Missing,
    })
}

/// Cells that look like numbers, nearly.
fn numberlike() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "1", "37", "0", ".", "-", "+", "e", "E", "5", "9", " ", "x", "_", "\u{a0}", "\t", "nan", "inf", "0x",
    ]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_read_as_the_labeler_reads_them(cell in numberlike(), missing in prop::sample::select(vec!["published", "masked", ""])) {
        let mut age = serde_json::json!({"operation": "discretize", "bounds": [null, 0.5, 37, 5e10, null]});
        if !missing.is_empty() {
            age["missing"] = missing.into();
        }
        let recoding = recoding(&serde_json::json!({"age": age}), 1);
        prop_assert_eq!(masked(&recoding, "age", Value::Text(cell.clone())), expected(&recoding, "age", &cell));
    }

    #[test]
    fn texts_are_read_as_the_labeler_reads_them(
        cell in "[ \t\u{a0}\u{3000}]{0,2}(a|b|A|b'|x|\\?|NA||a b)[ \n\u{2003}]{0,2}",
        missing in prop::sample::select(vec!["published", "masked"]),
    ) {
        let tree = serde_json::json!({"label": "Any", "children": [{"label": "L", "children": ["a", "b'"]}, "b"]});
        let recoding = recoding(&serde_json::json!({
            "cut": {"operation": "generalize", "cut": ["L", "b"], "missing": missing, "taxonomy": tree},
            "set": {"operation": "suppress", "disclosed": ["a", "b'"], "missing": missing},
        }), 1);
        for name in ["cut", "set"] {
            let mut one = recoding.clone();
            one.attributes.retain(|other, _| other == name);
            one.requirement.qids[0].attributes = vec![name.to_owned()];
            prop_assert_eq!(masked(&one, name, Value::Text(cell.clone())), expected(&one, name, &cell), "{}", name);
        }
    }

    #[test]
    fn columns_of_numbers_keep_all_their_digits(number in prop::num::f64::ANY, bound in -1e3..1e3f64) {
        let recoding = recoding(&serde_json::json!({"x": {"operation": "discretize", "bounds": [null, bound, null], "missing": "published"}}), 1);
        // SQLite stores NaN as NULL.
        let said = if number.is_nan() { String::new() } else { number.to_string() };
        prop_assert_eq!(masked(&recoding, "x", Value::Real(number)), expected(&recoding, "x", &said));
        prop_assert_eq!(masked(&recoding, "x", Value::Real(bound)), expected(&recoding, "x", &bound.to_string()));
    }
}

fn age(bounds: serde_json::Value) -> Recoding {
    recoding(&serde_json::json!({"age": {"operation": "discretize", "bounds": bounds}}), 2)
}

fn numbers(values: &[i64]) -> Connection {
    table(&["age"], &values.iter().map(|value| vec![Value::Integer(*value)]).collect::<Vec<_>>())
}

#[test]
fn a_table_that_satisfies_its_requirement_is_published_in_order() {
    for form in [Form::View, Form::Table] {
        let connection = numbers(&[1, 50, 36, 37]);
        run(&connection, &age(serde_json::json!([1, 37, 99])), &request(form)).unwrap();
        let mut query = connection.prepare("SELECT age FROM patients_public").unwrap();
        let labels =
            query.query_map([], |row| row.get::<_, String>(0)).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(labels, ["[1-37)", "[37-99]", "[1-37)", "[37-99]"]);
    }
}

#[test]
fn nothing_is_left_of_a_table_that_violates_its_requirement_or_has_values_without_a_label() {
    for form in [Form::View, Form::Table] {
        for values in [&[1, 50, 36][..], &[1, 2, 100], &[0, 1, 2]] {
            let connection = numbers(values);
            assert!(run(&connection, &age(serde_json::json!([1, 37, 99])), &request(form)).is_err(), "{values:?}");
            assert!(connection.prepare("SELECT * FROM patients_public").is_err(), "{form} {values:?}");
        }
    }
}

#[test]
fn a_column_that_is_not_there_is_an_error_and_no_text() {
    let recoding = recoding(&serde_json::json!({"sex": {"operation": "suppress", "disclosed": ["sex"]}}), 1);
    assert!(run(&numbers(&[1, 2]), &recoding, &request(Form::Table)).is_err());
}

#[test]
fn attributes_with_many_values_are_looked_up() {
    let texts = |texts: &[&str]| texts.iter().map(|text| Value::Text((*text).to_owned())).collect::<Vec<_>>();
    let rows = [texts(&["00007", "name 3"]), texts(&[" 00199", "nobody"])];
    for form in [Form::View, Form::Table] {
        let connection = table(&["zip", "name"], &rows);
        run(&connection, &support::with_many_values(), &request(form)).unwrap();
        let mut query = connection.prepare("SELECT zip || ',' || name FROM patients_public").unwrap();
        let found = query.query_map([], |row| row.get::<_, String>(0)).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        let mut found = found;
        found.sort();
        assert_eq!(found, ["it's 0,name 3", "it's 3,*"], "{form}");
        let unknown = table(&["zip", "name"], &[texts(&["99999", "name 3"])]);
        assert!(run(&unknown, &support::with_many_values(), &request(form)).is_err());
    }
}

#[test]
fn a_merge_leaves_what_masking_anew_would_give() {
    let recoding = age(serde_json::json!([1, 37, 99]));
    let merge = Request { key: Some("visit".to_owned()), ..request(Form::Merge) };
    let rows = |rows: &[(i64, i64)]| {
        rows.iter().map(|(visit, age)| vec![Value::Integer(*visit), Value::Integer(*age)]).collect::<Vec<_>>()
    };
    let connection = table(&["visit", "age"], &rows(&[(1, 20), (2, 50), (4, 60), (5, 21)]));
    connection
        .execute_batch(
            "CREATE TABLE patients_public (visit, age);
        INSERT INTO patients_public VALUES (1, '[1-37)'), (2, '[1-37)'), (3, '[37-99]'), (NULL, 'x')",
        )
        .unwrap();
    run(&connection, &recoding, &merge).unwrap();
    let mut query = connection.prepare("SELECT visit || ' ' || age FROM patients_public ORDER BY visit").unwrap();
    let found = query.query_map([], |row| row.get::<_, String>(0)).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(found, ["1 [1-37)", "2 [37-99]", "4 [37-99]", "5 [1-37)"]);
    connection.execute_batch("DELETE FROM patients WHERE visit = 5").unwrap();
    assert!(run(&connection, &recoding, &merge).is_err());
    let left: i64 = connection.query_row("SELECT COUNT(*) FROM patients_public", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 4, "the table is as it was");
}

#[test]
fn records_that_lack_a_required_value_are_left_out() {
    let text = |text: &str| Value::Text(text.to_owned());
    let row = |age: Value, sex: &str, ill: Value| vec![age, text(sex), ill];
    let rows = [
        row(Value::Integer(30), "F", text("yes")),
        row(Value::Null, "F", text("yes")),
        row(Value::Integer(30), " ? ", text("yes")),
        row(Value::Integer(30), "F", text(" ")),
        row(Value::Integer(50), "M", text("no")),
    ];
    let attributes = serde_json::json!({"age": {"operation": "discretize", "bounds": [0, 40, 99]},
        "sex": {"operation": "suppress", "disclosed": ["F"]}});
    let mut recoding = recoding(&attributes, 1);
    // Of what is required, `ill` is not even published.
    recoding.required = ["age", "sex", "ill"].map(str::to_owned).to_vec();
    for form in [Form::Table, Form::View] {
        let connection = table(&["age", "sex", "ill"], &rows);
        run(&connection, &recoding, &request(form)).unwrap();
        let all = connection.query_row("SELECT COUNT(*) FROM patients_public", [], |row| row.get::<_, i64>(0));
        assert_eq!(all.unwrap(), 2, "{form:?}");
    }
    let labels = Request::new(Dialect::Postgres, Form::Labels, "patients".parse().unwrap());
    assert!(statements(&recoding, &labels).is_err());
}
