//! Storage mappings and their sizes.

use std::fmt;

use poly_arith::Int;
use poly_counting::{PwQuasiPolynomial, QuasiPolynomial};
use poly_presburger::{Budget, PwAff, Stop};

/// One dimension of the cells: `c x mod m`.
#[derive(Clone, Debug)]
pub struct Row {
    /// `c`, one number for each dimension of the array.
    pub coefficients: Vec<Int>,
    /// `m`, a positive function of the parameters.
    pub modulus: PwAff,
}

impl Row {
    /// The modulus, if it is one number.
    pub fn constant_modulus(&self) -> Option<Int> {
        let value = self.modulus.constant_value()?;
        value.is_integer().then(|| value.num().clone())
    }
}

/// A storage mapping; without rows all elements share one cell.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// The dimensions of the cells.
    pub rows: Vec<Row>,
}

impl Mapping {
    /// The cells, modulus by modulus, for parameter values; `None` where a modulus is not defined.
    pub fn sizes_at(&self, params: &[Int]) -> Option<Vec<Int>> {
        let at = |row: &Row| row.modulus.eval(params, &[]).map(|value| value.floor());
        self.rows.iter().map(at).collect()
    }

    /// The number of cells for parameter values.
    pub fn cells_at(&self, params: &[Int]) -> Option<Int> {
        Some(self.sizes_at(params)?.iter().fold(Int::ONE, |product, size| &product * size))
    }

    /// The cell of an element for parameter values.
    pub fn cell_at(&self, params: &[Int], element: &[Int]) -> Option<Vec<Int>> {
        let sizes = self.sizes_at(params)?;
        let cell = |(row, size): (&Row, Int)| {
            let sum = row.coefficients.iter().zip(element).fold(Int::ZERO, |sum, (c, x)| &sum + &(c * x));
            sum.mod_floor(&size)
        };
        Some(self.rows.iter().zip(sizes).map(cell).collect())
    }

    /// The number of cells, a function of the parameters of a context.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn cells(&self, context: &poly_presburger::Set, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
        let space = context.space().clone();
        let mut product = PwQuasiPolynomial::on(context.clone(), QuasiPolynomial::constant(space.clone(), 1));
        for row in &self.rows {
            let mut factor = PwQuasiPolynomial::zero(space.clone());
            for (domain, aff) in row.modulus.pieces() {
                let piece = PwQuasiPolynomial::on(domain.clone(), QuasiPolynomial::from_aff(aff));
                factor = factor.add(&piece, budget)?;
            }
            product = product.mul(&factor, budget)?;
        }
        product.coalesce(budget)
    }
}

impl fmt::Display for Mapping {
    /// `[x0 mod 3, x1 mod N]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = self.rows.iter().map(Row::to_string).collect();
        write!(f, "[{}]", rows.join(", "))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms = String::new();
        for (k, c) in self.coefficients.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            let sign = match (terms.is_empty(), c.is_neg()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let factor = if c.abs().is_one() { String::new() } else { c.abs().to_string() };
            terms.push_str(&format!("{sign}{factor}x{k}"));
        }
        let is_single = self.coefficients.iter().filter(|c| !c.is_zero()).count() < 2;
        let terms = if is_single { terms } else { format!("({terms})") };
        write!(f, "{terms} mod {}", value_text(&self.modulus))
    }
}

/// A function of the parameters; only its value where it is one.
fn value_text(function: &PwAff) -> String {
    let text = function.to_string();
    let inner = text.split_once("{ ").map_or(text.as_str(), |(_, rest)| rest).trim_end_matches(" }");
    if function.n_piece() != 1 {
        return format!("{{ {inner} }}");
    }
    let value = inner.split(" : ").next().unwrap_or(inner);
    let value = value.trim_start_matches('[').trim_end_matches(']');
    let inner = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(value);
    if inner.contains(' ') { format!("({inner})") } else { inner.to_owned() }
}
