//! A first look at a table: what could each column be?

use std::fmt::Write;

use cutline_engine::{ColumnProfile, Engine};
use cutline_model::{Kind, Role};

use crate::observer::Watching;
use crate::screen::words_of;
use crate::spec::Input;
use crate::{Error, Observer, Stage};

/// A table and what its columns could be.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// The table's records.
    pub records: u64,
    /// One for each column.
    pub columns: Vec<Proposal>,
}

/// What a column could be.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// What was seen.
    pub profile: ColumnProfile,
    /// The proposed role.
    pub role: Role,
    /// The proposed kind.
    pub kind: Kind,
    /// Why.
    pub reason: &'static str,
}

/// Looks at every column of a table and proposes roles.
pub fn inspect(engine: &dyn Engine, nulls: &[String], observer: &dyn Observer) -> Result<Inspection, Error> {
    observer.stage(Stage::Read, Some(engine.size()));
    let profiles = engine.profile(nulls, &Watching(observer))?;
    let records = profiles.first().map_or(0, |profile| profile.records);
    Ok(Inspection { records, columns: profiles.into_iter().map(propose).collect() })
}

/// Parts of names that tell what a column holds. Matched against whole words of the name.
const IDENTIFIERS: &[&str] = &[
    "id",
    "uuid",
    "guid",
    "name",
    "firstname",
    "lastname",
    "surname",
    "email",
    "mail",
    "phone",
    "telephone",
    "mobile",
    "ssn",
    "mrn",
    "passport",
    "iban",
    "account",
    "address",
    "street",
    "ip",
    "url",
    "username",
    "login",
    "licence",
    "license",
    "plate",
];
const QUASI: &[&str] = &[
    "age",
    "birth",
    "birthdate",
    "birthday",
    "dob",
    "born",
    "year",
    "sex",
    "gender",
    "zip",
    "zipcode",
    "postcode",
    "postal",
    "plz",
    "city",
    "town",
    "county",
    "region",
    "state",
    "province",
    "district",
    "country",
    "nationality",
    "citizenship",
    "race",
    "ethnicity",
    "ethnic",
    "religion",
    "language",
    "marital",
    "relationship",
    "household",
    "children",
    "education",
    "degree",
    "school",
    "occupation",
    "profession",
    "job",
    "employment",
    "employer",
    "workclass",
    "industry",
    "height",
    "weight",
    "veteran",
    "admission",
    "discharge",
    "visit",
    "hospital",
    "ward",
];
const SENSITIVE: &[&str] = &[
    "diagnosis",
    "disease",
    "disorder",
    "symptom",
    "treatment",
    "medication",
    "drug",
    "hiv",
    "icd",
    "cancer",
    "outcome",
    "income",
    "salary",
    "wage",
    "debt",
    "credit",
    "score",
    "balance",
    "conviction",
    "crime",
    "orientation",
    "party",
    "vote",
    "result",
];

fn propose(profile: ColumnProfile) -> Proposal {
    let kind = if profile.numeric && !profile.padded { Kind::Continuous } else { Kind::Categorical };
    let known = profile.records - profile.missing;
    let unique = known > 1 && profile.distinct as u64 == known;
    let measured = profile.numeric && !profile.whole;
    let (role, reason) = if named(&profile.name, IDENTIFIERS) && profile.distinct as u64 * 2 > known {
        (Role::Identifier, "its name, and most values are different")
    } else if unique && !measured && known >= 50 {
        (Role::Identifier, "every value is different")
    } else if named(&profile.name, QUASI) {
        (Role::Quasi, "its name: others may know it")
    } else if named(&profile.name, SENSITIVE) {
        (Role::Sensitive, "its name: what others should not learn")
    } else {
        (Role::Other, "nothing speaks for another role")
    };
    Proposal { profile, role, kind, reason }
}

/// Is one of the words a word of the name?
fn named(name: &str, words: &[&str]) -> bool {
    words_of(name).iter().any(|word| words.contains(&&word[..]))
}

