//! The page: a section for each experiment, and what came of all of them at the top.

use std::fmt::Write;
use std::fs;

use cutline::Error;

use super::Options;
use super::claim::{Claim, Reached};
use super::data::defect;
use crate::markdown::{Body, table};
use cutline_report::plot::Plot;

/// One experiment.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    /// What it is, and where it comes from.
    intro: String,
    claims: Vec<Claim>,
    /// Tables and plots.
    body: Body,
}

impl Section {
    pub(crate) fn new(title: &'static str, intro: &str) -> Self {
        Section { title, intro: intro.to_owned(), claims: Vec::new(), body: Body::new("results") }
    }

    /// Compares with a published figure.
    pub(crate) fn claim(&mut self, claim: Claim) {
        self.claims.push(claim);
    }

    /// Adds a paragraph.
    pub(crate) fn text(&mut self, text: &str) {
        self.body.text(text);
    }

    /// Adds a table.
    pub(crate) fn table(&mut self, names: &[&str], rows: &[Vec<String>]) {
        self.body.table(names, rows);
    }

    /// Adds a plot; `name` is that of its file.
    pub(crate) fn plot(&mut self, name: &str, plot: &Plot) {
        self.body.plot(name, plot);
    }

    /// How many published figures are matched, beaten and missed.
    pub(crate) fn summary(&self) -> String {
        count(self.claims.iter())
    }

    /// The section as the page has it.
    pub(crate) fn render(&self) -> String {
        let mut text = format!("## {}\n\n{}\n\n", self.title, self.intro);
        if !self.claims.is_empty() {
            let row = |claim: &Claim| {
                vec![claim.what.clone(), claim.published.clone(), claim.ours.clone(), claim.verdict.to_string()]
            };
            let rows: Vec<Vec<String>> = self.claims.iter().map(row).collect();
            text += &table(&["figure", "published", "ours", "verdict"], &rows, "---");
            for claim in self.missed().filter(|claim| !claim.note.is_empty()) {
                let _ = write!(text, "Missed: {}. {}\n\n", claim.what, claim.note);
            }
        }
        text + self.body.as_str()
    }

    fn missed(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.verdict == Reached::Miss)
    }
}

/// Writes the page and its plots.
pub(crate) fn write(sections: &[Section], options: &Options) -> Result<(), Error> {
    sections.iter().try_for_each(|section| section.body.write_plots(&options.output)).map_err(defect)?;
    let mut text = head(sections, options);
    sections.iter().for_each(|section| text += &section.render());
    fs::write(options.output.join("results.md"), text.trim_end().to_owned() + "\n").map_err(defect)
}

fn head(sections: &[Section], options: &Options) -> String {
    let times = if options.with_times { " --with-times" } else { "" };
    let quick = if options.quick { " --quick" } else { "" };
    let mut text = format!(
        "# Published results, and ours\n\nThis page is written by a command; do not edit it.\n\n```sh\n\
         cargo run --release -p cutline-bench -- reproduce{quick}{times}\n```\n\n"
    );
    if options.quick {
        text += "**Quick mode: a tenth of Adult and few thresholds. This shows that everything runs; the verdicts mean nothing.**\n\n";
    }
    let _ = write!(text, "**{}.**\n\n", count(sections.iter().flat_map(|section| &section.claims)));
    text += "- *match*: within 0.3 points of the published error (or one test record, if that is more); a published bound holds.\n\
             - *beat*: a published bound holds by more than 0.3 points, or what the section says.\n\
             - *miss*: neither. An error on raw records that is lower than the published one is a miss as well: it is not the same \
             experiment then.\n\nErrors and costs are in percent of the test records, and points. *Baseline* is the error on the raw \
             table, *removed* on the raw table without the attributes of the QID, *masked* on the masked table, *cost* is masked \
             less baseline. Everything but the section on times is the same in every run.\n\n";
    let missed: Vec<String> = sections
        .iter()
        .flat_map(|section| section.missed().map(|claim| (section.title, claim)))
        .map(|(title, claim)| {
            format!("- {title}: {}: published {}, ours {}. {}", claim.what, claim.published, claim.ours, claim.note)
        })
        .collect();
    if !missed.is_empty() {
        let _ = write!(text, "What we miss:\n\n{}\n\n", missed.join("\n"));
    }
    text
}

fn count<'a>(claims: impl Iterator<Item = &'a Claim>) -> String {
    let mut counts = [0; 3];
    claims.for_each(|claim| counts[claim.verdict as usize] += 1);
    let [matched, beaten, missed] = counts;
    let all = matched + beaten + missed;
    if all == 0 {
        return "no published figures".to_owned();
    }
    let figures = if all == 1 { "figure" } else { "figures" };
    format!("{all} published {figures}: {matched} matched, {beaten} beaten, {missed} missed")
}
