//! What is told is what was asked for.

use super::*;

fn spec(text: &str) -> Spec {
    toml::from_str(text).unwrap()
}

const USUAL: &str = r#"
[input]
path = "my data/adult.csv"
null = ["?"]
[purpose]
target = "income"
[[qid]]
attributes = ["age", "sex, or gender"]
k = 20
[suppress]
limit = "1%"
[attributes.name]
role = "identifier"
[attributes.age]
range = [0, 120]
[attributes.income]
role = "other"
"#;

#[test]
fn a_usual_spec_is_told_by_flags() {
    let told = Told::new(&spec(USUAL), Path::new("published"));
    assert_eq!(
        told.command,
        "cutline anonymize 'my data/adult.csv' \\\n  --target income \\\n  --suppress-limit 1% \\\n  --null '?' \\\n  \
         --qid 'age,\"sex, or gender\":20' \\\n  --range age=0..120 \\\n  --drop name \\\n  -o published"
    );
    let python = told.python.unwrap();
    assert!(python.contains("    suppress_limit=\"1%\",\n") && python.contains("    drop=[\"name\"],\n"), "{python}");
    assert!(!told.needs_file);
}

#[test]
fn what_no_flag_says_is_told_by_the_file() {
    let own = "k = 20\nconditions = [\"distinct-l:income=2\"]\n";
    let alone = Told::new(&spec(&USUAL.replace("k = 20\n", own)), Path::new("x"));
    assert!(!alone.needs_file && alone.command.contains("--condition distinct-l:income=2"), "{}", alone.command);
    let beside = format!("{own}[[qid]]\nattributes = [\"zip\"]\nk = 5\n");
    assert!(Told::new(&spec(&USUAL.replace("k = 20\n", &beside)), Path::new("x")).needs_file);
    let genetic = format!("{USUAL}[search.genetic]\npopulation = 50\n");
    assert_eq!(Told::new(&spec(&genetic), Path::new("a b")).command, "cutline anonymize release.toml -o 'a b'");
}

#[test]
fn odd_names_are_told_as_the_command_reads_them() {
    let text = |name: &str| format!("{USUAL}[attributes.'{name}']\nidentifier = \"drop\"\n");
    for (name, flag) in [("a,b", "--drop 'name,\"a,b\"'"), ("-x", "--drop name,-x")] {
        let told = Told::new(&spec(&text(name)), Path::new("x"));
        assert!(told.command.contains(flag), "{}", told.command);
    }
    let alone = text("-x").replace("[attributes.name]\nrole = \"identifier\"\n", "");
    assert!(Told::new(&spec(&alone), Path::new("x")).command.contains("--drop=-x"));
    assert!(Told::new(&spec(&text("5\" disk")), Path::new("x")).needs_file, "a flag cannot say a quote");
}

#[test]
fn words_of_a_shell_stay_words() {
    assert_eq!(shell("a'b; rm -rf $HOME"), r"'a'\''b; rm -rf $HOME'");
    assert_eq!(shell(""), "''");
}

/// A table that another table says how to read, with everything that a form or a flag can say of it.
const RICH: &str = r#"
person = "patient"
weight = "share"
sampling_fraction = 0.05
conditions = ["distinct-l:ill=3"]
[input]
path = "t.csv"
null = ["?"]
delimiter = ";"
header = false
columns = ["patient", "birth", "income", "town", "ill", "share"]
encoding = "windows-1252"
decimal = ","
unknown = "root"
missing = "drop"
[purpose]
target = "ill"
[[qid]]
attributes = ["birth", "income", "town"]
k = 5
[attributes.birth]
kind = "date"
date_format = "%d.%m.%Y"
age_at = "2026-01-01"
bins = [0.0, 18.0, 65.0]
[attributes.income]
kind = "continuous"
clamp = [0.0, 200000.0]
round = 1000.0
[attributes.town]
taxonomy = "town.txt"
private = true
closed = ["North"]
[search]
local = "nested"
flatten = true
tune = true
seed = 7
time_limit = "30s"
[output]
format = "parquet"
shuffle = true
shuffle_key = "order.key"
token_key = "tokens.key"
screen = false
strict = true
"#;

#[test]
fn recent_settings_are_told_by_flags() {
    let told = Told::new(&spec(RICH), Path::new("published"));
    assert!(!told.needs_file, "{}", told.command);
    for flag in [
        "--person patient",
        "--weight share",
        "--local nested",
        "--flatten",
        "--tune",
        "--unknown root",
        "--bins birth=0,18,65",
        "--round income=1000",
        "--clamp income=0..200000",
        "--date birth",
        "--age-at birth=2026-01-01",
        "--no-header",
        "--time-limit 30s",
    ] {
        assert!(told.command.contains(flag), "{flag}\n{}", told.command);
    }
}

#[test]
fn a_table_of_a_server_is_told_by_its_address_and_no_call() {
    let text = "[input]\npath = \"postgresql://ann@db/care\"\ntable = \"patients\"\n[[qid]]\nattributes = [\"age\"]\nk = 5\n[output]\ninto = \"out\"\n";
    let told = Told::new(&spec(text), Path::new("published"));
    assert_eq!(
        told.command,
        "cutline anonymize postgresql://ann@db/care \\\n  --table patients \\\n  --into out \\\n  --qid age:5 \\\n  -o published"
    );
    assert_eq!(told.python, None, "Python reads no servers");
}
