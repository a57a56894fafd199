//! What the masking cost a model: its figure without masking, with it, and without the masked attributes.

use cutline_model::recoding::SuppressHow;
use maud::html;

use super::Section;
use super::bars::{Bar, Bars};
use crate::number::{count, counted, percent};
use crate::{Evaluation, Measure};

/// The section. `how` says what became of suppressed records.
pub(super) fn section(evaluation: &Evaluation, how: Option<SuppressHow>) -> Section {
    let body = html! {
        p {
            "Models were built on the raw table (baseline), on the published one (masked) and on the raw one without the attributes of the \
             QIDs (removed). The closer masked is to baseline, the less the masking cost; what it saved is the distance to removed."
        }
        div.charts { @for measure in &evaluation.measures { (bars(measure).html()) } }
        p.lead { (records(evaluation, how)) }
    };
    Section { id: "error", title: "What it cost a model", body }
}

/// Which records the figures are from.
fn records(evaluation: &Evaluation, how: Option<SuppressHow>) -> String {
    let mut said = Vec::new();
    if let Some(part) = evaluation.parts.first() {
        said.push(format!("{} trained, {} others tested.", counted(part.train, "record"), count(part.test)));
    }
    said.extend(evaluation.drawn_from.map(|all| format!("They were drawn from all {} at random.", count(all))));
    if evaluation.left_out > 0 {
        said.push(format!("Left out because a value is missing: {}.", count(evaluation.left_out)));
    }
    let suppressed = evaluation.parts.first().map_or(0, |part| part.suppressed);
    if suppressed > 0 && how == Some(SuppressHow::Drop) {
        said.push(format!("Suppressed, and so in none of the three tables: {}.", count(suppressed)));
    }
    if !evaluation.ignored.is_empty() {
        said.push(format!("Not learned from: {}.", evaluation.ignored.join(", ")));
    }
    said.join(" ")
}

fn bars(measure: &Measure) -> Bars<'static> {
    let figures = [("baseline", measure.baseline), ("masked", measure.masked), ("removed", measure.removed)];
    // R² ends at 1; errors seldom come near it, so they are drawn in proportion to the largest.
    let most =
        if measure.lower_is_better { figures.iter().map(|(_, figure)| *figure).fold(0.0, f64::max) } else { 1.0 };
    let sign = if measure.lower_is_better { 1.0 } else { -1.0 };
    let bar = |&(name, figure): &(&str, f64)| Bar {
        name: name.to_owned(),
        length: if most > 0.0 && figure > 0.0 { figure / most } else { 0.0 },
        cells: vec![
            written(figure),
            if name == "baseline" { "–".to_owned() } else { worse(sign * (figure - measure.baseline)) },
        ],
    };
    let (heads, better): (&[&str], &str) = match measure.lower_is_better {
        true => (&["built on", "error", "than baseline"], "less is better"),
        false => (&["built on", "R²", "than baseline"], "more is better"),
    };
    Bars { caption: format!("{} ({better})", measure.name), heads, rows: figures.iter().map(bar).collect() }
}

/// A figure; there is no R² where the target never changes.
fn written(figure: f64) -> String {
    if figure.is_finite() { percent(figure) } else { "–".to_owned() }
}

/// How much worse, in points.
fn worse(points: f64) -> String {
    let tenths = (points * 1000.0).round() / 10.0;
    match tenths {
        _ if !tenths.is_finite() => "–".to_owned(),
        _ if tenths > 0.0 => format!("{tenths:.1} points worse"),
        _ if tenths < 0.0 => format!("{:.1} points better", -tenths),
        _ => "no worse".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Part;

    fn evaluation(name: &'static str, lower_is_better: bool, figures: [f64; 3]) -> Evaluation {
        let [baseline, masked, removed] = figures;
        let (cost, benefit) = (0.0, 0.0);
        let measure = Measure { name, lower_is_better, baseline, masked, removed, cost, benefit, per_fold: Vec::new() };
        Evaluation {
            format: Evaluation::FORMAT,
            purpose: String::new(),
            records: 3000,
            drawn_from: None,
            left_out: 0,
            split: String::new(),
            together: None,
            ignored: Vec::new(),
            attributes: Vec::new(),
            measures: vec![measure],
            parts: vec![Part { train: 2000, test: 1000, suppressed: 0 }],
            losses: Vec::new(),
        }
    }

    #[test]
    fn errors_are_shown_beside_each_other() {
        let body = section(&evaluation("C4.5 <error>", true, [0.147, 0.16, 0.215]), None).body.0;
        assert!(body.contains("C4.5 &lt;error&gt; (less is better)"));
        assert!(body.contains("14.7 %") && body.contains(">1.3 points worse<") && body.contains(">6.8 points worse<"));
        assert!(body.contains("width:68.4%") && body.contains("width:100.0%"), "errors are drawn in proportion");
        assert!(body.contains("2,000 records trained, 1,000 others tested.</p>"));
    }

    #[test]
    fn less_of_r_squared_is_worse() {
        let body = section(&evaluation("tree R²", false, [0.8, 0.85, -0.2]), None).body.0;
        assert!(body.contains("tree R² (more is better)") && body.contains("width:85.0%"));
        assert!(
            body.contains(">5.0 points better<") && body.contains(">100.0 points worse<") && body.contains(">-20 %<")
        );
        assert_eq!(body.matches("<span style").count(), 2, "nothing is drawn of what is below 0");
    }

    #[test]
    fn a_target_that_never_changes_is_no_trouble() {
        let errors = section(&evaluation("C4.5 error", true, [0.0; 3]), None).body.0;
        assert!(errors.contains(">0 %<") && errors.contains(">no worse<") && !errors.contains("NaN"));
        let explained = section(&evaluation("tree R²", false, [f64::NAN; 3]), None).body.0;
        assert!(!explained.contains("NaN") && explained.matches(">–<").count() == 6);
    }

    #[test]
    fn what_was_not_used_is_said() {
        let ignored = vec!["<id>".to_owned()];
        let parts = vec![Part { train: 2, test: 1, suppressed: 7 }];
        let plain = evaluation("error", true, [0.1; 3]);
        let some = Evaluation { drawn_from: Some(1_000_000), left_out: 3, ignored, parts, ..plain };
        let body = section(&some, Some(SuppressHow::Drop)).body.0;
        let told = "They were drawn from all 1,000,000 at random. Left out because a value is missing: 3. Suppressed, and so in none of \
                    the three tables: 7. Not learned from: &lt;id&gt;.";
        assert!(body.contains(told), "{body}");
        assert!(!section(&some, Some(SuppressHow::Mask)).body.0.contains("Suppressed"), "they are published");
    }
}
