//! Groups that have labels of their own, and how to use a table with such groups.

use cutline_model::Recoding;
use cutline_model::recoding::{Local, Places};
use maud::{Markup, html};

use super::Section;

/// More groups than these are counted, and not shown.
const SHOWN: usize = 500;

pub(super) fn section(recoding: &Recoding) -> Option<Section> {
    let regions = recoding.regions.as_ref()?;
    let places = Places::new(regions, &recoding.of_attributes()).ok()?;
    let body = html! {
        p {
            "The table is cut into " (regions.groups().count()) " regions, and the records in each of them show the same labels. Regions do \
             not overlap, and every possible person lies in exactly one of them; which one, depends on all of the person's values. Under \
             \"Attributes\" stands what at least one region tells apart; a record may show a label that stands for several of those."
        }
        (usage(regions.local))
        details {
            summary { "The labels of each region" }
            (labels(recoding, &places))
        }
    };
    Some(Section { id: "regions", title: "Regions", body })
}

fn usage(local: Local) -> Markup {
    html! {
        p {
            @match local {
                Local::Nested => "Two labels of a column are nested or have nothing in common. ",
                Local::Free => "Two intervals of a column may overlap. ",
            }
            "Do not count labels as if they were different values: a record with a wide label may have any of the values that a narrow \
             one stands for. Decision trees and forests can work with the labels as they are. What adds up over columns, such as Naive \
             Bayes or a regression, does better if each label is replaced by what it stands for: an interval by its middle, a name by \
             the share of each value below it. Counts by value should spread a record over the values of its label."
        }
    }
}

fn labels(recoding: &Recoding, places: &Places) -> Markup {
    let groups = || places.regions().groups();
    let left = groups().count().saturating_sub(SHOWN);
    html! {
        table {
            thead { tr { @for name in recoding.attributes.keys() { th scope="col" { (name) } } } }
            tbody {
                @for group in groups().take(SHOWN) {
                    tr { @for (a, &label) in places.of(group).iter().enumerate() { td { (places.labels(a)[label as usize]) } } }
                }
            }
        }
        @if left > 0 { p { "and " (left) " more, which are in " code { "recoding.json" } "." } }
    }
}
