//! What a recount says.

use std::fmt;

use cutline_verify::{Finding, Verdict};

use super::risk::{confidences, risks};
use super::{Aligned, shortened};

/// All of it.
#[derive(Clone, Copy, Debug)]
pub struct VerdictSummary<'a>(pub &'a Verdict);

/// A line for each QID.
#[derive(Clone, Copy, Debug)]
pub struct VerdictTable<'a>(pub &'a Verdict);

impl fmt::Display for VerdictSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", VerdictTable(self.0))?;
        self.0.findings.iter().try_for_each(|finding| worst(finding, f))?;
        conditions(self.0, f)?;
        risks(self.0, f)?;
        confidences(self.0, f)
    }
}

impl fmt::Display for VerdictTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |finding: &Finding| {
            let (smallest, too_small, in_those) = match &finding.persons {
                Some(persons) => (persons.smallest, persons.violating_groups, persons.violating_records),
                None => (finding.anonymity, finding.violating_groups, finding.violating_records),
            };
            let numbers = [finding.k, smallest, finding.groups, too_small, in_those].map(|number| number.to_string());
            let names = shortened(&finding.attributes.join(", "), 60);
            [names].into_iter().chain(numbers).chain([word(finding.holds())]).collect()
        };
        let persons = self.0.findings.iter().any(|finding| finding.persons.is_some());
        let smallest = if persons { "fewest persons in a group" } else { "smallest group" };
        let heads = ["QID", "k", smallest, "groups", "too small", "records in those", ""];
        Aligned::new(heads).numbers(&[1, 2, 3, 4, 5]).rows(self.0.findings.iter().map(row)).fmt(f)
    }
}

fn word(holds: bool) -> String {
    if holds { "holds" } else { "DOES NOT HOLD" }.to_owned()
}

/// The smallest groups by size, and by content only if that was asked for.
fn worst(finding: &Finding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "smallest groups of {}:", finding.attributes.join(", "))?;
    if finding.worst.iter().all(|group| group.values.is_none()) {
        let sizes: Vec<String> = finding.worst.iter().map(|group| group.size.to_string()).collect();
        return writeln!(f, " {} records", sizes.join(", "));
    }
    writeln!(f)?;
    finding.worst.iter().try_for_each(|group| {
        writeln!(f, "  {:>8}  {}", group.size, group.values.as_deref().unwrap_or_default().join(" | "))
    })
}

/// A line for each condition on each QID; nothing if there are none.
fn conditions(verdict: &Verdict, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut rows = Vec::new();
    for finding in &verdict.findings {
        rows.extend(finding.conditions.iter().map(|condition| {
            vec![
                shortened(&finding.attributes.join(", "), 40),
                condition.condition.to_string(),
                condition.worst.map(figure).unwrap_or_default(),
                condition.violating_groups.to_string(),
                condition.violating_records.to_string(),
                word(condition.holds()),
            ]
        }));
    }
    if rows.is_empty() {
        return Ok(());
    }
    let heads = ["QID", "condition", "worst group", "violating groups", "records in those", ""];
    write!(f, "\n{}", Aligned::new(heads).numbers(&[2, 3, 4]).rows(rows))
}

/// A condition's figure: a whole number, a share or a distance.
fn figure(figure: f64) -> String {
    if figure.is_infinite() {
        "∞".to_owned()
    } else if figure.fract() == 0.0 {
        figure.to_string()
    } else {
        format!("{figure:.4}")
    }
}
