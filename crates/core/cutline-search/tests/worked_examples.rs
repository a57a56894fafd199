//! The examples of the two papers, with the figures that design section 4.1 corrects or adds.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use std::collections::BTreeMap;

use cutline_model::recoding::Label;
use cutline_model::{AttributeRecoding, Bound, Masking, Taxonomy};
use cutline_search::top_down::{CandidateView, Score, TopDown};
use cutline_search::{Outcome, Problem, Refinement, Step, Stopped};
use cutline_table::LabelKind;

use support::{Sample, generalize, refinements, requirement, within};

const EDUCATION: &str = "ANY_Edu
  Secondary
    Junior Sec.
      9th
      10th
    Senior Sec.
      11th
      12th
  University
    Bachelors
    Grad School
      Masters
      Doctorate
";
const SEX: &str = "ANY_Sex\n  M\n  F\n";
const BOTH_SCORES: [Score; 2] = [Score::Tdr, Score::Tds];

/// Table 1: 34 records, and the requirement of Example 6 (2007; Example 7 in 2005).
fn table_1() -> Sample {
    Sample::new(LabelKind::Classes)
        .attribute("Education", generalize(EDUCATION))
        .attribute("Sex", generalize(SEX))
        .attribute("Work_Hrs", within(1.0, 99.0))
        .records(3, "9th M 30 N")
        .records(4, "10th M 32 N")
        .records(2, "11th M 35 Y")
        .records(3, "11th M 35 N")
        .records(3, "12th F 37 Y")
        .records(1, "12th F 37 N")
        .records(4, "Bachelors F 42 Y")
        .records(2, "Bachelors F 42 N")
        .records(4, "Bachelors F 44 Y")
        .records(4, "Masters M 44 Y")
        .records(3, "Masters F 44 Y")
        .records(1, "Doctorate F 44 Y")
}

const TABLE_1_QIDS: [&str; 2] = ["Education,Sex:4", "Sex,Work_Hrs:11"];

/// Table 2: 40 records, and the requirement of Example 5 (2007; Example 6 in 2005).
fn table_2() -> Sample {
    Sample::new(LabelKind::Classes)
        .attribute("Education", generalize("ANY_Edu\n  8th\n  9th\n  10th\n"))
        .attribute("Sex", generalize(SEX))
        .attribute("Work_Hrs", within(1.0, 99.0))
        .records(20, "10th M 40 Y")
        .records(4, "10th M 30 N")
        .records(2, "9th M 30 N")
        .records(4, "9th F 30 N")
        .records(6, "9th F 40 N")
        .records(2, "8th F 30 N")
        .records(2, "8th F 40 N")
}

const TABLE_2_QIDS: [&str; 1] = ["Education,Sex,Work_Hrs:4"];

fn first_candidates(sample: &Sample, qids: &[&str], score: Score) -> Vec<CandidateView> {
    let table = sample.compress();
    TopDown { score }.first_candidates(&Problem::new(&table, &requirement(qids)).unwrap())
}

/// Gain, loss and score with the four digits that the papers print.
fn figures(candidates: &[CandidateView]) -> Vec<(&str, [f64; 3])> {
    let figures = |candidate: &CandidateView| [candidate.gain, candidate.loss, candidate.score];
    candidates.iter().map(|candidate| (candidate.refined.as_str(), figures(candidate).map(four_digits))).collect()
}

fn four_digits(figure: f64) -> f64 {
    (figure * 1e4).round() / 1e4
}

/// The trace with four digits, a line a step.
fn json_lines(outcome: &Outcome) -> String {
    let line = |step: &Refinement| {
        let [gain, loss, score] = [step.gain, step.loss, step.score].map(four_digits);
        serde_json::to_string(&Step::Refinement(Refinement { gain, loss, score, ..step.clone() })).unwrap() + "\n"
    };
    refinements(outcome).into_iter().map(line).collect()
}

/// The published table: how many records have each combination of labels.
fn published(sample: &Sample, recoding: &[AttributeRecoding]) -> BTreeMap<String, usize> {
    let text = |label: &Label| match label {
        Label::Text(text) => text.clone(),
        Label::Missing => String::new(),
    };
    let mut rows = BTreeMap::new();
    for record in sample.masked(recoding) {
        let labels: Vec<String> = record.iter().map(text).collect();
        *rows.entry(labels.join(" ")).or_default() += 1;
    }
    rows
}

#[test]
fn table_1_first_candidates_of_tdr() {
    let candidates = first_candidates(&table_1(), &TABLE_1_QIDS, Score::Tdr);
    let expected =
        [("ANY_Edu", [0.2716, 18.0, 0.0143]), ("ANY_Sex", [0.1664, 18.0, 0.0088]), ("[1-99]", [0.3584, 22.0, 0.0156])];
    assert_eq!(figures(&candidates), expected);
    let attributes: Vec<&str> = candidates.iter().map(|view| &view.attribute[..]).collect();
    assert_eq!(attributes, ["Education", "Sex", "Work_Hrs"]);
}

#[test]
fn table_1_first_candidates_of_tds() {
    let expected =
        [("ANY_Edu", [0.2716, 18.0, 0.0151]), ("ANY_Sex", [0.1664, 18.0, 0.0092]), ("[1-99]", [0.3584, 22.0, 0.0163])];
    assert_eq!(figures(&first_candidates(&table_1(), &TABLE_1_QIDS, Score::Tds)), expected);
}

