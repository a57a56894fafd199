//! No attack through any QID of a release beats 1/k, and conditions stop what k-anonymity does not.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use cutline::model::Recoding;
use cutline::model::recoding::SuppressHow;
use cutline::spec::{Algorithm, Spec};
use cutline::{Destination, Job, Silent, Table, publish, source_options};
use cutline_study::attack::Attack;
use serde_json::Value;
use support::{Desk, dataset};

fn json(desk: &Desk, arguments: &str) -> Value {
    serde_json::from_str(&desk.ok(arguments)).unwrap()
}

const ADULT_TRAINING: u64 = 32561;

/// Attacks a release with the raw table itself, through every QID.
fn no_attack_beats_one_in_k(desk: &Desk, release: &str, raw: &str) {
    let recoding = Recoding::from_json(&desk.read(&format!("{release}/public/recoding.json"))).unwrap();
    let report: Value = serde_json::from_str(&desk.read(&format!("{release}/private/report.json"))).unwrap();
    let all_there = report["records"] == ADULT_TRAINING;
    let truth = if all_there { "--truth record" } else { "" };
    let found = json(desk, &format!("attack {release} {raw} --json {truth}"));
    let attacks = found["attacks"].as_array().unwrap();
    assert_eq!(attacks.len(), recoding.requirement.qids.len());
    for (attack, qid) in attacks.iter().zip(&recoding.requirement.qids) {
        let highest = attack["highest_success"].as_f64().unwrap();
        assert!(highest > 0.0 && highest <= 1.0 / qid.k as f64, "{release}, {:?}: {highest}", qid.attributes);
        assert!(attack["fewest"].as_u64().unwrap() >= qid.anonymity);
        // Nobody is protected by being looked for in the wrong place.
        assert!(!all_there || attack["truth"]["among_matches"] == ADULT_TRAINING, "{release}: {attack}");
    }
}

/// Every case of `cases/`, by every algorithm.
#[test]
fn no_attack_on_a_case_beats_one_in_k() {
    let cases = support::root().join("cases");
    let cases = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path().join("spec.toml"));
    let mut attacks = 0;
    for case in cases.filter(|path| path.is_file()) {
        for algorithm in [Algorithm::Refine, Algorithm::Tdr, Algorithm::Tds, Algorithm::BottomUp, Algorithm::Genetic] {
            let mut spec = Spec::read(&case).unwrap();
            spec.search.algorithm = Some(algorithm);
            spec.search.genetic.iterations = Some(500);
            attacks += attack_case(&case.display().to_string(), spec);
        }
    }
    assert!(attacks >= 28, "only {attacks} attacks");
}

/// Publishes, and attacks with what was published; every person's own record is among those that the person matches.
fn attack_case(name: &str, spec: Spec) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let destination = Destination { path: folder.path().join("out"), force: false };
    let job = Job::new(spec.clone()).unwrap();
    let raw = job.open().unwrap();
    let report = publish(&job, &raw, &destination, &Silent).unwrap();
    let recoding = std::fs::read_to_string(destination.path.join("public/recoding.json")).unwrap();
    let recoding = Recoding::from_json(&recoding).unwrap();
    let table = destination.path.join("public/table.csv").display().to_string();
    let options = source_options(&spec).unwrap();
    let released = Table::open(&table, &options, 1).unwrap();
    for qid in &recoding.requirement.qids {
        let all_there = report.dropped == 0 && report.suppressed_how != Some(SuppressHow::Drop);
        let attack = Attack {
            on: qid.attributes.clone(),
            truth: all_there.then(|| Attack::RECORD.to_owned()),
            recoding: Some(recoding.clone()),
            ..Attack::default()
        };
        let outcome = attack.run(&released, &raw, &Silent).unwrap();
        assert!(outcome.highest_success <= 1.0 / qid.k as f64, "{name}: {outcome:?}");
        if let Some(truth) = outcome.truth {
            assert_eq!(truth.among_matches, outcome.persons, "{name}");
            assert!(truth.highest_success <= 1.0 / qid.k as f64, "{name}: {truth:?}");
        }
    }
    recoding.requirement.qids.len()
}

const KNOWN: &str = "age,workclass,education,marital-status,sex,native-country";

fn taxonomies() -> String {
    let names = ["workclass", "education", "marital-status", "sex", "native-country", "relationship", "race"];
    let taxonomy = |name: &&str| format!("--taxonomy {name}={}", dataset(&format!("taxonomies/{name}.txt")));
    names.iter().map(taxonomy).collect::<Vec<_>>().join(" ")
}

#[test]
fn no_attack_on_adult_beats_one_in_k() {
    let desk = Desk::new();
    let adult = dataset("adult/train.csv.gz");
    let several =
        "--qid age,education,sex:20 --qid sex,native-country,hours-per-week:50 --qid relationship,race,age:10";
    for (number, flags) in [
        format!("--qid {KNOWN}:5 --target income {}", taxonomies()),
        format!("--qid {KNOWN}:25 --algorithm tds --target income --missing drop"),
        format!("--qid {KNOWN}:10 --algorithm bottom-up --target income {}", taxonomies()),
        format!("{several} --target income --suppress-limit 1% {}", taxonomies()),
        format!("{several} --suppress-limit 2% --suppress-how drop"),
        format!("--qid {KNOWN}:10 --algorithm bottom-up --suppress-limit 1% {}", taxonomies()),
        format!("--qid {KNOWN}:50 --algorithm genetic --iterations 300 --target income {}", taxonomies()),
        format!("{several} --algorithm genetic --iterations 200 --seed 3"),
    ]
    .iter()
    .enumerate()
    {
        desk.ok(&format!("anonymize {adult} {flags} --null ? -o out{number}"));
        no_attack_beats_one_in_k(&desk, &format!("out{number}"), &adult);
    }
}

