//! A taxonomy that was made from the values of a table: no file of a release tells what is below its cut.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;

use cutline::model::{Recoding, Taxonomy};
use support::Desk;

const FILES: [&str; 4] = ["public/table.csv", "public/recoding.json", "public/report.json", "public/report.html"];

const ALGORITHMS: [&str; 5] = ["refine", "tdr", "tds", "bottom-up", "genetic --iterations 2000 --seed 1"];

const PRIVATE: &str = "--taxonomy zip=zip.txt --private-taxonomy zip";

/// Zip codes of which each is unmistakable in any file. Most are frequent, `zq02199` and `zq10099` are unique beside others that begin
/// alike, and with `lonely` there is one that begins like no other.
fn zips(lonely: bool) -> Desk {
    let mut csv = "zip,sex,class\n".to_owned();
    for record in 0..240 {
        let zip =
            ["zq02138", "zq02139", "zq02141", "zq10001", "zq10002", "zq94110", "zq94111"][(record * record / 7) % 7];
        let zip = match record {
            20 => "zq02199",
            30 => "zq10099",
            40 if lonely => "zq55555",
            _ => zip,
        };
        let class = if zip.starts_with("zq02") { "yes" } else { "no" };
        writeln!(csv, "{zip},{},{class}", ["F", "M"][record % 2]).unwrap();
    }
    let desk = Desk::with("t.csv", csv);
    let built = desk.run("taxonomy build t.csv --attribute zip --by prefix -o zip.txt");
    assert!(built.status.success());
    assert!(String::from_utf8_lossy(&built.stderr).contains("--private-taxonomy zip"));
    desk
}

/// The nodes of the taxonomy that are neither shown by a published record nor above what is.
fn hidden(desk: &Desk, table: &str) -> BTreeSet<String> {
    let taxonomy = Taxonomy::from_outline(&desk.read("zip.txt")).unwrap();
    let shown = table.lines().skip(1).filter_map(|line| taxonomy.node(line.split(',').next().unwrap()));
    let told: BTreeSet<_> = shown.flat_map(|node| taxonomy.ancestors(node)).collect();
    let hidden = taxonomy.nodes().filter(|node| *node != taxonomy.root() && !told.contains(node));
    hidden.map(|node| taxonomy.label(node).to_owned()).collect()
}

/// Publishes with flags; gives the number of nodes that no file may tell.
fn check(desk: &Desk, flags: &str) -> usize {
    desk.ok(&format!("anonymize t.csv --qid zip,sex:5 {PRIVATE} {flags} -o out --force"));
    let hidden = hidden(desk, &desk.read("out/public/table.csv"));
    for file in FILES {
        let text = desk.read(&format!("out/{file}"));
        let leaked: Vec<&String> = hidden.iter().filter(|label| text.contains(&label[..])).collect();
        assert!(leaked.is_empty(), "{file} tells {leaked:?}: {flags}");
    }
    let recoding = Recoding::from_json(&desk.read("out/public/recoding.json")).unwrap();
    assert_eq!(recoding.private_taxonomies, ["zip"]);
    assert!(desk.read("out/private/report.html").contains("along a private taxonomy"));
    assert!(desk.ok("verify out/public/table.csv --qid zip,sex:5").contains("holds"));
    hidden.len()
}

#[test]
fn no_file_of_a_release_tells_what_is_below_the_cut() {
    for lonely in [false, true] {
        let desk = zips(lonely);
        for algorithm in ALGORITHMS {
            for purpose in ["", "--target class"] {
                for budget in ["", "--suppress-limit 5%", "--suppress-limit 5% --suppress-how mask"] {
                    let flags = format!("--algorithm {algorithm} {purpose} {budget}");
                    assert!(check(&desk, &flags) >= 2, "{flags}");
                }
            }
        }
        check(&desk, "--target class --evaluate --suppress-limit 2%");
        check(&desk, "--clusters 2 --suppress-limit 5%");
    }
}

/// With an attached value, of which only suppressed records tell, and one that is published.
#[test]
fn attached_values_are_told_as_far_as_records_show_them() {
    let desk = zips(false);
    let more = "other,F,no\nother,M,no\n".repeat(9) + "zqrare,F,no\n";
    desk.write("t.csv", desk.read("t.csv") + &more);
    for algorithm in ALGORITHMS {
        check(&desk, &format!("--unknown root --suppress-limit 5% --algorithm {algorithm}"));
        for file in FILES {
            assert!(!desk.read(&format!("out/{file}")).contains("zqrare"), "{algorithm}: {file}");
        }
    }
    check(&desk, "--unknown root --suppress-limit 5%");
    assert!(desk.read("out/public/table.csv").contains("other,"));
    desk.ok("apply out/public/recoding.json t.csv --taxonomy zip=zip.txt --unknown root -o again.csv");
    assert_eq!(desk.read("again.csv"), desk.read("out/public/table.csv"));
}

#[test]
fn the_steward_sees_every_step_and_nobody_else_does() {
    let desk = zips(false);
    for algorithm in ["tdr", "bottom-up"] {
        check(&desk, &format!("--algorithm {algorithm} --target class"));
        let trace = desk.read("out/private/trace.jsonl");
        let mut steps = trace.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let (field, label) = if algorithm == "tdr" { ("refined", "Any") } else { ("into", "zq021**") };
        assert!(steps.any(|step| step["attribute"] == "zip" && step[field] == label), "{trace}");
        assert!(!desk.path("out/public/trace.jsonl").exists());
    }
}

