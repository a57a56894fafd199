//! The release in a glance.

use cutline_model::recoding::SuppressHow;
use cutline_model::{Recoding, Share};

use super::super::{QidReport, Report};
use super::text::{count, counted, escape, percent, share};
use super::{requirement, trace};

pub(super) fn header(report: &Report, recoding: &Recoding) -> String {
    let facts = [
        fact("Records", &count(report.records), "published"),
        smallest(&report.qids),
        suppressed(report, recoding),
        dropped(report),
    ];
    format!(
        "<header>\n<h1>Cutline release</h1>\n<p class=\"lead\">Published for {}.</p>\n{}<dl class=\"tiles\">\n{}</dl>\n\
         <p>Search: {}.</p>\n</header>\n",
        escape(&report.purpose),
        requirement::verdict(&report.qids),
        facts.concat(),
        escape(&trace::summary(report))
    )
}

fn fact(name: &str, value: &str, about: &str) -> String {
    format!("<div><dt>{name}</dt><dd><b>{value}</b> {about}</dd></div>\n")
}

/// The smallest group that is nearest to its threshold.
fn smallest(qids: &[QidReport]) -> String {
    let distance = |qid: &QidReport| qid.anonymity as f64 / qid.k.max(1) as f64;
    let nearest = qids.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    let Some((index, qid)) = nearest else { return String::new() };
    let which = if qids.len() > 1 { format!(", by QID {}", index + 1) } else { String::new() };
    let about = format!("records{which}; at least {} were asked for", count(qid.k));
    fact("Smallest group", &count(qid.anonymity), &about)
}

fn suppressed(report: &Report, recoding: &Recoding) -> String {
    let limit = recoding.suppression.map(|suppression| suppression.limit).filter(|&limit| limit < Share::ALL);
    let allowed = limit.map_or(String::new(), |limit| format!("; at most {} allowed", percent(limit.get())));
    if report.suppressed == 0 {
        return fact("Suppressed", "0", &format!("records{allowed}"));
    }
    let became = match report.suppressed_how {
        Some(SuppressHow::Drop) => "left out",
        _ => "published with all QID attributes as *",
    };
    let of_all = percent(share(report.suppressed, report.records + left_out(report)));
    let about = format!("records in groups that were too small ({of_all}{allowed}): {became}");
    fact("Suppressed", &count(report.suppressed), &about)
}

/// Suppressed records that are not among the published ones.
fn left_out(report: &Report) -> u64 {
    if report.suppressed_how == Some(SuppressHow::Drop) { report.suppressed } else { 0 }
}

fn dropped(report: &Report) -> String {
    if report.dropped == 0 {
        return String::new();
    }
    let all = report.records + left_out(report) + report.dropped;
    let of_all = percent(share(report.dropped, all));
    let about = format!("because a value was missing ({of_all} of {})", counted(all, "record"));
    fact("Left out", &count(report.dropped), &about)
}