#[test]
fn table_1_trace_of_tdr() {
    let outcome = table_1().search(&requirement(&TABLE_1_QIDS), Score::Tdr);
    let expected = r#"{"step":1,"attribute":"Work_Hrs","refined":"[1-99]","into":["[1-37)","[37-99]"],"gain":0.3584,"loss":22.0,"score":0.0156,"anonymity":[34,12]}
{"step":2,"attribute":"Education","refined":"ANY_Edu","into":["Secondary","University"],"gain":0.2716,"loss":18.0,"score":0.0143,"anonymity":[16,12]}
{"step":3,"attribute":"Education","refined":"Secondary","into":["Junior Sec.","Senior Sec."],"gain":0.3386,"loss":9.0,"score":0.0339,"anonymity":[7,12]}
{"step":4,"attribute":"Education","refined":"University","into":["Bachelors","Grad School"],"gain":0.1022,"loss":0.0,"score":0.1022,"anonymity":[7,12]}
{"step":5,"attribute":"Education","refined":"Senior Sec.","into":["11th","12th"],"gain":0.0911,"loss":3.0,"score":0.0228,"anonymity":[4,12]}
"#;
    assert_eq!(json_lines(&outcome), expected);
    assert_eq!(outcome.anonymity, [4, 12]);
    assert_eq!(outcome.stopped, Stopped::Complete);
}

#[test]
fn table_1_trace_of_tds() {
    let outcome = table_1().search(&requirement(&TABLE_1_QIDS), Score::Tds);
    let trace: Vec<(&str, f64)> =
        refinements(&outcome).iter().map(|step| (step.refined.as_str(), four_digits(step.score))).collect();
    let expected = [
        ("[1-99]", 0.0163),
        ("ANY_Edu", 0.0151),
        ("Secondary", 0.0376),
        ("University", 0.1022),
        ("Senior Sec.", 0.0304),
    ];
    assert_eq!(trace, expected);
}

#[test]
fn table_1_recoding() {
    let cut = ["Junior Sec.", "11th", "12th", "Bachelors", "Grad School"].map(str::to_owned);
    let taxonomy = |outline: &str| Taxonomy::from_outline(outline).unwrap();
    let expected = [
        AttributeRecoding::Generalize { cut: cut.to_vec(), missing: None, taxonomy: taxonomy(EDUCATION) },
        AttributeRecoding::Generalize { cut: vec!["ANY_Sex".to_owned()], missing: None, taxonomy: taxonomy(SEX) },
        AttributeRecoding::numbers([1.0, 37.0, 99.0].map(|bound| Bound(Some(bound))).to_vec(), None),
    ];
    for score in BOTH_SCORES {
        let outcome = table_1().search(&requirement(&TABLE_1_QIDS), score);
        assert_eq!(outcome.recoding, expected);
        assert_eq!(outcome.anonymity, table_1().recount(&requirement(&TABLE_1_QIDS), &expected));
    }
}

#[test]
fn table_2_first_candidates() {
    let expected =
        [("ANY_Edu", [0.61, 36.0, 0.0165]), ("ANY_Sex", [0.4934, 26.0, 0.0183]), ("[1-99]", [0.3958, 28.0, 0.0136])];
    assert_eq!(figures(&first_candidates(&table_2(), &TABLE_2_QIDS, Score::Tdr)), expected);
}

/// Education has the highest gain, but its loss of anonymity would leave the classes mixed.
#[test]
fn table_2_refines_sex_first_and_education_never() {
    for score in BOTH_SCORES {
        let outcome = table_2().search(&requirement(&TABLE_2_QIDS), score);
        let steps: Vec<(&str, u64)> =
            refinements(&outcome).iter().map(|step| (step.refined.as_str(), step.anonymity[0])).collect();
        assert_eq!(steps, [("ANY_Sex", 14), ("[1-99]", 6)]);
        assert_eq!(refinements(&outcome)[1].into, ["[1-40)", "[40-99]"].map(Label::from));
        let table_3 =
            [("ANY_Edu F [1-40)", 6), ("ANY_Edu F [40-99]", 8), ("ANY_Edu M [1-40)", 6), ("ANY_Edu M [40-99]", 20)];
        let table_3 = BTreeMap::from(table_3.map(|(row, records)| (row.to_owned(), records)));
        assert_eq!(published(&table_2(), &outcome.recoding), table_3);
    }
}

/// Sex without a taxonomy: disclosing one value tells as much as refining ANY_Sex did.
#[test]
fn table_2_with_sex_suppressed() {
    let mut sample = table_2();
    sample.attributes[1].1 = Masking::Suppress;
    let outcome = sample.search(&requirement(&TABLE_2_QIDS), Score::Tdr);
    let trace: Vec<(&str, &[Label], f64)> = refinements(&outcome)
        .iter()
        .map(|step| (step.refined.as_str(), &step.into[..], four_digits(step.gain)))
        .collect();
    let into = |labels: [&str; 2]| labels.map(Label::from);
    // F and M tie, and F comes first in the domain. M is left alone under ⊥, so that disclosing it costs and gains nothing.
    let expected = [
        ("*", into(["F", "*"]), 0.4934),
        ("[1-99]", into(["[1-40)", "[40-99]"]), 0.3958),
        ("*", into(["M", "*"]), 0.0),
    ];
    let expected: Vec<_> = expected.iter().map(|(r, i, gain)| (*r, &i[..], *gain)).collect();
    assert_eq!(trace, expected);
    let disclosed = ["F", "M"].map(str::to_owned).to_vec();
    assert_eq!(outcome.recoding[1], AttributeRecoding::Suppress { disclosed, missing: None });
}
