//! Pictures of sets, relations and schedules as SVG, complete in themselves: what a notebook shows
//! of a value.
//!
//! # Problem
//! A set has parameters, and may have infinitely many points; a picture has few. It has to show as
//! much of the shape as it can, and to say what it leaves out.
//!
//! # Algorithm
//! 1. All parameters get one value: of those that are tried, the largest for which the points fit
//!    the picture, but one at least is there.
//! 2. A dimension is shown between its bounds; of one without, or with more than [`EXTENT`] values,
//!    the part next to a bound, or around zero.
//! 3. The points in this box are enumerated, exactly. More than [`POINTS`] of them are no picture.
//! 4. A set is drawn by [`Projection`]. A relation within one tuple is drawn as arrows between
//!    points of both; other ones have two drawings beside each other, the domain and the range, and
//!    arrows from one to the other.
//!
//! # Invariants
//! Sizes of pictures are bounded. The caption has the values of the parameters, and says when the
//! drawing is a part.

use std::collections::BTreeSet;
use std::fmt::Write;

use poly_presburger::{Budget, DimKind, Map, Set, Space, Stop, Tuple};

use crate::points::points;
use crate::projection::{Projection, arrow};

mod schedule;

pub use schedule::schedule;

/// Most values of a dimension, for sets of 0 to 3 dimensions.
const EXTENT: [i64; 4] = [1, 30, 20, 6];
/// Most points.
const POINTS: usize = 400;
/// Most arrows.
const ARROWS: usize = 400;
/// Values that are tried for parameters; the larger ones come first.
const VALUES: [i64; 9] = [8, 6, 5, 4, 3, 2, 1, 0, 20];
/// Distance of neighbouring points.
const GRID: f64 = 26.0;
/// Space around the points.
const MARGIN: f64 = 30.0;
/// Of the mark of a point.
const RADIUS: f64 = 4.5;
/// Height of the line below.
const CAPTION: f64 = 20.0;
/// Width of a character of the caption, about.
const CHARACTER: f64 = 6.2;

/// The picture of a set of at most three dimensions; `None` for others, and where no part can be
/// shown.
///
/// ```
/// use poly_picture::svg;
/// use poly_presburger::{Budget, Set};
/// let triangle: Set = "[n] -> { [i, j] : 0 <= j <= i < n }".parse().unwrap();
/// let picture = svg::set(&triangle, &mut Budget::unlimited()).unwrap().unwrap();
/// assert_eq!(picture.matches("<circle").count(), 36);
/// assert!(picture.contains("n = 8"));
/// ```
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn set(set: &Set, budget: &mut Budget) -> Result<Option<String>, Stop> {
    if set.space().is_params() || set.n_dim() >= EXTENT.len() {
        return Ok(None);
    }
    let Some(part) = Part::of(set, EXTENT[set.n_dim()], budget)? else { return Ok(None) };
    let axes = names(set.space(), DimKind::Out);
    let Some(panel) = Panel::new(part.points.iter().cloned().collect(), axes, 0.0) else { return Ok(None) };
    let mut body = String::new();
    panel.draw(&mut body);
    Ok(Some(document(&body, panel.right(), panel.height(), &part.caption(set.space()))))
}

