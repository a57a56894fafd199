//! Tables and specs that every engine must publish as the embedded one does.

use std::path::Path;

/// Small numbers that look random.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Records with ages as numbers, weights with fractions, towns with blanks and markers, a class and a diagnosis.
pub(crate) fn table(seed: u64, records: usize) -> String {
    let mut numbers = Numbers(seed);
    let mut csv = "id,age,weight,town,ill,diagnosis\n".to_owned();
    for id in 0..records {
        let age = 18 + numbers.below(60);
        let age = if numbers.below(20) == 0 { String::new() } else { age.to_string() };
        let weight = ["50", "50.0", "62.5", "6.25e1", "71", "-0", "0", "80.25"][numbers.below(8) as usize];
        let town = ["Oslo", " Oslo", "Rome", "Kiel ", "Ulm", "?", "Köln", "a\tb"][numbers.below(8) as usize];
        let ill = if numbers.below(3) == 0 || age.len() < 2 { "yes" } else { "no" };
        let diagnosis = ["flu", "gout", "asthma", "it's"][numbers.below(4) as usize];
        csv += &format!("{id},{age},{weight},{town},{ill},{diagnosis}\n");
    }
    csv
}

/// Taxonomies, several QIDs, suppression by mask and by leaving out, conditions, what is missing, all searches.
pub(crate) fn specs(taxonomy: &Path) -> Vec<String> {
    let one = "[[qid]]\nattributes = [\"age\", \"weight\", \"town\"]\nk = 9\n";
    let two =
        "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 8\n[[qid]]\nattributes = [\"weight\", \"town\"]\nk = 12\n";
    let diverse = "[[qid]]\nattributes = [\"age\", \"town\"]\nk = 5\nconditions = [\"distinct-l:diagnosis=3\"]\n";
    let target = "[purpose]\ntarget = \"ill\"\n";
    let budget = |how: &str| format!("[suppress]\nlimit = \"6%\"\nhow = \"{how}\"\n");
    let tdr = "[search]\nalgorithm = \"tdr\"\n";
    let tree = format!("[attributes.town]\ntaxonomy = \"{}\"\n", taxonomy.display());
    vec![
        format!("{one}{target}"),
        format!("{one}{target}{tdr}"),
        format!("{one}{target}{}", budget("mask")),
        format!("{two}{target}{}", budget("drop")),
        format!("{two}{target}{tree}{}", budget("mask")),
        format!("{diverse}{target}{tree}{tdr}"),
        format!("{diverse}{}[search]\nalgorithm = \"bottom-up\"\n", budget("mask")),
        format!("{one}[purpose]\nclusters = 2\n"),
    ]
}

/// The towns of [`table`] as a tree.
pub(crate) const TOWNS: &str = "Any\n  North\n    Oslo\n    Kiel\n  South\n    Rome\n    Ulm\n    Köln\n    a\tb\n";

/// How a table is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(dead_code, reason = "not every test counts in both ways")]
pub(crate) enum By {
    /// All combinations of values.
    Combinations,
    /// Counts that stay small.
    Frontier,
}

/// The specs that can be counted by a frontier: `tdr` without a budget or clusters.
#[allow(dead_code, reason = "not every test counts in both ways")]
pub(crate) fn ways(spec: &str) -> &'static [By] {
    if spec.contains("tdr") { &[By::Combinations, By::Frontier] } else { &[By::Combinations] }
}
