//! `report.html`: one self-contained page. It shows labels, counts and names, never a value that the release hides.

use std::fmt::Write;

use cutline_model::{AttributeRecoding, Recoding};
use cutline_search::Step;

use super::{QidReport, Report};

const STYLE: &str = include_str!("page.css");

/// Labels beyond this number are counted, not listed.
const MOST_LABELS: usize = 60;

/// The whole page.
pub(crate) fn html(report: &Report, recoding: &Recoding, steps: &[Step]) -> String {
    let sections = [requirement(report), attributes(report, recoding), trace(steps, report), reproduce(report)];
    let dropped = match report.dropped {
        0 => String::new(),
        dropped => format!(", {dropped} left out because a value was missing"),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Cutline release</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Cutline release</h1>\n\
         <p class=\"lead\">{records} records for {purpose}{dropped}. Search: {algorithm}, {steps} steps, {stopped}.</p>\n\
         {sections}</body>\n</html>\n",
        records = report.records,
        purpose = escape(&report.purpose),
        algorithm = report.algorithm,
        steps = report.steps,
        stopped = report.stopped,
        sections = sections.concat(),
    )
}

fn requirement(report: &Report) -> String {
    let row = |qid: &QidReport| {
        format!(
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"holds\">holds</td></tr>\n",
            escape(&qid.attributes.join(", ")),
            qid.k,
            qid.anonymity,
            qid.groups
        )
    };
    let rows: String = report.qids.iter().map(row).collect();
    let charts: String = report.qids.iter().map(histogram).collect();
    format!(
        "<h2>Requirement</h2>\n<p class=\"lead\">Recounted from the written table.</p>\n<div class=\"scroll\"><table>\n\
         <tr><th>QID</th><th class=\"number\">k</th><th class=\"number\">smallest group</th><th class=\"number\">groups</th>\
         <th></th></tr>\n{rows}</table></div>\n{charts}"
    )
}

/// Records by the size of their group, in doubling steps.
fn histogram(qid: &QidReport) -> String {
    let mut bars: Vec<(u64, u64)> = Vec::new();
    let mut lower = qid.anonymity.max(1);
    for &(size, groups) in &qid.sizes {
        while size >= lower * 2 {
            lower *= 2;
            bars.push((lower, 0));
        }
        if bars.is_empty() {
            bars.push((lower, 0));
        }
        if let Some(bar) = bars.last_mut() {
            bar.1 += size * groups;
        }
    }
    let most = bars.iter().map(|bar| bar.1).max().unwrap_or(1).max(1);
    let mut chart = String::new();
    for (index, (from, records)) in bars.iter().enumerate() {
        let (y, width) = (index * 20, *records as f64 / most as f64 * 360.0);
        let _ = writeln!(
            chart,
            "<text x=\"88\" y=\"{}\" text-anchor=\"end\">{from}–{}</text><rect x=\"96\" y=\"{}\" width=\"{width:.1}\" \
             height=\"14\" rx=\"2\"/><text x=\"{:.1}\" y=\"{}\">{records}</text>",
            y + 13,
            from * 2 - 1,
            y + 2,
            width + 102.0,
            y + 13
        );
    }
    format!(
        "<p class=\"lead\">Records by size of their group: {}</p>\n<svg viewBox=\"0 0 540 {}\" width=\"540\" role=\"img\" \
         aria-label=\"group sizes\">\n{chart}</svg>\n",
        escape(&qid.attributes.join(", ")),
        bars.len() * 20 + 4
    )
}

fn attributes(report: &Report, recoding: &Recoding) -> String {
    let mut rows = String::new();
    for (attribute, (name, recoded)) in report.attributes.iter().zip(&recoding.attributes) {
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td></tr>",
            escape(name),
            attribute.operation,
            attribute.values,
            labels(recoded, attribute.values)
        );
    }
    format!(
        "<h2>What is published</h2>\n<div class=\"scroll\"><table>\n<tr><th>attribute</th><th>operation</th>\
         <th class=\"number\">values</th><th>labels</th></tr>\n{rows}</table></div>\n"
    )
}

fn labels(recoding: &AttributeRecoding, values: usize) -> String {
    let class = if recoding.is_top() { "label top" } else { "label" };
    let labels = recoding.labels_of(values);
    let shown =
        labels.iter().take(MOST_LABELS).map(|label| format!("<span class=\"{class}\">{}</span>", escape(label)));
    let mut text: String = shown.collect();
    if labels.len() > MOST_LABELS {
        let _ = write!(text, " and {} more", labels.len() - MOST_LABELS);
    }
    text
}

fn trace(steps: &[Step], report: &Report) -> String {
    let none = if steps.is_empty() { "<p>The search made no step.</p>\n" } else { "" };
    let last = if steps.iter().any(|step| step.as_generalization().is_some()) { "loss per gain" } else { "score" };
    let rows: String = steps.iter().map(row).collect();
    format!(
        "<h2>Steps of the search ({})</h2>\n{none}<div class=\"scroll\"><table>\n<tr><th class=\"number\">step</th>\
         <th>attribute</th><th>from → to</th><th class=\"number\">gain</th><th class=\"number\">loss</th>\
         <th class=\"number\">{last}</th><th class=\"number\">anonymity</th></tr>\n{rows}</table></div>\n",
        report.stopped
    )
}

/// A line of the trace. Down: information gained, anonymity lost. Up: anonymity gained, information lost.
fn row(step: &Step) -> String {
    let (from, to, figures) = match step {
        Step::Refinement(step) => {
            let figures =
                [format!("{:.4}", step.gain), cutline_model::shortest(step.loss), format!("{:.6}", step.score)];
            (step.refined.clone(), step.into.join(", "), figures)
        }
        Step::Generalization(step) => {
            let ip = step.ip.map_or("–".to_owned(), |ip| format!("{ip:.6}"));
            let figures = [cutline_model::shortest(step.gain), format!("{:.4}", step.loss), ip];
            (step.generalized.join(", "), step.into.clone(), figures)
        }
    };
    let anonymity: Vec<String> = step.anonymity().iter().map(u64::to_string).collect();
    let [gain, loss, score] = figures;
    format!(
        "<tr><td class=\"number\">{}</td><td>{}</td><td>{} → {}</td><td class=\"number\">{gain}</td>\
         <td class=\"number\">{loss}</td><td class=\"number\">{score}</td><td class=\"number\">{}</td></tr>\n",
        step.number(),
        escape(step.attribute()),
        escape(&from),
        escape(&to),
        anonymity.join(", ")
    )
}

fn reproduce(report: &Report) -> String {
    let spec = toml::to_string(&report.arguments).unwrap_or_default();
    format!(
        "<h2>How to reproduce</h2>\n<p class=\"lead\">Cutline {}, with this spec:</p>\n<pre>{}</pre>\n",
        report.version,
        escape(&spec)
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
