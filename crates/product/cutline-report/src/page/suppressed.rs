//! Which records are not published under their labels, and why?

use cutline_model::Recoding;
use cutline_model::recoding::SuppressHow;
use maud::{Markup, html};

use crate::Report;
use crate::number::counted;
use crate::stars::stars;

/// For the steward: how many, and what became of them.
pub(super) fn paragraph(report: &Report, recoding: &Recoding) -> Markup {
    let became = match report.suppressed_how {
        Some(SuppressHow::Drop) => "left out",
        _ => "published with * for all QID attributes",
    };
    html! {
        @if report.suppressed > 0 {
            p { (counted(report.suppressed, "record")) " in groups that were too small or broke a condition: " (became) "." }
            @if report.suppressed_how != Some(SuppressHow::Drop) { (told_apart(recoding)) }
        }
        @if report.dropped > 0 { p { (counted(report.dropped, "record")) " left out because a value is missing." } }
    }
}

/// For everybody: how the `*` of a suppressed record differs from that of a value.
pub(super) fn told_apart(recoding: &Recoding) -> Markup {
    html! { @if let Some(told) = stars(recoding) { p { "Where records are suppressed: " (told) "." } } }
}
