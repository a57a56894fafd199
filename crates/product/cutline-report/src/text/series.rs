//! What several releases tell together.

use std::fmt;

use super::{Aligned, shortened};
use crate::number::counted;
use crate::{JointCondition, JointQid, OneOfSeries, PublishedVersion, SeriesReport, TrueAnonymity, Versions, Worth};

/// True anonymity, a line for each QID.
#[derive(Clone, Copy, Debug)]
pub struct TrueAnonymityTable<'a>(pub &'a TrueAnonymity);

impl fmt::Display for TrueAnonymityTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |qid: &JointQid| {
            let numbers = [qid.k, qid.anonymity, qid.trajectories, qid.too_small, qid.persons_in_those];
            let word = if qid.holds() { "holds" } else { "DOES NOT HOLD" };
            let names = shortened(&qid.attributes.join(", "), 60);
            [names].into_iter().chain(numbers.map(|number| number.to_string())).chain([word.to_owned()]).collect()
        };
        let heads = ["QID", "k", "true anonymity", "trajectories", "too small", "persons in those", ""];
        Aligned::new(heads).numbers(&[1, 2, 3, 4, 5]).rows(self.0.qids.iter().map(row)).fmt(f)
    }
}

/// Conditions in several releases, a line for each; nothing if there are none.
#[derive(Clone, Copy, Debug)]
pub struct JointConditionsTable<'a>(pub &'a [JointCondition]);

impl fmt::Display for JointConditionsTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        let row = |own: &JointCondition| {
            let said = [own.condition.clone(), shortened(&own.attributes.join(", "), 40), shortened(&own.folder, 40)];
            let word = if own.broken == 0 { "holds" } else { "DOES NOT HOLD" };
            let numbers = [own.trajectories.to_string(), own.broken.to_string(), word.to_owned()];
            said.into_iter().chain(numbers).collect()
        };
        let heads = ["condition", "QID", "values of", "trajectories", "that break it", ""];
        Aligned::new(heads).numbers(&[3, 4]).rows(self.0.iter().map(row)).fmt(f)
    }
}

/// The releases of a series, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a>(pub &'a [OneOfSeries]);

impl fmt::Display for Timeline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let row = |release: &OneOfSeries| {
            let name = release.folder.clone().unwrap_or_else(|| "this release".to_owned());
            let numbers = [release.persons, release.entered, release.left].map(|number| number.to_string());
            let figures = [least(&release.alone), least(&release.together)];
            [shortened(&name, 40)].into_iter().chain(numbers).chain(figures).collect()
        };
        let heads = ["release", "persons", "entered", "left", "smallest alone", "true anonymity"];
        Aligned::new(heads).numbers(&[1, 2, 3, 4, 5]).rows(self.0.iter().map(row)).fmt(f)
    }
}

/// What a release is in its series.
#[derive(Clone, Copy, Debug)]
pub struct SeriesSummary<'a>(pub &'a SeriesReport);

impl fmt::Display for SeriesSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Timeline(&self.0.releases))?;
        if self.0.held_back > 0 {
            let records = counted(self.0.held_back, "record");
            writeln!(f, "{records} held back: too few persons with the same history entered or left")?;
        }
        Ok(())
    }
}

/// Versions that were published together: what each kept, and what it would have kept alone.
#[derive(Clone, Copy, Debug)]
pub struct VersionsSummary<'a>(pub &'a Versions);

impl fmt::Display for VersionsSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let row = |version: &PublishedVersion| {
            let Worth { measure, alone, together } = version.worth;
            let smallest = version.report.qids.iter().map(|qid| qid.anonymity).collect::<Vec<_>>();
            let figures = [format!("{alone:.3}"), format!("{together:.3}"), format!("{:.1} %", version.worth.cost())];
            [version.name.clone(), list(&smallest), measure.to_owned()].into_iter().chain(figures).collect()
        };
        let heads = ["version", "smallest group", "measure", "alone", "together", "cost"];
        write!(f, "{}", Aligned::new(heads).numbers(&[1, 3, 4, 5]).rows(self.0.versions.iter().map(row)))?;
        writeln!(f, "\ntrue anonymity of all versions together: {}", list(&self.0.anonymity))?;
        writeln!(f, "if each were made alone: {}", list(&self.0.one_by_one))
    }
}
