//! Tables that are published for no purpose in particular, beside Mondrian (beyond the papers).

use cutline::spec::{Algorithm, Local};
use cutline::{Draft, Error, Silent};
use cutline_report::count;

use super::data::{Categories, Data, job};
use super::mondrian::Mondrian;
use super::page::Section;

/// A search: its name, an algorithm, and whether groups have labels of their own.
const SEARCHES: [(&str, Algorithm, Option<Local>); 4] = [
    ("tdr", Algorithm::Tdr, None),
    ("refine", Algorithm::Refine, None),
    ("local, nested", Algorithm::Refine, Some(Local::Nested)),
    ("local, free", Algorithm::Refine, Some(Local::Free)),
];

/// Mondrian splits at medians, so these are numbers.
const QID: [&str; 3] = ["age", "education-num", "hours-per-week"];

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "No purpose in particular",
        "Adult's 30,162 training records, a QID of age, education-num and hours-per-week, no target: what is lost (LM of three attributes, at \
         most 3), the groups, and C_AVG, the records of an average group by k; less is better, 1 is the least. Beside it a plain Mondrian \
         (LeFevre et al. 2006: the widest attribute at its median).",
    );
    let names = ["k", "search", "LM", "groups", "C_AVG"];
    let mut rows = Vec::new();
    for k in data.pick(&[5, 10, 50, 100, 500], &[50]) {
        rows.extend(compared(data, k)?);
    }
    section.table(&names, &rows);
    section.text(
        "ARX, which users compare with, is a Java program that no package index offers that this page was made with. So no figures of it were \
         measured, and none are given.",
    );
    Ok(section)
}

/// A row for each search, and one for Mondrian.
fn compared(data: &Data, k: u64) -> Result<Vec<Vec<String>>, Error> {
    let mut rows = Vec::new();
    let mut theirs = None;
    for (name, algorithm, local) in SEARCHES {
        let mut spec = data.adult_train.spec(&QID, k);
        spec.purpose.target = None;
        (spec.search.algorithm, spec.search.local) = (Some(algorithm), local);
        let job = job(spec, Categories::Generalized)?;
        let draft = Draft::new(&job, &job.open()?, &Silent)?;
        let groups = draft.groups()?.iter().flat_map(|qid| &qid.sizes).map(|&(_, groups)| groups).sum();
        let records = draft.compressed().records;
        rows.push(row(k, name, (draft.losses().general, groups), records));
        theirs.get_or_insert_with(|| row(k, "Mondrian", Mondrian::new(draft.compressed(), k).run(), records));
    }
    rows.extend(theirs);
    Ok(rows)
}

fn row(k: u64, name: &str, (lost, groups): (f64, u64), records: u64) -> Vec<String> {
    let average = records as f64 / groups.max(1) as f64 / k as f64;
    vec![k.to_string(), name.to_owned(), format!("{lost:.3}"), count(groups), format!("{average:.2}")]
}
