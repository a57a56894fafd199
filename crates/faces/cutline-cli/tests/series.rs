//! Several releases of overlapping persons, as the command makes, verifies and attacks them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "series/promised.rs"]
mod promised;
#[path = "series/refused.rs"]
mod refused;
mod support;

use std::fmt::Write;

use support::Desk;

/// Twelve of each town and sex, ill in turn; then some leave and some enter.
fn year(persons: impl Iterator<Item = usize>) -> String {
    let mut text = "id,age,sex,town,ill\n".to_owned();
    for person in persons {
        let (sex, town) = (["F", "M"][person % 2], ["Oslo", "Bern"][person / 2 % 2]);
        writeln!(text, "p{person},{},{sex},{town},{}", 20 + person % 40, ["flu", "cold", "gout"][person / 4 % 3])
            .unwrap();
    }
    text
}

const QID: &str = "--person id --qid age,sex,town:4 --range age=0..120";

/// Two years, each published by itself and after the other.
fn desk() -> Desk {
    let desk = Desk::with("2024.csv", year(0..48));
    desk.write("2025.csv", year((2..48).chain(100..120)));
    desk.ok(&format!("anonymize 2024.csv {QID} -o 2024"));
    desk
}

fn ends(desk: &Desk, command: &str) -> (Option<i32>, String, String) {
    let output = desk.run(command);
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_release_after_another_leaves_nobody_fewer_than_k_candidates() {
    let desk = desk();
    let (status, told, notes) = ends(&desk, &format!("anonymize 2025.csv {QID} --after 2024 -o 2025"));
    assert_eq!(status, Some(0), "{notes}");
    assert!(notes.contains("held back") && told.contains("true anonymity"), "{notes}{told}");
    let (status, told, _) = ends(&desk, "verify 2024 2025");
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("holds") && told.contains("trajectories"), "{told}");
    let (status, json, _) = ends(&desk, "verify 2024 2025 --json");
    assert!(status == Some(0) && json.contains("\"holds\": true"), "{json}");
    // Two left, and without the first release nothing hides who.
    desk.ok(&format!("anonymize 2025.csv {QID} -o alone"));
    let (status, told, _) = ends(&desk, "verify 2024 alone --previous 2024.csv --previous 2025.csv --person id");
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("DOES NOT HOLD"), "{told}");
}

#[test]
fn groups_are_refined_by_themselves_after_another_release() {
    let desk = desk();
    for local in ["nested", "free"] {
        let made = format!("anonymize 2025.csv {QID} --after 2024 --local {local} -o {local}");
        let (status, told, notes) = ends(&desk, &made);
        assert!(status == Some(0) && told.contains("true anonymity"), "{notes}");
        let (status, told, _) = ends(&desk, &format!("verify 2024 {local}"));
        assert!(status == Some(0) && told.contains("holds"), "{told}");
    }
    // Somebody with two records would count twice.
    let twice = year((0..48).chain(0..48)).replace("flu", "cold");
    desk.write("twice.csv", twice + "p0,20,F,Oslo,gout\n");
    let (status, _, errors) = ends(&desk, &format!("anonymize twice.csv {QID} --local free -o twice"));
    assert!(status == Some(2) && errors.contains("some persons have several"), "{errors}");
}

