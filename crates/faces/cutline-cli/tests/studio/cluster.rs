//! Tables of Spark clusters in the page.

use arrow_schema::DataType;
use serde_json::json;

use crate::running::Running;
use crate::support::Desk;

#[path = "../../../../engines/cutline-spark/tests/support/mod.rs"]
mod servers;

use servers::{Server, parquet, records};

#[test]
fn a_table_of_a_cluster_is_looked_at_and_published_where_it_is() {
    let Some(server) = Server::sail() else { return };
    let rows = (1..=500).map(|i| format!("p{i},{},t{},{}\n", 20 + i % 50, i % 7, ["flu", "gout", "asthma"][i % 3]));
    let csv = format!("name,age,town,diagnosis\n{}", rows.collect::<String>());
    let (file, into) = (server.path("persons.parquet"), server.path("persons_public"));
    parquet(&file, &csv, &[DataType::Utf8, DataType::Int32, DataType::Utf8, DataType::Utf8]);
    let (desk, location) = (Desk::new(), server.url());
    let studio = Running::on(&desk, &[&location, "--table", &file]);
    let opened = studio.post("api/1/open", &json!({ "path": location }));
    assert_eq!(opened.status, 200, "{}", opened.text());
    let opened = opened.json();
    assert_eq!((&opened["records"], &opened["spec"]["input"]["table"]), (&json!(500), &json!(file)));
    let spec = json!({
        "input": { "path": location, "table": file },
        "purpose": { "target": "diagnosis" },
        "qid": [{ "attributes": ["age", "town"], "k": 10 }],
        "attributes": { "name": { "identifier": "drop" } },
        "output": { "into": into },
    });
    let found = studio.post("api/1/search", &json!({ "spec": spec }));
    assert_eq!(found.status, 200, "{}", found.text());
    assert_eq!(found.json()["records"], 500);
    assert_eq!(studio.post("api/1/looks", &json!({})).status, 200);
    let published = studio.post("api/1/publish", &json!({ "spec": spec, "folder": "out" }));
    assert_eq!(published.status, 200, "{}", published.text());
    assert_eq!(published.json()["told"]["python"], json!(null));
    assert_eq!(records(into.as_ref()).len(), 500);
    assert!(desk.path("out/private/report.html").is_file());
}