/// The picture of a relation: within one tuple of at most three dimensions, or between tuples of at
/// most two. `None` for others, and where no part can be shown.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn relation(map: &Map, budget: &mut Budget) -> Result<Option<String>, Stop> {
    let (n_in, n_out) = (map.dim(DimKind::In), map.dim(DimKind::Out));
    let is_within = map.space().domain == map.space().range;
    let most = if is_within { 3 } else { 2 };
    if !map.space().is_map() || n_in > most || n_out > most {
        return Ok(None);
    }
    let pairs = map.wrap().flatten();
    let Some(part) = Part::of(&pairs, EXTENT[n_in.max(n_out)], budget)? else { return Ok(None) };
    let split: Vec<(Vec<i64>, Vec<i64>)> =
        part.points.iter().map(|pair| (pair[..n_in].to_vec(), pair[n_in..].to_vec())).collect();
    if split.len() > ARROWS {
        return Ok(None);
    }
    let (sources, sinks): (BTreeSet<Vec<i64>>, BTreeSet<Vec<i64>>) = split.iter().cloned().unzip();
    let domain_axes = names(map.space(), DimKind::In);
    let mut body = String::new();
    let (left, right) = if is_within {
        let Some(panel) = Panel::new(sources.union(&sinks).cloned().collect(), domain_axes, 0.0) else {
            return Ok(None);
        };
        panel.draw(&mut body);
        (panel, None)
    } else {
        let Some(left) = Panel::new(sources, domain_axes, 0.0) else { return Ok(None) };
        let right = Panel::new(sinks, names(map.space(), DimKind::Out), left.right());
        let Some(right) = right else { return Ok(None) };
        left.draw(&mut body);
        right.draw(&mut body);
        (left, Some(right))
    };
    let range = right.as_ref().unwrap_or(&left);
    for (from, to) in &split {
        draw_arrow(&mut body, left.place(from), range.place(to));
    }
    let height = left.height().max(range.height());
    Ok(Some(document(&body, range.right(), height, &part.caption(map.space()))))
}

/// The points that are shown.
struct Part {
    points: Vec<Vec<i64>>,
    /// The value of all parameters.
    value: i64,
    /// There are other points for this value.
    is_cut: bool,
}

impl Part {
    fn of(set: &Set, extent: i64, budget: &mut Budget) -> Result<Option<Part>, Stop> {
        let n_params = set.space().params.len();
        let values = if n_params == 0 { &VALUES[..1] } else { &VALUES[..] };
        let mut best: Option<Part> = None;
        for &value in values {
            let part = Part::at(set, n_params, value, extent, budget)?;
            let Some(part) = part.filter(|part| !part.points.is_empty()) else { continue };
            if !part.is_cut {
                return Ok(Some(part));
            }
            best = best.or(Some(part));
        }
        Ok(best)
    }

    fn at(set: &Set, n_params: usize, value: i64, extent: i64, budget: &mut Budget) -> Result<Option<Part>, Stop> {
        let fixed = (0..n_params).fold(set.clone(), |set, i| set.fix(DimKind::Param, i, value));
        let n = fixed.n_dim();
        let Some(bounds) = fixed.dim_bounds(0..n, budget)? else { return Ok(None) };
        let mut shown = fixed.set_tuple(Tuple::anonymous(n));
        let mut is_cut = false;
        for (i, bound) in bounds.into_iter().enumerate() {
            let least = bound.least.and_then(|value| value.to_i64());
            let greatest = bound.greatest.and_then(|value| value.to_i64());
            let (low, high) = match (least, greatest) {
                (Some(low), Some(high)) if high.saturating_sub(low) < extent => (low, high),
                (Some(low), _) => (low, low.saturating_add(extent - 1)),
                (None, Some(high)) => (high.saturating_sub(extent - 1), high),
                (None, None) => (-(extent / 2), extent / 2),
            };
            is_cut |= least != Some(low) || greatest != Some(high);
            shown = shown.lower_bound(DimKind::Out, i, low).upper_bound(DimKind::Out, i, high);
        }
        let points = points(&shown, &vec![value; n_params], budget)?;
        Ok((points.len() <= POINTS).then_some(Part { points, value, is_cut }))
    }

    fn caption(&self, space: &Space) -> String {
        let params: Vec<String> = space.params.iter().map(|id| format!("{id} = {}", self.value)).collect();
        let part = self.is_cut.then(|| "a part".to_owned());
        params.into_iter().chain(part).collect::<Vec<_>>().join(", ")
    }
}