#[test]
fn what_is_known_of_persons_is_private() {
    let desk = desk();
    let kept = desk.read("2024/private/persons.txt");
    assert!(kept.lines().count() == 49 && !kept.contains("p17"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(desk.path("2024/private/persons.txt")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let key = kept.split("\"key\":\"").nth(1).unwrap()[..32].to_owned();
    desk.ok(&format!("anonymize 2025.csv {QID} --after 2024 -o 2025"));
    for name in ["table.csv", "recoding.json", "report.json", "report.html"] {
        let text = desk.read(&format!("2025/public/{name}"));
        for told in [&key[..], "p17", "2024", "held back", "trajector"] {
            assert!(!text.contains(told), "{name}: {told}");
        }
    }
    assert!(desk.read("2025/private/report.html").contains("Several releases"));
}

#[test]
fn a_table_that_a_release_was_made_from_tells_its_persons_too() {
    let desk = desk();
    std::fs::remove_file(desk.path("2024/private/persons.txt")).unwrap();
    let after = format!("anonymize 2025.csv {QID} --after 2024 -o 2025");
    let (status, _, errors) = ends(&desk, &after);
    assert!(status == Some(2) && errors.contains("does not know whose records it has"), "{errors}");
    assert!(errors.contains("--previous"), "{errors}");
    let (status, _, errors) = ends(&desk, &format!("{after} --previous 2025.csv"));
    assert!(status == Some(2) && errors.contains("was not made from the table"), "{errors}");
    assert_eq!(ends(&desk, &format!("{after} --previous 2024.csv")).0, Some(0));
}

#[test]
fn what_cannot_be_is_refused_with_figures() {
    let desk = desk();
    let after = format!("anonymize 2025.csv {QID} --after 2024 -o 2025");
    let (status, _, errors) = ends(&desk, &format!("{after} --hold-back 0%"));
    assert!(status == Some(1) && errors.contains("would stand out however they are masked"), "{errors}");
    let (status, _, errors) = ends(&desk, &after.replace(":4", ":40"));
    assert!(status == Some(1) && errors.contains("no further release can take that back"), "{errors}");
    let (status, _, errors) = ends(&desk, &after.replace("--person id", "--drop id"));
    assert!(status == Some(2) && errors.contains("--person"), "{errors}");
    desk.write("2025.csv", format!("{}p5,30,F,Oslo,flu\n", year(0..48)));
    let (status, _, errors) = ends(&desk, &after);
    assert!(status == Some(2) && errors.contains("several records"), "{errors}");
    assert!(!desk.path("2025").exists());
}

#[test]
fn the_same_recoding_after_a_release_holds_back_who_would_stand_out() {
    let desk = desk();
    let apply = "apply 2024/public/recoding.json 2025.csv -o again.csv --person id --after 2024";
    let (status, _, errors) = ends(&desk, &format!("{apply} --hold-back 10%"));
    assert!(status == Some(1) && errors.contains("would stand out"), "{errors}");
    assert!(!desk.path("again.csv").exists());
    let (status, told, errors) = ends(&desk, apply);
    assert_eq!(status, Some(0), "{errors}");
    assert!(told.contains("held back") && !errors.contains("--against"), "{told}{errors}");
    assert!(desk.read("again.csv").lines().count() < 67, "others are absent too, so that nobody knows who left");
}

#[test]
fn versions_for_several_numbers_of_clusters_are_published_together() {
    let desk = Desk::with("t.csv", year(0..120));
    let command =
        "anonymize t.csv --drop id --qid age,sex,town:5 --range age=0..120 --clusters 2,3 --publish-all -o out";
    let (status, told, errors) = ends(&desk, command);
    assert_eq!(status, Some(0), "{errors}");
    assert!(told.contains("clusters-2") && told.contains("true anonymity of all versions together"), "{told}");
    for version in ["clusters-2", "clusters-3"] {
        desk.ok(&format!("verify out/{version}"));
    }
    assert_eq!(ends(&desk, command).0, Some(2), "it is there already");
}

#[test]
fn comparing_releases_narrows_persons_down() {
    let desk = Desk::with("t.csv", "age,sex,ill\n30,F,flu\n30,M,HIV\n40,F,flu\n40,M,cold\n");
    desk.write("by-age.csv", "age,sex,ill\n30,*,flu\n30,*,HIV\n40,*,flu\n40,*,cold\n");
    desk.write("by-sex.csv", "age,sex,ill\n*,F,flu\n*,M,HIV\n*,F,flu\n*,M,cold\n");
    let (status, told, errors) = ends(&desk, "attack by-age.csv by-sex.csv t.csv --on age,sex --sensitive ill");
    assert_eq!(status, Some(0), "{errors}");
    let (_, json, _) = ends(&desk, "attack by-age.csv by-sex.csv t.csv --on age,sex --sensitive ill --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let outcome = &json["comparisons"][0];
    assert_eq!((&outcome["alone"][0]["fewest"], &outcome["together"][0]["fewest"]), (&2.into(), &1.into()), "{told}");
    assert_eq!((&outcome["alone"][0]["certain"], &outcome["together"][0]["certain"]), (&0.into(), &4.into()), "{told}");
}

/// Two uses and two recipients: what is predicted differs, and one of them gets a column less.
const RELEASES: &str = r#"
[input]
path = "t.csv"
missing = "drop"
null = ["?"]

[attributes.id]
identifier = "drop"
[attributes.age]
range = [0, 120]

[[qid]]
attributes = ["age", "sex", "town"]
k = 5

[[release]]
name = "doctors"
[release.purpose]
target = "ill"

[[release]]
name = "planners"
[release.purpose]
target = "ward"
[release.attributes.ill]
identifier = "drop"

[[release]]
name = "everybody"
[release.search]
algorithm = "tds"
"#;

/// The same persons with a ward, which some lack.
fn wards(persons: usize) -> String {
    let lines = year(0..persons);
    let ward = |(index, line): (usize, &str)| match index {
        0 => format!("{line},ward\n"),
        _ if index % 10 == 3 => format!("{line},?\n"),
        _ => format!("{line},{}\n", ["a", "b"][index / 7 % 2]),
    };
    lines.lines().enumerate().map(ward).collect()
}

#[test]
fn releases_of_one_spec_are_published_together_or_not_at_all() {
    let desk = Desk::with("t.csv", wards(240));
    desk.write("all.toml", RELEASES);
    let (status, told, errors) = ends(&desk, "anonymize all.toml -o out");
    assert_eq!(status, Some(0), "{errors}");
    assert!(told.contains("true anonymity of all versions together"), "{told}");
    let head = |release: &str| desk.read(&format!("out/{release}/public/table.csv")).lines().next().unwrap().to_owned();
    assert_eq!(head("doctors"), "age,sex,town,ill,ward");
    assert_eq!(head("planners"), "age,sex,town,ward");
    for release in ["doctors", "planners", "everybody"] {
        desk.ok(&format!("verify out/{release}"));
        let lines = desk.read(&format!("out/{release}/public/table.csv")).lines().count();
        assert_eq!(lines, 217, "{release}: who lacks a ward is in none of them");
    }
    // By the labels in all of them together, nobody is among fewer than five.
    let mut groups: std::collections::BTreeMap<Vec<String>, usize> = std::collections::BTreeMap::new();
    let labels = |release: &str| -> Vec<String> {
        let table = desk.read(&format!("out/{release}/public/table.csv"));
        table.lines().skip(1).map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect()
    };
    let all = ["doctors", "planners", "everybody"].map(labels);
    (0..216).for_each(|row| *groups.entry(all.iter().map(|own| own[row].clone()).collect()).or_default() += 1);
    assert!(groups.values().all(|&size| size >= 5), "{groups:?}");
    // One that cannot be keeps all others back.
    desk.write("none.toml", RELEASES.replace("\"ward\"", "\"wart\""));
    assert_eq!(ends(&desk, "anonymize none.toml -o none").0, Some(2));
    assert!(!desk.path("none").exists());
}

#[test]
fn a_release_after_several_of_one_spec_knows_all_of_them() {
    let desk = Desk::with("t.csv", wards(240));
    let known = RELEASES.replace("[attributes.id]\nidentifier = \"drop\"\n", "");
    desk.write("all.toml", format!("person = \"id\"\n{known}"));
    desk.ok("anonymize all.toml -o out");
    let after = "--after out/doctors --after out/planners --after out/everybody";
    let (status, told, errors) =
        ends(&desk, &format!("anonymize t.csv --null ? {QID} {after} -o next").replace(":4", ":5"));
    assert_eq!(status, Some(0), "{errors}");
    assert!(told.contains("true anonymity"), "{told}");
    assert_eq!(ends(&desk, "verify out/doctors out/planners out/everybody next").0, Some(0));
}

#[test]
fn one_of_several_releases_is_not_published_alone() {
    let desk = Desk::with("t.csv", wards(60));
    desk.write("twice.toml", RELEASES.replace("planners", "doctors"));
    let (status, _, errors) = ends(&desk, "anonymize twice.toml -o out");
    assert!(status == Some(2) && errors.contains("two releases are called `doctors`"), "{errors}");
    desk.write("typo.toml", RELEASES.replace("[release.search]", "[release.serch]"));
    let (status, _, errors) = ends(&desk, "anonymize typo.toml -o out");
    assert!(status == Some(2) && errors.contains("serch") && errors.contains("typo.toml"), "{errors}");
}

#[test]
fn several_records_of_a_person_that_agree_are_one_trajectory() {
    let twice = |persons: &mut dyn Iterator<Item = usize>| {
        let table = year(persons);
        let (head, lines) = table.split_once('\n').unwrap();
        let again = lines.lines().map(|line| format!("{line}\n{}\n", line.replace("flu", "gout")));
        format!("{head}\n{}", again.collect::<String>())
    };
    let desk = Desk::with("2024.csv", twice(&mut (0..48)));
    desk.write("2025.csv", twice(&mut (2..48).chain(100..120)));
    desk.ok(&format!("anonymize 2024.csv {QID} -o 2024"));
    let (status, _, errors) = ends(&desk, &format!("anonymize 2025.csv {QID} --after 2024 -o 2025"));
    assert_eq!(status, Some(0), "{errors}");
    let (status, told, _) = ends(&desk, "verify 2024 2025");
    assert_eq!(status, Some(0), "{told}");
    let (status, _, errors) = ends(&desk, "verify 2024 2025 --previous 2024.csv --previous 2025.csv --person id");
    assert_eq!(status, Some(2), "who was held back is in the second table: {errors}");
    assert_eq!(ends(&desk, &format!("anonymize 2025.csv {QID} --after 2024 --previous 2024.csv -o again")).0, Some(0));
}
