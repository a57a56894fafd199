//! Safe by default: what is refused, what is warned of, and what is never invisible.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::fmt::Write;

use serde_json::Value;
use support::{Desk, dataset};

/// What a user sees: the exit status, standard output, then standard error. Times differ from run to run.
fn transcript(desk: &Desk, arguments: &str) -> String {
    let output = desk.run(arguments);
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    let lines = text.lines().map(|line| if line.starts_with("time: ") { "time: …" } else { line });
    let status = output.status.code().unwrap();
    format!("$ cutline {arguments}\n{}\n(status {status})\n", lines.collect::<Vec<_>>().join("\n"))
}

fn json(desk: &Desk, name: &str) -> Value {
    serde_json::from_str(&desk.read(name)).unwrap()
}

/// Numbers that look random.
struct Dice(u32);

impl Dice {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % most
    }
}

/// Patients whose doctor works in one district, whose bus line and stop give the district away together, and whose language nearly does.
fn hospital() -> Desk {
    let mut table = "mrn,name,birth_year,sex,district,doctor,line,stop,language,diagnosis,days\n".to_owned();
    let mut dice = Dice(7);
    for n in 0..1200_u32 {
        let (district, line) = (dice.below(6), dice.below(3));
        let language = if dice.below(100) < 80 { district % 3 } else { dice.below(3) };
        let diagnosis = ["flu", "asthma", "fracture", "diabetes"][dice.below(4) as usize];
        let mut letter = |from: u8| char::from(from + dice.below(26) as u8);
        let name = format!("{}{}ra {}{}oen", letter(b'A'), letter(b'a'), letter(b'A'), letter(b'a'));
        writeln!(
            table,
            "{},{name},{},{},d{district},dr{},{line},{},l{language},{diagnosis},{}",
            500_000 + n * 3,
            1940 + dice.below(60),
            ["F", "M"][dice.below(2) as usize],
            district * 2 + dice.below(2),
            (district + line) % 6,
            dice.below(9)
        )
        .unwrap();
    }
    Desk::with("hospital.csv", table)
}

/// This search hides the districts, so that other columns can give them away.
const QID: &str = "--qid birth_year,sex,district:10 --algorithm tdr";

#[test]
fn a_column_that_names_persons_is_refused_unless_it_is_meant() {
    let desk = hospital();
    let refused = transcript(&desk, &format!("anonymize hospital.csv {QID} -o out"));
    assert!(!desk.path("out").exists());
    let dropped = transcript(&desk, &format!("anonymize hospital.csv {QID} --drop mrn,name -o out"));
    let kept = transcript(&desk, &format!("anonymize hospital.csv {QID} --drop name --keep mrn -o kept"));
    insta::assert_snapshot!([refused, dropped, kept].join("\n"));
    assert!(desk.read("kept/public/table.csv").starts_with("mrn,birth_year"));
}

#[test]
fn in_a_strict_release_a_warning_is_an_error() {
    let desk = hospital();
    let arguments = format!("anonymize hospital.csv {QID} --drop mrn,name,doctor --strict -o out");
    let refused = transcript(&desk, &arguments);
    assert!(!desk.path("out").exists());
    let meant = transcript(&desk, &format!("{arguments} --drop line,language --keep stop,days,diagnosis"));
    insta::assert_snapshot!([refused, meant].join("\n"));
}

#[test]
fn keep_and_strict_can_stand_in_a_spec() {
    let desk = hospital();
    let spec = "[input]\npath = \"hospital.csv\"\n[[qid]]\nattributes = [\"birth_year\", \"sex\"]\nk = 10\n";
    let name = "[attributes.name]\nidentifier = \"drop\"\n[attributes.mrn]\n";
    desk.write("refused.toml", format!("{spec}{name}"));
    desk.write("kept.toml", format!("{spec}{name}keep = true\n"));
    desk.write("strict.toml", format!("{spec}{name}keep = true\n[output]\nstrict = true\n"));
    let status = |name: &str| desk.run(&format!("anonymize {name}.toml -o {name}")).status.code();
    assert_eq!([status("refused"), status("kept"), status("strict")], [Some(2), Some(0), Some(2)]);
}

#[test]
fn what_contradicts_itself_is_refused() {
    let desk = hospital();
    let said = |flags: &str| transcript(&desk, &format!("anonymize hospital.csv {QID} {flags} -o out"));
    let flags = ["--keep district", "--keep mrn --drop mrn", "--sensitive sex", "--sensitive name --tokenize name"];
    insta::assert_snapshot!(flags.map(said).join("\n"));
}

#[test]
fn the_private_report_tells_of_every_column_and_the_public_one_only_roles() {
    let desk = hospital();
    desk.ok(&format!("anonymize hospital.csv {QID} --drop name --tokenize mrn --sensitive diagnosis -o out"));
    let private = json(&desk, "out/private/report.json");
    let columns = private["columns"].as_array().unwrap();
    let told = |name: &str| columns.iter().find(|column| column["name"] == name).unwrap();
    let roles: Vec<String> =
        columns.iter().map(|one| format!("{} {} {}", one["name"], one["role"], one["published"])).collect();
    insta::assert_snapshot!(roles.join("\n").replace('"', ""));
    assert_eq!(told("doctor")["reveals"][0]["attribute"], "district");
    assert!(told("language")["reveals"].as_array().unwrap().is_empty());
    assert_eq!(private["pairs"][0]["columns"], serde_json::json!(["line", "stop"]));
    let public = json(&desk, "out/public/report.json");
    let own = public["columns"].as_array().unwrap();
    assert_eq!(own.len(), columns.len());
    assert!(
        own.iter().zip(columns).all(|(one, other)| (&one["name"], &one["role"]) == (&other["name"], &other["role"]))
    );
    assert!(own.iter().all(|column| column.as_object().unwrap().len() == 2), "name and role, nothing else");
    for page in ["out/public/report.html", "out/public/report.json"] {
        assert!(!desk.read(page).contains("away"), "{page}");
    }
    assert!(desk.read("out/private/report.html").contains("gives district away"));
}

