//! What the groups mean for the persons in them, in figures and plain sentences.

use cutline::verify::{Confidence, Finding, Risk, SmallGroups, Verdict};

use crate::table::{aligned, shortened};

/// The risks of each QID, and of all of them together if that was asked for.
pub(super) fn risks(verdict: &Verdict) -> String {
    let mut text = String::new();
    for finding in &verdict.findings {
        text += &risk(&format!("risk of persons known by {}", finding.attributes.join(", ")), &finding.risk());
    }
    if let Some(union) = &verdict.union {
        let known = format!("risk of persons known by all QIDs together: {}", union.attributes.join(", "));
        text += &risk(&known, &union.risk);
    }
    text
}

fn risk(title: &str, risk: &Risk) -> String {
    let line = |name: &str, figure: String, sentence: &str| vec![name.to_owned(), figure, sentence.to_owned()];
    let groups = format!("records are in a group on average, and {} in the smallest", risk.smallest);
    let rows = [
        line(
            "prosecutor, highest",
            percent(risk.prosecutor.highest),
            "chance to find the record of a person who is known to be in the table",
        ),
        line("prosecutor, average", percent(risk.prosecutor.average), "the same, averaged over all records"),
        line(
            "journalist, highest",
            percent(risk.journalist),
            "chance to find anybody's record, if all persons in question are in the table (less if not)",
        ),
        line("marketer", percent(risk.marketer), "of the records are found by someone who looks for everybody"),
        line("group size", format!("{:.1}", risk.average), &groups),
    ];
    format!("\n{title}\n{}{}", aligned(&rows, &[1]), small_groups(risk))
}

/// The share of the records in groups below each size.
fn small_groups(risk: &Risk) -> String {
    let row = |name: &str, figure: &dyn Fn(&SmallGroups) -> String| {
        std::iter::once(name.to_owned()).chain(risk.below.iter().map(figure)).collect::<Vec<String>>()
    };
    let rows = [
        row("in groups of fewer than", &|below| below.size.to_string()),
        row("are of the records", &|below| percent(below.share)),
    ];
    aligned(&rows, &[1, 2, 3, 4, 5, 6, 7])
}

/// How surely sensitive values are told; nothing if none were named.
pub(super) fn confidences(verdict: &Verdict) -> String {
    verdict.findings.iter().filter(|finding| !finding.confidences.is_empty()).map(of_finding).collect()
}

fn of_finding(finding: &Finding) -> String {
    let mut text = format!("\ninference about persons known by {}\n", finding.attributes.join(", "));
    for confidence in &finding.confidences {
        text += &format!(
            "{}: some group tells a value with a confidence of {}{}\n",
            confidence.attribute,
            percent(confidence.highest_confidence),
            if confidence.highest_confidence >= 1.0 { ": everybody in it has that value" } else { "" }
        );
        text += &values(confidence);
    }
    text
}

/// The sensitive values, surest first, if they are to be shown.
fn values(confidence: &Confidence) -> String {
    let Some(values) = &confidence.values else { return String::new() };
    let mut rows = vec![["  value", "highest confidence", "in the whole table"].map(str::to_owned).to_vec()];
    for value in values {
        let name = format!("  {}", shortened(&value.value, 40));
        rows.push(vec![name, percent(value.highest_confidence), percent(value.base_rate)]);
    }
    aligned(&rows, &[1, 2])
}

/// A share in per cent, with two decimals where that says anything.
fn percent(share: f64) -> String {
    if share == 0.0 || share == 1.0 { format!("{} %", share * 100.0) } else { format!("{:.2} %", share * 100.0) }
}
