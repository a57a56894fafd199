//! What other pages in the same browser, other users and other programs of this machine could try.

use serde_json::json;

use crate::http::ask;
use crate::running::Running;
use crate::support::Desk;

fn desk() -> Desk {
    let desk = Desk::with("t.csv", "age,ill\n31,no\n32,no\n33,no\n64,yes\n65,yes\n66,yes\n");
    std::fs::create_dir(desk.path("inner")).unwrap();
    desk.write("outside.csv", "name\nalice\nbob\n");
    desk.write("inner/u.csv", "age,ill\n1,no\n2,yes\n");
    desk
}

#[test]
fn the_address_is_of_this_machine_alone_and_differs_every_time() {
    let desk = desk();
    let (one, other) = (Running::on(&desk, &["t.csv"]), Running::on(&desk, &["t.csv"]));
    for studio in [&one, &other] {
        assert!(studio.url().starts_with("http://127.0.0.1:") && studio.url().ends_with('/'), "{}", studio.url());
        assert_eq!(studio.token().len(), 48);
    }
    assert_ne!(one.token(), other.token());
    assert_ne!(one.host(), other.host());
}

#[test]
fn nothing_is_answered_without_the_token() {
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    let host = [("host", studio.host())];
    let wrong = "0".repeat(48);
    for path in ["/", "/index.html", "/main.js", "/api/start", &format!("/{wrong}/"), &format!("/{wrong}/api/start")] {
        let answer = ask(studio.host(), "GET", path, &host, b"");
        assert_eq!((answer.status, answer.body.len()), (403, 0), "{path}");
    }
    let answer = ask(studio.host(), "GET", &format!("/{}/api/start", studio.token()), &host, b"");
    assert_eq!(answer.status, 200);
}

#[test]
fn a_name_that_was_made_to_point_here_does_not_lead_here() {
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    let port = studio.host().split(':').nth(1).unwrap();
    let path = format!("/{}/api/start", studio.token());
    for host in
        [&format!("evil.example:{port}"), "evil.example", "127.0.0.1", "127.0.0.1:1", &format!("0.0.0.0:{port}")]
    {
        assert_eq!(ask(studio.host(), "GET", &path, &[("host", host)], b"").status, 421, "{host}");
    }
    // Nor does a second name, or one in the address.
    let two = [("host", studio.host()), ("host", "evil.example")];
    assert_eq!(ask(studio.host(), "GET", &path, &two, b"").status, 400);
    let absolute = format!("http://evil.example:{port}{path}");
    assert_eq!(ask(studio.host(), "GET", &absolute, &[("host", studio.host())], b"").status, 421);
    let localhost = format!("localhost:{port}");
    assert_eq!(ask(studio.host(), "GET", &path, &[("host", &localhost)], b"").status, 200);
}

#[test]
fn other_pages_cannot_ask_even_with_the_token() {
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    let path = format!("/{}/api/quit", studio.token());
    let own = format!("http://{}", studio.host());
    let json = ("content-type", "application/json");
    let from = |origin: &str, more: &[(&str, &str)], kind: (&str, &str)| {
        let headers: Vec<(&str, &str)> =
            [("host", studio.host()), ("origin", origin), kind].into_iter().chain(more.iter().copied()).collect();
        ask(studio.host(), "POST", &path, &headers, b"{}").status
    };
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        &own.replace("http:", "https:"),
        &format!("{own}.evil.example"),
    ] {
        assert_eq!(from(origin, &[], json), 403, "{origin}");
    }
    assert_eq!(ask(studio.host(), "POST", &path, &[("host", studio.host()), json], b"{}").status, 403, "no origin");
    assert_eq!(from(&own, &[("sec-fetch-site", "cross-site")], json), 403);
    // What a form can send.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        assert_eq!(from(&own, &[], ("content-type", kind)), 415, "{kind}");
    }
    // It is still there, and ends when its own page asks.
    assert_eq!(from(&own, &[("sec-fetch-site", "same-origin")], json), 200);
    assert_eq!(studio.ended(), (Some(0), String::new()));
}

#[test]
fn a_page_may_load_nothing_from_elsewhere() {
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    for path in ["", "main.js", "style/base.css", "api/start", "nothing.js"] {
        let answer = ask(studio.host(), "GET", &format!("/{}/{path}", studio.token()), &[("host", studio.host())], b"");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(answer.headers.contains(header), "{path}: {header}\n{}", answer.headers);
        }
        assert!(!answer.headers.contains("access-control"), "{path}");
        assert!(!answer.text().contains("https://"), "{path} names another place");
    }
}