#[test]
fn without_the_screen_persons_are_still_not_named() {
    let desk = hospital();
    let run = |flags: &str| transcript(&desk, &format!("anonymize hospital.csv {QID} --no-screen {flags} -o out"));
    insta::assert_snapshot!([run(""), run("--drop mrn,name")].join("\n"));
}

#[test]
fn what_groups_tell_of_a_sensitive_attribute_is_watched() {
    let mut table = "age,town,diagnosis,year\n".to_owned();
    for n in 0..60 {
        writeln!(
            table,
            "{},{},{},{}",
            20 + n % 3,
            n % 2,
            if n % 2 == 0 { "HIV" } else { ["flu", "none"][n / 2 % 2] },
            2000 + n % 5
        )
        .unwrap();
    }
    let desk = Desk::with("t.csv", table);
    let run = |flags: &str| transcript(&desk, &format!("anonymize t.csv --qid age,town:5 --categorical town {flags}"));
    insta::assert_snapshot!(
        [
            run("--sensitive diagnosis -o watched"),
            run("--sensitive diagnosis --strict -o strict"),
            run("--condition distinct-l:diagnosis=2 -o diverse"),
            run("--bound diagnosis=HVI<=0.5 -o misspelled"),
            transcript(
                &desk,
                "verify watched/public/table.csv --qid age,town:5 --bound diagnosis=HVI<=0.5 --no-screen"
            ),
            transcript(&desk, "verify diverse"),
            transcript(&desk, "verify watched/public"),
            transcript(&desk, "verify watched/public/table.csv"),
        ]
        .join("\n")
    );
    assert!(desk.read("watched/private/report.html").contains("everybody has the same value"));
}

#[test]
fn k_of_one_is_said_to_protect_nobody() {
    let desk = Desk::with("t.csv", "age,y\n1,a\n2,a\n3,b\n");
    let said = [
        "anonymize t.csv --qid age:1 -o out",
        "anonymize t.csv --qid age:1 --strict -o strict",
        "verify out --no-screen",
    ];
    insta::assert_snapshot!(said.map(|arguments| transcript(&desk, arguments)).join("\n"));
}

#[test]
fn suppressed_records_are_counted_and_told_from_masked_values() {
    let mut table = "age,town,ward\n".to_owned();
    (0..400).for_each(|n| writeln!(table, "{},{},w{}", 20 + n % 40, ["x", "y"][n / 2 % 2], n % 2).unwrap());
    (0..12).for_each(|n| writeln!(table, "30,{},rare{n}", ["x", "y"][n % 2]).unwrap());
    let desk = Desk::with("t.csv", table);
    let run = |flags: &str| transcript(&desk, &format!("anonymize t.csv --suppress-limit 5% {flags}"));
    let masked = run("--qid age,town,ward:10 -o masked");
    insta::assert_snapshot!(
        [masked, run("--qid town,ward:10 -o names"), run("--qid town,ward:10 --suppress-how drop -o dropped")]
            .join("\n")
    );
    assert!(desk.read("masked/private/report.html").contains("broke a condition"));
}

#[test]
fn a_first_look_says_what_and_why() {
    let desk = hospital();
    let said = transcript(&desk, "init hospital.csv");
    insta::assert_snapshot!(format!("{said}\n{}", desk.read("release.toml")));
    desk.ok("anonymize release.toml -o out");
}

#[test]
fn a_first_look_knows_several_languages_and_what_is_missing() {
    let mut table = "PERSON_TYPE,Hispanic Origin,dob,PLZ,Geschlecht,model_year,charge,speed,colour\n".to_owned();
    let mut dice = Dice(3);
    for n in 0..120 {
        let speed = if n % 9 == 0 { "N/A".to_owned() } else { dice.below(30).to_string() };
        let colour = ["red", "?", "blue", "unknown"][dice.below(4) as usize];
        let dob = format!("{}-{:02}-{:02}", 1950 + n % 40, n % 12 + 1, n % 28 + 1);
        let person = ["driver", "passenger"][n % 2];
        writeln!(
            table,
            "{person},{},{dob},{:05},{},{},{},{speed},{colour}",
            dice.below(3),
            1067 + dice.below(9),
            dice.below(2),
            2000 + dice.below(20),
            dice.below(7)
        )
        .unwrap();
    }
    let desk = Desk::with("accidents.csv", table);
    insta::assert_snapshot!(transcript(&desk, "init accidents.csv"));
}

#[test]
fn a_first_look_at_the_datasets() {
    let desk = Desk::new();
    let look = |name: &str| {
        let path = dataset(name);
        transcript(&desk, &format!("init {path} --force")).replace(&path, name)
    };
    insta::assert_snapshot!(["adult/train.csv.gz", "crx/crx.csv.gz", "german/german.csv.gz"].map(look).join("\n"));
}
