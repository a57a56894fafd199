//! The steps of the search as a table.

use std::fmt::Write;

use cutline_model::Recoding;
use cutline_search::{Generalization, Improvement, Refinement, Step};

use super::labels::Shown;
use super::text::{count, escape, figure};

/// Steps beyond this number are in `trace.jsonl` only.
const MOST_ROWS: usize = 500;

/// A longer table is folded.
const MOST_UNFOLDED: usize = 30;

/// Labels of a step beyond this number are counted.
const MOST_LABELS: usize = 6;

/// The table with the first steps.
pub(super) fn table(steps: &[Step], recoding: &Recoding) -> String {
    let mut labels = Labels { recoding, shown: recoding.attributes.iter().map(|_| None).collect() };
    let rows: String = steps.iter().take(MOST_ROWS).map(|step| row(step, &mut labels)).collect();
    let table = format!("<div class=\"scroll\"><table class=\"steps\">\n{}{rows}</table></div>\n", heads(steps));
    let more = match steps.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        more => format!("<p class=\"more\">and {} more: see trace.jsonl.</p>\n", count(more as u64)),
    };
    if steps.len() <= MOST_UNFOLDED {
        return table + &more;
    }
    format!("<details>\n<summary>All {} steps</summary>\n{table}{more}</details>\n", count(steps.len() as u64))
}

fn heads(steps: &[Step]) -> String {
    let heads: &[&str] = match steps.first() {
        Some(Step::Refinement(_)) => &["attribute", "refined", "gain", "anonymity lost", "score"],
        Some(Step::Generalization(_)) => &["attribute", "generalized", "anonymity gained", "loss", "loss per gain"],
        _ => &["candidates", "loss", "suppressed"],
    };
    let mut text = String::from("<tr><th scope=\"col\" class=\"number\">step</th>");
    for head in heads.iter().copied().chain(["anonymity"]) {
        let class = if ["attribute", "refined", "generalized"].contains(&head) { "" } else { " class=\"number\"" };
        let _ = write!(text, "<th scope=\"col\"{class}>{head}</th>");
    }
    text + "</tr>\n"
}

fn row(step: &Step, labels: &mut Labels<'_>) -> String {
    let cells = match step {
        Step::Refinement(step) => refinement(step, labels),
        Step::Generalization(step) => generalization(step, labels),
        Step::Improvement(step) => improvement(step),
    };
    let anonymity: Vec<String> = step.anonymity().iter().map(|&anonymity| count(anonymity)).collect();
    format!(
        "<tr><td class=\"number\">{}</td>{cells}{}</tr>\n",
        count(step.number() as u64),
        number(&anonymity.join(" · "))
    )
}

fn refinement(step: &Refinement, labels: &mut Labels<'_>) -> String {
    let from = labels.label(&step.attribute, &step.refined);
    let into: Vec<String> =
        step.into.iter().take(MOST_LABELS).map(|label| labels.label(&step.attribute, label)).collect();
    let more = match step.into.len().saturating_sub(MOST_LABELS) {
        0 => String::new(),
        more => format!(" and {} more", count(more as u64)),
    };
    let figures = [step.gain, step.loss, step.score].map(|figures| number(&figure(figures)));
    format!("<td>{}</td><td>{from} → {}{more}</td>{}", escape(&step.attribute), into.join(", "), figures.concat())
}

/// What was generalized is below what is published: only the label that took its place may be told.
fn generalization(step: &Generalization, labels: &mut Labels<'_>) -> String {
    let per_gain = step.ip.map_or("–".to_owned(), figure);
    format!(
        "<td>{}</td><td>→ {}</td>{}{}{}",
        escape(&step.attribute),
        labels.label(&step.attribute, &step.into),
        number(&figure(step.gain)),
        number(&figure(step.loss)),
        number(&per_gain)
    )
}

fn improvement(step: &Improvement) -> String {
    [count(step.evaluations as u64), figure(step.loss), count(step.suppressed)].map(|cell| number(&cell)).concat()
}

fn number(text: &str) -> String {
    format!("<td class=\"number\">{text}</td>")
}

/// What may be shown of each attribute, worked out when it is first asked for.
struct Labels<'a> {
    recoding: &'a Recoding,
    shown: Vec<Option<Shown<'a>>>,
}

impl Labels<'_> {
    /// A label as the page may show it.
    fn label(&mut self, attribute: &str, label: &str) -> String {
        let Some((index, _, recoding)) = self.recoding.attributes.get_full(attribute) else {
            return "–".to_owned();
        };
        let shown = self.shown[index].get_or_insert_with(|| Shown::new(recoding));
        match shown.allows(label) {
            true => format!("<bdi>{}</bdi>", escape(label)),
            false => format!("<i>{}</i>", shown.instead()),
        }
    }
}
