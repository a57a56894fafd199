//! Plots, as SVG.

mod axis;

use std::fmt;

use maud::{Markup, html};

use axis::{Axis, Spread, range, short};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
const COLORS: [&str; 7] = ["#0b6e99", "#d1495b", "#3a7d44", "#8e5ea2", "#c77d0a", "#444444", "#7a4f2b"];

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// Joined by a line.
    Line,
    /// Joined by a dashed line, without dots: something to compare with.
    Reference,
    /// Dots alone.
    Dots,
}

/// Points that belong together.
struct Series {
    name: String,
    marks: Marks,
    points: Vec<(f64, f64)>,
}

/// A plot of one figure against another.
pub struct Plot {
    title: String,
    x: &'static str,
    y: &'static str,
    /// The horizontal scale and the vertical one.
    spreads: (Spread, Spread),
    series: Vec<Series>,
}

impl Plot {
    /// Against k, on a logarithmic scale.
    pub fn against_k(title: impl Into<String>, y: &'static str) -> Self {
        Plot::spreading(title, "k", y, (Spread::Logarithmic, Spread::Linear))
    }

    /// One figure against another, on linear scales.
    pub fn scatter(title: impl Into<String>, x: &'static str, y: &'static str) -> Self {
        Plot::spreading(title, x, y, (Spread::Linear, Spread::Linear))
    }

    /// One figure against another, on logarithmic scales: a power law is a straight line.
    pub fn log_log(title: impl Into<String>, x: &'static str, y: &'static str) -> Self {
        Plot::spreading(title, x, y, (Spread::Logarithmic, Spread::Logarithmic))
    }

    fn spreading(title: impl Into<String>, x: &'static str, y: &'static str, spreads: (Spread, Spread)) -> Self {
        Plot { title: title.into(), x, y, spreads, series: Vec::new() }
    }

    /// Adds points.
    pub fn add(&mut self, name: impl Into<String>, marks: Marks, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.into(), marks, points });
    }

    /// Adds a level to compare with, as wide as the points so far.
    pub fn level(&mut self, name: impl Into<String>, y: f64) {
        let (low, high) = range(self.points().map(|(x, _)| x));
        self.add(name, Marks::Reference, vec![(low, y), (high, y)]);
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.series.iter().flat_map(|series| series.points.iter().copied())
    }
}

/// The text of an SVG file.
impl fmt::Display for Plot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = self.points().next().map(|_| Frame::new(self));
        let svg = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT)
                font-family="sans-serif" font-size="12" fill="#222" {
                "\n" title { (self.title) }
                "\n" rect width="100%" height="100%" fill="#fff" {}
                "\n" text x=(LEFT) y="20" font-size="14" { (self.title) }
                "\n"
                @if let Some(frame) = frame {
                    (frame.axes(self))
                    @for (place, series) in self.series.iter().enumerate() { (frame.series(series, place)) }
                }
            }
            "\n"
        };
        f.write_str(&svg.0)
    }
}

/// Where values lie on the page.
struct Frame {
    x: Axis,
    y: Axis,
}

impl Frame {
    fn new(plot: &Plot) -> Self {
        Frame {
            x: Axis::tight(plot.points().map(|(x, _)| x), plot.spreads.0),
            y: Axis::round(plot.points().map(|(_, y)| y), plot.spreads.1),
        }
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + self.x.share(x) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(y) * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&self, plot: &Plot) -> Markup {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let middle = format!("{:.1}", (TOP + bottom) / 2.0);
        html! {
            @for (y, down) in self.y.ticks().into_iter().map(|y| (y, self.down(y))) {
                (line((LEFT, down), (right, down), Stroke::thin("#ddd")))
                (text((LEFT - 6.0, down + 4.0), "end", &short(y)))
            }
            @for (x, across) in self.x_ticks(plot).into_iter().map(|x| (x, self.across(x))) {
                (line((across, bottom), (across, bottom + 4.0), Stroke::thin("#222")))
                (text((across, bottom + 17.0), "middle", &short(x)))
            }
            (line((LEFT, bottom), (right, bottom), Stroke::thin("#222")))
            (text(((LEFT + right) / 2.0, HEIGHT - 10.0), "middle", plot.x))
            text x="14" y=(middle) text-anchor="middle" transform={ "rotate(-90 14 " (middle) ")" } { (plot.y) }
            "\n"
        }
    }

