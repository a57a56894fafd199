//! Lines that a person moves, pins, compares and stops: what is published is what was seen.

use serde_json::{Value, json};

use crate::browser::{Browser, Scheme};
use crate::eyes::{adult, axe, check};
use crate::running::Running;
use crate::support::Desk;

/// Education by its taxonomy and age by intervals, for a classifier of income.
const SPEC: &str = "[input]\npath = \"adult.csv.gz\"\n[purpose]\ntarget = \"income\"\n[[qid]]\nattributes = [\"age\", \"education\", \"sex\"]\n\
                    k = 50\n[attributes.education]\ntaxonomy = \"education.txt\"\n[attributes.fnlwgt]\nidentifier = \"drop\"\n";

/// A browser that shows the result of the spec.
fn shown() -> Option<(Browser, Running, Desk)> {
    let mut browser = Browser::start()?;
    let desk = adult();
    desk.write("release.toml", SPEC);
    let studio = Running::on(&desk, &["release.toml"]);
    browser.look(1400, Scheme::Light);
    browser.go(studio.url());
    browser.wait("document.querySelectorAll('.column').length === 15");
    browser.press("See the result");
    browser.wait("document.querySelector('.tree-node.on')");
    Some((browser, studio, desk))
}

/// Publishes what is shown, and gives the published recoding.
fn published(browser: &mut Browser, desk: &Desk) -> Value {
    browser.click(".result-view .title .primary");
    browser.wait("document.querySelector('.code pre')");
    browser.click("form.publish .primary");
    browser.wait("document.querySelector('.done')");
    assert!(desk.ok("verify published").contains("holds"));
    serde_json::from_str(&desk.read("published/public/recoding.json")).unwrap()
}

/// Waits until a new search is shown, which something that is done asks for.
fn searched(browser: &mut Browser, work: impl FnOnce(&mut Browser)) {
    browser.value("document.querySelector('.verdict').dataset.old = '1'");
    work(browser);
    browser.wait("document.querySelector('.verdict') && !document.querySelector('.verdict[data-old]')");
}

fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let found =
        browser.value(&format!("[...document.querySelectorAll({})].map((e) => e.textContent)", json!(selector)));
    serde_json::from_value(found).unwrap()
}

#[test]
fn what_is_pinned_by_a_click_stays_whatever_k_is() {
    let Some((mut browser, _studio, desk)) = shown() else { return };
    let axe = axe();
    // A node of the line must not be refined, another one must stay, and so must a bound.
    let label = "[...document.querySelectorAll('.tree-node.on:not([aria-disabled])')].at(0).querySelector('.label').textContent";
    browser.press("Pin: not refined");
    browser.wait("document.querySelector(\".segments button[data-key='clicks-closed'][aria-pressed='true']\")");
    let closed = browser.value(label);
    searched(&mut browser, |browser| browser.click(".tree-node.on:not([aria-disabled])"));
    browser.press("Pin: must stay");
    searched(&mut browser, |browser| browser.click(".bound"));
    let bound = browser.value("document.querySelector('.bound[aria-pressed=\"true\"]').dataset.key.split('/')[2]");
    browser.wait("document.querySelectorAll('.side .chips li').length === 2");
    check(&mut browser, axe.as_ref(), "pinned");
    // Another k, and both are where they were.
    searched(&mut browser, |browser| browser.set("[data-key='k-0-exact']", "10", "change"));
    assert!(texts(&mut browser, ".tree-node.on .label").contains(&closed.as_str().unwrap().to_owned()));
    let recoding = published(&mut browser, &desk);
    let cut = recoding["attributes"]["education"]["cut"].as_array().unwrap();
    assert!(cut.contains(&closed), "{closed} in {cut:?}");
    let bounds = recoding["attributes"]["age"]["bounds"].to_string();
    assert!(bounds.contains(bound.as_str().unwrap()), "{bound} in {bounds}");
    // The command that is told pins the same.
    let command = browser.value("document.querySelector('.code pre').textContent");
    let command = command.as_str().unwrap();
    assert!(command.contains("--pin-closed education=") && command.contains("--pin-open age="), "{command}");
    let command = command.replace("\\\n", " ").replace("-o published", "-o again").replace('\'', "");
    desk.ok(command.strip_prefix("cutline ").unwrap());
    assert_eq!(desk.read("again/public/recoding.json"), desk.read("published/public/recoding.json"));
    // What is unpinned is the search's own again.
    browser.press("3Result");
    searched(&mut browser, |browser| browser.press("Unpin all"));
    browser.wait("!document.body.innerText.includes('Unpin all')");
}

