//! What the page works out by itself: where the line is after a click, what becomes pinned, how a tree is edited.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::running::Running;
use crate::support::Desk;

/// What a function of the page's own modules gives.
fn call(browser: &mut Browser, module: &str, expression: &str) -> Value {
    browser.value(&format!("import('./{module}').then((m) => {expression})"))
}

/// Any above {N above {k, l}, S above {u, v}}; the line is at N, u and v.
const NODES: &str = "[['Any', null, 'above'], ['N', 0, 'on'], ['k', 1, 'below'], ['l', 1, 'below'], ['S', 0, 'above'], ['u', 4, 'on'], ['v', 4, 'on']]\
                     .map(([label, parent, place]) => ({ label, parent, place, records: 1, folded: 0 }))";

fn page() -> Option<(Browser, Running, Desk)> {
    let mut browser = Browser::start()?;
    let desk = Desk::with("t.csv", "a,b\n1,2\n");
    let studio = Running::on(&desk, &[]);
    browser.go(studio.url());
    browser.wait("document.querySelector('.file')");
    Some((browser, studio, desk))
}

#[test]
fn a_click_moves_the_line_and_pins_what_moved() {
    let Some((mut browser, _studio, _desk)) = page() else { return };
    let clicked =
        |browser: &mut Browser, at: usize| call(browser, "pictures/tree.js", &format!("m.clicked({NODES}, {at})"));
    // On the line one level down, above it exactly there, below it down to there.
    for (at, cut) in [
        (1, json!(["k", "l", "u", "v"])),
        (0, json!(["Any"])),
        (4, json!(["N", "S"])),
        (2, json!(["k", "l", "u", "v"])),
    ] {
        assert_eq!(clicked(&mut browser, at), cut);
    }
    let pinned = |browser: &mut Browser, picture: &str, line: &str, said: &str| {
        call(browser, "pins.js", &format!("m.pinned({{ picture: {picture} }}, {line}, {said})"))
    };
    let tree = format!("{{ is: 'tree', nodes: {NODES} }}");
    let numbers = "{ is: 'intervals', cuts: [20, 40, 60] }";
    let values = "{ is: 'values', told: ['a'] }";
    for (picture, line, said, open, closed) in [
        (&tree[..], "{ cut: ['k', 'l', 'u', 'v'] }", "{}", json!(["N"]), json!([])),
        (&tree, "{ cut: ['N', 'S'] }", "{ open: ['S'] }", json!([]), json!(["S"])),
        (&tree, "{ cut: ['k', 'l', 'S'] }", "{ closed: ['N'] }", json!(["N"]), json!(["S"])),
        (numbers, "{ cuts: [20, 60] }", "{}", json!([]), json!(["[20-60)"])),
        (numbers, "{ cuts: [20, 40, 50, 60] }", "{ closed: ['[40-60)'] }", json!(["50"]), json!([])),
        (numbers, "{ cuts: [40, 60] }", "{}", json!([]), json!(["<40"])),
        (values, "{ told: ['b'] }", "{}", json!(["b"]), json!(["a"])),
    ] {
        assert_eq!(pinned(&mut browser, picture, line, said), json!({ "open": open, "closed": closed }), "{line}");
    }
}

#[test]
fn a_tree_keeps_its_values_however_it_is_edited() {
    let Some((mut browser, _studio, _desk)) = page() else { return };
    let tree = "m.grown([['Any', null], ['a', 0], ['b', 0], ['c', 0]].map(([label, parent]) => ({ label, parent })))";
    let labels = |browser: &mut Browser, expression: &str| {
        call(browser, "trees.js", &format!("m.listed({expression}).map((n) => `${{n.label}}<${{n.parent}}`).join(' ')"))
    };
    let grouped = format!("m.grouped({tree}, [])");
    assert_eq!(labels(&mut browser, &grouped), json!("Any<null Group 1<0 a<1 b<1 c<0"));
    assert_eq!(labels(&mut browser, &format!("m.graft({grouped}, [1], [0])")), json!("Any<null Group 1<0 a<1 b<1 c<1"));
    assert_eq!(labels(&mut browser, &format!("m.removed({grouped}, [0])")), json!("Any<null a<0 b<0 c<0"));
    // A group that loses its last value goes.
    assert_eq!(
        labels(&mut browser, &format!("m.graft(m.graft({grouped}, [0, 0], []), [0, 0], [])")),
        json!("Any<null c<0 a<0 b<0")
    );
    // Nothing is put into itself, and no name is given twice.
    assert_eq!(call(&mut browser, "trees.js", &format!("m.graft({grouped}, [0], [0])")), Value::Null);
    assert_eq!(call(&mut browser, "trees.js", &format!("m.renamed({grouped}, [0], 'a')")), Value::Null);
}
