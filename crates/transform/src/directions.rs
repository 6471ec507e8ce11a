//! How statements and accesses move along the loops of a schedule.
//!
//! # Problem
//! A statement with `d` iterators is executed by loops whose counters are affine functions of the
//! iterators (the *rows* of the schedule). To predict cache behaviour one needs, for each loop, the
//! step in iteration space when that loop advances by one while all others are fixed.
//!
//! # Method
//! 1. Choose, from the outermost row inwards, rows that are linearly independent of those chosen
//!    before; the others are constant once the chosen ones are fixed and make no step.
//! 2. The chosen rows form an invertible matrix `H` when the schedule is injective; the columns of
//!    its inverse are the steps.
//!
//! The numbers feed the cost model only, so floating point is good enough; nothing here decides
//! legality.

/// The step of every row in iteration space; `None` for rows that do not advance independently.
///
/// `rows` holds one linear function of the iterators per loop, outermost first; constant terms do
/// not matter.
pub fn directions(rows: &[Vec<f64>], iterators: usize) -> Vec<Option<Vec<f64>>> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut echelon: Vec<Vec<f64>> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let rest = reduce(row, &echelon);
        if rest.iter().any(|x| x.abs() > EPSILON) && chosen.len() < iterators {
            echelon.push(rest);
            chosen.push(index);
        }
    }
    let mut result = vec![None; rows.len()];
    if chosen.len() < iterators {
        // Not injective (a statement below further loops): complete with unit vectors, which stand
        // for loops not seen here.
        let mut matrix: Vec<Vec<f64>> = chosen.iter().map(|&r| rows[r].clone()).collect();
        for k in 0..iterators {
            let mut unit = vec![0.0; iterators];
            unit[k] = 1.0;
            let rest = reduce(&unit, &echelon);
            if rest.iter().any(|x| x.abs() > EPSILON) && matrix.len() < iterators {
                echelon.push(rest);
                matrix.push(unit);
            }
        }
        fill(&mut result, &chosen, &matrix);
    } else {
        let matrix: Vec<Vec<f64>> = chosen.iter().map(|&r| rows[r].clone()).collect();
        fill(&mut result, &chosen, &matrix);
    }
    result
}

/// Whether two functions differ by a constant where those of `given` rows have one value each, and
/// do not have one value there themselves.
pub fn agree(a: &[f64], b: &[f64], given: &[Vec<f64>]) -> bool {
    let mut echelon: Vec<Vec<f64>> = Vec::new();
    for row in given {
        let rest = reduce(row, &echelon);
        if rest.iter().any(|x| x.abs() > EPSILON) {
            echelon.push(rest);
        }
    }
    let (a, b) = (reduce(a, &echelon), reduce(b, &echelon));
    a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= EPSILON) && a.iter().any(|x| x.abs() > EPSILON)
}

const EPSILON: f64 = 1e-9;

fn fill(result: &mut [Option<Vec<f64>>], chosen: &[usize], matrix: &[Vec<f64>]) {
    let Some(inverse) = invert(matrix) else {
        return;
    };
    for (column, &row) in chosen.iter().enumerate() {
        result[row] = Some(inverse.iter().map(|r| r[column]).collect());
    }
}

/// What is left of `row` after elimination with the rows of `echelon`, each of which has its
/// leading entry where the others before it have been eliminated.
fn reduce(row: &[f64], echelon: &[Vec<f64>]) -> Vec<f64> {
    let mut rest = row.to_vec();
    for base in echelon {
        let Some(pivot) = base.iter().position(|x| x.abs() > EPSILON) else {
            continue;
        };
        let factor = rest[pivot] / base[pivot];
        for (x, b) in rest.iter_mut().zip(base) {
            *x -= factor * b;
        }
    }
    rest
}

/// Inverse of a square matrix by Gauss-Jordan elimination; `None` when it is singular.
fn invert(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut left: Vec<Vec<f64>> = matrix.to_vec();
    let mut right: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()))?;
        if left[pivot][column].abs() <= EPSILON {
            return None;
        }
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = left[column][column];
        for j in 0..n {
            left[column][j] /= scale;
            right[column][j] /= scale;
        }
        let (base_left, base_right) = (left[column].clone(), right[column].clone());
        for i in (0..n).filter(|&i| i != column) {
            let factor = left[i][column];
            for j in 0..n {
                left[i][j] -= factor * base_left[j];
                right[i][j] -= factor * base_right[j];
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::{agree, directions};

    #[test]
    fn permuted_rows_step_along_their_iterators() {
        let rows = vec![vec![0.0, 0.0, 1.0], vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]];
        let steps = directions(&rows, 3);
        assert_eq!(steps[0], Some(vec![0.0, 0.0, 1.0]));
        assert_eq!(steps[2], Some(vec![0.0, 1.0, 0.0]));
    }

    #[test]
    fn a_skewed_inner_row_keeps_the_outer_step_on_the_diagonal() {
        // (t, t + i): advancing t alone must move i back.
        let steps = directions(&[vec![1.0, 0.0], vec![1.0, 1.0]], 2);
        assert_eq!(steps[0], Some(vec![1.0, -1.0]));
        assert_eq!(steps[1], Some(vec![0.0, 1.0]));
    }

    #[test]
    fn constant_rows_make_no_step() {
        let steps = directions(&[vec![1.0], vec![0.0], vec![2.0]], 1);
        assert_eq!(steps, vec![Some(vec![1.0]), None, None]);
    }

    #[test]
    fn functions_agree_where_those_around_them_are_given() {
        let (i, j, difference) = (vec![1.0, 0.0], vec![0.0, 1.0], vec![-1.0, 1.0]);
        assert!(agree(&j, &difference, std::slice::from_ref(&i)));
        assert!(!agree(&j, &difference, &[]));
        // Constant there, both of them.
        assert!(!agree(&i, &[2.0, 0.0], std::slice::from_ref(&i)));
        assert!(agree(&j, &i, std::slice::from_ref(&difference)) && !agree(&j, &i, &[]));
    }
}
