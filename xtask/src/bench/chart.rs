//! Figures as SVG: grouped bars, a roofline, lines, and comparisons of two numbers.
//!
//! A roofline shows for each program how many operations it does per byte that has to move (across)
//! and per second (up). It can be nowhere above the roof: the machine's bandwidth times the one, or
//! its most operations.

use std::fmt::Write;

/// Ratios as bars on a logarithmic scale, one group for each kernel.
#[derive(Debug)]
pub(crate) struct Bars {
    pub(crate) title: String,
    /// The names of the bars of a group.
    pub(crate) series: Vec<String>,
    /// Each group's name and values; a missing one has no bar.
    pub(crate) groups: Vec<(String, Vec<Option<f64>>)>,
}

/// Programs under the limits of a machine.
#[derive(Debug)]
pub(super) struct Roofline {
    pub(super) title: String,
    /// Operations per second at most.
    pub(super) operations: f64,
    /// Bytes per second at most.
    pub(super) bytes: f64,
    pub(super) series: Vec<Points>,
}

/// Numbers that grow with others, both on logarithmic scales.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) title: String,
    /// What is across, and what is up.
    pub(super) axes: (&'static str, &'static str),
    /// Each line's name and points, from left to right.
    pub(super) series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Two numbers of each program that should be the same.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) title: String,
    /// What is across, and what is up.
    pub(super) axes: (&'static str, &'static str),
    /// Name and both numbers.
    pub(super) points: Vec<(String, f64, f64)>,
}

/// Points of one colour.
#[derive(Debug)]
pub(super) struct Points {
    pub(super) name: String,
    /// Name, operations per byte, operations per second.
    pub(super) points: Vec<(String, f64, f64)>,
}

const COLOURS: [&str; 8] = ["#888888", "#1f6fb4", "#d95f02", "#1b9e77", "#e7298a", "#66a61e", "#e6ab02", "#7570b3"];
/// Room for the title above and the names below a drawing, and beside it.
const TOP: f64 = 56.0;
const BOTTOM: f64 = 96.0;
const SIDE: f64 = 56.0;

/// A logarithmic axis: values from `least` to `most` on a length from `start` to `end`.
#[derive(Debug, Clone, Copy)]
struct Axis {
    least: f64,
    most: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis with room for all values, from one power of two to another.
    fn over(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            least = least.min(value);
            most = most.max(value);
        }
        if !least.is_finite() {
            (least, most) = (1.0, 2.0);
        }
        let (low, high) = (least.log2().floor(), most.log2().ceil());
        Axis { least: low.exp2(), most: high.max(low + 1.0).exp2(), start, end }
    }

    fn at(self, value: f64) -> f64 {
        let part = (value / self.least).log2() / (self.most / self.least).log2();
        self.start + part.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// The powers of two on it; of many, every second or fourth.
    fn marks(self) -> Vec<f64> {
        let steps = (self.most / self.least).log2().round() as i32;
        let stride = (steps / 12 + 1) as usize;
        (0..=steps).step_by(stride).map(|step| self.least * f64::from(step).exp2()).collect()
    }
}

/// The beginning of a figure: background and title.
fn begin(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{SIDE}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(title)
    )
}

fn legend(text: &mut String, names: &[&str], colours: &[&str]) {
    let mut x = SIDE;
    for (name, colour) in names.iter().zip(colours) {
        let _ = writeln!(text, "<rect x=\"{x:.0}\" y=\"30\" width=\"10\" height=\"10\" fill=\"{colour}\"/>");
        let _ = writeln!(text, "<text x=\"{:.0}\" y=\"39\">{}</text>", x + 14.0, escaped(name));
        x += 32.0 + 7.0 * name.len() as f64;
    }
}

fn line(text: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let _ = writeln!(text, "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" {style}/>", from.0, from.1, to.0, to.1);
}

const GRID: &str = "stroke=\"#dddddd\"";

/// The lines and numbers of two axes, those up in a unit, and what they are.
fn grid(text: &mut String, across: Axis, up: Axis, unit: f64, names: &str) {
    let mut label = |x: f64, y: f64, anchor: &str, content: &str| {
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escaped(content));
    };
    for mark in across.marks() {
        label(across.at(mark), up.start + 16.0, "middle", &number(mark));
    }
    for mark in up.marks() {
        label(across.start - 4.0, up.at(mark) + 4.0, "end", &number(mark / unit));
    }
    label(f64::midpoint(across.start, across.end), up.start + 34.0, "middle", names);
    for mark in across.marks() {
        line(text, (across.at(mark), up.end), (across.at(mark), up.start), GRID);
    }
    for mark in up.marks() {
        line(text, (across.start, up.at(mark)), (across.end, up.at(mark)), GRID);
    }
}

