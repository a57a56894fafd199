//! What was published.

use std::fmt;
use std::path::Path;

use cutline_model::Recoding;

use super::{Aligned, ClusterSummary, ModelCosts, SeriesSummary, WhatIfSummary, WhyLines, concerns, shortened};
use crate::{ClusterReport, Report};

/// A release, after it was published.
#[derive(Clone, Copy, Debug)]
pub struct ReleaseSummary<'a> {
    /// What is known of it.
    pub report: &'a Report,
    /// Its labels, as they are stored.
    pub recoding: Option<&'a Recoding>,
    /// Where it is.
    pub folder: &'a Path,
}

impl fmt::Display for ReleaseSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        write!(f, "{}: {} records", self.folder.display(), report.records)?;
        if report.dropped > 0 {
            write!(f, " ({} left out: a value is missing)", report.dropped)?;
        }
        writeln!(f, ", for {}\n", report.purpose)?;
        writeln!(f, "{}", self.requirement())?;
        if let Some(series) = &report.series {
            writeln!(f, "{}", SeriesSummary(series))?;
        }
        concerns::sensitive(report, f)?;
        concerns::suppressed(report, self.recoding, f)?;
        writeln!(f, "{}", self.attributes())?;
        writeln!(f, "search with {}: {} steps ({})", report.algorithm, report.steps, report.stopped)?;
        write!(f, "{}", WhyLines(report))?;
        if let Some(report) = &report.clusters {
            write!(f, "{}", ClusterSummary { report, folder: self.folder })?;
        }
        if let Some(evaluation) = &report.evaluation {
            write!(f, "{}", ModelCosts(evaluation))?;
        }
        if let Some(what_if) = &report.what_if {
            write!(f, "\n{}\n", WhatIfSummary(what_if))?;
        }
        concerns::warnings(report, f)?;
        self.times(f)
    }
}

impl ReleaseSummary<'_> {
    fn requirement(&self) -> Aligned {
        let row = |qid: &crate::QidReport| {
            let names = shortened(&qid.attributes.join(", "), 60);
            let numbers = [qid.k, qid.smallest(), qid.groups].map(|number| number.to_string());
            [names].into_iter().chain(numbers).chain(["holds".to_owned()]).collect()
        };
        let persons = self.report.qids.iter().any(|qid| qid.persons.is_some());
        let smallest = if persons { "fewest persons in a group" } else { "smallest group" };
        let heads = ["QID", "k", smallest, "groups", ""];
        Aligned::new(heads).numbers(&[1, 2, 3]).rows(self.report.qids.iter().map(row))
    }

    fn attributes(&self) -> Aligned {
        let row = |attribute: &crate::AttributeReport| {
            let recoding = self.recoding.and_then(|recoding| recoding.attributes.get(&attribute.name));
            let labels = recoding.map(|recoding| recoding.labels_of(attribute.values)).unwrap_or_default();
            let labels: Vec<String> = labels.iter().map(|label| attribute.read(label)).collect();
            let labels = shortened(&labels.join("  "), 70);
            vec![attribute.name.clone(), attribute.values.to_string(), attribute.labels.to_string(), labels]
        };
        let heads = ["attribute", "values", "labels", ""];
        Aligned::new(heads).numbers(&[1, 2]).rows(self.report.attributes.iter().map(row))
    }

    fn times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = &self.report.seconds;
        write!(f, "time: {}", clusters(self.report.clusters.as_ref()))?;
        write!(f, "read {:.2} s, search {:.2} s, screen {:.2} s, ", seconds.read, seconds.search, seconds.screen)?;
        write!(f, "write {:.2} s, verify {:.2} s", seconds.write, seconds.verify)?;
        if let Some(seconds) = seconds.evaluate {
            write!(f, ", evaluate {seconds:.2} s")?;
        }
        writeln!(f)
    }
}

/// The time for clusters, before that of the passes.
fn clusters(report: Option<&ClusterReport>) -> String {
    let spent = report.map(|report| report.seconds);
    spent.map_or(String::new(), |spent| {
        let tune = if spent.tune > 0.0 { format!("tune {:.2} s, ", spent.tune) } else { String::new() };
        format!("label {:.2} s, {tune}evaluate {:.2} s, ", spent.label, spent.evaluate)
    })
}
