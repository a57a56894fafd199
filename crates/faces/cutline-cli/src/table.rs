//! Tables of text.

/// Columns aligned, two blanks between them. `numbers` tells which columns are aligned to the right.
pub(crate) fn aligned(rows: &[Vec<String>], numbers: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if numbers.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The text, cut to so many characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["näme".to_owned(), "k".to_owned()], vec!["a".to_owned(), "100".to_owned()]];
        assert_eq!(aligned(&rows, &[1]), "näme    k\na     100\n");
        assert_eq!(shortened("abcdef", 4), "abc…");
    }
}
