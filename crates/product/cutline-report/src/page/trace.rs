//! What the search did, step by step.

use cutline_model::Purpose;
use cutline_search::{Step, Stopped};
use maud::html;

use super::chart::{Chart, Line, MOST_POINTS};
use super::scale::Scale;
use super::{Section, qid_name, steps};
use crate::number::{count, counted};
use crate::{QidReport, Report};

pub(super) fn section(report: &Report, trace: &[Step]) -> Section {
    let body = match trace {
        [] => html! { p { "The search made no step." } },
        [first, ..] => html! {
            p { (kind(first, report)) " " (privacy(first)) }
            @if trace.len() > MOST_POINTS {
                p.lead {
                    (counted(trace.len() as u64, "step")) " are drawn by at most " (MOST_POINTS) " points; lows and highs are kept."
                }
            }
            div.plots { @for chart in charts(report, first, trace) { (chart.html()) } }
            (steps::table(trace))
        },
    };
    Section { id: "search", title: "The search, step by step", body }
}

/// Why a search of this kind ended, as a sentence goes on.
pub(super) fn ended(algorithm: &str, stopped: Stopped) -> &'static str {
    match (stopped, algorithm) {
        (Stopped::Complete, "refine" | "tdr" | "tds") => "until no further refinement was both allowed and of use",
        (Stopped::Complete, "bottom-up") => "until the requirement held",
        (Stopped::Complete, "genetic") => "until all candidates were tried",
        (Stopped::Complete, _) => "until nothing more could be done",
        (Stopped::MaxSteps, _) => "until the largest number of steps that was asked for; more would have been possible",
        (Stopped::TimeLimit, _) => "until its time was up; more would have been possible",
        (Stopped::Interrupted, _) => "until it was interrupted; more would have been possible",
    }
}

fn kind(first: &Step, report: &Report) -> &'static str {
    match first {
        Step::Refinement(_) if report.purpose == Purpose::General.to_string() => {
            "The search began with everything masked. Each step told one label apart: the one with the most records for the \
             anonymity that it cost."
        }
        Step::Refinement(_) => {
            "The search began with everything masked. Each step told one label apart: the one with the most information \
             for the anonymity that it cost."
        }
        Step::Generalization(_) => {
            "The search began with the raw values. Each step replaced labels by a less specific one, with the least \
             information lost for the anonymity that it gained."
        }
        Step::Improvement(_) => {
            "The search bred candidates and kept the better ones. Each step is a candidate that was better than all before it."
        }
    }
}

fn privacy(first: &Step) -> &'static str {
    match first {
        Step::Generalization(_) => "Labels that the release hides are not named.",
        _ => "",
    }
}

fn charts(report: &Report, first: &Step, trace: &[Step]) -> Vec<Chart> {
    let anonymity = anonymity(report, trace);
    match first {
        Step::Refinement(_) => {
            let gain = figures("Gain", "What each step tells, as the purpose counts it.", Scale::FromZero, trace, 0);
            let score =
                figures("Score", "Gain for anonymity lost, by which steps were chosen.", Scale::FromZero, trace, 1);
            vec![anonymity, gain, score]
        }
        Step::Generalization(_) => {
            let loss = figures("Loss", "The information that each step gave up.", Scale::FromZero, trace, 0);
            vec![anonymity, loss]
        }
        Step::Improvement(_) => {
            let loss = figures("Loss", "What the best candidate loses; lower is better.", Scale::Fitted, trace, 0);
            let records = "Records that the best candidate suppresses.";
            vec![loss, anonymity, figures("Suppressed", records, Scale::FromZero, trace, 1)]
        }
    }
}

/// The smallest group of each QID after each step.
fn anonymity(report: &Report, trace: &[Step]) -> Chart {
    let line = |(index, qid): (usize, &QidReport)| Line {
        name: qid_name(index, &report.qids),
        points: trace.iter().filter_map(|step| Some((across(step), *step.anonymity().get(index)? as f64))).collect(),
        threshold: Some(qid.k as f64),
    };
    Chart {
        title: "Anonymity".to_owned(),
        note: "The smallest group after each step. Each line on the scale is ten times the one below it.".to_owned(),
        across: name_across(trace),
        scale: Scale::Log,
        lines: report.qids.iter().enumerate().map(line).collect(),
    }
}

/// One of the figures of each step.
fn figures(title: &str, note: &str, scale: Scale, trace: &[Step], figure: usize) -> Chart {
    let of = |step: &Step| match step {
        Step::Refinement(step) => [step.gain, step.score][figure],
        Step::Generalization(step) => [step.loss, step.gain][figure],
        Step::Improvement(step) => [step.loss, step.suppressed as f64][figure],
    };
    let points = trace.iter().map(|step| (across(step), of(step))).collect();
    let lines = vec![Line { name: title.to_owned(), points, threshold: None }];
    Chart { title: title.to_owned(), note: note.to_owned(), across: name_across(trace), scale, lines }
}

fn across(step: &Step) -> f64 {
    match step {
        Step::Improvement(step) => step.evaluations as f64,
        _ => step.number() as f64,
    }
}

fn name_across(trace: &[Step]) -> &'static str {
    match trace[0] {
        Step::Improvement(_) => "candidates tried",
        _ => "step",
    }
}

/// The search in a few words.
pub(super) fn summary(report: &Report) -> String {
    let name = match report.algorithm.as_str() {
        "refine" => "top-down refinement with a mended order",
        "tdr" => "top-down refinement",
        "tds" => "top-down specialization",
        "bottom-up" => "bottom-up generalization",
        "genetic" => "genetic search",
        other => other,
    };
    let steps = match report.steps {
        1 => "one step".to_owned(),
        steps => format!("{} steps", count(steps as u64)),
    };
    format!("{name} ({}), {steps}, {}", report.algorithm, ended(&report.algorithm, report.stopped))
}
