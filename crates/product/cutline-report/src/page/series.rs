//! What do several releases tell together?

use maud::html;

use super::Section;
use crate::number::{count, counted};
use crate::{OneOfSeries, SeriesReport};

/// The releases as a timeline: true anonymity beside that of each release alone.
pub(super) fn section(series: &SeriesReport) -> Section {
    let qids = &series.together.qids;
    let name = |release: &OneOfSeries| release.folder.clone().unwrap_or_else(|| "this release".to_owned());
    let body = html! {
        p {
            "Whoever has all releases can tell persons apart by their labels in each, and by when they entered and left. True anonymity is the "
            "number of persons who share all of that; beside it, the smallest group of each release alone."
        }
        div.scroll { table {
            thead {
                tr {
                    th rowspan="2" { "release" }
                    @for head in ["persons", "entered", "left"] { th.number rowspan="2" { (head) } }
                    @for qid in qids { th colspan="2" { (qid.attributes.join(", ")) " (k = " (qid.k) ")" } }
                }
                tr { @for _ in qids { th.number { "alone" } th.number { "true anonymity" } } }
            }
            tbody {
                @for release in &series.releases {
                    tr {
                        td { (name(release)) }
                        @for number in [release.persons, release.entered, release.left] { td.number { (count(number)) } }
                        @for (alone, together) in release.alone.iter().zip(&release.together) {
                            td.number { (count(*alone)) } td.number { (count(*together)) }
                        }
                    }
                }
            }
        } }
        @if series.held_back > 0 {
            p {
                (counted(series.held_back, "record")) " held back until a later release: too few persons with the same history entered or left, "
                "so they would stand out however they are masked."
            }
        }
    };
    Section { id: "series", title: "Several releases", body }
}
