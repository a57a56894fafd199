//! One algorithm labels, the other one clusters the masked records: the paper's heterogeneous clustering (figures 8 and 14).

use cutline::Error;
use cutline::spec::ClusteringKind::{Bisecting, KMeans};

use super::setting::{Setting, Subject};
use super::{Data, Section, share};

/// Adds the table.
pub(super) fn add(section: &mut Section, data: &Data, subject: &Subject<'_>) -> Result<(), Error> {
    let thresholds: Vec<u64> = data.pick(&[5, 20, 50, 100], &[20]);
    let mut rows = Vec::new();
    for (raw, recipient) in [(KMeans, Bisecting), (Bisecting, KMeans)] {
        for clusters in data.pick(&[2, 6, 10], &[2]) {
            let setting = Setting { raw, recipient, clusters, seed: 0 };
            let top = setting.ranked(data, subject)?;
            let top: Vec<&str> = top.iter().map(String::as_str).collect();
            for row in setting.compared(data, subject, &top, &thresholds, false)?.averages() {
                let figures = [row.guided, row.blind, row.raw];
                let cells = figures.iter().flat_map(|figures| [share(figures.f_measure), share(figures.match_point)]);
                let names = vec![raw.to_string(), recipient.to_string(), clusters.to_string()];
                rows.push([names, cells.collect()].concat());
            }
        }
    }
    section.text(
        "A recipient who uses another algorithm than the data holder (means over k), and how much both algorithms agree on the raw records: \
         as in the paper, what is lost is lost by the change of the algorithm.",
    );
    let names = [
        "raw records by",
        "masked ones by",
        "clusters",
        "F guided",
        "match guided",
        "F blind",
        "match blind",
        "F raw",
        "match raw",
    ];
    section.table(&names, &rows);
    Ok(())
}
