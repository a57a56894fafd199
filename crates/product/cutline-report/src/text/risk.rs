//! What the groups mean for the persons in them, in figures and plain sentences.

use std::fmt;

use cutline_verify::{Confidence, Finding, PopulationRisk, Risk, SmallGroups, ValueConfidence, Verdict};

use super::{Aligned, percent, shortened};

/// The risks of each QID, and of all of them together if that was asked for.
pub(super) fn risks(verdict: &Verdict, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for finding in &verdict.findings {
        writeln!(f, "\nrisk of persons known by {}", finding.attributes.join(", "))?;
        match &finding.persons {
            Some(persons) => risk(&persons.risk, "persons", f)?,
            None => risk(&finding.risk(), "records", f)?,
        }
        if let Some(risk) = &finding.population {
            population(risk, f)?;
        }
    }
    if let Some(union) = &verdict.union {
        writeln!(f, "\nrisk of persons known by all QIDs together: {}", union.attributes.join(", "))?;
        risk(&union.risk, if verdict.counts_persons() { "persons" } else { "records" }, f)?;
    }
    Ok(())
}

/// `members` is what groups are of.
fn risk(risk: &Risk, members: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let line = |name: &str, figure: String, sentence: &str| vec![name.to_owned(), figure, sentence.to_owned()];
    let groups = format!("{members} are in a group on average, and {} in the smallest", risk.smallest);
    let rows = [
        line(
            "prosecutor, highest",
            percent(risk.prosecutor.highest),
            "chance to find the record of a person who is known to be in the table",
        ),
        line(
            "prosecutor, average",
            percent(risk.prosecutor.average),
            &format!("the same, averaged over all {members}"),
        ),
        line(
            "journalist, highest",
            percent(risk.journalist),
            "chance to find anybody's record, if all persons in question are in the table (less if not)",
        ),
        line(
            "marketer",
            percent(risk.marketer),
            &format!("of the {members} are found by someone who looks for everybody"),
        ),
        line("group size", format!("{:.1}", risk.average), &groups),
    ];
    write!(f, "{}{}", Aligned::default().numbers(&[1]).rows(rows), small_groups(risk, members))
}

/// The same for someone who does not know who of a population is in the table.
pub(super) fn population(risk: &PopulationRisk, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(
        f,
        "of a population of about {:.0}: {} records are alone in the table, {:.1} of them probably in the population too; the chance to \
         find a record is {} at most and {} on average",
        risk.population,
        risk.sample_uniques,
        risk.expected_population_uniques,
        percent(risk.highest),
        percent(risk.average)
    )
}

/// The share of the members in groups below each size.
fn small_groups(risk: &Risk, members: &str) -> Aligned {
    let row = |name: &str, figure: &dyn Fn(&SmallGroups) -> String| {
        std::iter::once(name.to_owned()).chain(risk.below.iter().map(figure)).collect::<Vec<String>>()
    };
    let rows = [
        row("in groups of fewer than", &|below| below.size.to_string()),
        row(&format!("are of the {members}"), &|below| percent(below.share)),
    ];
    Aligned::default().numbers(&[1, 2, 3, 4, 5, 6, 7]).rows(rows)
}

/// How surely sensitive values are told; nothing if none were named.
pub(super) fn confidences(verdict: &Verdict, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut findings = verdict.findings.iter().filter(|finding| !finding.confidences.is_empty());
    findings.try_for_each(|finding| of_finding(finding, f))
}

fn of_finding(finding: &Finding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "\ninference about persons known by {}", finding.attributes.join(", "))?;
    for confidence in &finding.confidences {
        writeln!(
            f,
            "{}: some group tells a value with a confidence of {}{}",
            confidence.attribute,
            percent(confidence.highest_confidence),
            homogeneous(confidence, finding.groups)
        )?;
        values(confidence, f)?;
    }
    Ok(())
}

/// Groups in which everybody has one value, if there are any.
fn homogeneous(confidence: &Confidence, groups: u64) -> String {
    match confidence.homogeneous_groups {
        0 => String::new(),
        some => format!(
            ": in {some} of {groups} groups ({} records) everybody has the same value",
            confidence.homogeneous_records
        ),
    }
}

/// The sensitive values, surest first, if they are to be shown.
fn values(confidence: &Confidence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(values) = &confidence.values else { return Ok(()) };
    let row = |value: &ValueConfidence| {
        let name = format!("  {}", shortened(&value.value, 40));
        vec![name, percent(value.highest_confidence), percent(value.base_rate)]
    };
    let heads = ["  value", "highest confidence", "in the whole table"];
    write!(f, "{}", Aligned::new(heads).numbers(&[1, 2]).rows(values.iter().map(row)))
}
