//! Our own search beside the papers', judged by records that it never saw (beyond the papers).

use cutline::Error;
use cutline::model::Share;
use cutline::spec::Algorithm;
use cutline_study::evaluate::{JobOptions, Learn};

use super::data::{Categories, Data, Errors, Table, evaluate};
use super::page::Section;
use crate::attributes::RANKING;

const SEARCHES: [Algorithm; 2] = [Algorithm::Tdr, Algorithm::Refine];
/// The attributes of CRX and German, by what they say about the class.
const CRX: [&str; 7] = ["A9", "A11", "A10", "A8", "A15", "A7", "A14"];
const GERMAN: [&str; 7] =
    ["credit-amount", "checking-account", "duration", "credit-history", "savings", "installment-rate", "purpose"];

/// One requirement on one table.
struct Setting<'a> {
    name: String,
    table: &'a Table,
    categories: Categories,
    qid: &'a [&'a str],
    k: u64,
    /// In percent of the records.
    budget: f64,
}

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Our own search",
        "`refine` beside `tdr`, C4.5 and Naive Bayes; boosted trees are in [What today's learners make of masked tables](learners.md). *Honest*: the recoding is learned from the training records alone and applied to \
         the test records. *Together*: the papers' protocol, which shows the search the classes of the test records as well.",
    );
    let names = [
        "table",
        "k",
        "budget",
        "C4.5 honest: tdr",
        "refine",
        "together: tdr",
        "refine",
        "Naive Bayes honest: tdr",
        "refine",
    ];
    let mut rows = Vec::new();
    let mut costs = Costs::default();
    for setting in settings(data) {
        rows.push(setting.row(&mut costs)?);
    }
    section.table(&names, &rows);
    section.text(&costs.said());
    Ok(section)
}

fn settings(data: &Data) -> Vec<Setting<'_>> {
    let mut settings = Vec::new();
    for (categories, how) in [(Categories::Generalized, "generalized"), (Categories::Suppressed, "suppressed")] {
        for top in data.pick(&[5, 7, 9], &[7]) {
            for budget in [0.0, 1.0] {
                for k in data.pick(&[20, 50, 100, 200, 500, 600, 1000], &[50]) {
                    let name = format!("Adult, Top{top} {how}");
                    settings.push(Setting { name, table: &data.adult, categories, qid: &RANKING[..top], k, budget });
                }
            }
        }
    }
    for budget in [0.0, 1.0] {
        for k in data.pick(&[20, 50, 100, 200], &[20]) {
            let (name, categories) = ("CRX, Top7".to_owned(), Categories::Suppressed);
            settings.push(Setting { name, table: &data.crx, categories, qid: &CRX, k, budget });
        }
        for k in data.pick(&[20, 40, 60, 80, 100], &[20]) {
            let (name, categories) = ("German, Top7".to_owned(), Categories::Suppressed);
            settings.push(Setting { name, table: &data.german, categories, qid: &GERMAN, k, budget });
        }
    }
    settings
}

impl Setting<'_> {
    fn row(&self, costs: &mut Costs) -> Result<Vec<String>, Error> {
        let protocols = [self.table.honest(Learn::Both), self.table.together(Learn::Both)];
        let [honest, together] = protocols.map(|options| self.errors(&options));
        let ([honest_tdr, honest_refine], [tdr, refine]) = (honest?, together?);
        let budget = if self.budget > 0.0 { format!("{} %", self.budget) } else { "none".to_owned() };
        let setting = format!("{}, k = {}, budget {budget}:", self.name, self.k);
        let bayes = honest_refine[1] - honest_tdr[1];
        costs.add(&setting, [honest_refine[0] - honest_tdr[0], refine[0] - tdr[0], bayes]);
        let errors = [honest_tdr[0], honest_refine[0], tdr[0], refine[0], honest_tdr[1], honest_refine[1]];
        let figures = errors.map(|error| format!("{error:.2}"));
        let row: Vec<String> = [self.name.clone(), self.k.to_string(), budget].into_iter().chain(figures).collect();
        eprintln!("{}", row.join("  "));
        Ok(row)
    }

    /// C4.5's and Naive Bayes' errors after each search.
    fn errors(&self, options: &JobOptions) -> Result<[[f64; 2]; 2], Error> {
        let error = |algorithm: Algorithm| -> Result<[f64; 2], Error> {
            let mut spec = self.table.spec(self.qid, self.k);
            spec.search.algorithm = Some(algorithm);
            spec.suppress.limit = Share::new(self.budget / 100.0);
            let evaluation = evaluate(spec, self.categories, options)?;
            Ok([Errors::of(&evaluation, 0)?.masked, Errors::of(&evaluation, 1)?.masked])
        };
        Ok([error(SEARCHES[0])?, error(SEARCHES[1])?])
    }
}

/// What `refine` costs beside `tdr`, in points, in each setting.
#[derive(Default)]
struct Costs {
    honest: Vec<Cost>,
    together: Vec<Cost>,
    bayes: Vec<Cost>,
}

struct Cost {
    points: f64,
    setting: String,
}

/// More than this is to be told.
const CLEARLY_WORSE: f64 = 0.2;

impl Costs {
    fn add(&mut self, setting: &str, [honest, together, bayes]: [f64; 3]) {
        for (costs, points) in [(&mut self.honest, honest), (&mut self.together, together), (&mut self.bayes, bayes)] {
            costs.push(Cost { points, setting: setting.to_owned() });
        }
    }

    fn said(&self) -> String {
        let [honest, together, bayes] = [&self.honest, &self.together, &self.bayes].map(|costs| summed_up(costs));
        format!(
            "The error with `refine`, less that with `tdr`, over all {} rows:\n\n- C4.5, honest: {honest}\n- C4.5, together: {together}\n\
             - Naive Bayes, honest: {bayes}",
            self.honest.len()
        )
    }
}

/// On average, at worst, and where it is too much.
fn summed_up(costs: &[Cost]) -> String {
    let mean = costs.iter().map(|cost| cost.points).sum::<f64>() / costs.len().max(1) as f64;
    let most = costs.iter().map(|cost| cost.points).fold(f64::NEG_INFINITY, f64::max);
    let clearly = |better: f64| costs.iter().filter(|cost| better * cost.points > CLEARLY_WORSE).count();
    let worse: Vec<String> = costs
        .iter()
        .filter(|cost| cost.points > CLEARLY_WORSE)
        .map(|cost| format!("{} {:+.2}", cost.setting, cost.points))
        .collect();
    let named = if worse.is_empty() { String::new() } else { format!(" ({})", worse.join("; ")) };
    format!(
        "{mean:+.2} points on average, {most:+.2} at most. Rows that are better by more than {CLEARLY_WORSE} points: {}, worse: {}{named}.",
        clearly(-1.0),
        worse.len()
    )
}
