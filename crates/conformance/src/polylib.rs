//! Constraint matrices in the format of PolyLib.
//!
//! The first line has the numbers of rows and columns. isl's extension adds the numbers of output
//! dimensions, input dimensions, existential variables and parameters. Each row begins with 0 for
//! an equality or 1 for an inequality `>= 0`; then come the coefficients of output dimensions,
//! input dimensions, existential variables and parameters, and the constant. Blank lines and
//! comments, from `#` to the end of the line, may stand anywhere.

use poly_arith::Int;
use poly_presburger::{BasicSet, Id, Row, Set, Space, Tuple};

/// A basic relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    /// The rows as they are written.
    pub(crate) rows: Vec<Vec<Int>>,
    /// Dimensions of all kinds but existential variables and parameters.
    pub(crate) dims: usize,
    /// Existential variables.
    pub(crate) locals: usize,
    /// Parameters.
    pub(crate) params: usize,
}

/// Reads a matrix from the beginning of `rest`, and moves `rest` behind it.
pub(crate) fn matrix(rest: &mut &str) -> Result<Matrix, String> {
    let header: Vec<usize> = numbers(rest, "the size of a matrix")?;
    let mut matrix = match header[..] {
        [_, columns] if columns >= 2 => Matrix { rows: Vec::new(), dims: columns - 2, locals: 0, params: 0 },
        [_, columns, out, input, locals, params] if columns == out + input + locals + params + 2 => {
            Matrix { rows: Vec::new(), dims: out + input, locals, params }
        }
        _ => return Err(format!("{header:?} is not the size of a matrix")),
    };
    for i in 0..header[0] {
        let row: Vec<Int> = numbers(rest, &format!("row {} of a matrix", i + 1))?;
        if row.len() != header[1] {
            return Err(format!("row {} of a matrix has {} numbers, not {}", i + 1, row.len(), header[1]));
        }
        if row[0] != Int::ZERO && row[0] != Int::ONE {
            return Err(format!("row {} of a matrix begins with {}, neither 0 nor 1", i + 1, row[0]));
        }
        matrix.rows.push(row);
    }
    Ok(matrix)
}

/// The numbers in the next line that is not blank.
fn numbers<T: std::str::FromStr>(rest: &mut &str, what: &str) -> Result<Vec<T>, String> {
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        *rest = after;
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            let numbers: Result<Vec<T>, &str> =
                line.split_whitespace().map(|word| word.parse().map_err(|_| word)).collect();
            return numbers.map_err(|word| format!("{word:?} is not a number, but {what} is expected"));
        }
    }
    Err(format!("{what} is missing"))
}

/// The name that parameter `i` gets.
fn parameter(i: usize) -> Id {
    Id::from(format!("p{i}"))
}

impl Matrix {
    /// The set, the last `more_params` dimensions being parameters too. Parameters are called `p0`,
    /// `p1`, ...
    pub(crate) fn to_set(&self, more_params: usize) -> Result<Set, String> {
        let Some(dims) = self.dims.checked_sub(more_params) else {
            return Err(format!("there are {} dimensions, too few for {more_params} parameters", self.dims));
        };
        if more_params > 0 && (self.params > 0 || self.locals > 0) {
            return Err("dimensions cannot become parameters where there are some already".to_owned());
        }
        let n_param = self.params + more_params;
        let params: Vec<Id> = (0..n_param).map(parameter).collect();
        let mut set = BasicSet::new(Space::set(params, Tuple::anonymous(dims)));
        (0..self.locals).for_each(|_| {
            set.add_unknown_div();
        });
        for row in &self.rows {
            let (kind, row) = (&row[0], self.arranged(&row[1..], dims, more_params));
            if kind.is_zero() { set.add_eq(row) } else { set.add_ineq(row) }
        }
        Ok(Set::from_basic(set))
    }

    /// The coefficients in the order of Poly: constant, parameters, dimensions, existential
    /// variables.
    fn arranged(&self, row: &[Int], dims: usize, more_params: usize) -> Row {
        let (variables, rest) = row.split_at(dims);
        let (moved, rest) = rest.split_at(more_params);
        let (locals, rest) = rest.split_at(self.locals);
        let (params, constant) = rest.split_at(self.params);
        [constant, params, moved, variables, locals].concat().into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use poly_presburger::Budget;

    use super::*;

    fn check(text: &str, more_params: usize, expected: &str) {
        let mut rest = text;
        let set = matrix(&mut rest).and_then(|m| m.to_set(more_params)).expect("the matrix can be read");
        let expected: Set = expected.parse().expect("the expected set can be read");
        assert_eq!(set.is_equal(&expected, &mut Budget::unlimited()), Ok(true), "{set}");
    }

    fn refused(text: &str) -> String {
        matrix(&mut &*text).expect_err("the matrix is wrong")
    }

    #[test]
    fn rows_become_constraints() {
        check("2 4 # i j\n\n1 1 0 -1 # i >= 1\n0 2 -1 3\n", 0, "{ [i, j] : i >= 1 and 2i - j + 3 = 0 }");
        check("2 4\n1 1 -1 0\n1 -1 0 9\n", 1, "[p0] -> { [i] : p0 <= i <= 9 }");
        check("0 3\n", 1, "[p0] -> { [] }");
    }

    #[test]
    fn the_extended_format_has_existential_variables() {
        check("2 5 1 0 1 1\n0 1 -2 0 0\n1 -1 0 1 0\n", 0, "[p0] -> { [i] : exists e : i = 2e and i <= p0 }");
    }

    #[test]
    fn wrong_matrices_are_refused() {
        assert_eq!(refused("1 3\n1 2\n"), "row 1 of a matrix has 2 numbers, not 3");
        assert_eq!(refused("1 3\n2 2 2\n"), "row 1 of a matrix begins with 2, neither 0 nor 1");
        assert_eq!(refused("2 3\n1 2 2\n"), "row 2 of a matrix is missing");
        assert_eq!(refused("1 3\nx 2 2\n"), "\"x\" is not a number, but row 1 of a matrix is expected");
        assert_eq!(refused("7\n"), "[7] is not the size of a matrix");
    }
}
