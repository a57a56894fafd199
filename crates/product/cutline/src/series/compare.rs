//! What do releases tell together that exist already?

use cutline_model::Qid;
use cutline_report::SeriesReport;

use super::anonymity::Trajectories;
use super::{After, earlier};
use crate::{Error, Observer};

/// The true anonymity of several releases. `person` says whose record each is in the tables that they were made from, if those are given.
///
/// # Errors
/// If nothing says who is who in them.
pub fn compare_releases(
    releases: &After,
    person: Option<&str>,
    qids: &[Qid],
    observer: &dyn Observer,
) -> Result<SeriesReport, Error> {
    if !releases.previous.is_empty() && person.is_none() {
        return Err(Error::NotSaid {
            what: "nothing says whose record each is in the tables that the releases were made from".to_owned(),
            hint: "name a column of them with ‹person›",
        });
    }
    let (_, published) = earlier::published(releases, (person.unwrap_or_default(), None), qids, observer)?;
    let folders: Vec<Option<String>> =
        releases.earlier.iter().map(|release| Some(release.folder().display().to_string())).collect();
    let trajectories = Trajectories::new(&published, qids);
    let together = trajectories.together().clone();
    Ok(SeriesReport { releases: trajectories.timeline(folders), held_back: 0, together })
}
