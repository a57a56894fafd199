//! Tables with a name in front of every row.

use maud::{Markup, html};

/// A table. Its first column is that of the names.
pub(super) struct Grid<'a> {
    /// What the table shows, in a few words; nothing if the text before it says that.
    pub(super) caption: &'a str,
    pub(super) heads: Vec<Head>,
    pub(super) rows: Vec<Vec<Markup>>,
}

/// The head of a column.
pub(super) struct Head {
    name: String,
    /// What stands lower, after the name.
    sub: &'static str,
    aligned: Aligned,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Aligned {
    Text,
    Number,
}

impl Head {
    /// Of a column of words.
    pub(super) fn text(name: impl Into<String>) -> Self {
        Head { name: name.into(), sub: "", aligned: Aligned::Text }
    }

    /// Of a column of numbers.
    pub(super) fn number(name: impl Into<String>) -> Self {
        Head { name: name.into(), sub: "", aligned: Aligned::Number }
    }

    /// With something that stands lower.
    pub(super) fn sub(self, sub: &'static str) -> Self {
        Head { sub, ..self }
    }

    fn class(&self) -> Option<&'static str> {
        (self.aligned == Aligned::Number).then_some("number")
    }

    fn html(&self) -> Markup {
        html! { th scope="col" class=[self.class()] { (self.name) @if !self.sub.is_empty() { sub { (self.sub) } } } }
    }
}

impl Grid<'_> {
    /// A table that is as wide as it is: where there is too little room, it can be pushed aside.
    pub(super) fn html(&self) -> Markup {
        html! { div.scroll { table { (self.caption()) (self.head()) @for row in &self.rows { (self.row(row)) } } } }
    }

    /// A table of few columns. On a phone every row becomes a block, with a line for each column.
    pub(super) fn stacking(&self) -> Markup {
        html! { table.stack { (self.caption()) (self.head()) @for row in &self.rows { (self.row(row)) } } }
    }

    fn caption(&self) -> Markup {
        html! { @if !self.caption.is_empty() { caption { (self.caption) } } }
    }

    fn head(&self) -> Markup {
        html! { tr { @for head in &self.heads { (head.html()) } } }
    }

    fn row(&self, row: &[Markup]) -> Markup {
        let [name, cells @ ..] = row else { return html! {} };
        html! {
            tr {
                th scope="row" { (name) }
                @for (cell, head) in cells.iter().zip(&self.heads[1..]) {
                    // Blocks have no line of heads, so each cell knows its own.
                    td class=[head.class()] data-head=(head.name) { (cell) }
                }
            }
        }
    }
}

/// Plain text as a cell.
pub(super) fn cell(text: impl AsRef<str>) -> Markup {
    html! { (text.as_ref()) }
}
