//! Which command, and which call in Python, does the same as a spec?
//!
//! What is told is checked: the settings are put into an empty spec, and if that is not what was asked for (a spec may say things that no
//! flag says), the spec's file is told instead.

#[cfg(test)]
mod tests;

use std::path::Path;

use cutline::model::recoding::SuppressHow;
use cutline::model::{Identifier, Kind, Qid, Role};
use cutline::settings::Value;
use cutline::spec::{AttributeSpec, IfUnknown, PurposeKind, Spec};
use serde::Serialize;

use crate::confine::is_address;

/// The same release by other means.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Told {
    pub(crate) command: String,
    /// Nothing for tables that Python does not open.
    pub(crate) python: Option<String>,
    /// Does it need the spec as a file?
    pub(crate) needs_file: bool,
}

/// The name of the file that a spec is stored as.
pub(crate) const SPEC_FILE: &str = "release.toml";

impl Told {
    pub(crate) fn new(spec: &Spec, folder: &Path) -> Self {
        let output = folder.display().to_string();
        let mut meant = Spec { attributes: plain(spec), ..spec.clone() };
        // What must hold of the groups of the only QID must hold of all groups.
        if let [qid] = &mut meant.qid[..] {
            meant.conditions.append(&mut qid.conditions);
        }
        let said = said(&meant);
        let mut same = Spec::default();
        same.input.path = spec.input.path.clone();
        let set = same.set_all(said.iter().map(|(name, value)| (*name, value)));
        let path = spec.input.path.clone().unwrap_or_default();
        let in_python = |call: String| (!is_address(&path)).then_some(call);
        if set.is_err() || !alike(&same, &meant) || meant.attributes.keys().any(|name| name.contains('"')) {
            let folder = python(&Value::Text(output.clone()));
            return Told {
                command: format!("cutline anonymize {SPEC_FILE} -o {}", shell(&output)),
                python: in_python(format!("import cutline as cl\n\ncl.anonymize({SPEC_FILE:?}).publish({folder})")),
                needs_file: true,
            };
        }
        Told {
            command: command(&path, &said, &output),
            python: in_python(call(&path, &said, &output)),
            needs_file: false,
        }
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
        spec.input.unknown = spec.input.unknown.filter(|unknown| *unknown != IfUnknown::Error);
        spec.suppress.how = spec.suppress.how.filter(|how| *how == SuppressHow::Drop);
        spec.purpose.kind = spec.purpose.kind.filter(|kind| *kind == PurposeKind::Regression);
        for flag in [
            &mut spec.output.shuffle,
            &mut spec.output.round_bounds,
            &mut spec.output.strict,
            &mut spec.output.evaluate,
            &mut spec.search.flatten,
            &mut spec.search.tune,
        ] {
            *flag = flag.filter(|said| *said);
        }
        spec
    };
    usual(one) == usual(other)
}

