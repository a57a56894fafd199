//! Columns that line up.

use std::fmt;

/// A table of text: columns aligned, two blanks between them.
///
/// ```
/// use cutline_report::text::Aligned;
///
/// let table = Aligned::new(["column", "distinct"]).numbers(&[1]).row(["age", "74"]).row(["sex", "2"]);
/// assert_eq!(table.to_string(), "column  distinct\nage           74\nsex            2\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Aligned {
    rows: Vec<Vec<String>>,
    /// Columns that are aligned to the right.
    numbers: Vec<usize>,
}

impl Aligned {
    /// A table with a line of heads. One without them starts from [`Aligned::default`].
    pub fn new<T: Into<String>>(heads: impl IntoIterator<Item = T>) -> Self {
        Aligned::default().row(heads)
    }

    /// Aligns these columns to the right.
    pub fn numbers(mut self, columns: &[usize]) -> Self {
        self.numbers.extend(columns);
        self
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(mut self, cells: impl IntoIterator<Item = T>) -> Self {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// Adds rows.
    pub fn rows(mut self, rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        self.rows.extend(rows);
        self
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

impl fmt::Display for Aligned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if self.numbers.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:width$}") }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// The text, cut to so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let table = Aligned::new(["näme", "k"]).numbers(&[1]).row(["a", "100"]);
        assert_eq!(table.to_string(), "näme    k\na     100\n");
        assert_eq!(shortened("abcdef", 4), "abc…");
    }
}
