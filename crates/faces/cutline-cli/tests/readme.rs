//! Every command that the README shows, and what it prints.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

/// The commands of the README with what is shown of their output.
fn transcripts(readme: &str) -> Vec<(String, String)> {
    let blocks = readme.split("```text\n").skip(1).filter_map(|block| block.split("```").next());
    let transcript = |block: &str| {
        let joined = block.strip_prefix("$ cutline ")?.replace("\\\n", " ");
        let (command, output) = joined.split_once('\n')?;
        Some((command.to_owned(), output.to_owned()))
    };
    blocks.filter_map(transcript).collect()
}

#[test]
fn the_readme_shows_what_the_command_prints() {
    let root = support::root();
    let desk = Desk::new();
    for name in ["patients.csv", "zip.txt"] {
        std::fs::copy(root.join("examples").join(name), desk.path(name)).unwrap();
    }
    let transcripts = transcripts(&std::fs::read_to_string(root.join("README.md")).unwrap());
    assert_eq!(transcripts.len(), 4);
    for (command, shown) in transcripts {
        let printed = String::from_utf8(desk.run(&command).stdout).unwrap();
        assert!(printed.starts_with(&shown), "cutline {command}\nprints\n{printed}\nand the README shows\n{shown}");
    }
}
