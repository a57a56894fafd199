//! Looks at a page: can everybody use it, on a telephone and in the dark?

use std::path::PathBuf;

use serde_json::json;

use crate::browser::{Browser, Scheme};
use crate::support::{Desk, dataset, root};

/// Adult with its header and a taxonomy, on a desk.
pub(crate) fn adult() -> Desk {
    let desk = Desk::new();
    std::fs::copy(dataset("adult/train.csv.gz"), desk.path("adult.csv.gz")).unwrap();
    let taxonomies = root().join("crates/faces/cutline-cli/data/taxonomies");
    std::fs::copy(taxonomies.join("education.txt"), desk.path("education.txt")).unwrap();
    desk
}

/// Tools of the tests, as `scripts/setup-tests.sh` keeps them.
pub(crate) fn axe() -> Option<String> {
    let cache = std::env::var_os("CUTLINE_CACHE").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/cutline")))?;
    let found = std::fs::read_to_string(cache.join("axe/node_modules/axe-core/axe.min.js")).ok();
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "axe-core is not here: run scripts/setup-tests.sh");
        eprintln!("SKIPPED: axe-core is not here; scripts/setup-tests.sh sets it up");
    }
    found
}

/// Fails if the page is hard to use for somebody.
fn is_accessible(browser: &mut Browser, axe: Option<&String>, view: &str) {
    let Some(axe) = axe else { return };
    if browser.value("typeof window.axe") != json!("object") {
        browser.value(&format!("{axe};0"));
    }
    let found = browser.value("axe.run().then((r) => r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + ' ' + (n.any[0]?.message ?? '')).join(' | ')}`))");
    assert_eq!(found, json!([]), "{view}");
}

/// Keeps pictures where somebody wants to look at them.
fn pictures(browser: &mut Browser, view: &str) {
    let Some(folder) = std::env::var_os("CUTLINE_PICTURES").map(PathBuf::from) else { return };
    for (width, scheme, name) in [
        (1400, Scheme::Light, "1400-light"),
        (1400, Scheme::Dark, "1400-dark"),
        (400, Scheme::Light, "400-light"),
        (400, Scheme::Dark, "400-dark"),
    ] {
        browser.look(width, scheme);
        std::thread::sleep(std::time::Duration::from_millis(200));
        std::fs::write(folder.join(format!("{view}-{name}.b64")), browser.picture()).unwrap();
    }
    browser.look(1400, Scheme::Light);
}

/// The page is as it should be: nothing complained, nothing is wider than the window on a telephone, everybody can use it.
pub(crate) fn check(browser: &mut Browser, axe: Option<&String>, view: &str) {
    pictures(browser, view);
    browser.look(400, Scheme::Light);
    let wide = browser.value("[document.documentElement.scrollWidth, innerWidth]");
    assert!(wide[0].as_u64() <= wide[1].as_u64(), "{view} is {} wide", wide[0]);
    is_accessible(browser, axe, view);
    browser.look(1400, Scheme::Dark);
    is_accessible(browser, axe, &format!("{view}, dark"));
    browser.look(1400, Scheme::Light);
    assert_eq!(browser.complaints, Vec::<String>::new(), "{view}");
}
