//! What a suppression budget buys (beyond the papers).

use cutline::Error;
use cutline::model::Share;
use cutline_study::evaluate::Learn;

use super::data::{Categories, Data, Errors, evaluate, suppressed};
use super::page::Section;
use crate::attributes::RANKING;
use cutline_report::plot::{Marks, Plot};

/// Budgets in percent.
const BUDGETS: [f64; 4] = [0.0, 0.5, 1.0, 2.0];

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Adult: with a suppression budget",
        "The same Top7, generalized, if a few records may be suppressed (`--suppress-limit`): they are published as `*`. The papers on \
         top-down refinement have no budget, so nothing is published to compare with.",
    );
    let ks: Vec<u64> = data.pick(&[20, 50, 100, 200, 500], &[50]);
    let mut rows = Vec::new();
    let mut plots = [("c45", "C4.5"), ("bayes", "Naive Bayes")].map(|(file, name)| {
        (file, Plot::against_k(format!("Adult, Top7 with a suppression budget: {name}"), "error, %"))
    });
    for budget in BUDGETS {
        let mut points = [Vec::new(), Vec::new()];
        for &k in &ks {
            let mut spec = data.adult.spec(&RANKING[..7], k);
            spec.suppress.limit = Share::new(budget / 100.0);
            let evaluation = evaluate(spec, Categories::Generalized, &data.adult.together(Learn::Both))?;
            let errors = [Errors::of(&evaluation, 0)?, Errors::of(&evaluation, 1)?];
            let mut row = vec![said(budget), k.to_string(), format!("{:.2}", suppressed(&evaluation, true))];
            for (errors, points) in errors.iter().zip(&mut points) {
                points.push((k as f64, errors.masked));
                row.extend([format!("{:.2}", errors.masked), format!("{:+.2}", errors.cost)]);
            }
            row.push(format!("{:.3}", evaluation.mean_loss(|losses| Some(losses.general)).unwrap_or(f64::NAN)));
            rows.push(row);
        }
        for ((_, plot), points) in plots.iter_mut().zip(points) {
            plot.add(said(budget), Marks::Line, points);
        }
    }
    section.table(
        &["budget", "k", "suppressed, %", "C4.5 masked", "cost", "Naive Bayes masked", "cost", "LM of 7"],
        &rows,
    );
    for (file, plot) in &plots {
        section.plot(&format!("budget-{file}"), plot);
    }
    Ok(section)
}

fn said(budget: f64) -> String {
    if budget == 0.0 { "none".to_owned() } else { format!("{budget} %") }
}