impl Bars {
    /// The figure.
    pub(crate) fn svg(&self) -> String {
        const BAR: f64 = 9.0;
        const DRAWING: f64 = 320.0;
        let group = BAR * self.series.len().max(1) as f64 + 12.0;
        let width = 2.0 * SIDE + group * self.groups.len() as f64;
        let height = TOP + DRAWING + BOTTOM;
        let values = self.groups.iter().flat_map(|(_, values)| values.iter().flatten().copied());
        let axis = Axis::over(values.chain([1.0]), TOP + DRAWING, TOP);
        let mut text = begin(width, height, &self.title);
        let colours: Vec<&str> = (1..).map(|place| COLOURS[place % COLOURS.len()]).take(self.series.len()).collect();
        legend(&mut text, &self.series.iter().map(String::as_str).collect::<Vec<_>>(), &colours);
        for mark in axis.marks() {
            let y = axis.at(mark);
            line(&mut text, (SIDE, y), (width - SIDE, y), if mark == 1.0 { "stroke=\"black\"" } else { GRID });
            let _ = writeln!(
                text,
                "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}x</text>",
                SIDE - 4.0,
                y + 4.0,
                number(mark)
            );
        }
        let ground = axis.at(1.0);
        for (place, (name, values)) in self.groups.iter().enumerate() {
            let left = SIDE + 6.0 + group * place as f64;
            for (bar, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                let y = axis.at(*value);
                let _ = writeln!(
                    text,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{} {}: {value:.2}x</title></rect>",
                    left + BAR * bar as f64,
                    y.min(ground),
                    BAR - 1.0,
                    (y - ground).abs().max(0.5),
                    colours[bar],
                    escaped(name),
                    escaped(&self.series[bar])
                );
            }
            let (x, y) = (left + 4.0, TOP + DRAWING + 12.0);
            let _ = writeln!(text, "<text transform=\"translate({x:.1} {y:.1}) rotate(60)\">{}</text>", escaped(name));
        }
        text + "</svg>\n"
    }
}

impl Roofline {
    /// The figure.
    pub(super) fn svg(&self) -> String {
        const WIDTH: f64 = 820.0;
        const DRAWING: f64 = 460.0;
        let height = TOP + DRAWING + 48.0;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let knee = self.operations / self.bytes;
        let across = Axis::over(points().map(|point| point.1).chain([knee]), SIDE, WIDTH - SIDE);
        let up = Axis::over(points().map(|point| point.2).chain([self.operations]), TOP + DRAWING, TOP);
        let mut text = begin(WIDTH, height, &self.title);
        let colours: Vec<&str> = COLOURS.iter().copied().take(self.series.len()).collect();
        legend(&mut text, &self.series.iter().map(|series| series.name.as_str()).collect::<Vec<_>>(), &colours);
        grid(&mut text, across, up, 1e9, "operations per byte of all arrays (logarithmic); up: GFLOP/s");
        self.roof(&mut text, across, up);
        for (series, colour) in self.series.iter().zip(&colours) {
            for (name, intensity, speed) in &series.points {
                let (x, y) = (across.at(*intensity), up.at(*speed));
                let _ = writeln!(
                    text,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"><title>{} {}: {:.2} GFLOP/s</title></circle>",
                    escaped(name),
                    escaped(&series.name),
                    speed / 1e9
                );
            }
        }
        if let Some(last) = self.series.last() {
            for (name, intensity, speed) in &last.points {
                let (x, y) = (across.at(*intensity) + 6.0, up.at(*speed) + 3.0);
                let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"9\">{}</text>", escaped(name));
            }
        }
        text + "</svg>\n"
    }

    fn roof(&self, text: &mut String, across: Axis, up: Axis) {
        let knee = self.operations / self.bytes;
        let style = "stroke=\"black\" stroke-width=\"1.5\" fill=\"none\"";
        // The slope begins where it enters the drawing, at its left edge or at its lower one.
        let first = across.least.max(up.least / self.bytes);
        let start = (across.at(first), up.at(first * self.bytes));
        line(text, start, (across.at(knee), up.at(self.operations)), style);
        line(text, (across.at(knee), up.at(self.operations)), (across.end, up.at(self.operations)), style);
    }
}

impl Lines {
    /// The figure.
    pub(super) fn svg(&self) -> String {
        const WIDTH: f64 = 720.0;
        const DRAWING: f64 = 360.0;
        let points = || self.series.iter().flat_map(|(_, points)| points);
        let across = Axis::over(points().map(|point| point.0), SIDE, WIDTH - SIDE);
        let up = Axis::over(points().map(|point| point.1), TOP + DRAWING, TOP);
        let mut text = begin(WIDTH, TOP + DRAWING + 48.0, &self.title);
        let colours: Vec<&str> = (1..).map(|place| COLOURS[place % COLOURS.len()]).take(self.series.len()).collect();
        legend(&mut text, &self.series.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), &colours);
        grid(&mut text, across, up, 1.0, &format!("{} (logarithmic); up: {}", self.axes.0, self.axes.1));
        for ((name, points), colour) in self.series.iter().zip(&colours) {
            let places: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (across.at(x), up.at(y))).collect();
            for pair in places.windows(2) {
                line(&mut text, pair[0], pair[1], &format!("stroke=\"{colour}\" stroke-width=\"1.5\""));
            }
            for ((x, y), (value, result)) in places.iter().zip(points) {
                let _ = writeln!(
                    text,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"><title>{}, {value}: {result:.1}</title></circle>",
                    escaped(name)
                );
            }
        }
        text + "</svg>\n"
    }
}

