//! Which command, and which call in Python, does the same as a spec?
//!
//! What is told is checked: the settings are put into an empty spec, and if that is not what was asked for (a spec may say things that no
//! flag says), the spec's file is told instead.

use std::path::Path;

use cutline::model::{Identifier, Kind, Qid, Role};
use cutline::settings::Value;
use cutline::spec::{AttributeSpec, Spec};
use serde::Serialize;

/// The same release by other means.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Told {
    pub(crate) command: String,
    pub(crate) python: String,
    /// Does it need the spec as a file?
    pub(crate) needs_file: bool,
}

/// The name of the file that a spec is stored as.
pub(crate) const SPEC_FILE: &str = "release.toml";

impl Told {
    pub(crate) fn new(spec: &Spec, folder: &Path) -> Self {
        let output = folder.display().to_string();
        let meant = Spec { attributes: plain(spec), ..spec.clone() };
        let said = said(&meant);
        let mut same = Spec::default();
        same.input.path = spec.input.path.clone();
        let set = same.set_all(said.iter().map(|(name, value)| (*name, value)));
        if set.is_err() || !alike(&same, &meant) || meant.attributes.keys().any(|name| name.contains('"')) {
            return Told {
                command: format!("cutline anonymize {SPEC_FILE} -o {}", shell(&output)),
                python: format!(
                    "import cutline as cl\n\ncl.anonymize({SPEC_FILE:?}).publish({})",
                    python(&Value::Text(output))
                ),
                needs_file: true,
            };
        }
        let path = spec.input.path.clone().unwrap_or_default();
        Told { command: command(&path, &said, &output), python: call(&path, &said, &output), needs_file: false }
    }
}

/// What is said of attributes, without notes that change nothing.
fn plain(spec: &Spec) -> cutline::spec::Attributes {
    let plain = |attribute: &AttributeSpec| AttributeSpec {
        role: attribute.role.filter(|role| *role == Role::Sensitive),
        identifier: attribute.identifier.or((attribute.role == Some(Role::Identifier)).then_some(Identifier::Drop)),
        ..attribute.clone()
    };
    let all = spec.attributes.iter().map(|(name, attribute)| (name.clone(), plain(attribute)));
    all.filter(|(_, attribute)| *attribute != AttributeSpec::default()).collect()
}

/// Do two specs ask for the same?
fn alike(one: &Spec, other: &Spec) -> bool {
    let usual = |spec: &Spec| {
        let mut spec = spec.clone();
        spec.input.missing = Some(spec.input.missing.unwrap_or_default());
        spec.input.unknown = spec.input.unknown.filter(|unknown| *unknown != cutline::spec::IfUnknown::Error);
        spec.search.algorithm = Some(spec.search.algorithm.unwrap_or_default());
        spec.suppress.how = spec.suppress.how.filter(|how| *how == cutline::model::recoding::SuppressHow::Drop);
        spec.purpose.kind = spec.purpose.kind.filter(|kind| *kind == cutline::spec::PurposeKind::Regression);
        for flag in [
            &mut spec.output.shuffle,
            &mut spec.output.round_bounds,
            &mut spec.output.strict,
            &mut spec.output.evaluate,
        ] {
            *flag = flag.filter(|said| *said);
        }
        spec
    };
    usual(one) == usual(other)
}

