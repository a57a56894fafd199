//! Text that is not UTF-8, and files that others packed.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

const TABLE: &str = "Größe,Stadt,krank\n170,Köln,nein\n171,Köln,ja\n180,Łódź,nein\n181,Łódź,ja\n";
const QID: &str = "--qid Größe,Stadt:2";

fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
}

/// The same text in one byte a character; the letters that Windows-1252 lacks are written otherwise.
fn windows_1252(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
}

#[test]
fn a_byte_order_mark_tells_the_encoding_and_what_is_published_is_utf_8() {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok(&format!("anonymize t.csv {QID} -o plain"));
    desk.write("little.csv", utf16(TABLE, u16::to_le_bytes));
    desk.write("big.csv", utf16(TABLE, u16::to_be_bytes));
    for name in ["little", "big"] {
        desk.ok(&format!("anonymize {name}.csv {QID} -o {name}"));
        assert_eq!(desk.read(&format!("{name}/public/table.csv")), desk.read("plain/public/table.csv"));
        // The verifier has a reader of its own.
        assert!(desk.ok(&format!("verify {name}.csv --qid Stadt:2")).contains("holds"));
    }
}

#[test]
fn an_encoding_that_is_said_is_read_by_every_command() {
    let table = TABLE.replace("Łódź", "Lodz");
    let desk = Desk::with("t.csv", &table);
    desk.write("w.csv", windows_1252(&table));
    desk.ok(&format!("anonymize t.csv {QID} -o plain"));
    for name in ["windows-1252", "latin1"] {
        desk.ok(&format!("anonymize w.csv {QID} --encoding {name} -o {name}"));
        assert_eq!(desk.read(&format!("{name}/public/table.csv")), desk.read("plain/public/table.csv"));
    }
    desk.ok("apply plain/public/recoding.json w.csv --encoding latin1 -o again.csv");
    assert_eq!(desk.read("again.csv"), desk.read("plain/public/table.csv"));
    assert!(desk.ok("verify w.csv --encoding latin1 --qid Stadt:2").contains("holds"));
    assert!(desk.ok("init w.csv --encoding latin1 -o spec.toml").contains("spec.toml"));
}

#[test]
fn what_is_no_text_is_told_with_its_place_and_what_to_say() {
    let desk = Desk::new();
    desk.write("w.csv", windows_1252("size,city\n170,Bonn\n171,Köln\n"));
    let refused = |arguments: &str| {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let told = refused("anonymize w.csv --qid size,city:2 -o out");
    assert!(told.contains("`w.csv` line 3, byte 6: not valid UTF-8"), "{told}");
    assert!(told.contains("--encoding windows-1252") && !told.contains("ln"), "{told}");
    let told = refused("anonymize w.csv --encoding utf16 --qid size,city:2 -o out");
    assert!(told.contains("not valid UTF-16LE") || told.contains("`size`"), "{told}");
    let told = refused("anonymize w.csv --encoding klingon --qid size,city:2 -o out");
    assert!(told.contains("`klingon` is no encoding") && told.contains("windows-1252"), "{told}");
    // Two bytes a character and no mark: letters of English are UTF-8 even so.
    desk.write("wide.csv", &utf16("size,city\n1,a\n", u16::to_le_bytes)[2..]);
    let told = refused("anonymize wide.csv --qid size,city:2 -o out");
    assert!(told.contains("line 1, byte 2") && told.contains("utf-16le"), "{told}");
}

#[test]
fn packed_files_are_looked_through_by_both_readers() {
    let desk = Desk::with("t.csv", TABLE);
    desk.ok(&format!("anonymize t.csv {QID} -o plain"));
    for (program, extension) in [("xz", "xz"), ("bzip2", "bz2")] {
        let packed = desk.command_in_shell(&format!("{program} -k t.csv")).status();
        assert!(packed.unwrap().success(), "{program} packs what this test reads");
        desk.ok(&format!("anonymize t.csv.{extension} {QID} -o {extension}"));
        assert_eq!(desk.read(&format!("{extension}/public/table.csv")), desk.read("plain/public/table.csv"));
        assert!(desk.ok(&format!("verify t.csv.{extension} --qid Stadt:2")).contains("holds"));
    }
}

#[test]
fn two_columns_of_one_name_are_offered_new_names_that_work() {
    let desk = Desk::with("t.csv", "age,code,code\n30,a,b\n30,a,c\n");
    let output = desk.run("anonymize t.csv --qid age:2 -o out");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("two columns named `code`") && told.contains("--columns age,code,code_2"), "{told}");
    desk.ok("anonymize t.csv --columns age,code,code_2 --qid age:2 -o out");
    assert_eq!(desk.read("out/public/table.csv").lines().next(), Some("age,code,code_2"));
}
