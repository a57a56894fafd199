//! A spec for a person to edit.

use std::fmt::Write;

use cutline_engine::MOST_DISTINCT;
use cutline_model::{Kind, Role};

use super::{Inspection, Proposal, of_role};
use crate::spec::Input;

impl Inspection {
    /// A commented spec for a person to edit.
    pub fn spec(&self, location: &str, input: &Input) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "# A release of {location}: {} records, {} columns.", self.records, self.columns.len());
        text.push_str(
            "# Proposed by `cutline init` from names and counts. Read it, correct it, then run:\n\
             #   cutline anonymize THIS-FILE -o published\n\n",
        );
        self.write_person(&mut text);
        text.push_str("[input]\n");
        let _ = writeln!(text, "path = {}", quoted(location));
        for (key, said) in [("table", &input.table), ("query", &input.query)] {
            if let Some(said) = said {
                let _ = writeln!(text, "{key} = {}", quoted(said));
            }
        }
        self.write_missing(&mut text, input);
        write_reading(&mut text, input);
        text.push_str(
            "# Records that lack a quasi value or the target: \"value\" keeps them, \"drop\" leaves them out.\n",
        );
        text.push_str("missing = \"value\"\n\n");
        self.write_purpose(&mut text);
        self.write_qid(&mut text);
        text.push_str(SUPPRESS);
        self.write_output(&mut text, input);
        self.write_attributes(&mut text);
        text
    }

    /// Several records of one person do not hide each other.
    fn write_person(&self, text: &mut String) {
        let Some(Proposal { profile, .. }) = self.repeating() else { return };
        let _ = writeln!(
            text,
            "# {} records have {} different values of a column that seems to name persons. Several records of one person do not hide each\n\
             # other: if a value is a person, take the # away, and k counts persons.\n# person = {}\n",
            self.records,
            profile.distinct,
            quoted(&profile.name)
        );
    }

    fn write_missing(&self, text: &mut String, input: &Input) {
        text.push_str("# Texts that stand for a missing value, beside the empty one.\n");
        for marker in &self.missing {
            let columns = plain(&marker.columns.join(", "));
            let _ =
                writeln!(text, "# {} looks like one in {columns}: take it out if it is a value.", quoted(&marker.text));
        }
        let markers = self.missing.iter().map(|marker| marker.text.clone());
        let _ = writeln!(text, "null = {}", list(&input.null.iter().cloned().chain(markers).collect::<Vec<_>>()));
    }

    fn write_purpose(&self, text: &mut String) {
        text.push_str(
            "# What is the table published for? Masking keeps what this needs.\n\
             #   classification  predict a class:   also set `target`\n\
             #   regression      predict a number:  also set `target`\n\
             #   clustering      find clusters:     also set `clusters`\n\
             #   general         unknown\n[purpose]\nkind = \"general\"\n",
        );
        let target = self.columns.iter().rev().find(|column| matches!(column.role, Role::Sensitive | Role::Other));
        let name = target.map_or("NAME", |column| &column.profile.name);
        let _ = writeln!(text, "# target = {}\n", quoted(name));
    }

    fn write_qid(&self, text: &mut String) {
        text.push_str(
            "# What may an attacker know together? Every combination of these values is shared by at least k records.\n\
             # Several [[qid]] are possible, each with its own k.\n[[qid]]\n",
        );
        let quasi: Vec<String> = self.of_role(Role::Quasi).map(|column| column.profile.name.clone()).collect();
        let _ = writeln!(text, "attributes = {}", list(&quasi));
        if quasi.is_empty() {
            text.push_str("# No column looks like one that others know: name them yourself.\n");
        }
        for set in self.singled_out.iter().filter(|set| !set.attributes.iter().all(|name| quasi.contains(name))) {
            let names = plain(&set.attributes.join(", "));
            let _ = writeln!(text, "# Who knows {names} singles out {:.0} % of the records.", set.unique_share * 100.0);
        }
        for pair in &self.pairs {
            let ([one, other], told) = (&pair.columns, &pair.revealed);
            let together = format!("{one} and {other} together give {} away: {}", told.attribute, told.how_sure());
            let _ = writeln!(text, "# {}.", plain(&together));
        }
        text.push_str("k = 10\n");
        self.write_conditions(text);
        text.push('\n');
    }

    /// k says nothing of what a group tells about its members. A bound that the whole table can satisfy.
    fn write_conditions(&self, text: &mut String) {
        let sensitive = self.of_role(Role::Sensitive).map(|column| &column.profile);
        // A condition is written with the first `=` after its attribute.
        let diverse = sensitive.filter(|profile| profile.distinct > 1 && !profile.name.contains('='));
        let conditions: Vec<String> =
            diverse.map(|profile| format!("distinct-l:{}={}", profile.name, profile.distinct.min(3))).collect();
        if conditions.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "# A group in which everybody has the same value tells it of everybody: so many different ones must be in every group. Leave out\n\
             # what the table is published to predict. Others: alpha:NAME=0.5, entropy-l:NAME=2, t-close:NAME=0.2, bound:NAME=VALUE<=0.2\n\
             conditions = {}",
            list(&conditions)
        );
    }

    /// Whoever has an identifier has probably exported the table in its order. Tables of servers have none.
    fn write_output(&self, text: &mut String, input: &Input) {
        let in_order = input.table.is_none() && input.query.is_none();
        let off = if in_order && self.of_role(Role::Identifier).next().is_some() { "" } else { "# " };
        let _ = writeln!(
            text,
            "# In a table that is sorted by an identifier, the position of a record tells whose it is: publish in a random order.\n\
             [output]\n{off}shuffle = true\n"
        );
    }

    fn write_attributes(&self, text: &mut String) {
        text.push_str("# The columns. Roles: identifier (not published), sensitive, other. Quasi attributes are those of the QIDs.\n");
        for column in &self.columns {
            let profile = &column.profile;
            let _ = writeln!(text, "\n# {}: {}", plain(&profile.name), describe(column));
            column.findings.iter().for_each(|finding| {
                let _ = writeln!(text, "# It {}: mask it too, or leave it out.", plain(finding));
            });
            let _ = writeln!(text, "[attributes.{}]", quoted(&profile.name));
            match (column.role, column.kind) {
                (Role::Identifier, _) => text.push_str(IDENTIFIER),
                (Role::Quasi, Kind::Continuous) => {
                    text.push_str("kind = \"continuous\"\n# range = [LOW, HIGH]   # declare it, and the outer bounds are published\n");
                }
                (Role::Quasi, Kind::Date) => {
                    text.push_str("kind = \"date\"\n# age_at = \"2026-01-01\"  # of a date of birth: publish the age at a date instead\n");
                }
                (Role::Quasi, Kind::Categorical) => {
                    text.push_str(
                        "kind = \"categorical\"\n# taxonomy = \"FILE\"     # without one, rare values become *; `cutline taxonomy build` proposes one\n# private = true       # if the taxonomy was made from values of the table\n",
                    );
                }
                (Role::Sensitive, _) => text.push_str("role = \"sensitive\"\n"),
                _ => text.push_str("role = \"other\"\n"),
            }
        }
    }

    fn of_role(&self, role: Role) -> impl Iterator<Item = &Proposal> {
        of_role(&self.columns, role)
    }
}

