//! Pictures of variables: their points, what they depend on, and when they are computed, as SVG.
//!
//! Every variable of one, two or three dimensions gets a grid of its points for given parameters.
//! Arrows lead from values to those of the same variable that need them; the shade of a point is
//! its place in the order of a schedule, if there is one, and points that are computed in one step
//! (equal first times) have one shade.

use std::collections::BTreeMap;
use std::fmt::Write;

use poly_arith::Int;
use poly_picture::{Projection, arrow, points};
use poly_presburger::{Budget, DimKind, MultiAff, PwMultiAff};
use poly_schedule_tree::ScheduleTree;

use crate::pieces::{Action, Pieces};
use crate::transform::Refusal;

/// Distance of neighbouring points.
const GRID: f64 = 36.0;
/// Room around the points of a variable, for its name above them.
const MARGIN: f64 = 40.0;
/// Radius of the circles that points are.
const RADIUS: f64 = 7.0;
/// Most points of a picture.
const POINTS: usize = 4_000;

/// A picture of a system for values of its parameters.
///
/// # Errors
/// What is too large or cannot be enumerated.
pub fn draw(
    pieces: &Pieces,
    tree: Option<&ScheduleTree>,
    params: &[i64],
    budget: &mut Budget,
) -> Result<String, Refusal> {
    let (mut body, mut top, mut width) = (String::new(), 0.0, 200.0_f64);
    for (number, variable) in pieces.system.variables.iter().enumerate() {
        if !(1..=3).contains(&variable.dims()) {
            continue;
        }
        let all = points(&variable.domain, params, budget).map_err(|stop| stop.to_string())?;
        if all.len() > POINTS {
            return Err(format!("`{}` has {} points; a picture has {POINTS} at most", variable.name, all.len()));
        }
        let frame = Projection::of(all.iter().map(Vec::as_slice), GRID, MARGIN);
        let Some(frame) = frame.map(|projection| Frame { projection, top }) else { continue };
        let times = tree.map(|tree| times(pieces, number, tree, params, budget)).transpose()?;
        let _ = writeln!(body, r#"<text x="10" y="{}" class="name">{}</text>"#, top + 20.0, variable.name);
        arrows(pieces, number, params, &frame, budget, &mut body)?;
        let last = times.iter().flat_map(BTreeMap::values).max().copied().unwrap_or(0).max(1);
        for point in &all {
            let (x, y) = frame.place(point);
            let step = times.as_ref().and_then(|times| times.get(point)).copied();
            let shade = step.map_or(90, |step| 92 - 60 * step / last);
            let title = step.map_or(String::new(), |step| format!(", step {step}"));
            let words: Vec<String> = point.iter().map(i64::to_string).collect();
            let _ = writeln!(
                body,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{RADIUS}" fill="hsl(210,60%,{shade}%)"><title>{}[{}]{title}</title></circle>"#,
                variable.name,
                words.join(", ")
            );
        }
        let size = frame.projection.size();
        top += size.1;
        width = width.max(size.0);
    }
    let style = "circle{stroke:#234}line{stroke:#a33;stroke-width:1;marker-end:url(#tip)}.name{font:16px sans-serif}";
    let tip = r#"<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="brown"/></marker>"#;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\">\n<style>{style}</style>\n<defs>{tip}</defs>\n{body}</svg>\n",
        top + 20.0
    ))
}

/// Where the points of a variable are.
struct Frame {
    projection: Projection,
    top: f64,
}

impl Frame {
    fn place(&self, point: &[i64]) -> (f64, f64) {
        let (x, y) = self.projection.place(point);
        (x, self.top + y)
    }
}

fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&value| value.into()).collect()
}

fn machine(values: &[poly_arith::Rational]) -> Option<Vec<i64>> {
    values.iter().map(|value| value.to_int().and_then(|v| v.to_i64())).collect()
}

/// Arrows from values to values of the same variable that read them.
fn arrows(
    pieces: &Pieces,
    number: usize,
    params: &[i64],
    frame: &Frame,
    budget: &mut Budget,
    body: &mut String,
) -> Result<(), Refusal> {
    for statement in pieces.statements.iter().filter(|s| s.variable == number && s.action == Action::Assign) {
        let reads: Vec<MultiAff> =
            statement.reads().into_iter().filter(|(v, _)| *v == number).map(|(_, access)| access).collect();
        if reads.is_empty() {
            continue;
        }
        for instance in points(&statement.domain, params, budget).map_err(|stop| stop.to_string())? {
            let at = |f: &MultiAff| machine(&f.eval(&ints(params), &ints(&instance)));
            let Some(to) = at(&statement.target) else { continue };
            for from in reads.iter().filter_map(at) {
                let ((x1, y1), (x2, y2)) = arrow(frame.place(&from), frame.place(&to), RADIUS);
                let _ = writeln!(body, r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#);
            }
        }
    }
    Ok(())
}

/// The step of every point: the rank of its first time.
fn times(
    pieces: &Pieces,
    number: usize,
    tree: &ScheduleTree,
    params: &[i64],
    budget: &mut Budget,
) -> Result<BTreeMap<Vec<i64>, i64>, Refusal> {
    let map = tree.schedule_map();
    let mut found: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
    for statement in pieces.statements.iter().filter(|s| s.variable == number && !matches!(s.action, Action::Begin(_)))
    {
        let Some(own) = map.iter().find(|m| m.space().tuple_name(DimKind::In) == Some(&statement.name)) else {
            continue;
        };
        let time = PwMultiAff::from_map(own, budget).map_err(|error| error.to_string())?;
        for instance in points(&statement.domain, params, budget).map_err(|stop| stop.to_string())? {
            let exact = ints(&instance);
            let target = machine(&statement.target.eval(&ints(params), &exact));
            let time = time.eval(&ints(params), &exact).and_then(|t| t.first().cloned());
            let time = time.and_then(|t| t.to_int()).and_then(|t| t.to_i64());
            if let (Some(target), Some(time)) = (target, time) {
                let known = found.entry(target).or_insert(time);
                *known = (*known).max(time);
            }
        }
    }
    let mut ranks: Vec<i64> = found.values().copied().collect();
    ranks.sort_unstable();
    ranks.dedup();
    for time in found.values_mut() {
        *time = ranks.binary_search(time).unwrap_or(0) as i64;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Aim, automatic};
    use crate::tests::system;

    #[test]
    fn a_wavefront() {
        let budget = &mut Budget::unlimited();
        let align = system(
            "system s[N] where N >= 1 { out i64 H : [0..N, 0..N];
                H[i, j] = case { i = 0 or j = 0 : 0; else : max(H[i-1, j-1], H[i-1, j], H[i, j-1]); }; }",
        );
        let pieces = Pieces::new(&align, budget).unwrap();
        let tree = automatic(&pieces, Aim::Feautrier, budget).unwrap();
        let picture = draw(&pieces, Some(&tree), &[2], budget).unwrap();
        assert_eq!((picture.matches("<circle").count(), picture.matches("<line").count()), (9, 12));
        assert!(picture.contains("<title>H[2, 2], step 3</title>"), "{picture}");
        assert!(draw(&pieces, None, &[100], budget).unwrap_err().contains("points"));
    }
}
