//! Where the part of an array that is accessed begins and ends in memory.
//!
//! # Problem
//! Two arrays share no byte if the one begins behind the end of the other. How far the first and
//! the last byte are from the base is computed from the [`End`]s of the accessed part, of which the
//! subscripts are functions of parameters.
//!
//! # Algorithm
//! 1. The bytes from one element to the next one of each dimension, from the innermost to the
//!    outermost: products of extents, each with overflow detection.
//! 2. The ends of whole rows: of their outermost subscripts the smallest and the largest, times the
//!    bytes of a row, with overflow detection.
//! 3. The other ends, those with the same outermost subscript together: that times the bytes of a
//!    row, plus the smallest and the largest of the distances in the row. Inner subscripts are
//!    moved into their extents first.
//! 4. Of all of them the smallest and the largest, in 128 bits.
//!
//! # Exactness
//! If an element is accessed, all extents are positive. Then a subscript that lies in its extent
//! gives less than the bytes of the next outer dimension, and what the inner ones give together is
//! less than the bytes of a row, of which it is known that they did not overflow. So the distance
//! in a row needs no overflow detection; it wraps around only where nothing is accessed and the
//! result means nothing. The distance of the row fits 64 bits and is added in 128.

use poly_presburger::Aff;
use poly_scop::{Array, ArrayRange, End};

use crate::CodegenError;
use crate::builder::{Builder, Op, Value};
use crate::form::{Evaluation, Form, Var};
use crate::interval::Interval;

/// The elements from a first to a last one, relative to a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    first: Side,
    last: Side,
    extents: Vec<Form>,
    /// Bytes of an element.
    element: i128,
}

/// One end of a span: the outermost of several ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Side {
    /// Outermost subscripts of whole rows.
    rows: Vec<Form>,
    /// Other outermost subscripts, each with the inner ones that occur with it. These are moved
    /// into their extents.
    elements: Vec<(Form, Vec<Vec<Form>>)>,
}

/// Which of several values.
#[derive(Clone, Copy, Debug)]
enum Which {
    Smallest,
    Largest,
}

impl Span {
    /// Prepares the range of an array; `of` gives the ranges of the parameters.
    pub(crate) fn prepare(
        range: &ArrayRange,
        array: &Array,
        param: &dyn Fn(&str) -> usize,
        of: &dyn Fn(Var) -> Interval,
    ) -> Result<Self, CodegenError> {
        if range.first.is_empty() || range.last.is_empty() {
            return Err(CodegenError::Check { what: "an accessed range has no bounds" });
        }
        let form = |aff: &Aff| {
            let form = Form::from_aff(aff, param)?;
            let fits = form.range(64, of).is_some_and(|r| r.fits(63));
            fits.then_some(form).ok_or(CodegenError::Check { what: "an accessed range needs more than 63 bits" })
        };
        let extents = array.extents.iter().map(form).collect::<Result<Vec<_>, _>>()?;
        let side = |ends: &[End]| {
            let mut side = Side::default();
            for end in ends {
                let outermost = form(&end.outermost)?;
                let Some(inner) = &end.inner else {
                    side.rows.push(outermost);
                    continue;
                };
                let inner = inner.iter().zip(&array.extents).zip(&extents);
                let inner =
                    inner.map(|((x, extent), size)| Ok(moved_inside((x, form(x)?), (extent, size.clone()), of)));
                side.add(outermost, inner.collect::<Result<Vec<_>, CodegenError>>()?);
            }
            Ok::<_, CodegenError>(side)
        };
        let (first, last) = (side(&range.first)?, side(&range.last)?);
        Ok(Self { first, last, extents, element: i128::from(array.element.bytes) })
    }

    /// Writes the distances of the first byte and behind the last one from the base, in 128 bits,
    /// for an environment of 64 bits. Adds bits that must be false for them to be right.
    pub(crate) fn emit<'c>(
        &self,
        env: &mut dyn Evaluation<'c>,
        overflows: &mut Vec<Value<'c>>,
    ) -> (Value<'c>, Value<'c>) {
        let mut strides = vec![env.int(self.element)];
        for extent in self.extents.iter().rev() {
            let extent = extent.emit(env);
            strides.push(product(env.builder(), strides[strides.len() - 1], extent, overflows));
        }
        strides.reverse();
        let low = self.first.emit(env, (&strides, Which::Smallest), overflows);
        let high = self.last.emit(env, (&strides, Which::Largest), overflows);
        (low, high)
    }
}

