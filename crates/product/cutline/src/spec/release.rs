//! Several releases of one table in one spec, for different uses or recipients.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Attributes, OutputSpec, PurposeSpec, SearchSpec, Spec};
use crate::Error;

/// One of several releases of the table. What it says goes before what the spec says for all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseSpec {
    /// What its folder is called.
    pub name: String,
    /// What it is published for, instead of what is said for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<PurposeSpec>,
    /// What is said of single attributes, beside what is said for all: a recipient may get fewer columns.
    #[serde(default)]
    pub attributes: Attributes,
    /// How to search, as far as it is another way.
    #[serde(default)]
    pub search: SearchSpec,
    /// What to write, as far as it is something else.
    #[serde(default)]
    pub output: OutputSpec,
}

impl Spec {
    /// The releases that the spec describes, each as a spec of its own with its name; none if it describes only one.
    ///
    /// # Errors
    /// If a name is none for a folder, or two of them have the same.
    pub fn releases(&self) -> Result<Vec<(String, Spec)>, Error> {
        let names: Vec<&str> = self.release.iter().map(|release| &release.name[..]).collect();
        for (index, &name) in names.iter().enumerate() {
            check_name(name)?;
            if names[..index].contains(&name) {
                return Err(Error::Contradiction {
                    what: format!("two releases are called `{name}`"),
                    hint: "each gets a folder with its name; give them different ones".to_owned(),
                });
            }
        }
        self.release.iter().map(|release| Ok((release.name.clone(), self.with(release)?))).collect()
    }

    /// What is said for all releases, and over it what is said for one. A purpose is one thing, and replaced as a whole.
    fn with(&self, release: &ReleaseSpec) -> Result<Spec, Error> {
        let ReleaseSpec { purpose, search, output, .. } = release;
        let mut attributes = self.attributes.clone();
        for (name, said) in &release.attributes {
            let attribute = attributes.entry(name.clone()).or_default();
            *attribute = over(attribute, said)?;
        }
        // How many threads work is not written down with the rest.
        let threads = search.threads.or(self.search.threads);
        Ok(Spec {
            purpose: purpose.as_ref().unwrap_or(&self.purpose).clone(),
            attributes,
            search: SearchSpec { threads, ..over(&self.search, search)? },
            output: over(&self.output, output)?,
            release: Vec::new(),
            ..self.clone()
        })
    }
}

/// A folder is called that, beside others.
fn check_name(name: &str) -> Result<(), Error> {
    let plain = |letter: char| letter.is_alphanumeric() || "-_ .".contains(letter);
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with('.') && name.trim() == name {
        return Ok(());
    }
    Err(Error::Contradiction {
        what: format!("a release cannot be called `{name}`"),
        hint: "a folder gets its name: use letters, digits, - and _".to_owned(),
    })
}

/// What is said for one, over what is said for all: key by key.
fn over<T: Serialize + for<'de> Deserialize<'de>>(all: &T, one: &T) -> Result<T, Error> {
    let defect = |error: serde_json::Error| Error::Defect(error.to_string());
    let (mut all, one) = (serde_json::to_value(all).map_err(defect)?, serde_json::to_value(one).map_err(defect)?);
    lay(&mut all, one);
    serde_json::from_value(all).map_err(defect)
}

fn lay(below: &mut Value, over: Value) {
    match (below, over) {
        (Value::Object(below), Value::Object(over)) => {
            for (key, value) in over {
                lay(below.entry(key).or_insert(Value::Null), value);
            }
        }
        // Nothing is said.
        (_, Value::Null) => {}
        (below, over) => *below = over,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = r#"
        [[qid]]
        attributes = ["age", "zip"]
        k = 5
        [purpose]
        target = "ill"
        [attributes.age]
        range = [0, 120]
        [attributes.zip]
        kind = "categorical"
        [search]
        algorithm = "tds"
        max_steps = 7
    "#;

    fn releases(text: &str) -> Result<Vec<(String, Spec)>, Error> {
        toml::from_str::<Spec>(&format!("{SPEC}{text}")).unwrap().releases()
    }

    #[test]
    fn what_a_release_says_goes_before_what_is_said_for_all() {
        let text = r#"
            [[release]]
            name = "insurers"
            [[release]]
            name = "research"
            purpose = { clusters = 6 }
            search = { algorithm = "refine" }
            [release.attributes.age]
            range = [18, 99]
            [release.attributes.doctor]
            identifier = "drop"
        "#;
        let [insurers, research] = &releases(text).unwrap()[..] else { panic!("two") };
        let plain: Spec = toml::from_str(SPEC).unwrap();
        assert_eq!((&insurers.0[..], &insurers.1), ("insurers", &plain));
        let (name, spec) = research;
        assert_eq!((&name[..], &spec.purpose.clusters[..], &spec.purpose.target), ("research", &[6][..], &None));
        assert_eq!((spec.search.algorithm, spec.search.max_steps), (Some(super::super::Algorithm::Refine), Some(7)));
        assert_eq!(spec.qid, plain.qid);
        let expected: Spec = toml::from_str(&format!(
            "{}\n[attributes.doctor]\nidentifier = \"drop\"",
            SPEC.replace("[0, 120]", "[18, 99]")
        ))
        .unwrap();
        assert_eq!(spec.attributes, expected.attributes);
    }

    #[test]
    fn a_release_has_a_name_of_its_own_that_a_folder_can_have() {
        for names in [&["a", "a"][..], &["a/b"], &[""], &[".."], &[".a"], &["a "]] {
            let text: String = names.iter().map(|name| format!("[[release]]\nname = \"{name}\"\n")).collect();
            assert!(matches!(releases(&text), Err(Error::Contradiction { .. })), "{names:?}");
        }
        assert!(releases("").unwrap().is_empty());
    }

    #[test]
    fn what_no_release_can_say_is_refused() {
        let text = format!("{SPEC}[[release]]\nname = \"a\"\n[[release.qid]]\nattributes = [\"age\"]\nk = 2\n");
        assert!(toml::from_str::<Spec>(&text).unwrap_err().to_string().contains("unknown field `qid`"));
    }
}
