//! What a person does: open Adult, accept roles, set k, move the slider, click a node, compare, publish.

use serde_json::{Value, json};

use crate::browser::{Browser, Scheme};
use crate::eyes::{adult, axe, check};
use crate::running::Running;

/// The column of working hours, dropped onto the first set.
const DRAGGED: &str = "(() => { const dataTransfer = new DataTransfer(); \
    const send = (to, kind) => to.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })); \
    send([...document.querySelectorAll('.column')].find((c) => c.querySelector('h3').textContent === 'hours-per-week'), 'dragstart'); \
    send(document.querySelector('fieldset.qid'), 'drop'); })()";

#[test]
fn from_a_table_to_a_release() {
    let Some(mut browser) = Browser::start() else { return };
    let axe = axe();
    let desk = adult();
    let studio = Running::on(&desk, &["adult.csv.gz"]);
    browser.look(1400, Scheme::Light);
    browser.go(studio.url());

    // The columns with what is proposed.
    browser.wait("document.querySelectorAll('.column').length === 15");
    browser.set("[data-key='target']", "income", "change");
    browser.wait("document.querySelector(\"[data-key='role-income']\").value === 'target'");
    check(&mut browser, axe.as_ref(), "columns");
    // A column is dragged into what an attacker may know, and taken out again.
    browser.value(DRAGGED);
    let role = "document.querySelector(\"[data-key='role-hours-per-week']\").value";
    browser.wait(&format!("{role} === 'quasi'"));
    browser.click("[aria-label='Take hours-per-week out']");
    browser.wait(&format!("{role} === 'other'"));

    // The result, and a slider that moves it.
    browser.press("See the result");
    browser.wait("document.querySelectorAll('.card').length > 2");
    let groups = "document.querySelector('.verdict small').innerText";
    let before = browser.value(groups);
    let steps = browser.value("Number(document.querySelector(\"[data-key='k-0']\").max)").as_u64().unwrap();
    browser.set("[data-key='k-0']", &steps.to_string(), "input");
    browser.wait(&format!("{groups} !== {before}"));
    browser.set("[data-key='k-0-exact']", "25", "change");
    browser.wait("document.querySelector('.verdict').innerText.includes('at least 25 records')");
    browser.wait("!document.body.innerText.includes('looking at the published columns')");
    check(&mut browser, axe.as_ref(), "result");

    // A bound is closed by hand, and taken back.
    browser.click(".bound");
    browser.wait("document.querySelector('.hand.ok')");
    check(&mut browser, axe.as_ref(), "moved");
    browser.press("Take back");
    browser.wait("!document.querySelector('.hand')");

    // Several at once.
    browser.press("Compare");
    browser.press("Other k");
    browser.wait("document.querySelectorAll('.compared tbody tr').length >= 5 && document.querySelector('.curve')");
    browser.wait("!document.querySelector('.busy')");
    check(&mut browser, axe.as_ref(), "compare");
    browser.click(".compared tbody tr:first-child button");
    browser.wait("document.querySelector('.verdict')");

    // Published, as the command would.
    browser.press("Publish");
    browser.wait("document.querySelector('.code pre')");
    browser.click("form.publish .primary");
    browser.wait("document.querySelector('.done')");
    check(&mut browser, axe.as_ref(), "publish");
    assert!(desk.ok("verify published").contains("holds"));
    let report: Value = serde_json::from_str(&desk.read("published/public/report.json")).unwrap();
    assert_eq!(report["qids"][0]["k"], 25);

    browser.press("End");
    browser.wait("document.body.innerText.includes('has ended')");
    assert_eq!(studio.ended().0, Some(0));
}

#[test]
fn a_taxonomy_is_built_edited_and_its_line_moved() {
    let Some(mut browser) = Browser::start() else { return };
    let axe = axe();
    let desk = adult();
    desk.write("release.toml", "[input]\npath = \"adult.csv.gz\"\n[purpose]\ntarget = \"income\"\n[[qid]]\nattributes = [\"education\", \"sex\"]\nk = 50\n[attributes.education]\ntaxonomy = \"education.txt\"\n");
    let studio = Running::on(&desk, &["release.toml"]);
    browser.look(1400, Scheme::Light);
    browser.go(studio.url());
    browser.wait("document.querySelectorAll('.column').length === 15");
    browser.press("See the result");
    browser.wait("document.querySelector('.tree-node.on')");
    check(&mut browser, axe.as_ref(), "tree");

    // A node above the line is closed: the line goes there, and the requirement holds as before.
    let on = browser.value("document.querySelectorAll('.tree-node.on').length").as_u64().unwrap();
    browser.click(".tree-node.above");
    browser.wait("document.querySelector('.hand.ok')");
    assert!(browser.value("document.querySelectorAll('.tree-node.on').length").as_u64().unwrap() < on);
    browser.press("Take back");

    // The editor.
    browser.press("2Columns");
    browser.set("[data-key='kind-sex']", "taxonomy", "change");
    browser.press("flat, to group by hand");
    browser.wait("document.querySelectorAll('.edit.leaf').length === 2");
    browser.click("[aria-label^='New group in']");
    browser.wait("document.querySelectorAll('.edit.group').length === 2");
    check(&mut browser, axe.as_ref(), "editor");
    browser.press("Undo");
    browser.wait("document.querySelectorAll('.edit.group').length === 1");
    browser.press("Use it");
    browser.wait("!document.querySelector('.edit-tree')");
    assert!(desk.read("sex.txt").contains("Female"));
}

#[test]
fn a_browser_asks_nobody_else() {
    let Some(mut browser) = Browser::start() else { return };
    let desk = adult();
    let studio = Running::on(&desk, &[]);
    browser.go(studio.url());
    browser.wait("document.querySelectorAll('.file').length >= 1");
    let places = browser.value(
        "performance.getEntriesByType('resource').map((e) => new URL(e.name).host).filter((h) => h !== location.host)",
    );
    assert_eq!(places, json!([]));
    // Nothing that is written into the page is a script.
    for attempt in [
        "(() => { const d = document.createElement('div'); try { d.innerHTML = '<b>x</b>'; } catch { return 'refused'; } return 'taken'; })()",
        "(() => { const s = document.createElement('script'); try { s.text = 'window.bad = 1'; document.body.append(s); } catch { return 'refused'; } return window.bad === 1 ? 'taken' : 'refused'; })()",
    ] {
        assert_eq!(browser.value(attempt), json!("refused"));
    }
}