type Said = Vec<(&'static str, Value)>;

/// The settings of a spec, as far as flags say them.
fn said(spec: &Spec) -> Said {
    let texts = TEXTS.iter().filter_map(|(name, says)| Some((*name, Value::Text(says(spec)?))));
    let of_attributes = SAID_OF_ATTRIBUTES.iter().map(|(name, says)| {
        (*name, spec.attributes.iter().filter_map(|(attribute, spec)| says(attribute, spec)).collect())
    });
    let lists = LISTS.iter().map(|(name, says)| (*name, says(spec))).chain(of_attributes);
    let lists = lists.filter(|(_, values): &(_, Vec<String>)| !values.is_empty());
    let lists = lists.map(|(name, values)| (name, Value::List(values.into_iter().map(Value::Text).collect())));
    let flags = FLAGS.iter().filter(|(_, says)| says(spec)).map(|(name, _)| (*name, Value::Flag(true)));
    texts.chain(lists).chain(flags).collect()
}

type Says<T> = fn(&Spec) -> T;

/// What is one text.
const TEXTS: [(&str, Says<Option<String>>); 27] = [
    ("table", |spec| spec.input.table.clone()),
    ("query", |spec| spec.input.query.clone()),
    ("into", |spec| spec.output.into.clone()),
    ("input-format", |spec| spec.input.format.map(|format| format.to_string())),
    ("delimiter", |spec| spec.input.delimiter.map(String::from)),
    ("encoding", |spec| spec.input.encoding.clone()),
    ("decimal", |spec| spec.input.decimal.map(String::from)),
    ("thousands", |spec| spec.input.thousands.map(String::from)),
    ("sheet", |spec| spec.input.sheet.clone()),
    ("target", |spec| spec.purpose.target.clone()),
    ("clusters", |spec| {
        Some(spec.purpose.clusters.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
            .filter(|said| !said.is_empty())
    }),
    ("purpose", |spec| {
        spec.purpose.kind.filter(|kind| *kind == PurposeKind::Regression).map(|kind| kind.name().to_owned())
    }),
    ("person", |spec| spec.person.clone()),
    ("weight", |spec| spec.weight.clone()),
    ("sampling-fraction", |spec| spec.sampling_fraction.map(|share| share.to_string())),
    ("suppress-limit", |spec| spec.suppress.limit.map(|limit| limit.to_string())),
    ("suppress-how", |spec| (spec.suppress.how == Some(SuppressHow::Drop)).then(|| "drop".to_owned())),
    ("missing", |spec| {
        spec.input.missing.filter(|missing| *missing != Default::default()).map(|missing| missing.name().to_owned())
    }),
    ("unknown", |spec| {
        spec.input.unknown.filter(|unknown| *unknown != IfUnknown::Error).map(|unknown| unknown.name().to_owned())
    }),
    ("algorithm", |spec| spec.search.algorithm.map(|algorithm| algorithm.to_string())),
    ("local", |spec| spec.search.local.map(|local| local.name().to_owned())),
    ("max-steps", |spec| spec.search.max_steps.map(|steps| steps.to_string())),
    ("time-limit", |spec| spec.search.time_limit.map(|limit| limit.to_string())),
    ("seed", |spec| spec.search.seed.map(|seed| seed.to_string())),
    ("format", |spec| spec.output.format.map(|format| format.to_string())),
    ("shuffle-key", |spec| spec.output.shuffle_key.as_ref().map(|key| key.display().to_string())),
    ("token-key", |spec| spec.output.token_key.as_ref().map(|key| key.display().to_string())),
];

/// What may be said several times.
const LISTS: [(&str, Says<Vec<String>>); 6] = [
    ("null", |spec| spec.input.null.clone()),
    ("columns", |spec| spec.input.columns.clone().unwrap_or_default()),
    ("condition", |spec| spec.conditions.iter().map(ToString::to_string).collect()),
    ("qid", |spec| spec.qid.iter().map(qid).collect()),
    ("pin-open", |spec| pins(spec, |said| &said.open)),
    ("pin-closed", |spec| pins(spec, |said| &said.closed)),
];

/// What is on or off.
const FLAGS: [(&str, Says<bool>); 8] = [
    ("no-header", |spec| spec.input.header == Some(false)),
    ("flatten", |spec| spec.search.flatten == Some(true)),
    ("tune", |spec| spec.search.tune == Some(true)),
    ("shuffle", |spec| spec.output.shuffle == Some(true)),
    ("round-bounds", |spec| spec.output.round_bounds == Some(true)),
    ("strict", |spec| spec.output.strict == Some(true)),
    ("no-screen", |spec| spec.output.screen == Some(false)),
    ("evaluate", |spec| spec.output.evaluate == Some(true)),
];

fn pins(spec: &Spec, of: fn(&AttributeSpec) -> &Vec<String>) -> Vec<String> {
    let each = spec.attributes.iter();
    each.flat_map(|(name, said)| of(said).iter().map(move |label| format!("{name}={label}"))).collect()
}

type OfAttribute = fn(&str, &AttributeSpec) -> Option<String>;

/// What is said of an attribute, by setting.
const SAID_OF_ATTRIBUTES: [(&str, OfAttribute); 16] = [
    ("taxonomy", |name, spec| Some(format!("{name}={}", spec.taxonomy.as_ref()?.display()))),
    ("range", |name, spec| spec.range.map(|(low, high)| format!("{name}={low}..{high}"))),
    ("bins", |name, spec| {
        let bounds: Vec<String> = spec.bins.as_ref()?.iter().map(f64::to_string).collect();
        Some(format!("{name}={}", bounds.join(",")))
    }),
    ("round", |name, spec| spec.round.map(|step| format!("{name}={step}"))),
    ("clamp", |name, spec| spec.clamp.map(|(low, high)| format!("{name}={low}..{high}"))),
    ("date-format", |name, spec| spec.date_format.as_ref().map(|form| format!("{name}={form}"))),
    ("age-at", |name, spec| spec.age_at.map(|date| format!("{name}={date}"))),
    ("categorical", |name, spec| (spec.kind == Some(Kind::Categorical)).then(|| name.to_owned())),
    ("continuous", |name, spec| (spec.kind == Some(Kind::Continuous)).then(|| name.to_owned())),
    ("date", |name, spec| (spec.kind == Some(Kind::Date)).then(|| name.to_owned())),
    ("drop", |name, spec| (spec.identifier == Some(Identifier::Drop)).then(|| name.to_owned())),
    ("tokenize", |name, spec| (spec.identifier == Some(Identifier::Tokenize)).then(|| name.to_owned())),
    ("shift", |name, spec| (spec.identifier == Some(Identifier::Shift)).then(|| name.to_owned())),
    ("keep", |name, spec| (spec.keep == Some(true)).then(|| name.to_owned())),
    ("sensitive", |name, spec| (spec.role == Some(Role::Sensitive)).then(|| name.to_owned())),
    ("private-taxonomy", |name, spec| (spec.private == Some(true)).then(|| name.to_owned())),
];

/// Settings whose values are names, which a command separates by commas.
const NAMES: [&str; 10] = [
    "columns",
    "categorical",
    "continuous",
    "date",
    "drop",
    "tokenize",
    "shift",
    "keep",
    "sensitive",
    "private-taxonomy",
];

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
