//! What was found, for people.

use cutline::evaluate::{Evaluation, Measure};

use crate::table::aligned;

/// All of it.
pub(super) fn summary(evaluation: &Evaluation, title: &str) -> String {
    let mut text = format!("{title}: {} records", evaluation.records);
    if evaluation.left_out > 0 {
        text += &format!(" ({} left out: a value is missing)", evaluation.left_out);
    }
    text += &format!(", for {}\n", evaluation.purpose);
    if !evaluation.ignored.is_empty() {
        text += &format!("not learned from: {}\n", evaluation.ignored.join(", "));
    }
    text += &format!("{}{}\n\n", evaluation.split, together(evaluation));
    text += &measures(&evaluation.measures);
    text += &losses(evaluation);
    if !evaluation.attributes.is_empty() {
        text.push('\n');
        text += &attributes(evaluation);
    }
    text
}

fn together(evaluation: &Evaluation) -> &'static str {
    match evaluation.together {
        None => "",
        Some(true) => "; both masked together",
        Some(false) => "; the recoding is found on the training records",
    }
}

/// What a release says of it, in a line and a table.
pub(crate) fn release(evaluation: &Evaluation) -> String {
    let drawn = evaluation.drawn_from.map_or(String::new(), |all| format!(", drawn from {all}"));
    let parts = evaluation
        .parts
        .first()
        .map_or(String::new(), |part| format!(": {} records trained, {} others tested{drawn}", part.train, part.test));
    format!("\nwhat it cost a model{parts}\n{}", measures(&evaluation.measures))
}

fn measures(measures: &[Measure]) -> String {
    let mut rows = vec![["", "baseline", "masked", "removed", "cost", "benefit"].map(str::to_owned).to_vec()];
    for measure in measures {
        let figures = [measure.baseline, measure.masked, measure.removed].map(|figure| percent(figure, false));
        let changes = [measure.cost, measure.benefit].map(|change| percent(change, true));
        rows.push([measure.name.to_owned()].into_iter().chain(figures).chain(changes).collect());
    }
    aligned(&rows, &[1, 2, 3, 4, 5])
}

/// As a percentage; a change with its sign.
fn percent(share: f64, change: bool) -> String {
    match (share.is_finite(), change) {
        (false, _) => "-".to_owned(),
        (true, false) => format!("{:.2} %", 100.0 * share),
        // Adding zero turns -0 into 0.
        (true, true) => format!("{:+.2}", (1e4 * share).round() / 1e2 + 0.0),
    }
}

/// The losses by a formula, if there are any.
fn losses(evaluation: &Evaluation) -> String {
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
    if said.is_empty() { String::new() } else { format!("\nloss: {}\n", said.join(", ")) }
}

fn attributes(evaluation: &Evaluation) -> String {
    let drawn = evaluation.attributes.iter().any(|attribute| attribute.loss.is_some());
    let header =
        if drawn { ["attribute", "values", "labels", "loss", ""] } else { ["attribute", "values", "labels", "", ""] };
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for attribute in &evaluation.attributes {
        let mut row = vec![attribute.name.clone(), attribute.values.to_string(), short(attribute.labels)];
        row.extend(attribute.loss.into_iter().flat_map(|loss| [bar(loss), format!("{loss:.2}")]));
        rows.push(row);
    }
    aligned(&rows, &[1, 2, 4])
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
        assert_eq!(
            (percent(0.0147, true), percent(-0.0, true), percent(f64::NAN, false)),
            ("+1.47".into(), "+0.00".into(), "-".into())
        );
    }
}
