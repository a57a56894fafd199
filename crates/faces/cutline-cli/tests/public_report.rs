//! What is published beside the table is a function of the table and public settings: inputs that differ only in what the table hides
//! give the same bytes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

/// Twelve persons of Oslo and Rome each, and four of towns that are too small to be told.
fn table(hidden: [&str; 4]) -> String {
    let mut csv = "town,age,ill,days\n".to_owned();
    for record in 0..24 {
        let (town, age) = (["Oslo", "Rome"][record % 2], [31, 64][record / 12]);
        csv += &format!("{town},{age},{},{}\n", ["yes", "no"][record % 3 % 2], record % 5 + age / 10);
    }
    hidden.iter().for_each(|town| csv += &format!("{town},31,no,4\n"));
    csv
}

/// Publishes both tables and compares. They differ in what only the steward may see.
fn same_public_files(first: [&str; 4], second: [&str; 4], flags: &str) {
    let desk = compared(first, second, flags);
    assert_ne!(metrics(&desk, "a"), metrics(&desk, "b"), "what is hidden differs, or this test shows nothing");
}

fn compared(first: [&str; 4], second: [&str; 4], flags: &str) -> Desk {
    let desk = Desk::new();
    for (name, hidden) in [("a", first), ("b", second)] {
        desk.write("table.csv", table(hidden));
        desk.ok(&format!("anonymize table.csv --qid town,age:4 --categorical town {flags} -o {name}"));
    }
    let (names, content) = (public_names(&desk, "a"), |file: &str| std::fs::read(desk.path(file)).unwrap());
    assert_eq!((names.len(), &names), (4, &public_names(&desk, "b")));
    for file in names {
        assert!(content(&format!("a/public/{file}")) == content(&format!("b/public/{file}")), "{file}, {flags}");
    }
    desk
}