impl Side {
    fn add(&mut self, outermost: Form, inner: Vec<Form>) {
        match self.elements.iter_mut().find(|(known, _)| *known == outermost) {
            Some((_, list)) => list.push(inner),
            None => self.elements.push((outermost, vec![inner])),
        }
    }

    /// The distance of the first byte of the first element, or behind the last byte of the last
    /// one.
    fn emit<'c>(
        &self,
        env: &mut dyn Evaluation<'c>,
        (strides, which): (&[Value<'c>], Which),
        overflows: &mut Vec<Value<'c>>,
    ) -> Value<'c> {
        let mut distances = Vec::new();
        if !self.rows.is_empty() {
            let row = which.of_forms(&self.rows).emit(env);
            let row = match which {
                Which::Smallest => row,
                Which::Largest => env.builder().arithmetic(Op::Add, row, env.int(1), true),
            };
            let distance = product(env.builder(), row, strides[0], overflows);
            distances.push(widened(env.builder(), distance));
        }
        for (outermost, inner) in &self.elements {
            let outermost = outermost.emit(env);
            let row = product(env.builder(), outermost, strides[0], overflows);
            let inner = inner.iter().map(|subscripts| distance_in_row(env, subscripts, &strides[1..])).collect();
            let mut inner = which.of_values(env.builder(), inner);
            if matches!(which, Which::Largest) {
                inner = env.builder().arithmetic(Op::Add, inner, strides[strides.len() - 1], false);
            }
            let b = env.builder();
            distances.push(b.arithmetic(Op::Add, widened(b, row), widened(b, inner), true));
        }
        which.of_values(env.builder(), distances)
    }
}

impl Which {
    fn of_forms(self, forms: &[Form]) -> Form {
        match (forms, self) {
            ([only], _) => only.clone(),
            (_, Self::Smallest) => Form::Min(forms.to_vec()),
            (_, Self::Largest) => Form::Max(forms.to_vec()),
        }
    }

    fn of_values<'c>(self, b: &Builder<'c>, values: Vec<Value<'c>>) -> Value<'c> {
        let intrinsic = match self {
            Self::Smallest => "llvm.smin",
            Self::Largest => "llvm.smax",
        };
        let values = values.into_iter();
        values.reduce(|x, y| b.intrinsic(intrinsic, &[x.ty()], &[x, y])).expect("ranges have bounds")
    }
}

/// The subscript that lies in its extent and is nearest to the given one; 0 if none does.
fn moved_inside(
    (function, subscript): (&Aff, Form),
    (extent, size): (&Aff, Form),
    of: &dyn Fn(Var) -> Interval,
) -> Form {
    let space_below = extent.sub(function).constant_value();
    let is_below = space_below.is_some_and(|space| space >= 1.into());
    let is_from_zero = subscript.range(64, of).is_some_and(Interval::is_nonnegative);
    let last = Form::Sum(vec![size, Form::Const(-1)]);
    let subscript = if is_below { subscript } else { Form::Min(vec![subscript, last]) };
    // The smaller of both may be negative where the subscript is not.
    if is_below && is_from_zero { subscript } else { Form::Max(vec![subscript, Form::Const(0)]) }
}

/// The bytes before an element in its row.
fn distance_in_row<'c>(env: &mut dyn Evaluation<'c>, subscripts: &[Form], strides: &[Value<'c>]) -> Value<'c> {
    let terms: Vec<Value<'c>> = subscripts
        .iter()
        .zip(strides)
        .map(|(subscript, &stride)| {
            let subscript = subscript.emit(env);
            env.builder().arithmetic(Op::Mul, subscript, stride, false)
        })
        .collect();
    let sum = terms.into_iter().reduce(|x, y| env.builder().arithmetic(Op::Add, x, y, false));
    sum.expect("arrays with ends inside of rows have several dimensions")
}

fn widened<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    b.int_cast(value, b.int_type(128), true)
}

fn product<'c>(b: &Builder<'c>, x: Value<'c>, y: Value<'c>, overflows: &mut Vec<Value<'c>>) -> Value<'c> {
    let ty = b.int_type(64);
    let pair = b.intrinsic("llvm.smul.with.overflow", &[ty], &[x, y]);
    overflows.push(b.extract(pair, 1));
    b.extract(pair, 0)
}
