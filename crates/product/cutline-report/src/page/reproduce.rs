//! How to make the release again.

use maud::html;

use super::{Section, usage};
use crate::Report;

pub(super) fn section(report: &Report) -> Section {
    let spec = toml::to_string(&report.arguments).unwrap_or_default();
    let body = html! {
        p {
            "Cutline " (report.version) " made this release. With this spec as " code { "release.toml" } " it masks the same records in the \
             same way again (tokens without a key differ, and so may a search that the clock or a person ended):"
        }
        pre { "cutline anonymize release.toml -o again" }
        pre { (spec) }
        p { "The requirement can be checked without the raw table (put the name of the published one for " code { "TABLE" } "):" }
        pre { (usage::check(&report.qids)) }
        p {
            "Beside this page: " code { "report.json" } ", this page for programs; " code { "trace.jsonl" } ", every step of the search. In the \
             public part of the release: the table; " code { "recoding.json" } ", which " code { "cutline apply" } " uses to mask other tables \
             alike (where there is a " code { "recoding.json" } " beside this page, that one); " code { "report.json" } " and " code { "report.html" } ", what everybody may know."
        }
    };
    Section { id: "reproduce", title: "How to reproduce it", body }
}
