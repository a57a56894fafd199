//! Does the sweep still run, from the tables to the page?

use std::fs;
use std::process::Command;

/// Are all elements closed, in order, and all attributes quoted? Enough for what the plots consist of.
fn well_formed(svg: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((tag, _)) = tag.split_once('>') else { return false };
        if tag.matches('"').count() % 2 != 0 {
            return false;
        }
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            None if !tag.ends_with('/') => open.extend(tag.split_whitespace().next()),
            _ => {}
        }
    }
    open.is_empty() && svg.starts_with("<svg ")
}

#[test]
fn quick_mode_writes_the_whole_page() {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_cutline-bench"))
        .args(["sweep", "--quick", "--repeat", "2", "--output"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let page = fs::read_to_string(folder.path().join("benchmarks.md")).unwrap();
    let titles: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let expected =
        ["Records", "Algorithms", "k", "QIDs", "Threads", "Memory limits", "Beside a copy", "Corners", "Clusters"];
    assert_eq!(titles[..9], expected, "{page}");
    assert!(titles[9].starts_with("Bottom-up") && titles[10].starts_with("Genetic") && titles.len() == 11, "{page}");
    assert!(page.contains("| whole | ") && page.contains("64 threads"), "{page}");
    assert!(page.contains("sweep --quick --repeat 2\n") && page.contains("The machine: "), "{page}");
    assert!(!page.contains("NaN") && !page.contains("inf "), "{page}");
    let plots: Vec<&str> = page.lines().filter(|line| line.starts_with("![")).collect();
    // Three sections are tables alone.
    assert!(plots.len() >= titles.len() - 3, "{page}");
    for line in plots {
        let name = line.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')')).unwrap();
        let svg = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(well_formed(&svg) && !svg.contains("NaN") && !svg.contains("inf"), "{name}: {svg}");
    }
    for stage in ["read", "search", "write", "verify", "whole"] {
        let line = page.lines().find(|line| line.starts_with(&format!("| {stage}: time"))).unwrap();
        let slope = line.split_once("records^").and_then(|(_, rest)| rest.split_once(' ')).unwrap().0;
        assert!(slope.parse::<f64>().is_ok(), "{line}");
    }
    for algorithm in ["tdr", "tds", "bottom-up", "genetic"] {
        assert_eq!(page.matches(&format!("| `{algorithm}` |")).count(), 2, "{page}");
    }
}
