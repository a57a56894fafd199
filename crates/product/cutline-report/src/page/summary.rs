//! The release in a glance.

use cutline_model::recoding::{SuppressHow, Suppression};
use cutline_model::{Recoding, Share};
use maud::{Markup, html};

use super::{columns, requirement, trace};
use crate::number::{count, counted, percent, share};
use crate::{PRIVATE_NOTICE, PublicReport, QidReport, Report};

/// Of the full report.
pub(super) fn private(report: &Report, recoding: &Recoding) -> Markup {
    let tiles = [
        Some(fact("Records", &count(report.records), "published")),
        smallest(&report.qids),
        Some(suppressed(report, recoding)),
        dropped(report),
    ];
    html! {
        header {
            p.notice role="note" { b { "Private. " } (PRIVATE_NOTICE) }
            h1 { "Cutline release" }
            p.lead { "Published for " (report.purpose) "." }
            (requirement::verdict(&report.qids))
            (facts(tiles.into_iter().flatten()))
            p { "Search: " (trace::summary(report)) "." }
            (columns::warnings(&report.screened))
        }
    }
}

/// Of the public report.
pub(super) fn public(report: &PublicReport) -> Markup {
    let tiles = [
        Some(fact("Records", &count(report.records), "published")),
        smallest(&report.qids),
        report.suppression.map(may_be_suppressed),
    ];
    html! {
        header {
            h1 { "Cutline release" }
            p.lead { "Published for " (report.spec.purpose) "." }
            (requirement::verdict(&report.qids))
            (facts(tiles.into_iter().flatten()))
        }
    }
}

fn facts(tiles: impl Iterator<Item = Markup>) -> Markup {
    html! { dl.tiles { @for tile in tiles { (tile) } } }
}

fn fact(name: &str, value: &str, about: &str) -> Markup {
    html! { div { dt { (name) } dd { b { (value) } " " (about) } } }
}

/// The smallest group that is nearest to its threshold.
fn smallest(qids: &[QidReport]) -> Option<Markup> {
    let distance = |qid: &QidReport| qid.smallest() as f64 / qid.k.max(1) as f64;
    let (index, qid) = qids.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)))?;
    let which = if qids.len() > 1 { format!(", by QID {}", index + 1) } else { String::new() };
    let about = format!("records{which}; at least {} were asked for", count(qid.k));
    Some(fact("Smallest group", &count(qid.smallest()), &about))
}

/// What was allowed; how much of it was needed is not told.
fn may_be_suppressed(suppression: Suppression) -> Markup {
    let became = match suppression.how {
        SuppressHow::Drop => "were left out",
        SuppressHow::Mask => "have * for all QID attributes, or were left out",
    };
    let most = match suppression.limit < Share::ALL {
        true => format!("at most {}", percent(suppression.limit.get())),
        false => "any number".to_owned(),
    };
    fact("Suppressed", &most, &format!("of the records, in groups that were too small: they {became}"))
}

fn suppressed(report: &Report, recoding: &Recoding) -> Markup {
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

fn dropped(report: &Report) -> Option<Markup> {
    if report.dropped == 0 {
        return None;
    }
    let all = report.records + left_out(report) + report.dropped;
    let of_all = percent(share(report.dropped, all));
    let about = format!("because a value was missing ({of_all} of {})", counted(all, "record"));
    Some(fact("Left out", &count(report.dropped), &about))
}
