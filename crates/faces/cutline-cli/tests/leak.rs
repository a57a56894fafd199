//! No value that a recoding hides is in any public file of a release.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeSet;

use cutline::model::{AttributeRecoding, Recoding, parse_number};
use support::Desk;

const RECORDS: usize = 600;

const FILES: [&str; 4] = ["public/table.csv", "public/recoding.json", "public/report.json", "public/report.html"];

/// A generator of unmistakable values.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 20
    }

    fn below(&mut self, most: usize) -> usize {
        self.next() as usize % most
    }

    fn word(&mut self) -> String {
        (0..14).map(|_| char::from(b'a' + self.below(26) as u8)).collect()
    }

    /// A number that nobody would write by chance.
    fn number(&mut self) -> String {
        format!("{}.{:04}7", 10_000 + self.below(80_000), self.below(10_000))
    }
}

/// The raw values of every quasi attribute.
struct Raw {
    csv: String,
    columns: Vec<(&'static str, Vec<String>)>,
}

/// `town` has a taxonomy of its own words, `name` none, `income` is a number, `height` a number with a declared range, and `odd` has
/// values that its taxonomy lacks. Some are missing.
fn raw(desk: &Desk) -> Raw {
    let mut random = Random(42);
    let names: Vec<String> = (0..60).map(|_| random.word()).collect();
    let odd: Vec<String> = (0..40).map(|_| random.word()).collect();
    let towns = ["Ulm", "Kiel", "Bonn", "Trier"];
    desk.write("town.txt", "Anywhere\n  South\n    Ulm\n  Other\n    Kiel\n    Bonn\n    Trier\n");
    desk.write("odd.txt", "Whatever\n  Known\n    seen\n");
    let mut columns: Vec<(&str, Vec<String>)> =
        ["town", "name", "income", "height", "odd"].map(|name| (name, Vec::new())).to_vec();
    let mut csv = "town,name,income,height,odd,target\n".to_owned();
    for record in 0..RECORDS {
        // A few names are frequent, so that some are disclosed.
        let name = if random.below(3) == 0 { &names[random.below(3)] } else { &names[random.below(60)] };
        let missing = random.below(20) == 0;
        let income = if missing { String::new() } else { random.number() };
        let odd = if random.below(8) == 0 { odd[random.below(40)].clone() } else { "seen".to_owned() };
        let row = [towns[random.below(4)].to_owned(), name.clone(), income, random.number(), odd];
        let target = if (record + random.below(3)).is_multiple_of(3) { "yes" } else { "no" };
        csv += &format!("{},{target}\n", row.join(","));
        columns.iter_mut().zip(row).for_each(|((_, values), value)| values.push(value));
    }
    Raw { csv, columns }
}

/// The values of an attribute that its release hides: those that no published record has, and that are no labels of the given
/// taxonomies or, unless bounds are rounded, bounds.
fn hidden(
    attribute: &AttributeRecoding,
    values: &[String],
    labels: &BTreeSet<&str>,
    bounds_may_tell: bool,
) -> BTreeSet<String> {
    let given = ["Ulm", "Kiel", "Bonn", "Trier", "seen"];
    let told = |value: &str| labels.contains(value) || given.contains(&value);
    let bounds: Vec<f64> = match attribute {
        AttributeRecoding::Discretize { bounds, .. } => bounds.iter().filter_map(|bound| bound.0).collect(),
        _ => Vec::new(),
    };
    let is_bound = |value: &String| bounds_may_tell && parse_number(value).is_some_and(|value| bounds.contains(&value));
    values.iter().filter(|value| !value.is_empty() && !told(value) && !is_bound(value)).cloned().collect()
}

/// What a column of a published table says.
fn published<'a>(table: &'a str, name: &str) -> BTreeSet<&'a str> {
    let place = table.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    table.lines().skip(1).map(|line| line.split(',').nth(place).unwrap()).collect()
}

/// The words and numbers of a file, so that a number is found only as a whole.
fn tokens(text: &str) -> BTreeSet<&str> {
    let part = |character: char| character.is_alphanumeric() || character == '.';
    text.split(|character| !part(character)).map(|token| token.trim_matches('.')).collect()
}

fn check(desk: &Desk, raw: &Raw, flags: &str) {
    let what = format!(
        "raw.csv --target target --taxonomy town=town.txt --taxonomy odd=odd.txt --unknown root --range height=1..100000 {flags}"
    );
    desk.ok(&format!("anonymize {what} -o out --force"));
    let rounded = flags.contains("--round-bounds");
    let recoding = Recoding::from_json(&desk.read("out/public/recoding.json")).unwrap();
    let table = desk.read("out/public/table.csv");
    let mut sought = 0;
    for (name, values) in &raw.columns {
        let Some(attribute) = recoding.attributes.get(*name) else { continue };
        let labels = published(&table, name);
        let hidden = hidden(attribute, values, &labels, !rounded);
        let hidden: BTreeSet<&str> = hidden.iter().map(String::as_str).collect();
        sought += hidden.len();
        for file in FILES {
            let text = desk.read(&format!("out/{file}"));
            let leaked = tokens(&text).intersection(&hidden).count();
            assert_eq!(leaked, 0, "{file} tells {leaked} hidden values of `{name}`: cutline anonymize {what}");
        }
    }
    assert!(sought > 200, "only {sought} values are hidden by {flags}");
    if rounded {
        // The bounds are others, but the records are in the same intervals: the recoding gives the same table again.
        desk.ok("apply out/public/recoding.json raw.csv -o again.csv --unknown root --force");
        assert_eq!(desk.read("again.csv"), desk.read("out/public/table.csv"), "{flags}");
    }
}

