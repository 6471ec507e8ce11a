//! Tables in Markdown, and means as they show them.

/// The geometric mean and how many there are.
pub(super) fn mean_text(values: impl Iterator<Item = f64>) -> String {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    if logarithms.is_empty() {
        return String::new();
    }
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
    format!("{mean:.2} ({})", logarithms.len())
}

/// A table in Markdown, the first column at the left, others at the right if they begin with a
/// digit.
pub(super) fn markdown(titles: &[String], rows: &[Vec<String>]) -> String {
    let is_number = |text: &String| text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit());
    let mut text = format!("| {} |\n|", titles.join(" | "));
    for column in 0..titles.len() {
        let right = column > 0 && rows.iter().filter(|row| is_number(&row[column])).count() * 2 > rows.len();
        text += if right { "---:|" } else { "---|" };
    }
    text.push('\n');
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_geometric_mean_is_not_the_arithmetic_one() {
        assert_eq!(mean_text([1.0, 4.0].into_iter()), "2.00 (2)");
        assert_eq!(mean_text([].into_iter()), "");
    }

    #[test]
    fn numbers_are_at_the_right() {
        let rows = [vec!["a".to_owned(), "1.5".to_owned()], vec!["b".to_owned(), String::new()]];
        let text = markdown(&["k".to_owned(), "s".to_owned()], &rows);
        assert_eq!(text, "| k | s |\n|---|---:|\n| a | 1.5 |\n| b |  |\n");
    }
}
