//! Adult with the first N attributes, both maskings, both classifiers (2007 paper, §5.1.1, figures 5 and 6).

use cutline::Error;
use cutline_study::evaluate::{Evaluation, Learn};

use super::claim::{Bound, Claim, Reached};
use super::data::{Categories, Data, Errors, evaluate, largest, tested};
use super::page::Section;
use crate::attributes::RANKING;
use cutline_report::plot::{Marks, Plot};

const LEARNERS: [&str; 2] = ["C4.5", "Naive Bayes"];

/// One requirement under one masking.
struct Trial {
    categories: Categories,
    top: usize,
    k: u64,
    errors: [Errors; 2],
    tests: u64,
    /// The attributes of which nothing is left.
    hidden: Vec<String>,
}

pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        "Adult: the first 5, 7 and 9 attributes",
        "Top-down refinement (`tdr`) with one QID of the first N attributes of the paper's ranking; training and test part are masked \
         together, the classifier learns from the 30,162 records of the one and is tested on the 15,060 of the other (2007 paper, \
         §5.1.1, figures 5 and 6). *Generalized* uses the taxonomies of this repository, *suppressed* none; numbers are discretized.",
    );
    let trials = trials(data)?;
    claims(&trials, &mut section);
    for categories in [Categories::Generalized, Categories::Suppressed] {
        let these: Vec<&Trial> = trials.iter().filter(|trial| trial.categories == categories).collect();
        section.text(&format!("### {}", name(categories)));
        let names = [
            "QID",
            "k",
            "C4.5 baseline",
            "removed",
            "masked",
            "cost",
            "Naive Bayes baseline",
            "removed",
            "masked",
            "cost",
        ];
        section.table(&names, &these.iter().map(|trial| trial.cells()).collect::<Vec<_>>());
        for (learner, file) in ["c45", "bayes"].into_iter().enumerate() {
            section.plot(&format!("adult-{}-{file}", name(categories)), &plot(&these, categories, learner));
        }
    }
    Ok(section)
}

fn name(categories: Categories) -> &'static str {
    if categories == Categories::Generalized { "generalized" } else { "suppressed" }
}

fn trials(data: &Data) -> Result<Vec<Trial>, Error> {
    let mut trials = Vec::new();
    for categories in [Categories::Generalized, Categories::Suppressed] {
        for top in data.pick(&[5, 7, 9], &[7]) {
            for k in data.pick(&[20, 50, 100, 200, 500, 600, 1000], &[20, 500]) {
                let spec = data.adult.spec(&RANKING[..top], k);
                let evaluation = evaluate(spec, categories, &data.adult.together(Learn::Both))?;
                trials.push(Trial::new(categories, top, k, &evaluation)?);
            }
        }
    }
    Ok(trials)
}

impl Trial {
    fn new(categories: Categories, top: usize, k: u64, evaluation: &Evaluation) -> Result<Self, Error> {
        let hidden = evaluation.attributes.iter().filter(|attribute| attribute.labels <= 1.0);
        Ok(Trial {
            categories,
            top,
            k,
            errors: [Errors::of(evaluation, 0)?, Errors::of(evaluation, 1)?],
            tests: tested(evaluation),
            hidden: hidden.map(|attribute| attribute.name.clone()).collect(),
        })
    }

    fn cells(&self) -> Vec<String> {
        let figures = self.errors.iter().flat_map(Errors::cells);
        [format!("Top{}", self.top), self.k.to_string()].into_iter().chain(figures).collect()
    }
}

fn claims(trials: &[Trial], section: &mut Section) {
    let Some(first) = trials.iter().find(|trial| trial.top == 7) else { return };
    let [c45, bayes] = first.errors;
    section.claim(Claim::near("C4.5, baseline", 14.7, c45.baseline, first.tests));
    section.claim(Claim::near("C4.5, Top7 removed", 21.5, c45.removed, first.tests));
    section.claim(Claim::near("Naive Bayes, baseline", 18.07, bayes.baseline, first.tests).if_missed(
        "The paper's classifier is that of Orange. Weka's NaiveBayes has 17.46 % on the same records, as ours has.",
    ));
    let cost = |categories: Categories, learner: usize, wanted: &dyn Fn(&Trial) -> bool| {
        let these = trials.iter().filter(|trial| trial.categories == categories && wanted(trial));
        largest(these.map(|trial| trial.errors[learner].cost))
    };
    let generalized = cost(Categories::Generalized, 0, &|trial| trial.top == 7 && trial.k <= 600);
    section.claim(
        Claim::bound("C4.5, Top7 generalized, k 20..600: cost", Bound::Below(2.0), generalized, "points").if_missed(
            "By a few of the 15,060 test records. For k = 500 the paper itself gives the cost as 2, and ours hides the same attributes \
             as the paper's then, see below. The authors' own program with Quinlan's C4.5, run elsewhere, has a baseline of 14.71, 21.52 with \
             Top7 removed, and 15.29, 15.15, 16.75 and 16.90 for k = 20, 100, 500 and 1000: a cost of 2.04 for k = 500, which the paper rounds.",
        ),
    );
    let suppressed = cost(Categories::Suppressed, 0, &|trial| trial.top == 7);
    section.claim(Claim::bound("C4.5, Top7 suppressed, k 20..1000: cost", Bound::Below(2.5), suppressed, "points"));
    let bayes = cost(Categories::Generalized, 1, &|_| true);
    let what = "Naive Bayes, Top5, Top7 and Top9 generalized, k 20..1000: cost";
    section.claim(Claim::bound(what, Bound::AtMost(1.5), bayes, "points").if_missed(
        "The cost is taken from our baseline, which is 0.6 points lower than the paper's. The paper's masked errors are at most 19.57 %.",
    ));
    section.claims_hidden(trials);
}

impl Section {
    /// The paper's closer look at Top7 with k = 500.
    fn claims_hidden(&mut self, trials: &[Trial]) {
        const PUBLISHED: [&str; 4] = ["capital-gain", "age", "relationship", "sex"];
        let wanted = |trial: &&Trial| trial.categories == Categories::Generalized && (trial.top, trial.k) == (7, 500);
        let Some(trial) = trials.iter().find(wanted) else { return };
        let same = trial.hidden.len() == 4 && PUBLISHED.iter().all(|name| trial.hidden.iter().any(|own| own == name));
        let verdict = if same { Reached::Match } else { Reached::Miss };
        let note =
            format!("With these attributes hidden our cost is {:+.2} points, the paper's is 2.", trial.errors[0].cost);
        let what = "Top7 generalized, k = 500: attributes masked to the top";
        self.claim(Claim::new(what, &PUBLISHED.join(", "), trial.hidden.join(", "), verdict).if_missed(&note));
    }
}

fn plot(trials: &[&Trial], categories: Categories, learner: usize) -> Plot {
    let mut plot = Plot::against_k(format!("Adult, {}: {}", name(categories), LEARNERS[learner]), "error, %");
    for top in [5, 7, 9] {
        let these: Vec<&&Trial> = trials.iter().filter(|trial| trial.top == top).collect();
        let points = these.iter().map(|trial| (trial.k as f64, trial.errors[learner].masked)).collect();
        if !these.is_empty() {
            plot.add(format!("Top{top}"), Marks::Line, points);
        }
    }
    if let Some(trial) = trials.iter().find(|trial| trial.top == 7) {
        plot.level("baseline", trial.errors[learner].baseline);
        plot.level("Top7 removed", trial.errors[learner].removed);
    }
    plot
}
