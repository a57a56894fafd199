//! Tables with a bar in every row: they read well on a phone, on paper and aloud.

use std::fmt::Write;

use super::text::escape;

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
    pub(super) fn html(&self) -> String {
        let mut text =
            format!("<div class=\"scroll\"><table class=\"bars\">\n<caption>{}</caption>\n<tr>", escape(&self.caption));
        for (index, head) in self.heads.iter().enumerate() {
            // The bar says nothing that the cells do not say.
            let (class, bar) =
                if index == 0 { ("", "<td aria-hidden=\"true\"></td>") } else { (" class=\"number\"", "") };
            let _ = write!(text, "<th scope=\"col\"{class}>{}</th>{bar}", escape(head));
        }
        text.push_str("</tr>\n");
        self.rows.iter().for_each(|row| text.push_str(&row.html()));
        text + "</table></div>\n"
    }
}

impl Bar {
    fn html(&self) -> String {
        let bar = match self.length.clamp(0.0, 1.0) * 100.0 {
            width if width > 0.0 => format!("<span style=\"width:{width:.1}%\"></span>"),
            _ => String::new(),
        };
        let cells: String =
            self.cells.iter().map(|cell| format!("<td class=\"number\">{}</td>", escape(cell))).collect();
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"bar\" aria-hidden=\"true\">{bar}</td>{cells}</tr>\n",
            escape(&self.name)
        )
    }
}
