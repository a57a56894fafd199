//! The reference page of all settings.

use std::fmt::Write;

use super::{Definition, Reach, Shape, all, mentions};

const HEAD: &str = "\
# Settings

A flag of `cutline anonymize`, a key of the spec, a keyword in Python and a field of a page are one setting. What is said by flag takes
the place of what the spec says. Written from the definitions in the code; `UPDATE=1 cargo test -p cutline settings` writes it anew.

";

/// `docs/settings.md`.
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    for sections in all().chunk_by(|one, other| one.section == other.section) {
        let Some(first) = sections.first() else { continue };
        page += &format!("## {}\n\n", first.section.title());
        sections.iter().for_each(|setting| page += &entry(setting));
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

fn entry(setting: &Definition) -> String {
    let mut entry = format!("### `{}`\n\n{}.", setting.name, plain(setting.help));
    if !setting.doc.is_empty() {
        entry += &format!(" {}", plain(setting.doc));
    }
    entry += "\n\n";
    for choice in setting.choices {
        // Writing into a string cannot fail.
        let _ = writeln!(entry, "- `{}`: {}", choice.name, choice.help);
    }
    if !setting.choices.is_empty() {
        entry.push('\n');
    }
    entry += &format!(
        "| flag | key | default |\n| --- | --- | --- |\n| {} | `{}` | {} |\n\n",
        flag(setting),
        setting.key,
        or_dash(setting.default)
    );
    entry
}

fn flag(setting: &Definition) -> String {
    match (setting.reach, setting.shape) {
        (Reach::Spec, _) => "–".to_owned(),
        (Reach::Everywhere, Shape::Flag) => format!("`--{}`", setting.name),
        (Reach::Everywhere, _) => format!("`--{} {}`", setting.name, quoted(setting.example)),
    }
}

/// An example as a shell takes it.
fn quoted(example: &str) -> String {
    let special = |character: char| " <>?*'\"$&|;()".contains(character);
    if example.contains(special) { format!("'{example}'") } else { example.to_owned() }
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}

/// Settings are named in code type.
fn plain(text: &str) -> String {
    mentions(text, |name, value| match value {
        Some(value) => format!("`{name}` {value}"),
        None => format!("`{name}`"),
    })
}
