//! What is claimed of a table.

use std::collections::HashSet;

use crate::{Condition, Options, Persons, VerifyError};

/// A QID to recount: every group of records that agree on `attributes` has at least `k` members, and its sensitive values
/// satisfy every one of the `conditions`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The names of the columns, at least one, none of them twice.
    pub attributes: Vec<String>,
    /// The threshold, at least 1.
    pub k: u64,
    /// What else must hold in every group. None of them may be about one of `attributes`.
    pub conditions: Vec<Condition>,
}

impl Claim {
    /// A claim about the sizes of the groups only.
    pub fn new(attributes: Vec<String>, k: u64) -> Claim {
        Claim { attributes, k, conditions: Vec::new() }
    }

    fn check(&self, number: usize, options: &Options) -> Result<(), VerifyError> {
        if self.attributes.is_empty() {
            return Err(VerifyError::NoAttributes { claim: number });
        }
        if self.k == 0 {
            return Err(VerifyError::ZeroThreshold { claim: number });
        }
        let mut seen = HashSet::new();
        if let Some(name) = self.attributes.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(VerifyError::RepeatedAttribute { attribute: name.clone() });
        }
        if let Some(name) = options.weight_column().filter(|name| seen.contains(name)) {
            return Err(VerifyError::WeightInQid { claim: number, attribute: name.to_owned() });
        }
        let elsewhere = |name: &&str| seen.contains(name) || self.sensitive(options).any(|other| other == *name);
        if let Some(name) = options.person_column().filter(elsewhere) {
            return Err(VerifyError::PersonClash { claim: number, attribute: name.to_owned() });
        }
        match self.sensitive(options).find(|name| seen.contains(name)) {
            Some(name) => Err(VerifyError::SensitiveInQid { claim: number, attribute: name.to_owned() }),
            None => Ok(()),
        }
    }

    /// The sensitive attributes whose values are counted, perhaps some of them twice.
    fn sensitive<'a>(&'a self, options: &'a Options) -> impl Iterator<Item = &'a str> {
        let conditions = self.conditions.iter().map(Condition::attribute);
        conditions.chain(options.sensitive.iter().map(String::as_str))
    }
}

/// Checked claims, with every column that they need listed once.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The needed columns in the order of their first appearance.
    pub(crate) columns: Vec<String>,
    /// What is counted: a grouping for every claim, in their order, and perhaps one more for the union.
    pub(crate) groupings: Vec<Grouping>,
    /// The grouping by the attributes of all claims, if it was asked for.
    pub(crate) union: Option<usize>,
    /// The column that says which person a record is about, if there is one. It is counted as if it were sensitive, in every grouping.
    pub(crate) person: Option<usize>,
    /// The column of survey weights, if there is one. It is counted in the same way.
    pub(crate) weight: Option<usize>,
    /// Is it told apart from the table which person each record is about?
    pub(crate) in_order: bool,
}

/// Records are grouped by some columns; in each group the values of others are counted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Grouping {
    /// Positions in [`Plan::columns`], in the order of the claim's attributes.
    pub(crate) attributes: Vec<usize>,
    /// Positions of the sensitive columns, none of them twice.
    pub(crate) sensitive: Vec<usize>,
}

impl Plan {
    /// Checks the claims and collects their columns.
    pub(crate) fn new(claims: &[Claim], options: &Options) -> Result<Plan, VerifyError> {
        if claims.is_empty() {
            return Err(VerifyError::NoClaims);
        }
        let mut plan = Plan::default();
        for (index, claim) in claims.iter().enumerate() {
            claim.check(index + 1, options)?;
            let attributes = claim.attributes.iter().map(|name| plan.position(name)).collect();
            plan.groupings.push(Grouping { attributes, sensitive: Vec::new() });
        }
        if options.union && claims.len() > 1 {
            plan.add_union();
        }
        for (index, claim) in claims.iter().enumerate() {
            for name in claim.sensitive(options) {
                let column = plan.position(name);
                let sensitive = &mut plan.groupings[index].sensitive;
                if !sensitive.contains(&column) {
                    sensitive.push(column);
                }
            }
        }
        plan.add_persons(options);
        Ok(plan)
    }

