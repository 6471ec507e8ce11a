//! Names of columns, and the text of affine forms over them.

use poly_arith::Int;

use crate::basic::{BasicMap, Div};
use crate::row;
use crate::space::{DimKind, Space};

/// The text of each column after the constant.
#[derive(Clone)]
pub(super) struct Names {
    texts: Vec<String>,
    n_param: usize,
}

impl Names {
    /// Unique names for the parameters and dimensions of a space.
    pub(super) fn of(space: &Space) -> Names {
        let mut texts: Vec<String> = space.params.iter().map(|p| p.as_str().to_owned()).collect();
        let n_param = texts.len();
        for (kind, letter) in [(DimKind::In, "i"), (DimKind::Out, if space.is_map() { "o" } else { "i" })] {
            for i in 0..space.dim(kind) {
                let name = match space.dim_name(kind, i) {
                    Some(id) => id.as_str().to_owned(),
                    None => format!("{letter}{i}"),
                };
                push_unique(&mut texts, name);
            }
        }
        Names { texts, n_param }
    }

    /// Names given by their texts; none of them counts as a dimension.
    pub(super) fn of_texts(texts: Vec<String>) -> Names {
        Names { n_param: texts.len(), texts }
    }

    /// The texts of domain and range dimensions.
    pub(super) fn dims(&self, space: &Space) -> &[String] {
        &self.texts[self.n_param..space.n_var()]
    }

    /// The names with the texts of known divs appended.
    pub(super) fn with_divs(&self, divs: &[Div]) -> Names {
        let mut names = self.clone();
        for div in divs {
            let text = floor_text(div, &names);
            names.texts.push(text);
        }
        names
    }

    /// The names with those of all divs of a basic map appended, and the names made up for
    /// unknown divs. With `explicit`, known divs get names too.
    pub(super) fn with_divs_of(&self, map: &BasicMap, explicit: bool) -> (Names, Vec<String>) {
        let mut names = self.clone();
        let mut made_up = Vec::new();
        for div in map.divs() {
            match div {
                Some(div) if !explicit => {
                    let text = floor_text(div, &names);
                    names.texts.push(text);
                }
                _ => {
                    push_unique(&mut names.texts, format!("e{}", made_up.len()));
                    made_up.push(names.texts.last().expect("a name was added").clone());
                }
            }
        }
        (names, made_up)
    }

    /// The text of a column after the constant.
    pub(super) fn column(&self, col: usize) -> &str {
        &self.texts[col - 1]
    }
}

fn push_unique(texts: &mut Vec<String>, mut name: String) {
    while texts.contains(&name) {
        name.push('\'');
    }
    texts.push(name);
}

/// `floor((num)/denom)`.
fn floor_text(div: &Div, names: &Names) -> String {
    format!("floor(({})/{})", linear(&div.num, names), div.denom)
}

/// The affine form of a row, the constant first.
pub(super) fn linear(form: &[Int], names: &Names) -> String {
    let mut text = String::new();
    if !form[0].is_zero() || row::is_zero(form) {
        text = form[0].to_string();
    }
    for (c, x) in form.iter().enumerate().skip(1).filter(|(_, x)| !x.is_zero()) {
        let sign = match (text.is_empty(), x.is_neg()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        text.push_str(&term(&x.abs(), names.column(c)));
    }
    text
}

/// `factor * name` for a positive factor.
pub(super) fn term(factor: &Int, name: &str) -> String {
    if factor.is_one() {
        return name.to_owned();
    }
    let star = if name.starts_with("floor(") { "*" } else { "" };
    format!("{factor}{star}{name}")
}