/// Names of the dimensions of a tuple; those without get one.
fn names(space: &Space, kind: DimKind) -> Vec<String> {
    let name = |i: usize| space.dim_name(kind, i).map_or_else(|| format!("i{i}"), ToString::to_string);
    (0..space.dim(kind)).map(name).collect()
}

/// Points of one tuple.
struct Panel {
    points: BTreeSet<Vec<i64>>,
    axes: Vec<String>,
    projection: Projection,
    /// Where it begins.
    left: f64,
}

impl Panel {
    fn new(points: BTreeSet<Vec<i64>>, axes: Vec<String>, left: f64) -> Option<Panel> {
        let projection = Projection::of(points.iter().map(Vec::as_slice), GRID, MARGIN)?;
        Some(Panel { points, axes, projection, left })
    }

    fn right(&self) -> f64 {
        self.left + self.projection.size().0
    }

    fn height(&self) -> f64 {
        self.projection.size().1
    }

    fn place(&self, point: &[i64]) -> (f64, f64) {
        let (x, y) = self.projection.place(point);
        (self.left + x, y)
    }

    fn draw(&self, body: &mut String) {
        for point in &self.points {
            self.draw_point(body, point, "#4878b0", "");
        }
        self.draw_axes(body);
    }

    /// A point, and `what` it is before its coordinates.
    fn draw_point(&self, body: &mut String, point: &[i64], colour: &str, what: &str) {
        let (x, y) = self.place(point);
        let values: Vec<String> =
            self.axes.iter().zip(point).map(|(axis, value)| format!("{axis} = {value}")).collect();
        let title = escaped(&format!("{what}{}", values.join(", ")));
        let _ = write!(
            body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{RADIUS}" fill="{colour}"><title>{title}</title></circle>"#
        );
    }

    /// An arrow in the direction of each dimension, with its name and the least value, from the
    /// least corner.
    fn draw_axes(&self, body: &mut String) {
        let n = self.axes.len();
        let least: Vec<i64> = (0..n).map(|i| self.points.iter().map(|p| p[i]).min().unwrap_or(0)).collect();
        for (i, name) in self.axes.iter().enumerate() {
            let (dx, dy) = self.projection.axis(i);
            let length = dx.hypot(dy);
            let (dx, dy) = (dx / length, dy / length);
            let (x, y) = self.place(&least);
            // Beside the points: away from the other dimensions.
            let (sx, sy) = if n == 1 { (0.0, -14.0) } else { (-14.0 * dy.abs(), -14.0 * dx.abs()) };
            let (x, y) = (x + sx, y + sy);
            let (tx, ty) = (x + 14.0 * dx, y + 14.0 * dy);
            draw_arrow_between(body, ((x, y), (tx, ty)), "#888888");
            let (nx, ny) = (tx + 7.0 * dx, ty + 7.0 * dy + 3.0);
            let _ = write!(
                body,
                r##"<text x="{nx:.1}" y="{ny:.1}" fill="#888888" text-anchor="middle">{}</text>"##,
                escaped(name)
            );
        }
    }
}

