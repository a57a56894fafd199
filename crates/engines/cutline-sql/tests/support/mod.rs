//! Recodings to write statements for.

#![allow(dead_code, clippy::unwrap_used)]

use cutline_sql::{Dialect, Form, Recoding, Request};
use sqlparser::dialect as parsers;

/// The papers' example, with what they leave out: missing values, identifiers, a sensitive attribute.
pub(crate) const EXAMPLE: &str = r#"{
  "format": "cutline-recoding/1",
  "attributes": {
    "education": {
      "operation": "generalize",
      "cut": ["Junior Sec.", "11th", "12th", "Bachelors", "Grad School"],
      "missing": "published",
      "taxonomy": {"label": "ANY_Edu", "children": [
        {"label": "Secondary", "children": [
          {"label": "Junior Sec.", "children": ["9th", "10th"]},
          {"label": "Senior Sec.", "children": ["11th", "12th"]}]},
        {"label": "University", "children": ["Bachelors", {"label": "Grad School", "children": ["Masters", "Doctorate"]}]}]}
    },
    "sex": { "operation": "suppress", "disclosed": ["F"], "missing": "masked" },
    "work_hrs": { "operation": "discretize", "bounds": [1, 37, 99] },
    "income": { "operation": "discretize", "bounds": [null, 0.5, 1000, null], "missing": "published" }
  },
  "identifiers": { "name": "drop" },
  "requirement": { "qids": [
    { "attributes": ["education", "sex"], "k": 4, "anonymity": 7,
      "conditions": ["distinct-l:diagnosis=2", "bound:diagnosis=it's<=0.5"] },
    { "attributes": ["sex", "work_hrs", "income"], "k": 2, "anonymity": 3 } ] },
  "null": ["?"]
}"#;

pub(crate) fn example() -> Recoding {
    Recoding::from_json(EXAMPLE).unwrap()
}

/// The example with a budget, which needs a single QID without conditions.
pub(crate) fn with_budget(how: &str) -> Recoding {
    let mut stored: serde_json::Value = serde_json::from_str(EXAMPLE).unwrap();
    stored["suppression"] = serde_json::json!({"limit": 0.4, "how": how});
    stored["requirement"]["qids"] = serde_json::json!([{"attributes": ["education", "sex"], "k": 3, "anonymity": 3}]);
    Recoding::from_json(&stored.to_string()).unwrap()
}

/// A recoding with more values than a CASE should have.
pub(crate) fn with_many_values() -> Recoding {
    let children: Vec<_> = (0..200).map(|zip| serde_json::json!({"label": format!("{:05}", zip)})).collect();
    let groups: Vec<_> = children
        .chunks(50)
        .enumerate()
        .map(|(group, below)| serde_json::json!({"label": format!("it's {group}"), "children": below}))
        .collect();
    let cut: Vec<_> = groups.iter().map(|group| group["label"].clone()).collect();
    let names: Vec<_> = (0..100).map(|name| format!("name {name}")).collect();
    let stored = serde_json::json!({
        "format": "cutline-recoding/1",
        "attributes": {
            "zip": {"operation": "generalize", "cut": cut, "taxonomy": {"label": "Any", "children": groups}},
            "name": {"operation": "suppress", "disclosed": names},
        },
        "requirement": {"qids": [{"attributes": ["zip", "name"], "k": 1, "anonymity": 1}]},
    });
    Recoding::from_json(&stored.to_string()).unwrap()
}

/// A request for the table `care.patients`.
pub(crate) fn request(dialect: Dialect, form: Form) -> Request {
    let mut request = Request::new(dialect, form, "care.patients".parse().unwrap());
    request.columns = vec!["diagnosis".to_owned()];
    if form == Form::Merge {
        request.key = Some("visit".to_owned());
    }
    request
}

/// All forms of all dialects that there are.
pub(crate) fn all() -> Vec<(Dialect, Form)> {
    let pairs = Dialect::ALL.into_iter().flat_map(|dialect| Form::ALL.map(|form| (dialect, form)));
    pairs.filter(|(dialect, form)| *form != Form::Labels || *dialect == Dialect::Postgres).collect()
}

/// The dialect as another parser knows it.
pub(crate) fn parser(dialect: Dialect) -> Box<dyn parsers::Dialect> {
    match dialect {
        Dialect::Postgres => Box::new(parsers::PostgreSqlDialect {}),
        Dialect::Spark => Box::new(parsers::SparkSqlDialect {}),
        Dialect::DuckDb => Box::new(parsers::DuckDbDialect {}),
        Dialect::Sqlite => Box::new(parsers::SQLiteDialect {}),
        Dialect::BigQuery => Box::new(parsers::BigQueryDialect {}),
        Dialect::Snowflake => Box::new(parsers::SnowflakeDialect {}),
        Dialect::Tsql => Box::new(parsers::MsSqlDialect {}),
        Dialect::MySql => Box::new(parsers::MySqlDialect {}),
    }
}
