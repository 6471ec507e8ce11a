//! From points to the plane.
//!
//! One dimension goes to the right. Of two, the first goes down and the second to the right, as
//! rows and columns of a matrix do. Of three, the first goes to the left and down, the second down,
//! and the third to the right and down, as the edges of a cube that is looked at from a corner (an
//! axonometric projection; the vertical unit is longer than in an isometric one, so that no two
//! points with small coordinates cover each other).

/// Directions of three dimensions, in units of the grid.
const AXES: [(f64, f64); 3] = [(-0.86, 0.5), (0.0, 1.39), (0.86, 0.5)];

/// Where points are.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    axes: Vec<(f64, f64)>,
    origin: (f64, f64),
    size: (f64, f64),
}

impl Projection {
    /// For points of at most three dimensions, all of equally many: neighbours are `grid` apart,
    /// and around all of them is a margin. `None` if there are no points, or points of more
    /// dimensions.
    pub fn of<'p>(points: impl IntoIterator<Item = &'p [i64]>, grid: f64, margin: f64) -> Option<Self> {
        let mut points = points.into_iter().peekable();
        let axes = match points.peek()?.len() {
            0 => Vec::new(),
            1 => vec![(1.0, 0.0)],
            2 => vec![(0.0, 1.0), (1.0, 0.0)],
            3 => AXES.to_vec(),
            _ => return None,
        };
        let axes = axes.into_iter().map(|(x, y)| (grid * x, grid * y)).collect();
        let mut projection = Self { axes, origin: (0.0, 0.0), size: (0.0, 0.0) };
        let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        for point in points {
            let (x, y) = projection.place(point);
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
        }
        projection.origin = (margin - least.0, margin - least.1);
        projection.size = (most.0 - least.0 + 2.0 * margin, most.1 - least.1 + 2.0 * margin);
        Some(projection)
    }

    /// Where a point is, from the upper left corner.
    pub fn place(&self, point: &[i64]) -> (f64, f64) {
        let start = self.origin;
        self.axes.iter().zip(point).fold(start, |at, (axis, &value)| {
            let value = value as f64;
            (at.0 + axis.0 * value, at.1 + axis.1 * value)
        })
    }

    /// The way from a point to its neighbour in a dimension.
    pub fn axis(&self, dim: usize) -> (f64, f64) {
        self.axes[dim]
    }

    /// Width and height.
    pub fn size(&self) -> (f64, f64) {
        self.size
    }
}

/// An arrow between the edges of two marks of a radius: where it begins and where it ends.
pub fn arrow(from: (f64, f64), to: (f64, f64), radius: f64) -> ((f64, f64), (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    // Marks that touch leave no way between them.
    let part = if length > 2.0 * radius { radius / length } else { 0.0 };
    ((from.0 + part * dx, from.1 + part * dy), (to.0 - part * dx, to.1 - part * dy))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(sizes: &[i64]) -> Vec<Vec<i64>> {
        sizes.iter().fold(vec![Vec::new()], |points, &size| {
            points.iter().flat_map(|p| (0..size).map(move |x| [p.clone(), vec![x]].concat())).collect()
        })
    }

    #[test]
    fn points_are_apart_and_inside() {
        for sizes in [&[][..], &[9], &[4, 7], &[6, 6, 6]] {
            let points = all(sizes);
            let projection = Projection::of(points.iter().map(Vec::as_slice), 10.0, 5.0).unwrap();
            let places: Vec<(f64, f64)> = points.iter().map(|p| projection.place(p)).collect();
            let (width, height) = projection.size();
            for (i, a) in places.iter().enumerate() {
                assert!(a.0 > 4.9 && a.1 > 4.9 && a.0 < width - 4.9 && a.1 < height - 4.9, "{a:?} of {sizes:?}");
                for b in &places[..i] {
                    assert!((a.0 - b.0).hypot(a.1 - b.1) > 1.0, "{a:?} and {b:?} of {sizes:?}");
                }
            }
        }
        assert_eq!(Projection::of([], 1.0, 1.0), None);
        assert_eq!(Projection::of([&[0; 4][..]], 1.0, 1.0), None);
    }

    #[test]
    fn arrows_touch_marks() {
        assert_eq!(arrow((0.0, 0.0), (10.0, 0.0), 2.0), ((2.0, 0.0), (8.0, 0.0)));
        assert_eq!(arrow((0.0, 0.0), (3.0, 0.0), 2.0), ((0.0, 0.0), (3.0, 0.0)));
    }
}