type Said = Vec<(&'static str, Value)>;

/// The settings of a spec, as far as a page can set them.
fn said(spec: &Spec) -> Said {
    let mut said: Said = Vec::new();
    let mut text =
        |name: &'static str, value: Option<String>| said.extend(value.map(|value| (name, Value::Text(value))));
    text("target", spec.purpose.target.clone());
    let clusters: Vec<String> = spec.purpose.clusters.iter().map(u32::to_string).collect();
    text("clusters", (!clusters.is_empty()).then(|| clusters.join(",")));
    text(
        "purpose",
        spec.purpose
            .kind
            .filter(|kind| *kind == cutline::spec::PurposeKind::Regression)
            .map(|kind| kind.name().to_owned()),
    );
    text("suppress-limit", spec.suppress.limit.map(|limit| limit.to_string()));
    text(
        "suppress-how",
        spec.suppress.how.filter(|how| *how == cutline::model::recoding::SuppressHow::Drop).map(|_| "drop".to_owned()),
    );
    text(
        "missing",
        spec.input.missing.filter(|missing| *missing != Default::default()).map(|missing| missing.name().to_owned()),
    );
    text(
        "algorithm",
        spec.search
            .algorithm
            .filter(|algorithm| *algorithm != Default::default())
            .map(|algorithm| algorithm.to_string()),
    );
    text("max-steps", spec.search.max_steps.map(|steps| steps.to_string()));
    let mut several = |name: &'static str, values: Vec<String>| {
        if !values.is_empty() {
            said.push((name, Value::List(values.into_iter().map(Value::Text).collect())));
        }
    };
    several("null", spec.input.null.clone());
    several("condition", spec.conditions.iter().map(ToString::to_string).collect());
    several("qid", spec.qid.iter().map(qid).collect());
    for (name, says) in SAID_OF_ATTRIBUTES {
        let attributes = spec.attributes.iter();
        several(name, attributes.filter_map(|(attribute, spec)| says(attribute, spec)).collect());
    }
    let pins = |of: fn(&AttributeSpec) -> &Vec<String>| -> Vec<String> {
        spec.attributes
            .iter()
            .flat_map(|(name, said)| of(said).iter().map(move |label| format!("{name}={label}")))
            .collect()
    };
    several("pin-open", pins(|said| &said.open));
    several("pin-closed", pins(|said| &said.closed));
    let flags = [
        ("shuffle", spec.output.shuffle),
        ("round-bounds", spec.output.round_bounds),
        ("strict", spec.output.strict),
        ("evaluate", spec.output.evaluate),
    ];
    said.extend(flags.into_iter().filter(|(_, said)| *said == Some(true)).map(|(name, _)| (name, Value::Flag(true))));
    said
}

type OfAttribute = fn(&str, &AttributeSpec) -> Option<String>;

/// What is said of an attribute, by setting.
const SAID_OF_ATTRIBUTES: [(&str, OfAttribute); 10] = [
    ("taxonomy", |name, spec| Some(format!("{name}={}", spec.taxonomy.as_ref()?.display()))),
    ("range", |name, spec| spec.range.map(|(low, high)| format!("{name}={low}..{high}"))),
    ("categorical", |name, spec| (spec.kind == Some(Kind::Categorical)).then(|| name.to_owned())),
    ("continuous", |name, spec| (spec.kind == Some(Kind::Continuous)).then(|| name.to_owned())),
    ("date", |name, spec| (spec.kind == Some(Kind::Date)).then(|| name.to_owned())),
    ("drop", |name, spec| (spec.identifier == Some(Identifier::Drop)).then(|| name.to_owned())),
    ("tokenize", |name, spec| (spec.identifier == Some(Identifier::Tokenize)).then(|| name.to_owned())),
    ("keep", |name, spec| (spec.keep == Some(true)).then(|| name.to_owned())),
    ("sensitive", |name, spec| (spec.role == Some(Role::Sensitive)).then(|| name.to_owned())),
    ("private-taxonomy", |name, spec| (spec.private == Some(true)).then(|| name.to_owned())),
];

/// Settings whose values are names, which a command separates by commas.
const NAMES: [&str; 8] =
    ["categorical", "continuous", "date", "drop", "tokenize", "keep", "sensitive", "private-taxonomy"];

fn qid(qid: &Qid) -> String {
    format!("{}:{}", listed(&qid.attributes), qid.k)
}

/// Names as a flag takes them: those that would be taken apart stand in quotes.
fn listed(names: &[String]) -> String {
    let name = |name: &String| if name.contains([',', ':']) { format!("\"{name}\"") } else { name.clone() };
    names.iter().map(name).collect::<Vec<_>>().join(",")
}

fn command(path: &str, said: &Said, output: &str) -> String {
    let mut lines = vec![format!("cutline anonymize {}", shell(path))];
    for (name, value) in said {
        match value {
            Value::Flag(_) => lines.push(format!("--{name}")),
            Value::List(values) if NAMES.contains(name) => lines.push(flag(name, &listed(&texts(values)))),
            Value::List(values) => lines.extend(texts(values).iter().map(|text| flag(name, text))),
            value => lines.push(flag(name, &value.text().unwrap_or_default())),
        }
    }
    lines.push(format!("-o {}", shell(output)));
    lines.join(" \\\n  ")
}