#[test]
fn files_outside_of_the_folder_are_neither_read_nor_written() {
    let desk = desk();
    let studio = Running::on(&desk, &["inner/u.csv"]);
    let spec = |path: &str| json!({ "input": { "path": path }, "qid": [{ "attributes": ["name"], "k": 2 }] });
    let outside = desk.path("outside.csv").display().to_string();
    for path in ["outside.csv", "inner/../outside.csv", &outside, "/etc/passwd", "/etc/hostname", "inner/missing.csv"] {
        for answer in [
            studio.post("api/1/open", &json!({ "path": path })),
            studio.post("api/1/search", &json!({ "spec": spec(path) })),
            studio.post("api/1/publish", &json!({ "spec": spec(path), "folder": "p" })),
            studio.post("api/taxonomy/read", &json!({ "path": path })),
        ] {
            assert_eq!(answer.status, 403, "{path}: {}", answer.text());
            assert!(!answer.text().contains("alice"));
        }
    }
    let mut taxonomy = spec("inner/u.csv");
    taxonomy["attributes"] = json!({ "age": { "taxonomy": "/etc/passwd" } });
    assert_eq!(studio.post("api/1/search", &json!({ "spec": taxonomy })).status, 403);
    let tree = json!({ "nodes": [{ "label": "Any", "parent": null }, { "label": "a", "parent": 0 }] });
    for name in ["../x", "/tmp/x", ".hidden", "a/b", "..", ""] {
        let spec = json!({ "input": { "path": "inner/u.csv" }, "qid": [{ "attributes": ["age"], "k": 1 }] });
        assert_eq!(studio.post("api/1/publish", &json!({ "spec": spec, "folder": name })).status, 403, "{name}");
        let saved = studio.post("api/taxonomy/save", &json!({ "tree": tree, "name": format!("{name}.txt") }));
        assert!(name.is_empty() || name == ".." || saved.status == 403, "{name}: {}", saved.text());
    }
    assert_eq!(desk.names(), ["inner", "outside.csv", "t.csv"]);
    for path in ["../Cargo.toml", "%2e%2e/Cargo.toml", "..%2f..%2fCargo.toml", "page/../../src/lib.rs"] {
        let answer = ask(studio.host(), "GET", &format!("/{}/{path}", studio.token()), &[("host", studio.host())], b"");
        assert!(answer.status >= 400, "{path}");
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    let origin = format!("http://{}", studio.host());
    let headers = [("host", studio.host()), ("origin", &origin[..]), ("content-type", "application/json")];
    let body = vec![b' '; 5 << 20];
    let answer = ask(studio.host(), "POST", &format!("/{}/api/spec/read", studio.token()), &headers, &body);
    assert!(answer.status == 413 || answer.status == 0, "{}", answer.status);
}

#[test]
fn a_dropped_file_stays_private_and_goes_with_the_studio() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    let origin = format!("http://{}", studio.host());
    let headers = [("host", studio.host()), ("origin", &origin[..]), ("content-type", "application/octet-stream")];
    let drop = |name: &str| {
        ask(studio.host(), "POST", &format!("/{}/api/drop?name={name}", studio.token()), &headers, b"a,b\n1,2\n3,4\n")
    };
    for name in ["..%2Fx.csv", "%2Ftmp%2Fx.csv", ".hidden"] {
        assert_eq!(drop(name).status, 403, "{name}");
    }
    let path = drop("mine.csv").json().as_str().unwrap().to_owned();
    let folder = std::path::Path::new(&path).parent().unwrap();
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(studio.post("api/1/open", &json!({ "path": path })).json()["records"], 2);
    assert_eq!(studio.post("api/quit", &json!({})).status, 200);
    assert_eq!(studio.ended().0, Some(0));
    assert!(!folder.exists());
}

#[test]
fn values_of_records_are_in_no_message() {
    let desk = Desk::with("t.csv", "age,ill\n31,secretvalue\nsecretvalue,no\n33,no\n");
    let studio = Running::on(&desk, &["t.csv"]);
    let spec = json!({ "input": { "path": "t.csv" }, "qid": [{ "attributes": ["age"], "k": 2 }], "attributes": { "age": { "kind": "continuous" } } });
    let answer = studio.post("api/1/search", &json!({ "spec": spec }));
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("not a number") && !answer.text().contains("secretvalue"), "{}", answer.text());
}

#[test]
fn ctrl_c_ends_it() {
    let desk = desk();
    let studio = Running::on(&desk, &["t.csv"]);
    let status = std::process::Command::new("kill").args(["-INT", &studio.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(studio.ended(), (Some(0), String::new()));
}
