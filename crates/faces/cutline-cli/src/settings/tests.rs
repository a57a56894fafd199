//! Flags become a spec; every message names flags that there are.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;

use clap::{CommandFactory, Parser};
use cutline::model::Identifier;
use cutline::spec::Algorithm;

use super::*;
use crate::args::{Cli, Command as Chosen};

fn parsed(arguments: &[&str]) -> Result<Spec, clap::Error> {
    let all = ["cutline", "anonymize", "t.csv", "-o", "out"].into_iter().chain(arguments.iter().copied());
    match Cli::try_parse_from(all)?.command {
        Chosen::Anonymize(args) => Ok(args.settings.spec().unwrap()),
        _ => unreachable!(),
    }
}

#[test]
fn the_arguments_are_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn flags_become_a_spec() {
    let spec = parsed(&[
        "--qid",
        "age,sex:10",
        "--qid",
        "zip:5",
        "--target",
        "y",
        "--range",
        "age=-5..120.5",
        "--taxonomy",
        "sex=s.txt",
        "--private-taxonomy",
        "sex",
        "--drop",
        "a,b",
        "--tokenize",
        "c",
        "--null",
        "?",
        "--null",
        "-",
        "--missing",
        "drop",
        "--delimiter",
        "tab",
        "--algorithm",
        "tds",
        "--time-limit",
        "30s",
        "--no-header",
        "--columns",
        "age,\"s,x\"",
    ])
    .unwrap();
    assert_eq!(spec.qid.len(), 2);
    assert_eq!(spec.attributes["age"].range, Some((-5.0, 120.5)));
    assert_eq!((spec.attributes["sex"].private, spec.attributes["age"].private), (Some(true), None));
    assert_eq!(spec.attributes["b"].identifier, Some(Identifier::Drop));
    assert_eq!(spec.attributes["c"].identifier, Some(Identifier::Tokenize));
    assert_eq!(spec.input.null, ["?", "-"]);
    assert_eq!((spec.input.delimiter, spec.input.header), (Some('\t'), Some(false)));
    assert_eq!(spec.input.columns.as_deref(), Some(&["age".to_owned(), "s,x".to_owned()][..]));
    assert_eq!(spec.search.algorithm, Some(Algorithm::Tds));
}

#[test]
fn malformed_flags_are_refused() {
    let cases = [
        ["--qid", "age"],
        ["--range", "age=5"],
        ["--taxonomy", "age"],
        ["--delimiter", "ab"],
        ["--population", "many"],
        ["--format", "xml"],
        ["--time-limit", "soon"],
        ["--suppress-limit", "200%"],
    ];
    for arguments in cases {
        let error = parsed(&arguments).unwrap_err().to_string();
        assert!(error.contains(arguments[0]) && error.contains(arguments[1]), "{error}");
    }
}

/// A forgotten selection would take a flag away without a word.
#[test]
fn anonymize_has_a_flag_for_every_setting_and_each_does_something() {
    for setting in all().iter().filter(|setting| setting.reach == Reach::Everywhere) {
        let flag = format!("--{}", setting.name);
        let spec = match setting.shape {
            Shape::Flag => parsed(&[&flag]),
            _ => parsed(&[&flag, setting.example]),
        };
        assert_ne!(spec.unwrap(), Spec::default(), "{flag}");
    }
}

/// The long names of all flags of a command and of those below it.
fn long_flags(command: &Command, names: &mut BTreeSet<String>) {
    names.extend(command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned));
    command.get_subcommands().for_each(|command| long_flags(command, names));
}

#[test]
fn messages_of_the_library_name_settings_that_are_flags_and_no_flags() {
    let mut names = BTreeSet::new();
    long_flags(&Cli::command(), &mut names);
    let looked_at = Cell::new(0);
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for group in ["core", "engines", "product"] {
        sources(&crates.join(group), &mut |path, text| {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code.take_while(|line| !line.contains("#[cfg(test)]")) {
                // The report is a page for users of the command.
                assert!(path.contains("report") || !names_a_flag(line), "{path} names a flag: {line}");
                mentions(line, |name, _| {
                    looked_at.set(looked_at.get() + 1);
                    let template = name.starts_with('{');
                    assert!(template || names.contains(name), "{path} names `{name}`, which is no flag");
                    String::new()
                });
            }
        });
    }
    assert!(looked_at.get() > 50, "the sources are not where they were");
}

/// The flags of other programs are theirs.
fn names_a_flag(line: &str) -> bool {
    let named = |after: &str| after.starts_with(|letter: char| letter.is_ascii_lowercase());
    !line.contains("bq query") && line.split(" --").skip(1).any(named)
}

/// The source files of a folder, without tests.
fn sources(folder: &Path, visit: &mut dyn FnMut(&str, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "tests" && name != "benches" {
                sources(&path, visit);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            visit(&path.to_string_lossy(), &std::fs::read_to_string(&path).unwrap());
        }
    }
}
