//! Tokens that are the same again, for whoever has the key.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

const TABLE: &str = "patient,age\nann,30\nbob,30\nann,31\n,31\n";

fn desk() -> Desk {
    let desk = Desk::with("t.csv", TABLE);
    assert!(desk.ok("key new tokens.key").contains("--token-key tokens.key"));
    desk
}

/// The tokens of a release, in the order of its records.
fn tokens(desk: &Desk, release: &str) -> Vec<String> {
    let table = desk.read(&format!("{release}/public/table.csv"));
    table.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

fn refused(desk: &Desk, arguments: &str) -> String {
    let output = desk.run(arguments);
    assert_eq!(output.status.code(), Some(2), "cutline {arguments}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_person_has_the_same_token_in_every_release_and_table_of_one_key() {
    let desk = desk();
    let anonymize = |table: &str, column: &str, more: &str, out: &str| {
        desk.ok(&format!("anonymize {table} --qid age:2 --tokenize {column} {more} -o {out}"));
        tokens(&desk, out)
    };
    let first = anonymize("t.csv", "patient", "--token-key tokens.key", "first");
    assert!(first[0] == first[2] && first[0] != first[1] && first[0].len() == 32 && first[3].is_empty());
    desk.write("other.csv", "person,age\nbob,50\n ann ,50\n");
    let other = anonymize("other.csv", "person", "--token-key tokens.key", "other");
    assert_eq!(other, [first[1].clone(), first[0].clone()]);
    // Without the key they are others in every release.
    let (random, again) = (anonymize("t.csv", "patient", "", "r1"), anonymize("t.csv", "patient", "", "r2"));
    assert!(random[0] != again[0] && random[0] != first[0] && random[0] == random[2]);
    desk.ok("key new another.key");
    assert_ne!(anonymize("t.csv", "patient", "--token-key another.key", "another")[0], first[0]);
}

#[test]
fn tokens_are_hmac_sha_256_of_the_value() {
    let desk = desk();
    // As Python says: hmac.new(bytes(range(1, 17)), b"ann", "sha256").hexdigest()[:32]
    desk.write("tokens.key", "0102030405060708090a0b0c0d0e0f10\n");
    desk.ok("anonymize t.csv --qid age:2 --tokenize patient --token-key tokens.key -o out");
    assert_eq!(tokens(&desk, "out")[0], "cae83d1f91610280db217bea8bfdcd61");
}

#[test]
fn a_stored_recoding_makes_the_same_tokens() {
    let desk = desk();
    desk.ok("anonymize t.csv --qid age:2 --tokenize patient --token-key tokens.key -o out");
    desk.ok("apply out/public/recoding.json t.csv --token-key tokens.key -o again.csv");
    assert_eq!(desk.read("again.csv"), desk.read("out/public/table.csv"));
}

#[test]
fn a_key_is_refused_that_others_may_read_or_that_is_none() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    let anonymize = "anonymize t.csv --qid age:2 --tokenize patient --token-key tokens.key -o out";
    assert!(refused(&desk, "key new tokens.key").contains("exists already"));
    std::fs::set_permissions(desk.path("tokens.key"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let told = refused(&desk, anonymize);
    assert!(told.contains("`tokens.key` is a key that others") && told.contains("chmod 600 tokens.key"), "{told}");
    std::fs::set_permissions(desk.path("tokens.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(refused(&desk, &anonymize.replace("--tokenize patient", "--drop patient")).contains("--tokenize"));
    desk.write("tokens.key", "secret-that-is-no-key\n");
    let told = refused(&desk, anonymize);
    assert!(told.contains("no key") && told.contains("cutline key new") && !told.contains("secret"), "{told}");
}

#[test]
fn the_key_is_in_no_file_of_a_release() {
    let desk = desk();
    let key = desk.read("tokens.key").lines().last().unwrap().to_owned();
    assert_eq!(key.len(), 32);
    desk.ok("anonymize t.csv --qid age:2 --tokenize patient --token-key tokens.key -o out");
    for file in ["table.csv", "recoding.json", "report.json", "report.html"] {
        let text = desk.read(&format!("out/public/{file}"));
        assert!(!text.contains(&key) && !text.contains("tokens.key"), "{file}");
    }
    for file in ["report.json", "report.html", "trace.jsonl"] {
        assert!(!desk.read(&format!("out/private/{file}")).contains(&key), "{file}");
    }
}
