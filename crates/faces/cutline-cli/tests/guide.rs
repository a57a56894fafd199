//! The README and the guide: commands print what is shown, links lead somewhere, every page is in the summary, every flag exists.
//!
//! A block of kind `console` has commands (`$ …`) with their standard output; `…` at its end stands for more. They run in the folder of the
//! README, or, for pages of `docs/`, in `examples/`. `UPDATE=1` writes what is shown anew.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use support::{Desk, root};

const MORE: &str = "…";

/// All pages below a folder.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let below = |path: PathBuf| if path.is_dir() { pages_in(&path) } else { vec![path] };
    entries
        .into_iter()
        .flat_map(below)
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

/// The guide, and the pages of the repository that lead to it.
fn pages() -> Vec<PathBuf> {
    let others = [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "examples/README.md",
        "datasets/README.md",
    ];
    others.iter().map(|name| root().join(name)).chain(pages_in(&root().join("docs"))).collect()
}

/// A desk like the repository, as far as examples need it.
fn desk() -> Desk {
    let desk = Desk::new();
    fs::create_dir(desk.path("examples")).unwrap();
    for name in ["patients.csv", "zip.txt"] {
        fs::copy(root().join("examples").join(name), desk.path("examples").join(name)).unwrap();
    }
    std::os::unix::fs::symlink(root().join("datasets").canonicalize().unwrap(), desk.path("datasets")).unwrap();
    desk
}

/// What a command prints on a desk. Status 1 is an answer, too: a requirement does not hold.
fn printed(desk: &Desk, folder: &str, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_cutline")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = desk.command_in_shell(command).current_dir(desk.path(folder)).env("PATH", path).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{command}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A command and its output as they should be shown, given as they are.
fn told_anew(desk: &Desk, folder: &str, transcript: &str) -> String {
    let lines: Vec<&str> = transcript.lines().collect();
    let last = lines.iter().position(|line| !line.ends_with('\\')).unwrap();
    let (command, shown) = lines.split_at(last + 1);
    let command = command.join("\n");
    let output = printed(desk, folder, &command);
    let output = match shown.split_last() {
        Some((&MORE, shown)) if !shown.is_empty() => {
            let kept: String = output.lines().take(shown.len()).map(|line| format!("{line}\n")).collect();
            format!("{kept}{MORE}\n")
        }
        _ => output,
    };
    format!("$ {command}\n{output}")
}

/// A page as it should be, and how many commands it shows.
fn page_anew(page: &str, folder: &str) -> (String, usize) {
    let desk = desk();
    let mut blocks = page.split("```console\n");
    let (mut anew, mut commands) = (blocks.next().unwrap().to_owned(), 0);
    for block in blocks {
        let (transcripts, after) = block.split_once("```\n").unwrap();
        anew.push_str("```console\n");
        for transcript in format!("\n{transcripts}").split("\n$ ").skip(1) {
            anew.push_str(&told_anew(&desk, folder, transcript));
            commands += 1;
        }
        anew.push_str("```\n");
        anew.push_str(after);
    }
    (anew, commands)
}

#[test]
fn commands_print_what_the_pages_show() {
    let mut commands = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let folder = if path.ends_with("README.md") { "." } else { "examples" };
        let (anew, shown) = page_anew(&page, folder);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &anew).unwrap();
        } else {
            assert_eq!(anew, page, "{}: UPDATE=1 writes it anew", path.display());
        }
        commands += shown;
    }
    assert!(commands >= 25, "{commands} commands are found");
}

/// Where the links of a page lead, without code.
fn links(page: &str) -> Vec<String> {
    let texts = page.split("```").step_by(2);
    let ends = texts.flat_map(|text| text.split("](").skip(1));
    let targets = ends.filter_map(|end| end.split_once(')').map(|(target, _)| target.to_owned()));
    targets.filter(|target| !target.contains("://")).collect()
}

/// The anchors that headings make.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.split("```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    for path in pages() {
        for link in links(&fs::read_to_string(&path).unwrap()) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            let known = || anchors(&fs::read_to_string(&target).unwrap());
            assert!(anchor.is_empty() || known().contains(anchor), "{}: {link}", path.display());
        }
    }
}

#[test]
fn the_summary_has_every_page_and_pages_link_to_no_file_outside_of_the_guide() {
    let docs = root().join("docs").canonicalize().unwrap();
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> = links(&summary).into_iter().map(|link| docs.join(link)).collect();
    let here: BTreeSet<PathBuf> = pages_in(&docs).into_iter().filter(|path| !path.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, here);
    for path in here {
        for link in links(&fs::read_to_string(&path).unwrap()).iter().filter(|link| !link.starts_with('#')) {
            let target = path.parent().unwrap().join(link.split('#').next().unwrap()).canonicalize().unwrap();
            assert!(target.starts_with(&docs), "{}: {link}, which built pages do not have", path.display());
        }
    }
}

/// The flags that a text speaks of, other than those of cargo and other programs.
fn flags(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| !["cargo", "pip ", "mdbook"].iter().any(|other| line.contains(other)));
    let words = lines.flat_map(|line| line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-'));
    let flags = words
        .filter_map(|word| word.strip_prefix("--"))
        .filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()));
    flags.map(str::to_owned).collect()
}

#[test]
fn flags_that_pages_speak_of_exist() {
    let desk = Desk::new();
    let commands = [
        "anonymize",
        "apply",
        "attack",
        "demo",
        "evaluate",
        "init",
        "screen",
        "sql",
        "studio",
        "taxonomy build",
        "taxonomy show",
        "verify",
    ];
    let known: BTreeSet<String> =
        commands.iter().flat_map(|command| flags(&desk.ok(&format!("{command} --help")))).collect();
    for path in pages_in(&root().join("docs")).into_iter().chain([root().join("README.md"), root().join("SECURITY.md")])
    {
        let unknown: Vec<String> = flags(&fs::read_to_string(&path).unwrap()).difference(&known).cloned().collect();
        assert!(unknown.is_empty(), "{} speaks of {unknown:?}", path.display());
    }
}
