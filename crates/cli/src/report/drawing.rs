//! SVG of a scene.
//!
//! Statements of the same outermost loop and of as many dimensions share a picture, each with marks
//! of its own beside those of the others: a circle, a square, a rhombus. Colours are tiles, or
//! iterations of the outermost loop; around the tiles of a picture with one statement of two
//! dimensions is a line. Everything that colours say is also said by titles.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::{Markup, html};
use poly_picture::{Projection, arrow};

use super::scene::{Grouping, Point, Scene, Shown};

/// Distance of neighbouring points, for one, two and three statements in a picture.
const GRID: [f64; 3] = [34.0, 50.0, 60.0];
/// The same in three dimensions.
const GRID_OF_CUBES: f64 = 46.0;
/// Distance of the marks of statements within a step.
const APART: (f64, f64) = (17.0, 14.0);
const MARGIN: f64 = 42.0;
const RADIUS: f64 = 7.5;
/// Colours of tiles that the page has.
const COLOURS: usize = 8;

/// Statements that share a picture, by their positions among those that are shown.
pub(super) fn pictures(scene: &Scene, outermost: impl Fn(&Shown) -> Option<u64>) -> Vec<Vec<usize>> {
    let mut result: Vec<Vec<usize>> = Vec::new();
    let kind = |shown: &Shown| (shown.dims.len() - shown.hidden, outermost(shown));
    for (i, shown) in scene.statements.iter().enumerate().filter(|(_, shown)| !shown.points.is_empty()) {
        let (dims, outer) = kind(shown);
        let fits = |picture: &&mut Vec<usize>| {
            let others = kind(&scene.statements[picture[0]]);
            picture.len() < GRID.len() && outer.is_some() && (1..=2).contains(&dims) && others == (dims, outer)
        };
        match result.iter_mut().find(fits) {
            Some(picture) => picture.push(i),
            None => result.push(vec![i]),
        }
    }
    result
}

/// The names of statements.
pub(super) fn names(scene: &Scene, members: &[usize]) -> String {
    let names: Vec<&str> = members.iter().map(|&m| scene.statements[m].name.as_str()).collect();
    names.join(", ")
}

/// One picture; `id` is unique in the page.
pub(super) fn picture(scene: &Scene, members: &[usize], id: &str) -> Markup {
    let picture = Picture::new(scene, members);
    let (width, height) = picture.size();
    html! {
        svg viewBox=(format!("0 0 {width:.0} {height:.0}")) width=(format!("{width:.0}"))
            role="img" aria-labelledby={ (id) "-title " (id) "-desc" } {
            title id={ (id) "-title" } { (picture.title()) }
            desc id={ (id) "-desc" } { (picture.description()) }
            defs {
                @for kind in ["flow", "memory"] {
                    marker.{ "tip-" (kind) } id={ (id) "-" (kind) } viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6"
                        markerHeight="6" orient="auto" { path d="M0 0L8 4L0 8z" {} }
                }
            }
            (picture.axes())
            (picture.outlines())
            (picture.arrows(id))
            @for &member in members {
                @for point in &scene.statements[member].points { (picture.mark(member, point)) }
            }
        }
    }
}

struct Picture<'s> {
    scene: &'s Scene,
    members: &'s [usize],
    projection: Projection,
}

impl<'s> Picture<'s> {
    fn new(scene: &'s Scene, members: &'s [usize]) -> Self {
        let points: Vec<Vec<i64>> = members
            .iter()
            .flat_map(|&m| scene.statements[m].points.iter().map(move |p| p.at[scene.statements[m].hidden..].to_vec()))
            .collect();
        let is_cube = points.first().is_some_and(|point| point.len() == 3);
        let grid = if is_cube { GRID_OF_CUBES } else { GRID[members.len().clamp(1, GRID.len()) - 1] };
        let projection = Projection::of(points.iter().map(Vec::as_slice), grid, MARGIN);
        Self { scene, members, projection: projection.expect("a picture has points of at most three dimensions") }
    }

    fn size(&self) -> (f64, f64) {
        let (width, height) = self.projection.size();
        let more = self.members.len().saturating_sub(1) as f64;
        (width + more * APART.0, height + more * APART.1)
    }

