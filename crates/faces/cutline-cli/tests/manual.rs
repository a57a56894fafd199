//! Completions and manual pages.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

#[test]
fn every_shell_completes_commands_and_flags() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.ok(&format!("completions {shell}"));
        assert!(["anonymize", "suppress-limit", "bottom-up"].iter().all(|word| script.contains(word)), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let desk = Desk::new();
    desk.ok("man pages/man1");
    let page = |name: &str| desk.read(&format!("pages/man1/{name}.1"));
    assert!(page("cutline").contains("Exit status"));
    assert!(page("cutline-anonymize").contains("round\\-bounds"));
    for command in ["apply", "attack", "demo", "evaluate", "init", "sql", "taxonomy-build", "verify"] {
        assert!(page(&format!("cutline-{command}")).contains("NAME"), "{command}");
    }
}