/// Does the name say that others may know it?
pub(crate) fn known_to_others(name: &str) -> bool {
    named(name, QUASI)
}

impl Inspection {
    /// A commented spec for a person to edit.
    pub fn spec(&self, location: &str, input: &Input) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "# A release of {location}: {} records, {} columns.", self.records, self.columns.len());
        text.push_str(
            "# Proposed by `cutline init` from names and counts. Read it, correct it, then run:\n\
             #   cutline anonymize THIS-FILE -o published\n\n[input]\n",
        );
        let _ = writeln!(text, "path = {}", quoted(location));
        let _ = writeln!(
            text,
            "# Texts that stand for a missing value, beside the empty one.\nnull = {}",
            list(&input.null)
        );
        write_reading(&mut text, input);
        text.push_str(
            "# Records that lack a quasi value or the target: \"value\" keeps them, \"drop\" leaves them out.\n",
        );
        text.push_str("missing = \"value\"\n\n");
        self.write_purpose(&mut text);
        self.write_qid(&mut text);
        self.write_output(&mut text);
        self.write_attributes(&mut text);
        text
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
        text.push_str("k = 10\n\n");
    }

    /// Whoever has an identifier has probably exported the table in its order.
    fn write_output(&self, text: &mut String) {
        let off = if self.of_role(Role::Identifier).next().is_some() { "" } else { "# " };
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
            let _ = writeln!(text, "\n# {}: {}", profile.name.replace('\n', " "), describe(column));
            let _ = writeln!(text, "[attributes.{}]", quoted(&profile.name));
            match (column.role, column.kind) {
                (Role::Identifier, _) => {
                    text.push_str("role = \"identifier\"\nidentifier = \"drop\"   # or \"tokenize\"\n")
                }
                (Role::Quasi, Kind::Continuous) => {
                    text.push_str("kind = \"continuous\"\n# range = [LOW, HIGH]   # declare it, and the outer bounds are published\n");
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
        self.columns.iter().filter(move |column| column.role == role)
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
}

fn describe(column: &Proposal) -> String {
    use cutline_engine::MOST_DISTINCT;
    let profile = &column.profile;
    let more = if profile.distinct >= MOST_DISTINCT { "more than " } else { "" };
    let missing = if profile.missing > 0 { format!(", {} missing", profile.missing) } else { String::new() };
    format!("{more}{} distinct values, {}{missing}; {}", profile.distinct, column.kind, column.reason)
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, distinct: usize, numeric: bool) -> ColumnProfile {
        let (records, missing) = (1000, 0);
        ColumnProfile {
            name: name.into(),
            records,
            missing,
            distinct,
            numeric,
            whole: numeric,
            padded: false,
            longest: 9,
        }
    }

    #[test]
    fn names_and_counts_tell_roles() {
        for (name, distinct, role) in [
            ("Patient ID", 1000, Role::Identifier),
            ("code", 1000, Role::Identifier),
            ("birthYear", 80, Role::Quasi),
            ("ZIP", 400, Role::Quasi),
            ("diagnosis", 30, Role::Sensitive),
            ("width", 40, Role::Other),
            ("village", 40, Role::Other),
        ] {
            assert_eq!(propose(column(name, distinct, false)).role, role, "{name}");
        }
    }

    #[test]
    fn the_proposed_spec_can_be_read() {
        let columns =
            [column("a \"b\"", 3, true), column("sex", 2, false), column("id", 1000, true)].map(propose).to_vec();
        let input = Input { null: vec!["?".into()], delimiter: Some('\t'), header: Some(false), ..Input::default() };
        let text = Inspection { records: 1000, columns }.spec("some \"table\".csv", &input);
        let spec: crate::spec::Spec = toml::from_str(&text).unwrap();
        assert_eq!(spec.qid[0].attributes, ["sex"]);
        assert_eq!((&spec.input.null[..], spec.input.delimiter), (&["?".to_owned()][..], Some('\t')));
        assert!(spec.attributes.contains_key("a \"b\""));
    }
}
