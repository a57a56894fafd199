//! Tables published for cluster analysis (2009 paper, §5).
//!
//! | file | question |
//! | --- | --- |
//! | `setting` | How is one number of clusters compared over thresholds? |
//! | `alone` | Both algorithms, each by itself, on Adult and CRX |
//! | `mixed` | One algorithm labels, the other one clusters the masked records |
//! | `seeds` | How much depends on where k-means starts? |

mod alone;
mod mixed;
mod seeds;
mod setting;

use cutline::Error;
use cutline::cluster::AgreementFigures;
use cutline::spec::ClusteringKind;

use super::claim::Reached;
use super::data::{Categories, Data, Table};
use super::page::Section;
use alone::Published;
use setting::Subject;

/// Adult, generalized (figures 3, 4 and 8, table 7).
pub(crate) fn adult(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Adult for cluster analysis",
        "The raw records are clustered on the 14 attributes (the class is left out); the clusters guide `tdr`; the masked records are \
         clustered again, and both clusterings compared by overall F-measure and match point. *Blind* masking knows nothing of clusters. \
         *Tuned* is `--tune`: the paper's loop over its steps 1 to 4, which tries recodings and equally good raw clusterings and keeps \
         what agrees best; the verdicts are about it. *Raw again* is what clustering the raw records from another start gives: so much \
         of a difference is not due to masking (2009 paper, §5.1, figures 3 and 4). The QID has the nine attributes with the largest information \
         gain about the cluster. Generalized; the paper averages over 20 thresholds from 5 to 100, we over 4.",
    );
    let subject = Subject { name: "Adult", table: &data.adult, categories: Categories::Generalized, first: "sex" };
    let published = [
        Published { algorithm: ClusteringKind::KMeans, cost: (2.0, 20.0), benefit: (24.0, 125.0) },
        Published { algorithm: ClusteringKind::Bisecting, cost: (2.0, 20.0), benefit: (34.0, 66.0) },
    ];
    alone::add(&mut section, data, &subject, &published)?;
    seeds::add(&mut section, data, &subject)?;
    mixed::add(&mut section, data, &subject)?;
    Ok(section)
}

/// CRX, with value suppression (figures 10, 11 and 14).
pub(crate) fn crx(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "CRX for cluster analysis",
        "The same on CRX's 653 complete records, with value suppression and discretization (2009 paper, §5.2, figures 10, 11 and 14). \
         The paper finds two clusters by bisecting k-means kept by any masking: benefit and cost are 0 there.",
    );
    let subject = Subject { name: "CRX", table: &data.crx, categories: Categories::Suppressed, first: "A9" };
    let published = [
        Published { algorithm: ClusteringKind::KMeans, cost: (0.0, 23.0), benefit: (40.0, 155.0) },
        Published { algorithm: ClusteringKind::Bisecting, cost: (0.0, 23.0), benefit: (0.0, 57.0) },
    ];
    alone::add(&mut section, data, &subject, &published)?;
    mixed::add(&mut section, data, &subject)?;
    Ok(section)
}

/// A figure that should not be less than the published one.
fn at_least(published: f64, ours: f64, tolerance: f64) -> Reached {
    match ours {
        ours if ours > published + tolerance => Reached::Beat,
        ours if ours >= published - tolerance => Reached::Match,
        _ => Reached::Miss,
    }
}

/// A figure that is published as a range over several settings.
fn within(better: bool, inside: bool) -> Reached {
    match (better, inside) {
        (true, _) => Reached::Beat,
        (_, true) => Reached::Match,
        _ => Reached::Miss,
    }
}

/// One of the figures that compare two clusterings.
type Figure = fn(&AgreementFigures) -> f64;

/// The mean of a figure.
fn mean(figures: &[AgreementFigures], figure: Figure) -> f64 {
    figures.iter().map(figure).sum::<f64>() / figures.len().max(1) as f64
}

/// A share as a cell.
fn share(number: f64) -> String {
    format!("{number:.2}")
}

/// A gain as a cell.
fn percent(share: f64) -> String {
    format!("{:+.0} %", 100.0 * share)
}
