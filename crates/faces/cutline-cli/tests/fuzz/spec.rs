//! What is asked of a table: a random spec.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::random::Random;
use crate::table::{Column, NULLS, Table, Values};

/// A QID of the requirement.
#[derive(Clone, Debug)]
pub(crate) struct Qid {
    pub(crate) attributes: Vec<String>,
    pub(crate) k: usize,
}

/// A condition on `ill`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    Distinct(usize),
    Alpha(f64),
}

/// A spec, its taxonomies, and what it demands.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) toml: String,
    pub(crate) taxonomies: Vec<Taxonomy>,
    pub(crate) qids: Vec<Qid>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) format: &'static str,
    pub(crate) rounded: bool,
    pub(crate) missing: &'static str,
    pub(crate) identifier: &'static str,
}

/// The taxonomy of an attribute.
#[derive(Clone, Debug)]
pub(crate) struct Taxonomy {
    pub(crate) attribute: String,
    pub(crate) file: String,
    pub(crate) outline: String,
    pub(crate) private: bool,
}

const ALGORITHMS: [&str; 5] = ["tdr", "tds", "refine", "bottom-up", "genetic"];

impl Asked {
    pub(crate) fn random(random: &mut Random, table: &Table) -> Self {
        let qids = qids(random, table);
        let conditions = conditions(random);
        let format = *random.pick(&["csv", "csv", "csv", "parquet", "arrow", "jsonl"]);
        let rounded = random.one_in(4);
        let missing = *random.pick(&["value", "value", "drop", "complete"]);
        let identifier = *random.pick(&["drop", "drop", "tokenize"]);
        let mut toml = String::new();
        let texts: Vec<String> = conditions.iter().map(Condition::text).map(|text| quoted(&text)).collect();
        writeln!(toml, "conditions = [{}]", texts.join(", ")).unwrap();
        input(&mut toml, missing);
        writeln!(toml, "[output]\nformat = \"{format}\"\nround_bounds = {rounded}").unwrap();
        purpose(random, &mut toml);
        search(random, &mut toml);
        if random.one_in(2) {
            let (limit, how) = (random.pick(&["1%", "5%", "20%", "100%"]), random.pick(&["mask", "drop"]));
            writeln!(toml, "[suppress]\nlimit = \"{limit}\"\nhow = \"{how}\"").unwrap();
        }
        for Qid { attributes, k } in &qids {
            let names: Vec<String> = attributes.iter().map(|name| quoted(name)).collect();
            writeln!(toml, "[[qid]]\nattributes = [{}]\nk = {k}", names.join(", ")).unwrap();
        }
        let mut taxonomies = attributes(random, &mut toml, table);
        writeln!(toml, "[attributes.id]\nidentifier = \"{identifier}\"").unwrap();
        if qids.len() == 1 && !toml.contains("clustering") && random.one_in(2) {
            toml = local(random, &toml, &mut taxonomies);
        }
        Asked { toml, taxonomies, qids, conditions, format, rounded, missing, identifier }
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Distinct(l) => format!("distinct-l:ill={l}"),
            Condition::Alpha(share) => format!("alpha:ill={share}"),
        }
    }

    /// The definition, for the sensitive cells of a group. A missing value adds no diversity, and does not dilute shares.
    pub(crate) fn holds(&self, group: &[&str]) -> bool {
        let known: Vec<&str> = group.iter().copied().filter(|cell| !cell.is_empty() && !NULLS.contains(cell)).collect();
        let at_most = |count: usize, share: f64, of: usize| count as f64 <= share * of as f64 + 1e-9;
        let count = |value: &str| known.iter().filter(|other| **other == value).count();
        match *self {
            Condition::Distinct(l) => known.iter().collect::<BTreeSet<_>>().len() >= l,
            Condition::Alpha(share) => {
                known.iter().all(|value| at_most(count(value), share, known.len()))
                    && at_most(group.len() - known.len(), share, group.len())
            }
        }
    }
}

/// A text of TOML: JSON's escapes are among its own.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn qids(random: &mut Random, table: &Table) -> Vec<Qid> {
    let k = |random: &mut Random| *random.pick(&[1, 2, 3, 5, 8]);
    let all = table.quasi.iter().map(|column| column.name.clone()).collect();
    let mut qids = vec![Qid { attributes: all, k: k(random) }];
    for _ in 0..*random.pick(&[0, 0, 1, 2]) {
        let some =
            table.quasi.iter().filter(|_| random.one_in(2)).map(|column| column.name.clone()).collect::<Vec<_>>();
        if !some.is_empty() {
            qids.push(Qid { attributes: some, k: k(random) + random.below(4) });
        }
    }
    qids
}