/// Twelve patients whose age, sex and town tell who they are.
const PATIENTS: &str = "id,age,sex,town,diagnosis\n\
    1,21,F,Ulm,flu\n2,25,F,Ulm,flu\n3,28,F,Ulm,flu\n4,29,F,Ulm,flu\n\
    5,41,M,Kiel,HIV\n6,44,M,Kiel,HIV\n7,45,M,Kiel,HIV\n8,47,M,Kiel,HIV\n\
    9,61,M,Kiel,flu\n10,63,M,Kiel,ulcer\n11,65,M,Kiel,cold\n12,69,M,Kiel,HIV\n";

#[test]
fn the_attack_is_told_in_plain_words_and_without_values() {
    let desk = Desk::with("patients.csv", PATIENTS);
    desk.ok("anonymize patients.csv --qid age,sex,town:4 --target diagnosis --keep id -o out");
    let arguments = "attack out patients.csv --truth id --sensitive diagnosis";
    insta::assert_snapshot!(desk.ok(arguments));
    for text in [desk.ok(arguments), desk.ok(&format!("{arguments} --json"))] {
        assert!(["flu", "HIV", "Kiel", "ulcer"].iter().all(|value| !text.contains(value)), "{text}");
    }
    let found = json(&desk, &format!("{arguments} --json"));
    let truth = &found["attacks"][0]["truth"];
    assert_eq!((truth["present"].as_u64(), truth["among_matches"].as_u64()), (Some(12), Some(12)));
    // The order of the records says the same as their identities; a raw table protects nobody.
    assert_eq!(json(&desk, "attack out patients.csv --truth record --json")["attacks"][0]["truth"], *truth);
    let naked = json(&desk, "attack patients.csv patients.csv --on age,sex,town --truth id --json");
    assert_eq!(
        (&naked["attacks"][0]["highest_success"], &naked["attacks"][0]["truth"]["success"]),
        (&1.0.into(), &1.0.into())
    );
}

#[test]
fn a_group_of_equal_diagnoses_is_told_without_a_condition_and_not_with_one() {
    let desk = Desk::with("patients.csv", PATIENTS);
    let publish = "anonymize patients.csv --qid age,sex,town:4 --target diagnosis --drop id";
    desk.ok(&format!("{publish} -o plain"));
    desk.ok(&format!("{publish} --condition distinct-l:diagnosis=3 -o diverse"));
    let certain = |release: &str| {
        let found = json(&desk, &format!("attack {release} patients.csv --sensitive diagnosis --json"));
        let inference = &found["attacks"][0]["inferences"][0];
        (inference["certain"].as_u64().unwrap(), inference["truth"]["certain_and_right"].as_u64().unwrap())
    };
    let (told, right) = certain("plain");
    assert!(told >= 4 && told == right, "{told} {right}");
    assert_eq!(certain("diverse"), (0, 0));
    let verify = "--qid age,sex,town:4 --condition distinct-l:diagnosis=3";
    assert_eq!(desk.run(&format!("verify plain {verify}")).status.code(), Some(1));
    desk.ok(&format!("verify diverse {verify}"));
}

/// Adult's training part: occupation is inferred with certainty for some persons, and for nobody with 3-diversity.
#[test]
fn the_homogeneity_attack_on_adult_fails_against_a_condition() {
    let desk = Desk::new();
    let adult = dataset("adult/train.csv.gz");
    let publish = format!(
        "anonymize {adult} --qid {KNOWN}:5 --target income --suppress-limit 0.5% --missing complete --null ? {}",
        taxonomies()
    );
    desk.ok(&format!("{publish} -o plain"));
    desk.ok(&format!("{publish} --condition distinct-l:occupation=3 -o diverse"));
    let inference = |release: &str| {
        let found = json(&desk, &format!("attack {release} {adult} --sensitive occupation --json"));
        let attack = &found["attacks"][0];
        assert!(attack["highest_success"].as_f64().unwrap() <= 0.2);
        attack["inferences"][0].clone()
    };
    let (plain, diverse) = (inference("plain"), inference("diverse"));
    assert!(plain["certain"].as_u64().unwrap() > 0 && plain["highest_confidence"] == 1.0, "{plain}");
    assert!(diverse["certain"] == 0 && diverse["highest_confidence"].as_f64().unwrap() < 1.0, "{diverse}");
    for inference in [plain, diverse] {
        assert!(inference["truth"]["right"].as_f64() >= inference["truth"]["base_right"].as_f64());
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let desk = Desk::with("a.csv", "age,id\n20,1\n30,2\n");
    desk.write("b.csv", "age\n20\n");
    for (arguments, error) in [
        ("attack a.csv b.csv", "nothing is said that both tables have in common"),
        ("attack a.csv b.csv --on agee", "the table has no column `agee` (asked for in the released one)"),
        ("attack a.csv b.csv --on age --truth id", "the table has no column `id` (asked for in the external one)"),
        ("attack a.csv b.csv --on age --truth record", "the released table has 2 records, the external one 1"),
        ("attack a.csv b.csv --on age --recoding a.csv", "a.csv: this is not a recoding"),
        ("attack a.csv missing.csv --on age", ""),
    ] {
        let output = desk.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with(&format!("error: {error}")), "{arguments}\n{text}");
        assert_eq!(output.status.code(), Some(2), "{arguments}");
    }
}
