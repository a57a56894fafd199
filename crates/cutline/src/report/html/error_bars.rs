//! What the masking cost a model: its error without masking, with it, and without the masked attributes.

use super::super::{EvaluationReport, EvaluationUnit};
use super::Section;
use super::bars::{Bar, Bars};
use super::text::{figure, percent};

/// The section, if anything was measured.
pub(super) fn section(evaluations: &[EvaluationReport]) -> Option<Section> {
    let bars: String = evaluations.iter().map(|evaluation| bars(evaluation).html()).collect();
    let body = format!(
        "<p>Models were built on the raw table (baseline), on the published one (masked) and on the raw one without the masked \
         attributes (removed). The closer masked is to baseline, the less the masking cost; what it saved is the distance to \
         removed.</p>\n<div class=\"charts\">\n{bars}</div>\n"
    );
    (!evaluations.is_empty()).then_some(Section { id: "error", title: "What it cost a model", body })
}

fn bars(evaluation: &EvaluationReport) -> Bars<'static> {
    let figures =
        [("baseline", Some(evaluation.baseline)), ("masked", Some(evaluation.masked)), ("removed", evaluation.removed)];
    let figures: Vec<(&str, f64)> = figures.into_iter().filter_map(|(name, figure)| Some((name, figure?))).collect();
    let most = figures.iter().map(|(_, figure)| *figure).fold(0.0, f64::max);
    let bar = |&(name, figure): &(&str, f64)| Bar {
        name: name.to_owned(),
        length: if most > 0.0 { figure / most } else { 0.0 },
        cells: vec![written(figure, evaluation.unit), above(figure - evaluation.baseline, evaluation.unit, name)],
    };
    Bars {
        caption: evaluation.measure.clone(),
        heads: &["built on", "", "above baseline"],
        rows: figures.iter().map(bar).collect(),
    }
}

fn written(number: f64, unit: EvaluationUnit) -> String {
    match unit {
        EvaluationUnit::Share => percent(number),
        EvaluationUnit::Number => figure(number),
    }
}

fn above(difference: f64, unit: EvaluationUnit, name: &str) -> String {
    match (name, unit) {
        ("baseline", _) => "–".to_owned(),
        (_, EvaluationUnit::Share) => format!("{:+.1} points", difference * 100.0),
        (_, EvaluationUnit::Number) if difference > 0.0 => format!("+{}", figure(difference)),
        (_, EvaluationUnit::Number) => figure(difference),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_shown_beside_each_other() {
        let error = |removed| EvaluationReport {
            measure: "C4.5 <error>".to_owned(),
            unit: EvaluationUnit::Share,
            baseline: 0.147,
            masked: 0.16,
            removed,
        };
        let body = section(&[error(Some(0.215))]).expect("a section").body;
        assert!(body.contains("C4.5 &lt;error&gt;"));
        assert!(body.contains("14.7 %") && body.contains("+1.3 points") && body.contains("+6.8 points"));
        assert!(!section(&[error(None)]).expect("a section").body.contains("+6.8"));
        assert!(section(&[]).is_none());
    }
}
