//! The steps of the search as a table.

use cutline_model::recoding::Label;
use cutline_search::{Generalization, Improvement, Refinement, Step};
use maud::{Markup, html};

use crate::number::{count, figure};

/// Steps beyond this number are in `trace.jsonl` only.
const MOST_ROWS: usize = 500;

/// A longer table is folded.
const MOST_UNFOLDED: usize = 30;

/// Labels of a step beyond this number are counted.
const MOST_LABELS: usize = 6;

/// The table with the first steps.
pub(super) fn table(steps: &[Step]) -> Markup {
    let more = steps.len().saturating_sub(MOST_ROWS);
    let table = html! {
        div.scroll {
            table.steps {
                (heads(steps))
                @for step in steps.iter().take(MOST_ROWS) { (row(step)) }
            }
        }
        @if more > 0 { p.more { "and " (count(more as u64)) " more: see trace.jsonl." } }
    };
    if steps.len() <= MOST_UNFOLDED {
        return table;
    }
    html! { details { summary { "All " (count(steps.len() as u64)) " steps" } (table) } }
}

fn heads(steps: &[Step]) -> Markup {
    let (words, numbers): (&[&str], &[&str]) = match steps.first() {
        Some(Step::Refinement(_)) => (&["attribute", "refined"], &["gain", "anonymity lost", "score"]),
        Some(Step::Generalization(_)) => {
            (&["attribute", "generalized"], &["anonymity gained", "loss", "loss per gain"])
        }
        _ => (&[], &["candidates", "loss", "suppressed"]),
    };
    html! {
        tr {
            th.number scope="col" { "step" }
            @for head in words { th scope="col" { (head) } }
            @for head in numbers { th.number scope="col" { (head) } }
            th.number scope="col" { "anonymity" }
        }
    }
}

fn row(step: &Step) -> Markup {
    let anonymity: Vec<String> = step.anonymity().iter().map(|&anonymity| count(anonymity)).collect();
    html! {
        tr {
            (number(&count(step.number() as u64)))
            (match step {
                Step::Refinement(step) => refinement(step),
                Step::Generalization(step) => generalization(step),
                Step::Improvement(step) => improvement(step),
            })
            (number(&anonymity.join(" · ")))
        }
        "\n"
    }
}

fn refinement(step: &Refinement) -> Markup {
    html! {
        td { (step.attribute) }
        td { bdi { (step.refined) } " → " (labels(&step.into)) }
        @for one in [step.gain, step.loss, step.score] { (number(&figure(one))) }
    }
}

fn generalization(step: &Generalization) -> Markup {
    let per_gain = step.ip.map_or("–".to_owned(), figure);
    html! {
        td { (step.attribute) }
        td { (labels(&step.generalized)) " → " bdi { (step.into) } }
        @for cell in [figure(step.gain), figure(step.loss), per_gain] { (number(&cell)) }
    }
}

/// The first labels; the others are counted. The page is the steward's, so all of them may be shown.
fn labels(labels: &[Label]) -> Markup {
    let more = labels.len().saturating_sub(MOST_LABELS);
    html! {
        @for (index, label) in labels.iter().take(MOST_LABELS).enumerate() {
            @if index > 0 { ", " }
            bdi { (label) }
        }
        @if more > 0 { " and " (count(more as u64)) " more" }
    }
}

fn improvement(step: &Improvement) -> Markup {
    html! {
        @for cell in [count(step.evaluations as u64), figure(step.loss), count(step.suppressed)] { (number(&cell)) }
    }
}

fn number(text: &str) -> Markup {
    html! { td.number { (text) } }
}
