//! Why something is masked, in words that a console and a page share.

use cutline_model::Share;
use cutline_search::{Bar, Broken, Left};

use crate::number::{counted, figure};
use crate::{QidReport, Report};

/// What would allow a refinement.
pub(crate) enum Way<'a> {
    /// To suppress so many records.
    Limit(Share),
    /// To leave out the records that lack a value.
    LeaveOut,
    /// Another threshold, and the number of its QID where there are several.
    Threshold { k: u64, qid: Option<usize> },
    /// Not to publish another attribute.
    Without(&'a str),
}

/// What would allow what is forbidden.
pub(crate) fn ways<'a>(report: &Report, bar: &'a Bar) -> Vec<Way<'a>> {
    let records = report.searched();
    // A table of nothing but suppressed records is none.
    let limit = (bar.limit < records).then(|| Way::Limit(Share::allowing(bar.limit, records)));
    let number = |qid: usize| (report.qids.len() > 1).then_some(qid + 1);
    // Those of what earlier releases promised are not to be had for less.
    let own = |&&(qid, _): &&(usize, u64)| qid < report.qids.len();
    let thresholds = bar.thresholds.iter().filter(own).map(|&(qid, k)| Way::Threshold { k, qid: number(qid) });
    let without = bar.without.iter().map(|attribute| Way::Without(attribute));
    let leave_out = bar.lacking.map(|_| Way::LeaveOut);
    limit.into_iter().chain(leave_out).chain(thresholds).chain(without).collect()
}

/// What a refinement gains, with its unit.
pub(crate) fn gain(report: &Report, left: &Left) -> String {
    let metrics = &report.metrics;
    match (metrics.classification, metrics.regression_variance) {
        (Some(_), _) => format!("{} bits", figure(left.gain)),
        (_, Some(_)) => format!("{} of variance", figure(left.gain)),
        _ => counted(left.gain as u64, "record"),
    }
}

/// How many records would be in groups that violate the requirement.
pub(crate) fn forbidden(bar: &Bar, qids: &[QidReport]) -> String {
    let one = |broken: &Broken| {
        let which = if qids.len() > 1 { format!(" of QID {}", broken.qid + 1) } else { String::new() };
        let records = counted(broken.records, "record");
        match &broken.condition {
            None => format!("{records} in groups{which} below k"),
            Some(condition) => format!("{records} in groups{which} that break {condition}"),
        }
    };
    bar.broken.iter().map(one).collect::<Vec<_>>().join(" and ")
}
