//! What else a steward should know of a release: conditions, sensitive values, what is not there, and warnings.

use std::fmt;

use cutline_model::recoding::{SuppressHow, Suppression};
use cutline_model::{Recoding, Share};

use super::{Aligned, percent, shortened};
use crate::number::{count, figure};
use crate::stars::stars;
use crate::{ConditionReport, ConfidenceReport, QidReport, Report};

/// Conditions with their worst groups, and how surely groups tell sensitive values; nothing if there is neither.
pub(super) fn sensitive(report: &Report, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let each = |qid: &QidReport| -> Vec<Vec<String>> { qid.conditions.iter().map(|one| condition(qid, one)).collect() };
    let conditions: Vec<Vec<String>> = report.qids.iter().flat_map(each).collect();
    if !conditions.is_empty() {
        writeln!(f, "{}", Aligned::new(["condition", "worst group", "QID", ""]).numbers(&[1]).rows(conditions))?;
    }
    let each =
        |qid: &QidReport| -> Vec<Vec<String>> { qid.confidences.iter().map(|one| confidence(qid, one)).collect() };
    let told: Vec<Vec<String>> = report.qids.iter().flat_map(each).collect();
    if told.is_empty() {
        return Ok(());
    }
    let heads = ["sensitive", "highest confidence", "groups of one value", "records in those", "QID"];
    writeln!(f, "{}", Aligned::new(heads).numbers(&[1, 2, 3]).rows(told))
}

fn condition(qid: &QidReport, one: &ConditionReport) -> Vec<String> {
    let holds = if one.holds { "holds" } else { "DOES NOT HOLD" };
    vec![one.condition.clone(), one.worst.map_or("–".to_owned(), figure), names(qid), holds.to_owned()]
}

fn confidence(qid: &QidReport, told: &ConfidenceReport) -> Vec<String> {
    let groups = format!("{} of {}", count(told.homogeneous_groups), count(qid.groups));
    vec![told.attribute.clone(), percent(told.highest_confidence), groups, count(told.homogeneous_records), names(qid)]
}

fn names(qid: &QidReport) -> String {
    shortened(&qid.attributes.join(", "), 40)
}

/// Records that are not published under their labels, and why; nothing if all are.
pub(super) fn suppressed(report: &Report, recoding: Option<&Recoding>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if report.suppressed == 0 {
        return Ok(());
    }
    let limit = recoding.and_then(|recoding| recoding.suppression).map(|Suppression { limit, .. }| limit);
    let allowed = limit.filter(|&limit| limit < Share::ALL);
    let allowed =
        allowed.map_or(String::new(), |limit| format!(", at most {} allowed", crate::number::percent(limit.get())));
    let became = match report.suppressed_how {
        Some(SuppressHow::Drop) => "they are left out".to_owned(),
        _ => {
            let told = recoding.and_then(stars).map_or(String::new(), |told| format!("; {told}"));
            format!("they have * for all QID attributes{told}")
        }
    };
    let records = count(report.suppressed);
    writeln!(f, "suppressed: {records} records in groups that are too small or break a condition{allowed}: {became}\n")
}

/// One line each.
pub(super) fn warnings(report: &Report, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    report.screened.warnings.iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))
}
