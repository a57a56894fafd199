//! What did the writer of a file note down beside names and types, and what of it may be published?
//!
//! Notes may describe the raw data (its extremes, the number of its records, columns that are left out), and would be published with the
//! table. What describes a column for whoever reads it is kept, by a list of keys; of everything else nothing is.

use arrow_schema::{Field, Metadata, Schema};
use cutline_engine::{OutputColumn, RewritePlan, Treatment};
use serde_json::{Map, Value, json};

/// Keys of a field's notes that say what the column is, and nothing of its values. In any case.
const DESCRIBING: [&str; 8] = ["comment", "description", "label", "long_name", "title", "unit", "units", "doc"];

/// Where pandas notes which columns are the index.
const PANDAS: &str = "pandas";

/// The notes of a field that describe it.
pub(crate) fn describing(field: &Field) -> Metadata {
    let mut notes = field.metadata().clone();
    notes.retain(|key, _| DESCRIBING.contains(&key.to_lowercase().as_str()));
    notes
}

/// The field with the notes that may be read: those that describe it, and those that tell the type of an extension.
pub(crate) fn readable(field: &Field) -> Field {
    let mut notes = describing(field);
    let extension = field.metadata().iter().filter(|(key, _)| key.starts_with("ARROW:extension:"));
    notes.extend(extension.map(|(key, value)| (key.clone(), value.clone())));
    field.clone().with_metadata(notes)
}

/// The notes of a schema that are rewritten when it is published.
pub(crate) fn of_schema(schema: &Schema) -> Metadata {
    schema
        .metadata()
        .iter()
        .filter(|(key, _)| *key == PANDAS)
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// What is noted of the published table: which of its columns are the index of a pandas frame, and what pandas calls their types.
pub(crate) fn published(source: &Schema, plan: &RewritePlan) -> Metadata {
    let noted = source.metadata().get(PANDAS).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let pandas = noted.and_then(|noted| pandas(&noted, source, plan));
    pandas.map(|pandas| (PANDAS.to_owned(), pandas.to_string())).into_iter().collect()
}

/// Only an index of published columns is kept: a range of numbers tells how many records there were, and is what a reader makes anyway.
fn pandas(noted: &Value, source: &Schema, plan: &RewritePlan) -> Option<Value> {
    let published = |name: &str| plan.columns.iter().find(|column| source.field(column.source).name() == name);
    let index = noted["index_columns"].as_array()?.iter();
    let index: Vec<&Value> = index.filter(|name| name.as_str().is_some_and(|name| published(name).is_some())).collect();
    if index.is_empty() {
        return None;
    }
    let columns = noted["columns"].as_array()?.iter();
    let columns = columns.filter_map(|column| Some(of_column(column, published(column["field_name"].as_str()?)?)));
    Some(json!({
        "index_columns": index,
        "column_indexes": [],
        "columns": columns.collect::<Vec<_>>(),
        "pandas_version": noted["pandas_version"],
    }))
}

/// What pandas notes of a column: of a masked one, that it is text. Moved dates have the type that they had.
fn of_column(noted: &Value, column: &OutputColumn) -> Value {
    let text = |key: &str| noted[key].clone();
    let kept = matches!(column.how, Treatment::Keep | Treatment::Shift(_));
    let zone = noted["metadata"].as_object().and_then(|more| more.get("timezone")).filter(|_| kept);
    let more = zone.map_or(Value::Null, |zone| Value::Object(Map::from_iter([("timezone".to_owned(), zone.clone())])));
    json!({
        "name": text("name"),
        "field_name": text("field_name"),
        "pandas_type": if kept { text("pandas_type") } else { "unicode".into() },
        "numpy_type": if kept { text("numpy_type") } else { "object".into() },
        "metadata": more,
    })
}

#[cfg(test)]
mod tests {
    use arrow_schema::DataType;
    use cutline_engine::RecordOrder;
    use cutline_table::MaskPlan;

    use super::*;

    fn field(name: &str, notes: &[(&str, &str)]) -> Field {
        let notes: Metadata = notes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Field::new(name, DataType::Int64, true).with_metadata(notes)
    }

    fn plan(columns: &[(usize, Treatment)]) -> RewritePlan {
        let column = |(source, how): &(usize, Treatment)| OutputColumn { source: *source, how: how.clone() };
        RewritePlan {
            columns: columns.iter().map(column).collect(),
            mask: MaskPlan { attributes: Vec::new(), places: None, suppress: None },
            nulls: Vec::new(),
            required: Vec::new(),
            order: RecordOrder::Kept,
            cluster: None,
            person: None,
        }
    }

    #[test]
    fn what_describes_a_column_is_kept_and_what_describes_its_values_is_not() {
        let field =
            field("x", &[("Unit", "kg"), ("description", "weight"), ("max", "212"), ("ARROW:extension:name", "e")]);
        let mut keys: Vec<String> = readable(&field).metadata().keys().cloned().collect();
        keys.sort();
        assert_eq!(keys, ["ARROW:extension:name", "Unit", "description"]);
        assert_eq!(describing(&field).len(), 2);
    }

    #[test]
    fn the_index_of_a_frame_is_kept_and_columns_that_are_left_out_are_not_named() {
        let noted = json!({
            "index_columns": ["visit"],
            "columns": [
                {"name": "age", "field_name": "age", "pandas_type": "int64", "numpy_type": "int64", "metadata": null},
                {"name": "secret", "field_name": "secret", "pandas_type": "int64", "numpy_type": "int64", "metadata": null},
                {"name": "visit", "field_name": "visit", "pandas_type": "categorical", "numpy_type": "int8",
                 "metadata": {"num_categories": 777}},
            ],
            "creator": {"library": "pyarrow"}, "pandas_version": "2.2",
        });
        let fields = ["age", "secret", "visit"].map(|name| field(name, &[]));
        let schema =
            |noted: &Value| Schema::new(fields.to_vec()).with_metadata([("pandas".to_owned(), noted.to_string())]);
        let told = published(&schema(&noted), &plan(&[(0, Treatment::Mask(0)), (2, Treatment::Keep)]));
        let told: Value = serde_json::from_str(&told["pandas"]).unwrap();
        assert_eq!(told["index_columns"], json!(["visit"]));
        assert_eq!(told["columns"][0]["pandas_type"], "unicode");
        let text = told.to_string();
        assert!(!text.contains("secret") && !text.contains("777"), "{text}");
        let range = json!({"index_columns": [{"kind": "range", "start": 0, "stop": 777, "step": 1}], "columns": []});
        assert!(published(&schema(&range), &plan(&[(2, Treatment::Keep)])).is_empty());
    }
}
