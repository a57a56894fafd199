//! The requirement, and how large the groups of the written table are.

use std::fmt::Write;

use super::super::{QidReport, RedundantReport, Report};
use super::bars::{Bar, Bars};
use super::text::{count, counted, escape, percent, share};
use super::{Section, qid_name};

pub(super) fn section(report: &Report) -> Section {
    let rows: String = report.qids.iter().enumerate().map(|(index, qid)| row(index, qid)).collect();
    let charts: String = (0..report.qids.len()).map(|index| histogram(index, &report.qids)).collect();
    let redundant: String = report.redundant.iter().map(implied).collect();
    let body = format!(
        "<p>A QID is a set of attributes that an attacker may know together. Every combination of their published labels is \
         shared by at least <i>k</i> records. The groups were counted again in the written table, by code that shares nothing \
         with the search.</p>\n<div class=\"scroll\"><table>\n<tr><th scope=\"col\">QID</th><th scope=\"col\">attributes</th>\
         <th scope=\"col\">verdict</th>\
         <th scope=\"col\" class=\"number\">k</th><th scope=\"col\" class=\"number\">smallest group</th>\
         <th scope=\"col\" class=\"number\">groups</th></tr>\n{rows}</table></div>\n\
         {redundant}<div class=\"charts\">\n{charts}</div>\n"
    );
    Section { id: "requirement", title: "Requirement", body }
}

/// Does the requirement hold for this QID?
pub(super) fn holds(qid: &QidReport) -> bool {
    // A table without records has no group that is too small.
    qid.anonymity >= qid.k || qid.groups == 0
}

fn row(index: usize, qid: &QidReport) -> String {
    let verdict = match holds(qid) {
        true => "<td class=\"holds\">✓ holds</td>",
        false => "<td class=\"broken\">✗ does not hold</td>",
    };
    format!(
        "<tr><td>{}</td><th scope=\"row\">{}</th>{verdict}<td class=\"number\">{}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td></tr>\n",
        index + 1,
        escape(&qid.attributes.join(", ")),
        count(qid.k),
        count(qid.anonymity),
        count(qid.groups)
    )
}

fn implied(redundant: &RedundantReport) -> String {
    format!(
        "<p>The QID {} with k = {} follows from {} and was not counted by itself.</p>\n",
        escape(&redundant.attributes.join(", ")),
        count(redundant.k),
        escape(&redundant.implied_by.join(", "))
    )
}

/// Groups and records by the size of their group.
struct Class {
    from: u64,
    groups: u64,
    records: u64,
}

/// Classes that double, from the threshold on.
fn classes(qid: &QidReport) -> Vec<Class> {
    let first = qid.k.min(qid.anonymity).max(1);
    let mut classes: Vec<Class> = Vec::new();
    for &(size, groups) in &qid.sizes {
        let class = (size / first).checked_ilog2().unwrap_or(0) as usize;
        while classes.len() <= class {
            classes.push(Class { from: first << classes.len(), groups: 0, records: 0 });
        }
        classes[class].groups += groups;
        classes[class].records += size * groups;
    }
    classes
}

fn histogram(index: usize, qids: &[QidReport]) -> String {
    let classes = classes(&qids[index]);
    let records: u64 = classes.iter().map(|class| class.records).sum();
    let most = classes.iter().map(|class| class.records).max().unwrap_or(0);
    let bar = |class: &Class| Bar {
        name: match class.from {
            1 => "1".to_owned(),
            from => format!("{}–{}", count(from), count(from * 2 - 1)),
        },
        length: share(class.records, most),
        cells: vec![count(class.groups), count(class.records), percent(share(class.records, records))],
    };
    let mut caption = String::from("Records by the size of their group");
    if qids.len() > 1 {
        let _ = write!(caption, ", {}", qid_name(index, qids));
    }
    Bars { caption, heads: &["group size", "groups", "records", "share"], rows: classes.iter().map(bar).collect() }
        .html()
}

/// What the page says of the requirement before everything else.
pub(super) fn verdict(qids: &[QidReport]) -> String {
    let held = qids.iter().filter(|qid| holds(qid)).count();
    let all = counted(qids.len() as u64, "QID");
    match held == qids.len() {
        true => format!("<p class=\"verdict holds\">✓ The requirement holds for {all}.</p>\n"),
        false => format!("<p class=\"verdict broken\">✗ The requirement holds for {held} of {all} only.</p>\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double_from_the_threshold_and_lose_nobody() {
        let sizes = vec![(50, 2), (99, 1), (100, 3), (1000, 1)];
        let qid =
            QidReport { attributes: vec![], k: 50, anonymity: 50, groups: 7, sizes, risk: None, confidences: vec![] };
        let classes = classes(&qid);
        let bars: Vec<_> = classes.iter().map(|class| (class.from, class.groups, class.records)).collect();
        assert_eq!(bars, [(50, 3, 199), (100, 3, 300), (200, 0, 0), (400, 0, 0), (800, 1, 1000)]);
    }
}
