//! The same release under other requirements.

use maud::html;

use super::Section;
use super::grid::{Grid, Head, cell};
use crate::number::{count, percent};
use crate::text::what_if::told;
use crate::{Alternative, ErrorKind, Figures, WhatIf};

pub(super) fn section(what_if: &WhatIf) -> Section {
    let error = match what_if.error {
        Some(ErrorKind::Classes) => Some("error"),
        Some(ErrorKind::Numbers) => Some("variance left"),
        None => None,
    };
    let mut heads = vec![Head::text("what if"), Head::number("loss")];
    heads.extend(error.map(Head::number));
    heads.extend(["suppressed", "groups", "smallest group"].map(Head::number));
    let row = |alternative: &Alternative| {
        let name = cell(told(&alternative.change));
        let Some(Figures { loss, groups, smallest, suppressed, error }) = alternative.figures else {
            return vec![name, html! { span title=[alternative.impossible.as_deref()] { "impossible" } }];
        };
        let mut row = vec![name, cell(percent(loss))];
        row.extend(error.map(|error| cell(percent(error))));
        row.extend([suppressed, groups, smallest].map(|number| cell(count(number))));
        row
    };
    let grid = Grid { caption: "", heads, rows: what_if.alternatives.iter().map(row).collect() };
    let body = html! {
        p {
            "The same table, searched again with one thing asked for otherwise. Loss is how much of its domain an entry of the masked \
             attributes can no longer be told from, on average (LM); an attribute that is left out is lost. "
            @match what_if.error {
                Some(ErrorKind::Classes) => "The error is the share of records that are suppressed or not of their group's majority class (CM); no model was trained.",
                Some(ErrorKind::Numbers) => "Variance left is the share of the target's variance within groups (RM); no model was trained.",
                None => {}
            }
        }
        (grid.html())
    };
    Section { id: "what-if", title: "What if?", body }
}