/// A flag with its value, which may look like a flag itself.
fn flag(name: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!("--{name}{between}{}", shell(value))
}

fn call(path: &str, said: &Said, output: &str) -> String {
    let mut lines = vec![format!("    {},", python(&Value::Text(path.to_owned())))];
    for (name, value) in said {
        lines.push(format!("    {}={},", name.replace('-', "_"), python(value)));
    }
    format!(
        "import cutline as cl\n\nrelease = cl.anonymize(\n{}\n)\nrelease.publish({})",
        lines.join("\n"),
        python(&Value::Text(output.to_owned()))
    )
}

fn texts(values: &[Value]) -> Vec<String> {
    values.iter().filter_map(|value| value.text().ok()).collect()
}

/// A word of a shell.
fn shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=%+@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A literal of Python. A text is written as JSON does, which Python reads too.
fn python(value: &Value) -> String {
    match value {
        Value::Flag(flag) => if *flag { "True" } else { "False" }.to_owned(),
        Value::Text(text) => serde_json::Value::String(text.clone()).to_string(),
        Value::List(values) => format!("[{}]", values.iter().map(python).collect::<Vec<_>>().join(", ")),
        other => other.text().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        toml::from_str(text).unwrap()
    }

    const USUAL: &str = r#"
[input]
path = "my data/adult.csv"
null = ["?"]
[purpose]
target = "income"
[[qid]]
attributes = ["age", "sex, or gender"]
k = 20
[suppress]
limit = "1%"
[attributes.name]
role = "identifier"
[attributes.age]
range = [0, 120]
[attributes.income]
role = "other"
"#;

    #[test]
    fn a_usual_spec_is_told_by_flags() {
        let told = Told::new(&spec(USUAL), Path::new("published"));
        assert_eq!(
            told.command,
            "cutline anonymize 'my data/adult.csv' \\\n  --target income \\\n  --suppress-limit 1% \\\n  --null '?' \\\n  \
             --qid 'age,\"sex, or gender\":20' \\\n  --range age=0..120 \\\n  --drop name \\\n  -o published"
        );
        assert!(
            told.python.contains("    suppress_limit=\"1%\",\n") && told.python.contains("    drop=[\"name\"],\n"),
            "{}",
            told.python
        );
        assert!(!told.needs_file);
    }

    #[test]
    fn what_no_flag_says_is_told_by_the_file() {
        for more in ["conditions = [\"distinct-l:income=2\"]\n", ""] {
            let text = USUAL.replace("k = 20\n", &format!("k = 20\n{more}"));
            assert_eq!(Told::new(&spec(&text), Path::new("x")).needs_file, !more.is_empty());
        }
        let genetic = format!("{USUAL}[search.genetic]\npopulation = 50\n");
        assert_eq!(Told::new(&spec(&genetic), Path::new("a b")).command, "cutline anonymize release.toml -o 'a b'");
    }

    #[test]
    fn odd_names_are_told_as_the_command_reads_them() {
        let text = |name: &str| format!("{USUAL}[attributes.'{name}']\nidentifier = \"drop\"\n");
        for (name, flag) in [("a,b", "--drop 'name,\"a,b\"'"), ("-x", "--drop name,-x")] {
            let told = Told::new(&spec(&text(name)), Path::new("x"));
            assert!(told.command.contains(flag), "{}", told.command);
        }
        let alone = text("-x").replace("[attributes.name]\nrole = \"identifier\"\n", "");
        assert!(Told::new(&spec(&alone), Path::new("x")).command.contains("--drop=-x"));
        assert!(Told::new(&spec(&text("5\" disk")), Path::new("x")).needs_file, "a flag cannot say a quote");
    }

    #[test]
    fn words_of_a_shell_stay_words() {
        assert_eq!(shell("a'b; rm -rf $HOME"), r"'a'\''b; rm -rf $HOME'");
        assert_eq!(shell(""), "''");
    }
}