    /// Adds the grouping by all columns so far, unless a claim has them all: its groups are the same.
    fn add_union(&mut self) {
        let all = self.columns.len();
        let same = self.groupings.iter().position(|grouping| grouping.attributes.len() == all);
        self.union = Some(same.unwrap_or_else(|| {
            self.groupings.push(Grouping { attributes: (0..all).collect(), sensitive: Vec::new() });
            self.groupings.len() - 1
        }));
    }

    fn add_persons(&mut self, options: &Options) {
        self.person = options.person_column().map(|name| self.position(name));
        self.weight = options.weight_column().map(|name| self.position(name));
        self.in_order = matches!(options.persons, Some(Persons::Numbers(_)));
        for column in self.person.into_iter().chain(self.weight) {
            let lacking = self.groupings.iter_mut().filter(|grouping| !grouping.sensitive.contains(&column));
            lacking.for_each(|grouping| grouping.sensitive.push(column));
        }
    }

    fn position(&mut self, name: &str) -> usize {
        self.columns.iter().position(|column| column == name).unwrap_or_else(|| {
            self.columns.push(name.to_owned());
            self.columns.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(attributes: &[&str], k: u64) -> Claim {
        Claim::new(attributes.iter().map(|&name| name.into()).collect(), k)
    }

    fn with(conditions: &[&str], claim: Claim) -> Claim {
        Claim { conditions: conditions.iter().map(|text| text.parse().unwrap()).collect(), ..claim }
    }

    fn plan(claims: &[Claim], options: &Options) -> Result<Plan, VerifyError> {
        Plan::new(claims, options)
    }

    #[test]
    fn a_column_of_several_claims_is_read_once() {
        let claims = [
            with(&["alpha:s=0.5", "bound:t=x<=0.5", "distinct-l:s=2"], claim(&["b", "a"], 2)),
            with(&["t-close:b=0.5"], claim(&["a", "c"], 3)),
        ];
        let plan = plan(&claims, &Options { sensitive: vec!["t".into()], ..Options::default() }).unwrap();
        assert_eq!(plan.columns, ["b", "a", "c", "s", "t"]);
        let grouping = |attributes, sensitive| Grouping { attributes, sensitive };
        assert_eq!(plan.groupings, [grouping(vec![0, 1], vec![3, 4]), grouping(vec![1, 2], vec![0, 4])]);
        assert_eq!(plan.union, None);
    }

    #[test]
    fn the_union_is_counted_once_and_only_if_asked_for() {
        let options = Options { union: true, ..Options::default() };
        let two = [with(&["alpha:s=0.5"], claim(&["b", "a"], 2)), claim(&["a", "c"], 3)];
        let counted = plan(&two, &options).unwrap();
        assert_eq!((counted.union, counted.groupings.len()), (Some(2), 3));
        assert_eq!(counted.groupings[2].attributes, [0, 1, 2]);
        let nested = plan(&[claim(&["a"], 3), claim(&["b", "a"], 2)], &options).unwrap();
        assert_eq!((nested.union, nested.groupings.len()), (Some(1), 2));
        assert_eq!(plan(&two[..1], &options).unwrap().union, None);
        assert_eq!(plan(&two, &Options::default()).unwrap().union, None);
    }

    #[test]
    fn claims_that_say_nothing_are_refused() {
        let refused = |claims: &[Claim]| plan(claims, &Options::default()).unwrap_err();
        assert!(matches!(refused(&[]), VerifyError::NoClaims));
        let empty = [claim(&["a"], 2), claim(&[], 2)];
        assert!(matches!(refused(&empty), VerifyError::NoAttributes { claim: 2 }));
        assert!(matches!(refused(&[claim(&["a"], 0)]), VerifyError::ZeroThreshold { claim: 1 }));
        let error = refused(&[claim(&["a", "b", "a"], 2)]);
        assert!(matches!(error, VerifyError::RepeatedAttribute { attribute } if attribute == "a"));
    }

    #[test]
    fn a_sensitive_attribute_cannot_be_in_its_own_qid() {
        let claims = [claim(&["a"], 2), with(&["alpha:b=0.5"], claim(&["c", "b"], 2))];
        let error = plan(&claims, &Options::default()).unwrap_err();
        assert!(error.to_string().starts_with("QID 2 has the attribute `b`, which"), "{error}");
        let options = Options { sensitive: vec!["a".into()], ..Options::default() };
        let error = plan(&claims, &options).unwrap_err();
        assert!(matches!(error, VerifyError::SensitiveInQid { claim: 1, attribute } if attribute == "a"));
    }
}
