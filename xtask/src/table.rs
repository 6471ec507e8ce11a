//! Plain text tables with aligned columns.

/// How a column's cells are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// At the left edge: words.
    Left,
    /// At the right edge: numbers.
    Right,
}

/// Rows of cells under a line of titles.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Table {
        Table { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row, one cell for each column.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.columns.len(), "a row has one cell for each column");
        self.rows.push(row);
    }

    /// The table as text, each line ended.
    pub(crate) fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.chain([self.columns[column].0.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let titles: Vec<String> = self.columns.iter().map(|(title, _)| (*title).to_owned()).collect();
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        let rows = [&titles, &rule].into_iter().chain(&self.rows);
        rows.map(|row| self.line(row, &widths)).collect()
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let cells = row.iter().zip(widths).zip(&self.columns).map(|((cell, &width), (_, align))| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_left_and_numbers_right() {
        let mut table = Table::new(&[("kernel", Align::Left), ("s", Align::Right)]);
        table.push(vec!["mvt".into(), "0.25".into()]);
        table.push(vec!["jacobi-2d".into(), "12.5".into()]);
        let expected = "kernel        s\n---------  ----\nmvt        0.25\njacobi-2d  12.5\n";
        assert_eq!(table.render(), expected);
    }
}
