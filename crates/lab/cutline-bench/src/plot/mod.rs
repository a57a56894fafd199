//! Plots, as SVG written by hand.

mod axis;

use std::fmt::Write;

use axis::{Axis, Scale, range, short};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
const COLORS: [&str; 7] = ["#0b6e99", "#d1495b", "#3a7d44", "#8e5ea2", "#c77d0a", "#444444", "#7a4f2b"];

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Joined by a line.
    Line,
    /// Joined by a dashed line, without dots: something to compare with.
    Reference,
    /// Dots alone.
    Dots,
}

/// Points that belong together.
pub(crate) struct Series {
    name: String,
    marks: Marks,
    points: Vec<(f64, f64)>,
}

/// A plot of one figure against another.
pub(crate) struct Plot {
    title: String,
    x: &'static str,
    y: &'static str,
    /// The horizontal scale and the vertical one.
    scales: (Scale, Scale),
    series: Vec<Series>,
}

impl Plot {
    /// Against k, on a logarithmic scale.
    pub(crate) fn against_k(title: impl Into<String>, y: &'static str) -> Self {
        Plot::scaled(title, "k", y, (Scale::Logarithmic, Scale::Linear))
    }

    /// One figure against another, on linear scales.
    pub(crate) fn scatter(title: impl Into<String>, x: &'static str, y: &'static str) -> Self {
        Plot::scaled(title, x, y, (Scale::Linear, Scale::Linear))
    }

    /// One figure against another, on logarithmic scales: a power law is a straight line.
    pub(crate) fn log_log(title: impl Into<String>, x: &'static str, y: &'static str) -> Self {
        Plot::scaled(title, x, y, (Scale::Logarithmic, Scale::Logarithmic))
    }

    fn scaled(title: impl Into<String>, x: &'static str, y: &'static str, scales: (Scale, Scale)) -> Self {
        Plot { title: title.into(), x, y, scales, series: Vec::new() }
    }

    /// Adds points.
    pub(crate) fn add(&mut self, name: impl Into<String>, marks: Marks, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.into(), marks, points });
    }

    /// Adds a level to compare with, as wide as the points so far.
    pub(crate) fn level(&mut self, name: impl Into<String>, y: f64) {
        let (low, high) = range(self.points().map(|(x, _)| x));
        self.add(name, Marks::Reference, vec![(low, y), (high, y)]);
    }

    /// The title.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.series.iter().flat_map(|series| series.points.iter().copied())
    }

    /// The text of the file.
    pub(crate) fn svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>{0}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{0}</text>\n",
            escaped(&self.title)
        );
        if self.points().next().is_some() {
            let frame = Frame::new(self);
            frame.axes(self, &mut svg);
            for (place, series) in self.series.iter().enumerate() {
                frame.series(series, place, &mut svg);
            }
        }
        svg + "</svg>\n"
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
            x: Axis::tight(plot.points().map(|(x, _)| x), plot.scales.0),
            y: Axis::round(plot.points().map(|(_, y)| y), plot.scales.1),
        }
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + self.x.share(x) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(y) * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&self, plot: &Plot, svg: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for y in self.y.ticks() {
            let down = self.down(y);
            line(svg, (LEFT, down), (right, down), "stroke=\"#ddd\"");
            text(svg, (LEFT - 6.0, down + 4.0), "end", &short(y));
        }
        for x in self.x_ticks(plot) {
            let across = self.across(x);
            line(svg, (across, bottom), (across, bottom + 4.0), "stroke=\"#222\"");
            text(svg, (across, bottom + 17.0), "middle", &short(x));
        }
        line(svg, (LEFT, bottom), (right, bottom), "stroke=\"#222\"");
        text(svg, ((LEFT + right) / 2.0, HEIGHT - 10.0), "middle", plot.x);
        let middle = (TOP + bottom) / 2.0;
        let _ = writeln!(
            svg,
            "<text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\">{}</text>",
            escaped(plot.y)
        );
    }

    /// Round numbers, or on a logarithmic scale the values themselves where they do not crowd.
    fn x_ticks(&self, plot: &Plot) -> Vec<f64> {
        if self.x.scale == Scale::Linear {
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

    fn series(&self, series: &Series, place: usize, svg: &mut String) {
        let color = COLORS[place % COLORS.len()];
        let at: Vec<(f64, f64)> = series.points.iter().map(|&(x, y)| (self.across(x), self.down(y))).collect();
        let dash = if series.marks == Marks::Reference { " stroke-dasharray=\"5 4\"" } else { "" };
        if series.marks != Marks::Dots {
            let points: Vec<String> = at.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let points = points.join(" ");
            let _ = writeln!(
                svg,
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\"{dash}/>"
            );
        }
        if series.marks != Marks::Reference {
            for (x, y) in &at {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
            }
        }
        let (x, y) = (WIDTH - RIGHT + 12.0, TOP + 10.0 + 18.0 * place as f64);
        line(svg, (x, y), (x + 18.0, y), &format!("stroke=\"{color}\" stroke-width=\"2.5\"{dash}"));
        text(svg, (x + 24.0, y + 4.0), "start", &series.name);
    }
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(svg: &mut String, at: (f64, f64), anchor: &str, text: &str) {
    let _ =
        writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>", at.0, at.1, escaped(text));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_of_one_point_has_no_infinite_places() {
        let mut plot = Plot::against_k("a < b", "error");
        plot.add("x", Marks::Line, vec![(20.0, 15.0)]);
        let svg = plot.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a &lt; b"));
    }

    #[test]
    fn a_power_law_is_a_straight_line_on_logarithmic_scales() {
        let mut plot = Plot::log_log("times", "records", "seconds");
        plot.add("x", Marks::Line, vec![(1e5, 0.1), (1e6, 1.0), (1e7, 10.0)]);
        let svg = plot.svg();
        let points = svg.split_once("points=\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
        let heights: Vec<f64> =
            points.split(' ').map(|point| point.split_once(',').unwrap().1.parse().unwrap()).collect();
        assert!((heights[0] - 2.0 * heights[1] + heights[2]).abs() < 0.25, "{points}");
        assert!(svg.contains(">10M<") && svg.contains(">0.5<"));
    }
}