fn draw_arrow(body: &mut String, from: (f64, f64), to: (f64, f64)) {
    if from == to {
        let (x, y) = from;
        let _ = write!(body, r##"<circle cx="{x:.1}" cy="{y:.1}" r="8" fill="none" stroke="#c05020"/>"##);
        return;
    }
    draw_arrow_between(body, arrow(from, to, RADIUS), "#c05020");
}

/// A step from a point to the next one.
fn draw_path(body: &mut String, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = write!(body, r##"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="#aaaaaa"/>"##);
}

/// A line with a tip of its own: markers would need names that are unique in the page.
fn draw_arrow_between(body: &mut String, ((x1, y1), (x2, y2)): ((f64, f64), (f64, f64)), colour: &str) {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (5.0 * dx / length, 5.0 * dy / length);
    let (left, right) = ((x2 - dx - dy / 2.0, y2 - dy + dx / 2.0), (x2 - dx + dy / 2.0, y2 - dy - dx / 2.0));
    let _ = write!(
        body,
        r#"<path d="M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}M{:.1} {:.1}L{x2:.1} {y2:.1}L{:.1} {:.1}" fill="none" stroke="{colour}"/>"#,
        left.0, left.1, right.0, right.1
    );
}

fn document(body: &str, width: f64, height: f64, caption: &str) -> String {
    let below = if caption.is_empty() { 0.0 } else { CAPTION };
    let width = width.max(2.0 * MARGIN + CHARACTER * caption.chars().count() as f64);
    let mut text = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{:.0}" viewBox="0 0 {width:.0} {:.0}" font-family="sans-serif" font-size="11">"#,
        height + below,
        height + below
    );
    text.push_str(body);
    if !caption.is_empty() {
        let _ = write!(
            text,
            r##"<text x="{MARGIN:.0}" y="{:.1}" fill="#888888">{}</text>"##,
            height + CAPTION / 2.0,
            escaped(caption)
        );
    }
    text.push_str("</svg>");
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(text: &str) -> Option<usize> {
        let picture = set(&text.parse().unwrap(), &mut Budget::unlimited()).unwrap()?;
        Some(picture.matches("<title>").count())
    }

    fn arrows(text: &str) -> Option<(usize, usize)> {
        let picture = relation(&text.parse().unwrap(), &mut Budget::unlimited()).unwrap()?;
        Some((picture.matches("<title>").count(), picture.matches(r##"stroke="#c05020""##).count()))
    }

    fn caption(text: &str) -> String {
        let picture = set(&text.parse().unwrap(), &mut Budget::unlimited()).unwrap().unwrap();
        let last = picture.rsplit("<text").next().unwrap();
        last.split('>').nth(1).unwrap().trim_end_matches("</text").to_owned()
    }

    #[test]
    fn all_points_of_small_sets_are_drawn() {
        assert_eq!(circles("{ [i] : 0 <= i < 5 }"), Some(5));
        assert_eq!(circles("{ [i, j] : 0 <= i, j < 5 and (i + j) mod 2 = 0 }"), Some(13));
        assert_eq!(circles("{ [i, j, k] : 0 <= i <= j <= k <= 2 }"), Some(10));
        assert_eq!(circles("{ S[100, 7] }"), Some(1));
        assert_eq!(circles("{ [] }"), Some(1));
    }

    #[test]
    fn what_cannot_be_drawn_is_not() {
        assert_eq!(circles("{ [i, j, k, l] : i = 0 }"), None);
        assert_eq!(circles("{ [i] : false }"), None);
        assert_eq!(circles("[n] -> { : n > 0 }"), None);
    }

    #[test]
    fn parameters_get_values_for_which_there_are_points() {
        assert_eq!(caption("[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }"), "n = 8, m = 8");
        assert_eq!(caption("[n] -> { [i] : 0 <= i < n and n <= 3 }"), "n = 3");
        assert_eq!(caption("[n] -> { [i] : 9 <= i < n }"), "n = 20");
    }

    #[test]
    fn a_part_is_said_to_be_one() {
        assert_eq!(caption("{ [i] : i >= 3 }"), "a part");
        assert_eq!(circles("{ [i] : i >= 3 }"), Some(30));
        assert_eq!(circles("{ [i, j] : 0 <= i < 1000000 and j = i }"), Some(20));
    }

    #[test]
    fn pairs_are_arrows() {
        assert_eq!(arrows("{ S[i] -> S[i + 1] : 0 <= i < 4 }"), Some((5, 4)));
        assert_eq!(arrows("{ S[i] -> A[i, j] : 0 <= i, j < 3 }"), Some((12, 9)));
        assert_eq!(arrows("{ [i] -> [i] : 0 <= i < 3 }"), Some((3, 3)));
        assert_eq!(arrows("{ S[i, j, k] -> A[i] : 0 <= i, j, k < 2 }"), None);
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }
}
