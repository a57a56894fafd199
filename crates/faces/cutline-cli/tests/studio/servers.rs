//! Tables of databases in the page: their records stay where they are, and no secret is shown.

use serde_json::json;

use crate::browser::{Browser, Scheme};
use crate::eyes::{axe, check};
use crate::running::Running;
use crate::support::Desk;

#[path = "../support/servers.rs"]
#[allow(dead_code)]
mod all;

use all::{Cluster, Server};

const PERSONS: &str = "CREATE TABLE persons AS SELECT 'p' || i AS name, 20 + i % 50 AS age, 't' || i % 7 AS town, \
    (ARRAY['flu', 'gout', 'asthma'])[1 + i % 3] AS diagnosis FROM generate_series(1, 500) i";

fn query(cluster: &Cluster, sql: &str) -> String {
    let output = cluster.psql(&["-A", "-t", "-c", sql], &std::env::temp_dir());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn server() -> Option<(Cluster, String)> {
    if !Server::Postgres.is_here() {
        return None;
    }
    let cluster = Cluster::start();
    query(&cluster, PERSONS);
    let location = cluster.location();
    Some((cluster, location))
}

#[test]
fn a_table_of_a_database_is_looked_at_and_published_where_it_is() {
    let Some((cluster, location)) = server() else { return };
    let Some(mut browser) = Browser::start() else { return };
    let (desk, axe) = (Desk::new(), axe());
    let studio = Running::on(&desk, &[]);
    browser.look(1400, Scheme::Light);
    browser.go(studio.url());
    browser.click(".server summary");
    check(&mut browser, axe.as_ref(), "server");
    browser.set("[data-key='address']", &location, "input");
    browser.set("[data-key='wanted-name']", "persons", "input");
    browser.click(".server-form .primary");
    browser.wait("document.querySelectorAll('.column').length === 4");
    browser.set("[data-key='target']", "diagnosis", "change");
    browser.set("[data-key='role-age']", "quasi", "change");
    browser.set("[data-key='role-town']", "quasi", "change");
    browser.set("[data-key='role-name']", "drop", "change");
    browser.set("[data-key='k-0-exact']", "10", "change");
    browser.press("See the result");
    browser.wait("document.querySelectorAll('.card').length === 2");
    browser.press("Publish");
    browser.set("[data-key='into']", "persons_public", "input");
    browser.wait("document.querySelector('.code pre')?.textContent.includes('--into persons_public')");
    check(&mut browser, axe.as_ref(), "publish-server");
    browser.click("form.publish .primary");
    browser.wait("document.querySelector('.done')?.innerText.includes('persons_public')");
    assert_eq!(query(&cluster, "SELECT count(*) FROM persons_public"), "500\n");
    assert!(desk.ok(&format!("verify {location} --table persons_public --qid age,town:10")).contains("holds"));
    assert!(desk.path("published/private/report.html").is_file() && !desk.path("published/public/table.csv").exists());
    // What is told does the same, and it can be looked at again afterwards.
    let command = browser.value("document.querySelector('.code pre').textContent");
    let command = command
        .as_str()
        .unwrap()
        .replace("\\\n", " ")
        .replace("persons_public", "again")
        .replace("-o published", "-o other");
    desk.ok(command.strip_prefix("cutline ").unwrap());
    assert_eq!(desk.read("other/public/recoding.json"), desk.read("published/public/recoding.json"));
    browser.press("3Result");
    browser.set("[data-key='k-0-exact']", "25", "change");
    browser.wait("document.querySelector('.verdict')?.innerText.includes('at least 25 records')");
}

#[test]
fn a_table_of_a_database_can_be_named_on_the_command_line() {
    let Some((_cluster, location)) = server() else { return };
    let desk = Desk::new();
    let studio = Running::on(&desk, &[&location, "--table", "persons"]);
    let opened = studio.post("api/1/open", &json!({ "path": location })).json();
    assert_eq!((&opened["records"], &opened["spec"]["input"]["table"]), (&json!(500), &json!("persons")));
}

#[test]
fn a_password_or_a_token_in_an_address_is_refused_and_shown_nowhere() {
    let desk = Desk::with("t.csv", "a,b\n1,2\n");
    let studio = Running::on(&desk, &[]);
    let qid = json!([{ "attributes": ["a"], "k": 2 }]);
    for address in [
        "postgresql://ann:tulip@localhost/care",
        "postgresql://localhost/care?user=ann&password=tulip",
        "sc://localhost/;token=tulip",
        "mysql://ann:tulip@localhost/care",
        // The page loads no library, and is kept to the files of one folder.
        "adbc:/lib/tulip.so:care.db",
    ] {
        let spec = json!({ "input": { "path": address, "table": "persons" }, "qid": qid });
        let toml = format!("[input]\npath = \"{address}\"\ntable = \"persons\"\n");
        for (path, body) in [
            ("api/1/open", json!({ "path": address })),
            ("api/1/open", json!({ "path": address, "spec": spec, "new": true })),
            ("api/1/search", json!({ "spec": spec })),
            ("api/1/publish", json!({ "spec": spec, "folder": "p" })),
            ("api/1/taxonomy", json!({ "spec": spec, "attribute": "a", "by": "flat" })),
            ("api/spec/write", json!({ "spec": spec })),
            ("api/spec/read", json!({ "text": toml })),
        ] {
            let answer = studio.post(path, &body);
            assert!(answer.status >= 400, "{path} of {address}: {}", answer.text());
            assert!(!answer.text().contains("tulip"), "{path}: {}", answer.text());
        }
    }
}