fn conditions(random: &mut Random) -> Vec<Condition> {
    match random.below(6) {
        0 => vec![Condition::Distinct(2)],
        1 => vec![Condition::Alpha(0.8)],
        2 => vec![Condition::Distinct(2), Condition::Alpha(0.7)],
        _ => Vec::new(),
    }
}

fn input(toml: &mut String, missing: &str) {
    let nulls: Vec<String> = NULLS.iter().map(|null| quoted(null)).collect();
    writeln!(toml, "[input]\npath = \"table.csv\"\nmissing = \"{missing}\"\nunknown = \"root\"").unwrap();
    writeln!(toml, "null = [{}]\ndelimiter = \",\"", nulls.join(", ")).unwrap();
}

fn purpose(random: &mut Random, toml: &mut String) {
    let purpose = match random.below(8) {
        0 | 1 => "kind = \"general\"".to_owned(),
        2 | 3 => "kind = \"regression\"\ntarget = \"amount\"".to_owned(),
        4 => format!("kind = \"clustering\"\nclusters = [{}]", random.within(2, 3)),
        _ => "target = \"class\"".to_owned(),
    };
    writeln!(toml, "[purpose]\n{purpose}").unwrap();
}

fn search(random: &mut Random, toml: &mut String) {
    let algorithm = *random.pick(&ALGORITHMS);
    writeln!(toml, "[search]\nalgorithm = \"{algorithm}\"\nseed = {}", random.below(100)).unwrap();
    writeln!(toml, "threads = {}", random.within(1, 3)).unwrap();
    if algorithm != "bottom-up" && random.one_in(4) {
        writeln!(toml, "max_steps = {}", random.below(6)).unwrap();
    }
    if algorithm == "genetic" {
        writeln!(toml, "genetic = {{ iterations = 200, population = 20 }}").unwrap();
    }
}

/// The same, where each group is refined by itself. Taxonomies are public; what they lack is attached to their roots.
fn local(random: &mut Random, toml: &str, taxonomies: &mut [Taxonomy]) -> String {
    taxonomies.iter_mut().for_each(|taxonomy| taxonomy.private = false);
    let labels = random.pick(&["nested", "free"]);
    let line = |line: &str| match line {
        "private = true" => "private = false".to_owned(),
        _ if line.starts_with("algorithm = ") => format!("local = \"{labels}\""),
        _ => line.to_owned(),
    };
    toml.lines().map(|text| line(text) + "\n").collect()
}

/// What is said of the attributes, and their taxonomies.
fn attributes(random: &mut Random, toml: &mut String, table: &Table) -> Vec<Taxonomy> {
    let mut taxonomies = Vec::new();
    for (number, column) in table.quasi.iter().enumerate() {
        writeln!(toml, "[attributes.{}]", quoted(&column.name)).unwrap();
        match column.values {
            // What the values suggest. (No choice, so that seeds stay what they are.)
            Values::Words | Values::Constant | Values::Incomes if column.domain.len() % 2 == 0 => {}
            Values::Words | Values::Constant => toml.push_str("kind = \"categorical\"\n"),
            Values::Tree => {
                let (file, private) = (format!("taxonomy-{number}.txt"), random.one_in(2));
                writeln!(toml, "taxonomy = \"{file}\"\nprivate = {private}").unwrap();
                let outline = outline(random, column);
                taxonomies.push(Taxonomy { attribute: column.name.clone(), file, outline, private });
            }
            Values::Ages if random.one_in(2) => toml.push_str("kind = \"continuous\"\nrange = [0, 100]\n"),
            Values::Ages | Values::Incomes => toml.push_str("kind = \"continuous\"\n"),
        }
    }
    taxonomies
}

/// A tree of two levels that lacks the last values, if there are several.
fn outline(random: &mut Random, column: &Column) -> String {
    let lacking = 1 + column.domain.len() % 3;
    let known = &column.domain[..column.domain.len().max(lacking + 1) - lacking];
    let mut text = "Anything\n".to_owned();
    let mut left = known;
    let mut group = 0;
    while !left.is_empty() {
        let (some, rest) = left.split_at(random.within(1, left.len()));
        writeln!(text, "  Group {group}").unwrap();
        some.iter().for_each(|leaf| writeln!(text, "    {leaf}").unwrap());
        (left, group) = (rest, group + 1);
    }
    text
}
