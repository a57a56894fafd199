//! In which order records are published: told where it gives something away, random where that is asked for, and the same again with
//! the key that the data holder keeps.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

/// A table in the order of its ids; of every age there are fifty.
fn desk() -> Desk {
    let lines: String = (0..500).map(|n| format!("{n},{},{}\n", n / 50, n * 7 % 13)).collect();
    Desk::with("t.csv", "id,age,note\n".to_owned() + &lines)
}

const RELEASE: &str = "anonymize t.csv --qid age:50 --drop id";

/// The key in a release's private part.
fn key(desk: &Desk, release: &str) -> String {
    let text = desk.read(&format!("{release}/private/shuffle.key"));
    assert!(text.starts_with("# Never publish this"), "{text}");
    text.lines().nth(1).unwrap().to_owned()
}

/// All files under `public/` by name.
fn public(desk: &Desk, release: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(desk.path(release).join("public")).unwrap().map(Result::unwrap);
    let file =
        |entry: std::fs::DirEntry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap());
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

#[test]
fn the_same_table_settings_and_key_give_the_same_bytes() {
    for format in ["csv", "parquet", "arrow", "jsonl"] {
        let desk = desk();
        desk.ok(&format!("{RELEASE} --shuffle --format {format} -o one"));
        desk.ok(&format!("{RELEASE} --shuffle --format {format} -o other"));
        assert_ne!(public(&desk, "one"), public(&desk, "other"), "{format}: a new key is another order");
        for threads in [1, 4] {
            let again = format!("again{threads}");
            desk.ok(&format!(
                "{RELEASE} --shuffle-key one/private/shuffle.key --threads {threads} --format {format} -o {again}"
            ));
            assert_eq!(public(&desk, "one"), public(&desk, &again), "{format}");
            assert_eq!(key(&desk, "one"), key(&desk, &again));
        }
    }
}

#[test]
fn another_table_has_another_order_under_the_same_key() {
    let desk = desk();
    desk.ok(&format!("{RELEASE} --shuffle -o one"));
    // The same persons at the same positions, a month later.
    desk.write("t.csv", desk.read("t.csv").replace("499,9,", "499,9,9"));
    desk.ok(&format!("{RELEASE} --shuffle-key one/private/shuffle.key -o two"));
    let notes = |release: &str| {
        let table = desk.read(&format!("{release}/public/table.csv"));
        table.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let same = notes("one").iter().zip(&notes("two")).filter(|(one, two)| one == two).count();
    assert!(same < 150, "{same} of 500 notes are where they were, one of thirteen would be by chance");
}

#[cfg(unix)]
#[test]
fn the_key_is_private_and_in_no_public_file_or_message() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    let output = desk.run(&format!("{RELEASE} --shuffle -o out"));
    let key = key(&desk, "out");
    assert_eq!(key.len(), 32);
    let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("out/private"), mode("out/private/shuffle.key")), (0o700, 0o600));
    let bytes: Vec<u8> = (0..16).map(|at| u8::from_str_radix(&key[2 * at..2 * at + 2], 16).unwrap()).collect();
    let mut told = public(&desk, "out");
    told.extend([("stdout".to_owned(), output.stdout), ("stderr".to_owned(), output.stderr)]);
    told.push(("report".to_owned(), desk.read("out/private/report.json").into_bytes()));
    for (name, content) in told {
        let has = |part: &[u8]| content.windows(part.len()).any(|window| window == part);
        assert!(!has(key.as_bytes()) && !has(&bytes), "{name} tells the key");
        assert!(!has(b"shuffle_key") && !has(b"shuffle.key"), "{name}");
    }
}

#[test]
fn what_is_no_key_is_refused() {
    let desk = desk();
    desk.write("weak.key", "42\n");
    let refused = desk.run(&format!("{RELEASE} --shuffle-key weak.key -o out"));
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(errors.contains("no key") && errors.contains("private/shuffle.key"), "{errors}");
    assert!(!desk.path("out").exists());
}

/// What `apply` says of a table of ids, ages and diagnoses.
fn notes(records: impl Iterator<Item = (usize, usize, &'static str)>, flags: &str) -> String {
    let desk = Desk::new();
    let table = |records: &[(usize, usize, &str)]| {
        let lines: String = records.iter().map(|(id, age, diag)| format!("{id},{age},{diag}\n")).collect();
        "id,age,diag\n".to_owned() + &lines
    };
    let mixed: Vec<_> = (0..60).map(|n| (n * 37 % 60, n * 11 % 60 / 10, ["flu", "cold", "hiv"][n * 7 % 3])).collect();
    desk.write("first.csv", table(&mixed));
    desk.ok("anonymize first.csv --qid age:2 --drop id --condition distinct-l:diag=2 -o out");
    desk.write("t.csv", table(&records.collect::<Vec<_>>()));
    let output = desk.run(&format!("apply out/public/recoding.json t.csv -o applied.csv {flags}"));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    told
}

#[test]
fn apply_tells_the_order_of_what_is_hidden_too() {
    let diag = |n: usize| ["flu", "cold", "hiv"][n * 7 % 3];
    let mixed = |n: usize| n * 37 % 60;
    let by_id = |flags| notes((0..60).map(|n| (n, mixed(n) / 10, diag(n))), flags);
    assert!(by_id("").contains("ascending order of `id`, which is an identifier"), "{}", by_id(""));
    assert!(!by_id("--shuffle").contains("order of"), "{}", by_id("--shuffle"));
    let by_age = notes((0..60).map(|n| (mixed(n), 5 - n / 10, diag(n))), "");
    assert!(by_age.contains("descending order of `age`, which is masked"), "{by_age}");
    let by_diag = notes((0..60).map(|n| (mixed(n), mixed(n) / 20, ["cold", "flu", "hiv"][n / 20])), "");
    assert!(by_diag.contains("ascending order of `diag`, which is sensitive"), "{by_diag}");
    let none = notes((0..60).map(|n| (mixed(n), mixed(n + 1) / 10, diag(n))), "");
    assert!(!none.contains("order of"), "{none}");
    let visits = notes((0..60).map(|n| (mixed(n) / 5, mixed(n + 1) / 10, diag(n))), "");
    assert!(visits.contains("60 records have 12 different values of `id`"), "{visits}");
}

#[test]
fn apply_shuffles_and_with_the_key_of_a_release_gives_its_table_again() {
    let desk = desk();
    desk.ok(&format!("{RELEASE} --shuffle -o out"));
    desk.ok("apply out/public/recoding.json t.csv --shuffle-key out/private/shuffle.key -o again.csv");
    assert_eq!(desk.read("again.csv"), desk.read("out/public/table.csv"));
    desk.ok("apply out/public/recoding.json t.csv --shuffle -o shuffled.csv");
    desk.ok("apply out/public/recoding.json t.csv -o kept.csv");
    let sorted = |name: &str| {
        let mut lines: Vec<String> = desk.read(name).lines().map(str::to_owned).collect();
        lines[1..].sort();
        lines
    };
    assert_ne!(desk.read("shuffled.csv"), desk.read("again.csv"));
    assert_ne!(desk.read("shuffled.csv"), desk.read("kept.csv"));
    assert_eq!(sorted("shuffled.csv"), sorted("kept.csv"));
}
