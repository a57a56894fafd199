//! Both algorithms, each by itself: the paper's homogeneous clustering.

use cutline::Error;
use cutline::cluster::{Comparison, ComparisonRow};
use cutline::spec::ClusteringKind;

use super::super::claim::Claim;
use super::setting::{Setting, Subject};
use super::{Data, Section, percent, share, within};
use cutline_report::plot::{Marks, Plot};

/// What is published of an algorithm, in percent: the least and the most over numbers of clusters.
pub(super) struct Published {
    pub(super) algorithm: ClusteringKind,
    /// Over 2 and 6 clusters.
    pub(super) cost: (f64, f64),
    /// Over 2, 6 and 10 clusters.
    pub(super) benefit: (f64, f64),
}

const NAMES: [&str; 13] = [
    "algorithm",
    "clusters",
    "k",
    "F guided",
    "F blind",
    "benefit",
    "match guided",
    "match blind",
    "benefit",
    "F tuned",
    "benefit",
    "match tuned",
    "F raw again",
];

const NOTE: &str = "The nine attributes are not the paper's, which ranks them by C4.5 and names them for k-means with 6 clusters only; \
                    nor are the starts of k-means. Blind masking may happen to keep the clusters.";

/// Adds the plots, the table and the verdicts.
pub(super) fn add(
    section: &mut Section,
    data: &Data,
    subject: &Subject<'_>,
    published: &[Published],
) -> Result<(), Error> {
    let thresholds: Vec<u64> = data.pick(&[5, 20, 50, 100], &[5, 20]);
    let (mut rows, mut averages) = (Vec::new(), Vec::new());
    for published in published {
        let algorithm = published.algorithm;
        for clusters in data.pick(&[2, 6, 10], &[2]) {
            let setting = Setting::alone(algorithm, clusters, 0);
            let top = setting.ranked(data, subject)?;
            section.text(&format!("Top9 by gain, {algorithm}, {clusters} clusters: {}.", top.join(", ")));
            let top: Vec<&str> = top.iter().map(String::as_str).collect();
            let plain = setting.compared(data, subject, &top, &thresholds, false)?;
            let tuned = setting.compared(data, subject, &top, &thresholds, true)?;
            let name = format!("clusters-{}-{}-{clusters}", subject.name.to_lowercase(), slug(algorithm));
            section.plot(&name, &plot(subject.name, algorithm, &plain, &tuned));
            rows.extend(plain.rows.iter().zip(&tuned.rows).map(|(plain, tuned)| cells(algorithm, plain, tuned)));
            for (plain, tuned) in plain.averages().iter().zip(&tuned.averages()) {
                averages.push(cells(algorithm, plain, tuned));
                claims(section, published, tuned);
            }
        }
    }
    rows.extend(averages);
    section.table(&NAMES, &rows);
    Ok(())
}

fn slug(algorithm: ClusteringKind) -> &'static str {
    match algorithm {
        ClusteringKind::KMeans => "k-means",
        ClusteringKind::Bisecting => "bisecting",
    }
}

fn claims(section: &mut Section, published: &Published, tuned: &ComparisonRow) {
    let (algorithm, clusters) = (published.algorithm, tuned.clusters);
    let (cost, benefit) = (100.0 * (1.0 - tuned.guided.f_measure), 100.0 * tuned.benefit.f_measure);
    if clusters < 10 {
        let (least, most) = published.cost;
        let what = format!("{algorithm}, {clusters} clusters, mean over k 5..100: cost in F-measure");
        let verdict = within(cost < least, cost <= most);
        let range = format!("{least:.0} to {most:.0} %");
        section.claim(Claim::new(&what, &range, format!("{cost:.1} %"), verdict).if_missed(NOTE));
    }
    let (least, most) = published.benefit;
    let what = format!("{algorithm}, {clusters} clusters, mean over k 5..100: benefit over blind masking");
    let verdict = within(benefit > most, benefit >= least);
    let range = format!("{least:.0} to {most:.0} %");
    section.claim(Claim::new(&what, &range, format!("{benefit:+.0} %"), verdict).if_missed(NOTE));
}

fn cells(algorithm: ClusteringKind, plain: &ComparisonRow, tuned: &ComparisonRow) -> Vec<String> {
    vec![
        algorithm.to_string(),
        plain.clusters.to_string(),
        plain.k.map_or("mean".to_owned(), |k| k.to_string()),
        share(plain.guided.f_measure),
        share(plain.blind.f_measure),
        percent(plain.benefit.f_measure),
        share(plain.guided.match_point),
        share(plain.blind.match_point),
        percent(plain.benefit.match_point),
        share(tuned.guided.f_measure),
        percent(tuned.benefit.f_measure),
        share(tuned.guided.match_point),
        share(plain.raw.f_measure),
    ]
}

fn plot(name: &str, algorithm: ClusteringKind, plain: &Comparison, tuned: &Comparison) -> Plot {
    let clusters = plain.rows.first().map_or(0, |row| row.clusters);
    let title = format!("{name}, {algorithm}, {clusters} clusters, Top9 by gain");
    let mut plot = Plot::against_k(title, "agreement with the raw clusters");
    let mut add = |name: &str, comparison: &Comparison, figure: fn(&ComparisonRow) -> f64| {
        let points = comparison.rows.iter().filter_map(|row| Some((row.k? as f64, figure(row)))).collect();
        plot.add(name, Marks::Line, points);
    };
    add("F tuned", tuned, |row| row.guided.f_measure);
    add("F guided", plain, |row| row.guided.f_measure);
    add("F blind", plain, |row| row.blind.f_measure);
    plot
}
