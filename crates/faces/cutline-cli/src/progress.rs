//! Progress on a terminal, and silence where standard error is not one.

use std::time::Duration;

use cutline::search::Step;
use cutline::{Note, Observer, Stage};
use indicatif::{ProgressBar, ProgressStyle};

use crate::out;
use crate::settings::flags;
use crate::signals::Signals;

/// Shows what a release is doing.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    signals: Signals,
    quiet: bool,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::no_length() };
        Progress { bar, signals: Signals::listen(), quiet }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Observer for Progress {
    fn stage(&self, stage: Stage, total: Option<u64>) {
        self.signals.searching(stage == Stage::Search);
        let name = match stage {
            Stage::Label => "clustering",
            Stage::Tune => "tuning",
            Stage::Read => "reading",
            Stage::Search => "searching",
            Stage::Write => "writing",
            Stage::Verify => "verifying",
            Stage::Evaluate => "comparing",
        };
        self.bar.reset();
        match total {
            Some(total) => {
                self.bar.set_length(total);
                self.bar.set_style(style("{prefix:10} [{bar:30}] {bytes}/{total_bytes} {bytes_per_sec}"));
            }
            None => {
                self.bar.unset_length();
                self.bar.set_style(style("{prefix:10} {spinner} {msg}"));
            }
        }
        self.bar.set_message("");
        self.bar.set_prefix(name);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn step(&self, step: &Step) {
        let anonymity: Vec<String> = step.anonymity().iter().map(u64::to_string).collect();
        let what = match step {
            Step::Improvement(step) => {
                format!("{} evaluated, best loss {:.4}, {} suppressed", step.evaluations, step.loss, step.suppressed)
            }
            step => format!("step {}: {}", step.number(), step.attribute().unwrap_or_default()),
        };
        self.bar.set_message(format!("{what} (anonymity {})", anonymity.join(", ")));
    }

    fn note(&self, note: &Note) {
        if !self.quiet {
            self.bar.suspend(|| out::tell(format_args!("note: {}", flags(&note.to_string()))));
        }
    }

    fn stop_search(&self) -> bool {
        self.signals.stop_search()
    }

    fn cancelled(&self) -> bool {
        self.signals.cancelled()
    }
}
