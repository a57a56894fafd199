//! Figure 3 of the bottom-up paper (2004, §6.1).

use cutline::Error;
use cutline::spec::Algorithm;
use cutline_study::evaluate::{JobOptions, Learn, Split};

use super::claim::{Bound, Claim};
use super::data::{Categories, Data, Errors, evaluate, largest, measuring, tested};
use super::page::Section;
use cutline_report::plot::{Marks, Plot};

const ATTRIBUTES: [&str; 7] =
    ["workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"];

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Bottom-up generalization",
        "Seven categorical attributes of Adult and the class, all others left out; one QID of the seven. The training part is \
         generalized, and the same recoding applied to the test part; C4.5 (2004 paper, §6.1, figure 3). *Removed* is the paper's \
         worst error: nothing but the class is left. `tdr` is shown for comparison.",
    );
    let table = &data.adult;
    let options = JobOptions { measuring: measuring(Split::TrainRecords(table.train), Learn::C45), together: false };
    let mut trials = Vec::new();
    let mut tests = 0;
    for k in data.pick(&[10, 20, 50, 100, 200, 300, 500], &[10, 100]) {
        let mut errors = Vec::new();
        for algorithm in [Algorithm::BottomUp, Algorithm::Tdr] {
            let mut spec = table.spec(&ATTRIBUTES, k);
            table.only(&mut spec, &ATTRIBUTES);
            spec.search.algorithm = Some(algorithm);
            let evaluation = evaluate(spec, Categories::Generalized, &options)?;
            tests = tested(&evaluation);
            errors.push(Errors::of(&evaluation, 0)?);
        }
        trials.push((k, errors[0], errors[1]));
    }
    if let Some((_, errors, _)) = trials.first() {
        section.claim(Claim::near("baseline", 17.4, errors.baseline, tests));
        section.claim(Claim::near("all attributes masked", 24.6, errors.removed, tests));
    }
    let cost = largest(trials.iter().map(|(_, errors, _)| errors.cost));
    section.claim(
        Claim::bound("bottom-up, k 10..500: cost", Bound::AtMost(1.1), cost, "points").if_missed(
            "The paper has its taxonomies from the authors of the 2002 paper; ours follow the 2007 paper, which groups otherwise.",
        ),
    );
    section.table(
        &["k", "baseline", "removed", "bottom-up masked", "cost", "tdr masked", "cost"],
        &trials.iter().map(row).collect::<Vec<_>>(),
    );
    section.plot("bottom-up", &plot(&trials));
    Ok(section)
}

fn row((k, up, down): &(u64, Errors, Errors)) -> Vec<String> {
    let [_, _, masked, cost] = down.cells();
    [k.to_string()].into_iter().chain(up.cells()).chain([masked, cost]).collect()
}

fn plot(trials: &[(u64, Errors, Errors)]) -> Plot {
    let mut plot = Plot::against_k("Adult, seven categorical attributes: C4.5", "error, %");
    plot.add("bottom-up", Marks::Line, trials.iter().map(|(k, up, _)| (*k as f64, up.masked)).collect());
    plot.add("tdr", Marks::Line, trials.iter().map(|(k, _, down)| (*k as f64, down.masked)).collect());
    if let Some((_, errors, _)) = trials.first() {
        plot.level("baseline", errors.baseline);
        plot.level("all masked", errors.removed);
    }
    plot
}
