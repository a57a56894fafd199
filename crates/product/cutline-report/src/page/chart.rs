//! Line charts that fit any width: the lines are SVG that stretches, the words around them are text that does not.

use maud::{Markup, html};

use super::scale::{Scale, Span};
use crate::number::figure;

/// The most points of a line.
pub(super) const MOST_POINTS: usize = 400;

/// With more points than this, a line has no dots.
const MOST_DOTS: usize = 60;

/// Lines that are drawn differently; further ones repeat them.
const STYLES: usize = 6;

/// A chart.
pub(super) struct Chart {
    pub(super) title: String,
    /// One sentence that says how to read it.
    pub(super) note: String,
    /// What the horizontal axis counts.
    pub(super) across: &'static str,
    pub(super) scale: Scale,
    pub(super) lines: Vec<Line>,
}

/// A line of a chart.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    /// A level that the line must not be below in the end.
    pub(super) threshold: Option<f64>,
}

impl Chart {
    pub(super) fn html(&self) -> Markup {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let across = Span::new(Scale::Exact, points().map(|point| point.0));
        let thresholds = self.lines.iter().filter_map(|line| line.threshold);
        let up = Span::new(self.scale, points().map(|point| point.1).chain(thresholds));
        let described = self.described();
        html! {
            figure.chart {
                figcaption { b { (self.title) } " " (self.note) }
                div.plot {
                    (up_axis(&up))
                    svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label=(described) {
                        title { (described) }
                        @for &tick in &up.ticks { path.grid d=(level(&up, tick)) {} }
                        @for (index, line) in self.lines.iter().enumerate() { (line.paths(index % STYLES, &across, &up)) }
                    }
                    (across_axis(&across))
                }
                p.across aria-hidden="true" { (self.across) }
                (self.legend())
            }
        }
    }

    /// The chart in words, for those who do not see it.
    fn described(&self) -> String {
        let line = |line: &Line| {
            let ends = line.points.first().zip(line.points.last());
            let ends =
                ends.map_or(String::new(), |(first, last)| format!("from {} to {}", figure(first.1), figure(last.1)));
            if self.lines.len() > 1 { format!("{} {ends}", line.name) } else { ends }
        };
        format!("{}: {}", self.title, self.lines.iter().map(line).collect::<Vec<_>>().join("; "))
    }

    fn legend(&self) -> Markup {
        let needed = self.lines.len() > 1 || self.lines.iter().any(|line| line.threshold.is_some());
        html! {
            @if needed {
                ul.legend {
                    @for (index, line) in self.lines.iter().enumerate() {
                        li {
                            (sample("line", index % STYLES)) " " (line.name)
                            @if let Some(threshold) = line.threshold {
                                " " span { (sample("threshold", index % STYLES)) " k = " (figure(threshold)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Line {
    fn paths(&self, style: usize, across: &Span, up: &Span) -> Markup {
        let points = thinned(&self.points);
        let place =
            |&(x, y): &(f64, f64)| format!("{:.1},{:.2}", 1000.0 * across.place(x), 100.0 * (1.0 - up.place(y)));
        let places: Vec<String> = points.iter().map(place).collect();
        let dots = || places.iter().map(|place| format!("M{place}h0")).collect::<String>();
        html! {
            @if let Some(threshold) = self.threshold { path class={ "threshold s" (style) } d=(level(up, threshold)) {} }
            "\n" path class={ "line s" (style) } d={ "M" (places.join("L")) } {}
            @if points.len() <= MOST_DOTS { "\n" path class={ "dots s" (style) } d=(dots()) {} }
        }
    }
}

fn sample(class: &str, style: usize) -> Markup {
    html! {
        svg.sample viewBox="0 0 30 8" aria-hidden="true" { path class={ (class) " s" (style) } d="M0,4H30" {} }
    }
}

/// A path from side to side.
fn level(up: &Span, number: f64) -> String {
    format!("M0,{:.2}H1000", 100.0 * (1.0 - up.place(number)))
}

fn up_axis(up: &Span) -> Markup {
    let top = |tick: f64| format!("top:{:.2}%", 100.0 * (1.0 - up.place(tick)));
    html! {
        div.up aria-hidden="true" { @for &tick in &up.ticks { span style=(top(tick)) { (figure(tick)) } } }
    }
}

fn across_axis(across: &Span) -> Markup {
    // Steps and candidates are whole, so are the marks.
    let whole = across.ticks.iter().filter(|tick| tick.fract() == 0.0);
    let left = |tick: f64| format!("left:{:.2}%", 100.0 * across.place(tick));
    html! {
        div.ticks aria-hidden="true" { @for &tick in whole { span style=(left(tick)) { (figure(tick)) } } }
    }
}

/// At most [`MOST_POINTS`] points: the ends, and the lowest and highest of each run between them.
pub(super) fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let [first, between @ .., last] = points else { return points.to_vec() };
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let mut kept = vec![*first];
    for run in between.chunks(between.len().div_ceil(MOST_POINTS / 2 - 1)) {
        let order = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (lowest, highest) = (run.iter().min_by(order), run.iter().max_by(order));
        let mut pair: Vec<(f64, f64)> = lowest.into_iter().chain(highest).copied().collect();
        pair.sort_by(|a, b| a.0.total_cmp(&b.0));
        pair.dedup();
        kept.extend(pair);
    }
    kept.push(*last);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_ends_and_extremes() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|step| (f64::from(step), 5.0)).collect();
        points[4321].1 = 99.0;
        points[7777].1 = 1.0;
        let thinned = thinned(&points);
        assert!(thinned.len() <= MOST_POINTS);
        assert!([points[0], points[4321], points[7777], points[9999]].iter().all(|point| thinned.contains(point)));
        assert!(thinned.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn several_lines_have_a_legend_and_differ_by_more_than_colour() {
        let line =
            |name: &str| Line { name: name.to_owned(), points: vec![(1.0, 100.0), (2.0, 10.0)], threshold: None };
        let lines = vec![line("a<b"), line("c")];
        let chart = Chart { title: "T".to_owned(), note: String::new(), across: "step", scale: Scale::Log, lines };
        let html = chart.html().0;
        assert!(html.contains("aria-label=\"T: a&lt;b from 100 to 10; c from 100 to 10\""));
        assert!(html.contains("line s0") && html.contains("line s1") && html.contains("legend"));
        assert!(!html.contains("NaN"));
    }
}
