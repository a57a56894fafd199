//! What holds of a published table, and how that is known.

use std::fmt;

use serde::Serialize;

use crate::{Condition, Qid};

/// Something that holds of a published table.
///
/// Most of it can be seen in the table itself: whoever has it can count again. Some of it cannot, and holds because of how the table was
/// made; whoever has only the table must take the publisher's word for it ([`Guarantee::known`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "guarantee", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Guarantee {
    /// Every record shares its labels on these attributes with at least k - 1 others.
    Groups {
        /// The QID.
        attributes: Vec<String>,
        /// Its threshold.
        k: u64,
    },
    /// The sensitive values of every group of a QID satisfy a condition.
    Sensitive {
        /// The QID.
        attributes: Vec<String>,
        /// The condition.
        condition: Condition,
    },
    /// Without a key that is stored nowhere, nothing can be learned from the tokens of an identifier but that two are equal.
    Tokens {
        /// The column.
        column: String,
    },
    /// The positions of records tell nothing of their values.
    RandomOrder,
}

/// How a guarantee is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownBy {
    /// The written table was recounted, and anybody can do it again.
    Recount,
    /// It follows from how the table was made. No count of the table can show it.
    Construction,
}

impl Guarantee {
    /// What a requirement guarantees.
    pub fn of_qids<'q>(qids: impl IntoIterator<Item = &'q Qid>) -> Vec<Self> {
        let mut guarantees = Vec::new();
        for Qid { attributes, k, conditions, .. } in qids {
            guarantees.push(Guarantee::Groups { attributes: attributes.clone(), k: *k });
            let sensitive = |condition: &Condition| Guarantee::Sensitive {
                attributes: attributes.clone(),
                condition: condition.clone(),
            };
            guarantees.extend(conditions.iter().map(sensitive));
        }
        guarantees
    }

    /// How it is known.
    pub fn known(&self) -> KnownBy {
        match self {
            Guarantee::Groups { .. } | Guarantee::Sensitive { .. } => KnownBy::Recount,
            Guarantee::Tokens { .. } | Guarantee::RandomOrder => KnownBy::Construction,
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guarantee::Groups { attributes, k } => {
                write!(f, "every group of {{{}}} has at least {k} records", attributes.join(", "))
            }
            Guarantee::Sensitive { attributes, condition } => {
                write!(f, "every group of {{{}}} satisfies `{condition}`", attributes.join(", "))
            }
            Guarantee::Tokens { column } => write!(f, "tokens of `{column}` tell nothing but which of them are equal"),
            Guarantee::RandomOrder => f.write_str("the order of the records is random"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recount_shows_groups_and_conditions_and_nothing_else() {
        let qid = Qid { conditions: vec!["distinct-l:ill=2".parse().unwrap()], ..Qid::new(vec!["age".into()], 5) };
        let guarantees = Guarantee::of_qids([&qid]);
        let texts: Vec<String> = guarantees.iter().map(Guarantee::to_string).collect();
        assert_eq!(
            texts,
            ["every group of {age} has at least 5 records", "every group of {age} satisfies `distinct-l:ill=2`"]
        );
        assert!(guarantees.iter().all(|guarantee| guarantee.known() == KnownBy::Recount));
        assert_eq!(Guarantee::RandomOrder.known(), KnownBy::Construction);
    }
}
