//! Pictures of schedules: the instances of statements, and a path through them in the order in
//! which they are executed.
//!
//! # Algorithm
//! 1. Each statement has a drawing of its own, with one value for the parameters of all.
//! 2. Tiles that are larger than a drawing are drawn with small sizes ([`TileSizes::drawn`]); the
//!    caption says so.
//! 3. Colours are tiles, or iterations of the outermost loop where there are no tiles. The path of
//!    a statement goes from each of its instances to the next one of all, if that is of the same
//!    statement and in the same group.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use poly_presburger::{Budget, DimKind, Id, Set, Stop};
use poly_schedule_tree::ScheduleTree;

use super::{EXTENT, POINTS, Panel, Part, VALUES, document, draw_path, names};
use crate::order::{Instance, TileSizes, Time, time};

/// Most statements.
const STATEMENTS: usize = 4;
/// Most values of a dimension, for statements of 0 to 3 dimensions.
const MOST: [i64; 4] = [1, 16, 12, 4];
/// Sizes of drawn tiles, the smallest ones first.
const TILES: [i64; 3] = [3, 6, 9];
/// One after the other, for groups.
const COLOURS: [&str; 6] = ["#4878b0", "#e08030", "#509050", "#b05080", "#807050", "#50a0a0"];

/// The picture of a schedule of at most four statements, each of at most three dimensions; `None`
/// for others, and where no part can be shown.
///
/// ```
/// use poly_picture::svg;
/// use poly_presburger::Budget;
/// let tree = r#"
/// domain: "{ S[i, j] : 0 <= i, j < 4 }"
/// child:
///   schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
/// "#;
/// let picture = svg::schedule(&tree.parse().unwrap(), &mut Budget::unlimited()).unwrap().unwrap();
/// assert_eq!(picture.matches("<circle").count(), 16);
/// ```
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn schedule(tree: &ScheduleTree, budget: &mut Budget) -> Result<Option<String>, Stop> {
    let statements: Vec<&Set> = tree.domain().iter().collect();
    let fits = |set: &&Set| set.n_dim() < EXTENT.len() && set.tuple_name().is_some();
    if statements.is_empty() || statements.len() > STATEMENTS || !statements.iter().all(fits) {
        return Ok(None);
    }
    let Some(parts) = parts(&statements, budget)? else { return Ok(None) };
    let value = parts[0].value;
    let sizes = TileSizes::drawn(tree, |rank, _| TILES[rank.min(TILES.len() - 1)]);
    let params: BTreeMap<Id, i64> = tree.domain().param_ids().iter().map(|id| (id.clone(), value)).collect();
    let mut all: Vec<(Time, usize, &[i64])> = Vec::new();
    for (s, (set, part)) in statements.iter().zip(&parts).enumerate() {
        let name = set.tuple_name().map_or("", Id::as_str);
        for point in &part.points {
            let instance = Instance { statement: name, point, params: &params };
            let Some(time) = time(tree, &instance, &sizes) else { return Ok(None) };
            all.push((time, s, point));
        }
    }
    all.sort();
    let caption = caption(tree, &parts, &sizes);
    Ok(drawing(&statements, &parts, &all, &caption))
}

/// The part of each statement that is shown, for one value of all parameters.
fn parts(statements: &[&Set], budget: &mut Budget) -> Result<Option<Vec<Part>>, Stop> {
    let has_params = statements.iter().any(|set| !set.space().params.is_empty());
    let values = if has_params { &VALUES[..] } else { &VALUES[..1] };
    let mut best: Option<Vec<Part>> = None;
    for &value in values {
        let mut parts = Vec::new();
        for set in statements {
            let n_params = set.dim(DimKind::Param);
            let part = Part::at(set, n_params, value, MOST[set.n_dim()], budget)?;
            parts.push(part.unwrap_or(Part { points: Vec::new(), value, is_cut: false }));
        }
        let count: usize = parts.iter().map(|part| part.points.len()).sum();
        if count == 0 || count > POINTS {
            continue;
        }
        if parts.iter().all(|part| !part.is_cut) {
            return Ok(Some(parts));
        }
        best = best.or(Some(parts));
    }
    Ok(best)
}