/// How the table was read, where that was said.
fn write_reading(text: &mut String, input: &Input) {
    if let Some(format) = &input.format {
        let _ = writeln!(text, "format = {}", quoted(format.extension()));
    }
    if let Some(delimiter) = input.delimiter {
        let _ = writeln!(text, "delimiter = {}", quoted(&delimiter.to_string()));
    }
    if let Some(header) = input.header {
        let _ = writeln!(text, "header = {header}");
    }
    if let Some(columns) = &input.columns {
        let _ = writeln!(text, "columns = {}", list(columns));
    }
    let character = |character: Option<char>| character.map(|character| character.to_string());
    let more = [
        ("encoding", input.encoding.clone()),
        ("decimal", character(input.decimal)),
        ("thousands", character(input.thousands)),
        ("sheet", input.sheet.clone()),
    ];
    for (key, value) in more {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", quoted(&value));
        }
    }
}

const SUPPRESS: &str = "\
# One odd record should not force the masking of everyone else: up to this share of the records may be published with * for all their
# quasi values (or left out, with how = \"drop\"). Without it, a single rare combination can turn a whole column into *.
[suppress]
limit = \"1%\"

";

const IDENTIFIER: &str = "\
role = \"identifier\"
identifier = \"drop\"   # or \"tokenize\"; if it is meant to be published: keep = true in place of both lines
";

fn describe(column: &Proposal) -> String {
    let profile = &column.profile;
    let more = if profile.distinct >= MOST_DISTINCT { "more than " } else { "" };
    let missing = if profile.missing > 0 { format!(", {} missing", profile.missing) } else { String::new() };
    let kind = column.kind_reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
    format!("{more}{} distinct values, {}{kind}{missing}; {}", profile.distinct, column.kind, column.reason)
}

/// A text in a comment.
fn plain(text: &str) -> String {
    text.replace('\n', " ")
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}
