//! Lines over an axis, as SVG that is readable on light and on dark paper.

use std::fmt::Write;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 34.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;

/// Shares between 0 and 1 over some numbers.
pub(super) struct Plot<'a> {
    pub(super) title: String,
    /// What the numbers are.
    pub(super) x: &'a str,
    pub(super) lines: Vec<Line>,
}

pub(super) struct Line {
    pub(super) name: &'static str,
    pub(super) dashed: bool,
    /// (number, share), ascending.
    pub(super) points: Vec<(f64, f64)>,
}

impl Plot<'_> {
    pub(super) fn svg(&self) -> String {
        let numbers = || self.lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let ends = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
        let mut text = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" role=\"img\" aria-label=\"{0}\" fill=\"none\" \
             stroke=\"currentColor\">\n{1}",
            self.title,
            label(LEFT, 14.0, "start", &self.title)
        );
        for share in [0.0, 0.5, 1.0] {
            let (y, right) = (y(share), WIDTH - 4.0);
            let _ = writeln!(text, "<path d=\"M{LEFT} {y:.1}H{right}\" stroke-opacity=\".2\"/>");
            text += &label(LEFT - 6.0, y + 4.0, "end", &share.to_string());
        }
        for number in [ends.0, ends.1] {
            text += &label(x(number, ends), HEIGHT - BOTTOM + 16.0, "middle", &number.to_string());
        }
        text += &label((LEFT + WIDTH) / 2.0, HEIGHT - 4.0, "middle", self.x);
        self.lines.iter().for_each(|line| text += &line.svg(ends));
        text + "</svg>\n"
    }
}

impl Line {
    fn svg(&self, ends: (f64, f64)) -> String {
        let places: Vec<(f64, f64)> = self.points.iter().map(|&(number, share)| (x(number, ends), y(share))).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (dash, fill) = if self.dashed { (" stroke-dasharray=\"5 4\"", "none") } else { ("", "currentColor") };
        let mut text = format!("<polyline points=\"{}\" stroke-width=\"1.5\"{dash}/>\n", path.join(" "));
        for (x, y) in &places {
            let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{fill}\"/>");
        }
        if let Some((x, y)) = places.last() {
            text += &label(*x, y - 7.0, "end", self.name);
        }
        text
    }
}

fn x(number: f64, (low, high): (f64, f64)) -> f64 {
    let share = if high > low { (number - low) / (high - low) } else { 0.5 };
    LEFT + 10.0 + share * (WIDTH - LEFT - 20.0)
}

fn y(share: f64) -> f64 {
    HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - BOTTOM - TOP)
}

fn label(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"currentColor\" stroke=\"none\" font-size=\"11\">{text}</text>\n"
    )
}
