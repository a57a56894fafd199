//! Several QIDs against the one QID of all their attributes (2007 paper, §5.1.1, figure 8).

use std::collections::BTreeSet;

use cutline::Error;
use cutline::model::Qid;
use cutline_study::evaluate::Learn;
use rand::rngs::StdRng;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};

use super::claim::{Claim, Reached};
use super::data::{Categories, Data, Errors, evaluate};
use super::page::Section;
use cutline_report::plot::{Marks, Plot};

const K: u64 = 100;
const SEED: u64 = 2007;
const ATTRIBUTES: [&str; 14] = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
];

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Adult: 30 random requirements of several QIDs",
        "As the 2007 paper draws them (§5.1.1, figure 8): 3 to 7 QIDs of one length from 2 to 9, from all 14 attributes, k = 100, \
         C4.5, generalized; repeated QIDs are discarded. Each is compared with the one QID of all its attributes, which is stricter.",
    );
    let mut random = StdRng::seed_from_u64(SEED);
    let count = if data.quick { 2 } else { 30 };
    let mut pairs = Vec::new();
    let mut rows = Vec::new();
    for number in 1..=count {
        let qids = draw(&mut random);
        let all: BTreeSet<usize> = qids.iter().flatten().copied().collect();
        let multi = error(data, &qids)?;
        let single = error(data, &BTreeSet::from([all.clone()]))?;
        let length = qids.first().map_or(0, BTreeSet::len);
        rows.push(vec![
            number.to_string(),
            qids.len().to_string(),
            length.to_string(),
            all.len().to_string(),
            format!("{multi:.2}"),
            format!("{single:.2}"),
            format!("{:+.2}", multi - single),
        ]);
        pairs.push((multi, single));
    }
    section.claim(claim(&pairs));
    section.table(&["number", "QIDs", "length", "attributes", "several QIDs", "united QID", "difference"], &rows);
    section.plot("multi-qid", &plot(pairs));
    Ok(section)
}

/// The QIDs of one requirement, as places of attributes.
fn draw(random: &mut StdRng) -> BTreeSet<BTreeSet<usize>> {
    let (count, length) = (random.random_range(3..=7), random.random_range(2..=9));
    (0..count).map(|_| sample(random, ATTRIBUTES.len(), length).into_iter().collect()).collect()
}

fn error(data: &Data, qids: &BTreeSet<BTreeSet<usize>>) -> Result<f64, Error> {
    let qid = |places: &BTreeSet<usize>| Qid::new(places.iter().map(|&at| ATTRIBUTES[at].to_owned()).collect(), K);
    let spec = data.adult.spec_of(qids.iter().map(qid).collect());
    let evaluation = evaluate(spec, Categories::Generalized, &data.adult.together(Learn::C45))?;
    Ok(Errors::of(&evaluation, 0)?.masked)
}

fn claim(pairs: &[(f64, f64)]) -> Claim {
    let better = pairs.iter().filter(|(multi, single)| multi < single).count();
    let worse = pairs.iter().filter(|(multi, single)| multi > single).count();
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len().max(1) as f64;
    let (multi, single) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let holds = multi <= single && 2 * better > pairs.len();
    let ours =
        format!("lower for {better} of {}, higher for {worse}; mean {multi:.2} % against {single:.2} %", pairs.len());
    let verdict = if holds { Reached::Match } else { Reached::Miss };
    Claim::new("error of several QIDs against the united QID", "lower for most", ours, verdict)
}

fn plot(pairs: Vec<(f64, f64)>) -> Plot {
    let mut plot =
        Plot::scatter("Several QIDs against their united QID", "several QIDs: error, %", "united QID: error, %");
    let low = pairs.iter().map(|pair| pair.0.min(pair.1)).fold(f64::INFINITY, f64::min);
    let high = pairs.iter().map(|pair| pair.0.max(pair.1)).fold(0.0, f64::max);
    plot.add("a requirement", Marks::Dots, pairs);
    plot.add("no difference", Marks::Reference, vec![(low, low), (high, high)]);
    plot
}