fn caption(tree: &ScheduleTree, parts: &[Part], sizes: &TileSizes) -> String {
    let value = parts[0].value;
    let params = tree.domain().param_ids().iter().map(|id| format!("{id} = {value}"));
    let tiles = sizes.replacements().into_iter().map(|(real, drawn)| format!("tiles of {drawn} for {real}"));
    let part = parts.iter().any(|part| part.is_cut).then(|| "a part".to_owned());
    params.chain(tiles).chain(part).collect::<Vec<_>>().join(", ")
}

fn drawing(statements: &[&Set], parts: &[Part], all: &[(Time, usize, &[i64])], caption: &str) -> Option<String> {
    let mut panels: BTreeMap<usize, Panel> = BTreeMap::new();
    let (mut right, mut height) = (0.0_f64, 0.0_f64);
    for (s, set) in statements.iter().enumerate().filter(|(s, _)| !parts[*s].points.is_empty()) {
        let points: BTreeSet<Vec<i64>> = parts[s].points.iter().cloned().collect();
        let panel = Panel::new(points, names(set.space(), DimKind::Out), right)?;
        (right, height) = (panel.right(), height.max(panel.height()));
        panels.insert(s, panel);
    }
    let groups: BTreeSet<&[i64]> = all.iter().map(|(time, ..)| group(time)).collect();
    let number: BTreeMap<&[i64], usize> = groups.into_iter().enumerate().map(|(i, group)| (group, i)).collect();
    let mut body = String::new();
    for pair in all.windows(2) {
        let ((a, s, from), (b, t, to)) = (&pair[0], &pair[1]);
        if s == t && group(a) == group(b) {
            draw_path(&mut body, panels[s].place(from), panels[t].place(to));
        }
    }
    for (position, (time, s, point)) in all.iter().enumerate() {
        let colour = COLOURS[number[group(time)] % COLOURS.len()];
        let name = statements[*s].tuple_name().map_or("", Id::as_str);
        let what = format!("{name}, number {} of {}: ", position + 1, all.len());
        panels[s].draw_point(&mut body, point, colour, &what);
    }
    for (s, panel) in &panels {
        panel.draw_axes(&mut body);
        let name = statements[*s].tuple_name().map_or("", Id::as_str);
        let (x, y) = (panel.left + 4.0, height - 4.0);
        let _ = write!(body, r#"<text x="{x:.1}" y="{y:.1}">{}</text>"#, super::escaped(name));
    }
    Some(document(&body, right, height, caption))
}

/// What instances of one colour have in common.
fn group(time: &Time) -> &[i64] {
    &time.values[..if time.tile > 0 { time.tile } else { time.outermost }]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of points, steps of paths and colours, and the caption.
    fn shown(text: &str) -> Option<(usize, usize, usize, String)> {
        let picture = schedule(&text.parse().unwrap(), &mut Budget::unlimited()).unwrap()?;
        let colours = COLOURS.iter().filter(|colour| picture.contains(**colour)).count();
        let caption = picture.rsplit("<text").next().unwrap().split('>').nth(1).unwrap().trim_end_matches("</text");
        Some((picture.matches("<title>").count(), picture.matches("<line").count(), colours, caption.to_owned()))
    }

    #[test]
    fn instances_are_drawn_in_their_order() {
        let text = r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n and n <= 4; T[i] : 0 <= i < n <= 4 }"
child:
  sequence:
  - filter: "{ S[i, j] }"
    child:
      schedule: "[{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]"
  - filter: "{ T[i] }"
"#;
        let (points, steps, colours, caption) = shown(text).unwrap();
        assert_eq!((points, caption.as_str()), (20, "n = 4"));
        // Three steps in each of four columns, and three between instances of T.
        assert_eq!((steps, colours), (15, 5));
    }

    #[test]
    fn large_tiles_are_drawn_small() {
        let text = r#"
domain: "{ S[i] : 0 <= i < 12 }"
child:
  schedule: "[{ S[i] -> [(floor((i)/32))] }]"
  child:
    schedule: "[{ S[i] -> [(i)] }]"
"#;
        assert_eq!(shown(text), Some((12, 8, 4, "tiles of 3 for 32".to_owned())));
    }

    #[test]
    fn what_cannot_be_drawn_is_not() {
        assert_eq!(shown(r#"domain: "{ S[a, b, c, d] : a = 0 }""#), None);
        assert_eq!(shown(r#"domain: "{ S[a] : false }""#), None);
        assert_eq!(shown(r#"domain: "{ A[]; B[]; C[]; D[]; E[] }""#), None);
    }
}
