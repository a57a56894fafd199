//! Tables with a bar in every row: they read well on a phone, on paper and aloud.

use maud::{Markup, html};

/// A table with a bar in every row.
pub(super) struct Bars<'a> {
    /// What the table shows, in a few words.
    pub(super) caption: String,
    /// What stands to the left of the bars, and in each column to the right of them.
    pub(super) heads: &'a [&'a str],
    pub(super) rows: Vec<Bar>,
}

/// A row.
pub(super) struct Bar {
    pub(super) name: String,
    /// The length of the bar, from 0 to 1.
    pub(super) length: f64,
    /// What stands to the right of the bar.
    pub(super) cells: Vec<String>,
}

impl Bars<'_> {
    pub(super) fn html(&self) -> Markup {
        let (names, cells) = self.heads.split_at(1.min(self.heads.len()));
        html! {
            div.scroll {
                table.bars {
                    caption { (self.caption) }
                    tr {
                        @for head in names { th scope="col" { (head) } }
                        // The bar says nothing that the cells do not say.
                        td aria-hidden="true" {}
                        @for head in cells { th.number scope="col" { (head) } }
                    }
                    @for row in &self.rows { (row.html()) }
                }
            }
        }
    }
}

impl Bar {
    fn html(&self) -> Markup {
        let width = self.length.clamp(0.0, 1.0) * 100.0;
        html! {
            tr {
                th scope="row" { (self.name) }
                td.bar aria-hidden="true" { @if width > 0.0 { span style=(format!("width:{width:.1}%")) {} } }
                @for cell in &self.cells { td.number { (cell) } }
            }
        }
    }
}
