//! Groups that have labels of their own, and how to use a table with such groups.

use cutline_model::recoding::{Extent, Places};
use cutline_model::{AttributeRecoding, Recoding};
use maud::{Markup, html};

use super::Section;

/// More groups than these are counted, and not shown.
const SHOWN: usize = 500;

pub(super) fn section(recoding: &Recoding) -> Option<Section> {
    let regions = recoding.regions.as_ref()?;
    if regions.are_withheld() {
        return Some(withheld(recoding, &regions.groups));
    }
    let places = Places::new(regions, &recoding.of_attributes()).ok()?;
    let body = html! {
        p {
            "The table is cut into " (regions.groups().count()) " regions, and the records in each of them show the same labels. Regions do \
             not overlap, and every possible person lies in exactly one of them; which one, depends on all of the person's values. Under \
             \"Attributes\" stands what at least one region tells apart; a record may show a label that stands for several of those."
        }
        (usage(recoding, &places))
        details {
            summary { "The labels of each region" }
            (labels(recoding, &of_regions(&places)))
        }
    };
    Some(Section { id: "regions", title: "Regions", body })
}

fn usage(recoding: &Recoding, places: &Places) -> Markup {
    let (within, across) = (columns(recoding, places, Extent::is_within), columns(recoding, places, crosses));
    html! {
        @if !within.is_empty() {
            p { "A label may stand for values that another label of the same column stands for as well, because one lies within the other, in: " (names(&within)) "." }
        }
        @if !across.is_empty() {
            p { "Labels may overlap by halves in: " (names(&across)) "." }
        }
        (advice())
    }
}

fn advice() -> Markup {
    html! {
        p {
            "In columns with such labels, do not count them as if they were different values: a record with a wide label may have any of the values \
             that a narrow one stands for. Decision trees and forests can work with the labels as they are. What adds up over columns, such \
             as Naive Bayes or a regression, does better if each label is replaced by what it stands for: an interval by its middle, a name \
             by the share of each value below it. Counts by value should spread a record over the values of its label."
        }
    }
}

/// Which records a region has is not told: only what they show.
fn withheld(recoding: &Recoding, groups: &[Vec<Option<String>>]) -> Section {
    let body = html! {
        p {
            "The table is cut into regions, and the records in each of them show the same labels: there are " (groups.len()) " combinations \
             of labels. Regions do not overlap, and every possible person lies in exactly one of them; which one, depends on all of the \
             person's values, and is known to the steward alone, because it tells something of the names that " code { "*" } " stands for. \
             A label may stand for values that another label of the same column stands for as well."
        }
        (advice())
        details {
            summary { "The labels of each region" }
            (labels(recoding, groups))
        }
    };
    Section { id: "regions", title: "Regions", body }
}

type Lies = fn(&Extent, &Extent, &AttributeRecoding) -> bool;

fn crosses(one: &Extent, other: &Extent, _: &AttributeRecoding) -> bool {
    one.crosses(other)
}

/// The columns in which the labels of two groups lie so.
fn columns<'r>(recoding: &'r Recoding, places: &Places, lies: Lies) -> Vec<&'r str> {
    let groups: Vec<usize> = places.regions().groups().collect();
    let lie = |a: usize, recoding: &AttributeRecoding| {
        let mut of: Vec<(u32, usize)> = groups.iter().map(|&group| (places.of(group)[a], group)).collect();
        of.sort_unstable();
        of.dedup_by_key(|(label, _)| *label);
        let extents: Vec<&Extent> = of.iter().map(|&(_, group)| places.extents().of(group, a)).collect();
        extents.iter().any(|one| extents.iter().any(|other| lies(one, other, recoding)))
    };
    let each = recoding.attributes.iter().enumerate();
    each.filter(|(a, (_, recoding))| lie(*a, recoding)).map(|(_, (name, _))| name.as_str()).collect()
}

fn names(columns: &[&str]) -> Markup {
    html! { @for (place, name) in columns.iter().enumerate() { @if place > 0 { ", " } code { (name) } } }
}

/// The labels of all groups.
fn of_regions(places: &Places) -> Vec<Vec<Option<String>>> {
    let label = |(a, &label): (usize, &u32)| places.labels(a)[label as usize].clone().into_text();
    let groups = places.regions().groups();
    groups.map(|group| places.of(group).iter().enumerate().map(label).collect()).collect()
}

fn labels(recoding: &Recoding, groups: &[Vec<Option<String>>]) -> Markup {
    let left = groups.len().saturating_sub(SHOWN);
    html! {
        table {
            thead { tr { @for name in recoding.attributes.keys() { th scope="col" { (name) } } } }
            tbody {
                @for group in groups.iter().take(SHOWN) {
                    tr { @for label in group { td { (label.as_deref().unwrap_or("missing")) } } }
                }
            }
        }
        @if left > 0 { p { "and " (left) " more, which are in " code { "recoding.json" } "." } }
    }
}
