//! The requirement, and how large the groups of the written table are.

use maud::{Markup, html};

use super::bars::{Bar, Bars};
use super::grid::{Grid, Head, cell};
use super::{Section, qid_name};
use crate::number::{count, counted, figure, percent, share};
use crate::{ConditionReport, QidReport, RedundantReport};

/// `suppressed` says what became of records that are not published under their labels.
pub(super) fn section(qids: &[QidReport], redundant: &[RedundantReport], suppressed: &Markup) -> Section {
    let body = html! {
        p {
            "A QID is a set of attributes that an attacker may know together. Every combination of their published labels is shared by at \
             least " i { "k" } " records. The groups were counted again in the written table, by code that shares nothing with the search."
        }
        (thresholds(qids).stacking())
        (conditions(qids))
        (suppressed)
        @for redundant in redundant { (implied(redundant)) }
        div.charts { @for index in 0..qids.len() { (histogram(index, qids)) } }
    };
    Section { id: "requirement", title: "Requirement", body }
}

fn thresholds(qids: &[QidReport]) -> Grid<'static> {
    let row = |(index, qid): (usize, &QidReport)| {
        vec![
            cell(qid_name(index, qids)),
            held(qid.holds()),
            cell(count(qid.k)),
            cell(count(qid.smallest())),
            cell(count(qid.groups)),
        ]
    };
    let persons = qids.iter().any(|qid| qid.persons.is_some());
    Grid {
        caption: "",
        heads: vec![
            Head::text("QID"),
            Head::text("verdict"),
            Head::number("k"),
            Head::number(if persons { "fewest persons in a group" } else { "smallest group" }),
            Head::number("groups"),
        ],
        rows: qids.iter().enumerate().map(row).collect(),
    }
}

fn held(holds: bool) -> Markup {
    match holds {
        true => html! { span.holds { "✓ holds" } },
        false => html! { span.broken { "✗ does not hold" } },
    }
}

/// What must hold of sensitive values; nothing if nothing was asked for.
fn conditions(qids: &[QidReport]) -> Markup {
    let row = |(index, condition): (usize, &ConditionReport)| {
        vec![
            html! { code { (condition.condition) } },
            held(condition.holds),
            cell(condition.worst.map_or("–".to_owned(), figure)),
            cell(qid_name(index, qids)),
        ]
    };
    let each = qids.iter().enumerate().flat_map(|(index, qid)| qid.conditions.iter().map(move |one| (index, one)));
    let heads = vec![Head::text("condition"), Head::text("verdict"), Head::number("worst group"), Head::text("QID")];
    let grid =
        Grid { caption: "What must hold of the sensitive values in every group", heads, rows: each.map(row).collect() };
    if grid.rows.is_empty() {
        html! {}
    } else {
        grid.stacking()
    }
}

fn implied(redundant: &RedundantReport) -> Markup {
    html! {
        p {
            "The QID " (redundant.attributes.join(", ")) " with k = " (count(redundant.k)) " follows from "
            (redundant.implied_by.join(", ")) " and was not counted by itself."
        }
    }
}

/// Groups and records by the size of their group.
struct SizeClass {
    from: u64,
    groups: u64,
    records: u64,
}

/// Classes that double, from the threshold on.
fn classes(qid: &QidReport) -> Vec<SizeClass> {
    let first = qid.k.min(qid.anonymity).max(1);
    let mut classes: Vec<SizeClass> = Vec::new();
    for &(size, groups) in &qid.sizes {
        let class = (size / first).checked_ilog2().unwrap_or(0) as usize;
        while classes.len() <= class {
            classes.push(SizeClass { from: first << classes.len(), groups: 0, records: 0 });
        }
        classes[class].groups += groups;
        classes[class].records += size * groups;
    }
    classes
}

fn histogram(index: usize, qids: &[QidReport]) -> Markup {
    let classes = classes(&qids[index]);
    let records: u64 = classes.iter().map(|class| class.records).sum();
    let most = classes.iter().map(|class| class.records).max().unwrap_or(0);
    let bar = |class: &SizeClass| Bar {
        name: match class.from {
            1 => "1".to_owned(),
            from => format!("{}–{}", count(from), count(from * 2 - 1)),
        },
        length: share(class.records, most),
        cells: vec![count(class.groups), count(class.records), percent(share(class.records, records))],
    };
    let which = if qids.len() > 1 { format!(", {}", qid_name(index, qids)) } else { String::new() };
    Bars {
        caption: format!("Records by the size of their group{which}"),
        heads: &["group size", "groups", "records", "share"],
        rows: classes.iter().map(bar).collect(),
    }
    .html()
}

/// What the page says of the requirement before everything else.
pub(super) fn verdict(qids: &[QidReport]) -> Markup {
    let held = qids.iter().filter(|qid| qid.holds()).count();
    let all = counted(qids.len() as u64, "QID");
    match held == qids.len() {
        true => html! { p.verdict.holds { "✓ The requirement holds for " (all) "." } },
        false => html! { p.verdict.broken { "✗ The requirement holds for " (held) " of " (all) " only." } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double_from_the_threshold_and_lose_nobody() {
        let sizes = vec![(50, 2), (99, 1), (100, 3), (1000, 1)];
        let qid = QidReport { k: 50, anonymity: 50, groups: 7, sizes, ..QidReport::default() };
        let classes = classes(&qid);
        let bars: Vec<_> = classes.iter().map(|class| (class.from, class.groups, class.records)).collect();
        assert_eq!(bars, [(50, 3, 199), (100, 3, 300), (200, 0, 0), (400, 0, 0), (800, 1, 1000)]);
    }

    #[test]
    fn a_condition_that_is_broken_breaks_the_requirement() {
        let condition = ConditionReport { condition: "alpha:<ill>=0.5".into(), holds: false, worst: Some(0.75) };
        let attributes = vec!["age".to_owned()];
        let qid =
            QidReport { attributes, k: 5, anonymity: 6, groups: 1, conditions: vec![condition], ..Default::default() };
        assert!(verdict(std::slice::from_ref(&qid)).0.contains("holds for 0 of 1 QID only"));
        let body = section(&[qid], &[], &html! {}).body.0;
        assert!(body.contains("<code>alpha:&lt;ill&gt;=0.5</code>") && body.contains(">0.75<"), "{body}");
    }
}