#[test]
fn no_public_file_tells_a_hidden_value() {
    let desk = Desk::new();
    let raw = raw(&desk);
    desk.write("raw.csv", &raw.csv);
    let one = "--qid town,name,income,height,odd:10";
    let several = "--qid town,name:20 --qid income,height:15 --qid height,odd:8";
    for algorithm in ["refine", "tdr", "tds", "bottom-up", "genetic --iterations 2000 --seed 1"] {
        for qids in [one, several] {
            check(&desk, &raw, &format!("{qids} --algorithm {algorithm}"));
            check(&desk, &raw, &format!("{qids} --algorithm {algorithm} --suppress-limit 5% --round-bounds"));
        }
    }
    check(&desk, &raw, &format!("{one} --suppress-limit 5% --suppress-how drop --max-steps 3 --round-bounds"));
    check(&desk, &raw, &format!("{several} --suppress-limit 5% --evaluate"));
}

/// Publishes with each algorithm; some records must be suppressed, and no file may tell a value that only they have.
fn no_file_tells_a_rare_value(rare: &str) {
    let desk = Desk::new();
    desk.write("odd.txt", "Whatever\n  Known\n    seen\n");
    let mut random = Random(3);
    let row = |_| format!("{},seen,{}\n", ["aa", "bb", "cc"][random.below(3)], ["yes", "no"][random.below(2)]);
    let csv = (0..400).map(row).collect::<String>();
    desk.write("raw.csv", format!("name,odd,target\n{csv}{}", rare.repeat(4)));
    for algorithm in ["refine", "tdr", "tds", "bottom-up", "genetic --iterations 500"] {
        for flags in ["", "--target target", "--suppress-how drop", "--target target --suppress-how drop"] {
            desk.ok(&format!(
                "anonymize raw.csv --qid name,odd:10 --taxonomy odd=odd.txt --unknown root --suppress-limit 5% \
                 --algorithm {algorithm} {flags} -o out --force"
            ));
            for file in FILES {
                let text = desk.read(&format!("out/{file}"));
                assert!(!text.contains("rare"), "{file} tells a suppressed value: {algorithm} {flags}");
            }
        }
    }
}

/// Were they disclosed in the recoding, they would tell that such a person exists.
#[test]
fn a_value_that_only_suppressed_records_have_is_not_told() {
    no_file_tells_a_rare_value("zzrarezz,seen,yes\nqqrareqq,seen,yes\n");
}

#[test]
fn an_attached_value_that_only_suppressed_records_have_is_not_told() {
    no_file_tells_a_rare_value("aa,rareodd,yes\n");
}

/// The same records in the same groups, by other names: only bounds differ.
#[test]
fn rounded_bounds_are_no_values_of_records_and_change_no_group() {
    let desk = Desk::new();
    let raw = raw(&desk);
    desk.write("raw.csv", &raw.csv);
    for algorithm in ["refine", "tdr", "bottom-up", "genetic --iterations 1000"] {
        let flags = format!("anonymize raw.csv --qid income,height:10 --algorithm {algorithm}");
        desk.ok(&format!("{flags} -o exact --force"));
        desk.ok(&format!("{flags} --round-bounds -o rounded --force"));
        let groups = |folder: &str| {
            let table = desk.read(&format!("{folder}/public/table.csv"));
            let mut names = std::collections::HashMap::new();
            let number = |line: &str| {
                let next = names.len();
                let labels: Vec<&str> = line.split(',').collect();
                *names.entry(format!("{}|{}", labels[2], labels[3])).or_insert(next)
            };
            table.lines().skip(1).map(number).collect::<Vec<_>>()
        };
        assert_eq!(groups("exact"), groups("rounded"), "{algorithm}");
        let recoding = Recoding::from_json(&desk.read("rounded/public/recoding.json")).unwrap();
        let mut inner = 0;
        for (name, values) in &raw.columns {
            let Some(AttributeRecoding::Discretize { bounds, .. }) = recoding.attributes.get(*name) else { continue };
            let values: Vec<f64> = values.iter().filter_map(|value| parse_number(value)).collect();
            for bound in bounds.iter().filter_map(|bound| bound.0) {
                assert!(!values.contains(&bound), "{algorithm}: a bound of `{name}` is the value of a record");
                inner += 1;
            }
        }
        assert!(inner > 2, "{algorithm} split nothing");
    }
    // The key of the spec says the same as the flag.
    desk.write(
        "s.toml",
        "[input]\npath = \"raw.csv\"\n[output]\nround_bounds = true\n[[qid]]\nattributes = [\"income\", \"height\"]\nk = 10\n",
    );
    desk.ok("anonymize s.toml -o by-spec");
    desk.ok("anonymize raw.csv --qid income,height:10 --round-bounds -o by-flag");
    assert_eq!(desk.read("by-spec/public/table.csv"), desk.read("by-flag/public/table.csv"));
    assert!(desk.read("by-flag/private/report.json").contains("\"round_bounds\": true"));
}
