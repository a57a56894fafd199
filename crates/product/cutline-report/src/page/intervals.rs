//! A continuous attribute: the line of numbers with the published bounds, and the splits that led to them.

use std::collections::HashMap;

use cutline_model::recoding::{Label, interval_labels};
use cutline_model::{AttributeRecoding, Bound, Scale, shortest};
use cutline_search::{Refinement, Step};
use maud::{Markup, html};

use super::outline::{Node, Outline, Place};

/// The part of the line, in per cent, that stands for an end that is not told.
const OPEN_END: f64 = 12.0;

/// Bounds closer than this, in per cent of the line, are drawn but not written.
const NEAR: f64 = 11.0;

/// The line of numbers, to scale. Nothing if there is nothing between the outer bounds.
pub(super) fn number_line(bounds: &[Bound]) -> Markup {
    if bounds.len() < 3 {
        return html! {};
    }
    let places = places(bounds);
    let described = format!("Intervals to scale: {}", interval_labels(bounds, &Scale::Numbers).join(", "));
    html! {
        div.line {
            svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=(described) {
                title { (described) }
                @for (index, pair) in places.windows(2).enumerate() {
                    rect class=(segment(bounds, index)) x=(format!("{:.2}", pair[0])) y="0"
                        width=(format!("{:.2}", pair[1] - pair[0])) height="10" {}
                }
                @for place in &places[1..places.len() - 1] { path d=(format!("M{place:.2},0V10")) {} }
            }
            div.ticks aria-hidden="true" { (ticks(bounds, &places)) }
        }
    }
}

/// Neighbours differ, and so does what has an end that is not told.
fn segment(bounds: &[Bound], index: usize) -> &'static str {
    match (bounds[index].0, bounds[index + 1].0) {
        (Some(_), Some(_)) => ["even", "odd"][index % 2],
        _ => "open",
    }
}

/// Where each bound lies on the line, in per cent.
fn places(bounds: &[Bound]) -> Vec<f64> {
    let known: Vec<f64> = bounds.iter().filter_map(|bound| bound.0).collect();
    let open = |bound: Option<&Bound>| bound.is_some_and(|bound| bound.0.is_none());
    let start = if open(bounds.first()) { OPEN_END } else { 0.0 };
    let end = if open(bounds.last()) { 100.0 - OPEN_END } else { 100.0 };
    let (lower, upper) = (known.first().copied().unwrap_or(0.0), known.last().copied().unwrap_or(0.0));
    let place = |(index, bound): (usize, &Bound)| match bound.0 {
        None if index == 0 => 0.0,
        None => 100.0,
        Some(_) if upper <= lower => (start + end) / 2.0,
        // Halves, since the distance of two numbers may be too large for a number.
        Some(number) => start + (end - start) * ((number / 2.0 - lower / 2.0) / (upper / 2.0 - lower / 2.0)),
    };
    bounds.iter().enumerate().map(place).collect()
}

fn ticks(bounds: &[Bound], places: &[f64]) -> Markup {
    let mut last = -NEAR;
    let mut written = Vec::new();
    for (bound, &place) in bounds.iter().zip(places) {
        let Some(number) = bound.0.filter(|_| place - last >= NEAR) else { continue };
        last = place;
        written.push((number, place));
    }
    let class = |place: f64| match place {
        _ if place > 99.0 => Some("end"),
        _ if place < 1.0 => Some("start"),
        _ => None,
    };
    html! {
        @for (number, place) in written {
            span class=[class(place)] style=(format!("left:{place:.2}%")) { (shortest(number)) }
        }
    }
}

/// The splits of an attribute as a tree; `None` unless the trace tells all of them and nothing else.
pub(super) fn split_tree(name: &str, recoding: &AttributeRecoding, steps: &[Step]) -> Option<Outline> {
    let own = |step: &&Refinement| step.attribute == name;
    let splits: Vec<&Refinement> = steps.iter().filter_map(Step::as_refinement).filter(own).collect();
    let mut outline = Outline { nodes: vec![node(&splits.first()?.refined)] };
    let mut leaves: HashMap<&Label, usize> = HashMap::from([(&splits[0].refined, 0)]);
    for split in &splits {
        let parent = leaves.remove(&split.refined)?;
        for label in &split.into {
            leaves.insert(label, outline.nodes.len());
            let child = outline.nodes.len();
            outline.nodes[parent].children.push(child);
            outline.nodes.push(node(label));
        }
        outline.nodes[parent].place = Place::Above;
        outline.nodes[parent].note = format!("split in step {}", split.step);
    }
    // A trace that tells of other intervals than the published ones is not shown.
    let labels: Vec<Label> = recoding.labels().into_iter().map(Label::Text).collect();
    let published = labels.iter().all(|label| leaves.contains_key(label));
    let missing = usize::from(leaves.contains_key(&Label::Missing));
    (published && leaves.len() == labels.len() + missing).then_some(outline)
}

fn node(label: &Label) -> Node {
    Node { label: label.to_string(), note: String::new(), place: Place::Published, children: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::super::outline::DrawnTree;
    use super::*;

    fn split(step: usize, refined: &str, into: [&str; 2]) -> Step {
        Step::Refinement(Refinement {
            step,
            attribute: "age".to_owned(),
            refined: refined.into(),
            into: into.map(Label::from).to_vec(),
            gain: 0.1,
            loss: 1.0,
            score: 0.05,
            anonymity: vec![10],
        })
    }

    fn ages(bounds: &[Option<f64>]) -> AttributeRecoding {
        AttributeRecoding::numbers(bounds.iter().copied().map(Bound).collect(), None)
    }

    #[test]
    fn the_line_is_to_scale_and_does_not_tell_open_ends() {
        let line = number_line(&[None, Some(20.0), Some(30.0), Some(60.0), None].map(Bound)).0;
        assert!(line.contains("aria-label=\"Intervals to scale: &lt;20, [20-30), [30-60), &gt;=60\""));
        assert!(
            line.contains("left:12.00%\">20<")
                && line.contains("left:31.00%\">30<")
                && line.contains("left:88.00%\">60<")
        );
        assert_eq!(line.matches("class=\"open\"").count(), 2);
        assert_eq!(number_line(&[None, None].map(Bound)).0, "");
        let huge = number_line(&[-f64::MAX, 0.0, f64::MAX].map(|number| Bound(Some(number)))).0;
        assert!(huge.contains("left:50.00%") && !huge.contains("NaN") && !huge.contains("inf"));
    }

    #[test]
    fn splits_become_a_tree_in_their_order() {
        let steps = [split(2, "*", ["<30", ">=30"]), split(5, ">=30", ["[30-60)", ">=60"])];
        let tree = split_tree("age", &ages(&[None, Some(30.0), Some(60.0), None]), &steps).expect("a tree");
        let html = tree.html().0;
        assert!(html.contains("<bdi class=\"node above\">&gt;=30</bdi> <small>split in step 5</small>"));
        assert_eq!(html.matches("node published").count(), 3);
    }

    #[test]
    fn a_trace_that_does_not_fit_the_recoding_is_not_drawn() {
        let steps = [split(1, "*", ["<31", ">=31"])];
        assert!(split_tree("age", &ages(&[None, Some(30.0), None]), &steps).is_none());
        assert!(split_tree("age", &ages(&[None, Some(30.0), None]), &[]).is_none());
        assert!(split_tree("hours", &ages(&[None, Some(31.0), None]), &steps).is_none());
    }
}
