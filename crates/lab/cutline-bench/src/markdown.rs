//! What pages are made of: paragraphs, tables and plots.

use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use cutline_report::plot::Plot;

/// A part of a page.
pub(crate) struct Body {
    /// The folder of the plots, beside the page.
    folder: &'static str,
    text: String,
    /// Names and texts of the plots' files.
    plots: Vec<(String, String)>,
}

impl Body {
    /// Nothing yet; plots go to the folder.
    pub(crate) fn new(folder: &'static str) -> Self {
        Body { folder, text: String::new(), plots: Vec::new() }
    }

    /// Adds a paragraph.
    pub(crate) fn text(&mut self, text: &str) {
        let _ = write!(self.text, "{text}\n\n");
    }

    /// Adds a table.
    pub(crate) fn table(&mut self, names: &[&str], rows: &[Vec<String>]) {
        self.text += &table(names, rows, "---:");
    }

    /// Adds a plot; `name` is that of its file.
    pub(crate) fn plot(&mut self, name: &str, plot: &Plot) {
        let _ = write!(self.text, "![{}]({}/{name}.svg)\n\n", plot.title(), self.folder);
        self.plots.push((format!("{name}.svg"), plot.to_string()));
    }

    /// The text so far.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Writes the plots; `output` is the folder of the page.
    pub(crate) fn write_plots(&self, output: &Path) -> io::Result<()> {
        let folder = output.join(self.folder);
        fs::create_dir_all(&folder)?;
        self.plots.iter().try_for_each(|(name, svg)| fs::write(folder.join(name), svg))
    }
}

/// A table whose first column is text; the others are aligned as said.
pub(crate) fn table(names: &[&str], rows: &[Vec<String>], aligned: &str) -> String {
    let mut text = format!(
        "| {} |\n| --- |{}\n",
        names.join(" | "),
        format!(" {aligned} |").repeat(names.len().saturating_sub(1))
    );
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text + "\n"
}
