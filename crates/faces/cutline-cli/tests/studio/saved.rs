//! A spec that is opened, changed in the page and saved says everything that it said before.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::running::Running;
use crate::support::Desk;

/// Everything that can be said, whether or not it goes together, but for threads and memory: those are the machine's,
/// and no spec that is written has them.
const ALL: &str = r#"
person = "patient"
weight = "share"
sampling_fraction = 0.05
conditions = ["distinct-l:ill=2", "t-close:ill=0.9"]

[input]
path = "t.csv"
null = ["?", "n/a"]
format = "csv"
delimiter = ";"
header = true
encoding = "utf-8"
decimal = ","
thousands = "."
missing = "drop"
unknown = "root"

[purpose]
kind = "classification"
target = "group"
weight = 0.5
further = [{ target = "share", weight = 0.25 }]
cost = [{ actual = "a", predicted = "b", cost = 2.5 }]

[purpose.clustering]
on = ["income"]

[[qid]]
attributes = ["birth", "income", "town"]
k = 2
conditions = ["entropy-l:ill=1.1"]

[[qid]]
attributes = ["town"]
k = 3

[attributes.patient]
role = "identifier"

[attributes.birth]
kind = "date"
date_format = "%d.%m.%Y"
age_at = "2026-01-01"
bins = [18.0, 65.0]
range = [0.0, 120.0]

[attributes.income]
kind = "continuous"
clamp = [0.0, 200000.0]
round = 1000.0
open = ["20000"]
closed = ["*"]

[attributes.town]
taxonomy = "town.txt"
private = true
closed = ["North"]

[attributes.case]
identifier = "tokenize"

[attributes.note]
keep = true

[attributes.ill]
role = "sensitive"

[search]
algorithm = "genetic"
max_steps = 12
tune = true
time_limit = "30s"
seed = 7

[search.genetic]
population = 40

[suppress]
limit = "5%"
how = "drop"

[output]
format = "parquet"
round_bounds = true
shuffle = true
shuffle_key = "order.key"
token_key = "tokens.key"
strict = true
screen = false
sample = false
evaluate = true
what_if = true

[[release]]
name = "other"
"#;

fn desk() -> Desk {
    let rows = (0..40).map(|i| {
        let (town, ill) = (["Kiel", "Bonn", "Ulm", "Graz"][i % 4], ["flu", "gout"][i / 4 % 2]);
        format!("p{i};{:02}.03.19{:02};{}.000,5;{town};{ill};1;c{i};n;a\n", 1 + i % 28, 50 + i, 20 + i)
    });
    let table = format!("patient;birth;income;town;ill;share;case;note;group\n{}", rows.collect::<String>());
    let desk = Desk::with("t.csv", table);
    desk.write("town.txt", "Any\n  North\n    Kiel\n    Bonn\n  South\n    Ulm\n    Graz\n");
    desk.write("release.toml", ALL);
    for key in ["order.key", "tokens.key"] {
        desk.ok(&format!("key new {key}"));
    }
    desk
}

#[test]
fn a_spec_with_every_setting_comes_back_as_it_went() {
    let desk = desk();
    let studio = Running::on(&desk, &["release.toml"]);
    let opened = studio.post("api/1/open", &json!({ "path": "release.toml" }));
    assert_eq!(opened.status, 200, "{}", opened.text());
    let spec = &opened.json()["spec"];
    let saved = studio.post("api/spec/write", &json!({ "spec": spec })).json();
    let again = studio.post("api/spec/read", &json!({ "text": saved["toml"] })).json();
    assert_eq!(*spec, again);
    let read = studio.post("api/spec/read", &json!({ "text": ALL })).json();
    assert_eq!(*spec, read);
    // Every key that was written is still there.
    for line in ALL.lines().filter_map(|line| line.split_once(" = ")) {
        assert!(saved["toml"].as_str().unwrap().contains(line.0), "{}", line.0);
    }
}

#[test]
fn the_page_changes_what_is_changed_and_nothing_else() {
    let Some(mut browser) = Browser::start() else { return };
    let desk = desk();
    let studio = Running::on(&desk, &["release.toml"]);
    browser.go(studio.url());
    browser.wait("document.querySelectorAll('.column').length === 9");
    let kept = "sessionStorage.getItem('spec')";
    let spec =
        |browser: &mut Browser| -> Value { serde_json::from_str(browser.value(kept).as_str().unwrap()).unwrap() };
    let mut expected = spec(&mut browser);
    assert_eq!(browser.value("document.querySelector(\"[data-key='role-patient']\").value"), json!("person"));
    browser.set("[data-key='k-0-exact']", "4", "change");
    browser.set("[data-key='range-birth']", "10 to 110", "change");
    browser.set("[data-key='round-income']", "500", "change");
    browser.set("[data-key='role-note']", "drop", "change");
    expected["qid"][0]["k"] = json!(4);
    expected["attributes"]["birth"]["range"] = json!([10, 110]);
    expected["attributes"]["income"]["round"] = json!(500);
    expected["attributes"]["note"] = json!({ "role": "identifier", "identifier": "drop" });
    browser.wait(&format!("JSON.parse({kept}).attributes.note.identifier === 'drop'"));
    let found = spec(&mut browser);
    for part in expected.as_object().unwrap().keys() {
        assert_eq!(found[part], expected[part], "{part}");
    }
}

#[test]
fn roles_of_persons_and_weights_are_said_and_taken_back() {
    let Some(mut browser) = Browser::start() else { return };
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    browser.go(studio.url());
    browser.wait("document.querySelectorAll('.column').length === 9");
    let spec = "JSON.parse(sessionStorage.getItem('spec'))";
    browser.set("[data-key='role-patient']", "person", "change");
    browser.set("[data-key='role-share']", "weight", "change");
    browser.wait(&format!("{spec}.person === 'patient' && {spec}.weight === 'share'"));
    // Another column says whose records they are: the first one is not published for that.
    browser.set("[data-key='role-case']", "person", "change");
    browser.wait(&format!("{spec}.person === 'case' && {spec}.attributes.patient.identifier === 'drop'"));
    browser.set("[data-key='role-case']", "drop", "change");
    browser.set("[data-key='role-share']", "other", "change");
    browser.wait(&format!("{spec}.person === undefined && {spec}.weight === undefined"));
}
