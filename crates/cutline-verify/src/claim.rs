//! What is claimed of a table.

use std::collections::HashSet;

use crate::VerifyError;

/// A QID to recount: every group of records that agree on `attributes` has at least `k` members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The names of the columns, at least one, none of them twice.
    pub attributes: Vec<String>,
    /// The threshold, at least 1.
    pub k: u64,
}

impl Claim {
    fn check(&self, number: usize) -> Result<(), VerifyError> {
        if self.attributes.is_empty() {
            return Err(VerifyError::NoAttributes { claim: number });
        }
        if self.k == 0 {
            return Err(VerifyError::ZeroThreshold { claim: number });
        }
        let mut seen = HashSet::new();
        match self.attributes.iter().find(|name| !seen.insert(name.as_str())) {
            Some(name) => Err(VerifyError::RepeatedAttribute { attribute: name.clone() }),
            None => Ok(()),
        }
    }
}

/// Checked claims, with every claimed column listed once.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The claimed columns in the order of their first appearance.
    pub(crate) columns: Vec<String>,
    /// For every claim, its attributes as positions in `columns`.
    pub(crate) claims: Vec<Vec<usize>>,
}

impl Plan {
    /// Checks the claims and collects their columns.
    pub(crate) fn new(claims: &[Claim]) -> Result<Plan, VerifyError> {
        if claims.is_empty() {
            return Err(VerifyError::NoClaims);
        }
        let mut plan = Plan { columns: Vec::new(), claims: Vec::new() };
        for (index, claim) in claims.iter().enumerate() {
            claim.check(index + 1)?;
            let positions = claim.attributes.iter().map(|name| plan.position(name)).collect();
            plan.claims.push(positions);
        }
        Ok(plan)
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
        Claim { attributes: attributes.iter().map(|&name| name.into()).collect(), k }
    }

    #[test]
    fn a_column_of_several_claims_is_read_once() {
        let plan = Plan::new(&[claim(&["b", "a"], 2), claim(&["a", "c"], 3)]).unwrap();
        assert_eq!(plan.columns, ["b", "a", "c"]);
        assert_eq!(plan.claims, [vec![0, 1], vec![1, 2]]);
    }

    #[test]
    fn claims_that_say_nothing_are_refused() {
        let refused = |claims: &[Claim]| Plan::new(claims).unwrap_err();
        assert!(matches!(refused(&[]), VerifyError::NoClaims));
        let empty = [claim(&["a"], 2), claim(&[], 2)];
        assert!(matches!(refused(&empty), VerifyError::NoAttributes { claim: 2 }));
        assert!(matches!(refused(&[claim(&["a"], 0)]), VerifyError::ZeroThreshold { claim: 1 }));
        let error = refused(&[claim(&["a", "b", "a"], 2)]);
        assert!(matches!(error, VerifyError::RepeatedAttribute { attribute } if attribute == "a"));
    }
}
