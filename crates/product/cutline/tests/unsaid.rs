//! Where no algorithm is named, the purpose and the number of records decide which one searches: the same bytes as if it had been named.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../../engines/cutline-remote/tests/support/cases.rs"]
#[allow(dead_code, reason = "only its tables are needed")]
mod cases;

use cutline::spec::Spec;
use cutline::{Destination, Job, Silent, Table, publish};
use serde_json::Value;

/// Releases of one table, each in a folder of its own.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new(csv: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("table.csv"), csv).unwrap();
        Desk { folder }
    }

    /// Publishes the table as a spec and some flags say.
    fn publish(&self, name: &str, spec: &str, flags: &[(&str, &str)]) {
        let mut spec: Spec = toml::from_str(spec).unwrap();
        flags.iter().for_each(|(name, value)| spec.set(name, &(*value).into()).unwrap());
        let table = self.folder.path().join("table.csv");
        let table = Table::open(table.to_str().unwrap(), &Default::default(), 2).unwrap();
        let destination = Destination { path: self.folder.path().join(name), force: true };
        publish(&Job::new(spec).unwrap(), &table, &destination, &Silent).unwrap();
    }

    fn read(&self, release: &str, file: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(release).join(file)).unwrap()
    }

    /// The table, the recoding and the trace.
    fn bytes(&self, release: &str) -> [String; 3] {
        ["public/table.csv", "public/recoding.json", "private/trace.jsonl"].map(|file| self.read(release, file))
    }

    /// What a release says of its search, to everybody and to the steward.
    fn searched_by(&self, release: &str) -> [String; 2] {
        let report = |file: &str| -> Value { serde_json::from_str(&self.read(release, file)).unwrap() };
        let (public, private) = (report("public/report.json"), report("private/report.json"));
        [&public["spec"]["algorithm"], &private["algorithm"]].map(|said| said.as_str().unwrap().to_owned())
    }
}

/// `tdr` looks at the bound of highest gain alone, at 30, which leaves too few on its left; `refine` finds the one at 40.
fn ages(records: usize) -> String {
    let value = |record: usize| match record % 1400 {
        0..400 => "20,Y\n",
        400..500 => "30,Y\n",
        500..800 => "30,N\n",
        _ => "40,N\n",
    };
    format!("age,class\n{}", (0..records).map(value).collect::<String>())
}

const AGES: &str = "[[qid]]\nattributes = [\"age\"]\nk = 70_000\n[purpose]\ntarget = \"class\"\n";

#[test]
fn up_to_200_000_records_are_searched_by_refine_and_more_by_tdr() {
    for (records, search, other) in [(200_000, "refine", "tdr"), (200_001, "tdr", "refine")] {
        let desk = Desk::new(&ages(records));
        desk.publish("unsaid", AGES, &[]);
        desk.publish("elsewhere", AGES, &[("memory", "1MiB"), ("threads", "1")]);
        desk.publish("named", AGES, &[("algorithm", search)]);
        desk.publish("other", AGES, &[("algorithm", other)]);
        assert_eq!(desk.bytes("unsaid"), desk.bytes("named"), "{records} records");
        assert_eq!(desk.bytes("unsaid"), desk.bytes("elsewhere"), "{records} records");
        assert_ne!(desk.bytes("unsaid"), desk.bytes("other"), "{records} records");
        assert_eq!(desk.searched_by("unsaid"), ["default", search]);
        assert_eq!(desk.searched_by("named"), [search, search]);
    }
}

/// Whatever else is said.
#[test]
fn every_setting_works_without_a_named_algorithm() {
    let qid = "[[qid]]\nattributes = [\"age\", \"weight\", \"town\"]\nk = 9\n";
    let two =
        "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 8\n[[qid]]\nattributes = [\"weight\", \"town\"]\nk = 12\n";
    let class = ("target", "ill");
    let settings: &[&[(&str, &str)]] = &[
        &[],
        &[class],
        &[("target", "weight"), ("purpose", "regression"), ("allow-target-in-qid", "true")],
        &[class, ("suppress-limit", "6%")],
        &[class, ("suppress-limit", "6%"), ("suppress-how", "drop")],
        &[class, ("condition", "distinct-l:diagnosis=3")],
        &[class, ("max-steps", "3")],
        &[class, ("pin-closed", "town=*")],
        &[class, ("missing", "drop"), ("what-if", "true")],
    ];
    let desk = Desk::new(&cases::table(5, 700));
    for spec in [qid, two] {
        for flags in settings {
            let always = [("drop", "id"), ("null", "?")];
            let flags = [&always[..], flags].concat();
            desk.publish("unsaid", spec, &flags);
            desk.publish("named", spec, &[&flags[..], &[("algorithm", "refine")]].concat());
            assert_eq!(desk.bytes("unsaid"), desk.bytes("named"), "{flags:?}");
            assert_eq!(desk.searched_by("unsaid"), ["default", "refine"]);
        }
    }
    let persons = [("person", "id"), ("null", "?"), class];
    desk.publish("unsaid", qid, &persons);
    desk.publish("named", qid, &[&persons[..], &[("algorithm", "refine")]].concat());
    assert_eq!(desk.bytes("unsaid"), desk.bytes("named"));
}

#[test]
fn clusters_are_searched_by_tdr() {
    let desk = Desk::new(&cases::table(6, 400));
    let spec = "[[qid]]\nattributes = [\"age\", \"weight\"]\nk = 9\n[purpose]\nclusters = 2\n";
    let flags = [("drop", "id"), ("null", "?")];
    desk.publish("unsaid", spec, &flags);
    desk.publish("named", spec, &[&flags[..], &[("algorithm", "tdr")]].concat());
    assert_eq!(desk.bytes("unsaid"), desk.bytes("named"));
    assert_eq!(desk.searched_by("unsaid"), ["tdr", "tdr"]);
}

/// One table with a record more, which is left out: the same is published of both, though not by the same search.
#[test]
fn nobody_learns_from_the_name_of_the_search_how_many_records_were_left_out() {
    let towns = |rare: &str| format!("town\n{}{rare}", "Ulm\nKiel\n".repeat(100_000));
    let desks = [Desk::new(&towns("")), Desk::new(&towns("Bonn\n"))];
    for desk in &desks {
        let taxonomy = desk.folder.path().join("town.txt");
        std::fs::write(&taxonomy, "Any\n  Ulm\n  Kiel\n  Bonn\n").unwrap();
        let taxonomy = format!("town={}", taxonomy.display());
        let flags = [("taxonomy", &taxonomy[..]), ("suppress-limit", "1%"), ("suppress-how", "drop")];
        desk.publish("out", "[[qid]]\nattributes = [\"town\"]\nk = 9\n", &flags);
    }
    assert_eq!(desks.each_ref().map(|desk| desk.searched_by("out")[1].clone()), ["refine", "tdr"]);
    for file in ["table.csv", "recoding.json", "report.json", "report.html"] {
        let [first, second] = desks.each_ref().map(|desk| desk.read("out", &format!("public/{file}")));
        assert!(first == second, "{file} differs");
    }
}
