//! Local refinement beside searches for one label a value (beyond the papers).

use cutline::Error;
use cutline::model::Share;
use cutline::spec::{Algorithm, Local};
use cutline_study::evaluate::Learn;

use super::data::{Categories, Data, Errors, evaluate};
use super::page::Section;
use crate::attributes::RANKING;

/// A search: an algorithm, and whether groups have labels of their own.
const SEARCHES: [(Algorithm, Option<Local>); 4] = [
    (Algorithm::Tdr, None),
    (Algorithm::Refine, None),
    (Algorithm::Refine, Some(Local::Nested)),
    (Algorithm::Refine, Some(Local::Free)),
];

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Local refinement",
        "Adult, Top7: the error on the 15,060 test records where groups have labels of their own (`--local nested`, `--local free`), \
         beside `tdr` and `refine`. Honest: the recoding is learned from the training records alone.",
    );
    let names = [
        "masked",
        "k",
        "budget",
        "C4.5: tdr",
        "refine",
        "nested",
        "free",
        "Naive Bayes: tdr",
        "refine",
        "nested",
        "free",
    ];
    let mut rows = Vec::new();
    for (categories, how) in [(Categories::Generalized, "generalized"), (Categories::Suppressed, "suppressed")] {
        for budget in [0.0, 1.0] {
            for k in data.pick(&[50, 200, 500, 1000], &[50]) {
                let figures = figures(data, categories, k, budget)?;
                let said = if budget > 0.0 { format!("{budget} %") } else { "none".to_owned() };
                let row: Vec<String> = [how.to_owned(), k.to_string(), said].into_iter().chain(figures).collect();
                eprintln!("{}", row.join("  "));
                rows.push(row);
            }
        }
    }
    section.table(&names, &rows);
    Ok(section)
}

/// The errors of C4.5 after each search, then those of Naive Bayes.
fn figures(data: &Data, categories: Categories, k: u64, budget: f64) -> Result<Vec<String>, Error> {
    let mut errors = Vec::new();
    for (algorithm, local) in SEARCHES {
        let mut spec = data.adult.spec(&RANKING[..7], k);
        spec.search.algorithm = Some(algorithm);
        spec.search.local = local;
        spec.suppress.limit = Share::new(budget / 100.0);
        let evaluation = evaluate(spec, categories, &data.adult.honest(Learn::Both))?;
        errors.push([Errors::of(&evaluation, 0)?.masked, Errors::of(&evaluation, 1)?.masked]);
    }
    Ok((0..2).flat_map(|learner| errors.iter().map(move |errors| format!("{:.2}", errors[learner]))).collect())
}
