//! Tables that are published for a regression (beyond the papers).

use cutline::Error;
use cutline::model::Share;
use cutline::spec::{Algorithm, Local, PurposeKind};
use cutline_study::evaluate::Learn;

use super::data::{Categories, Data, defect, evaluate};
use super::page::Section;
use crate::attributes::RANKING;

/// A search: an algorithm, and whether groups have labels of their own.
const SEARCHES: [(Algorithm, Option<Local>); 4] = [
    (Algorithm::Tdr, None),
    (Algorithm::Refine, None),
    (Algorithm::Refine, Some(Local::Nested)),
    (Algorithm::Refine, Some(Local::Free)),
];

/// What is predicted.
const TARGETS: [&str; 2] = ["hours-per-week", "age"];

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Regression",
        "Adult, a QID of the other six attributes of Top7, generalized: R² of a regression tree and of a linear regression on the 15,060 test \
         records, in percent; more is better. Honest: the recoding is learned from the training records alone. The papers on top-down refinement have \
         no such purpose.",
    );
    let names = [
        "target",
        "k",
        "budget",
        "tree: raw",
        "tdr",
        "refine",
        "nested",
        "free",
        "linear: raw",
        "tdr",
        "refine",
        "nested",
        "free",
    ];
    let mut rows = Vec::new();
    for target in TARGETS {
        for budget in [0.0, 1.0] {
            for k in data.pick(&[20, 100, 500], &[50]) {
                let said = if budget > 0.0 { format!("{budget} %") } else { "none".to_owned() };
                let figures = figures(data, target, k, budget)?;
                rows.push([target.to_owned(), k.to_string(), said].into_iter().chain(figures).collect());
            }
        }
    }
    section.table(&names, &rows);
    Ok(section)
}

/// R² of the tree on raw records and after each search, then those of the linear regression.
fn figures(data: &Data, target: &str, k: u64, budget: f64) -> Result<Vec<String>, Error> {
    let qid: Vec<&str> = RANKING[..7].iter().copied().filter(|name| *name != target).collect();
    let mut columns: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    for (algorithm, local) in SEARCHES {
        let mut spec = data.adult.spec(&qid, k);
        spec.purpose.kind = Some(PurposeKind::Regression);
        spec.purpose.target = Some(target.to_owned());
        spec.search.algorithm = Some(algorithm);
        spec.search.local = local;
        spec.suppress.limit = Share::new(budget / 100.0);
        let evaluation = evaluate(spec, Categories::Generalized, &data.adult.honest(Learn::Both))?;
        for (learner, column) in columns.iter_mut().enumerate() {
            let measure = evaluation.measures.get(learner).ok_or_else(|| defect("a learner is missing"))?;
            let said = |share: f64| format!("{:.1}", 100.0 * share);
            if column.is_empty() {
                column.push(said(measure.baseline));
            }
            column.push(said(measure.masked));
        }
    }
    Ok(columns.concat())
}
