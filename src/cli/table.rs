//! Tables of text.

use std::fmt;

/// A table: columns of numbers stand to the right, all others to the left.
///
/// A table of nothing but titles is written too.
pub struct Table {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these titles.
    pub fn new(titles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { titles: titles.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; cells that are missing at its end are empty.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
        let mut lines = vec![String::new(); self.rows.len() + 1];
        for (column, title) in self.titles.iter().enumerate() {
            let cells: Vec<String> = self.rows.iter().map(|row| cell(row, column)).collect();
            let all = || std::iter::once(title).chain(&cells);
            let width = all().map(|text| text.chars().count()).max().unwrap_or(0);
            let is_number = cells.iter().any(|text| !text.is_empty())
                && cells.iter().all(|text| text.is_empty() || begins_number(text));
            for (line, text) in lines.iter_mut().zip(all()) {
                let gap = if column > 0 { "  " } else { "" };
                match is_number && column > 0 {
                    true => *line += &format!("{gap}{text:>width$}"),
                    false => *line += &format!("{gap}{text:<width$}"),
                }
            }
        }
        for line in lines {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Whether a cell is a number, perhaps with a unit or an error behind it.
fn begins_number(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).starts_with(|ch: char| ch.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let mut table = Table::new(["range", "n", "bar"]);
        table.push(["1000..1099".into(), "7".into(), "##".into()]);
        table.push(["all".into(), "1234".into(), "#".into()]);
        let wanted = "range          n  bar\n1000..1099     7  ##\nall         1234  #\n";
        assert_eq!(table.to_string(), wanted);
    }
}
