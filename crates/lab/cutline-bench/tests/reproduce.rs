//! Does the reproduction still run, from the tables to the page?

use std::fs;
use std::process::Command;

#[test]
fn quick_mode_writes_the_whole_page() {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_cutline-bench"))
        .args(["reproduce", "--quick", "--output"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let page = fs::read_to_string(folder.path().join("results.md")).unwrap();
    assert_eq!(page.matches("\n## ").count(), 13, "{page}");
    assert!(!page.contains("NaN") && !page.contains("inf "), "{page}");
    for line in page.lines().filter(|line| line.starts_with("![")) {
        let name = line.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')')).unwrap();
        let svg = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{name}");
    }
    // CRX is whole in quick mode, too.
    let baseline = page.lines().find(|line| line.starts_with("| CRX, baseline")).unwrap();
    assert!(baseline.ends_with("| match |"), "{baseline}");
}
