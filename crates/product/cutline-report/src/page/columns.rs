//! Every published column: what it is, and what it tells.

use cutline_model::Role;
use maud::{Markup, html};

use super::Section;
use super::grid::{Grid, Head, cell};
use crate::number::{count, percent};
use crate::{PublicColumn, Published, Screened, ScreenedColumn};

/// For the steward: what was found.
pub(super) fn private(screened: &Screened, records: u64) -> Section {
    let body = html! {
        p {
            "Every published column with what was found. What is in no QID is published as it is: does it name or single out persons, and what \
             does it tell of the values that labels hide, to whoever sees the table?"
        }
        @if screened.looked_at < records {
            p { (count(screened.looked_at)) " records were drawn and looked at: among them more seem to be alone than are." }
        }
        (findings(screened).stacking())
        (pairs(screened))
    };
    Section { id: "columns", title: "Columns", body }
}

fn findings(screened: &Screened) -> Grid<'static> {
    Grid {
        caption: "",
        heads: vec![
            Head::text("column"),
            Head::text("role"),
            Head::text("published"),
            Head::number("distinct"),
            Head::number("alone"),
            Head::number("smallest with QID"),
            Head::number("below k with QID"),
            Head::text("found"),
        ],
        rows: screened.columns.iter().map(row).collect(),
    }
}

fn row(column: &ScreenedColumn) -> Vec<Markup> {
    let published = match (column.published, column.kept) {
        (Published::AsIs | Published::Unseen, true) => "as it is, which is meant",
        (Published::AsIs | Published::Unseen, false) => "as it is",
        (Published::Masked, _) => "labels",
        (Published::Tokens, _) => "tokens",
        (Published::Shifted, _) => "moved dates",
    };
    let with = |figure: fn(crate::WithQid) -> u64| column.with_qid.map_or("–".to_owned(), |with| count(figure(with)));
    let finding = column.finding();
    vec![
        cell(&column.name),
        cell(column.role.to_string()),
        cell(published),
        cell(count(column.distinct)),
        cell(percent(column.unique_share)),
        cell(with(|with| with.smallest)),
        cell(with(|with| with.records_below_k)),
        match (finding.is_empty(), column.kept) {
            (true, _) => cell("–"),
            (false, true) => cell(finding),
            (false, false) => html! { span.broken { (finding) } },
        },
    ]
}

fn pairs(screened: &Screened) -> Markup {
    html! {
        @for pair in &screened.pairs {
            p {
                b { (pair.columns[0]) } " and " b { (pair.columns[1]) } " together give " b { (pair.revealed.attribute) } " away: its value is "
                (pair.revealed.how_sure()) "."
            }
        }
    }
}

/// For everybody: what each column is said to be.
pub(super) fn public(columns: &[PublicColumn]) -> Option<Section> {
    let published = |role: Role| match role {
        Role::Quasi => "masked: labels in place of its values",
        Role::Identifier => "tokens in place of its values",
        Role::Sensitive => "as it is; what groups tell of it is counted above",
        Role::Target => "as it is; the table is published to predict it",
        Role::Other => "as it is",
    };
    let row =
        |column: &PublicColumn| vec![cell(&column.name), cell(column.role.to_string()), cell(published(column.role))];
    let grid = Grid {
        caption: "",
        heads: vec![Head::text("column"), Head::text("role"), Head::text("published")],
        rows: columns.iter().map(row).collect(),
    };
    (!columns.is_empty()).then(|| Section { id: "columns", title: "Columns", body: grid.stacking() })
}

/// A sentence whose names stand between backquotes.
fn named(sentence: &str) -> Markup {
    html! {
        @for (index, part) in sentence.split('`').enumerate() {
            @if index % 2 == 1 { b { (part) } } @else { (part) }
        }
    }
}

/// What a steward should think about, before everything else.
pub(super) fn warnings(screened: &Screened) -> Markup {
    html! {
        @if !screened.warnings.is_empty() {
            div.notice role="note" {
                b { "To think about" }
                ul { @for warning in &screened.warnings { li { (named(warning)) } } }
            }
        }
    }
}