    fn first(&self) -> &'s Shown {
        &self.scene.statements[self.members[0]]
    }

    fn title(&self) -> String {
        format!("Iterations of {}", names(self.scene, self.members))
    }

    fn description(&self) -> String {
        let count: usize = self.members.iter().map(|&m| self.scene.statements[m].points.len()).sum();
        let first = self.first();
        let dims = first.dims[first.hidden..].join(", ");
        let arrows = self.own_arrows().count();
        format!(
            "{count} points of {} dimension{} ({dims}) and {arrows} dependences between them",
            first.dims.len() - first.hidden,
            if first.dims.len() - first.hidden == 1 { "" } else { "s" }
        )
    }

    fn place(&self, member: usize, point: &Point) -> (f64, f64) {
        let (x, y) = self.projection.place(&point.at[self.scene.statements[member].hidden..]);
        let position = self.members.iter().position(|&m| m == member).unwrap_or(0) as f64;
        (x + position * APART.0, y + position * APART.1)
    }

    /// The arrows that begin and end in this picture.
    fn own_arrows(&self) -> impl Iterator<Item = &'s super::scene::Arrow> {
        let is_here = |member: usize| self.members.contains(&member);
        self.scene.arrows.iter().filter(move |arrow| is_here(arrow.from.0) && is_here(arrow.to.0))
    }

    fn arrows(&self, id: &str) -> Markup {
        let at = |(s, p): (usize, usize)| self.place(s, &self.scene.statements[s].points[p]);
        html! {
            g.arrows {
                @for own in self.own_arrows() {
                    @let kind = if own.is_flow { "flow" } else { "memory" };
                    @let ((x1, y1), (x2, y2)) = arrow(at(own.from), at(own.to), RADIUS);
                    line.(kind) x1=(short(x1)) y1=(short(y1)) x2=(short(x2)) y2=(short(y2))
                        marker-end={ "url(#" (id) "-" (kind) ")" } {}
                }
            }
        }
    }

    /// Names of the dimensions, beside the points.
    fn axes(&self) -> Markup {
        let first = self.first();
        let names = &first.dims[first.hidden..];
        let (width, height) = self.size();
        let places: Vec<(f64, f64, &str)> = match names.len() {
            1 => vec![(width / 2.0, 16.0, "middle")],
            2 => vec![(4.0, height / 2.0, "start"), (width / 2.0, 16.0, "middle")],
            3 => {
                // Along the silhouette of the cube.
                let most = |dim: usize| first.points.iter().map(|p| p.at[first.hidden + dim]).max().unwrap_or(0);
                let edges = [[most(0) / 2, 0, 0], [most(0), most(1) / 2, 0], [0, 0, most(2) / 2]];
                let beside = [(-26.0, -8.0, "end"), (-22.0, 0.0, "end"), (26.0, -8.0, "start")];
                let place = |(edge, (dx, dy, anchor)): (&[i64; 3], (f64, f64, &'static str))| {
                    let (x, y) = self.projection.place(edge);
                    (x + dx, y + dy, anchor)
                };
                edges.iter().zip(beside).map(place).collect()
            }
            _ => Vec::new(),
        };
        html! {
            @for (name, (x, y, anchor)) in names.iter().zip(places) {
                text.axis x=(short(x)) y=(short(y)) text-anchor=(anchor) { (name) }
            }
        }
    }

    /// Lines between tiles, where each point has a cell of its own.
    fn outlines(&self) -> Markup {
        let first = self.first();
        let is_plane =
            self.members.len() == 1 && first.dims.len() - first.hidden == 2 && self.scene.grouping == Grouping::Tiles;
        if !is_plane {
            return html! {};
        }
        let cell = |p: &Point| (p.at[first.hidden], p.at[first.hidden + 1]);
        let tiles: BTreeMap<(i64, i64), Option<usize>> = first.points.iter().map(|p| (cell(p), p.group)).collect();
        let half = GRID[0] / 2.0;
        let mut path = String::new();
        for (&(i, j), tile) in &tiles {
            let (x, y) = self.projection.place(&[i, j]);
            // Each side of a cell with another tile, or nothing, behind it.
            for (di, dj) in [(-1, 0), (0, -1), (1, 0), (0, 1)] {
                let other = tiles.get(&(i + di, j + dj));
                let is_drawn_by_other = (di, dj) > (0, 0) && other.is_some();
                if other == Some(tile) || is_drawn_by_other {
                    continue;
                }
                let (cx, cy) = (x + half * dj as f64, y + half * di as f64);
                let (vx, vy) = (half * di.abs() as f64, half * dj.abs() as f64);
                let _ = write!(path, "M{} {}L{} {}", short(cx - vx), short(cy - vy), short(cx + vx), short(cy + vy));
            }
        }
        html! { path.outline d=(path) {} }
    }

    fn mark(&self, member: usize, point: &Point) -> Markup {
        let shown = &self.scene.statements[member];
        let (x, y) = self.place(member, point);
        let colour = point.group.map_or_else(|| "plain".to_owned(), |tile| format!("t{}", tile % COLOURS));
        let position = self.members.iter().position(|&m| m == member).unwrap_or(0);
        html! {
            g.{ "p " (colour) } data-o=(point.original) data-n=[point.new] {
                title { (title(shown, point, self.scene.grouping)) }
                @match position {
                    0 => circle cx=(short(x)) cy=(short(y)) r=(RADIUS) {},
                    1 => rect x=(short(x - 6.5)) y=(short(y - 6.5)) width="13" height="13" {},
                    _ => path d={ "M" (short(x)) " " (short(y - 8.5)) "l8.5 8.5l-8.5 8.5l-8.5 -8.5z" } {},
                }
            }
        }
    }
}

/// An instance in words.
fn title(shown: &Shown, point: &Point, grouping: Grouping) -> String {
    let values: Vec<String> = shown.dims.iter().zip(&point.at).map(|(dim, value)| format!("{dim} = {value}")).collect();
    let group = match (point.group, grouping) {
        (Some(tile), Grouping::Tiles) => format!(", tile {}", tile + 1),
        _ => String::new(),
    };
    format!("{}({}){group}", shown.name, values.join(", "))
}

/// A coordinate with one digit after the point, or none.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}
