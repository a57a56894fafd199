//! What masking cost models.

use std::fmt;

use super::Aligned;
use crate::{AttributeCost, Evaluation, Measure};

/// An experiment, or two tables compared.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationSummary<'a> {
    /// What came of it.
    pub evaluation: &'a Evaluation,
    /// The table that it is about.
    pub title: &'a str,
}

/// What a release says of it, in a line and a table.
#[derive(Clone, Copy, Debug)]
pub struct ModelCosts<'a>(pub &'a Evaluation);

impl fmt::Display for EvaluationSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let evaluation = self.evaluation;
        write!(f, "{}: {} records", self.title, evaluation.records)?;
        if evaluation.left_out > 0 {
            write!(f, " ({} left out: a value is missing)", evaluation.left_out)?;
        }
        writeln!(f, ", for {}", evaluation.purpose)?;
        if !evaluation.ignored.is_empty() {
            writeln!(f, "not learned from: {}", evaluation.ignored.join(", "))?;
        }
        writeln!(f, "{}{}\n", evaluation.split, together(evaluation))?;
        write!(f, "{}", measures(&evaluation.measures))?;
        losses(evaluation, f)?;
        if !evaluation.attributes.is_empty() {
            write!(f, "\n{}", attributes(&evaluation.attributes))?;
        }
        Ok(())
    }
}

impl fmt::Display for ModelCosts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\nwhat it cost a model")?;
        if let Some(part) = self.0.parts.first() {
            write!(f, ": {} records trained, {} others tested", part.train, part.test)?;
            if let Some(all) = self.0.drawn_from {
                write!(f, ", drawn from {all}")?;
            }
        }
        write!(f, "\n{}", measures(&self.0.measures))
    }
}

fn together(evaluation: &Evaluation) -> &'static str {
    match evaluation.together {
        None => "",
        Some(true) => "; both masked together",
        Some(false) => "; the recoding is found on the training records",
    }
}

fn measures(measures: &[Measure]) -> Aligned {
    let row = |measure: &Measure| {
        let figures = [measure.baseline, measure.masked, measure.removed].map(percent);
        let changes = [measure.cost, measure.benefit].map(change);
        [measure.name.to_owned()].into_iter().chain(figures).chain(changes).collect()
    };
    let heads = ["", "baseline", "masked", "removed", "cost", "benefit"];
    Aligned::new(heads).numbers(&[1, 2, 3, 4, 5]).rows(measures.iter().map(row))
}

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.2} %", 100.0 * share) } else { "-".to_owned() }
}

/// In points, with its sign.
fn change(share: f64) -> String {
    // Adding zero turns -0 into 0.
    if share.is_finite() { format!("{:+.2}", (1e4 * share).round() / 1e2 + 0.0) } else { "-".to_owned() }
}

/// The losses by a formula, if there are any.
fn losses(evaluation: &Evaluation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let suppressed: u64 = evaluation.parts.iter().map(|part| part.suppressed).sum();
    let mut said = Vec::new();
    let attributes = evaluation.attributes.len();
    said.extend(evaluation.mean_loss(|loss| Some(loss.general)).map(|lm| format!("LM {lm:.3} of {attributes}")));
    said.extend(evaluation.mean_loss(|loss| Some(loss.entropy)).map(|entropy| format!("entropy {entropy:.3}")));
    said.extend(evaluation.mean_loss(|loss| loss.classification).map(|cm| format!("CM {cm:.4}")));
    said.extend(evaluation.mean_loss(|loss| loss.regression_variance).map(|rm| format!("RM {rm:.4}")));
    if suppressed > 0 {
        said.push(format!("suppressed {:.1} records", suppressed as f64 / evaluation.parts.len() as f64));
    }
    if said.is_empty() { Ok(()) } else { writeln!(f, "\nloss: {}", said.join(", ")) }
}

fn attributes(attributes: &[AttributeCost]) -> Aligned {
    let drawn = attributes.iter().any(|attribute| attribute.loss.is_some());
    let row = |attribute: &AttributeCost| {
        let mut row = vec![attribute.name.clone(), attribute.values.to_string(), short(attribute.labels)];
        row.extend(attribute.loss.into_iter().flat_map(|loss| [bar(loss), format!("{loss:.2}")]));
        row
    };
    let heads = ["attribute", "values", "labels", if drawn { "loss" } else { "" }, ""];
    Aligned::new(heads).numbers(&[1, 2, 4]).rows(attributes.iter().map(row))
}

fn short(number: f64) -> String {
    if number.fract() == 0.0 { number.to_string() } else { format!("{number:.1}") }
}

/// A share as a bar of ten characters, with eighths of them.
fn bar(share: f64) -> String {
    const WIDTH: usize = 10;
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (8 * WIDTH) as f64).round() as usize;
    let bar = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
    format!("{bar:WIDTH$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(0.0), " ".repeat(10));
        assert_eq!(bar(1.0), "█".repeat(10));
        assert_eq!(bar(0.62), "██████▎   ");
        assert_eq!((change(0.0147), change(-0.0), percent(f64::NAN)), ("+1.47".into(), "+0.00".into(), "-".into()));
    }
}