    /// Round numbers, or on a logarithmic scale the values themselves where they do not crowd.
    fn x_ticks(&self, plot: &Plot) -> Vec<f64> {
        if self.x.spread == Spread::Linear {
            return self.x.ticks();
        }
        let mut values: Vec<f64> = plot.points().map(|(x, _)| x).collect();
        values.sort_by(f64::total_cmp);
        let mut kept: Vec<f64> = Vec::new();
        for x in values {
            if kept.last().is_none_or(|&last| self.across(x) - self.across(last) > 26.0) {
                kept.push(x);
            }
        }
        kept
    }

    fn series(&self, series: &Series, place: usize) -> Markup {
        let color = COLORS[place % COLORS.len()];
        let dashes = (series.marks == Marks::Reference).then_some("5 4");
        let at: Vec<(f64, f64)> = series.points.iter().map(|&(x, y)| (self.across(x), self.down(y))).collect();
        let points: Vec<String> = at.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (x, y) = (WIDTH - RIGHT + 12.0, TOP + 10.0 + 18.0 * place as f64);
        html! {
            @if series.marks != Marks::Dots {
                polyline points=(points.join(" ")) fill="none" stroke=(color) stroke-width="1.8" stroke-dasharray=[dashes] {}
                "\n"
            }
            @if series.marks != Marks::Reference {
                @for (x, y) in &at { circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="3" fill=(color) {} "\n" }
            }
            (line((x, y), (x + 18.0, y), Stroke { color, width: Some(2.5), dashes }))
            (text((x + 24.0, y + 4.0), "start", &series.name))
        }
    }
}

/// How a line is drawn.
struct Stroke {
    color: &'static str,
    width: Option<f64>,
    dashes: Option<&'static str>,
}

impl Stroke {
    fn thin(color: &'static str) -> Self {
        Stroke { color, width: None, dashes: None }
    }
}

fn line(from: (f64, f64), to: (f64, f64), stroke: Stroke) -> Markup {
    let place = |number: f64| format!("{number:.1}");
    html! {
        line x1=(place(from.0)) y1=(place(from.1)) x2=(place(to.0)) y2=(place(to.1)) stroke=(stroke.color)
            stroke-width=[stroke.width] stroke-dasharray=[stroke.dashes] {}
        "\n"
    }
}

fn text(at: (f64, f64), anchor: &str, text: &str) -> Markup {
    html! { text x=(format!("{:.1}", at.0)) y=(format!("{:.1}", at.1)) text-anchor=(anchor) { (text) } "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_of_one_point_has_no_infinite_places() {
        let mut plot = Plot::against_k("a < b", "error");
        plot.add("x", Marks::Line, vec![(20.0, 15.0)]);
        let svg = plot.to_string();
        assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a &lt; b"));
    }

    #[test]
    fn a_power_law_is_a_straight_line_on_logarithmic_scales() {
        let mut plot = Plot::log_log("times", "records", "seconds");
        plot.add("x", Marks::Line, vec![(1e5, 0.1), (1e6, 1.0), (1e7, 10.0)]);
        let svg = plot.to_string();
        let points = svg.split_once("points=\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
        let heights: Vec<f64> =
            points.split(' ').map(|point| point.split_once(',').unwrap().1.parse().unwrap()).collect();
        assert!((heights[0] - 2.0 * heights[1] + heights[2]).abs() < 0.25, "{points}");
        assert!(svg.contains(">10M<") && svg.contains(">0.5<"));
    }
}