#[test]
fn apply_needs_the_taxonomy_again() {
    for (lonely, budget) in
        [(false, ""), (true, "--suppress-limit 2%"), (true, "--suppress-limit 2% --suppress-how mask")]
    {
        let desk = zips(lonely);
        desk.ok(&format!("anonymize t.csv --qid zip,sex:5 {PRIVATE} {budget} -o out"));
        for unknown in ["", "--unknown root"] {
            let refused = desk.run(&format!("apply out/public/recoding.json t.csv -o again.csv {unknown}"));
            assert_eq!(refused.status.code(), Some(2), "{budget} {unknown}");
            let message = String::from_utf8(refused.stderr).unwrap();
            assert!(message.contains("is not in the taxonomy"), "{message}");
            assert!(message.contains("--taxonomy zip=FILE"), "{message}");
        }
        desk.ok("apply out/public/recoding.json t.csv -o again.csv --taxonomy zip=zip.txt");
        assert_eq!(desk.read("again.csv"), desk.read("out/public/table.csv"), "{budget}");
    }
}

/// Where nothing of an attribute is published, nothing of it need be known.
#[test]
fn a_cut_at_the_root_is_applied_without_the_taxonomy() {
    let desk = zips(true);
    desk.ok(&format!("anonymize t.csv --qid zip,sex:100 {PRIVATE} -o out"));
    assert_eq!(
        Recoding::from_json(&desk.read("out/public/recoding.json")).unwrap().attributes["zip"].labels(),
        ["Any"]
    );
    desk.ok("apply out/public/recoding.json t.csv -o again.csv");
    assert_eq!(desk.read("again.csv"), desk.read("out/public/table.csv"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let desk = zips(false);
    desk.write("other.txt", "Any\n  zq0****\n    zq02139\n  zq1****\n    zq10001\n");
    desk.ok(&format!("anonymize t.csv --qid zip,sex:5 {PRIVATE} -o out"));
    desk.ok("anonymize t.csv --qid zip,sex:5 --taxonomy zip=zip.txt -o public");
    assert!(!desk.read("public/public/recoding.json").contains("private"));
    for (arguments, expected) in [
        ("anonymize t.csv --qid zip,sex:5 --private-taxonomy zip -o no", "give it one with --taxonomy zip=FILE"),
        (
            "apply out/public/recoding.json t.csv --taxonomy zip=other.txt -o no.csv",
            "other.txt: the recoding publishes `zq",
        ),
        ("apply out/public/recoding.json t.csv --taxonomy sex=zip.txt -o no.csv", "no private taxonomy of `sex`"),
        ("apply public/public/recoding.json t.csv --taxonomy zip=zip.txt -o no.csv", "no private taxonomy of `zip`"),
        ("attack out t.csv --taxonomy zip=other.txt", "other.txt: the recoding publishes `zq"),
        ("attack out/public/table.csv t.csv --on sex --taxonomy zip=zip.txt", "no recoding that has a private one"),
    ] {
        let output = desk.run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "cutline {arguments}\n{message}");
        assert!(message.contains(expected), "cutline {arguments}\n{message}");
    }
}

#[test]
fn the_spec_says_the_same_as_the_flag() {
    let desk = zips(false);
    let spec = "[input]\npath = \"t.csv\"\n[attributes.zip]\ntaxonomy = \"zip.txt\"\nprivate = true\n[[qid]]\n\
                attributes = [\"zip\", \"sex\"]\nk = 5\n";
    desk.write("s.toml", spec);
    desk.ok("anonymize s.toml -o by-spec");
    desk.ok(&format!("anonymize t.csv --qid zip,sex:5 {PRIVATE} -o by-flag"));
    assert_eq!(desk.read("by-spec/public/recoding.json"), desk.read("by-flag/public/recoding.json"));
}

/// With the taxonomy, an attack finds exactly what it finds in a release that tells it. Without, it says that it knows less, and every
/// person's own record is still among those that match.
#[test]
fn an_attack_says_what_it_does_not_know() {
    for (lonely, budget) in [(false, ""), (true, "--suppress-limit 2%")] {
        let desk = zips(lonely);
        // One is suppressed, so records have other places than persons.
        let rows = desk.read("t.csv").lines().enumerate().map(|(n, line)| format!("{line},{n}\n")).collect::<String>();
        desk.write("t.csv", rows.replacen(",0\n", ",person\n", 1));
        let flags = format!("anonymize t.csv --qid zip,sex:5 --target class {budget} --keep person --force");
        desk.ok(&format!("{flags} --taxonomy zip=zip.txt -o public"));
        desk.ok(&format!("{flags} {PRIVATE} -o private"));
        assert_eq!(desk.read("public/public/table.csv"), desk.read("private/public/table.csv"));
        let attack = |arguments: &str| {
            let output = desk.run(&format!("attack {arguments} --sensitive class --truth person --json"));
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{arguments}: {errors}");
            let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            (told["attacks"][0].clone(), String::from_utf8(output.stderr).unwrap())
        };
        let (public, silent) = attack("public t.csv");
        let (given, also_silent) = attack("private t.csv --taxonomy zip=zip.txt");
        assert_eq!(given, public);
        assert!(!silent.contains("note") && !also_silent.contains("note"));
        let (ignorant, note) = attack("private t.csv");
        assert!(note.contains("the taxonomy of `zip` is private") && note.contains("--taxonomy zip=FILE"), "{note}");
        assert!(ignorant["truth"]["among_matches"].as_u64() >= public["truth"]["among_matches"].as_u64());
        assert!(ignorant["expected_success"].as_f64().unwrap() > 0.0);
    }
}