impl Comparison {
    /// The figure.
    pub(super) fn svg(&self) -> String {
        const WIDTH: f64 = 640.0;
        const DRAWING: f64 = WIDTH - 2.0 * SIDE;
        let values = || self.points.iter().flat_map(|&(_, x, y)| [x, y]);
        let across = Axis::over(values(), SIDE, WIDTH - SIDE);
        let up = Axis::over(values(), TOP + DRAWING, TOP);
        let mut text = begin(WIDTH, TOP + DRAWING + 48.0, &self.title);
        grid(&mut text, across, up, 1.0, &format!("{} (logarithmic); up: {}", self.axes.0, self.axes.1));
        line(&mut text, (across.start, up.start), (across.end, up.end), "stroke=\"black\"");
        for (name, first, second) in &self.points {
            let (x, y) = (across.at(*first), up.at(*second));
            let _ = writeln!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\"><title>{}: {first:.2}, {second:.2}</title></circle>",
                COLOURS[1],
                escaped(name)
            );
            let (x, y) = (x + 6.0, y + 3.0);
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"9\">{}</text>", escaped(name));
        }
        text + "</svg>\n"
    }
}

/// A number of an axis without needless digits.
fn number(value: f64) -> String {
    if value >= 10_000.0 {
        format!("{value:.1e}")
    } else if value >= 1.0 {
        format!("{value:.0}")
    } else {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').to_owned()
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_at_powers_of_two() {
        let axis = Axis::over([0.9, 5.0].into_iter(), 0.0, 4.0);
        assert_eq!((axis.least, axis.most), (0.5, 8.0));
        assert_eq!(axis.at(1.0), 1.0);
        assert_eq!(axis.marks(), [0.5, 1.0, 2.0, 4.0, 8.0]);
    }

    #[test]
    fn a_bar_stands_on_one_and_points_up_when_faster() {
        let bars =
            Bars { title: "a < b".into(), series: vec!["poly".into()], groups: vec![("gemm".into(), vec![Some(4.0)])] };
        let svg = bars.svg();
        assert!(svg.contains("a &lt; b"));
        // From 1x at the lower end of the drawing to 4x at its upper end.
        assert!(svg.contains(&format!("y=\"{TOP:.1}\" width=\"8.0\" height=\"320.0\"")), "{svg}");
        assert!(svg.ends_with("</svg>\n"));
    }

    #[test]
    fn equal_numbers_lie_on_the_diagonal() {
        let points = vec![("a".to_owned(), 1.0, 1.0), ("b".to_owned(), 16.0, 16.0)];
        let comparison = Comparison { title: String::new(), axes: ("x", "y"), points };
        let text = comparison.svg();
        let (left, right) = (SIDE, 640.0 - SIDE);
        let (low, high) = (TOP + right - left, TOP);
        assert!(text.contains(&format!("M{left:.1} {low:.1}L{right:.1} {high:.1}")), "{text}");
        assert!(text.contains(&format!("cx=\"{left:.1}\" cy=\"{low:.1}\"")), "{text}");
        assert!(text.contains(&format!("cx=\"{right:.1}\" cy=\"{high:.1}\"")), "{text}");
    }

    #[test]
    fn lines_end_at_the_corners_of_their_axes() {
        let series = vec![("chain".to_owned(), vec![(1.0, 4.0), (4.0, 16.0)])];
        let svg = Lines { title: "time".into(), axes: ("statements", "ms"), series }.svg();
        // From the lower left to the upper right.
        assert!(svg.contains(&format!("M{SIDE:.1} {:.1}L{:.1} {TOP:.1}", TOP + 360.0, 720.0 - SIDE)), "{svg}");
        assert!(svg.contains("statements (logarithmic); up: ms"));
    }

    #[test]
    fn a_point_at_the_machine_s_limits_lies_on_the_knee_of_the_roof() {
        let points = Points { name: "poly".into(), points: vec![("gemm".into(), 4.0, 4e9)] };
        let svg = Roofline { title: String::new(), operations: 4e9, bytes: 1e9, series: vec![points] }.svg();
        let circle = svg.lines().find(|line| line.starts_with("<circle")).unwrap();
        let x = circle.split('"').nth(1).unwrap();
        let y = circle.split('"').nth(3).unwrap();
        assert!(svg.contains(&format!("L{x} {y}")), "{svg}");
    }
}