#[test]
fn a_line_that_was_moved_is_pinned_and_published() {
    let Some((mut browser, _studio, desk)) = shown() else { return };
    // Everything below a node of the tree is closed by hand; the search does the rest.
    browser.click(".tree-node.above");
    browser.wait("document.querySelector('.hand.ok')");
    let top = browser.value("document.querySelector('.tree-node.on .label').textContent");
    searched(&mut browser, |browser| browser.press("Pin it and search on"));
    browser.wait("document.querySelectorAll('.side .chips li').length === 1");
    let recoding = published(&mut browser, &desk);
    // A taxonomy that is closed at its root tells nothing.
    assert_eq!(recoding["attributes"]["education"]["cut"], json!([top]));
    // The whole line as it is: another k that it satisfies changes nothing of it.
    browser.press("3Result");
    browser.wait("document.querySelector('.bound')");
    browser.click(".bound");
    browser.wait("document.querySelector('.hand.ok')");
    let bounds = texts(&mut browser, ".bound span");
    searched(&mut browser, |browser| browser.press("Pin the whole line"));
    searched(&mut browser, |browser| browser.set("[data-key='k-0-exact']", "5", "change"));
    assert_eq!(texts(&mut browser, ".bound span").iter().map(|b| b.replace("↓ ", "")).collect::<Vec<_>>(), bounds);
}

#[test]
fn a_search_that_is_stopped_at_a_step_is_published_as_it_is_there() {
    let Some((mut browser, _studio, desk)) = shown() else { return };
    let all = browser.value("Number(document.querySelector(\"[data-key='steps']\").max)").as_u64().unwrap();
    assert!(all > 3);
    searched(&mut browser, |browser| browser.set("[data-key='steps']", "2", "input"));
    browser
        .wait("document.body.innerText.includes(`2 of`) && document.body.innerText.includes('The search stops here')");
    let recoding = published(&mut browser, &desk);
    assert_eq!(desk.read("published/private/trace.jsonl").lines().count(), 2);
    let labels = |name: &str| {
        let said = &recoding["attributes"][name];
        said["cut"].as_array().or(said["bounds"].as_array()).or(said["disclosed"].as_array()).map_or(0, Vec::len)
    };
    assert!(labels("education") + labels("age") + labels("sex") < 12, "{recoding}");
}

#[test]
fn results_are_compared_and_the_chosen_one_is_published() {
    let Some((mut browser, _studio, desk)) = shown() else { return };
    let axe = axe();
    browser.press("Compare");
    for (more, rows) in
        [("Other budgets", 5), ("Other algorithms", 8), ("Local refinement", 10), ("Without each attribute", 13)]
    {
        browser.press(more);
        browser.wait(&format!("document.querySelectorAll('.compared tbody tr').length === {rows}"));
        browser.wait("!document.querySelector('.busy')");
    }
    check(&mut browser, axe.as_ref(), "compared");
    // A row without an attribute is told so, and is what is published when it is chosen.
    let row = "[...document.querySelectorAll('.compared tbody tr')].find((r) => r.textContent.includes('without sex'))";
    browser.value(&format!("{row}.querySelector('button').dataset.test = '1'"));
    searched_first(&mut browser);
    let recoding = published(&mut browser, &desk);
    let masked: Vec<&String> = recoding["attributes"].as_object().unwrap().keys().collect();
    assert_eq!(masked, ["age", "education"]);
    assert!(!desk.read("published/public/table.csv").lines().next().unwrap().contains("sex"));
}

/// Clicks what is marked, and waits for a result.
fn searched_first(browser: &mut Browser) {
    browser.click("[data-test]");
    browser.wait("document.querySelector('.verdict')");
    browser.wait("!document.querySelector('.busy')");
}

#[test]
fn clusters_are_a_purpose_whose_loss_is_told() {
    let Some(mut browser) = Browser::start() else { return };
    let axe = axe();
    let desk = Desk::with("patients.csv", std::fs::read(crate::support::root().join("examples/patients.csv")).unwrap());
    let studio = Running::on(&desk, &["patients.csv"]);
    browser.look(1400, Scheme::Light);
    browser.go(studio.url());
    browser.wait("document.querySelectorAll('.column').length > 3");
    browser.set("[data-key='use']", "clusters", "change");
    browser.set("[data-key='clusters']", "3", "change");
    check(&mut browser, axe.as_ref(), "clusters-form");
    browser.press("See the result");
    browser.wait("document.querySelector('.tiles')?.innerText.includes('Clusters kept')");
    browser.wait("!document.body.innerText.includes('looking at the published columns')");
    check(&mut browser, axe.as_ref(), "clusters");
    browser.click(".result-view .title .primary");
    browser.wait("document.querySelector('.code pre')?.textContent.includes('--clusters 3')");
    browser.click("form.publish .primary");
    browser.wait("document.querySelector('.done')");
    assert!(desk.ok("verify published").contains("holds"));
}
