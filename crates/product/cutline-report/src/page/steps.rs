//! The steps of the search as a table.

use cutline_model::Recoding;
use cutline_search::{Generalization, Improvement, Refinement, Step};
use maud::{Markup, html};

use super::labels::Shown;
use crate::number::{count, figure};

/// Steps beyond this number are in `trace.jsonl` only.
const MOST_ROWS: usize = 500;

/// A longer table is folded.
const MOST_UNFOLDED: usize = 30;

/// Labels of a step beyond this number are counted.
const MOST_LABELS: usize = 6;

/// The table with the first steps.
pub(super) fn table(steps: &[Step], recoding: &Recoding) -> Markup {
    let mut labels = Labels { recoding, shown: recoding.attributes.iter().map(|_| None).collect() };
    let more = steps.len().saturating_sub(MOST_ROWS);
    let table = html! {
        div.scroll {
            table.steps {
                (heads(steps))
                @for step in steps.iter().take(MOST_ROWS) { (row(step, &mut labels)) }
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

fn row(step: &Step, labels: &mut Labels<'_>) -> Markup {
    let anonymity: Vec<String> = step.anonymity().iter().map(|&anonymity| count(anonymity)).collect();
    html! {
        tr {
            (number(&count(step.number() as u64)))
            (match step {
                Step::Refinement(step) => refinement(step, labels),
                Step::Generalization(step) => generalization(step, labels),
                Step::Improvement(step) => improvement(step),
            })
            (number(&anonymity.join(" · ")))
        }
        "\n"
    }
}

fn refinement(step: &Refinement, labels: &mut Labels<'_>) -> Markup {
    let more = step.into.len().saturating_sub(MOST_LABELS);
    html! {
        td { (step.attribute) }
        td {
            (labels.label(&step.attribute, &step.refined)) " → "
            @for (index, label) in step.into.iter().take(MOST_LABELS).enumerate() {
                @if index > 0 { ", " }
                (labels.label(&step.attribute, label))
            }
            @if more > 0 { " and " (count(more as u64)) " more" }
        }
        @for one in [step.gain, step.loss, step.score] { (number(&figure(one))) }
    }
}

/// What was generalized is below what is published: only the label that took its place may be told.
fn generalization(step: &Generalization, labels: &mut Labels<'_>) -> Markup {
    let per_gain = step.ip.map_or("–".to_owned(), figure);
    html! {
        td { (step.attribute) }
        td { "→ " (labels.label(&step.attribute, &step.into)) }
        @for cell in [figure(step.gain), figure(step.loss), per_gain] { (number(&cell)) }
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

/// What may be shown of each attribute, worked out when it is first asked for.
struct Labels<'a> {
    recoding: &'a Recoding,
    shown: Vec<Option<Shown<'a>>>,
}

impl Labels<'_> {
    /// A label as the page may show it.
    fn label(&mut self, attribute: &str, label: &str) -> Markup {
        let Some((index, _, recoding)) = self.recoding.attributes.get_full(attribute) else {
            return html! { "–" };
        };
        let shown = self.shown[index].get_or_insert_with(|| Shown::new(recoding));
        match shown.allows(label) {
            true => html! { bdi { (label) } },
            false => html! { i { (shown.instead()) } },
        }
    }
}