fn public_names(desk: &Desk, release: &str) -> Vec<String> {
    let entries = std::fs::read_dir(desk.path(release).join("public")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn metrics(desk: &Desk, release: &str) -> serde_json::Value {
    let report: serde_json::Value =
        serde_json::from_str(&desk.read(&format!("{release}/private/report.json"))).unwrap();
    report["metrics"].clone()
}

const PURPOSES: [&str; 4] =
    ["", "--target ill", "--purpose regression --target days", "--clusters 2 --cluster-on ill,days"];

const ALGORITHMS: [&str; 5] = ["refine", "tdr", "tds", "bottom-up", "genetic --iterations 300"];

/// Those that give groups labels of their own.
const LOCAL: [&str; 2] = ["refine --local nested", "refine --local free"];

#[test]
fn that_a_hidden_value_is_missing_changes_no_public_file() {
    for algorithm in ALGORITHMS {
        let flags = format!("--algorithm {algorithm} --suppress-limit 0%");
        same_public_files(["Ulm", "Kiel", "Bonn", "Trier"], ["Ulm", "", "", "Kiel"], &flags);
    }
}

#[test]
fn hidden_values_change_no_public_file() {
    let (first, second) = (["Ulm", "Kiel", "Bonn", "Trier"], ["Ulm", "Ulm", "Ulm", "Kiel"]);
    for purpose in PURPOSES {
        for algorithm in ALGORITHMS {
            same_public_files(first, second, &format!("{purpose} --algorithm {algorithm} --suppress-limit 0%"));
        }
    }
    for purpose in PURPOSES {
        for budget in ["--suppress-limit 0%", "--suppress-limit 20% --suppress-how drop"] {
            same_public_files(first, second, &format!("{purpose} {budget}"));
        }
    }
    for more in ["--target ill --condition alpha:ill=0.8", "--format parquet", "--format arrow", "--format jsonl"] {
        same_public_files(first, second, more);
    }
}

#[test]
fn suppressed_records_change_no_public_file() {
    for purpose in PURPOSES {
        for algorithm in ALGORITHMS {
            for how in ["mask", "drop"] {
                let budget = format!("{purpose} --algorithm {algorithm} --suppress-limit 20% --suppress-how {how}");
                same_public_files(["Ulm", "Kiel", "Bonn", "Trier"], ["Ulm", "Ulm", "Ulm", "Kiel"], &budget);
            }
        }
    }
}

/// Publishes tables that differ in what is not published: every public file is the same for all of them.
fn one_release_of_all(tables: &[String], flags: &str) {
    let desk = Desk::new();
    desk.write("town.txt", TOWNS);
    for (number, csv) in tables.iter().enumerate() {
        desk.write("table.csv", csv);
        desk.ok(&format!("anonymize table.csv {flags} -o {number}"));
        for file in public_names(&desk, "0") {
            let content = |release: usize| desk.read(&format!("{release}/public/{file}"));
            assert_eq!(content(number), content(0), "{file} of {csv:?}, {flags}");
        }
    }
}

const TOWNS: &str =
    "Any\n  North\n    Kiel\n    Bremen\n  South\n    Ulm\n    Augsburg\n    Passau\n  West\n    Bonn\n    Trier\n";

/// Forty persons of two towns, and others.
fn towns(others: &[&str]) -> String {
    let towns = ["Kiel", "Bremen"].iter().cycle().take(40).chain(others);
    towns.fold("town,ill\n".to_owned(), |csv, town| csv + town + ",yes\n")
}

/// Somebody of the South or of the West was suppressed: where a taxonomy is cut must not tell of which.
#[test]
fn a_cut_does_not_tell_where_suppressed_persons_live() {
    let hidden: [&[&str]; 6] =
        [&[], &["Ulm", "Ulm"], &["Bonn", "Bonn"], &["Ulm", "Bonn"], &["Ulm", "Passau"], &["", "Trier"]];
    let tables: Vec<String> = hidden.iter().map(|others| towns(others)).collect();
    for algorithm in ALGORITHMS.into_iter().chain(LOCAL) {
        let flags = format!("--qid town:5 --taxonomy town=town.txt --suppress-limit 10% --algorithm {algorithm}");
        one_release_of_all(&tables, &format!("{flags} --suppress-how drop"));
        // Two are too few for a group of their own.
        one_release_of_all(&tables[1..], &flags);
    }
}

#[test]
fn that_a_hidden_value_is_missing_is_not_told() {
    let hidden: [&[&str]; 3] = [&["zz", "yy"], &["", "yy"], &["", ""]];
    let tables: Vec<String> = hidden.iter().map(|others| towns(others)).collect();
    for algorithm in ALGORITHMS.into_iter().chain(LOCAL) {
        for budget in ["--suppress-limit 10%", "--suppress-limit 10% --suppress-how drop"] {
            one_release_of_all(&tables, &format!("--qid town:5 {budget} --algorithm {algorithm}"));
        }
    }
    // Too few for anything to be told.
    let tables = ["zz,a\nyy,a\nxx,a\n", ",a\nyy,a\nxx,a\n"].map(|records| format!("name,ill\n{records}"));
    one_release_of_all(&tables, "--qid name:3 --categorical name");
}

/// Where every value is masked, nobody learns whether all of them were numbers.
#[test]
fn that_hidden_values_are_numbers_is_not_told() {
    let hidden = ["11,12,13", "11,x,13", "x,y,z", ",12,13", "1.5,2,3e4"];
    let tables = hidden.map(|codes| {
        let records: String = codes.split(',').map(|code| format!("{code},a\n")).collect();
        format!("code,ill\n{records}")
    });
    for algorithm in ALGORITHMS.into_iter().chain(LOCAL) {
        one_release_of_all(&tables, &format!("--qid code:3 --algorithm {algorithm}"));
    }
    // What is said is told.
    let desk = Desk::with("table.csv", &tables[0]);
    desk.ok("anonymize table.csv --qid code:3 --continuous code -o out");
    assert!(desk.read("out/public/recoding.json").contains("discretize"));
}

/// Forty persons of two ages and two towns, and others, of whom a few are too many for no group and too few for one.
fn ages(others: &[&str]) -> String {
    let persons = (0..40).map(|person| {
        format!("{},{},{}", [30, 50][person % 2], ["Kiel", "Ulm"][person / 20], ["yes", "no"][person % 2])
    });
    let others = others.iter().map(|other| format!("{other},yes"));
    persons.chain(others).fold("age,town,ill\n".to_owned(), |csv, person| csv + &person + "\n")
}

/// Somebody who is suppressed may be older than all others, or of an age that nobody knows: bounds and regions tell nothing of it.
#[test]
fn regions_do_not_tell_of_suppressed_persons() {
    let hidden: [&[&str]; 5] = [
        &["70,Bonn", "70,Bonn"],
        &["70,Bonn", "71,Bonn"],
        &["70,Trier", "70,Bonn"],
        &[",Bonn", ",Bonn"],
        &["70,", "70,"],
    ];
    for algorithm in LOCAL {
        for more in ["", "--taxonomy town=town.txt", "--range age=0..99"] {
            for how in ["mask", "drop"] {
                let flags = format!(
                    "--qid age,town:5 --target ill --categorical town --suppress-limit 10% --suppress-how {how}"
                );
                let tables = hidden.map(ages);
                let alike =
                    releases_of_one_table_are_alike(&tables, &format!("{flags} {more} --algorithm {algorithm}"));
                assert!(alike >= 3, "{alike} tables that look the same: {algorithm} {more} {how}");
            }
        }
    }
}

/// Publishes tables; where two come out the same, so does every public file. Returns how many look like the first.
fn releases_of_one_table_are_alike(tables: &[String], flags: &str) -> usize {
    let desk = Desk::new();
    desk.write("town.txt", TOWNS);
    let mut releases: Vec<Vec<String>> = Vec::new();
    for (number, csv) in tables.iter().enumerate() {
        desk.write("table.csv", csv);
        desk.ok(&format!("anonymize table.csv {flags} -o {number}"));
        let files = ["table.csv", "recoding.json", "report.json", "report.html"];
        releases.push(files.map(|file| desk.read(&format!("{number}/public/{file}"))).to_vec());
    }
    for (number, release) in releases.iter().enumerate() {
        let same = releases.iter().position(|other| other[0] == release[0]).unwrap();
        assert_eq!(&releases[same], release, "tables {same} and {number}, {flags}");
    }
    releases.iter().filter(|release| release[0] == releases[0][0]).count()
}

/// Groups that are refined by themselves depend on how many hide where, so the tables have other towns, and as many of each.
#[test]
fn hidden_values_change_no_public_file_of_a_local_release() {
    let (first, second) = (["Ulm", "Kiel", "Bonn", "Trier"], ["Lund", "Graz", "Metz", "Nice"]);
    for purpose in &PURPOSES[..3] {
        for local in ["nested", "free"] {
            for budget in ["", "--suppress-limit 20% --suppress-how mask", "--suppress-limit 20% --suppress-how drop"] {
                compared(first, second, &format!("{purpose} --local {local} {budget}"));
            }
            if !purpose.is_empty() {
                same_public_files(first, ["Ulm", "Ulm", "Ulm", "Kiel"], &format!("{purpose} --local {local}"));
            }
        }
    }
}

/// A group whose ages are not told may lack some: its label is the same, and no other group needs to know.
#[test]
fn that_a_value_hidden_in_a_group_is_missing_changes_no_public_file() {
    let tables = ["30", ""].map(|hidden| {
        let told = (20..30).fold("sex,age,town\n".to_owned(), |csv, age| format!("{csv}a,{age},Kiel\n"));
        told + "b,30,Ulm\nb,30,Ulm\nb,30,Ulm\nb," + hidden + "," + if hidden.is_empty() { "" } else { "Ulm" } + "\n"
    });
    for local in LOCAL {
        one_release_of_all(&tables, &format!("--qid sex,age:4 --drop town --algorithm {local}"));
        one_release_of_all(
            &tables,
            &format!("--qid sex,town:4 --drop age --taxonomy town=town.txt --algorithm {local}"),
        );
    }
}
