//! Classifications that everybody uses: countries, diagnoses, occupations, industries, regions.
//!
//! Some are lists, and known before any table is. Others follow from how codes are written: their trees have the codes that a table has,
//! so they are as private as its values.

mod codes;
mod countries;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::draft::Draft;
use super::{Taxonomy, TaxonomyError};

/// A public classification that comes with the program.
#[derive(Debug)]
pub struct Classification {
    /// Its name, as in `builtin:icd-10`.
    pub name: &'static str,
    /// What it classifies, and by what.
    pub about: &'static str,
    /// A value and what is above it.
    pub example: &'static str,
    /// Who keeps it.
    pub source: &'static str,
    /// On which terms it may be used.
    pub licence: &'static str,
    leaves: Leaves,
}

/// What the leaves are.
#[derive(Debug)]
enum Leaves {
    /// All values there are: each with the labels above it, the widest first.
    Listed(fn() -> Vec<(Vec<&'static str>, &'static str)>),
    /// Whatever a table has: the labels above a code, the widest first; nothing for what is no code.
    Coded(fn(&str) -> Option<Vec<String>>),
}

/// What stands before the name of a classification where a file is expected.
const PREFIX: &str = "builtin:";

const ROOT: &str = "Any";

/// All of them, by name.
static ALL: [Classification; 7] = [
    Classification {
        name: "countries",
        about: "countries and areas by two letters, by sub-region and region",
        example: "FR < Western Europe < Europe",
        source: "ISO 3166-1; UN Statistics Division, M49",
        licence: "codes are free to use (ISO); M49 is free to use with its source named (UN)",
        leaves: Leaves::Listed(countries::two_letters),
    },
    Classification {
        name: "countries-3",
        about: "the same by three letters",
        example: "FRA < Western Europe < Europe",
        source: "ISO 3166-1; UN Statistics Division, M49",
        licence: "codes are free to use (ISO); M49 is free to use with its source named (UN)",
        leaves: Leaves::Listed(countries::three_letters),
    },
    Classification {
        name: "country-names",
        about: "the same by English short names",
        example: "France < Western Europe < Europe",
        source: "ISO 3166-1; UN Statistics Division, M49",
        licence: "codes are free to use (ISO); M49 is free to use with its source named (UN)",
        leaves: Leaves::Listed(countries::names),
    },
    Classification {
        name: "icd-10",
        about: "diagnoses by category, block and chapter, also of ICD-10-CM and GM",
        example: "I21.4 < I21 < I20-I25 < I00-I99",
        source: "World Health Organization, ICD-10, 2019: the ranges of chapters and blocks",
        licence: "ranges of codes alone, without WHO's texts, which may not be passed on",
        leaves: Leaves::Coded(codes::icd_10),
    },
    Classification {
        name: "isco-08",
        about: "occupations by minor, sub-major and major group",
        example: "2512 < 251 < 25 < 2",
        source: "International Labour Organization, ISCO-08",
        licence: "groups follow from the codes, which are free to use with their source named (ILO)",
        leaves: Leaves::Coded(codes::isco_08),
    },
    Classification {
        name: "nace-2",
        about: "industries by group, division and section",
        example: "10.11 < 10.1 < 10 < C",
        source: "Eurostat, NACE Rev. 2, Regulation (EC) No 1893/2006",
        licence: "free to use with its source named (Commission Decision 2011/833/EU)",
        leaves: Leaves::Coded(codes::nace_2),
    },
    Classification {
        name: "nuts",
        about: "regions of Europe by larger ones and countries",
        example: "DE111 < DE11 < DE1 < DE",
        source: "Eurostat, NUTS, Regulation (EC) No 1059/2003",
        licence: "free to use with its source named (Commission Decision 2011/833/EU)",
        leaves: Leaves::Coded(codes::nuts),
    },
];

impl Classification {
    /// All that there are.
    pub fn all() -> &'static [Classification] {
        &ALL
    }

    /// The one that a name stands for, if it says `builtin:` at all: nothing within if there is none of the name.
    pub fn of(file: &str) -> Option<Option<&'static Classification>> {
        let name = file.strip_prefix(PREFIX)?;
        Some(ALL.iter().find(|classification| classification.name == name))
    }

    /// Are all its values known, whatever a table has? Its tree then tells nothing of the table.
    pub fn is_listed(&self) -> bool {
        matches!(self.leaves, Leaves::Listed(_))
    }

    /// The tree above some values. What is no value of the classification is left out; a code that others begin with is a leaf beside them,
    /// below the same label with a `*`. The nodes of `cut` are in it in any case.
    ///
    /// # Errors
    /// [`TaxonomyError::NoValues`] if there is nothing to put together.
    pub fn taxonomy<'v>(
        &self,
        values: impl IntoIterator<Item = &'v str>,
        cut: &[&str],
    ) -> Result<Taxonomy, TaxonomyError> {
        match self.leaves {
            Leaves::Listed(list) => {
                let leaves =
                    list().into_iter().map(|(above, leaf)| (above.into_iter().map(str::to_owned).collect(), leaf));
                grown(leaves.map(|(above, leaf): (Vec<String>, &str)| (above, leaf.to_owned())))
            }
            Leaves::Coded(above) => {
                // In order, so that the tree does not depend on that of the table.
                let values: BTreeSet<&str> = values.into_iter().filter(|value| above(value).is_some()).collect();
                let inner: BTreeSet<String> = values.iter().filter_map(|value| above(value)).flatten().collect();
                let starred = |label: &str| {
                    values.contains(label) && inner.contains(label) || cut.contains(&format!("{label}*").as_str())
                };
                let named = |label: String| if starred(&label) { format!("{label}*") } else { label };
                let path = |labels: Vec<String>| labels.into_iter().map(&named).collect::<Vec<_>>();
                let leaves = values.iter().map(|value| {
                    let own = starred(value).then(|| (*value).to_owned());
                    (path(above(value).unwrap_or_default().into_iter().chain(own).collect()), (*value).to_owned())
                });
                let nodes = cut.iter().filter(|node| **node != ROOT).map(|node| {
                    let code = node.strip_suffix('*').unwrap_or(node);
                    (path(codes::above_node(above, code)), (*node).to_owned())
                });
                grown(leaves.chain(nodes))
            }
        }
    }
}

/// A tree of leaves with what is above them. A leaf that is there already, as a node above others, is no second one.
fn grown(leaves: impl Iterator<Item = (Vec<String>, String)>) -> Result<Taxonomy, TaxonomyError> {
    let mut draft = Draft::default();
    let root = draft.add(None, ROOT, None)?;
    for (above, leaf) in leaves {
        let mut parent = root;
        for label in above.iter().chain([&leaf]) {
            parent = match draft.find(label) {
                Some((known, _)) => known,
                None => draft.add(Some(parent), label, None)?,
            };
        }
    }
    draft.finish()
}
